"""How a die and the dice base start, unless an update is under way."""

import os
import sys
import time

# Present from the moment an update begins until all its files are in place: half an update never runs.
HOLD = "hold"


def _held():
    try:
        os.stat(HOLD)
    except OSError:
        return False
    return True


def start(name):
    """Runs `run()` of the module `name`; after a crash again, anew."""
    if _held():
        print("# held for an update: finish it with `nardi flash %s`" % name)
        return
    import machine

    module = __import__(name)
    try:
        module.run()
    except KeyboardInterrupt:
        # Ctrl-C on USB leads to the prompt: that is how updates come.
        return
    except Exception as error:
        sys.print_exception(error)
        with open("crash.txt", "w") as file:
            sys.print_exception(error, file)
    # Time to be read, and to be interrupted, before it is tried again.
    time.sleep(2)
    machine.reset()
