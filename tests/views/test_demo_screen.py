"""The demonstration's small screen in Armenian, from its own run: drawn pictures, the eye, the umpire, the scene."""

from pathlib import Path

import pytest
from PIL import Image, ImageChops

from nardi.cli import demo
from nardi.cli.main import main
from nardi.game.event import IllegalPlayNoticed, RollRejected
from nardi.views.paint import paint
from nardi.views.scene import scene
from views.test_golden_screens import GOLDEN, RENEW, tolerance


@pytest.mark.slow
def test_the_demo_in_armenian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The demo shows an illegal play and a cocked die; both are golden pictures."""
    pictures: dict[str, Image.Image] = {}

    def watched(simulation: demo.Simulation, speed: float, log: demo.Log) -> demo.Counts:
        counts: demo.Counts = (0, 0, 0)
        for moment in simulation.moments():
            counts = demo._count(counts, moment.events)
            for event in moment.events:
                name = {IllegalPlayNoticed: "illegal", RollRejected: "rejected"}.get(type(event))
                if name is not None and name not in pictures:
                    shown = scene(moment.match, now_ms=simulation.people.t_ms, language="hy")
                    pictures[name] = paint(shown.screen)
            if len(pictures) == 2:
                break
        return counts

    monkeypatch.setattr(demo, "_lines", watched)
    assert main(["--lang", "hy", "demo", "--headless", "--speed", "0", "--out", str(tmp_path / "demo")]) == 0
    assert set(pictures) == {"illegal", "rejected"}
    for name, picture in pictures.items():
        file = GOLDEN / "demo" / f"{name}-hy.png"
        if RENEW:
            file.parent.mkdir(exist_ok=True)
            picture.save(file)
        with Image.open(file) as golden:
            changed = sum(ImageChops.difference(golden.convert("L"), picture.convert("L")).histogram()[1:])
        assert changed <= tolerance() * picture.width * picture.height, file.name
