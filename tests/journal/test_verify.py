"""`nardi verify`: 0 sound, a torn last line said; 1 broken, its line named; 2 nothing there to read."""

from pathlib import Path

import pytest

from nardi.cli.main import main
from nardi.game.observation import Command
from nardi.game.umpire import begun
from nardi.journal.journal import Journal
from nardi.rules import ByColor, find_ruleset
from nardi.table import Table


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """The journal of a few turns told by hand."""
    path = tmp_path / "match.jsonl"
    with Journal(path) as journal:
        table = Table.begun(begun(find_ruleset("backgammon"), 5, ByColor("Anna", "Boris"), 0, dice="hand"), journal)
        for at, (by, verb, argument) in enumerate(
            (("referee", "dice", "31"), ("white", "play", "8/5 6/5"), ("black", "double", ""), ("white", "take", ""))
        ):
            table.take(Command(at, by, verb, argument))  # type: ignore[arg-type]  # literals
    return path


def verified(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    capsys.readouterr()
    code = main(["verify", str(path)])
    said = capsys.readouterr()
    return code, said.out + said.err


def test_a_journal_as_it_was_written_is_sound(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = verified(kept, capsys)
    assert code == 0
    assert str(len(kept.read_bytes().splitlines())) in said


@pytest.mark.parametrize("kept_of_last", [1, 6, 7, 40])
def test_a_torn_last_line_is_said_and_sound(kept: Path, capsys: pytest.CaptureFixture[str], kept_of_last: int) -> None:
    lines = kept.read_bytes().splitlines(keepends=True)
    kept.write_bytes(b"".join(lines[:-1]) + lines[-1][:kept_of_last])
    code, said = verified(kept, capsys)
    assert code == 0
    assert f"{len(lines)}" in said
    assert "torn" in said


def test_a_tail_of_which_the_disk_kept_only_the_length_is_torn(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept.write_bytes(kept.read_bytes() + bytes(300))
    code, said = verified(kept, capsys)
    assert (code, "torn" in said) == (0, True)


@pytest.mark.parametrize("number", range(8))
def test_whatever_is_changed_in_whichever_line_it_is_named(
    kept: Path, capsys: pytest.CaptureFixture[str], number: int
) -> None:
    lines = kept.read_bytes().splitlines(keepends=True)
    number = number % len(lines)
    for changed in (
        lines[number].replace(b'"at":', b'"at":1', 1),
        lines[number].replace(b"{", b"(", 1),
        b"hello\n",
        lines[number].replace(b'"v":', b'"w":', 1),
    ):
        kept.write_bytes(b"".join((*lines[:number], changed, *lines[number + 1 :])))
        code, said = verified(kept, capsys)
        assert code == 1
        assert f"line {number + 1}" in said


def test_lines_left_out_swapped_or_twice_are_named(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = kept.read_bytes().splitlines(keepends=True)
    for wrong in (
        [*lines[:2], *lines[3:]],
        [*lines[:2], lines[3], lines[2], *lines[4:]],
        [*lines[:3], lines[2], *lines[3:]],
    ):
        kept.write_bytes(b"".join(wrong))
        code, said = verified(kept, capsys)
        assert (code, "line " in said) == (1, True)


@pytest.mark.parametrize("content", [b"hello", b"hello\n", b"\x89PNG\r\n\x1a\n\0\0", b'{"a":1}\n', b"[]\n"])
def test_a_file_of_another_kind_is_broken_from_its_first_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    code, said = verified(path, capsys)
    assert (code, "line 1" in said) == (1, True)


def test_nothing_to_read_is_unusable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    for path in (empty, tmp_path, tmp_path / "nothing"):
        code, said = verified(path, capsys)
        assert code == 2
        assert str(path) in said
        assert "Traceback" not in said
