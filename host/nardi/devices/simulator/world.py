"""Simulated people at a real-time table: `sim:` devices. One life feeds eye and dice, in real time or faster."""

import threading
import time
from collections.abc import Callable

from nardi.devices.simulator.people import Stuck
from nardi.game.board import Board
from nardi.game.match import Match
from nardi.ports import Post
from nardi.simulation import World


class SimulatedWorld:
    """Runs a simulation in a thread of its own and posts what its eye and dice observe.

    `current` is asked after each happening for the match once the table has taken everything posted so far (None: not
    yet), so that the people see the display that real ones would. `speed`: times real time; 0: as fast as it goes.
    """

    def __init__(self, world: World, current: Callable[[], Match | None], speed: float = 1.0) -> None:
        self._world = world
        self._current = current
        self._speed = speed
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, post: Post) -> None:
        self._thread = threading.Thread(target=self._live, args=(post,), name="people", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(timeout=5.0)

    def _live(self, post: Post) -> None:
        begin_s, begin_ms = time.monotonic(), self._world.people.t_ms
        try:
            for _, observations in self._world.happenings():
                for observation in observations:
                    post(observation)
                if self._speed > 0:
                    past_s = (self._world.people.t_ms - begin_ms) / 1000 / self._speed
                    self._stopping.wait(max(0.0, begin_s + past_s - time.monotonic()))
                while (match := self._current()) is None and not self._stopping.is_set():
                    time.sleep(0.001)
                if match is None or self._stopping.is_set():
                    return
                self._world.people.match = match
        except Stuck:
            # The people do not know what to do next: the table waits, as it would for real ones.
            return

    def confirm(self, board: Board) -> None:
        self._world.eye.confirm(board)
