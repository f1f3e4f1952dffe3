"""The sizes of boards (hardware/board.toml) for the host, which says in words what is wrong with them."""

from nardi.devices.eyesight import input_error
from nardi_vision.errors import EyeError
from nardi_vision.sizes import Sizes, load_sizes


def board_sizes() -> Sizes:
    """Raises InputError where the file cannot be used; the message names the key."""
    try:
        return load_sizes()
    except EyeError as error:
        raise input_error(error) from None
