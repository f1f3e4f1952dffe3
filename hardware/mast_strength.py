"""Is the mast stiff enough: how far does the lens sag, and how fast does the mast swing after a knock?

    python hardware/mast_strength.py

Beam theory for a square tube, everything rigid at the joints: real joints give a little, so the limits in board.toml
leave room.
"""

import math
import sys
from dataclasses import dataclass

from measures import Mast, load

G = 9.81


@dataclass(frozen=True, slots=True)
class Strength:
    """Of one mast: sag of the camera in mm, lowest swing in Hz."""

    column: int
    arm: int
    sag_mm: float
    resonance_hz: float


def strength(mast: Mast, column: int, arm: int) -> Strength:
    """The mast of `column` and `arm` segments with the heaviest camera of board.toml at its end."""
    inertia = (mast.tube_mm**4 - mast.bore_mm**4) / 12
    stiffness = mast.youngs_modulus_mpa * inertia  # N mm2
    line_kg = (mast.tube_mm**2 - mast.bore_mm**2) * mast.density_g_cm3 * 1e-6  # kg a mm
    height, reach, camera = mast.arm_axis_mm(column), mast.reach_mm(arm), mast.camera_g / 1000
    moment = G * (camera * reach + line_kg * reach**2 / 2)  # at the elbow, N mm: the same all down the column
    turn = moment * height / stiffness
    bend = G * (camera * reach**3 / 3 + line_kg * reach**4 / 8) / stiffness
    swinging = camera + line_kg * reach + 33 / 140 * line_kg * height
    spring = 3 * stiffness / height**3 * 1000  # N a metre
    return Strength(column, arm, turn * reach + bend, math.sqrt(spring / swinging) / (2 * math.pi))


def strengths(mast: Mast) -> list[Strength]:
    """All masts that board.toml allows."""
    return [strength(mast, column, arm) for column in mast.column_segments for arm in mast.arm_segments]


def main() -> int:
    """0: every mast keeps the limits; 1: one does not."""
    mast = load().mast
    weak = 0
    print("column  arm  lens sags  swings at")
    for one in strengths(mast):
        good = one.sag_mm <= mast.max_sag_mm and one.resonance_hz >= mast.min_resonance_hz
        weak += not good
        verdict = "" if good else "   TOO WEAK"
        print(f"{one.column:6d}  {one.arm:3d}  {one.sag_mm:6.1f} mm  {one.resonance_hz:5.1f} Hz{verdict}")
    return 1 if weak else 0


if __name__ == "__main__":
    sys.exit(main())
