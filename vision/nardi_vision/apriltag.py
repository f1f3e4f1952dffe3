"""Corners from four AprilTags (36h11) laid on the frame: for boards and rooms in which nothing else can be trusted.

Tag 0 lies by corner 0, and so on clockwise, each with its paper's inner corner on the corner of the playing surface;
0 → 1 is a side that carries twelve points.
"""

import cv2
import numpy as np

from nardi_vision.errors import EyeError
from nardi_vision.frame import Picture
from nardi_vision.geometry import as_corners, check_corners, in_order
from nardi_vision.reading import Corners

IDS = (0, 1, 2, 3)
QUIET = 1 / 8
"""White margin of the paper as a share of the black square's side: one module of eight."""


def find_tags(image: Picture) -> Corners:
    """The surface's corners, in the contract's order.

    Raises EyeError `tags_missing` naming those not seen, `tags_doubled` for one seen twice, `corners_not_quadrangle`
    when they do not lie around a board.
    """
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    found, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(image)
    squares: dict[int, list[np.ndarray]] = {tag: [] for tag in IDS}
    for square, tag in zip(found, () if ids is None else [int(tag) for tag in np.ravel(ids)], strict=False):
        if tag in squares:
            squares[tag].append(np.asarray(square, np.float64).reshape(4, 2))
    missing = [str(tag) for tag in IDS if not squares[tag]]
    if missing:
        raise EyeError("tags_missing", tags=" ".join(missing), remedy="tags")
    doubled = [str(tag) for tag in IDS if len(squares[tag]) > 1]
    if doubled:
        raise EyeError("tags_doubled", tags=" ".join(doubled), remedy="tags")
    middle = np.mean([squares[tag][0].mean(axis=0) for tag in IDS], axis=0)
    corners = []
    for tag in IDS:
        square = squares[tag][0]
        inner = int(np.argmin(np.linalg.norm(square - middle, axis=1)))
        # Out of the black square along its own two edges by the paper's margin.
        here, before, after = square[inner], square[inner - 1], square[(inner + 1) % 4]
        corners.append(here + QUIET * ((here - before) + (here - after)))
    return in_order(check_corners(as_corners(np.array(corners))), 0)


def tag_sheet(px: int = 80) -> Picture:
    """The four tags on one sheet, each with its margin, to print and cut along the grey lines. `px`: one module."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    side = 10 * px
    sheet = np.full((2 * side + 3 * px, 2 * side + 3 * px), 255, np.uint8)
    for tag in IDS:
        left, top = px + tag % 2 * (side + px), px + tag // 2 * (side + px)
        sheet[top + px : top + side - px, left + px : left + side - px] = cv2.aruco.generateImageMarker(
            dictionary, tag, 8 * px
        )
        cv2.rectangle(sheet, (left, top), (left + side - 1, top + side - 1), 170, max(1, px // 40))
        cv2.putText(sheet, str(tag), (left + px // 4, top + px * 3 // 4), cv2.FONT_HERSHEY_SIMPLEX, px / 60, 120, 2)
    return np.asarray(cv2.cvtColor(sheet, cv2.COLOR_GRAY2BGR), np.uint8)
