"""Pictures that can and cannot be used."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from nardi_vision.errors import EyeError
from nardi_vision.frame import check_picture, decode_picture, encode_jpeg, load_picture

GREY = np.full((240, 320, 3), 99, np.uint8)


@pytest.fixture
def picture() -> np.ndarray:
    image = np.random.default_rng(1).integers(0, 255, (240, 320, 3), np.uint8)
    return cv2.GaussianBlur(image, (0, 0), 3)


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".bmp"])
def test_pictures_load(tmp_path: Path, picture: np.ndarray, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    assert cv2.imwrite(str(path), picture)
    loaded = load_picture(path, (320, 240))
    assert loaded.shape == (240, 320, 3)
    assert np.abs(loaded.astype(int) - picture).mean() < 4


def reason(path: Path, size: tuple[int, int] | None = None) -> str:
    with pytest.raises(EyeError) as caught:
        load_picture(path, size)
    assert caught.value.details["file"] == str(path)
    assert caught.value.details["remedy"]
    return caught.value.reason


def test_missing_file(tmp_path: Path) -> None:
    assert reason(tmp_path / "none.jpg") == "picture_missing"
    assert reason(tmp_path) == "picture_unreadable"


@pytest.mark.parametrize("suffix", [".jpg", ".png"])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.7, 0.97])
def test_torn_file(tmp_path: Path, picture: np.ndarray, suffix: str, share: float) -> None:
    data = cv2.imencode(suffix, picture)[1].tobytes()
    path = tmp_path / f"torn{suffix}"
    path.write_bytes(data[: int(share * len(data))])
    assert reason(path) == "picture_torn"


def test_a_preview_inside_does_not_hide_that_the_picture_is_torn(picture: np.ndarray) -> None:
    data = encode_jpeg(picture)
    preview = encode_jpeg(picture[::2, ::2].copy(), 30)
    inside = data[:2] + b"\xff\xe1" + (len(preview) + 2).to_bytes(2, "big") + preview + data[2:]
    assert decode_picture(inside, "whole").shape == (240, 320, 3)
    with pytest.raises(EyeError, match="picture_torn"):
        decode_picture(inside[:-100], "torn")


def test_bytes_after_the_end_do_no_harm(picture: np.ndarray) -> None:
    assert decode_picture(encode_jpeg(picture) + b"trailer" * 99, "phone").shape == (240, 320, 3)


def test_other_unusable_files(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(b"")
    assert reason(path) == "picture_empty"
    path.write_bytes(b"no picture at all" * 100)
    assert reason(path) == "not_a_picture"
    path.write_bytes(encode_jpeg(GREY))
    assert reason(path, (960, 720)) == "picture_size"
    path.write_bytes(encode_jpeg(GREY[:100]))
    assert reason(path) == "picture_small"


def test_arrays_of_other_shapes_are_refused() -> None:
    for wrong in (GREY[:, :, 0], GREY.astype(np.float32)):
        with pytest.raises(EyeError, match="not_a_picture"):
            check_picture(wrong)
