"""How well the eye reads pictures whose contents are known."""

from nardi_vision.appraise.appraisal import Appraisal, Judged, Miss, appraise
from nardi_vision.appraise.case import Case, load_cases
from nardi_vision.appraise.page import page

__all__ = ["Appraisal", "Case", "Judged", "Miss", "appraise", "load_cases", "page"]
