"""board.toml as typed values: what the eye reads of it (`nardi_vision.sizes`), and what mast and printed parts need."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from nardi_vision.sizes import Board, Pair, Sizes, record, records, sizes_of, tables_of

__all__ = ["BOARD_FILE", "HERE", "Board", "Camera", "Measures", "load"]

HERE = Path(__file__).resolve().parent
BOARD_FILE = HERE / "board.toml"


@dataclass(frozen=True, slots=True)
class Camera:
    about: str
    frame_px: Pair
    fov_deg: Pair
    plate: str
    lens_drop_mm: float


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
class Measures(Sizes):
    """All of board.toml."""

    cameras: Mapping[str, Camera]
    printer: Printer
    mast: Mast
    plate: Plate
    rails: Rails
    case: Case
    die: Die


def load(path: Path = BOARD_FILE) -> Measures:
    """Read board.toml. EyeError (a ValueError): a key is missing, unknown or wrong, or sizes contradict each other."""
    tables = tables_of(path)
    sizes = sizes_of(tables, path)
    return Measures(
        **{field.name: getattr(sizes, field.name) for field in fields(Sizes)},
        cameras=records(Camera, tables["cameras"], "cameras", path),
        printer=record(Printer, tables["printer"], "printer", path),
        mast=record(Mast, tables["mast"], "mast", path),
        plate=record(Plate, tables["plate"], "plate", path),
        rails=record(Rails, tables["rails"], "rails", path),
        case=record(Case, tables["case"], "case", path),
        die=record(Die, tables["die"], "die", path),
    )
