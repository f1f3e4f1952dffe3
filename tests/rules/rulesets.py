"""Rulesets with settings changed the way a club changes them, so that what is tested can be set."""

import json

from nardi.rules import Ruleset
from nardi.rules.club import rulesets_from_toml


def changed(base: str, **settings: object) -> Ruleset:
    """The ruleset called `base` with these settings."""
    lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
    text = "\n".join(["[ruleset.club]", f'base = "{base}"', *lines])
    return rulesets_from_toml(text, "club.toml")["club"]
