"""Recordings read as in play: one pipeline a recording, told after each settled frame what the board holds.

That is what the table does when it recognises every play; so this measures the eye apart from the umpire.
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import groupby

from nardi_vision.appraise.appraisal import Appraisal, Judged, judged, unread
from nardi_vision.appraise.case import Case
from nardi_vision.errors import EyeError
from nardi_vision.frame import load_picture
from nardi_vision.geometry import corner_error
from nardi_vision.pipeline import Pipeline, Reads
from nardi_vision.synth.contents import BoardContents


def appraise_play(cases: Iterable[Case], reader: Reads, tell: Callable[[Judged], None] | None = None) -> Appraisal:
    """The frames of recordings, in order. `hand_share` is then: settled exactly when no hand is there."""
    result = Appraisal("play")
    for _, group in groupby((case for case in cases if case.t_ms is not None), key=lambda case: case.split):
        frames = list(group)
        first = frames[0]
        pipeline = Pipeline(first.corners, _contents(first), reader, first.per_side)
        for case in frames:
            one = _judge(case, pipeline)
            result.judged.append(one)
            if tell is not None:
                tell(one)
    return result


def _judge(case: Case, pipeline: Pipeline) -> Judged:
    began = time.perf_counter()
    try:
        image = load_picture(case.path)
    except EyeError as fault:
        return unread(case, fault.reason, True)
    began = time.perf_counter()
    reading = pipeline.see(image, case.t_ms or 0)
    ms = (time.perf_counter() - began) * 1000
    if reading.corners is None:
        return unread(case, "board_lost", True)
    one = judged(case, reading, reading.corners, ms, corner_error(reading.corners, case.corners), True)
    if reading.settled:
        contents = _contents(case)
        pipeline.confirm(
            contents.points,
            (contents.bar_light, contents.bar_dark),
            (contents.off_light, contents.off_dark),
        )
    if case.hand and not reading.settled:
        # While a hand is there nobody asks what the board holds.
        one = replace(one, slots=0, misses=())
    return replace(one, hand_right=reading.settled != case.hand)


def _contents(case: Case) -> BoardContents:
    return BoardContents(case.points, *(case.bar or (0, 0)), *(case.off or (0, 0)))
