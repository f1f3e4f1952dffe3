"""The only thing below `nardi.text` that speaks to people: an id and its parameters, never words."""

from dataclasses import dataclass

Parameter = str | int | float


@dataclass(frozen=True, slots=True)
class Message:
    """What is to be said, in no language yet.

    `id` names a sentence of the catalogues (`umpire.illegal.R7`); `parameters` fill it, sorted by name so that equal
    messages are equal values.
    """

    id: str
    parameters: tuple[tuple[str, Parameter], ...] = ()

    @staticmethod
    def of(id: str, /, **parameters: Parameter) -> "Message":
        """A message with its parameters given by name."""
        return Message(id, tuple(sorted(parameters.items())))
