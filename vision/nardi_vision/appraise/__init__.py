"""How well the eye reads pictures whose contents are known."""

from nardi_vision.appraise.appraisal import Appraisal, Judged, Miss, appraise
from nardi_vision.appraise.case import Case, load_cases
from nardi_vision.appraise.page import page
from nardi_vision.appraise.play import appraise_play

__all__ = ["Appraisal", "Case", "Judged", "Miss", "appraise", "appraise_play", "load_cases", "page"]
