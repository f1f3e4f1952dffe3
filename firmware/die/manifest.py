"""For those who build MicroPython with the die's firmware frozen in: `make FROZEN_MANIFEST=…/manifest.py`."""

include("$(MPY_DIR)/ports/esp32/boards/manifest.py")
module("lines.py", base_path="../dice")
module("radio.py", base_path="../dice")
module("start.py", base_path="../dice")
module("adxl345.py", base_path="../die")
module("battery.py", base_path="../die")
module("die.py", base_path="../die")
module("faces.py", base_path="../die")
module("lis3dh.py", base_path="../die")
module("motion.py", base_path="../die")
module("settings.py", base_path="../die")
module("main.py", base_path="../die")
