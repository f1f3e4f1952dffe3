"""What networks are given of a picture."""

import numpy as np
import pytest

from nardi_vision.network import blob, folded_blob


@pytest.mark.parametrize("fold", [2, 4])
def test_a_folded_picture_holds_each_pixel_of_a_square_as_a_channel(fold):
    picture = np.random.default_rng(1).integers(0, 256, (24, 32, 3), np.uint8)
    whole, folded = blob([picture]), folded_blob(picture, fold)
    assert folded.shape == (1, 3 * fold**2, 24 // fold, 32 // fold)
    for colour in range(3):
        for row in range(fold):
            for column in range(fold):
                channel = folded[0, (colour * fold + row) * fold + column]
                assert np.array_equal(channel, whole[0, colour, row::fold, column::fold])
