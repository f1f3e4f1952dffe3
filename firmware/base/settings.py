"""Written from hardware/node.toml by `nardi flash`: change that file, not this one."""

CHANNEL = 6
DICE = ("w1", "w2", "b1", "b2", "s1", "s2",)
