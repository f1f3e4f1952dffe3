"""For those who build MicroPython with the dice base's firmware frozen in: `make FROZEN_MANIFEST=…/manifest.py`."""

include("$(MPY_DIR)/ports/esp32/boards/manifest.py")
module("base.py", base_path="../base")
module("settings.py", base_path="../base")
module("lines.py", base_path="../dice")
module("radio.py", base_path="../dice")
module("start.py", base_path="../dice")
module("main.py", base_path="../base")
