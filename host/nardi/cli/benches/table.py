"""`nardi bench table`: from the frame in which a play is complete to the display packet, with the real eye.

Simulated people play at ten frames a second before the drawn camera; every frame goes through eye, umpire, scene,
painting and packet, one after the other in one thread. Drawing the frames is not counted. One `cv2.HoughCircles` on the
same frames, in the same run, is the measure of the machine.
"""

import argparse
import gc
import json
import statistics
import time
from pathlib import Path
from typing import Any

from nardi.devices.simulator.happening import Picture
from nardi.devices.wire.frame import encode_frame
from nardi.devices.wire.packet import ScenePacket, to_frame
from nardi.game.event import Played, PlaySighted
from nardi.game.match import Match
from nardi.game.observation import BoardSeen
from nardi.game.turn import IN_TURN
from nardi.game.umpire import begun
from nardi.rules import RULESETS, ByColor, Color, LegalPlays, Position, Setup, find_ruleset
from nardi.simulation import SEATING, PixelEye, Simulation
from nardi.views.light_places import in_image_order
from nardi.views.paint import page_bytes, paint
from nardi.views.scene import scene

NAME = "table"
HELP = "from the frame in which a play is complete to the display packet; memory over many matches"
FRAME_MS = 100


def register(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--ruleset", default="backgammon")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--plies", type=int, default=40, help="how many plays to measure (default 40)")
    parser.add_argument(
        "--matches", type=int, default=30, help="matches by reports for the memory (default 30; 0: none)"
    )


class _Latency:
    """Follows the truth of the table beside the match: since when does a play stand there whole, and when is it shown?

    `frames`: for each play, in which frame of it (from 1) the display packet was made. `missed`: plays over which the
    hand came back, or whose dice were picked up, before they were shown.
    """

    def __init__(self) -> None:
        self.frames: list[int] = []
        self.missed = 0
        self._complete: Position | None = None
        self._since = 0
        self._shown: Position | None = None

    def frame(self, match: Match, board: Setup, hand: bool) -> None:
        """A frame was taken of `board` (White's side first)."""
        game = match.game
        whole: Position | None = None
        if game is not None and game.turn is not None and game.roll is not None and match.phase in IN_TURN and not hand:
            white_first = Position(board.mine, board.theirs)
            truth = white_first if game.turn is Color.WHITE else white_first.flipped
            plays = LegalPlays(game.position, game.roll, match.ruleset, game.first_turn)
            if plays and truth in plays.ends:
                whole = truth
        if whole is None or whole != self._complete:
            self.missed += self._complete is not None and self._complete != self._shown
            self._complete, self._since, self._shown = whole, 0, None
        self._since += 1

    def shown(self, position: Position) -> None:
        if position == self._complete != self._shown:
            self.frames.append(self._since)
            self._shown = position


def run(arguments: argparse.Namespace) -> int:
    """0: measured. 1: no play was seen."""
    import cv2

    cv2.setNumThreads(1)
    latency, work_ms, hough_ms = _watch(arguments, cv2)
    if not latency.frames:
        print("no play was seen")
        return 1
    # Until the frame in which it is shown the others have to be waited for; the work on that one comes on top.
    waits = [(count - 1) * FRAME_MS for count in latency.frames]
    work, hough = statistics.median(work_ms), statistics.median(hough_ms)
    result: dict[str, float] = {
        "plays": len(latency.frames),
        "hand_back_before_shown": latency.missed,
        "frames_median": statistics.median(latency.frames),
        "frames_p95": _at(latency.frames, 0.95),
        "ms_median": round(statistics.median(waits) + work, 1),
        "ms_p95": round(_at(waits, 0.95) + _at(work_ms, 0.95), 1),
        "work_ms_median": round(work, 1),
        "work_ms_p95": round(_at(work_ms, 0.95), 1),
        "hough_ms_median": round(hough, 1),
        "work_to_hough": round(work / hough, 2),
    }
    if arguments.matches:
        result |= _memory(arguments.matches)
    if arguments.json:
        print(json.dumps(result))
    else:
        for name, value in result.items():
            print(f"{name.replace('_', ' ')}: {value:g}")
    return 0


def _at(values: list[Any], share: float) -> Any:
    """The value below or at which `share` of the values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def _watch(arguments: argparse.Namespace, cv2: Any) -> tuple[_Latency, list[float], list[float]]:
    """Frame by frame until enough plays were seen: what was found, and the times of each frame's work."""
    beginning = begun(find_ruleset(arguments.ruleset), 1, ByColor("White", "Black"), 0, seating=SEATING)
    simulation = Simulation(beginning, arguments.seed, style=arguments.seed, frame_ms=FRAME_MS)
    table, world, eye = simulation.table, simulation.world, simulation.world.eye
    assert isinstance(eye, PixelEye)
    latency = _Latency()
    work_ms: list[float] = []
    hough_ms: list[float] = []
    for happening in simulation.people.life():
        if not isinstance(happening, Picture):
            for observation in world.observed(happening):
                table.take(observation)
            simulation.people.match = table.match
            continue
        for taken in world.frames(happening):
            frame = eye.sight.draw(taken)
            latency.frame(table.match, taken.board, bool(taken.hidden))
            began = time.perf_counter()
            events = table.take(BoardSeen(taken.t_ms, eye.look(frame, taken.t_ms)))
            picture = scene(table.match, now_ms=taken.t_ms)
            lights = in_image_order(picture.lights, SEATING.white_ace_corner)
            encode_frame(to_frame(ScenePacket(lights, page_bytes(paint(picture.screen))), 1))
            work_ms.append((time.perf_counter() - began) * 1000)
            for event in events:
                if isinstance(event, PlaySighted | Played):
                    latency.shown(event.position)
            if len(work_ms) % 20 == 1:
                began = time.perf_counter()
                grey = cv2.medianBlur(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), 5)
                cv2.HoughCircles(grey, cv2.HOUGH_GRADIENT, 1, 20, param1=100, param2=30, minRadius=12, maxRadius=30)
                hough_ms.append((time.perf_counter() - began) * 1000)
        simulation.people.match = table.match
        if len(latency.frames) >= arguments.plies:
            break
    return latency, work_ms, hough_ms


def _memory(matches: int) -> dict[str, float]:
    """What this process holds after a tenth of `matches` matches at one table after another, and after all (MB)."""
    early = max(1, matches // 10)
    held: dict[str, float] = {}
    rulesets = list(RULESETS.values())
    for number in range(matches):
        beginning = begun(rulesets[number % len(rulesets)], 1, ByColor("White", "Black"), 0, seating=SEATING)
        for _ in Simulation(beginning, number + 1).moments():
            pass
        if number + 1 in (early, matches):
            gc.collect()
            held["mb_early" if number + 1 == early else "mb_late"] = _resident_mb()
    return {"matches": matches, **held}


def _resident_mb() -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return round(int(line.split()[1]) / 1024, 1)
    return 0.0
