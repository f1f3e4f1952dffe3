"""Writes the tables of README.md from the code that knows them, between `<!-- name -->` and `<!-- /name -->`.

python hardware/guide.py
"""

import re
from collections.abc import Mapping, Sequence

import electronics
import field_of_view
import measures
import power
from measures import HERE, Measures
from parts.catalogue import ENTRIES
from wiring import nets

GUIDE = HERE / "README.md"


def _markdown(heading: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [heading, ("---",) * len(heading), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def _masts(m: Measures) -> str:
    """For each camera and board the mast that shows the checkers largest with the whole board in the picture."""
    rows = []
    for board in m.boards:
        seen = field_of_view.views(m, m.boards[board])
        for camera in m.cameras:
            good = [one for one in seen if one.camera == camera and one.good]
            best = max(good, key=lambda one: (one.checker_px, one.room))
            rows.append((board, *field_of_view.row(best)))
    return _markdown(("board", *field_of_view.HEADINGS), rows)


def _prints() -> str:
    pictures = [
        (
            f'<img src="pictures/{e.name}.png" width="140" alt="{e.name}">',
            f"[{e.name}](printed/{e.name}.stl)",
            e.count,
            e.how,
        )
        for e in ENTRIES
    ]
    return _markdown(("", "part", "how many", "how to print"), pictures)


def tables() -> Mapping[str, str]:
    """Marker -> Markdown."""
    m, node = measures.load(), electronics.load()
    found = {
        "masts": _masts(m),
        "views": field_of_view.table(m, m.board),
        "prints": _prints(),
        "power": power.table(power.node_budget(node)),
    }
    for name, sheet in nets.sheets(node).items():
        found[f"{name} wires"] = _markdown(("from", "through", "to"), list(nets.rows(sheet)))
    return found


def filled(text: str) -> str:
    """`text` with every table brought up to date. ValueError: a marker is missing."""
    for name, table in tables().items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        text, count = pattern.subn(lambda match, table=table: f"{match[1]}{table}\n{match[2]}", text)  # type: ignore[misc]
        if count != 1:
            raise ValueError(f"README.md has {count} places for the table {name!r}, one is needed")
    return text


if __name__ == "__main__":
    GUIDE.write_text(filled(GUIDE.read_text(encoding="utf-8")), encoding="utf-8")
