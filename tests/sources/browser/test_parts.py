"""The small parts of drawing: colours, windows, means."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from pagelet.sources.browser.capture import Capture
from pagelet.sources.browser.layout import ClipRects, _clip_edges, parse_colours
from pagelet.sources.browser.pictures import GREY, image_bytes, mean_colour, picture_means
from tests.build import page_of, trees
from tests.naive import browser_seen as naive
from tests.sources.drawing import png


@pytest.mark.parametrize(
    ("text", "colour"),
    [
        ("rgb(1, 2, 3)", [1, 2, 3, 255]),
        ("rgba(1, 2, 3, 0.5)", [1, 2, 3, 128]),
        ("rgba(0, 0, 0, 0)", [0, 0, 0, 0]),
        ("color(srgb 1 0.5 0 / 0.2)", [255, 128, 0, 51]),
        ("color(display-p3 2 0 -1)", [255, 0, 0, 255]),
        ("oklab(1 0 0)", [255, 255, 255, 255]),
        ("oklch(0.627955 0.257683 29.2339)", [255, 0, 0, 255]),
        ("oklch(0.452014 0.313214 264.052deg / 50%)", [0, 0, 255, 128]),
        ("lab(54.2917 80.8125 69.8851)", [255, 0, 0, 255]),
        ("lch(29.5683 131.2 301.364)", [0, 0, 255, 255]),
        ("oklch(none none none)", [0, 0, 0, 255]),
        ("red", [0, 0, 0, 0]),
        ("rgb()", [0, 0, 0, 0]),
        ("", [0, 0, 0, 0]),
    ],
)
def test_colours_of_styles(text, colour):
    assert np.abs(parse_colours([text])[0].astype(int) - colour).max() <= 1


@given(st.text(max_size=20))
def test_any_text_is_some_colour(text):
    assert parse_colours([text, f"oklch({text})", f"rgb({text})"]).shape == (3, 4)


# -- what is seen through what ------------------------------------------------------------------

edges = st.tuples(*[st.integers(0, 40)] * 2, *[st.integers(20, 60)] * 2)
rows = st.tuples(st.booleans(), st.sampled_from("static relative absolute fixed".split()), edges)


@given(trees, st.data())
def test_windows_equal_a_walk_up(tree, data):
    page, whole = page_of(tree), (0.0, 0.0, 50.0, 50.0)
    known = data.draw(st.lists(rows, min_size=len(page), max_size=len(page)))
    clips, positions, boxes = (list(column) for column in zip(*known, strict=True))
    places = np.array(boxes, np.float64)
    columns = dict(zip(("left", "top", "right", "bottom"), places.T, strict=True))
    found = _clip_edges(columns, page, np.array(clips), positions, whole)
    expected = [naive.window(page, row, clips, positions, boxes, whole) for row in range(len(page))]
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("window", "box", "seen"),
    [
        ((0, 0, 10, 10), (5, 5, 20, 20), True),
        ((0, 0, 10, 10), (10, 0, 20, 10), False),
        ((0, 0, 10, 10), (5, 9, 20, 10), True),
        ((0, 0, 1, 10), (0, 0, 20, 10), False),
        ((0, 5, 10, 4), (0, 0, 20, 10), False),
        ((0, 0, 10, 10), (5, 5, 5, 20), False),
    ],
)
def test_seen_through_a_window(window, box, seen):
    windows = ClipRects(np.array([True]), np.array([window], np.float64))
    assert windows.show(np.array([0]), np.array([box], np.float64)).tolist() == [seen]


# -- means --------------------------------------------------------------------------------------


@given(st.integers(0, 2**32), st.lists(edges, min_size=1, max_size=9))
def test_means_of_a_picture(seed, places):
    pixels = np.random.default_rng(seed).integers(0, 255, (50, 40, 3)).astype(np.uint8)
    written = io.BytesIO()
    Image.fromarray(pixels).save(written, "PNG")
    found = picture_means(written.getvalue(), np.array(places, np.float64))
    for mean, (left, top, right, bottom) in zip(found, places, strict=True):
        cut = pixels[top : max(bottom, top + 1), left : max(right, left + 1)].reshape(-1, 3)
        expected = cut.mean(axis=0) if len(cut) else GREY
        assert np.abs(mean - expected).max() <= 0.5 + 1e-9


def test_a_large_picture_is_made_smaller_first():
    picture = png((255, 0, 0, 255), (0, 0, 255, 255), size=2000)
    found = picture_means(picture, np.array([[0, 0, 2000, 2000], [1000, 0, 3000, 9000.0]]))
    np.testing.assert_allclose(found, [[255, 0, 0], [128, 0, 128]], atol=1)


def test_mean_of_an_image():
    assert mean_colour(png((10, 20, 30, 255), (200, 0, 0, 0))) == (10, 20, 30)
    assert mean_colour(png((0, 0, 0, 0))) is None
    assert mean_colour(b"") is None
    assert mean_colour(b"no image") is None
    assert mean_colour(png((1, 2, 3, 255))[:60]) is None


def test_an_image_that_unpacks_to_too_much_is_left_alone():
    written = io.BytesIO()
    Image.new("1", (40_000, 5_000)).save(written, "PNG")
    assert mean_colour(written.getvalue()) is None


def test_bytes_of_images():
    found = Capture()
    found.images["http://x/i"] = b"body"
    assert image_bytes("http://x/i#part", found) == b"body"
    assert image_bytes("http://x/other", found) == b""
    assert image_bytes("data:image/gif;base64,YWJj", found) == b"abc"
    assert image_bytes("data:,a%20b", found) == b"a b"
    assert image_bytes("data:image/gif;base64,!", found) == b""
