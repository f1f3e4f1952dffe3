"""Starts the die, unless an update is under way."""

from start import start

start("die")
