"""Labels of rendered pictures, to a line of JSON and back."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from nardi_vision.synth.drawing import Drawing, DrawnDie, DrawnTop, Labels


def row_of(file: str, labels: Labels) -> dict[str, Any]:
    """One picture's labels as JSON values; the hand's mask lies beside the picture."""
    return {
        "file": file,
        "corners": np.round(labels.corners, 2).tolist(),
        "layout": labels.layout,
        "slots": labels.slots,
        "bar": labels.bar,
        "off": labels.off,
        "trays": labels.trays,
        "tops": [[*top.at, top.shade, top.slot, top.layer] for top in labels.tops],
        "dice": [[die.value, *die.at, die.size_px, die.flat] for die in labels.dice],
        "cube": labels.cube,
        "hand": labels.hand is not None,
        "hidden": sorted(labels.hidden),
        "tilt_deg": labels.tilt_deg,
    }


def scene_of(file: str, labels: Labels) -> dict[str, Any]:
    """One picture's labels in the form that `nardi appraise` reads."""
    rows = [list(layers) for _, layers in labels.slots]
    split = "overhead" if labels.tilt_deg <= 15 else "tilted" if labels.tilt_deg <= 35 else "steep"
    if labels.hidden:
        split = "occluded"
    elif any(len(layers) > 1 for layers in rows):
        split = "stacks"
    outline = labels.corners.astype(np.float32)
    return {
        "image": file,
        "split": split,
        "corners": np.round(labels.corners, 2).tolist(),
        "points": [[shade or "none", sum(layers)] for shade, layers in labels.slots],
        "layers": rows,
        "hidden": sorted(labels.hidden),
        "bar": {"light": labels.bar[0], "dark": labels.bar[1]},
        "off": {"light": labels.off[0], "dark": labels.off[1]},
        # A leaning die has no value that counts.
        "dice": [
            {
                "value": die.value,
                "centre": [round(die.at[0], 2), round(die.at[1], 2)],
                "on_board": cv2.pointPolygonTest(outline, die.at, False) >= 0,
            }
            for die in labels.dice
            if die.flat
        ],
        "cube": {"value": labels.cube[0], "centre": list(labels.cube[1])} if labels.cube else None,
        "tilt_deg": labels.tilt_deg,
    }


def drawings(folder: Path) -> Iterator[Drawing]:
    """Every picture of a folder with its labels, in the order of the lines."""
    for path in sorted(folder.glob("labels-*.jsonl")):
        for line in path.read_text().splitlines():
            row = json.loads(line)
            image = cv2.imread(str(folder / row["file"]))
            mask = cv2.imread(str(folder / row["file"].replace(".jpg", ".hand.png")), 0) if row["hand"] else None
            yield Drawing(np.asarray(image, np.uint8), _labels(row, mask))


def _labels(row: dict[str, Any], mask: Any) -> Labels:
    cube = row["cube"]
    return Labels(
        corners=np.array(row["corners"], float),
        layout=(row["layout"][0], row["layout"][1]),
        slots=tuple((shade, tuple(rows)) for shade, rows in row["slots"]),
        bar=(row["bar"][0], row["bar"][1]),
        off=(row["off"][0], row["off"][1]),
        trays=row["trays"],
        tops=tuple(DrawnTop((x, y), shade, slot, layer) for x, y, shade, slot, layer in row["tops"]),
        dice=tuple(DrawnDie(value, (x, y), size, flat) for value, x, y, size, flat in row["dice"]),
        cube=(cube[0], (cube[1][0], cube[1][1]), cube[2]) if cube else None,
        hand=mask,
        hidden=frozenset(row["hidden"]),
        tilt_deg=row["tilt_deg"],
    )
