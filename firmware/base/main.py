"""Starts the dice base, unless an update is under way."""

from start import start

start("base")
