"""Turns trained weights into the files that ship with the eye.

    python vision/training/export.py board=BOARD.pt plan=PLAN.pt die=DIE.pt cube=CUBE.pt
    python vision/training/export.py finder=FINDER.pt refiner=REFINER.pt placer=PLACER.pt

Any of them may be left out.
"""

import sys
from pathlib import Path

import torch
from locate.networks import FINDER_SIZE, PLACER_SIZE, REFINER_SIZE, Finder, Placer, Refiner
from networks import BoardNet, FaceNet, PlanNet
from packing import exported

from nardi_vision.classify import FOLD
from nardi_vision.dice import CUBE, DIE, FACE_FOLD, Sight
from nardi_vision.network import DATA
from nardi_vision.rectify import HEIGHT_PX, PLAN_PX, WIDTH_PX


def _square(sight: Sight) -> tuple[int, int, int, int]:
    """The shape of what a network of faces is given."""
    return 1, 3 * FACE_FOLD**2, sight.pixels // FACE_FOLD, sight.pixels // FACE_FOLD


KINDS = {
    "board": (BoardNet, (1, 3 * FOLD**2, HEIGHT_PX // FOLD, WIDTH_PX // FOLD), "board", ["slots", "bar", "maps"]),
    "plan": (PlanNet, (1, 3, PLAN_PX[1], PLAN_PX[0]), "plan", ["layout"]),
    "die": (lambda: FaceNet(DIE.kinds), _square(DIE), "die", ["face"]),
    "cube": (lambda: FaceNet(CUBE.kinds), _square(CUBE), "cube", ["face"]),
    "finder": (Finder, (1, 3, *FINDER_SIZE[::-1]), "board_finder", ["maps"]),
    "refiner": (Refiner, (1, 3, *REFINER_SIZE[::-1]), "corner_refiner", ["heat", "judged"]),
    "placer": (Placer, (1, 3, *PLACER_SIZE[::-1]), "corner_placer", ["heat", "judged"]),
}
"""The network, its input's shape, its file and what it gives."""


def main() -> None:
    DATA.mkdir(exist_ok=True)
    for argument in sys.argv[1:]:
        kind, path = argument.split("=")
        make, shape, name, outputs = KINDS[kind]
        model = make()
        model.load_state_dict(torch.load(Path(path), map_location="cpu"))
        print(kind, exported(model, shape, DATA / f"{name}.onnx.xz", outputs), "bytes")


if __name__ == "__main__":
    main()
