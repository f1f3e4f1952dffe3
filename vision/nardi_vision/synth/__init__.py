"""Positions to pictures: drawn boards for training, tests and the simulated table."""

from nardi_vision.synth.board import BoardSpec, CheckerSpec, random_board
from nardi_vision.synth.camera import Camera, CameraSpec
from nardi_vision.synth.contents import BoardContents
from nardi_vision.synth.die import SimCube, SimDie
from nardi_vision.synth.drawing import Drawing, DrawnDie, DrawnTop, Labels, draw, series
from nardi_vision.synth.light import LightSpec, random_light
from nardi_vision.synth.simulator import SimulatedCamera

__all__ = [
    "BoardContents",
    "BoardSpec",
    "Camera",
    "CameraSpec",
    "CheckerSpec",
    "Drawing",
    "DrawnDie",
    "DrawnTop",
    "Labels",
    "LightSpec",
    "SimCube",
    "SimDie",
    "SimulatedCamera",
    "draw",
    "random_board",
    "random_light",
    "series",
]
