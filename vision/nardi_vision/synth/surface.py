"""The empty board: its surface as a flat sheet, and the whole of it seen by a camera."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from nardi_vision.synth.board import BoardSpec
from nardi_vision.synth.camera import Camera
from nardi_vision.synth.emblem import printed
from nardi_vision.synth.stroke import SHIFT, blend, circle, fill, fixed
from nardi_vision.synth.texture import Material, Picture, Rgb, colour, material, noise, sheet_to, warped


@dataclass(slots=True)
class EmptyBoard:
    """The board with nothing on it. `picture` float BGR 0..1 before light; `gloss` how much each pixel mirrors;
    `floor` 1 where the table or the playing surface shows (shadows fall there); `front` and `bar` mask what hides
    things
    behind it."""

    picture: Picture
    gloss: Picture
    floor: Picture
    front: NDArray[np.uint8]
    bar: NDArray[np.uint8]


def point_outline(spec: BoardSpec, index: int, top: bool, grow: float = 0.0) -> NDArray[np.float64]:
    """The outline (N, 2) of the point in column `index` in board columns; `grow` widens it."""
    middle, half = spec.column(index), spec.point_width / 2 + grow
    length, offset = spec.point_length + grow * 2, spec.point_offset - grow
    along = np.linspace(0, 1, 17)
    rng = np.random.default_rng([spec.seed, 31])
    round_base = half / length * float(rng.uniform(0.5, 1.2)) if rng.random() < 0.3 else 0.0
    if round_base:
        along = np.unique(np.concatenate([along, round_base * (1 - np.cos(np.linspace(0, np.pi / 2, 7)))]))
    widths = {
        "triangle": 1 - along,
        "blade": np.clip(np.cos(along * np.pi / 2) ** 0.8, 0, 1) * (1 - 0.5 * along**6),
        "spindle": (1 - along) * 0.55
        + 0.42 * np.sin(np.pi * np.clip(along * 1.25 - 0.12, 0, 1)) ** 2 * (1 - along) ** 0.3,
        "rounded": np.sqrt(np.clip(1 - along**2.2, 0, 1)) * (1 - 0.55 * along),
        "bar": np.where(along < 0.93, 0.8, 0.8 * (1 - along) / 0.07),
    }[spec.points] * half
    if round_base:  # a base like half a checker
        widths = widths * np.sqrt(1 - np.clip(1 - along / round_base, 0, 1) ** 2)
    ys = offset + along * length
    ys = ys if top else spec.height - ys
    left = np.stack([middle - widths, ys], axis=1)
    right = np.stack([middle + widths, ys], axis=1)[::-1]
    return np.concatenate([left, right])


def surface_sheet(spec: BoardSpec, px: float, pad: float) -> Picture:
    """The playing surface as a flat sheet at `px` pixels a column, reaching `pad` columns beyond each edge (trays)."""
    rng = np.random.default_rng(spec.seed)
    size = (int((spec.height + 2 * pad) * px), int((spec.length + 2 * pad) * px))
    sheet = material(rng, spec.surface, size, spec.surface_tint, px)

    def at(points: NDArray[np.float64]) -> NDArray[np.float64]:
        return (points + pad) * px

    def tinted(kind: Material, tint: Rgb) -> Picture:
        return material(rng, kind, size, tint, px)

    kinds: tuple[Material, ...] = ("wood",) if spec.surface == "wood" else ("plain", "felt", "leather", spec.surface)
    sheets = [tinted(kinds[rng.integers(len(kinds))], tint) for tint in spec.point_tints]
    first = int(rng.integers(2))
    masks = [np.zeros(size, np.uint8), np.zeros(size, np.uint8)]
    lines = np.zeros(size, np.uint8)
    mirrored = rng.random() < 0.8
    for row in range(2):
        for index in range(12):
            which = (index + (row if mirrored else 0) + first) % 2
            outline = point_outline(spec, index, row == 0)
            fill(masks[which], at(outline), 255)
            if spec.outline is not None:
                cv2.polylines(lines, [fixed(at(outline))], True, 255, max(1, int(px / 18)), cv2.LINE_AA, SHIFT)
            _ornaments(spec, masks[which], lines, at, index, row == 0, px)
    for mask, tint in zip(masks, sheets, strict=True):
        alpha = mask.astype(np.float32)[..., None] / 255
        sheet += (tint - sheet) * alpha
    if spec.emblem:
        printed(spec, rng, sheet, at, px)
    line_tint = colour(spec.outline or spec.border or (0.5, 0.4, 0.2))
    if spec.border is not None:
        for left in (0.0, spec.length - spec.margin - 6 - spec.margin):
            box = np.array(
                [
                    [left, 0],
                    [left + 6 + 2 * spec.margin, 0],
                    [left + 6 + 2 * spec.margin, spec.height],
                    [left, spec.height],
                ]
            )
            inset = np.sign(box.mean(axis=0) - box) * 0.12
            cv2.polylines(lines, [fixed(at(box + inset))], True, 255, max(1, int(px / 14)), cv2.LINE_AA, SHIFT)
    sheet += (line_tint - sheet) * (lines.astype(np.float32)[..., None] / 255)
    if rng.random() < 0.3:  # wear and stains
        sheet *= (1 + 0.05 * noise(rng, size, (9, 7)))[..., None]
    if spec.bar == "flat":
        left = (spec.length - spec.bar_width) / 2
        box = at(
            np.array(
                [
                    [left, -pad],
                    [left + spec.bar_width, -pad],
                    [left + spec.bar_width, spec.height + pad],
                    [left, spec.height + pad],
                ]
            )
        )
        strip = np.zeros(size, np.uint8)
        fill(strip, box, 255)
        same = rng.random() < 0.55
        strip_tint = spec.surface_tint if same else spec.frame_tint
        other = material(rng, spec.surface if same else spec.frame, size, strip_tint, px)
        sheet += (other * rng.uniform(0.85, 1.1) - sheet) * (strip.astype(np.float32)[..., None] / 255)
    if spec.bar != "none" and rng.random() < 0.5:  # the fold
        x = int((spec.length / 2 + pad) * px)
        sheet[:, x : x + max(1, int(px / 20))] *= 0.6
    return sheet


def _ornaments(
    spec: BoardSpec, mask: NDArray[np.uint8], lines: NDArray[np.uint8], at: Any, index: int, top: bool, px: float
) -> None:
    if spec.ornament in (1, 3):
        # Large rings near the base are what is most easily taken for a checker.
        rng = np.random.default_rng([spec.seed, 23])
        y = spec.point_offset + spec.point_length * float(rng.uniform(0.12, 0.3))
        reach, width = float(rng.uniform(0.1, 0.24)), max(1, int(px / rng.uniform(12, 28)))
        centre = at(np.array([spec.column(index), y if top else spec.height - y]))
        circle(lines, centre, reach * px, thick=width)
    if spec.ornament in (2, 3):
        y = spec.point_offset + spec.point_length + 0.2
        centre = at(np.array([spec.column(index), y if top else spec.height - y]))
        circle(mask, centre, 0.09 * px)


def holes(spec: BoardSpec) -> list[tuple[float, float, float, float]]:
    """The sunken rectangles (x0, y0, x1, y1) in columns: playing halves and trays."""
    found = []
    if spec.bar in ("raised", "hinge"):
        left = (spec.length - spec.bar_width) / 2
        found += [(0.0, 0.0, left, spec.height), (left + spec.bar_width, 0.0, spec.length, spec.height)]
    else:
        found.append((0.0, 0.0, spec.length, spec.height))
    divider = 0.3
    for width, start in ((spec.trays[0], -divider - spec.trays[0]), (spec.trays[1], spec.length + divider)):
        if width:
            found += [
                (start, 0.0, start + width, spec.height / 2 - 0.1),
                (start, spec.height / 2 + 0.1, start + width, spec.height),
            ]
    return found


def outer(spec: BoardSpec) -> tuple[float, float, float, float]:
    """The board's outer rectangle (x0, y0, x1, y1) in columns."""
    left, right = (width + 0.3 if width else 0.0 for width in spec.trays)
    return -left - spec.rim, -spec.rim, spec.length + right + spec.rim, spec.height + spec.rim


def _corners(box: tuple[float, float, float, float], z: float) -> NDArray[np.float64]:
    x0, y0, x1, y1 = box
    return np.array([[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]])


def empty_board(spec: BoardSpec, camera: Camera, rng: np.random.Generator) -> EmptyBoard:
    """Draws the table and the board without its checkers, lit evenly."""
    size = (camera.width_px, camera.height_px)
    px = float(np.clip(camera.width_px / 18, 16, 44))
    reach = 9.0
    sheet = material(
        rng, spec.table, (int((spec.height + 2 * reach) * px * 0.6), int((spec.length + 2 * reach) * px * 0.6)),
        spec.table_tint, px * 0.6, spec.table_second,
    )  # fmt: skip
    picture = warped(sheet, sheet_to(camera.plane(-spec.box), (-reach, -reach), px * 0.6), size, cv2.BORDER_REFLECT)
    gloss = np.full(size[::-1], float(rng.choice([0.0, 0.1, 0.4])), np.float32)
    floor = np.ones(size[::-1], np.float32)
    box = outer(spec)
    frame = colour(spec.frame_tint)
    light = rng.uniform(0.45, 1.0, 4)
    foot = Foot.of(spec)
    sides = [(0, 1), (1, 2), (2, 3), (3, 0)]
    inward = [(1, 1), (0, -1), (1, -1), (0, 1)]  # axis and direction in which each side's inner face looks

    def faces(rect: tuple[float, float, float, float], low: float, high: float, outside: bool) -> None:
        ends = (_corners(rect, low), _corners(rect, high))
        for side, (a, b) in enumerate(sides):
            axis, sign = inward[side]
            seen = (camera.eye[axis] - ends[0][a][axis]) * sign > 0
            if seen != outside:
                quad = camera.flat(np.array([ends[0][a], ends[0][b], ends[1][b], ends[1][a]]))
                share = light[side] * (0.8 if outside else 0.75)
                if spec.faces and not outside:
                    share = spec.faces.light[side]
                tint = frame * share
                fill(picture, quad, tuple(float(v) for v in tint))
                fill(floor, quad, 0.35)
                if not outside:
                    _foot_of(picture, quad, tint, foot)
                    if spec.faces and spec.faces.grained and spec.wall > 0.05:
                        _grain(picture, quad, spec, px, share, foot)

    faces(box, -spec.box, spec.wall, True)
    pad = max(0.4, *(width + 0.35 for width in spec.trays)) if any(spec.trays) else 0.4
    surface = surface_sheet(spec, px, pad)
    darken_at_walls(surface, spec, px, pad, foot)
    covered = np.zeros(size[::-1], np.uint8)
    for hole in holes(spec):
        fill(covered, camera.flat(_corners(hole, 0.0)), 255)
    seen = warped(surface, sheet_to(camera.plane(0.0), (-pad, -pad), px), size, cv2.BORDER_REPLICATE)
    blend(picture, seen, covered)
    _blend_value(gloss, spec.gloss, covered)
    for hole in holes(spec):
        faces(hole, 0.0, spec.wall, False)
    top = frame_sheet(spec, rng, px)
    alpha = np.full((top.shape[0], top.shape[1]), 255, np.uint8)
    for hole in holes(spec):
        fill(alpha, (np.array(_corners(hole, 0))[:, :2] - box[:2]) * px, 0)
    matrix = sheet_to(camera.plane(spec.wall), (box[0], box[1]), px)
    rim_alpha = warped(alpha, matrix, size)
    blend(picture, warped(top, matrix, size, cv2.BORDER_REPLICATE), rim_alpha)
    _blend_value(gloss, float(rng.choice([0.0, 0.2, 0.5])), rim_alpha)
    floor *= 1 - rim_alpha.astype(np.float32) / 255 * 0.8
    front, bar = _hiders(spec, camera, box)
    return EmptyBoard(np.ascontiguousarray(picture), gloss, floor, front & np.asarray(rim_alpha, np.uint8), bar)


@dataclass(frozen=True, slots=True)
class Foot:
    """How dark it is where walls meet the surface: light comes there from half the room only.

    `depth` 0..1: light lost at the very foot; `reach`: columns over which it comes back, on the surface;
    `climb`: share of the wall's height over which it comes back; `seam`: width in columns of a black joint, 0: none.
    """

    depth: float
    reach: float
    climb: float
    seam: float

    @classmethod
    def of(cls, spec: BoardSpec) -> "Foot":
        """By lot, but always the same for one board; nothing where there is no wall to speak of."""
        rng = np.random.default_rng([spec.seed, 17])
        depth, reach, climb = rng.uniform(0, 0.75), rng.uniform(0.05, 0.35), rng.uniform(0.2, 1.0)
        seam = rng.uniform(0.02, 0.08) if rng.random() < 0.35 else 0.0
        if spec.wall < 0.08:
            return cls(0.0, 0.1, 0.5, 0.0)
        low = min(1.0, spec.wall / 0.4)
        return cls(float(depth * low), float(reach * low), float(climb), float(seam))


def _foot_of(picture: Picture, quad: NDArray[np.float64], tint: NDArray[np.float64], foot: Foot) -> None:
    """Shades a wall's inner face `quad` (4, 2; its foot first), already filled with `tint`, towards its foot."""
    strips = 6
    for strip in range(strips):
        low, high = (foot.climb * v / strips for v in (strip, strip + 1))
        share = 1 - foot.depth * 0.8 * (1 - (strip + 0.5) / strips)
        near, far = quad[:2] + (quad[[3, 2]] - quad[:2]) * low, quad[:2] + (quad[[3, 2]] - quad[:2]) * high
        fill(picture, np.array([near[0], near[1], far[1], far[0]]), tuple(float(v) for v in tint * share))


def _grain(picture: Picture, quad: NDArray[np.float64], spec: BoardSpec, px: float, share: float, foot: Foot) -> None:
    """Covers a wall's inner face `quad` (4, 2; its foot first) with the frame's own material, darker towards its
    foot."""
    rows, columns = max(3, int(spec.wall * px)), max(3, int(spec.length * px))
    strip = material(np.random.default_rng([spec.seed, 19]), spec.frame, (rows, columns), spec.frame_tint, px)
    above = (np.arange(rows, 0, -1, dtype=np.float32) - np.float32(0.5)) / rows
    strip *= (share * (1 - foot.depth * 0.8 * np.clip(1 - above / foot.climb, 0, 1)))[:, None, None].astype(np.float32)
    ends = np.array([[0, rows], [columns, rows], [columns, 0], [0, 0]], np.float32) - np.float32(0.5)
    matrix = np.asarray(cv2.getPerspectiveTransform(ends, quad.astype(np.float32)), np.float64)
    covered = np.zeros(picture.shape[:2], np.uint8)
    fill(covered, quad, 255)
    blend(picture, warped(strip, matrix, (picture.shape[1], picture.shape[0]), cv2.BORDER_REPLICATE), covered)


def darken_at_walls(sheet: Picture, spec: BoardSpec, px: float, pad: float, foot: Foot) -> None:
    """Shades the surface's sheet, whose pixel 0 is at (-pad, -pad), along the walls."""
    if foot.depth == 0 and foot.seam == 0:
        return
    inside = np.zeros(sheet.shape[:2], np.uint8)
    for hole in holes(spec):
        fill(inside, (np.array(_corners(hole, 0))[:, :2] + pad) * px, 255)
    away = cv2.distanceTransform((inside > 127).astype(np.uint8), cv2.DIST_L2, 3) / np.float32(px)
    light = 1 - np.float32(foot.depth) * np.exp(-away / np.float32(foot.reach))
    if foot.seam:
        light *= np.clip((away - foot.seam / 2) * px + 0.5, 0.25, 1)
    sheet *= np.where(away > 0, light, 1).astype(np.float32)[..., None]


def _blend_value(picture: Picture, value: float, alpha: NDArray[np.uint8]) -> None:
    picture += (value - picture) * (alpha.astype(np.float32) / 255)


def _fittings(
    spec: BoardSpec, rng: np.random.Generator, top: Picture, box: tuple[float, float, float, float], px: float
) -> None:
    """Hinges, joints and grooves on the frame and the bar."""
    middle = (spec.length / 2 - box[0]) * px
    if spec.bar in ("raised", "hinge") and rng.random() < 0.8:
        top[:, int(middle) : int(middle) + max(1, int(px / 12))] *= 0.45
        brass = colour(near_brass(rng))
        half = px * 0.2
        for share in (0.18, 0.82):
            y = top.shape[0] * share
            h = px * float(rng.uniform(0.2, 0.5))
            cv2.rectangle(
                top,
                (int(middle - half), int(y - h)),
                (int(middle + half), int(y + h)),
                tuple(float(v) for v in brass),
                -1,
            )
    edge = max(1, int(px / 14))
    shown = spec.faces.edge if spec.faces else 1.0
    for hole in holes(spec):
        quad = (np.array(_corners(hole, 0))[:, :2] - box[:2]) * px
        share = 1 + shown * (float(rng.choice([0.6, 1.3])) - 1)
        if shown == 0:
            continue
        cv2.polylines(
            top,
            [fixed(quad)],
            True,
            tuple(float(v) for v in colour(spec.frame_tint) * share),
            edge,
            cv2.LINE_AA,
            SHIFT,
        )


def frame_sheet(spec: BoardSpec, rng: np.random.Generator, px: float) -> Picture:
    """The frame and the bar from above at `px` pixels a column, over the board's outer rectangle."""
    box = outer(spec)
    top = material(rng, spec.frame, (int((box[3] - box[1]) * px), int((box[2] - box[0]) * px)), spec.frame_tint, px)
    _fittings(spec, rng, top, box, px)
    return top


def near_brass(rng: np.random.Generator) -> Rgb:
    """A hinge's colour."""
    value = float(rng.uniform(0.5, 1.0))
    return value * 0.75, value * 0.58, value * 0.2


def _hiders(
    spec: BoardSpec, camera: Camera, box: tuple[float, float, float, float]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Masks of the walls whose inner faces look away from the camera, and of the bar if it hides the half beyond it."""
    size = (camera.height_px, camera.width_px)
    front, bar = np.zeros(size, np.uint8), np.zeros(size, np.uint8)
    x0, y0, x1, y1 = box
    length, height = spec.length, spec.height
    eye = camera.eye
    strips = []
    if eye[0] < 0:
        strips.append((x0, y0, 0.0, y1))
    if eye[0] > length:
        strips.append((length, y0, x1, y1))
    if eye[1] < 0:
        strips.append((x0, y0, x1, 0.0))
    if eye[1] > height:
        strips.append((x0, height, x1, y1))
    for strip in strips:
        fill(front, camera.flat(_corners(strip, spec.wall)), 255)
    if spec.bar in ("raised", "hinge"):
        left = (length - spec.bar_width) / 2
        fill(bar, camera.flat(_corners((left, 0.0, left + spec.bar_width, height), spec.wall)), 255)
    return front, bar
