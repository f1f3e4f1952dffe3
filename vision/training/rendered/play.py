"""Plays at a simulated table before a rendered camera: the whole product on pictures that no network has learned from.

    python vision/training/rendered/play.py --ruleset long-classic --seed 1 --plies 12

Everything but the camera is `nardi simulate --eye pixels`: people who slip, electronic dice (or none: `--dice camera`),
the eye, the umpire. Now and then the camera is nudged and the light changes, as in a long evening. Prints the counts of
what was done and what was ruled as a line of JSON; about two seconds of one core a picture.
"""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from render import BOUNCES, SAMPLES, level_of, prepare, smoothed, toned
from room import Room

from nardi.cli.simulate import habits_of, summary
from nardi.devices.simulator.habits import EVERYDAY
from nardi.devices.simulator.people import Stuck
from nardi.devices.simulator.sight import DrawnSight
from nardi.game.umpire import begun
from nardi.rules import ByColor, find_ruleset
from nardi.simulation import SEATING, PixelEye, Simulation
from nardi.table import expected
from nardi_vision.reading import Corners
from nardi_vision.synth.board import random_board
from nardi_vision.synth.camera import Camera
from nardi_vision.synth.contents import BoardContents
from nardi_vision.synth.die import SimCube, SimDie
from nardi_vision.synth.drawing import Lot, random_camera
from nardi_vision.synth.hand import HandSpec
from nardi_vision.synth.light import random_light, taken
from nardi_vision.synth.simulator import corners_of, nudged, playable, raised, reaching, stood

SIZE = (960, 720)
KEPT = 6
"""Pictures kept, for the same table seen again."""


class RenderedCamera:
    """A fixed camera over a fixed board, both chosen by `seed`, as `SimulatedCamera` is.

    After a while it is nudged once, and once the light changes: its brightness and colour or, with an odd seed, all of
    it.
    """

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng((seed, 77))
        self._seed, self._spec = seed, playable(random_board(rng))
        spec = replace(
            random_camera(rng, SIZE),
            tilt_deg=float(abs(rng.normal(0, 22)) % 48),
            azimuth_deg=90 + float(rng.normal(0, 12)),
            roll_deg=float(rng.normal(0, 6)),
            zoom=0.72 if any(self._spec.trays) else 0.82,
            lens=float(rng.normal(0.01, 0.02)),
        )
        self._camera = Camera(spec, self._spec.length, self._spec.height)
        self._room = Room(self._spec, self._camera, rng)
        self._around = self._room.surroundings(rng)
        self._sensor = replace(
            random_light(rng),
            blur=float(rng.choice([0.3, 0.6, 1.0])),
            noise=float(rng.uniform(0.7, 3)),
            jpeg=int(rng.integers(75, 97)),
        )
        self._exposure: float | None = None
        self._wanted = float(np.exp(rng.normal(np.log(0.22), 0.25)))
        self._nudged_at, self._changed_at = int(rng.integers(12, 40)), int(rng.integers(40, 70))
        self._nudge = (int(rng.integers(-9, 10)), int(rng.integers(-9, 10)))
        self._gains = np.exp(rng.normal(0, 0.12, 3) + rng.normal(0, 0.22)).astype(np.float32)
        self._light = np.ones(3, np.float32)
        self._rng = rng
        self._taken = 0
        self._kept: dict[object, NDArray[np.float32]] = {}

    @property
    def corners(self) -> Corners:
        """The playing surface's corners in the first frames."""
        return corners_of(self._spec, self._camera)

    def frame(
        self,
        contents: BoardContents,
        *,
        hand: tuple[float, float] | None,
        dice: Sequence[SimDie],
        cube: SimCube | None,
        seed: int,
    ) -> NDArray[np.uint8]:
        """A picture (720, 960, 3) BGR."""
        self._taken += 1
        if self._taken == self._changed_at:
            self._light = self._gains
            self._kept.clear()
            if self._seed % 2:
                self._around = self._room.surroundings(self._rng)
        reach = reaching(self._spec, hand, self._seed, seed)
        light = self._rendered(contents, tuple(dice), raised(self._spec, cube), reach)
        image = taken(smoothed(toned(light * self._light), 0.05), self._sensor, np.random.default_rng(seed))
        return nudged(image, self._nudge) if self._taken >= self._nudged_at else image

    def _rendered(
        self, contents: BoardContents, dice: tuple[SimDie, ...], cube: SimCube | None, hand: HandSpec | None
    ) -> NDArray[np.float32]:
        """Exposed light (720, 960, 3)."""
        shown = (contents, dice, cube, hand)
        if shown in self._kept:
            return self._kept[shown]
        if len(self._kept) >= KEPT:
            self._kept.pop(next(iter(self._kept)))
        placed = tuple(stood(self._spec, contents, cube, self._seed))
        lot = Lot((), (0, 0), (0, 0), placed, dice, cube, hand)
        light = self._room.take(lot, self._around, np.random.default_rng(self._seed), SAMPLES, BOUNCES).light
        if self._exposure is None:
            self._exposure = self._wanted / level_of(light, np.array(self.corners))
        self._kept[shown] = light * np.float32(self._exposure)
        return self._kept[shown]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", default="backgammon")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plies", type=int, default=12)
    parser.add_argument("--slips", type=float, default=0.3, help="the share of turns with an illegal play")
    parser.add_argument("--dice", choices=("electronic", "camera"), default="electronic")
    args = parser.parse_args()
    prepare()
    beginning = begun(find_ruleset(args.ruleset), 1, ByColor("White", "Black"), 0, seating=SEATING, dice=args.dice)
    simulation = Simulation(beginning, args.seed, habits=replace(EVERYDAY, slips=args.slips))
    table = simulation.table
    camera = RenderedCamera(args.seed)
    eye = PixelEye(DrawnSight(SEATING, table.match.ruleset, camera), expected(table.match))
    simulation.world.eye, table.confirm = eye, eye.confirm
    counts = Counter(matches=1)
    stuck = ""
    try:
        for moment in simulation.moments():
            counts.update(type(event).__name__ for event in moment.events)
            if counts["Played"] >= args.plies:
                break
    except Stuck as error:
        stuck = str(error)
    told = {"ruleset": args.ruleset, "seed": args.seed, "stuck": stuck}
    print(json.dumps(told | summary(counts + habits_of(simulation))), flush=True)


if __name__ == "__main__":
    main()
