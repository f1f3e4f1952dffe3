"""Runs the node over what comes on stdin with the heap locked: any allocation in a step is a MemoryError."""

import sys
import time

import micropython
import node

steps = 0
it = node.build(sys.stdin.buffer, sys.stdout.buffer)
# The poll object makes its one result when it has the first: a zero byte waits for that.
it.step(1000)
it.step()
end = time.ticks_add(time.ticks_ms(), int(sys.argv[1]))
while time.ticks_diff(end, time.ticks_ms()) > 0:
    micropython.heap_lock()
    it.step()
    micropython.heap_unlock()
    steps += 1
with open("steps", "w") as file:
    file.write(str(steps))
