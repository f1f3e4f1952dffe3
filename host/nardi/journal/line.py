"""One line of a journal, and the chain that ties it to the line before."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["saw", "ruled"]

FIRST = "0" * 32
"""What the first line is chained to."""


class LineError(ValueError):
    """A line that is not what it should be; the text is the reason."""


@dataclass(frozen=True, slots=True)
class Line:
    """`n` counts from 1. `at`: UTC wall-clock time. `because`: the number of the observation a ruling came from.

    `sum` is the hash of the line before's `sum` and of everything else in this line.
    """

    n: int
    at: str
    kind: Kind
    type: str
    v: int
    because: int
    data: Any
    sum: str = ""

    def summed(self, previous: str) -> "Line":
        """The same line, chained to the one whose sum is `previous`."""
        return Line(self.n, self.at, self.kind, self.type, self.v, self.because, self.data, self._hash(previous))

    def follows(self, previous: str) -> bool:
        """Whether this line is unchanged and comes right after the one whose sum is `previous`."""
        return self.sum == self._hash(previous)

    def _hash(self, previous: str) -> str:
        body = json.dumps(
            [self.n, self.at, self.kind, self.type, self.v, self.because, self.data],
            ensure_ascii=False,
            separators=(",", ":"),
            sort_keys=True,
        )
        return hashlib.sha256(f"{previous}{body}".encode()).hexdigest()[:32]

    @property
    def bytes(self) -> bytes:
        """The line as it stands in the file."""
        record = {
            "n": self.n,
            "at": self.at,
            "kind": self.kind,
            "type": self.type,
            "v": self.v,
            "because": self.because,
            "data": self.data,
            "sum": self.sum,
        }
        return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"

    @staticmethod
    def of(text: bytes) -> "Line":
        """The line that `text` holds. Raises LineError."""
        try:
            record = json.loads(text)
        except ValueError as error:
            raise LineError(f"no JSON: {error}") from error
        if not isinstance(record, dict) or set(record) != {"n", "at", "kind", "type", "v", "because", "data", "sum"}:
            raise LineError("not n, at, kind, type, v, because, data, sum")
        whole = isinstance(record["n"], int) and isinstance(record["v"], int) and isinstance(record["because"], int)
        if not whole or record["kind"] not in ("saw", "ruled"):
            raise LineError("n, v and because are whole numbers, kind is saw or ruled")
        return Line(**record)
