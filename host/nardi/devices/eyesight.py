"""What the eye's errors and faults say to people: the one place where they become messages."""

from nardi.errors import InputError
from nardi.text.message import Message
from nardi_vision.errors import EyeError


def message_of(error: EyeError) -> Message:
    """`eye.<reason>` with the error's details; the sentence names the remedy."""
    return Message.of(
        f"eye.{error.reason}", **{name: value for name, value in error.details.items() if name != "remedy"}
    )


def input_error(error: EyeError) -> InputError:
    return InputError(message_of(error))
