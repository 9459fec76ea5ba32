"""Text blocks: hand-made pages, any page against a walk, and what must hold for all."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given

from pagelet import parse
from pagelet.page.table import SHADOW_ATTRIBUTE
from pagelet.page.textblocks import text_blocks
from tests import hostile
from tests.build import html, page_of, trees
from tests.cases import case
from tests.effort import ends
from tests.naive import textblocks as naive
from tests.naive import tree as plain


def rows_of_each(blocks):
    """The text rows of each block."""
    ends = [*blocks.first.tolist(), len(blocks.rows)]
    return [blocks.rows[first:last].tolist() for first, last in pairwise(ends)]


def texts_of(page):
    each = rows_of_each(text_blocks(page))
    return ["|".join(page.text(row).strip() for row in rows) for rows in each]


@pytest.mark.parametrize(
    ("body", "blocks"),
    [
        pytest.param("<p>a <b>b</b> c</p>", ["a|b|c"], id="inline elements do not part"),
        pytest.param("<p>a<p>b", ["a", "b"], id="two paragraphs"),
        pytest.param("<div>a<p>b</p>c</div>", ["a", "b", "c"], id="text around a block"),
        pytest.param("<div>a<p></p>c</div>", ["a", "c"], id="an empty block parts"),
        pytest.param("<div>a<hr>c</div>", ["a", "c"], id="a line parts"),
        pytest.param("<div>a<br>c</div>", ["a|c"], id="a line break does not"),
        pytest.param("<span>a<div>b</div>c</span>", ["a", "b", "c"], id="block inside inline"),
        pytest.param("<div><span>a</span></div>b", ["a", "b"], id="what follows a block"),
        pytest.param("<p>a<script>s</script>c", ["a|c"], id="script is skipped"),
        pytest.param("<style>s</style><p>a", ["a"], id="style is skipped"),
        pytest.param("<p>a<template>t</template>c", ["a", "c"], id="template parts, is not read"),
        pytest.param(
            "<div><template shadowrootmode=open>t</template>c</div>", ["t", "c"], id="shadow"
        ),
        pytest.param("<p hidden>a<p aria-hidden=true>b", ["a", "b"], id="hidden text is read"),
        pytest.param("<p>a<svg><text>s</text></svg>c", ["a", "s", "c"], id="svg stands alone"),
        pytest.param("<table><td>a<td>b</table>", ["a", "b"], id="cells"),
        pytest.param("<a href=1>a</a> <a href=2>b</a>", ["a|b"], id="links in a row"),
        pytest.param("", [], id="no text"),
    ],
)
def test_what_is_one_block(body, blocks):
    page = parse(f"<title>not me</title><body>{body}")
    assert texts_of(page) == blocks


def test_noscript_is_a_block_of_its_own():
    page = page_of(html("a", ("noscript", "n", ("p", "m")), "c"))
    assert texts_of(page) == ["a", "n", "m", "c"]


def test_a_root_of_any_name_holds_what_nothing_else_holds():
    page = page_of(("x-y", "a", ("b", "b"), ("p", "c"), "d"))
    assert texts_of(page) == ["a|b", "c", "d"]
    assert text_blocks(page).holder.tolist() == [0, 4, 0]


def test_a_shadow_root_in_an_inert_template_is_not_read():
    inner = ("template", {SHADOW_ATTRIBUTE: "open"}, "s")
    assert texts_of(page_of(html(("template", inner, "t"), inner))) == ["s"]


@given(trees)
def test_blocks_equal_the_walk(tree):
    page = page_of(tree)
    blocks = text_blocks(page)
    pairs = list(zip(blocks.holder.tolist(), rows_of_each(blocks), strict=True))
    assert pairs == naive.rows_of(plain.read(tree))


@given(trees)
def test_every_readable_text_is_in_exactly_one_block(tree):
    page = page_of(tree)
    nodes = list(plain.walk(plain.read(tree)))
    readable = [at for at, node in enumerate(nodes) if not node.name and naive.is_readable(node)]
    blocks = text_blocks(page)
    each = rows_of_each(blocks)
    assert [row for rows in each for row in rows] == blocks.rows.tolist() == readable
    assert all(each)


@given(trees)
def test_the_columns_of_blocks_agree_with_each_other(tree):
    page = page_of(tree)
    blocks = text_blocks(page)
    numbers = np.arange(len(page)) ** 2
    assert len(blocks.of_row) == len(blocks.rows)
    for at, rows in enumerate(rows_of_each(blocks)):
        assert blocks.rows[blocks.of_row == at].tolist() == rows
        assert blocks.sum(numbers)[at] == numbers[rows].sum()
        assert set(blocks.above[rows].tolist()) == {int(blocks.holder[at])}
    assert blocks.sum(numbers).shape == (len(blocks),)


@given(trees)
def test_above_is_the_nearest_block_element(tree):
    nodes = list(plain.walk(plain.read(tree)))
    expected = [nodes.index(naive.holder_of(node)) for node in nodes]
    assert text_blocks(page_of(tree)).above.tolist() == expected


def test_sums_are_wide():
    page = page_of(html(("p", "a", ("b", "b"))))
    many = np.full(len(page), 2_000_000_000, np.int32)
    assert text_blocks(page).sum(many).tolist() == [4_000_000_000]


def test_hostile_pages_are_parted():
    for name in hostile.QUICK:
        with case(name), ends():
            page = hostile.page(name)
            _ = page.end, page.ordinal
            blocks = text_blocks(page)
            assert np.array_equal(np.unique(blocks.rows), blocks.rows)
            assert blocks.first.tolist() == sorted(set(blocks.first.tolist()))
