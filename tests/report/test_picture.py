"""Segments drawn over a page: colours, numbers, and pictures that are looked at pixel by pixel."""

import io
import sys
import xml.etree.ElementTree as ET
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from pagelet.errors import MissingExtra
from pagelet.methods.segments.geometry.partition import Segments, segments_of
from pagelet.page.layout import IMAGE, Layout, Rendering, boxes_of, empty_layout
from pagelet.report import picture as segments_picture
from pagelet.report.palette import luminance
from pagelet.report.picture import (
    GREY,
    IMAGE_BOX,
    PALETTE,
    TEXT_BOX,
    choose_colours,
    draw_png,
    draw_svg,
    plan,
    text_colour,
)
from tests.build import html, page_of
from tests.layouts import layouts, scattered, sheets

SVG = "{http://www.w3.org/2000/svg}"
PAGE = page_of(html(("p", "one & <two>"), ("p", "three\x0b\ufffe"), ("p", "four " * 200)))
ROWS = [at for at in range(len(PAGE)) if PAGE.tag[at] == 0][1:]  # the first text is the title


def rendering(width=400.0, height=300.0, picture=b"", scale=1.0) -> Rendering:
    layout = Layout(**empty_layout(len(PAGE), (width, height)))
    return Rendering(PAGE, layout, picture, scale)


def screenshot(width, height, colour=(200, 220, 240)) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(out, "PNG")
    return out.getvalue()


def opened(png: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB")).astype(int)


def three() -> Segments:
    """Two segments far apart, and a loose box."""
    edges = [(50, 50, 150, 100), (250, 50, 350, 100), (50, 200, 150, 250)]
    boxes = boxes_of(edges, row=ROWS, kind=[0, IMAGE, 0], page=(400, 300))
    return segments_of(boxes, np.array([0, 1, -1]))


# -- colours ----------------------------------------------------------------------------------


def test_numbers_can_be_read_on_every_colour():
    for colour in PALETTE:
        light, dark = sorted((luminance(colour), luminance(text_colour(colour))), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5


@pytest.mark.parametrize("wide", [5, 6, 7])
def test_neighbours_differ_in_a_grid(wide):
    lefts = range(0, 10 * wide, 10)
    edges = np.array([(x, y, x + 8, y + 8) for y in range(0, 90, 10) for x in lefts])
    found = choose_colours(edges.astype(float))
    for (at, one), (to, other) in combinations(enumerate(edges.tolist()), 2):
        if abs(one[0] - other[0]) + abs(one[1] - other[1]) == 10:
            assert found[at] != found[to]
    assert set(found.tolist()) == set(range(len(PALETTE)))


def test_a_neighbour_of_many_shares_its_colour_with_none():
    rows = [(60, 50 * at, 200, 50 * at + 40) for at in range(20)]
    found = choose_colours(np.array([(0, 0, 50, 1000), *rows], float))
    assert found[0] not in found[1:]


@given(layouts(most=8))
def test_colours_of_any_rectangles(boxes):
    found = choose_colours(boxes.edges)
    assert len(found) == len(boxes)
    assert ((found >= 0) & (found < len(PALETTE))).all()


# -- numbers ----------------------------------------------------------------------------------


def test_a_number_stands_where_it_hides_nothing():
    boxes = boxes_of([(100, 100, 300, 120), (100, 70, 300, 99)], page=(400, 300))
    found = plan(segments_of(boxes, np.array([0, 1])), 1.0, (400, 300))
    for left, top, right, bottom in found.tags:
        for box in boxes.edges:
            apart = right <= box[0] or left >= box[2] or bottom <= box[1] or top >= box[3]
            assert apart


def test_numbers_of_segments_that_coincide():
    boxes = boxes_of([(100, 100, 300, 160)] * 4, page=(400, 300))
    tags = plan(segments_of(boxes, np.arange(4)), 1.0, (400, 300)).tags
    assert len({tuple(tag) for tag in tags.tolist()}) == 4


@given(st.integers(1, 40))
def test_numbers_of_segments_in_a_row_do_not_hide_one_another(count):
    edges = [(60, 40 * at + 20, 200, 40 * at + 38) for at in range(count)]
    boxes = boxes_of(edges, page=(260, 40 * count + 20))
    tags = plan(segments_of(boxes, np.arange(count)), 1.0, (260, 40 * count + 20)).tags
    for one, other in combinations(tags.tolist(), 2):
        apart_across = one[2] <= other[0] or other[2] <= one[0]
        assert apart_across or one[3] <= other[1] or other[3] <= one[1]


@given(layouts(most=8, reach=300))
def test_numbers_stay_on_the_page(boxes):
    size = (max(boxes.page_width, 40), max(boxes.page_height, 40))
    tags = plan(segments_of(boxes, np.arange(len(boxes))), 1.0, size).tags
    assert (tags[:, :2] >= 0).all()
    assert (tags[:, 2:] <= np.array(size)).all()


# -- PNG --------------------------------------------------------------------------------------


def test_segments_over_a_picture():
    pixels = opened(draw_png(rendering(picture=screenshot(800, 600), scale=2), three()))
    assert pixels.shape == (600, 800, 3)
    inside, other, loose, outside = (
        pixels[y, x].tolist() for x, y in ((200, 150), (600, 150), (200, 450), (400, 300))
    )
    assert outside == [200, 220, 240]
    assert loose == [200, 220, 240]
    assert len({tuple(inside), tuple(other), tuple(outside)}) == 3
    assert pixels[150, 98].tolist() == pixels[150, 99].tolist() == list(PALETTE[0])
    assert pixels[150, 97].tolist() == [255, 255, 255]  # a white line around it
    assert pixels[400, 200].tolist() == list(GREY)


def test_an_edge_hides_nothing_inside():
    pixels = opened(draw_png(rendering(picture=screenshot(400, 300)), three()))
    tinted = pixels[75, 100].tolist()
    assert (pixels[50:100, 70:150] == tinted).all()


def test_without_a_picture_the_boxes_are_drawn():
    segments = three()
    loose = Segments(segments.boxes, np.full(3, -1, np.int32))
    pixels = opened(draw_png(rendering(), loose))
    assert pixels[75, 100].tolist() == list(TEXT_BOX)
    assert pixels[75, 300].tolist() == list(IMAGE_BOX)
    assert pixels[150, 200].tolist() == [255, 255, 255]


def test_a_picture_of_another_size_is_stretched():
    pixels = opened(draw_png(rendering(picture=screenshot(200, 150)), three()))
    assert pixels.shape == (300, 400, 3)
    assert pixels[290, 390].tolist() == [200, 220, 240]


def test_a_long_and_narrow_page():
    empty = segments_of(boxes_of([]), np.zeros(0, np.intp))
    height, _, _ = opened(draw_png(rendering(20, 200_000), empty)).shape
    assert height == segments_picture.MAX_SIDE_PIXELS


@pytest.mark.parametrize("picture", [b"no picture", screenshot(30, 30)[:20]])
def test_what_is_no_picture_is_not_read(picture):
    assert opened(draw_png(rendering(picture=picture), three())).shape == (300, 400, 3)


def test_a_page_without_a_size():
    empty = segments_of(boxes_of([]), np.zeros(0, np.intp))
    assert opened(draw_png(rendering(0, 0), empty)).shape == (1, 1, 3)
    assert opened(draw_png(rendering(0, 0), three())).shape == (250, 350, 3)


def test_a_page_of_200_000_pixels():
    boxes = scattered(16_000)
    boxes = boxes.take(np.argsort(boxes.top)[: np.sum(boxes.bottom < 200_000)])
    segments = segments_of(boxes, np.arange(len(boxes)) // 7)
    png = draw_png(rendering(1280, 200_000), segments)
    width, height = Image.open(io.BytesIO(png)).size
    assert width * height <= segments_picture.MAX_DRAWING_PIXELS
    assert height <= segments_picture.MAX_SIDE_PIXELS
    assert width / height == pytest.approx(1280 / 200_000, rel=0.01)


def test_20_000_boxes_as_large_as_the_page():
    boxes = sheets(20_000)
    segments = segments_of(boxes, np.arange(len(boxes)) % 2_000)
    draw_png(rendering(1000, 1000), segments)
    draw_svg(rendering(1000, 1000), Segments(boxes, np.full(len(boxes), -1, np.int32)))


def test_a_picture_of_too_many_pixels_is_left_out(monkeypatch):
    monkeypatch.setattr(segments_picture, "MAX_PICTURE_PIXELS", 100)
    pixels = opened(draw_png(rendering(picture=screenshot(400, 300)), three()))
    assert pixels[150, 200].tolist() == [255, 255, 255]


def test_pillow_may_be_absent(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    with pytest.raises(MissingExtra, match="drawing segments as PNG"):
        draw_png(rendering(), three())
    assert draw_svg(rendering(), three())


# -- SVG --------------------------------------------------------------------------------------


def test_svg_can_be_read_and_tells_the_text():
    root = ET.fromstring(draw_svg(rendering(picture=screenshot(4, 3)), three()))
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert titles[0] == "1: one & <two>"
    assert titles[1] == "2: three \ufffd"
    assert [text.text for text in root.iter(f"{SVG}text")] == ["1", "2"]
    (image,) = root.iter(f"{SVG}image")
    assert image.attrib["href"].startswith("data:image/png;base64,")
    assert (image.attrib["width"], image.attrib["height"]) == ("400", "300")
    tinted = [rect for rect in root.iter(f"{SVG}rect") if len(rect)]
    place = [float(tinted[1].attrib[name]) for name in ("x", "y", "width", "height")]
    assert place == [250, 50, 100, 50]


def test_svg_without_a_picture_has_the_boxes():
    root = ET.fromstring(draw_svg(rendering(), three()))
    assert not list(root.iter(f"{SVG}image"))
    texts, images, loose = (path.attrib["d"] for path in root.iter(f"{SVG}path"))
    assert texts == "M50 50H150V100H50zM50 200H150V250H50z"
    assert images == "M250 50H350V100H250z"
    assert loose == "M50 200H150V250H50z"


def test_a_long_text_is_cut():
    boxes = boxes_of([(50, 50, 150, 100)], row=ROWS[2:], page=(400, 300))
    root = ET.fromstring(draw_svg(rendering(), segments_of(boxes, np.array([0]))))
    (title,) = root.iter(f"{SVG}title")
    assert len(title.text) == segments_picture.TOOLTIP_CHARS
    assert title.text.endswith("…")


def test_svg_needs_no_other_file():
    svg = draw_svg(rendering(picture=screenshot(4, 3)), three())
    assert svg.count("://") == 1  # the name of the format
