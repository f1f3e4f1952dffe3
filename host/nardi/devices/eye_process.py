"""The eye as an adapter: readings from its own process into observations, confirmations back."""

import threading
from collections.abc import Callable
from dataclasses import replace

from nardi.devices.presence import Presence
from nardi.game.board import Board
from nardi.game.observation import BoardSeen
from nardi.game.seating import Seating
from nardi.ports import Clock, Post
from nardi_vision.reading import BoardReading, EyeFault
from nardi_vision.worker import EyeEnded, EyeProcess, EyeSettings, EyeTrouble

POLL_S = 0.2
FIRST_PICTURE_S = 20.0
"""A slow computer takes a while to load OpenCV and to open a camera."""
PASSING = ("no_frame", "picture_", "not_a_picture")
"""Troubles of single pictures: the next one may be whole."""


class ProcessEye:
    """`seating` is asked at every confirmation, since colours and sides may be swapped between games.

    `ended` is called once when a recording or film has come to its end.
    """

    def __init__(
        self,
        settings: EyeSettings,
        clock: Clock,
        seating: Callable[[], Seating | None],
        ended: Callable[[], None] = lambda: None,
    ) -> None:
        self._process = EyeProcess(settings)
        self._clock = clock
        self._seating = seating
        self._ended = ended
        self._presence = Presence("eye", clock, FIRST_PICTURE_S)
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def start(self, post: Post) -> None:
        self._presence.start(post)
        self._process.start()
        self._thread = threading.Thread(target=self._watch, args=(post,), name="eye", daemon=True)
        self._thread.start()

    def _watch(self, post: Post) -> None:
        while not self._stopping.is_set():
            with self._lock:
                reports = self._process.poll(POLL_S)
            for report in reports:
                now = self._clock.now_ms()
                match report:
                    case BoardReading():
                        if EyeFault.NO_FRAME not in report.faults:
                            self._presence.found()
                        # The child has its own clock; the table knows only one.
                        post(BoardSeen(now, replace(report, t_ms=now)))
                    case EyeTrouble(reason=reason) if not reason.startswith(PASSING):
                        self._presence.lost()
                    case EyeEnded():
                        self._presence.lost()
                        self._ended()
                        return
                    case _:
                        pass

    def confirm(self, board: Board) -> None:
        seating = self._seating()
        if seating is not None:
            self._process.confirm(*board.seen_by(seating))

    def stop(self) -> None:
        self._presence.stop()
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(timeout=3.0)
        self._process.stop()
