"""Builds every part: STL (and STEP) files as they lie on the printer's bed, then checks them.

    cd hardware && python -m parts.build [--board NAME] [--out FOLDER] [--step]

Needs nardi and build123d: `pip install -e . --group parts`, best in an environment of its own.
"""

import argparse
import dataclasses
import sys
from pathlib import Path

from measures import HERE, Measures, load

from parts.catalogue import NAMES
from parts.mesh import Mesh

PRINTED = HERE / "printed"
ANGULAR_TOLERANCE = 0.25
LINEAR_TOLERANCE_MM = 0.05
DATE = "2026-01-01T00:00:00"
"""Written into STEP files, so that the same part gives the same file."""


def build(measures: Measures, name: str, folder: Path, step: bool = False) -> Path:
    """Write `name`.stl (and .step) into `folder`; the STL's path."""
    from build123d import export_step, export_stl

    from parts.shapes import on_bed

    part = on_bed(measures, name)
    solids = part.solids()
    if len(solids) != 1:
        raise ValueError(f"{name} is {len(solids)} bodies, a part is one")
    path = folder / f"{name}.stl"
    export_stl(solids[0], path, tolerance=LINEAR_TOLERANCE_MM, angular_tolerance=ANGULAR_TOLERANCE)
    Mesh.read(path).write(path)
    if step:
        export_step(solids[0], path.with_suffix(".step"), timestamp=DATE)
    return path


def main(arguments: list[str] | None = None) -> int:
    """0: all parts built and sound; 1: one has a fault."""
    measures = load()
    parser = argparse.ArgumentParser(description="Build the printable parts.")
    parser.add_argument("--board", choices=sorted(measures.boards), default=measures.default_board)
    parser.add_argument("--out", type=Path, default=PRINTED, help="folder for the files")
    parser.add_argument("--step", action="store_true", help="write STEP files too")
    parser.add_argument("names", nargs="*", default=NAMES, metavar="PART")
    chosen = parser.parse_args(arguments)
    measures = dataclasses.replace(measures, default_board=chosen.board)
    chosen.out.mkdir(parents=True, exist_ok=True)
    bad = 0
    for name in chosen.names:
        path = build(measures, name, chosen.out, chosen.step)
        mesh = Mesh.read(path)
        faults = mesh.faults(measures.printer)
        verdict = "; ".join(faults) or "sound"
        size = " x ".join(f"{side:.1f}" for side in mesh.size_mm)
        kilobytes = path.stat().st_size // 1024
        print(f"{name:24} {size:>22} mm  {mesh.volume_mm3 / 1000:6.1f} cm3  {kilobytes:3d} kB  {verdict}")
        bad += bool(faults)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
