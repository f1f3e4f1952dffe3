"""The scene: everything the lights and the small screen show, as one idempotent value. The newest wins."""

from dataclasses import dataclass

from nardi.game.match import Match, Phase, Teach
from nardi.rules.color import ByColor
from nardi.rules.play import Play
from nardi.text.message import Message
from nardi.views.legend import Light
from nardi.views.lights import addressed, lights
from nardi.views.screen import Layout, Screen, screen

__all__ = ["Layout", "Light", "Scene", "Screen", "scene"]


@dataclass(frozen=True, slots=True)
class Scene:
    """`lights`: 24 points in White's numbering (index 0 = White's 1 point), then bar, White's tray, Black's tray.

    `buzz`: a short sound, once, when this scene replaces one without it: something wants a person's eye.
    """

    lights: tuple[Light, ...]
    screen: Screen
    buzz: bool = False


def scene(
    match: Match,
    *,
    now_ms: int,
    language: ByColor[str] | str = "en",
    teach: Teach | None = None,
    advice: Play | None = None,
    remark: Message | None = None,
) -> Scene:
    """What is shown of `match` at `now_ms` (the table clock, for the running clocks).

    `language`: one for all, or each player's own: the screen then speaks to the player of whom something is wanted.
    `teach`: the match's own setting unless given. `advice`, `remark`: the tutor's, shown from `hint` and at `coach`.
    """
    help_wanted = match.teach if teach is None else teach
    asked = addressed(match)
    spoken = language if isinstance(language, str) else language.white if asked is None else language[asked]
    wrong = match.phase in (Phase.ILLEGAL, Phase.CALLABLE) or bool(match.lost and match.phase is not Phase.SET_UP)
    return Scene(
        lights=lights(match, teach=help_wanted, advice=advice),
        screen=screen(match, now_ms=now_ms, language=spoken, teach=help_wanted, advice=advice, remark=remark),
        buzz=wrong and not match.paused,
    )
