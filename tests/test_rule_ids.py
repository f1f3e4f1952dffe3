"""Every rule of the rule book is proved by a test that names it."""

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
RULES = (
    *(f"R{n}" for n in range(1, 11)),
    *(f"V{n}" for n in range(1, 7)),
    *(f"C{n}" for n in range(1, 9)),
    "H",
    *(f"L{n}" for n in range(1, 7)),
    *(f"T{n}" for n in range(1, 3)),
    *(f"E{n}" for n in range(1, 6)),
)


def _named() -> set[str]:
    """The rule IDs in names and docstrings of test functions and modules: `test_r7_…`, "V1: …"."""
    found: set[str] = set()
    for file in HERE.rglob("test_*.py"):
        if file.name == Path(__file__).name:
            continue
        text = file.read_text(encoding="utf-8")
        for name in re.findall(r"def (test_\w+)", text):
            found |= {part.upper() for part in name.split("_") if re.fullmatch(r"[rvclte]\d+|h", part)}
        for docstring in re.findall(r'def test_\w+\([^)]*\)[^:]*:\s+"""(.*?)"""', text, flags=re.DOTALL):
            found |= set(re.findall(r"\b(?:[RVCLTE]\d+|H)\b", docstring))
    return found


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_is_named_by_a_test(rule: str) -> None:
    assert rule in _named(), f"no test names {rule}"
