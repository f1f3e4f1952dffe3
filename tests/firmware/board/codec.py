# ruff: noqa: SIM115
"""The firmware's frame codec at work: `encode` lines of kind, seq, payload; `decode` a file of bytes."""

import sys

import frames
import packbits


class Hex:
    def write(self, data, count):
        print(bytes(data[:count]).hex())


if sys.argv[1] == "encode":
    sender = frames.Sender(Hex(), frames.PAYLOAD_MAX)
    for line in open(sys.argv[2]):
        kind, seq, payload = line.rstrip("\n").split(" ")
        payload = bytes.fromhex(payload)
        for i in range(len(payload)):
            sender.data[frames.HEAD + i] = payload[i]
        sender.send(int(kind), int(seq), len(payload))
elif sys.argv[1] == "decode":
    receiver = frames.Receiver()
    file = open(sys.argv[2], "rb")
    while True:
        data = file.read(4096)
        if not data:
            break
        for byte in data:
            if receiver.put(byte):
                payload = receiver.data[frames.HEAD : frames.HEAD + receiver.length]
                print(receiver.kind, receiver.seq, bytes(payload).hex())
    print("good", receiver.good)
    print("bad", receiver.bad)
elif sys.argv[1] == "unpack":
    out = bytearray(1024)
    for line in open(sys.argv[2]):
        packed = bytes.fromhex(line.strip())
        size = packbits.unpack(packed, 0, len(packed), out, 1024)
        print(size, bytes(out[:size]).hex() if size > 0 else "")
