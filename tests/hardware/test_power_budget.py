"""The supplies bear what everything draws; a supply that does not is named."""

import copy
from typing import Any

import electronics
import power
import pytest

NODE = electronics.load()


def changed(table: str, **values: object) -> dict[str, Any]:
    node = copy.deepcopy(dict(NODE))
    node[table] = {**node[table], **values}
    return node


def test_the_node_stays_within_its_supply() -> None:
    assert power.faults(NODE) == []
    budget = power.node_budget(NODE)
    assert budget.total_ma <= NODE["power"]["supply_ma"]
    assert budget.total_ma == pytest.approx(
        NODE["lights"]["budget_ma"] + NODE["screen"]["current_ma"] + NODE["power"]["board_ma"] + 2 + 5
    )


def test_too_large_a_light_budget_is_named_with_the_most_that_fits() -> None:
    found = power.faults(changed("lights", budget_ma=800))
    assert any("lights.budget_ma at most 773" in fault for fault in found)
    assert power.faults(changed("lights", budget_ma=773)) == []


def test_dark_lights_alone_may_not_eat_the_budget() -> None:
    assert any("dark lights alone" in fault for fault in power.faults(changed("lights", budget_ma=27)))


def test_the_cap_is_needed() -> None:
    # Without it full white would draw more than the supply gives.
    assert power.uncapped_ma(NODE) == 27 * 61
    assert power.uncapped_ma(NODE) > NODE["power"]["supply_ma"]


def test_the_dies_capacitor_carries_a_burst_and_a_small_one_does_not() -> None:
    assert power.droop_v() <= power.MOST_DROOP_V
    assert power.droop_v(100) > power.MOST_DROOP_V


def test_a_weak_base_port_is_named() -> None:
    assert any("dice base" in fault for fault in power.faults(changed("base", current_ma=600)))
