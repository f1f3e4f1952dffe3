"""Does a camera on the mast see the whole board, and how large is a checker in its picture?

    python hardware/field_of_view.py [--board NAME]

Every supported camera is put on every mast of board.toml; for each the tilt is found that leaves the board most
room in the frame. A pinhole is assumed: a real wide lens shows more in the corners, and draws what is there a little
smaller.
"""

import argparse
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from measures import Board, Measures, load

Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class View:
    """One camera on one mast over one board.

    `room`: how far the board's nearest corner stays from the frame's edge, as a share of half the frame's width or
    height (negative: cut off). `turned`: the picture's long side lies along the arm. `checker_px`: the smallest width
    of any checker's outline at the working width.
    """

    camera: str
    column: int
    arm: int
    height_mm: float
    turned: bool
    tilt_deg: int
    room: float
    checker_px: float
    whole: bool
    legible: bool

    @property
    def good(self) -> bool:
        return self.whole and self.legible


@dataclass(frozen=True, slots=True)
class Pinhole:
    """Eye of the camera at `at` (mm, board axes), tilted from straight down towards the board's right end."""

    at: Point
    tilt_deg: float

    def project(self, point: Point) -> tuple[float, float]:
        """(along y, along the arm) as tangents of the angles from the axis; a point behind the lens is far outside."""
        x, y, z = (point[i] - self.at[i] for i in range(3))
        sine, cosine = math.sin(math.radians(self.tilt_deg)), math.cos(math.radians(self.tilt_deg))
        depth = x * sine - z * cosine
        if depth <= 0:
            return math.inf, math.inf
        return y / depth, (x * cosine + z * sine) / depth


def _outline(board: Board) -> list[Point]:
    """The corners that must be in the picture: the frame's, at its top and at the playing surface."""
    width, depth = board.outer_mm
    return [(x, y, z) for x in (0, width) for y in (0, depth) for z in (0, board.frame_height_mm)]


def _checkers(board: Board) -> Iterator[Point]:
    """The middles of the tops of the outermost checkers on each point."""
    for y in (board.frame_mm + board.checker_mm / 2, board.outer_mm[1] - board.frame_mm - board.checker_mm / 2):
        for x in board.point_centres_mm:
            yield x, y, board.checker_height_mm


def _shrink(pinhole: Pinhole, point: Point) -> float:
    """Smallest picture length, in tangents, of one millimetre on the board at `point` (least singular value)."""
    here = pinhole.project(point)
    dx = pinhole.project((point[0] + 1, point[1], point[2]))
    dy = pinhole.project((point[0], point[1] + 1, point[2]))
    a, b, c, d = dx[0] - here[0], dy[0] - here[0], dx[1] - here[1], dy[1] - here[1]
    square, area = a * a + b * b + c * c + d * d, a * d - b * c
    return math.sqrt(max(0.0, (square - math.sqrt(max(0.0, square * square - 4 * area * area))) / 2))


def _best_tilt(at: Point, board: Board, halves: tuple[float, float], max_tilt: int) -> tuple[float, int]:
    """(room, tilt) of the whole-degree tilt that leaves most room; `halves` are the frame's half tangents (y, arm)."""

    def room(tilt: int) -> float:
        seen = [Pinhole(at, tilt).project(corner) for corner in _outline(board)]
        return min(min(1 - abs(a) / halves[0], 1 - abs(b) / halves[1]) for a, b in seen)

    return max((room(tilt), -abs(tilt), tilt) for tilt in range(-max_tilt, max_tilt + 1))[::2]


def view(measures: Measures, board: Board, name: str, column: int, arm: int) -> View:
    """The better of the two ways to fix the camera `name` on a mast of `column` and `arm` segments."""
    camera = measures.cameras[name]
    mast, eye = measures.mast, measures.eye
    height = mast.arm_axis_mm(column) - camera.lens_drop_mm - board.thickness_mm
    at = (mast.reach_mm(arm) - mast.column_from_board_mm, board.outer_mm[1] / 2, height)
    across, down = (math.tan(math.radians(angle / 2)) for angle in camera.fov_deg)
    px_a_tangent = eye.working_width_px / 2 / across
    views = []
    for turned in (False, True):
        halves = (down, across) if turned else (across, down)
        room, tilt = _best_tilt(at, board, halves, int(eye.max_tilt_deg))
        pinhole = Pinhole(at, tilt)
        checker_px = min(_shrink(pinhole, top) for top in _checkers(board)) * board.checker_mm * px_a_tangent
        views.append(
            View(
                camera=name,
                column=column,
                arm=arm,
                height_mm=height,
                turned=turned,
                tilt_deg=tilt,
                room=room,
                checker_px=checker_px,
                whole=room >= 2 * eye.margin,
                legible=checker_px >= eye.min_checker_px,
            )
        )
    return max(views, key=lambda one: (one.good, one.room))


def views(measures: Measures, board: Board) -> list[View]:
    """Every supported camera on every mast."""
    mast = measures.mast
    return [
        view(measures, board, name, column, arm)
        for name in measures.cameras
        for column in mast.column_segments
        for arm in mast.arm_segments
    ]


HEADINGS = ("camera", "column", "arm", "lens above board", "picture's long side", "tilt", "whole board", "checker")


def row(one: View) -> tuple[str, ...]:
    """The cells of `one` under HEADINGS."""
    return (
        one.camera,
        str(one.column),
        str(one.arm),
        f"{one.height_mm:.0f} mm",
        "along the arm" if one.turned else "across the arm",
        f"{one.tilt_deg}°",
        f"yes, {one.room / 2:.0%} free" if one.whole else "no",
        f"{one.checker_px:.0f} px" + ("" if one.legible else ", too small"),
    )


def table(measures: Measures, board: Board) -> str:
    """A Markdown table of all views."""
    lines = [HEADINGS, ("---",) * len(HEADINGS), *(row(one) for one in views(measures, board))]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def main(arguments: list[str] | None = None) -> int:
    """0: every camera has a mast from which it sees the board well; 1: one has none."""
    measures = load()
    parser = argparse.ArgumentParser(description="Which camera sees the whole board from which mast?")
    parser.add_argument("--board", choices=sorted(measures.boards), default=measures.default_board)
    chosen = parser.parse_args(arguments).board
    board = measures.boards[chosen]
    print(f"{chosen}: {board.about}, {board.outer_mm[0]} x {board.outer_mm[1]} mm\n")
    print(table(measures, board))
    blind = [name for name in measures.cameras if not any(v.good for v in views(measures, board) if v.camera == name)]
    for name in blind:
        print(f"\n{name}: sees this board well from no mast here")
    return 1 if blind else 0


if __name__ == "__main__":
    sys.exit(main())
