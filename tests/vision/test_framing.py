"""How a board lies in the picture: against the drawn camera, which projects by its own means."""

from dataclasses import replace

import numpy as np
import pytest

from nardi_vision.framing import FramingFault, framing
from nardi_vision.geometry import as_corners
from nardi_vision.layout import off_by
from nardi_vision.reading import Corners
from nardi_vision.rectify import Layout
from nardi_vision.sizes import Board, load_sizes
from nardi_vision.synth.camera import Camera, CameraSpec

SIZES = load_sizes()
NEEDS = SIZES.eye
MM = 1 / 40
"""Columns a millimetre of the drawn camera's space: any scale does."""


def placed(board: Board, spec: CameraSpec) -> tuple[Camera, Corners]:
    """The camera aimed at a board, and where it sees the playing surface's corners."""
    length, depth = (side * MM for side in board.surface_mm)
    camera = Camera(spec, length, depth)
    surface = np.array([[0, 0, 0], [length, 0, 0], [length, depth, 0], [0, depth, 0]], float)
    return camera, as_corners(camera.project(surface))


@pytest.mark.parametrize("name", SIZES.boards)
@pytest.mark.parametrize("azimuth_deg", [90.0, 0.0, 205.0])
@pytest.mark.parametrize("tilt_deg", [0.0, 18.0, 47.0])
def test_what_is_seen_is_what_the_drawn_camera_projects(name: str, azimuth_deg: float, tilt_deg: float) -> None:
    board = SIZES.boards[name]
    spec = CameraSpec((1280, 720), tilt_deg, azimuth_deg, zoom=0.8, focal=0.9, offset=(0.03, -0.02))
    camera, corners = placed(board, spec)
    seen = framing(corners, spec.size, board, NEEDS, named=True)
    assert seen.tilt_deg == pytest.approx(tilt_deg, abs=3)
    assert framing(corners, spec.size, board, NEEDS, named=False).tilt_deg == pytest.approx(tilt_deg, abs=12)

    before = board.frame_mm + board.tray_mm
    length, depth = board.surface_mm
    # The outline of each outermost checker's top, all round: its narrowest width.
    angles = np.linspace(0, np.pi, 180, endpoint=False)
    around = np.stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)], axis=1) * board.checker_mm / 2
    widths = []
    for x in board.point_centres_mm:
        for y in (board.checker_mm / 2, depth - board.checker_mm / 2):
            middle = np.array([x - before, y, board.checker_height_mm])
            a, b = camera.project((middle + around) * MM), camera.project((middle - around) * MM)
            widths.append(np.hypot(*(a - b).T).min())
    assert seen.checker_px == pytest.approx(min(widths) * 960 / 1280, rel=0.02)

    outline = camera.project(
        np.array(
            [
                (x * MM, y * MM, z * MM)
                for x in (-before, length + before)
                for y in (-board.frame_mm, depth + board.frame_mm)
                for z in (0, board.frame_height_mm)
            ]
        )
    )
    (left, top), (right, bottom) = outline.min(axis=0) / spec.size, outline.max(axis=0) / spec.size
    assert seen.room == pytest.approx((left, top, 1 - right, 1 - bottom), abs=0.01)


@pytest.mark.parametrize(
    ("change", "faults"),
    [
        ({}, ()),
        ({"zoom": 0.35}, (FramingFault.SMALL,)),
        ({"size": (480, 360)}, (FramingFault.COARSE,)),
        ({"zoom": 0.97}, (FramingFault.EDGE,)),
        ({"offset": (0.12, 0.0), "zoom": 0.9}, (FramingFault.ASIDE,)),
        ({"tilt_deg": 58.0, "zoom": 0.75}, (FramingFault.SMALL, FramingFault.ASLANT)),
    ],
)
def test_what_falls_short_is_named(change: dict[str, object], faults: tuple[FramingFault, ...]) -> None:
    spec = replace(CameraSpec((960, 720), 15.0, zoom=0.7), **change)  # type: ignore[arg-type]  # fields by name
    board = SIZES.boards["case-46"]
    _, corners = placed(board, spec)
    assert framing(corners, spec.size, board, NEEDS, named=True).faults(NEEDS) == faults


@pytest.mark.parametrize("name", SIZES.boards)
def test_places_are_the_slots_of_a_reading(name: str) -> None:
    """0-11 run from corner 0 to corner 1 on the far side, 12-23 from corner 3 to corner 2 on the near one."""
    board = SIZES.boards[name]
    length, depth = board.surface_mm
    own = Layout(0.0, board.pitch_mm / length)
    assert off_by(own, board) == pytest.approx(0, abs=1e-9)
    for slot, place in enumerate(SIZES.order[:24]):
        x, y = board.place_mm(place)
        share = (x - board.frame_mm - board.tray_mm) / length
        assert share == pytest.approx(own.column(slot % 12), abs=0.1 * own.width)
        assert (y > board.frame_mm + depth) == (slot < 12)


def test_columns_tell_one_board_from_another() -> None:
    case, nardi = SIZES.boards["case-46"], SIZES.boards["nardi-60"]
    found = Layout(0.0, 37 / 490)
    assert off_by(found, case) == pytest.approx(0)
    # The half's inner edge: 6 columns of 45 in 570 mm against 6 of 37 in 490, in columns of the former.
    assert off_by(found, nardi) == pytest.approx(6 * (45 / 570 - 37 / 490) / (45 / 570))
    assert off_by(Layout(0.01, 45 / 570), nardi) == pytest.approx(0.01 * 570 / 45)
