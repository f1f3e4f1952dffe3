"""The wire to the display node, free of I/O: bytes ↔ frames ↔ packets. Specified in firmware/README.md."""
