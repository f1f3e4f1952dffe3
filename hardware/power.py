"""What everything draws and whether the supply gives it; how long a die lasts and whether its cell bears the radio.

python hardware/power.py
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from electronics import load

BUZZER_MA = 5
SHIFTER_MA = 2
# A C3 sending at full power (335 mA), one ESP-NOW frame at 1 Mbit/s; what a LIR1254 cell gives at twice its capacity.
BURST_MA, BURST_MS, CELL_MA = 335, 0.8, 80
BUFFER_UF = 470
MOST_DROOP_V = 0.5
"""From a cell at 3.7 V to what a regulator needs to hold the module above 3.0 V."""
AWAKE_SHARE = 0.5
"""Of a game, how long one die is awake: it naps while it lies and somebody thinks."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Lines of (what, mA) and the supply they must fit."""

    lines: tuple[tuple[str, float], ...]
    supply: str
    supply_ma: float

    @property
    def total_ma(self) -> float:
        return sum(ma for _, ma in self.lines)

    @property
    def spare_ma(self) -> float:
        """Negative: the supply is too weak."""
        return self.supply_ma - self.total_ma


def node_budget(node: Mapping[str, Any], supply_ma: float | None = None) -> Budget:
    """The display node at its worst: all lights at the cap, all pixels lit, the buzzer sounding."""
    lines = [
        ("lights, capped by the firmware", node["lights"]["budget_ma"]),
        ("screen, all pixels lit", node["screen"]["current_ma"]),
        ("Pico at work", node["power"]["board_ma"]),
        ("level shifter", SHIFTER_MA),
    ]
    if "buzzer" in node:
        lines.append(("buzzer", BUZZER_MA))
    return Budget(tuple(lines), node["power"]["supply"], supply_ma or node["power"]["supply_ma"])


def uncapped_ma(node: Mapping[str, Any]) -> float:
    """What the strip would draw at full white were there no cap."""
    lights = node["lights"]
    return float(len(lights["chain"]) * (3 * lights["channel_ma"] + lights["idle_ma"]))


def base_budget(node: Mapping[str, Any]) -> Budget:
    """The dice base on the weakest USB port."""
    return Budget((("C3 board, radio on", node["base"]["current_ma"]),), "USB 2 port", 500)


def die_hours(node: Mapping[str, Any]) -> float:
    """Of play from one charge, down to a fifth of the cell."""
    die = node["die"]
    return float(0.8 * die["battery_mah"] / (die["current_ma"] * AWAKE_SHARE))


def droop_v(buffer_uf: float = BUFFER_UF) -> float:
    """How far the buffer capacitor falls while the radio takes more than the cell gives."""
    return (BURST_MA - CELL_MA) * BURST_MS / buffer_uf


def table(budget: Budget) -> str:
    """A Markdown table with its sum and what is left."""
    lines = ["| what | mA |", "| --- | ---: |", *(f"| {what} | {ma:.0f} |" for what, ma in budget.lines)]
    lines += [f"| **together** | **{budget.total_ma:.0f}** |", f"| {budget.supply} gives | {budget.supply_ma:.0f} |"]
    return "\n".join([*lines, f"| to spare | {budget.spare_ma:.0f} |"])


def faults(node: Mapping[str, Any]) -> list[str]:
    """What the supplies cannot bear; empty: nothing."""
    found = []
    budget = node_budget(node)
    if budget.spare_ma < 0:
        most = node["lights"]["budget_ma"] + budget.spare_ma
        found.append(
            f"the node draws {budget.total_ma:.0f} mA, {budget.supply} gives {budget.supply_ma}: "
            f"lights.budget_ma at most {most:.0f}"
        )
    dark = len(node["lights"]["chain"]) * node["lights"]["idle_ma"]
    if dark >= node["lights"]["budget_ma"]:
        found.append(f"{dark} mA for dark lights alone leave nothing of lights.budget_ma")
    if base_budget(node).spare_ma < 0:
        found.append("the dice base draws more than a USB 2 port gives")
    if droop_v() > MOST_DROOP_V:
        found.append(f"the die's supply falls by {droop_v():.2f} V when it sends, at most {MOST_DROOP_V} are allowed")
    return found


def main() -> int:
    """0: all supplies suffice; 1: one does not."""
    node = load()
    print(f"Display node\n\n{table(node_budget(node))}\n")
    print(f"Full white without the cap would be {uncapped_ma(node):.0f} mA.")
    weak = node_budget(node, 500)
    if weak.spare_ma < 0:
        most = node["lights"]["budget_ma"] + weak.spare_ma
        print(f"On a USB 2 port (500 mA): set lights.budget_ma to {most:.0f} or less.")
    print(f"\nDice base\n\n{table(base_budget(node))}\n")
    print(
        f"Die: about {die_hours(node):.1f} hours of play from a charge; "
        f"its supply falls by {droop_v():.2f} V when it sends."
    )
    found = faults(node)
    for fault in found:
        print(f"FAULT: {fault}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
