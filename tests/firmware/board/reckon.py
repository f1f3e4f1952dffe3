# ruff: noqa: SIM115
"""Feeds a file of samples to the die's reckoning and prints what it would say."""

import sys
from struct import unpack

from faces import Faces
from motion import SAY_LIFTED, SAY_ROLLING, SAY_ROLLING_SETTLED, SAY_SETTLED, Motion

motion = Motion()
faces = Faces()
file = open(sys.argv[1], "rb")
while True:
    data = file.read(6)
    if not data:
        break
    say = motion.feed(*unpack("<hhh", data))
    if say == SAY_LIFTED:
        print("LIFTED")
    if say in (SAY_ROLLING, SAY_ROLLING_SETTLED):
        print("ROLLING")
    if say in (SAY_SETTLED, SAY_ROLLING_SETTLED):
        print("SETTLED", faces.top(motion.vector)[0])
