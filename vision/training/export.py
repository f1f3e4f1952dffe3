"""Turns trained weights into the files that ship with the eye.

python vision/training/export.py board=BOARD.pt plan=PLAN.pt die=DIE.pt cube=CUBE.pt
"""

import sys
from pathlib import Path

import torch
from networks import BoardNet, FaceNet, PlanNet, exported

from nardi_vision.dice import CUBE, DIE
from nardi_vision.network import DATA
from nardi_vision.rectify import HEIGHT_PX, PLAN_PX, WIDTH_PX

KINDS = {
    "board": (BoardNet, (1, 12, HEIGHT_PX // 2, WIDTH_PX // 2), ["slots", "bar", "maps"]),
    "plan": (PlanNet, (1, 3, PLAN_PX[1], PLAN_PX[0]), ["layout"]),
    "die": (lambda: FaceNet(DIE.pixels, DIE.kinds, 16), (1, 3, DIE.pixels, DIE.pixels), ["face"]),
    "cube": (lambda: FaceNet(CUBE.pixels, CUBE.kinds, 16), (1, 3, CUBE.pixels, CUBE.pixels), ["face"]),
}


def main() -> None:
    DATA.mkdir(exist_ok=True)
    for argument in sys.argv[1:]:
        kind, path = argument.split("=")
        make, shape, outputs = KINDS[kind]
        model = make()
        model.load_state_dict(torch.load(Path(path), map_location="cpu"))
        print(kind, exported(model, shape, DATA / f"{kind}.onnx.gz", outputs), "bytes")


if __name__ == "__main__":
    main()
