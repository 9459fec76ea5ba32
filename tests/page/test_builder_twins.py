"""Pages of the compiled builder against those of the Python one: the same columns, every one."""

import gc
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import Page, core, parse
from pagelet.errors import PageTooLarge
from pagelet.page.builder import CompiledBuilder
from pagelet.page.table import same_page
from tests import hostile
from tests.cores import ask_both, twins, using

pytestmark = twins

WRITTEN = [*Path("tests/pages").glob("*/page.html"), *Path("examples").rglob("*.html")]
COLUMNS = ("tag", "size", "parent", "chars", "words", "foreign", "blank_row", "blank_parent")
#: Larger copies of these show nothing that smaller ones do not.
LARGE = ("50 MB of text", "5 MB of class", "5 MB in one name", "links", "big table", "paragraphs")
#: Pieces of pages that nobody would write.
PIECES = [
    "<p>", "</p>", "<b class=x>", "</b>", "<table>", "<td>", "<svg>", "<title>", "</svg>", "<x-y>",
    "<script>", "</script>", "<template>", "<template shadowrootmode=open>", "</template>",
    "<!--c-->", "<a href=/x>", "<body a=1>", "<html b=2>", "<frameset>", " ", "\n", "word",
    "wörd ", "漢字", "かな ", "\u3000", "\xa0", "\0", "\U0001f600", "\U00020000", "&amp;",
    "<?pi?>", "<math><mi>", "<!doctype html>",
]  # fmt: skip


def assert_same(one: Page, other: Page) -> None:
    assert same_page(one, other)
    assert one.charset == other.charset
    for name in COLUMNS:
        column, twin = getattr(one, name), getattr(other, name)
        assert column.dtype == twin.dtype
        assert not column.flags.writeable


@pytest.mark.parametrize("path", WRITTEN, ids=str)
def test_pages_that_somebody_wrote(path):
    data = path.read_bytes()
    assert_same(*ask_both(lambda: parse(data, "https://example.org/")))


@pytest.mark.parametrize("name", [name for name in hostile.SOURCES if name not in LARGE])
def test_pages_that_nobody_wrote(name):
    assert_same(*ask_both(lambda: parse(hostile.source(name))))


@pytest.mark.parametrize("path", WRITTEN, ids=str)
def test_attributes_by_name(path):
    data = path.read_bytes()
    compiled, python = ask_both(lambda: parse(data)._index)
    assert compiled == python
    assert list(compiled) == list(python)
    assert all(list(compiled[name]) == list(python[name]) for name in python)


@pytest.mark.parametrize("attrs", [(), ((),), ((), (), ()), ((), [])])
def test_attributes_of_other_elements_are_refused(attrs):
    with pytest.raises((ValueError, TypeError)):
        core.kernels.index_attributes(np.array([1, 0, 1], np.int32), attrs)


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_pieces_in_any_order(source):
    assert_same(*ask_both(lambda: parse(source)))


@given(st.text(max_size=60))
def test_any_text_is_measured_alike(text):
    assert_same(*ask_both(lambda: parse(f"<p>{text}</p><script>{text}</script>")))


@pytest.mark.parametrize("core_name", ["compiled", "python"])
def test_the_limit_is_the_same(core_name):
    source = "<p a=1 b=2>x<div>y"  # html, head, body, p, its attributes, div
    with using(core_name):
        assert len(parse(source, max_nodes=7)) == 7
        with pytest.raises(PageTooLarge):
            parse(source, max_nodes=6)


def test_a_page_survives_pickling():
    with using("compiled"):
        page = parse("<p>x<b>y</b>")
    assert_same(pickle.loads(pickle.dumps(page)), page)


def test_arrays_keep_the_memory_that_they_were_collected_in():
    with using("compiled"):
        page = parse("<p>x</p>" * 100)
    tags, texts = page.tag, page.texts
    del page
    gc.collect()
    assert np.bincount(tags).max() == len(texts) == 100


def test_collected_numbers_do_not_move_while_they_are_seen():
    builder = CompiledBuilder()
    handle = builder.create_element("p", "", ())
    builder.append(builder.create_document(), handle)
    page = builder.page()
    with pytest.raises(BufferError, match="in use"):
        [builder.create_element("p", "", ()) for _ in range(100)]
    assert page.tag.tolist()[0] > 0


@pytest.mark.parametrize("parent", [-1, 1, 2, 10**30])
def test_a_parent_that_does_not_exist_is_refused(parent):
    builder = CompiledBuilder()
    builder.create_element("p", "", ())
    with pytest.raises((ValueError, OverflowError)):
        builder.append(parent, 1)


@pytest.mark.parametrize("arguments", [(), ("p",), (1, "", ()), ("p", None, ()), ("p", "", [])])
def test_arguments_of_other_types_are_refused(arguments):
    builder = CompiledBuilder()
    with pytest.raises(TypeError):
        builder.create_element(*arguments)


def test_an_empty_table_of_characters_is_refused():
    with pytest.raises(ValueError, match="empty"):
        core.kernels.NodeCollector({}, (1, 2), "", np.zeros(0, np.uint8), 9, print)
