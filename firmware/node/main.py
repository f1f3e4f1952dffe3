"""Starts the node, unless an update is under way."""

import os
import sys

# Present from the moment an update begins until all its files are in place: half an update never runs.
HOLD = "hold"


def _held():
    try:
        os.stat(HOLD)
    except OSError:
        return False
    return True


def _main():
    import machine
    import micropython

    import node

    # Frames hold every byte value: 3 must not be taken for Ctrl-C.
    micropython.kbd_intr(-1)
    try:
        node.run()
        open(HOLD, "w").close()
    except Exception as error:
        with open("crash.txt", "w") as file:
            sys.print_exception(error, file)
    # The watchdog cannot be stopped, so the way to the prompt leads through a reset as well.
    machine.reset()


if _held():
    print("held for an update: finish it with `nardi flash node`")
else:
    _main()
