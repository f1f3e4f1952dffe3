"""An appraisal as a page to look at: numbers, the worst pictures, every miss with its crop."""

import base64
import html
from collections.abc import Sequence

import cv2
import numpy as np

from nardi_vision.appraise.appraisal import Appraisal, Judged, Miss
from nardi_vision.appraise.case import Content
from nardi_vision.errors import EyeError
from nardi_vision.frame import Picture, encode_jpeg, load_picture
from nardi_vision.geometry import board_to_picture

WAYS = {"given": "Corners given", "found": "Nothing known", "play": "In play, learning as it goes"}
WORST = 10
MOST_CROPS = 400
COLUMNS = (
    "split", "pictures", "exact", "exact_share", "slots_wrong", "slot_share", "corner_error_median",
    "corner_error_p95", "corners_good", "unsure", "bar_share", "dice", "dice_right", "dice_wrong", "dice_false",
    "cube", "cube_right", "cube_wrong", "cube_false", "hand_share", "ms_median",
)  # fmt: skip
STYLE = """
body{font:15px/1.4 system-ui,sans-serif;margin:2rem auto;max-width:94rem;padding:0 1rem}
body{color:#1c1a17;background:#faf8f4}
table{font-size:13px;border-collapse:collapse;margin:1rem 0;font-variant-numeric:tabular-nums}
th,td{padding:.2rem .42rem;border-bottom:1px solid #ddd5c8;text-align:right}
th:first-child,td:first-child{text-align:left}
figure{display:inline-block;margin:.4rem;vertical-align:top;font-size:13px}figcaption{max-width:22rem}
img{display:block;border-radius:4px;max-width:100%}.crop img{height:170px}.bad{color:#a3201d}
"""


def page(appraisals: Sequence[Appraisal], title: str) -> str:
    """One HTML document without anything outside it."""
    parts = [
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{html.escape(title)}</title><style>{STYLE}</style>"
    ]
    parts.append(f"<h1>{html.escape(title)}</h1>")
    for appraisal in appraisals:
        parts += [f"<h2>{WAYS[appraisal.way]}</h2>", _table(appraisal), _calibration(appraisal)]
        parts += ["<h3>Worst pictures</h3>", *(_worst(one) for one in worst(appraisal))]
        misses = appraisal.misses()
        parts += [f"<h3>{len(misses)} slots read wrong, the surest first</h3>", *_crops(misses[:MOST_CROPS])]
    return "\n".join(parts) + "</html>\n"


def worst(appraisal: Appraisal) -> list[Judged]:
    """The pictures with the most misses, of equals those with the farthest corners."""
    bad = [one for one in appraisal.judged if one.misses or (one.error or 0) > 0.02]
    return sorted(bad, key=lambda one: (-len(one.misses), -(one.error or 0)))[:WORST]


def _table(appraisal: Appraisal) -> str:
    rows = [appraisal.row(split) for split in (*appraisal.splits(), None)]
    head = "".join(f"<th>{column.replace('_', ' ')}" for column in COLUMNS)
    body = "".join("<tr>" + "".join(f"<td>{_cell(row[column])}" for column in COLUMNS) for row in rows)
    return f"<table><tr>{head}{body}</table>"


def _cell(value: float | int | str | None) -> str:
    if value is None:
        return "–"
    return f"{value:.4g}" if isinstance(value, float) else html.escape(str(value))


def _calibration(appraisal: Appraisal) -> str:
    rows = "".join(
        f"<tr><td>{low:g}–{high:g}<td>{count}<td>{share:.4f}" for low, high, count, share in appraisal.calibration()
    )
    return f"<table><tr><th>said confidence<th>slots<th>right{rows}</table>"


def _worst(one: Judged) -> str:
    error = "" if one.error is None else f", corners off by {100 * one.error:.2f} %"
    sure = "" if one.sure else ", said to be unsure"
    told = f"{html.escape(one.case.name)} ({html.escape(one.case.split)}): {len(one.misses)} wrong{error}{sure}"
    told += f" <span class=bad>{html.escape(one.fault)}</span>" if one.fault else ""
    try:
        image = load_picture(one.case.path)
    except EyeError:
        return f"<p>{told}</p>"
    _outline(image, one.case.corners, (60, 200, 60))
    if one.reading is not None and one.reading.corners is not None:
        _outline(image, one.reading.corners, (40, 40, 230))
    scale = 520 / max(image.shape[:2])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return f"<figure><img src='{_source(np.asarray(small, np.uint8))}'><figcaption>{told}</figcaption></figure>"


def _outline(image: Picture, corners: Sequence[Sequence[float]], shade: tuple[int, int, int]) -> None:
    points = np.round(np.asarray(corners) * 16).astype(np.int32)
    cv2.polylines(image, [points], True, shade, max(1, image.shape[1] // 400), cv2.LINE_AA, 4)


def _crops(misses: Sequence[Miss]) -> list[str]:
    made = []
    for miss in misses:
        told = f"{html.escape(miss.case.name)} slot {miss.slot}: {_said(miss.true)}, read {_said(miss.seen)}"
        told += f" at {miss.confidence:.3f}"
        try:
            image = load_picture(miss.case.path)
        except EyeError:
            made.append(f"<p>{told}</p>")
            continue
        made.append(
            f"<figure class=crop><img src='{_source(crop(image, miss))}'><figcaption>{told}</figcaption></figure>"
        )
    return made


def crop(image: Picture, miss: Miss) -> Picture:
    """The slot and half of its neighbours, upright with the board's edge at the top, 100 × 240 px."""
    column, near = miss.slot % 12, miss.slot < 12
    # The bar is spread evenly over the columns here: for looking, not for measuring.
    x0, x1 = (column - 0.7) / 12, (column + 1.7) / 12
    y0, y1 = (-0.08, 0.56) if near else (1.08, 0.44)
    corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)
    if not near:
        corners[:, 0] = corners[[1, 0, 3, 2], 0]
    matrix = board_to_picture(miss.case.corners)
    seen = cv2.perspectiveTransform(corners[None], matrix)[0]
    size = (100, 240)
    flat = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
    return np.asarray(cv2.warpPerspective(image, cv2.getPerspectiveTransform(seen, flat), size), np.uint8)


def _said(content: Content) -> str:
    shade, count = content
    return f"{count} {shade}" if shade else "empty"


def _source(image: Picture) -> str:
    return "data:image/jpeg;base64," + base64.b64encode(encode_jpeg(image, 80)).decode("ascii")
