"""PDF files written by the tests, read as if a browser had drawn them."""

import io

import numpy as np
import pytest
from PIL import Image

from pagelet.methods.segments.geometry.boxes import boxes_of_page
from pagelet.page.layout import Rendering
from tests.sources.pdf.drawn_pdf import drawn, edges, texts
from tests.sources.pdf.written_pdf import Pixels, Sheet, colour, form, image, rectangle, words

PIXELS = 96 / 72
RED, BLUE = (255, 0, 0), (0, 0, 255)


def inked(found: Rendering) -> list[float]:
    """The rectangle around all that is not white in the picture."""
    pixels = np.asarray(Image.open(io.BytesIO(found.picture)).convert("L"))
    down, across = np.flatnonzero((pixels < 200).any(axis=1)), np.flatnonzero((pixels < 200).any(0))
    return [across[0], down[0], across[-1] + 1, down[-1] + 1]


# -- text -------------------------------------------------------------------------------------

COLUMNS = "".join(
    words(f"left line {at}", 50, 700 - 14 * at) + words(f"right line {at}", 320, 700 - 14 * at)
    for at in range(4)
)


def test_two_columns_painted_line_by_line():
    found = drawn(Sheet(COLUMNS), picture=False)
    expected = [f"{side} line {at}" for at in range(4) for side in ("left", "right")]
    assert expected == texts(found)
    lefts = {round(float(left)) for left in found.layout.line_left}
    assert lefts == {round(50 * PIXELS), round(320 * PIXELS)}
    assert found.layout.line_chars.tolist() == [len(text) for text in expected]


def test_every_character_is_there_once():
    said = "All is <b>well</b> & (ends) \\ well; 1 < 2"
    found = drawn(Sheet(words(said, 50, 700) + words("x", 50, 100)), picture=False)
    assert texts(found) == [said, "x"]


def test_a_hyphen_at_the_end_of_a_line():
    found = drawn(Sheet(words("a sen-", 50, 700) + words("tence", 50, 686)), picture=False)
    assert texts(found) == ["a sen-", "tence"]


def test_how_a_line_is_written():
    content = colour(200, 30, 60) + words("bold", 50, 700, 18, "F2")
    content += colour(0, 0, 0) + words("scaled", 50, 600, 1, turn="24 0 0 24")
    layout = drawn(Sheet(content), picture=False).layout
    rows = layout.line_row
    assert layout.colour[rows].tolist() == [[200, 30, 60], [0, 0, 0]]
    assert layout.font_size[rows].tolist() == pytest.approx([24, 32])
    assert layout.font_weight[rows].tolist() == [700, 400]
    assert (layout.colour[rows - 1] == layout.colour[rows]).all()  # its paragraph is the same
    assert layout.drawn[rows].all()
    assert (layout.paint[rows] > 0).all()


# -- places -----------------------------------------------------------------------------------


@pytest.mark.parametrize("crop", [None, (102, 51, 501, 699)], ids=["whole", "cut"])
@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_what_is_painted_is_where_the_picture_shows_it(rotate, crop):
    found = drawn(Sheet(rectangle(120, 300, 90, 40), rotate=rotate, crop=crop))
    (place,) = edges(found, "div")
    assert place == pytest.approx(inked(found), abs=1)
    size = Image.open(io.BytesIO(found.picture)).size
    assert size == (round(found.layout.page_width), round(found.layout.page_height))


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_text_is_where_the_picture_shows_it(rotate):
    found = drawn(Sheet(words("Hlpg", 200, 300, 36), rotate=rotate))
    left, top, right, bottom = found.layout.line_edges[0]
    ink = inked(found)
    assert left - 1 <= ink[0] < ink[2] <= right + 1
    assert top - 1 <= ink[1] < ink[3] <= bottom + 1
    assert (right - left) * (bottom - top) < 2.5 * (ink[2] - ink[0]) * (ink[3] - ink[1])


@pytest.mark.parametrize("outer", ["", "110 0 600 225 re W n "], ids=["inside", "around"])
def test_forms_within_forms_and_what_cuts_them(outer):
    inner = "q 0 0 20 10 re W n " + rectangle(-50, -50, 100, 100) + "Q"
    forms = {"A": inner, "B": form("A", "1 0 0 1 5 7")}
    found = drawn(Sheet(outer + form("B", "2 0 0 3 100 200"), forms=forms))
    (place,) = edges(found, "div")
    assert place == pytest.approx(inked(found), abs=1)


def test_what_lies_off_the_page_is_not_drawn():
    content = words("seen", 50, 700) + words("off", 50, 5000) + rectangle(600, 10, 500, 20)
    found = drawn(Sheet(content), picture=False)
    assert found.layout.drawn[found.layout.line_row].tolist() == [True, False]
    assert found.layout.paint[found.layout.line_row].tolist() == [1, -1]
    assert edges(found, "div") == [[800, 1016, 816, 1042.7]]


# -- images and shapes ------------------------------------------------------------------------


def test_an_image_has_the_mean_of_its_opaque_pixels():
    pixels = Pixels([[RED, BLUE]] * 2, [[255, 0]] * 2)
    sheet = Sheet(image("I", 100, 200, 40, 30), images={"I": pixels})
    found = drawn(sheet, picture=False)
    row = [found.page.name(row) for row in range(len(found.page))].index("img")
    assert found.layout.colour[row].tolist() == [255, 0, 0]
    assert edges(found, "img") == [[133.3, 749.3, 186.7, 789.3]]


def test_things_come_in_the_order_they_are_painted():
    pixels = {"I": Pixels([[RED]])}
    content = words("one", 50, 700) + image("I", 50, 600, 40, 30) + words("two", 50, 500)
    content += rectangle(50, 400, 100, 40) + words("three", 50, 300)
    page = drawn(Sheet(content, images=pixels), picture=False).page
    names = [page.name(row) or page.text(row) for row in range(page.body + 1, len(page))]
    assert names == ["p", "one", "img", "p", "two", "div", "p", "three"]


def test_surfaces_frames_and_rules():
    content = colour(10, 20, 30) + rectangle(50, 600, 200, 80) + "0.5 0 0 RG 3 w "
    content += rectangle(50, 400, 200, 80, "S") + "1 w 50 300 m 250 300 l S\n"
    found = drawn(Sheet(content), picture=False)
    first = found.page.body + 1
    assert found.layout.background[first:].tolist() == [
        [10, 20, 30, 255],
        [0, 0, 0, 0],
        [128, 0, 0, 255],
    ]
    assert found.layout.border[first:, 0].tolist() == [0, 4, 0]


def test_white_on_bare_paper_is_not_seen():
    white = colour(255, 255, 255) + rectangle(0, 0, 612, 792)
    assert edges(drawn(Sheet(white), picture=False), "div") == []
    over = colour(0, 0, 255) + rectangle(0, 0, 612, 792) + white
    assert len(edges(drawn(Sheet(over), picture=False), "div")) == 2


def test_pieces_that_touch_are_one_drawing():
    leaf = "{0} 400 m {1} 460 l {2} 400 l f\n"
    pieces = leaf.format(100, 120, 140) + leaf.format(130, 150, 170) + rectangle(105, 402, 50, 20)
    found = drawn(Sheet(pieces + leaf.format(400, 420, 440)), picture=False)
    (drawing,) = edges(found, "img")
    assert drawing == pytest.approx([100 * PIXELS, 332 * PIXELS, 170 * PIXELS, 392 * PIXELS], abs=1)
    assert len(edges(found, "div")) == 1  # the leaf that stands alone


RING = "50 300 100 80 re 60 310 80 60 re f*\n"
STAR = "50 300 m " + "".join(f"{50 + at % 7 * 9} {300 + at % 5 * 9} l " for at in range(70)) + "f\n"


@pytest.mark.parametrize("path", [RING, STAR], ids=["two parts", "many parts"])
def test_a_path_of_several_pieces_is_a_drawing(path):
    found = drawn(Sheet(path), picture=False)
    assert len(edges(found, "img")) == 1
    assert edges(found, "div") == []


def test_a_font_that_lies_about_its_height():
    content = words("Hx", 200, 300, 36, "F3") + words("Hx", 200, 500, 36)
    lied, plain = drawn(Sheet(content), picture=False).layout.line_edges
    assert 0.3 * (plain[3] - plain[1]) < lied[3] - lied[1] < plain[3] - plain[1]


def test_an_underline_belongs_to_its_text():
    content = words("linked", 50, 700) + rectangle(50, 698, 30, 1) + rectangle(50, 650, 300, 1)
    found = drawn(Sheet(content), picture=False)
    assert [round(place[1]) for place in edges(found, "div")] == [round((792 - 651) * PIXELS)]


def test_boxes_of_a_pdf():
    content = colour(240, 240, 200) + rectangle(40, 640, 200, 80) + colour(0, 0, 0) + COLUMNS
    found = drawn(
        Sheet(content + image("I", 300, 100, 50, 50), images={"I": Pixels([[RED]])}), picture=False
    )
    boxes = boxes_of_page(found.page, found.layout)
    assert len(boxes) == 9  # eight lines and the image; the surface holds lines
    assert boxes.colour[-1].tolist() == [255, 0, 0]
