"""The committed STL files can be printed and fit each other; the checks themselves find what they are for."""

import csv
import dataclasses
import importlib.util
import re
from pathlib import Path

import electronics
import field_of_view
import guide
import measures
import pytest

np = pytest.importorskip("numpy", reason="reading meshes needs numpy, of the extra `eye`")

from parts import catalogue  # noqa: E402 - after the check for numpy
from parts.assembly import block, hung, turn, upright  # noqa: E402
from parts.mesh import Mesh  # noqa: E402

M = measures.load()
PRINTED = measures.HERE / "printed"


def mesh(name: str) -> Mesh:
    return Mesh.read(PRINTED / f"{name}.stl")


@pytest.mark.parametrize("name", catalogue.NAMES)
def test_part_is_sound(name: str) -> None:
    assert mesh(name).faults(M.printer) == []
    assert (PRINTED / f"{name}.stl").stat().st_size < 300_000
    assert (measures.HERE / "pictures" / f"{name}.png").stat().st_size > 500


def test_there_are_no_strangers_among_the_printed_files() -> None:
    assert {path.stem for path in PRINTED.glob("*.stl")} == set(catalogue.NAMES)


def test_a_box_measures_what_it_is() -> None:
    box = Mesh(block((0, 0, 0), (10, 20, 5)))
    assert box.volume_mm3 == pytest.approx(1000)
    assert tuple(box.size_mm) == (10, 20, 5)
    assert box.thinnest_mm() == pytest.approx(5)
    assert box.faults(M.printer) == []


def test_a_hole_in_the_skin_is_found() -> None:
    whole = mesh("mast_pad").triangles
    assert "3 open edges" in " ".join(Mesh(whole[1:]).faults(M.printer))


def test_a_part_inside_out_is_found() -> None:
    assert Mesh(block((0, 0, 0), (10, 20, 5))[:, ::-1]).faults(M.printer) == ["inside out"]


def test_a_thin_wall_is_found() -> None:
    # The thinnest of the case stands round the screws of the screen: (5.4 - 1.7) / 2 mm.
    whole = mesh("case_body")
    assert whole.thinnest_mm() == pytest.approx(1.85, abs=0.05)
    assert any("a wall of 0.7" in fault for fault in Mesh(whole.triangles * 0.4).faults(M.printer))


def test_a_part_larger_than_the_bed_or_above_it_is_found() -> None:
    faults = Mesh(block((0, 0, 1), (230, 20, 5))).faults(M.printer)
    assert any("larger than the bed" in fault for fault in faults)
    assert any("does not stand" in fault for fault in faults)


def test_a_torn_file_is_refused(tmp_path: Path) -> None:
    torn = tmp_path / "torn.stl"
    torn.write_bytes((PRINTED / "mast_pad.stl").read_bytes()[:-7])
    with pytest.raises(ValueError, match="do not hold"):
        Mesh.read(torn)


def test_a_spigot_slides_into_a_tube() -> None:
    points = mesh("mast_segment").triangles.reshape(-1, 3)
    spigot = np.ptp(points[points[:, 2] > M.mast.segment_mm + 1], axis=0)
    # The bore: the innermost of the corners at the lower end.
    mouth = points[np.abs(points[:, 2]) < 1e-3]
    bore = 2 * np.abs(mouth[:, :2]).max(axis=1).min()
    assert bore - spigot[0] == pytest.approx(2 * M.printer.clearance_mm, abs=0.02)
    assert spigot[0] == pytest.approx(spigot[1], abs=0.01)
    assert points[:, 2].max() - M.mast.segment_mm == pytest.approx(M.mast.spigot_mm, abs=0.01)


def test_the_column_adds_up_to_the_height_the_views_are_computed_from() -> None:
    # Shoulder to mouth of each part, measured on the printed files.
    segment = mesh("mast_segment").size_mm[2] - M.mast.spigot_mm
    elbow = np.ptp(upright(M, "mast_elbow").reshape(-1, 3), axis=0)
    for column in M.mast.column_segments:
        height = M.mast.clamp_jaw_mm + column * segment + elbow[2] - M.mast.tube_mm / 2
        assert height == pytest.approx(M.mast.arm_axis_mm(column), abs=0.02)


@pytest.mark.parametrize("name", [name for name in catalogue.NAMES if name.startswith("plate_")])
def test_a_plate_tilts_freely_as_far_as_any_view_asks(name: str) -> None:
    asked = [view.tilt_deg for board in M.boards.values() for view in field_of_view.views(M, board) if view.good]
    assert len(set(asked)) > 3
    pivot = M.mast.head_tube_mm + M.mast.pivot_mm
    half = M.mast.tube_mm / 2
    for tilt in range(min(asked), max(asked) + 1):
        points = (hung(M, name) @ turn("y", tilt).T).reshape(-1, 3) + np.array((pivot, 0, 0))
        tube = (points[:, 0] < M.mast.head_tube_mm) & (np.abs(points[:, 1:]) < half).all(axis=1)
        ears = (np.abs(points[:, 1]) > half - M.mast.ear_mm) & (np.abs(points[:, 1]) < half)
        ears &= (points[:, 0] < pivot) & (np.abs(points[:, 2]) < half - 6)
        assert not tube.any(), tilt
        assert not ears.any(), tilt


def test_the_clamp_takes_the_thickest_and_the_thinnest_table() -> None:
    points = upright(M, "mast_clamp").reshape(-1, 3)
    high = points[:, 2].max() - M.mast.spigot_mm - M.mast.clamp_jaw_mm
    low = points[:, 2].min() + M.mast.clamp_jaw_mm
    gape = high - low
    assert gape >= M.mast.table_mm[1] + 7  # the pad
    # An M8 x 60 screw through jaw and pad must still reach the thinnest.
    assert gape - M.mast.table_mm[0] + M.mast.clamp_jaw_mm <= 60 - 5.3


def test_rail_pieces_make_one_rail_of_the_boards_length() -> None:
    names = ("rail_left", "rail_bar", "rail_points", "rail_right")
    lengths = [float(mesh(name).size_mm[0]) for name in names]
    tongues = 3 * M.rails.lap_mm
    assert sum(lengths) - tongues == pytest.approx(M.board.outer_mm[0] + 2 * M.board.rail_overhang_mm, abs=0.05)


def test_the_diffuser_slides_in_its_slot() -> None:
    length, width, height = mesh("rail_diffuser").size_mm
    slot = M.rails.led_mm[1] + 2 * M.rails.diffuser_grip_mm
    assert 0.2 <= slot - width <= 0.6
    assert width > M.rails.led_mm[1] + 1  # it cannot fall through
    assert 0.1 <= M.rails.diffuser_slot_mm - height <= 0.5
    assert 3 * length <= M.board.outer_mm[0] + 2 * M.board.rail_overhang_mm


def test_the_lid_closes_the_cup_to_a_cube() -> None:
    cup, lid = mesh("die_cup").size_mm, mesh("die_lid").size_mm
    assert cup[2] + lid[2] - M.die.plug_mm[0] == pytest.approx(M.die.edge_mm, abs=0.02)
    assert cup[0] == pytest.approx(M.die.edge_mm, abs=0.02)


def test_the_base_fits_the_case() -> None:
    base = mesh("case_base").size_mm
    inside = [side - 2 * M.case.wall_mm for side in M.case.size_mm]
    assert all(0.2 <= room - side <= 1 for side, room in zip(base, inside, strict=False))


def test_the_bill_of_materials_agrees_with_the_drawings() -> None:
    with (measures.HERE / "bom.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert all(row["part"] and row["quantity"] and row["for"] and row["role"] for row in rows)
    assert all(None not in row for row in rows)
    of = {row["part"].split(",")[0].split(" with")[0]: row["quantity"] for row in rows}
    node = electronics.load()
    assert of["WS2812B LED strip"] == f"{len(node['lights']['chain'])} LEDs"
    assert of["Push button"] == "4"
    least = 3 + 1 + 3
    most = max(M.mast.column_segments) + max(M.mast.arm_segments) + 3
    assert of["Screw M4 x 40"] == f"{least} to {most}"


def test_the_guides_tables_are_those_of_the_code() -> None:
    text = guide.GUIDE.read_text(encoding="utf-8")
    assert guide.filled(text) == text


def test_every_picture_and_file_the_guide_names_exists() -> None:
    text = guide.GUIDE.read_text(encoding="utf-8")
    targets = set(re.findall(r'(?:\]\(|src=")([^)"#]+)', text)) - {"../firmware/README.md"}
    assert len(targets) > 30
    assert [target for target in sorted(targets) if not (measures.HERE / target).exists()] == []


@pytest.mark.slow
def test_building_again_gives_the_printed_parts(tmp_path: Path) -> None:
    if importlib.util.find_spec("build123d") is None:
        pytest.skip("building needs build123d: pip install --group parts")
    from parts.build import build

    for name in catalogue.NAMES:
        again, printed = Mesh.read(build(M, name, tmp_path, step=True)), mesh(name)
        assert (tmp_path / f"{name}.step").read_bytes().startswith(b"ISO-10303-21;")
        assert again.volume_mm3 == pytest.approx(printed.volume_mm3, rel=1e-3), name
        assert tuple(again.size_mm) == pytest.approx(tuple(printed.size_mm), abs=0.02), name


@pytest.mark.slow
@pytest.mark.parametrize("board", sorted(set(M.boards) - {M.default_board}))
def test_rails_of_the_other_boards_are_sound(board: str, tmp_path: Path) -> None:
    if importlib.util.find_spec("build123d") is None:
        pytest.skip("building needs build123d: pip install --group parts")
    from parts.build import build

    other = dataclasses.replace(M, default_board=board)
    for name in (name for name in catalogue.NAMES if name.startswith("rail_")):
        assert Mesh.read(build(other, name, tmp_path)).faults(M.printer) == []
