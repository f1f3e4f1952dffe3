"""board.toml as typed values: every millimetre of the parts, drawings and checks. Standard library only."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

HERE = Path(__file__).resolve().parent
BOARD_FILE = HERE / "board.toml"

T = TypeVar("T")
Pair = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Board:
    """An opened board. Axes and names: see the head of board.toml."""

    about: str
    outer_mm: Pair
    frame_mm: float
    frame_height_mm: float
    thickness_mm: float
    pitch_mm: float
    bar_mm: float
    tray_mm: float
    checker_mm: float
    checker_height_mm: float
    point_centres_mm: tuple[float, ...]
    bar_centre_mm: float
    tray_light_mm: float
    rail_overhang_mm: float

    def place_mm(self, name: str) -> Pair:
        """(x, y) of the light `name` ("0".."23", "bar", "far_tray", "near_tray"), y in the middle of its frame."""
        near, far = self.frame_mm / 2, self.outer_mm[1] - self.frame_mm / 2
        if name == "bar":
            return self.bar_centre_mm, far
        if name.endswith("_tray"):
            return self.tray_light_mm, far if name == "far_tray" else near
        row, column = divmod(int(name), 12)
        return self.point_centres_mm[column], near if row else far

    def faults(self) -> list[str]:
        """What contradicts itself in these sizes; empty: nothing."""
        found = []
        length = 2 * (self.frame_mm + self.tray_mm) + 12 * self.pitch_mm + self.bar_mm
        if abs(length - self.outer_mm[0]) > 0.01:
            found.append(f"frame, trays, points and bar add up to {length} mm, outer_mm says {self.outer_mm[0]}")
        first = self.frame_mm + self.tray_mm + self.pitch_mm / 2
        for index, centre in enumerate(self.point_centres_mm):
            expected = first + index * self.pitch_mm + (self.bar_mm if index > 5 else 0)
            if abs(centre - expected) > self.pitch_mm / 10:
                found.append(f"point_centres_mm[{index}] is {centre}, the pitch says {expected}")
        if self.checker_mm > self.pitch_mm:
            found.append(f"a checker of {self.checker_mm} mm does not fit a point of {self.pitch_mm} mm")
        if 10 * self.checker_mm > self.outer_mm[1] - 2 * self.frame_mm:
            found.append("two columns of five checkers do not fit between the long sides")
        return found


@dataclass(frozen=True, slots=True)
class Camera:
    about: str
    frame_px: Pair
    fov_deg: Pair
    plate: str
    lens_drop_mm: float


@dataclass(frozen=True, slots=True)
class Eye:
    working_width_px: float
    min_checker_px: float
    margin: float
    max_tilt_deg: float


@dataclass(frozen=True, slots=True)
class Printer:
    bed_mm: tuple[float, float, float]
    min_wall_mm: float
    clearance_mm: float
    screw_hole_mm: Mapping[str, float]
    pilot_hole_mm: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Mast:
    tube_mm: float
    wall_mm: float
    segment_mm: float
    spigot_mm: float
    corner_mm: float
    column_segments: tuple[int, ...]
    arm_segments: tuple[int, ...]
    table_mm: Pair
    clamp_depth_mm: float
    clamp_jaw_mm: float
    clamp_width_mm: float
    board_gap_mm: float
    youngs_modulus_mpa: float
    density_g_cm3: float
    camera_g: float
    pivot_mm: float
    ear_mm: float
    max_sag_mm: float
    min_resonance_hz: float

    @property
    def bore_mm(self) -> float:
        """Inner width of the tube."""
        return self.tube_mm - 2 * self.wall_mm

    @property
    def elbow_mm(self) -> float:
        """Height of the elbow: the spigot it takes, a stop, and the arm's tube."""
        return self.spigot_mm + 4 + self.tube_mm

    @property
    def head_tube_mm(self) -> float:
        """Length of the head's socket, its closed end included."""
        return self.spigot_mm + 4

    def arm_axis_mm(self, column: int) -> float:
        """Height of the arm's middle line above the table."""
        return self.clamp_jaw_mm + column * self.segment_mm + self.elbow_mm - self.tube_mm / 2

    def reach_mm(self, arm: int) -> float:
        """From the column's axis to the tilting axis."""
        return self.tube_mm / 2 + arm * self.segment_mm + self.head_tube_mm + self.pivot_mm

    @property
    def column_from_board_mm(self) -> float:
        """From the column's axis to the board's left end: the column stands at the inner end of the jaw."""
        return self.board_gap_mm + self.tube_mm / 2


@dataclass(frozen=True, slots=True)
class Plate:
    size_mm: Pair
    thickness_mm: float
    drop_mm: float
    picamera_holes_mm: Pair
    spacer_mm: float
    tripod_below_mm: float


@dataclass(frozen=True, slots=True)
class Rails:
    led_mm: Pair
    floor_mm: float
    wall_mm: float
    chamber_mm: float
    cross_wall_mm: float
    wire_mm: Pair
    diffuser_mm: float
    diffuser_slot_mm: float
    diffuser_grip_mm: float
    cover_mm: float
    on_frame_mm: float
    lip_mm: float
    lip_drop_mm: float
    lap_mm: float
    points_a_piece: int


@dataclass(frozen=True, slots=True)
class Case:
    size_mm: Pair
    front_mm: float
    back_mm: float
    wall_mm: float
    oled_pcb_mm: Pair
    oled_holes_mm: Pair
    oled_window_mm: Pair
    oled_window_offset_mm: float
    button_hole_mm: float
    button_spacing_mm: float
    pico_holes_mm: Pair
    pico_mm: Pair
    usb_opening_mm: Pair
    cable_hole_mm: float


@dataclass(frozen=True, slots=True)
class Die:
    edge_mm: float
    edge_range_mm: Pair
    wall_mm: float
    corner_mm: float
    pip_mm: float
    pip_depth_mm: float
    lid_mm: float
    plug_mm: Pair
    board_mm: tuple[float, float, float]
    cell_mm: Pair

    @property
    def cavity_mm(self) -> float:
        """Inner width of the shell."""
        return self.edge_mm - 2 * self.wall_mm


@dataclass(frozen=True, slots=True)
class Measures:
    """All of board.toml."""

    default_board: str
    order: tuple[str, ...]
    boards: Mapping[str, Board]
    cameras: Mapping[str, Camera]
    eye: Eye
    printer: Printer
    mast: Mast
    plate: Plate
    rails: Rails
    case: Case
    die: Die

    @property
    def board(self) -> Board:
        """The board that the committed parts are made for."""
        return self.boards[self.default_board]


def _record(kind: type[T], table: Mapping[str, Any], where: str) -> T:
    """`table` as a dataclass; ValueError names every missing or unknown key."""
    names = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    wrong = [f"missing {name}" for name in sorted(names - set(table))]
    wrong += [f"unknown {name}" for name in sorted(set(table) - names)]
    if wrong:
        raise ValueError(f"board.toml [{where}]: {', '.join(wrong)}")
    return kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in table.items()})


def load(path: Path = BOARD_FILE) -> Measures:
    """Read board.toml. ValueError: a key is missing or unknown, or a board's sizes contradict each other."""
    with path.open("rb") as file:
        text = tomllib.load(file)
    if text.get("schema") != 1:
        raise ValueError(f"{path.name}: schema {text.get('schema')!r}, this program knows 1")
    boards = {name: _record(Board, table, f"boards.{name}") for name, table in text["boards"].items()}
    faults = [f"{path.name} [boards.{name}]: {fault}" for name, board in boards.items() for fault in board.faults()]
    if faults:
        raise ValueError("\n".join(faults))
    return Measures(
        default_board=text["default_board"],
        order=tuple(text["slots"]["order"]),
        boards=boards,
        cameras={name: _record(Camera, table, f"cameras.{name}") for name, table in text["cameras"].items()},
        eye=_record(Eye, text["eye"], "eye"),
        printer=_record(Printer, text["printer"], "printer"),
        mast=_record(Mast, text["mast"], "mast"),
        plate=_record(Plate, text["plate"], "plate"),
        rails=_record(Rails, text["rails"], "rails"),
        case=_record(Case, text["case"], "case"),
        die=_record(Die, text["die"], "die"),
    )
