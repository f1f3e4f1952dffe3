"""What the command says when a part of the installation is missing."""

import sys

import pytest

from nardi.cli.main import main


@pytest.mark.parametrize("command", ["read picture.jpg", "bench read", "simulate --eye pixels"])
def test_a_command_without_the_eye_says_how_to_install_it(command, monkeypatch, capsys):
    for name in [name for name in sys.modules if name.partition(".")[0] == "nardi_vision"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "cv2", None)
    assert main(command.split()) == 2
    said = capsys.readouterr().err
    assert "nardi[eye]" in said
    assert "Traceback" not in said
