"""A simulated table's pictures as the eye gets them: contents in image order, and drawn camera frames."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from nardi.devices.simulator.happening import Picture
from nardi.game.board import Board
from nardi.game.seating import Seating
from nardi.rules import ByColor, Color, Ruleset
from nardi_vision.reading import Corners

if TYPE_CHECKING:
    from nardi_vision.frame import Picture as Pixels
    from nardi_vision.synth.contents import BoardContents
    from nardi_vision.synth.die import SimCube, SimDie

BAR, OFF = 25, 0


def board_of(picture: Picture, ruleset: Ruleset) -> Board:
    """What truly stands on the simulated table."""
    white, black = picture.board.mine, picture.board.theirs
    points: list[tuple[Color | None, int]] = []
    for point in range(1, 25):
        facing = ruleset.facing(point)
        if white[point]:
            points.append((Color.WHITE, white[point]))
        elif black[facing]:
            points.append((Color.BLACK, black[facing]))
        else:
            points.append((None, 0))
    return Board(tuple(points), ByColor(white[BAR], black[BAR]), ByColor(white[OFF], black[OFF]))


class TableCamera(Protocol):
    """A camera that stands over a simulated board (`nardi_vision.synth.SimulatedCamera`)."""

    @property
    def corners(self) -> Corners: ...

    def frame(
        self,
        contents: "BoardContents",
        *,
        hand: tuple[float, float] | None,
        dice: "Sequence[SimDie]",
        cube: "SimCube | None",
        seed: int,
    ) -> "Pixels":
        """`hand`: where it reaches to, in board shares; `seed`: which of all hands and which noise."""
        ...


class DrawnSight:
    """What a camera over the simulated table takes."""

    def __init__(self, seating: Seating, ruleset: Ruleset, camera: TableCamera) -> None:
        self.seating = seating
        self._ruleset = ruleset
        self._camera = camera
        self._drawn = 0

    @property
    def corners(self) -> Corners:
        """Where the playing surface is in the frames, image order."""
        return self._camera.corners

    def draw(self, picture: Picture) -> "Pixels":
        """The frame (720, 960, 3) BGR of a picture."""
        from nardi_vision.synth.contents import BoardContents
        from nardi_vision.synth.die import SimCube, SimDie

        board = board_of(picture, self._ruleset)
        self._drawn += 1
        contents = BoardContents(
            board.contents(self.seating),
            *self.seating.by_shade(board.bar),
            *self.seating.by_shade(board.off),
        )
        # A die on a checker lies that much higher (columns over the surface).
        dice = [
            SimDie(
                lie.value,
                lie.x,
                lie.y,
                angle_deg=(lie.x * 997) % 90,
                lean_deg=float(lie.tilt_deg if lie.cocked else 0),
                z=0.3 if lie.misplaced == "on_checker" else 0.0,
            )
            for lie in picture.dice
        ]
        cube = None
        if picture.cube is not None:
            value, owner = picture.cube
            mine = 0.04 if (owner is Color.WHITE) == (self.seating.white_ace_corner in (0, 1)) else 0.96
            cube = SimCube(64 if value == 1 else value, 0.5, 0.5 if owner is None else mine)
        return self._camera.frame(
            contents,
            hand=self._hand(picture),
            dice=dice,
            cube=cube,
            seed=self._drawn,
        )

    def _hand(self, picture: Picture) -> tuple[float, float] | None:
        """Where the hand is, in board shares: over the middle one of the points it hides."""
        if not picture.hidden:
            return None
        points = sorted(picture.hidden)
        point = points[len(points) // 2]
        if point > 24:
            return 0.5, 0.5
        slot = self.seating.slot(point)
        return (slot % 12 + 0.5) / 12, 0.16 if slot < 12 else 0.84
