"""Slots and piles as short text: `L5`, `D2=.93 D3=.07`, `-` for empty, `~` in front when hidden, `!glare` behind."""

from nardi_vision.reading import MOST, EyeFault, Pile, Slot

LEAST = 0.0005
"""Weights below this are not kept: no content is held more unlikely than that by much anyway."""

SURE = 0.9995


def slot_text(slot: Slot) -> str:
    """One slot. Weights are rounded to three digits after the point."""
    weights = [("-", slot.empty)]
    weights += [(f"L{count}", weight) for count, weight in enumerate(slot.light, start=1)]
    weights += [(f"D{count}", weight) for count, weight in enumerate(slot.dark, start=1)]
    text = _weights_text(weights)
    return ("~" if slot.occluded else "") + text + (f" !{slot.fault.value}" if slot.fault else "")


def slot_of(text: str) -> Slot:
    """The slot that `slot_text` wrote. Raises ValueError."""
    occluded = text.startswith("~")
    words = text.removeprefix("~").split()
    fault = EyeFault(words.pop()[1:]) if words and words[-1].startswith("!") else None
    weights = _weights_of(words)
    return Slot(
        empty=weights.pop("-", 0.0),
        light=tuple(weights.pop(f"L{count}", 0.0) for count in range(1, MOST + 1)),
        dark=tuple(weights.pop(f"D{count}", 0.0) for count in range(1, MOST + 1)),
        occluded=occluded,
        fault=fault,
    )


def pile_text(pile: Pile) -> str:
    """A pile: the light checkers, then the dark ones after a slash."""
    light, dark = (
        _weights_text([(str(count), weight) for count, weight in enumerate(row)]) for row in (pile.light, pile.dark)
    )
    return f"{'~' if pile.occluded else ''}{light} / {dark}"


def pile_of(text: str) -> Pile:
    """The pile that `pile_text` wrote. Raises ValueError."""
    light, slash, dark = text.removeprefix("~").partition("/")
    if not slash:
        raise ValueError(f"not a pile: {text!r}")
    rows = [_weights_of(half.split()) for half in (light, dark)]
    filled = [tuple(row.get(str(count), 0.0) for count in range(MOST + 1)) for row in rows]
    return Pile(filled[0], filled[1], occluded=text.startswith("~"))


def _weights_text(weights: list[tuple[str, float]]) -> str:
    best = max(weights, key=lambda entry: entry[1])
    if best[1] >= SURE:
        return best[0]
    kept = [(name, weight) for name, weight in weights if weight >= LEAST]
    return " ".join(f"{name}={weight:.3f}".replace("=0.", "=.") for name, weight in kept)


def _weights_of(words: list[str]) -> dict[str, float]:
    weights: dict[str, float] = {}
    for word in words:
        name, equals, weight = word.partition("=")
        weights[name] = float(weight) if equals else 1.0
    return weights
