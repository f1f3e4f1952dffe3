"""`nardi calibrate SOURCE`: say once where the board lies in the camera's picture."""

import argparse
import contextlib
import datetime
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from nardi.cli.framing import board_named, framed, other_board
from nardi.cli.speech import say
from nardi.devices.eyesight import input_error
from nardi_vision.errors import EyeError

if TYPE_CHECKING:
    from nardi_vision.calibration import Calibration, Method
    from nardi_vision.frame import Picture
    from nardi_vision.reading import Corners

SETTLE_FRAMES = 40
"""Frames of a live camera that may go by until its exposure has settled."""


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser("calibrate", help="say where the board lies in the picture", allow_abbrev=False)
    parser.add_argument("source", nargs="?", metavar="SOURCE", help="a camera (v4l2:/dev/video0 …) or a picture")
    parser.add_argument("--file", type=Path, default=Path("calibration.json"), help="default: calibration.json")
    parser.add_argument("--board", default="", metavar="NAME", help="which board of hardware/board.toml it is")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--tags", action="store_true", help="by four AprilTags on the frame")
    how.add_argument("--corners", metavar='"x,y x,y x,y x,y"', help="by numbers")
    how.add_argument("--drag", action="store_true", help="by moving the corners with the arrow keys")
    how.add_argument("--check", action="store_true", help="look whether the file still holds")
    how.add_argument("--print-tags", type=Path, metavar="PNG", help="write the four tags to print and cut out")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    import cv2

    cv2.setNumThreads(1)
    try:
        if arguments.print_tags is not None:
            return _print_tags(arguments.print_tags)
        if arguments.source is None:
            raise EyeError("source_unknown", source="", known="v4l2:/dev/video0", remedy="source_schemes")
        image = _picture(arguments.source)
        if arguments.check:
            return _check(arguments, image)
        return _make(arguments, image)
    except EyeError as error:
        raise input_error(error) from None


def _picture(source: str) -> "Picture":
    """One good picture: a file's, or a camera's once its exposure has settled."""
    from nardi_vision.frame import load_picture
    from nardi_vision.sources import open_source
    from nardi_vision.sources.exposure import Settling

    if ":" not in source:
        return load_picture(Path(source))
    settling, image = Settling(), None
    with contextlib.closing(open_source(source)) as frames:
        for count, frame in enumerate(frames):
            image = image if frame.image is None else frame.image
            if count >= SETTLE_FRAMES or (frame.image is not None and settling.seen(frame.image)):
                break
    if image is None:
        raise EyeError("no_frames", file=source, remedy="camera_plugged")
    return image


def _make(arguments: argparse.Namespace, image: "Picture") -> int:
    from nardi_vision.calibration import Calibration, residual_px
    from nardi_vision.frame import frame_size_of
    from nardi_vision.geometry import text_of

    name = arguments.board
    board_named(name)
    size = frame_size_of(image)
    corners, method = _corners(arguments, image)
    calibration = Calibration(corners, size, datetime.date.today(), method, source=arguments.source, board=name)
    calibration = _with_residual(calibration, image)
    calibration.save(arguments.file)
    residual = residual_px(calibration)
    told = "not measured" if residual is None else f"{residual:.1f} px"
    print(f"{arguments.file}: {method.value} {text_of(corners)} in {size[0]}x{size[1]}, residual {told}")
    _tell(arguments, calibration, image)
    return 0


def _tell(arguments: argparse.Namespace, calibration: "Calibration", image: "Picture") -> None:
    """How the board lies in the picture; to stderr what should be mended."""
    for good, message in (*framed(calibration), *other_board(calibration, image)):
        say(arguments, message, sys.stdout if good else sys.stderr)


def _corners(arguments: argparse.Namespace, image: "Picture") -> "tuple[Corners, Method]":
    from nardi_vision.apriltag import find_tags
    from nardi_vision.calibration import Method
    from nardi_vision.frame import frame_size_of
    from nardi_vision.geometry import check_corners, in_order, parse_corners
    from nardi_vision.locate import find_corners

    if arguments.tags:
        return find_tags(image), Method.TAGS
    if arguments.corners is not None:
        corners = check_corners(parse_corners(arguments.corners), frame_size_of(image))
        return in_order(corners, 0), Method.GIVEN
    if arguments.drag:
        return _drag(image), Method.DRAGGED
    return find_corners(image, arguments.source), Method.FOUND


def _drag(image: "Picture") -> "Corners":
    from nardi.cli.corner_screen import drag
    from nardi_vision.editor import CornerEditor
    from nardi_vision.frame import frame_size_of
    from nardi_vision.locate import locate

    try:
        guess = locate(image).corners
    except EyeError:
        guess = None
    return drag(image, CornerEditor(frame_size_of(image), guess))


def _with_residual(calibration: "Calibration", image: "Picture") -> "Calibration":
    """How far a second, independent look puts the corners from these."""
    from dataclasses import replace

    from nardi_vision.locate import locate

    try:
        found = locate(image)
    except EyeError:
        return calibration
    return replace(calibration, residual=calibration.distance(found.corners)) if found.sure else calibration


def _check(arguments: argparse.Namespace, image: "Picture") -> int:
    from nardi_vision.calibration import Calibration, CalibrationFault
    from nardi_vision.frame import frame_size_of
    from nardi_vision.locate import locate

    file: Path = arguments.file
    calibration = Calibration.load(file)
    try:
        found = locate(image)
    except EyeError:
        found = None
    corners = found.corners if found is not None and found.sure else None
    today = datetime.date.today()
    faults = calibration.check(frame_size_of(image), today, corners)
    age = (today - calibration.made).days
    print(f"{file}: {age} days old, {calibration.frame_size[0]}x{calibration.frame_size[1]}")
    hard = [fault for fault in faults if fault is not CalibrationFault.OLD]
    if hard:
        names = " ".join(fault.value for fault in hard)
        raise EyeError("calibration_unfit", file=str(file), faults=names, remedy="calibrate")
    _tell(arguments, calibration, image)
    return 0


def _print_tags(path: Path) -> int:
    import cv2

    from nardi_vision.apriltag import tag_sheet

    path.parent.mkdir(parents=True, exist_ok=True)
    if not cv2.imwrite(str(path), tag_sheet()):
        raise EyeError("picture_unwritable", file=str(path), remedy="path")
    print(path)
    return 0
