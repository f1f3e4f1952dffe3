"""The training scripts run rarely, and torch and mitsuba are absent on most machines: what they take from the package
and from one another must be there all the same."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

TRAINING = Path(__file__).parents[2] / "vision" / "training"
SCRIPTS = sorted(TRAINING.rglob("*.py"))


def defined(script: Path) -> set[str]:
    """What a script defines at its top, and what it imports there."""
    names: set[str] = set()
    for node in ast.parse(script.read_text()).body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Assign(targets=targets):
                names |= {at.id for target in targets for at in ast.walk(target) if isinstance(at, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                names |= {alias.asname or alias.name for alias in aliases}
    return names


def sibling(script: Path, module: str) -> Path | None:
    """The training script that `module` is, seen from `script`."""
    file = Path(*module.split(".")).with_suffix(".py")
    return next((folder / file for folder in (script.parent, TRAINING) if (folder / file).is_file()), None)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: str(script.relative_to(TRAINING)))
def test_what_a_script_imports_is_there(script: Path) -> None:
    for node in ast.walk(ast.parse(script.read_text())):
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        wanted = {alias.name for alias in node.names}
        if node.module.startswith("nardi_vision"):
            module = import_module(node.module)
            assert [name for name in sorted(wanted) if not hasattr(module, name)] == []
        elif (file := sibling(script, node.module)) is not None:
            assert wanted <= defined(file)


def test_the_training_scripts_are_there() -> None:
    assert {"board.py", "faces.py", "rendered/render.py"} <= {str(s.relative_to(TRAINING)) for s in SCRIPTS}
