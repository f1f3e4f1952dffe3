"""Written from hardware/node.toml by `nardi flash`: change that file, not this one."""

DIE_ID = "w1"
RADIO = "espnow"
CHANNEL = 6
SLEEP_AFTER_S = 20
ACCELEROMETER = "lis3dh"
I2C = 0
SDA = 6
SCL = 7
HZ = 400000
ADDRESS = 24
BATTERY_ADC = 3
BATTERY_DIVIDER = 2.0
