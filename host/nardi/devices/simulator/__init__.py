"""A simulated table: players, dice, checkers and hands with their physics, behind the same ports as the real ones."""
