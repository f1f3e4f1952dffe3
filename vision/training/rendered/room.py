"""A drawn board as a scene of mitsuba's: the same measures, materials and contents, lit as light really travels."""

from dataclasses import dataclass
from typing import Any

import cv2
import drjit as dr
import mitsuba as mi
import numpy as np
from numpy.typing import NDArray
from solids import (
    Floats,
    Solid,
    block,
    joined,
    laid_over,
    lathe,
    rectangle,
    rounded_cube,
    tube,
)
from walls import GIRTH, LENGTH, beams, rectangles

from nardi_vision.synth.board import BoardSpec, CheckerSpec, any_tint, near
from nardi_vision.synth.camera import Camera
from nardi_vision.synth.checker import SIZE, VARIANTS, albedo_of, relief_of
from nardi_vision.synth.die import FACE, SimCube, SimDie, attitude, cube_faces, die_faces
from nardi_vision.synth.drawing import Lot
from nardi_vision.synth.hand import HandSpec
from nardi_vision.synth.surface import Foot, darken_at_walls, frame_sheet, outer, surface_sheet
from nardi_vision.synth.texture import Picture, colour, material

SHEET_PX = 40.0
TABLE_PX = 22.0
REACH = 12.0
"""Columns of table drawn beyond the board; beyond that the table's texture is mirrored."""


@dataclass(frozen=True, slots=True)
class Finish:
    """How a surface takes light. `roughness` 0..1, `specular` 0..1 as in the principled BSDF, `coat` 0..1."""

    roughness: float
    specular: float = 0.5
    coat: float = 0.0


def finish_of(rng: np.random.Generator, gloss: float) -> Finish:
    """A finish for a drawn gloss (0..1)."""
    rough = float(np.clip(0.85 - 1.1 * gloss + rng.normal(0, 0.08), 0.12, 0.95))
    return Finish(rough, float(rng.uniform(0.2, 0.6)), float(rng.uniform(0, 0.6)) if gloss > 0.3 else 0.0)


@dataclass(frozen=True, slots=True)
class Taken:
    """A picture before the camera's own doing: `light` (rows, columns, 3) linear BGR; the hand's mask or None."""

    light: NDArray[np.float32]
    hand: NDArray[np.uint8] | None


class Room:
    """A board on its table before a camera; `take` renders it with contents on it."""

    def __init__(self, spec: BoardSpec, camera: Camera, rng: np.random.Generator) -> None:
        self.spec, self.camera = spec, camera
        self._rounding = _rounding(rng)
        self._still = {
            "table": self._table(rng),
            "floor": self._floor(rng),
            "frame": self._frame(rng),
        }
        self._light = _kind(spec.light, rng)
        self._dark = _kind(spec.dark, rng)

    def _table(self, rng: np.random.Generator) -> Any:
        spec = self.spec
        size = (int((spec.height + 2 * REACH) * TABLE_PX), int((spec.length + 2 * REACH) * TABLE_PX))
        sheet = material(rng, spec.table, size, spec.table_tint, TABLE_PX, spec.table_second)
        wide, high = spec.length + 2 * REACH, spec.height + 2 * REACH
        # Five times each way, mirrored: the texture lies unmirrored in the middle.
        solid = rectangle(-REACH - 2 * wide, -REACH - 2 * high, wide * 3 - REACH, high * 3 - REACH, -spec.box, 5)
        return mesh_of("table", solid, bsdf_of(sheet, finish_of(rng, float(rng.choice([0.0, 0.2, 0.5]))), "mirror"))

    def _floor(self, rng: np.random.Generator) -> Any:
        spec = self.spec
        x0, y0, x1, y1 = outer(spec)
        pad = max(-x0, -y0, x1 - spec.length, y1 - spec.height)
        sheet = surface_sheet(spec, SHEET_PX, pad)
        # Light darkens the foot of the walls by itself here; only the joint is drawn.
        foot = Foot.of(spec)
        darken_at_walls(sheet, spec, SHEET_PX, pad, Foot(0.0, foot.reach, foot.climb, foot.seam))
        # It ends under the walls, whose corners may be round.
        floor = rectangle(x0 + 0.15, y0 + 0.15, x1 - 0.15, y1 - 0.15, 0.0)
        solid = laid_over(floor, -pad, -pad, spec.length + pad, spec.height + pad)
        return mesh_of("floor", solid, bsdf_of(sheet, finish_of(rng, spec.gloss)))

    def _frame(self, rng: np.random.Generator) -> Any:
        spec = self.spec
        box = outer(spec)
        wall = max(spec.wall, 0.012)
        if self._rounding is None:  # cut from one piece, with lines along its edges
            parts = [block((x0, y0, -spec.box), (x1, y1, wall)) for x0, y0, x1, y1 in rectangles(spec)]
            sheet, solid = frame_sheet(spec, rng, SHEET_PX), laid_over(joined(parts), *box)
        else:
            solid = beams(spec, wall, self._rounding, rng)
            size = (int(GIRTH * SHEET_PX), int(LENGTH * SHEET_PX))
            sheet = material(rng, spec.frame, size, spec.frame_tint, SHEET_PX)
        bsdf = bsdf_of(sheet, finish_of(rng, float(rng.choice([0.0, 0.2, 0.5]))), "mirror")
        return mesh_of("frame", solid, bsdf)

    def surroundings(self, rng: np.random.Generator) -> dict[str, Any]:
        """Light and what stands about on the table, by lot."""
        solid, sheet = _clutter(self.spec, rng)
        clutter = mesh_of("clutter", solid, bsdf_of(sheet, finish_of(rng, float(rng.choice([0.0, 0.3, 0.6])))))
        return {"clutter": clutter, **_lights(self.spec, self.camera, rng)}

    def take(
        self, lot: Lot, surroundings: dict[str, Any], rng: np.random.Generator, samples: int, bounces: int
    ) -> Taken:
        """Renders the board with `lot` on it."""
        parts = self._still | surroundings
        for name, kind in (("light", self._light), ("dark", self._dark)):
            own = [p for p in lot.placed if p.shade == name]
            stood = [
                _of_variant(kind.solid, p.variant % VARIANTS).moved(np.eye(3), np.array([p.x, p.y, p.z])) for p in own
            ]
            parts[f"checkers_{name}"] = mesh_of(name, joined(stood), bsdf_of(kind.sheet, kind.finish))
        parts["dice"] = self._dice(lot.dice, rng)
        parts["cube"] = self._cube(lot.cube)
        hand = None
        if lot.hand is not None:
            solid, sheet = _hand(lot.hand, rng)
            hand = self._mask(solid)
        else:
            solid, sheet = joined([]), np.full((2, 2, 3), 0.5, np.float32)
        parts["hand"] = mesh_of("hand", solid, bsdf_of(sheet, Finish(0.6, 0.3)), smooth=True)
        scene = mi.load_dict(
            {
                "type": "scene",
                "integrator": {"type": "path", "max_depth": bounces},
                "sensor": _sensor(self.camera),
                **parts,
            }
        )
        # Numbers that are constants of its kernel would have mitsuba compile it anew for every picture.
        params = mi.traverse(scene)
        for name in params.keys():  # noqa: SIM118  # no dict: iterating over it itself gives no names
            if not any(part in name for part in ("vertex", "faces", "data", "silhouette", "sampling")):
                value = params[name]
                dr.make_opaque(value)
                params[name] = value
        params.update()
        image = np.array(mi.render(scene, spp=samples, seed=int(rng.integers(1 << 30))), np.float32)
        light = np.ascontiguousarray(image[..., ::-1])
        if self.camera.lens:
            xs, ys = self.camera.lens_maps()
            light = np.asarray(cv2.remap(light, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT), np.float32)
        return Taken(light, hand)

    def _dice(self, dice: tuple[SimDie, ...], rng: np.random.Generator) -> Any:
        sheet = np.full((FACE * max(1, len(dice)), FACE * 6, 3), 0.5, np.float32)
        solids = []
        for row, die in enumerate(dice):
            faces = die_faces(die, np.random.default_rng(int(die.x * 1e6) + die.value))
            at = np.array([die.x * self.spec.length, die.y * self.spec.height, die.z + die.size / 2])
            turn = attitude(die.angle_deg, die.lean_deg, float(rng.uniform(0, 360)) if die.lean_deg else 0.0)
            solids += faces_of(sheet, row, max(1, len(dice)), faces, die.size, die.rounding, turn, at)
        return mesh_of("dice", joined(solids), bsdf_of(sheet, finish_of(rng, float(rng.choice([0.1, 0.4, 0.6])))))

    def _cube(self, cube: SimCube | None) -> Any:
        sheet = np.full((FACE, FACE * 6, 3), 0.5, np.float32)
        solids: list[Solid] = []
        if cube is not None:
            faces = cube_faces(cube, np.random.default_rng(int(abs(cube.x) * 1e6) + cube.value))
            at = np.array([cube.x * self.spec.length, cube.y * self.spec.height, cube.z + cube.size / 2])
            solids = faces_of(sheet, 0, 1, faces, cube.size, 0.12, attitude(cube.angle_deg, 0), at)
        return mesh_of("cube", joined(solids), bsdf_of(sheet, Finish(0.4)))

    def _mask(self, solid: Solid) -> NDArray[np.uint8]:
        """Where a solid is seen, whatever lies before it (rows, columns)."""
        mask = np.zeros((self.camera.height_px, self.camera.width_px), np.uint8)
        seen = np.round(self.camera.flat(solid.vertices)[solid.triangles] * 16)
        # Triangles beside or behind the camera's own plane would be drawn anywhere.
        near = np.abs(seen).max(axis=(1, 2)) < 16 * 4 * self.camera.width_px
        for triangle in seen[near].astype(np.int32):
            cv2.fillConvexPoly(mask, triangle, 255, cv2.LINE_AA, 4)
        if self.camera.lens:
            xs, ys = self.camera.lens_maps()
            mask = np.asarray(cv2.remap(mask, xs, ys, cv2.INTER_LINEAR), np.uint8)
        return mask


def _rounding(rng: np.random.Generator) -> float | None:
    """How round the edges of the walls' beams are, columns; None: no beams, all of one piece."""
    kind = rng.choice(4, p=[0.3, 0.2, 0.25, 0.25])
    return (None, 0.0, float(rng.uniform(0.01, 0.06)), float(rng.uniform(0.06, 0.15)))[kind]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of checker: its solid, the sheet of all variants' tops, its finish."""

    solid: Solid
    sheet: Picture
    finish: Finish


def _kind(spec: CheckerSpec, rng: np.random.Generator) -> Kind:
    lip = float(rng.uniform(0.88, 1.0))
    tops = []
    for i in range(VARIANTS):
        uneven = (0.16 if spec.top == "wood" else 0.05) * rng.uniform(-0.5, 0.5)
        tops.append(albedo_of(spec, rng, 2 * np.pi * i / VARIANTS + float(rng.uniform(0, 1))) * (1 + uneven))
    return Kind(lathe(_profile(spec, lip, rng)), np.concatenate(tops, axis=1), finish_of(rng, spec.gloss))


def _profile(spec: CheckerSpec, lip: float, rng: np.random.Generator) -> Floats:
    """Radius and height from the foot to the middle of the top, its relief cut in."""
    r, h = spec.radius, spec.thickness
    chamfer = min(0.3 * h, float(rng.uniform(0.01, 0.06)))
    side = [(r * 0.9, 0.0), (r - chamfer * 0.5, 0.0), (r, chamfer)]
    if rng.random() < 0.3 and h > 0.12:
        side += [(r, 0.42 * h), (r * 0.95, 0.48 * h), (r * 0.95, 0.54 * h), (r, 0.6 * h)]
    side += [(r, h - max(chamfer, 0.02))]
    shares = np.linspace(lip, 0.0, 26)
    relief = relief_of(spec, shares.astype(np.float32))
    relief = relief - relief[0]
    top = [(r * s, h + float(np.clip(v, -1.5, 1.5)) * 0.12 * h) for s, v in zip(shares, relief, strict=True)]
    return np.array([*side, *top])


def _of_variant(solid: Solid, variant: int) -> Solid:
    """Its texture moved to the variant's square of the sheet, a little within it."""
    u = (np.clip(solid.uv[:, 0], 0.5 / SIZE, 1 - 0.5 / SIZE) + variant) / VARIANTS
    return Solid(solid.vertices, solid.triangles, np.column_stack([u, solid.uv[:, 1]]))


def faces_of(
    sheet: Picture, row: int, rows: int, pictures: tuple[NDArray[np.uint8], ...], size: float, rounding: float,
    turn: Floats, at: Floats,
) -> list[Solid]:  # fmt: skip
    """Six faces of a cube whose pictures go into the sheet's row; the underside shows the first one again."""
    out = []
    for column, (face, picture) in enumerate(zip(rounded_cube(size, rounding), [*pictures, pictures[0]], strict=True)):
        sheet[row * FACE : (row + 1) * FACE, column * FACE : (column + 1) * FACE] = picture.astype(np.float32) / 255
        inset = 0.5 / FACE
        uv = np.clip(face.uv, inset, 1 - inset)
        placed = np.column_stack([(uv[:, 0] + column) / 6, (uv[:, 1] + row) / rows])
        out.append(Solid(face.vertices, face.triangles, placed).moved(turn, at))
    return out


def _hand(hand: HandSpec, rng: np.random.Generator) -> tuple[Solid, Picture]:
    """A hand with an arm and a sleeve; its sheet has skin on the left, cloth on the right."""
    at, to = np.array([hand.x, hand.y]), np.array([np.cos(hand.angle), np.sin(hand.angle)])
    side = np.array([-to[1], to[0]])
    s = hand.size
    bend = rng.normal(0, 0.06)

    def spine(distances: Floats, aside: float, lift: float) -> Floats:
        points = at + distances[:, None] * to + (aside + bend * distances**2 * 0.15)[:, None] * side
        heights = 0.3 * s + hand.height * (0.25 + np.clip(distances / 2.5, 0, 1)) + lift
        return np.column_stack([points, heights])

    along = np.linspace(0.45 * s, hand.reach, 16)
    widths = np.interp(along, [0.25 * s, 0.6 * s, 1.1 * s, 1.6 * s, 8, 16],
                       [0.36 * s, 0.5 * s, 0.45 * s, 0.3 * s, 0.48 * s, 0.6 * s])  # fmt: skip
    skin = [tube(spine(along, 0.0, 0.0), widths, 0.62)]
    for finger in np.linspace(-0.32, 0.32, 4):
        reach = np.linspace(-0.25 * s * (1 - abs(finger)) * rng.uniform(0.5, 1.4), 0.6 * s, 7)
        droop = spine(reach, float(finger) * s * 0.9, 0.0)
        droop[:, 2] -= np.linspace(0.25 * s, 0.0, 7) ** 1.2
        skin.append(tube(droop, np.full(7, 0.12 * s)))
    thumb = np.linspace(-0.1 * s, 0.7 * s, 6)
    skin.append(tube(spine(thumb, 0.5 * s * float(rng.choice([-1, 1])), -0.15 * s), np.full(6, 0.13 * s)))
    parts = [part.painted(0.25, 0.5) for part in skin]
    if hand.cuff < hand.reach:
        cloth = np.linspace(hand.cuff, hand.reach, 12)
        sleeve = tube(spine(cloth, 0.0, 0.05), np.interp(cloth, along, widths) * rng.uniform(1.1, 1.5), 0.75)
        parts.append(sleeve.painted(0.75, 0.5))
    sheet = np.empty((4, 8, 3), np.float32)
    sheet[:, :4], sheet[:, 4:] = colour(hand.skin), colour(hand.sleeve)
    return joined(parts), sheet


def _clutter(spec: BoardSpec, rng: np.random.Generator) -> tuple[Solid, Picture]:
    """Cups, boxes, books and sheets on the table around the board; a sheet of one square a thing."""
    x0, y0, x1, y1 = outer(spec)
    things: list[Solid] = []
    tints: list[NDArray[np.float32]] = []
    for _ in range(int(rng.choice([0, 1, 2, 3, 5], p=[0.25, 0.25, 0.2, 0.2, 0.1]))):
        side, reach = int(rng.integers(4)), float(rng.uniform(0.8, 5.0))
        x = (x0 - reach, float(rng.uniform(x0 - 4, x1 + 4)), x1 + reach, float(rng.uniform(x0 - 4, x1 + 4)))[side]
        y = (float(rng.uniform(y0 - 3, y1 + 3)), y0 - reach, float(rng.uniform(y0 - 3, y1 + 3)), y1 + reach)[side]
        room = reach - 0.15
        angle = float(rng.uniform(0, 2 * np.pi))
        turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
        kind = rng.random()
        if kind < 0.4:
            wide = min(room, float(rng.uniform(0.5, 1.3)))
            high = wide * float(rng.uniform(0.8, 2.6))
            inner = 0.85 * wide
            shape = lathe(
                np.array([[wide * 0.85, 0], [wide, high], [inner, high], [inner * 0.9, 0.15 * high], [0, 0.15 * high]])
            )
        else:
            long = min(room, float(rng.uniform(0.6, 3.0)))
            high = 0.03 if kind > 0.75 else float(rng.uniform(0.08, 1.0))
            short = long * float(rng.uniform(0.4, 0.9))
            shape = block((-long, -short, 0), (long, short, high))
        things.append(shape.moved(turn, np.array([x, y, -spec.box])))
        tints.append(colour(any_tint(rng, 0.2) if rng.random() < 0.6 else near(rng, (0.9, 0.9, 0.88))))
    if not things:
        return joined([]), np.full((2, 2, 3), 0.5, np.float32)
    sheet = np.repeat(np.repeat(np.array(tints, np.float32)[None], 4, axis=0), 4, axis=1)
    placed = [thing.painted((i + 0.5) / len(things), 0.5) for i, thing in enumerate(things)]
    return joined(placed), sheet


def _lights(spec: BoardSpec, camera: Camera, rng: np.random.Generator) -> dict[str, Any]:
    """A room's light by lot: walls, windows and lamps far away, and one lamp near by."""
    high, wide = 48, 96
    warm, tint = rng.normal(0, 0.14), rng.normal(0, 0.04)
    base = np.exp(np.array([-warm + tint, -tint, warm + tint])) * 0.5  # BGR
    sky = np.ones((high, wide, 3), np.float32) * base
    rows = np.linspace(1.0, 0.15, high)[:, None, None]
    sky = sky * (rows ** float(rng.uniform(0.3, 2.0)))
    turn = np.linspace(0, 2 * np.pi, wide, endpoint=False)
    sky *= 1 + float(rng.uniform(0, 0.7)) * np.cos(turn + rng.uniform(0, 6.3))[None, :, None]
    for _ in range(int(rng.integers(0, 4))):
        top = int(rng.integers(2, 20))
        tall = int(rng.integers(2, 12))
        left, across = int(rng.integers(0, wide)), int(rng.integers(2, 16))
        glow = float(np.exp(rng.uniform(np.log(2), np.log(40)))) * np.exp(rng.normal(0, 0.12, 3))
        columns = (left + np.arange(across)) % wide
        sky[top : top + tall, columns] = base * glow
    env = mi.Bitmap(np.ascontiguousarray(sky[..., ::-1], np.float32))
    up = mi.ScalarTransform4f().rotate([1, 0, 0], 90).rotate([0, 1, 0], float(rng.uniform(0, 360)))
    return {"sky": {"type": "envmap", "bitmap": env, "to_world": up}, "lamp": _lamp(spec, camera, base, rng)}


def _lamp(spec: BoardSpec, camera: Camera, base: Floats, rng: np.random.Generator) -> dict[str, Any]:
    """One lamp near by: small (hard shadows), large and soft, or hardly there; never between camera and board."""
    middle = np.array([spec.length / 2, -spec.height / 2, 0.0])
    while True:
        size = float(np.exp(rng.uniform(np.log(0.3), np.log(6.0))))
        away = float(rng.uniform(12, 60))
        lean, around = np.deg2rad(rng.uniform(0, 65)), float(rng.uniform(0, 2 * np.pi))
        to = np.array([np.sin(lean) * np.cos(around), np.sin(lean) * np.sin(around), np.cos(lean)])
        spot = middle + to * away
        if not _in_view(camera, spot * [1, -1, 1], 1.5 * size):
            break
    power = float(rng.choice([0.05, 1.0, 3.0, 8.0], p=[0.25, 0.3, 0.3, 0.15])) * away**2 / (size**2 * 4)
    glow = base[::-1] * power * np.exp(rng.normal(0, 0.1, 3))
    look = mi.ScalarTransform4f().look_at(spot.tolist(), middle.tolist(), [0.3, 1, 0.2])
    return {
        "type": "rectangle",
        "to_world": look @ mi.ScalarTransform4f().scale(size),
        "emitter": {"type": "area", "radiance": {"type": "rgb", "value": [float(v) for v in glow]}},
    }


def _in_view(camera: Camera, at: Floats, reach: float) -> bool:
    """Whether a ball of radius `reach` at `at` (board space) may be seen."""
    ahead = float(camera.pose[1][2] @ (at - camera.eye))
    if ahead < -reach:
        return False
    if ahead < 2 * reach:
        return True
    x, y = camera.flat(at[None])[0]
    margin = reach / (ahead - reach) * camera.pose[0][0, 0]
    return bool(-margin < x < camera.width_px + margin and -margin < y < camera.height_px + margin)


def _sensor(camera: Camera) -> dict[str, Any]:
    matrix, axes = camera.pose
    focal, centre = matrix[0, 0], matrix[:2, 2]
    flip = np.array([1.0, -1.0, 1.0])
    right, down, forward = (axis * flip for axis in axes)
    world = np.eye(4)
    world[:3, 0], world[:3, 1], world[:3, 2], world[:3, 3] = -right, -down, forward, camera.eye * flip
    width, height = camera.width_px, camera.height_px
    return {
        "type": "perspective",
        "fov": float(np.rad2deg(2 * np.arctan(width / 2 / focal))),
        "fov_axis": "x",
        "near_clip": 0.1,
        "far_clip": 1000.0,
        "principal_point_offset_x": float((width / 2 - centre[0] - 0.5) / width),
        "principal_point_offset_y": float((height / 2 - centre[1] - 0.5) / height),
        "to_world": mi.ScalarTransform4f(world),
        "film": {
            "type": "hdrfilm",
            "width": width,
            "height": height,
            "pixel_format": "rgb",
            "rfilter": {"type": "gaussian"},
        },
    }


def bsdf_of(sheet: Picture, finish: Finish, wrap: str = "clamp") -> dict[str, Any]:
    texture = np.ascontiguousarray(np.clip(sheet[..., ::-1] * 255, 4, 250).astype(np.uint8))
    return {
        "type": "twosided",
        "bsdf": {
            "type": "principled",
            "base_color": {"type": "bitmap", "bitmap": mi.Bitmap(texture), "raw": False, "wrap_mode": wrap},
            "roughness": finish.roughness,
            "specular": finish.specular,
            "clearcoat": finish.coat,
        },
    }


def mesh_of(name: str, solid: Solid, bsdf: dict[str, Any], smooth: bool = False) -> Any:
    props = mi.Properties()
    props["bsdf"] = mi.load_dict(bsdf)
    mesh = mi.Mesh(
        name, len(solid.vertices), len(solid.triangles), has_vertex_texcoords=True, has_vertex_normals=smooth,
        props=props,
    )  # fmt: skip
    params = mi.traverse(mesh)
    params["vertex_positions"] = (solid.vertices * [1, -1, 1]).astype(np.float32).ravel()
    params["faces"] = solid.triangles.astype(np.uint32).ravel()
    params["vertex_texcoords"] = solid.uv.astype(np.float32).ravel()
    params.update()
    if smooth:
        mesh.recompute_vertex_normals()
    return mesh
