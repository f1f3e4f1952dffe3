"""One small error tree. Errors carry messages (id + parameters); words are made at the edge."""

from nardi.text.message import Message


class NardiError(Exception):
    """Something a person must know about and can do something about.

    Carries one message a fault, so that all faults of one input are reported together.
    """

    def __init__(self, *messages: Message) -> None:
        super().__init__(*(message.id for message in messages))
        self.messages = messages

    @property
    def message(self) -> Message:
        """The first message."""
        return self.messages[0]


class InputError(NardiError, ValueError):
    """Input that cannot be used: a file, a line, an argument. Exit code 2."""

    def located(self, file: str, line: int) -> list[Message]:
        """The messages with the place in which it was found, for sentences that name it where they know it."""
        return [
            Message.of(message.id, **{**dict(message.parameters), "file": file, "line": line})
            for message in self.messages
        ]


class DeviceError(NardiError, OSError):
    """A device that is missing, busy or broken."""


class JournalError(NardiError, OSError):
    """The journal cannot be written or is broken."""
