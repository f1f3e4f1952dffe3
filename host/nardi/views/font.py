"""DejaVu Sans: the one typeface that draws Latin, Armenian and Lithuanian alike, found where systems keep it."""

from functools import cache
from pathlib import Path

from PIL import ImageFont

from nardi.errors import InputError
from nardi.text.message import Message

FOLDERS = (
    Path("/usr/share/fonts/truetype/dejavu"),  # Debian, Ubuntu, Raspberry Pi OS
    Path("/usr/share/fonts/dejavu-sans-fonts"),  # Fedora
    Path("/usr/share/fonts/dejavu"),  # older Fedora, openSUSE
    Path("/usr/share/fonts/TTF"),  # Arch
    Path("/Library/Fonts"),
    Path.home() / "Library/Fonts",
    Path.home() / ".fonts",
)
REGULAR = "DejaVuSans.ttf"
BOLD = "DejaVuSans-Bold.ttf"


@cache
def font(size_px: int, bold: bool = False) -> ImageFont.FreeTypeFont:
    """The typeface at a size. Raises InputError naming what to install where it is not found.

    Basic layout: the three scripts need no shaping, and pixels stay the same with and without libraqm.
    """
    return ImageFont.truetype(str(_path(BOLD if bold else REGULAR)), size_px, layout_engine=ImageFont.Layout.BASIC)


@cache
def _path(name: str) -> Path:
    for folder in FOLDERS:
        if (folder / name).is_file():
            return folder / name
    raise InputError(Message.of("font.missing", font=name, remedy="sudo apt-get install fonts-dejavu-core"))
