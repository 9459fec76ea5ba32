"""Blocks marked by people: read, carried through the drawing, and taken off."""

import numpy as np
import pytest

from pagelet import parse
from pagelet.errors import NoGold
from pagelet.lab.gold import GOLD_ATTRIBUTE
from pagelet.lab.segments.gold import (
    BASE,
    SUB,
    TOP,
    blocks_of_boxes,
    marked_html,
    read_block_pages,
    take_marks,
)
from pagelet.page.layout import boxes_of
from pagelet.page.table import same_page

BARE = (
    "<!DOCTYPE html><html><head><title>A</title></head><body>"
    "<div class=top><p>one</p><ul><li>two</li></ul></div>"
    "<div class=rest><b>three</b><span>four</span></div></body></html>"
)
PAGE = (
    BARE.replace("<title>", "<style>*[data-block] { border: 1px }</style><title>")
    .replace("<title>", "<meta http-equiv=Refresh content='1; url=/b'><title>")
    .replace("class=top", "class=top data-block=1 data-block-type=Menu")
    .replace("<ul>", "<ul data-block=2>")
    .replace("<li>", "<li data-block=1 data-block-type=Header>")
    .replace("<span>", "<span data-block-type=Ad>")
    .replace("</body>", "<div class='ui-dialog x'>tool</div></body>")
)


def test_nothing_of_the_tool_is_left_and_all_else_is():
    html = marked_html(PAGE)
    for trace in ("data-block", "ui-dialog", "tool", "border", "Refresh"):
        assert trace not in html
    assert html.startswith("<!DOCTYPE html>")  # without it browsers draw another way
    assert html.count(GOLD_ATTRIBUTE) == 3
    page, _ = take_marks(parse(html))
    assert GOLD_ATTRIBUTE not in page.source
    assert not page.attribute(GOLD_ATTRIBUTE)
    plain = parse(BARE.replace("<head>", f"<head><base href={BASE}>"))
    assert page.names == plain.names
    assert page.attrs == plain.attrs
    assert np.array_equal(page.parent, plain.parent)
    assert page.texts == plain.texts


def test_a_page_without_its_marks_is_the_page_its_source_says():
    page, _ = take_marks(parse(marked_html(PAGE), url="https://a.example/"))
    assert same_page(page, parse(page.source, url="https://a.example/"))


def test_the_innermost_block_of_a_level_holds_a_row():
    page, blocks = take_marks(parse(marked_html(PAGE)))
    first, listed, item = (page.row(f"/html/body/div[1]{end}") for end in ("", "/ul", "/ul/li"))
    assert page.texts == ("A", "one", "two", "three", "four")
    texts = np.flatnonzero(~page.element)
    assert blocks[TOP][texts].tolist() == [-1, first, item, -1, -1]
    assert blocks[SUB][texts].tolist() == [-1, -1, listed, -1, -1]


def test_boxes_get_numbers_from_nought():
    boxes = boxes_of([(0, 0, 1, 1)] * 5, row=[0, 1, 2, 3, -1])
    found = blocks_of_boxes(np.array([-1, 7, 3, 7]), boxes)
    assert found.tolist() == [-1, 1, 0, 1, -1]
    whole = blocks_of_boxes(np.array([4, 4, 4, 4]), boxes.take(np.arange(4)))
    assert whole.tolist() == [0, 0, 0, 0]
    assert len(blocks_of_boxes(np.array([4]), boxes.take(np.arange(0)))) == 0


@pytest.fixture
def folder(tmp_path):
    for name in "abcde":
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.blocks.html").write_text(PAGE)
        (tmp_path / name / "x.html").write_text(BARE)
    return tmp_path


def test_pages_by_name_and_some_evenly_spaced(folder):
    pages = read_block_pages(folder)
    assert [page.name for page in pages] == [f"{name}/x.blocks.html" for name in "abcde"]
    assert [page.site for page in read_block_pages(folder, 3)] == ["a", "c", "e"]
    assert [page.site for page in read_block_pages(folder, 9)] == list("abcde")
    assert (pages[0].folder, pages[0].html) == (
        folder / "a",
        marked_html(PAGE, f"{BASE}x.blocks.html"),
    )


def test_a_page_starts_from_its_place_in_the_folder_of_its_site(tmp_path):
    deep = tmp_path / "a" / "b c"
    deep.mkdir(parents=True)
    for place in (deep, tmp_path):
        (place / "x?y.blocks.html").write_text(PAGE)
    within, alone = read_block_pages(tmp_path)
    assert (within.site, within.folder) == ("a", tmp_path / "a")
    assert f'<base href="{BASE}b%20c/x%3Fy.blocks.html">' in within.html
    assert alone.folder == tmp_path
    assert f'<base href="{BASE}x%3Fy.blocks.html">' in alone.html


def test_a_folder_without_such_pages(tmp_path):
    (tmp_path / "x.html").write_text(BARE)
    with pytest.raises(NoGold, match="data-block"):
        read_block_pages(tmp_path)
