"""When a camera's automatic exposure and white balance have settled, so that they can be locked.

Automatics that hunt move every colour on the board with each hand that passes; a locked camera makes a change of light
a thing that happens once and can be learned.
"""

from collections import deque

import numpy as np

from nardi_vision.frame import Picture

LONGEST = 60
"""Frames after which the camera is locked as it is: light that flickers for ever must not keep it hunting."""
STEADY = 8
"""Frames in a row that must agree."""
AGREE = 0.015
"""Largest change of any colour channel's mean over those frames, as a share of full scale."""


class Settling:
    """Watches the colour means of frames; `seen` says True once, when they hold still."""

    def __init__(self) -> None:
        self._means: deque[np.ndarray[tuple[int], np.dtype[np.float64]]] = deque(maxlen=STEADY)
        self._count = 0
        self.done = False

    def seen(self, image: Picture) -> bool:
        if self.done:
            return False
        self._count += 1
        self._means.append(image[::8, ::8].reshape(-1, 3).mean(axis=0) / 255)
        spread = np.ptp(np.array(self._means), axis=0).max()
        self.done = self._count >= LONGEST or (len(self._means) == STEADY and bool(spread <= AGREE))
        return self.done
