"""PDF files as files: opening, pages, limits, and all that can be wrong with them."""

import io
import pickle
import sys

import pytest
from PIL import Image

from pagelet.errors import MissingExtra, OptionError, PageError, PasswordNeeded, Unreachable
from pagelet.methods.segments.geometry.boxes import boxes_of_page
from pagelet.sources import pdf as pdf_source
from pagelet.sources.pdf import PdfFile, PdfOptions, read_pdf
from pagelet.sources.pdf import shapes as pdf_objects
from tests.sources.pdf.drawn_pdf import drawn, edges, texts
from tests.sources.pdf.written_pdf import Pixels, Sheet, image, pdf, rectangle, words

PIXELS = 96 / 72
RED = (255, 0, 0)
PLAIN = PdfOptions(picture=False)

# The keys are made up, so that no password fits.
LOCK = f"/Filter/Standard/V 1/R 2/P -4/O<{'00' * 32}>/U<{'11' * 32}>"
LOCKED = pdf(Sheet(), more=f"/Encrypt<<{LOCK}>>/ID[<00><00>]")


def test_pages_one_after_the_other(tmp_path):
    path = tmp_path / "two.pdf"
    path.write_bytes(pdf(Sheet(words("one", 50, 50)), Sheet(), title="A < B"))
    first, second = read_pdf(path, options=PLAIN)
    assert texts(first) == ["one"]
    assert texts(second) == []
    assert not first.picture
    assert "<title>A &lt; B</title>" in str(first.page.source)
    assert len(boxes_of_page(second.page, second.layout)) == 0


def test_pages_are_read_when_they_are_asked_for():
    broken = pdf(*[Sheet()] * 3).replace(b"/Type/Page/", b"/Type/Fake/", 2)
    with PdfFile(broken, options=PLAIN) as file:
        assert len(file) == 3
        file.page(3)


def test_10_000_pages():
    with PdfFile(pdf(*[Sheet(words("x", 9, 9))] * 10_000), options=PLAIN) as file:
        assert len(file) == 10_000
        assert texts(file.page(10_000)) == ["x"]


def test_numbers_of_pages():
    with PdfFile(pdf(Sheet()), name="a.pdf") as file:
        for number in (0, 2, -1):
            with pytest.raises(OptionError, match=r"a\.pdf has pages 1 to 1"):
                file.page(number)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "not a PDF"),
        (b"<html>no</html>", "not a PDF"),
        (pdf(Sheet())[:200], "not a PDF"),
        (pdf(), "no pages"),
    ],
    ids=["empty", "HTML", "cut off", "no pages"],
)
def test_what_is_no_pdf(data, why):
    for _ in range(2):
        with pytest.raises(PageError, match=rf"^a\.pdf: .*{why}"):
            list(read_pdf(data, name="a.pdf"))
        with pytest.raises(PasswordNeeded):
            list(read_pdf(LOCKED))


def test_encrypted():
    for password in ("", "wrong"):
        with pytest.raises(PasswordNeeded, match=r"a\.pdf: the PDF is encrypted") as caught:
            PdfFile(LOCKED, name="a.pdf", options=PdfOptions(password=password))
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize("name", ["none.pdf", ".", "a\0b"])
def test_no_such_file(tmp_path, name):
    with pytest.raises(Unreachable, match="give a PDF file"):
        PdfFile(tmp_path / name)


def test_a_page_that_is_too_large_is_drawn_smaller(monkeypatch):
    monkeypatch.setattr(pdf_source, "MAX_PICTURE_PIXELS", 10_000)
    found = drawn(Sheet(rectangle(0, 0, 6000, 7000), size=(14_400, 14_400)), scale=2)
    width, height = Image.open(io.BytesIO(found.picture)).size
    assert width == height == pytest.approx(100, abs=1)
    assert found.scale == pytest.approx(100 / (14_400 * PIXELS))
    assert edges(found, "div") == [[0, 9866.7, 8000, 19200]]


def test_a_page_that_has_no_size():
    with pytest.raises(PageError, match=r"page 1: a page of .* points cannot be drawn"):
        drawn(Sheet(size=(5e6, 5e6)))


def test_more_characters_than_may_be(monkeypatch):
    monkeypatch.setattr(pdf_source, "MAX_PAGE_CHARS", 5)
    with pytest.raises(PageError, match="more than 5 characters"):
        drawn(Sheet(words("six of", 50, 50)))


def test_more_objects_than_are_looked_at(monkeypatch):
    monkeypatch.setattr(pdf_objects, "MAX_OBJECTS", 3)
    found = drawn(Sheet(rectangle(9, 9, 9, 9) * 5 + words("still read", 50, 700)), picture=False)
    assert texts(found) == ["still read"]
    assert len(edges(found, "div")) == 3
    assert found.notes == ("images and shapes after 3 objects are left out",)


def test_colours_are_left_grey_when_images_are_too_many(monkeypatch):
    monkeypatch.setattr(
        pdf_objects.PageObjects, "__init__", _few_pixels(pdf_objects.PageObjects.__init__)
    )
    sheet = Sheet(image("I", 9, 9, 9, 9) + image("I", 50, 9, 30, 30), images={"I": Pixels([[RED]])})
    layout = drawn(sheet, picture=False).layout
    assert layout.colour[-2:].tolist() == [[255, 0, 0], [128, 128, 128]]


def _few_pixels(begin):
    return lambda self: begin(self, pixels=500)


def test_the_scale_has_to_be_a_size():
    for scale in (0.0, -1.0, float("nan")):
        with pytest.raises(OptionError, match="scale"):
            PdfFile(pdf(Sheet()), options=PdfOptions(scale=scale))


@pytest.mark.parametrize("package", ["pypdfium2", "PIL.Image"])
def test_the_packages_may_be_absent(monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=r"pip install 'pagelet\[pdf\]'"):
        list(read_pdf(pdf(Sheet())))
