"""Which face lies on top: the directions of the six faces, measured once and kept in flash."""

import json
import math
import os

FILE = "faces.json"
# The faces of a cube stand at right angles: anything else is a face shown twice, or a die that was moved.
_APART_DEGREES = 60
_OPPOSITE_DEGREES = 150


def angle(a, b):
    """Degrees between two vectors; 180 where one of them has no direction."""
    length = math.sqrt(sum(i * i for i in a) * sum(i * i for i in b))
    if not length:
        return 180.0
    cosine = sum(i * j for i, j in zip(a, b)) / length
    return math.degrees(math.acos(max(-1.0, min(1.0, cosine))))


class Faces:
    """`directions`: for the faces 1 to 6 the acceleration with that face on top, in mg; empty before calibration."""

    def __init__(self):
        self.directions = []
        try:
            with open(FILE) as file:
                found = json.load(file)
        except (OSError, ValueError):
            return
        if isinstance(found, list) and not _fault(found):
            self.directions = found

    def top(self, vector):
        """(value, tilt in whole degrees): the nearest face and how far off it the die leans."""
        best = 0
        least = 360.0
        for i in range(6):
            off = angle(vector, self.directions[i])
            if off < least:
                best = i
                least = off
        return best + 1, int(least + 0.5)

    def save(self, directions):
        with open(FILE + ".new", "w") as file:
            json.dump(directions, file)
        # A cut between the two leaves the old file whole.
        os.rename(FILE + ".new", FILE)
        self.directions = directions


def _fault(directions):
    """What is wrong with six directions, "" where nothing is."""
    try:
        if len(directions) != 6 or any(len(one) != 3 for one in directions):
            return "not six faces"
        for i in range(3):
            if angle(directions[i], directions[5 - i]) < _OPPOSITE_DEGREES:
                return "%d and %d are not opposite" % (i + 1, 6 - i)
    except TypeError:
        return "not six faces"
    return ""


class Calibration:
    """Asks for the faces 1 to 6 one after the other; `offer` each stillness."""

    def __init__(self, faces, say):
        self._faces = faces
        self._say = say
        self._found = []
        self.done = False
        self._ask()

    def offer(self, vector):
        for one in self._found:
            if angle(vector, one) < _APART_DEGREES:
                # The last face still, or one that has been shown.
                return
        self._found.append([vector[0], vector[1], vector[2]])
        if len(self._found) < 6:
            self._ask()
            return
        fault = _fault(self._found)
        if fault:
            self._say("# %s: once more from the start" % fault)
            self._found = []
            self._ask()
            return
        self._faces.save(self._found)
        self.done = True
        self._say("# calibrated")

    def _ask(self):
        self._say("# lay the die with %d on top and let go" % (len(self._found) + 1))
