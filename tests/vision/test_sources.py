"""Every kind of source, against real files and a real local server; cameras by the way they are missed."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from nardi_vision.errors import EyeError
from nardi_vision.frame import encode_jpeg
from nardi_vision.sources import open_source
from nardi_vision.sources.exposure import LONGEST, STEADY, Settling
from nardi_vision.sources.mjpeg import MjpegParser
from nardi_vision.sources.recording import RecordingSource
from nardi_vision.sources.source import Address


def grey(level: int, size: tuple[int, int] = (240, 320)) -> np.ndarray:
    return np.full((*size, 3), level, np.uint8)


def reason(url: str) -> str:
    with pytest.raises(EyeError) as caught:
        open_source(url)
    assert caught.value.details["source"] == url
    assert caught.value.details["remedy"]
    return caught.value.reason


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("nonsense", "source_unknown"),
        ("ftp:thing", "source_unknown"),
        ("folder:/no/such/folder", "source_missing"),
        ("replay:/no/such/folder", "source_missing"),
        ("file:/no/such/film.avi", "source_missing"),
        ("v4l2:/dev/video999", "source_missing"),
        ("v4l2:/dev/video999?widht=3", "source_option"),
        ("picamera2:zero", "source_option"),
        ("picamera2:0", "picamera2_missing"),
        ("http://127.0.0.1:9/none", "source_unreachable"),
    ],
)
def test_what_cannot_be_opened_is_named(url: str, expected: str) -> None:
    assert reason(url) == expected


def test_a_device_that_is_no_camera_is_named(tmp_path: Path) -> None:
    place = tmp_path / "video0"
    place.write_bytes(b"")
    assert reason(f"v4l2:{place}") == "source_busy"


def test_folder_gives_its_pictures_in_order_and_names_the_torn_one(tmp_path: Path) -> None:
    for index, level in enumerate((40, 80, 120)):
        (tmp_path / f"{index}.jpg").write_bytes(encode_jpeg(grey(level)))
    (tmp_path / "1.jpg").write_bytes(encode_jpeg(grey(80))[:-300])
    (tmp_path / "notes.txt").write_text("no picture")
    frames = list(open_source(f"folder:{tmp_path}?interval_ms=700"))
    assert [frame.t_ms for frame in frames] == [0, 700, 1400]
    assert [frame.image is None for frame in frames] == [False, True, False]
    assert frames[1].fault is not None
    assert frames[1].fault.reason == "picture_torn"
    assert frames[2].image is not None
    assert abs(int(frames[2].image.mean()) - 120) <= 2


def test_an_empty_folder_and_a_bad_option(tmp_path: Path) -> None:
    assert reason(f"folder:{tmp_path}") == "source_empty"
    assert reason(f"folder:{tmp_path}?interval_ms=fast") == "source_option"


def recording(folder: Path, rows: list[str]) -> Path:
    (folder / "frames").mkdir()
    for index in range(3):
        (folder / "frames" / f"{index:06d}.jpg").write_bytes(encode_jpeg(grey(50 * index)))
    (folder / "frames.jsonl").write_text("\n".join(rows) + "\n")
    return folder


def test_recording_gives_its_frames_at_their_times(tmp_path: Path) -> None:
    rows = [json.dumps({"t_ms": t, "file": f"{i:06d}.jpg"}) for i, t in enumerate((1000, 2800, 3500))]
    folder = recording(tmp_path, [rows[1], rows[0], rows[2], json.dumps({"t_ms": 4000, "file": "gone.jpg"})])
    frames = list(open_source(f"replay:{folder}"))
    assert [frame.t_ms for frame in frames] == [1000, 2800, 3500, 4000]
    assert frames[3].fault is not None
    assert frames[3].fault.reason == "picture_missing"
    waits: list[float] = []
    list(RecordingSource(Address.parse(f"replay:{folder}?pace=2"), waits.append))
    assert waits == pytest.approx([0, 0.9, 0.35, 0.25])


@pytest.mark.parametrize("bad", ["{", '{"t_ms": "soon", "file": "a"}', '{"file": "a"}', "[]"])
def test_a_bad_line_of_a_recording_is_named(tmp_path: Path, bad: str) -> None:
    folder = recording(tmp_path, ['{"t_ms": 1, "file": "000000.jpg"}', bad])
    with pytest.raises(EyeError) as caught:
        open_source(f"replay:{folder}")
    assert caught.value.reason == "recording_line"
    assert caught.value.details["line"] == 2


def test_video_file_gives_frames_at_their_times(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (320, 240))
    assert writer.isOpened()
    for level in (30, 90, 150, 210):
        writer.write(grey(level))
    writer.release()
    source = open_source(f"file:{path}")
    frames = list(source)
    source.close()
    assert len(frames) == 4
    assert np.diff([frame.t_ms for frame in frames]).tolist() == [100, 100, 100]
    means = [int(frame.image.mean()) for frame in frames if frame.image is not None]
    assert means == pytest.approx([30, 90, 150, 210], abs=4)


def test_a_file_that_is_no_video(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    path.write_bytes(b"text" * 1000)
    assert reason(f"file:{path}") == "source_unreadable"


class Stream(BaseHTTPRequestHandler):
    """Four pictures, the third torn; with lengths or without, by path."""

    def do_GET(self) -> None:
        if self.path == "/none":
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        for index, level in enumerate((30, 90, 150, 210)):
            data = encode_jpeg(grey(level))
            if index == 2:
                data = data[:300] + data[-2:] if self.path == "/plain" else data[:300]
            length = f"Content-Length: {len(data)}\r\n" if self.path == "/lengths" else ""
            self.wfile.write(f"--frame\r\nContent-Type: image/jpeg\r\n{length}\r\n".encode() + data + b"\r\n")
        self.wfile.write(b"--frame--\r\n")

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Stream) as http:
        thread = threading.Thread(target=http.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{http.server_address[1]}"
        http.shutdown()
        thread.join()


@pytest.mark.parametrize("path", ["lengths", "plain"])
def test_mjpeg_stream(server: str, path: str) -> None:
    ticks = iter(range(100, 2000, 100))
    source = open_source(f"{server}/{path}", lambda: next(ticks))
    frames = list(source)
    source.close()
    assert [frame.t_ms for frame in frames] == [100, 200, 300, 400]
    levels = [None if frame.image is None else int(frame.image.mean()) for frame in frames]
    assert levels[0] == pytest.approx(30, abs=2)
    assert levels[3] == pytest.approx(210, abs=2)
    if path == "lengths":
        assert frames[2].fault is not None
        assert frames[2].fault.reason == "picture_torn"


def test_mjpeg_stream_that_is_refused(server: str) -> None:
    assert reason(f"{server}/none") == "source_refused"


@pytest.mark.parametrize("lengths", [True, False])
@pytest.mark.parametrize("piece", [1, 7, 1000, 10**6])
def test_mjpeg_pieces_of_any_size(piece: int, lengths: bool) -> None:
    pictures = [encode_jpeg(grey(level, (160, 160)), 50) for level in (1, 128, 250)]
    stream = b"".join(
        b"--x\r\nContent-Type: image/jpeg\r\n"
        + (f"Content-Length: {len(data)}\r\n".encode() if lengths else b"")
        + b"\r\n"
        + data
        + b"\r\n"
        for data in pictures
    )
    stream = b"garbage" * 500 + stream + b"--x--\r\n"
    parser = MjpegParser()
    got = [picture for at in range(0, len(stream), piece) for picture in parser.feed(stream[at : at + piece])]
    assert got == pictures


def test_case_29_exposure_counts_as_settled_once_it_holds_still() -> None:
    settling = Settling()
    levels = [100 + 10 * i for i in range(8)] + [180] * 20
    answers = [settling.seen(grey(level)) for level in levels]
    assert answers.index(True) == 8 + STEADY - 1
    assert answers.count(True) == 1


def test_case_29_exposure_that_hunts_for_ever_is_locked_all_the_same() -> None:
    settling = Settling()
    answers = [settling.seen(grey(100 + 30 * (i % 2))) for i in range(2 * LONGEST)]
    assert answers.index(True) == LONGEST - 1
