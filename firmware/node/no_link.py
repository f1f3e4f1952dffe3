"""The picture shown while no host speaks: a plug out of its socket, a question under it; no words, so no language."""

from framebuf import MONO_VLSB, FrameBuffer


def draw(picture):
    """Paints into the 1024 bytes of a panel's picture. Allocates: call it once, at the start, and keep the result."""
    canvas = FrameBuffer(picture, 128, 64, MONO_VLSB)
    canvas.fill(0)
    # The cable, the plug with its two pins, the gap, the socket, the cable.
    canvas.fill_rect(4, 24, 24, 3, 1)
    canvas.fill_rect(28, 14, 18, 23, 1)
    canvas.fill_rect(46, 19, 8, 3, 1)
    canvas.fill_rect(46, 29, 8, 3, 1)
    canvas.fill_rect(76, 14, 22, 23, 1)
    canvas.fill_rect(76, 19, 8, 3, 0)
    canvas.fill_rect(76, 29, 8, 3, 0)
    canvas.fill_rect(98, 24, 26, 3, 1)
    # Sparks in the gap.
    canvas.line(61, 12, 64, 20, 1)
    canvas.line(69, 12, 66, 20, 1)
    canvas.line(61, 39, 64, 31, 1)
    canvas.line(69, 39, 66, 31, 1)
    canvas.text("?", 61, 50, 1)
