"""For those who build MicroPython with the display node's firmware frozen in: `make FROZEN_MANIFEST=…/manifest.py`."""

include("$(MPY_DIR)/ports/rp2/boards/manifest.py")
require("neopixel")
module("buttons.py", base_path="../node")
module("buzzer.py", base_path="../node")
module("frames.py", base_path="../node")
module("no_link.py", base_path="../node")
module("node.py", base_path="../node")
module("packbits.py", base_path="../node")
module("panel.py", base_path="../node")
module("settings.py", base_path="../node")
module("strip.py", base_path="../node")
module("main.py", base_path="../node")
