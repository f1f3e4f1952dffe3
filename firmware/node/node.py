"""The display node: shows what it is sent, tells which buttons were pressed, and says so when nobody speaks to it.

One loop, no threads. A frame that comes in is unpacked into the back buffers; the lights follow at once, the screen a
page a step, so that a newer frame overtakes the rest of an older one: whole frames, newest wins.
"""

import gc
import os
import select
import sys
from struct import pack_into
from time import ticks_diff, ticks_ms, ticks_us

import frames
import machine
import no_link
import packbits
import settings
from buttons import Buttons
from frames import HEAD
from micropython import const
from panel import SIZE, Panel
from strip import Strip

VERSION = (1, 0, 0)
WIRE = const(1)

# Host to node.
HELLO = const(0x01)
PING = const(0x02)
ACK = const(0x03)
ASK_STATS = const(0x04)
HOLD = const(0x05)
SCENE = const(0x10)
BUZZ = const(0x11)
# Node to host.
I_AM = const(0x81)
HEARTBEAT = const(0x82)
DONE = const(0x83)
BUTTON = const(0x84)
STATS = const(0x85)

# What the node can do, and how it is: bits of I_AM, DONE and HEARTBEAT.
CAN_BUZZ = const(1)
SCREEN_ALIVE = const(2)
HAS_SCENE = const(4)
CAPPED = const(8)

PLAIN = const(0)
PACKED = const(1)

_HEARTBEAT_MS = const(1000)
_REPEAT_MS = const(200)
# Bytes taken from the line before lights, screen and buttons have their turn.
_GULP = const(2048)
_NOBODY = const(-1)


class Node:
    """The node's parts and its state. `step` is one turn of the loop; it allocates nothing."""

    def __init__(self, source, sink, strip, panel, buttons, buzzer, dog, identity, silence_ms):
        self.strip = strip
        self.panel = panel
        self.buttons = buttons
        self.buzzer = buzzer
        self.held_for_update = False
        self._dog = dog
        self._source = source
        self._one = bytearray(1)
        self._poll = select.poll()
        self._poll.register(source, select.POLLIN)
        self._receiver = frames.Receiver()
        self._sender = frames.Sender(sink)
        self._identity = identity[:32]
        # Tells the host a restart, after which presses are counted anew, from a pulled plug.
        self._boot = os.urandom(2)
        self._silence_ms = silence_ms
        self._blank = bytearray(SIZE)
        no_link.draw(self._blank)
        # Scene frames are checked whole before the first of their lights is lit.
        self._spare = bytearray(SIZE)
        now = ticks_ms()
        self._now = now
        self._heard_at = now
        self._beat_at = now
        self._told_at = now
        self._seq = 0
        self._scene_seq = _NOBODY
        self._undone = False
        self._came_us = 0
        self._lit_us = 0
        self._worst_us = 0
        self._scenes = 0
        self._unknown = 0
        self._peak = 0
        self._linked = True
        self._lose_link()
        # Finds the screen before the first greeting is answered.
        self.panel.step(0)

    def step(self, wait_ms=2):
        """Reads what has come, then serves lights, screen, buttons, buzzer and beat; waits `wait_ms` when idle."""
        self._read(0 if self._undone else wait_ms)
        now = ticks_ms()
        elapsed = ticks_diff(now, self._now)
        self._now = now
        if self._linked and ticks_diff(now, self._heard_at) > self._silence_ms:
            self._lose_link()
        if self.panel.step(elapsed) and self._undone:
            self._say_done()
        self.buttons.step(now)
        if self.buzzer:
            self.buzzer.step(elapsed)
        if self._linked:
            self._tell_button(now)
        else:
            self.buttons.forget()
        if ticks_diff(now, self._beat_at) >= _HEARTBEAT_MS:
            self._beat_at = now
            self._beat(now)
        if self._dog:
            self._dog.feed()

    def _read(self, wait_ms):
        one = self._one
        left = _GULP
        while left:
            ready = False
            for _ in self._poll.ipoll(0 if left < _GULP else wait_ms):
                ready = True
            if not ready or not self._source.readinto(one, 1):
                return
            left -= 1
            if self._receiver.put(one[0]):
                self._take()

    def _take(self):
        receiver = self._receiver
        kind = receiver.kind
        self._heard_at = ticks_ms()
        self._linked = True
        if kind == SCENE:
            self._take_scene()
        elif kind == HELLO:
            self._say_who()
        elif kind == ACK:
            if receiver.length >= 1:
                self.buttons.acknowledge(receiver.data[HEAD])
        elif kind == BUZZ:
            if self.buzzer and receiver.length >= 4:
                data = receiver.data
                self.buzzer.sound(data[HEAD] | data[HEAD + 1] << 8, data[HEAD + 2] | data[HEAD + 3] << 8)
        elif kind == ASK_STATS:
            self._say_stats()
        elif kind == HOLD:
            self.held_for_update = True
        elif kind != PING:
            # A newer host's: not an error, only not for this node.
            self._unknown += 1

    def _take_scene(self):
        receiver = self._receiver
        data = receiver.data
        end = HEAD + receiver.length
        count = data[HEAD]
        start = HEAD + 2
        picture = start + count * 3
        if receiver.length < 2 or picture > end:
            self._unknown += 1
            return
        spare = self._spare
        if data[HEAD + 1] == PLAIN and end - picture == SIZE:
            packbits.copy(data, picture, spare, SIZE)
        elif data[HEAD + 1] != PACKED or packbits.unpack(data, picture, end, spare, SIZE) != SIZE:
            self._unknown += 1
            return
        self._came_us = ticks_us()
        # The two buffers change places; `refresh` starts the new picture at its first page.
        self._spare = self.panel.picture
        self.panel.picture = spare
        self.strip.show(data, start, count)
        self._lit_us = ticks_diff(ticks_us(), self._came_us)
        self.panel.refresh(self._scene_seq == _NOBODY)
        self._scene_seq = receiver.seq
        self._scenes += 1
        self._undone = True

    def _lose_link(self):
        self._linked = False
        self._undone = False
        self._scene_seq = _NOBODY
        self.strip.dark()
        packbits.copy(self._blank, 0, self.panel.picture, SIZE)
        self.panel.refresh()
        self.buttons.forget()
        if self.buzzer:
            self.buzzer.sound(0, 0)

    def _state(self):
        bits = 0
        if self.buzzer:
            bits |= CAN_BUZZ
        if self.panel.alive:
            bits |= SCREEN_ALIVE
        if self._scene_seq != _NOBODY:
            bits |= HAS_SCENE
        if self.strip.dimmed:
            bits |= CAPPED
        return bits

    def _send(self, kind, length):
        self._seq = (self._seq + 1) & 255
        self._sender.send(kind, self._seq, length)

    def _say_who(self):
        data = self._sender.data
        who = self._identity
        data[HEAD] = WIRE
        for i in range(3):
            data[HEAD + 1 + i] = VERSION[i]
        data[HEAD + 4] = self._state()
        data[HEAD + 5] = self.strip.leds
        data[HEAD + 6] = self._boot[0]
        data[HEAD + 7] = self._boot[1]
        data[HEAD + 8] = len(who)
        for i in range(len(who)):
            data[HEAD + 9 + i] = who[i]
        self._send(I_AM, 9 + len(who))

    def _say_done(self):
        self._undone = False
        whole_us = ticks_diff(ticks_us(), self._came_us)
        self._worst_us = max(self._worst_us, whole_us)
        data = self._sender.data
        data[HEAD] = self._scene_seq
        data[HEAD + 1] = self._state()
        self._put32(HEAD + 2, self._lit_us)
        self._put32(HEAD + 6, whole_us)
        self._send(DONE, 10)

    def _beat(self, now):
        self._peak = max(self._peak, gc.mem_alloc())
        data = self._sender.data
        self._put32(HEAD, now)
        data[HEAD + 4] = max(self._scene_seq, 0)
        data[HEAD + 5] = self._state()
        data[HEAD + 6] = self.buttons.held()
        self._send(HEARTBEAT, 7)

    def _tell_button(self, now):
        if not self.buttons.waiting:
            # The next press is told at once.
            self._told_at = now - _REPEAT_MS
        elif ticks_diff(now, self._told_at) >= _REPEAT_MS:
            self._told_at = now
            data = self._sender.data
            data[HEAD] = self.buttons.write_oldest(data, HEAD + 1, now)
            self._send(BUTTON, 5)

    def _say_stats(self):
        self._peak = max(self._peak, gc.mem_alloc())
        self._put32(HEAD, gc.mem_free())
        self._put32(HEAD + 4, self._peak)
        self._put32(HEAD + 8, self._scenes)
        self._put32(HEAD + 12, self._receiver.bad)
        self._put32(HEAD + 16, self._unknown)
        self._put32(HEAD + 20, self.panel.errors)
        self._put32(HEAD + 24, self.strip.capped)
        self._put32(HEAD + 28, self.buttons.dropped)
        self._put32(HEAD + 32, self._worst_us)
        self._send(STATS, 36)

    def _put32(self, at, value):
        pack_into("<I", self._sender.data, at, value & 0x3FFFFFFF)


def build(source, sink):
    """The node with the pins of `settings`."""
    Pin = machine.Pin
    i2c = machine.I2C(
        settings.SCREEN_I2C, scl=Pin(settings.SCREEN_SCL), sda=Pin(settings.SCREEN_SDA), freq=settings.SCREEN_HZ
    )
    buzzer = None
    if settings.BUZZER_PIN is not None:
        from buzzer import Buzzer

        buzzer = Buzzer(machine.PWM(Pin(settings.BUZZER_PIN)))
    return Node(
        source,
        sink,
        Strip(
            Pin(settings.LIGHTS_PIN, Pin.OUT),
            settings.LIGHTS_CHAIN,
            settings.LIGHTS_BUDGET_MA,
            settings.LIGHTS_CHANNEL_MA,
            settings.LIGHTS_IDLE_MA,
        ),
        Panel(i2c, settings.SCREEN_ADDRESS, settings.SCREEN_CONTROLLER),
        Buttons(
            [Pin(pin, Pin.IN, Pin.PULL_UP) for pin in settings.BUTTON_PINS],
            settings.DEBOUNCE_MS,
            settings.LONG_PRESS_MS,
        ),
        buzzer,
        machine.WDT(timeout=settings.WATCHDOG_MS),
        machine.unique_id(),
        settings.LINK_SILENCE_MS,
    )


def run():
    """Serves until the host asks to hold for an update."""
    node = build(sys.stdin.buffer, sys.stdout.buffer)
    gc.collect()
    while not node.held_for_update:
        node.step()
