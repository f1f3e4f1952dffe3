"""Device URLs and what they say of a serial port."""

import pytest

from nardi.devices.serial_line import FIRST_WAIT_MS, LONGEST_WAIT_MS, Address, Backoff, Port
from nardi.devices.url import DeviceUrl
from nardi.errors import InputError

SCHEMES = ("serial", "sim", "none", "replay")


def test_the_parts() -> None:
    url = DeviceUrl.parse("serial:/dev/serial/by-id/usb-x?baud=9600", SCHEMES)
    assert (url.scheme, url.path, dict(url.options)) == ("serial", "/dev/serial/by-id/usb-x", {"baud": "9600"})
    assert DeviceUrl.parse("none:", SCHEMES).path == ""
    assert DeviceUrl.parse("sim:board?seed=7", SCHEMES).number("seed", 0, 0, 99) == 7
    assert DeviceUrl.parse("replay:some%20folder", SCHEMES).path == "some folder"
    assert DeviceUrl.parse("http://host:80/x", ("http",)).path == "//host:80/x"


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("", "devices.url.no_scheme"),
        ("/dev/ttyACM0", "devices.url.no_scheme"),
        (":x", "devices.url.no_scheme"),
        ("usb:x", "devices.url.unknown_scheme"),
        ("sim:board?seed", "devices.url.options"),
        ("sim:board?seed=1&seed=2", "devices.url.options"),
    ],
)
def test_faults_are_named(text: str, id: str) -> None:
    with pytest.raises(InputError) as caught:
        DeviceUrl.parse(text, SCHEMES)
    assert caught.value.message.id == id
    assert dict(caught.value.message.parameters)["url"] == text


def test_all_strange_options_are_named_together() -> None:
    with pytest.raises(InputError) as caught:
        DeviceUrl.parse("sim:board?speed=2&sped=3&seed=1", SCHEMES).only("seed")
    assert [dict(message.parameters)["option"] for message in caught.value.messages] == ["sped", "speed"]


@pytest.mark.parametrize("value", ["x", "", "-1", "100", "1.5"])
def test_numbers_have_bounds(value: str) -> None:
    with pytest.raises(InputError) as caught:
        DeviceUrl.parse(f"sim:board?seed={value}", SCHEMES).number("seed", 0, 0, 99)
    assert caught.value.message.id == "devices.url.bad_number"


def test_serial_addresses() -> None:
    def address(text: str) -> Address:
        return Address.from_url(DeviceUrl.parse(text, SCHEMES))

    assert address("serial:/dev/ttyACM0") == Address("/dev/ttyACM0")
    assert address("serial:?serial_number=E66&baud=9600") == Address(serial_number="E66", baud=9600)
    assert address("serial:?usb=2e8a:0005") == Address(usb_id="2E8A:0005")
    with pytest.raises(InputError) as caught:
        address("serial:")
    assert caught.value.message.id == "devices.url.no_port"


def test_a_device_is_found_by_the_surest_that_is_known() -> None:
    ports = [Port("/dev/a", "1", "2E8A:0005"), Port("/dev/b", "2", "2E8A:0005")]
    assert Address("/dev/a", serial_number="2").find(ports) == "/dev/b"
    assert Address("/dev/a", serial_number="3").find(ports) is None
    assert Address("/dev/c").find(ports) == "/dev/c"
    assert Address(usb_id="2E8A:0005").find(ports) == "/dev/a"
    assert Address(usb_id="303A:1001").find(ports) is None


def test_waits_double_up_to_a_limit_and_differ_by_chance() -> None:
    assert [Backoff(lambda: 0.5).wait_ms()] == [FIRST_WAIT_MS]
    backoff = Backoff(lambda: 0.5)
    waits = [backoff.wait_ms() for _ in range(8)]
    assert waits == [min(FIRST_WAIT_MS * 2**turn, LONGEST_WAIT_MS) for turn in range(8)]
    backoff.reset()
    assert backoff.wait_ms() == FIRST_WAIT_MS
    assert Backoff(lambda: 0.0).wait_ms() == FIRST_WAIT_MS * 3 // 4
    assert Backoff(lambda: 1.0).wait_ms() == FIRST_WAIT_MS * 5 // 4
