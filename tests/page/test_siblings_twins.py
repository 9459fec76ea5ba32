"""Places among siblings and single attributes: the compiled core against Python."""

import numpy as np
import pytest
from hypothesis import given

from pagelet import core
from pagelet.page.html import parse, parse_whole
from pagelet.page.paths import index_paths
from tests.build import page_of, trees
from tests.cores import ask_both, twins
from tests.fuzzed import GOLDEN

pytestmark = twins


def places(page):
    """The place of each row among its siblings of one name, and whether it is the only one."""
    blanks, foreign = (page.blank_row, page.blank_parent), page.inside(page.foreign)
    index = index_paths(page.tag, page.parent, page.end, page.names, blanks, foreign)
    assert index.place.dtype == np.int64
    assert index.alone.dtype == np.bool_
    return index.place.tolist(), index.alone.tolist()


@given(trees)
def test_places_among_siblings(tree):
    page = page_of(tree)
    compiled, python = ask_both(lambda: places(page))
    assert compiled == python


@pytest.mark.parametrize("path", GOLDEN[::10], ids=lambda path: path.parent.name)
def test_places_on_pages_that_somebody_wrote(path):
    page = parse(path.read_bytes())
    compiled, python = ask_both(lambda: places(page))
    assert compiled == python


def test_places_where_only_blank_texts_are_siblings():
    page = parse("<p> <b>x</b> y <b>z</b> </p> <p>w")
    compiled, python = ask_both(lambda: [page.path(row) for row in range(len(page))])
    assert compiled == python
    assert compiled[-1] == "/html/body/p[2]/text()[1]"


@pytest.mark.parametrize("name", ["rel", "class", "href", "title", "no-such-name"])
@pytest.mark.parametrize("path", GOLDEN[::10], ids=lambda path: path.parent.name)
def test_one_attribute_is_that_of_the_index(path, name):
    page, other = parse(path.read_bytes()), parse_whole(path.read_bytes())
    assert page.wanted is not None  # from now on attributes are looked for one by one
    assert list(page.attribute(name).items()) == list(other._index.get(name, {}).items())
    assert "_index" not in page.__dict__
    assert other.distinct(name)[2] == page.distinct(name)[2]
    assert "wanted" not in other.__dict__  # nothing is read twice


@pytest.mark.parametrize("attrs", [(), ((),), ((), (), ()), ((), [])])
def test_attributes_of_other_elements_are_refused(attrs):
    with pytest.raises((ValueError, TypeError)):
        core.kernels.find_attributes(np.array([1, 0, 1], np.int32), attrs, ("class",))


ATTRIBUTES = (
    "<html lang=en><body class=a><html id=x lang=de><body class=b hidden>"
    "<input NAME=q value='' disabled Name=r><svg viewbox='0 0' href><a b=&amp;c d='\u00e4'></svg>x"
)


@pytest.mark.parametrize("read", [parse, parse_whole])
def test_attributes_of_many_elements(read):
    page = read(ATTRIBUTES)
    rows = np.flatnonzero(page.element)[::-1]
    compiled, python = ask_both(lambda: page.attributes_of_each(rows))
    assert compiled == python == [page.attributes_of(row) for row in rows.tolist()]
    assert [list(each) for each in compiled] == [list(each) for each in python]
    assert {"name": "q", "value": "", "disabled": ""} in compiled


@pytest.mark.parametrize("path", GOLDEN[::10], ids=lambda path: path.parent.name)
def test_attributes_of_many_elements_of_pages_that_somebody_wrote(path):
    page, whole = parse(path.read_bytes()), parse_whole(path.read_bytes())
    rows = np.flatnonzero(page.element)
    assert page.attributes_of_each(rows) == [whole.attributes_of(row) for row in rows.tolist()]


@pytest.mark.parametrize("read", [parse, parse_whole])
@pytest.mark.parametrize("element", [-1, 5])
def test_attributes_of_no_element_are_refused(read, element):
    page = read("<p>x</p><p>y</p>")
    with pytest.raises(IndexError):
        core.kernels.map_attributes(page.attrs, np.array([element]))


def test_too_many_names_at_once_are_refused():
    with pytest.raises(ValueError, match="too many"):
        core.kernels.find_attributes(np.array([1], np.int32), ((),), tuple("abcdefghi"))


@given(trees)
def test_paths_of_many_rows(tree):
    page = page_of(tree)
    rows = [*range(len(page)), *range(0, len(page), 3)]
    compiled, python = ask_both(lambda: page.paths(rows))
    assert compiled == python == [page.path(row) for row in rows]


@pytest.mark.parametrize(
    "html",
    ["<p>a<p>b", "<svg><a>x</a><a>y</a></svg><p>z", "<o:p>x</o:p><p>y", "<b'c>x<i>y", "a<br>b<br>"],
)
def test_paths_with_names_of_any_kind(html):
    page = parse(html)
    rows = list(range(len(page)))
    compiled, python = ask_both(lambda: page.paths(rows))
    assert compiled == python == [page.path(row) for row in rows]


@pytest.mark.parametrize(
    ("parent", "tag", "rows"),
    [
        ((-1, 0), (1, 1), [2]),
        ((-1, 0), (1, 1), [-1]),
        ((-1, 1), (1, 1), [1]),
        ((-1, 0), (1, 9), [1]),
    ],
)
def test_rows_without_a_path_are_refused(parent, tag, rows):
    flags = np.zeros(2, np.bool_)
    columns = (np.array(tag, np.int32), np.array(parent, np.int32), np.ones(2, np.int64))
    with pytest.raises((ValueError, IndexError)):
        core.kernels.write_paths(*columns, flags, flags, ("", "p"), rows)
