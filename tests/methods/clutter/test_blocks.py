"""Structural blocks: what is attached to each and how it fades, against the definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.methods.clutter.blocks import attached_counts, faded_sums, find_blocks, picture_mask
from tests.build import deep, documents, html, page_of
from tests.effort import ends, growth
from tests.naive import clutter as naive
from tests.naive import tree as plain


@given(documents)
def test_blocks_equal_the_walk(tree):
    page, root = page_of(tree), plain.read(tree)
    found, expected = find_blocks(page), naive.blocks(root)
    nodes = list(plain.walk(root))
    assert found.rows.tolist() == [nodes.index(block) for block in expected]
    above = [next(filter(naive.is_block, plain.ancestors(block)), None) for block in expected]
    assert found.parent.tolist() == [-1 if b is None else expected.index(b) for b in above]
    owner = [expected.index(naive.holder(n)) if plain.counted(n) else -1 for n in nodes]
    assert found.owner.tolist() == owner


@pytest.mark.parametrize("pictures", [False, True])
@given(tree=documents)
def test_attached_equals_the_walk(pictures, tree):
    page, root = page_of(tree), plain.read(tree)
    found = attached_counts(
        page, find_blocks(page), pictures=picture_mask(page) if pictures else None
    )
    expected = [naive.attached(block, pictures=pictures) for block in naive.blocks(root)]
    for line, name in zip(found, naive.COUNTS, strict=True):
        assert line.tolist() == [counts[name] for counts in expected], name


def test_a_body_that_stands_alone_has_no_block_above_it():
    page = page_of(("body", ("div", "x"), ("p", "y"), ("ul", ("li", "z"))))
    assert find_blocks(page).parent.tolist() == [-1, 0, 0, 2]


CASES = {
    "direct text of a cell counts": (("td", "prose"), (0, 0, 0, 5)),
    "p > a is two tags": (("td", ("p", ("a", {"href": "/"}, "go"))), (1, 2, 2, 2)),
    "characters once, tags each": (("td", ("p", ("strong", "word"))), (0, 2, 0, 4)),
    "a picture link is ignored": (
        ("td", ("a", {"href": "/"}, ("img", {"alt": "x"}))),
        (0, 0, 0, 0),
    ),
    "an empty tag is ignored": (("td", ("span",), ("b", " ")), (0, 0, 0, 0)),
    "an a without href is a tag": (("td", ("a", "name")), (0, 1, 0, 4)),
    "a script is ignored": (("td", ("script", "var x"), "y"), (0, 0, 0, 1)),
    "what lies in a block below is that block's": (("td", ("div", ("b", "x"))), (0, 0, 0, 0)),
}


@pytest.mark.parametrize(("tree", "counts"), CASES.values(), ids=CASES)
def test_attached(tree, counts):
    page = page_of(html(tree))
    found = attached_counts(page, find_blocks(page))
    assert tuple(found[:, 1].tolist()) == counts


PICTURES = {
    "alt": ((("img", {"alt": " Our  shop "}),), 8),
    "no alt": ((("img",),), 1),
    "two pictures": ((("img", {"alt": "ab"}), ("img", {"alt": ""})), 3),
    "text beside the picture": ((("img", {"alt": "ab"}), "word"), 4),
    "text that is not counted": ((("img", {"alt": "ab"}), ("noscript", "fallback")), 2),
    "no picture at all": ((("i",),), 0),
}


@pytest.mark.parametrize(("inner", "chars"), PICTURES.values(), ids=PICTURES)
def test_pictures_in_links_may_count(inner, chars):
    page = page_of(html(("a", {"href": "/"}, *inner), "direct"))
    found = attached_counts(page, find_blocks(page), pictures=picture_mask(page))
    anchors, _, link_chars, _ = found[:, 0]
    assert (link_chars, anchors) == (chars, min(chars, 1))


# -- fading -----------------------------------------------------------------------------------


@st.composite
def forests(draw):
    """Parents of blocks in document order, and a value for each."""
    parents, open_blocks = [-1], [0]  # the blocks that may still get a child
    for block in range(1, draw(st.integers(1, 30))):
        keep = draw(st.integers(1, len(open_blocks)))
        del open_blocks[keep:]
        parents.append(open_blocks[-1])
        open_blocks.append(block)
    values = draw(st.lists(st.integers(0, 50), min_size=len(parents), max_size=len(parents)))
    return parents, values


@pytest.mark.parametrize("shape", ["linear", "geometric"])
@pytest.mark.parametrize("decay", [0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0])
@given(forest=forests())
def test_fading_equals_the_double_loop(decay, shape, forest):
    parents, values = forest
    expected = [0.0] * len(values)
    for block, value in enumerate(values):
        above, distance = block, 0
        while above >= 0:
            expected[above] += float(naive.factor(distance, decay, shape)) * value
            above, distance = parents[above], distance + 1
    lines = np.array([values, values[::-1]], float)
    found = faded_sums(lines, np.array(parents), decay, shape)
    np.testing.assert_allclose(found[0], expected, atol=1e-6)


def test_without_decay_every_level_adds_all():
    chain = np.arange(-1, 499)
    found = faded_sums(np.ones((1, 500)), chain, 0.0, "linear")
    assert found.tolist() == [list(range(500, 0, -1))]


@pytest.mark.parametrize("shape", ["linear", "geometric"])
@pytest.mark.parametrize("decay", [0.0, 0.001])
def test_a_slow_decay_in_a_deep_page(decay, shape):
    def counts(levels):
        page = page_of(html(deep(levels, ("a", {"href": "/"}, "x"))))
        found = find_blocks(page)
        return attached_counts(page, found), found.parent

    def add(made):
        return faded_sums(*made, decay, shape)

    with ends():
        chars = add(counts(30_000))[3]
    assert growth(add, counts, 1_000) < 6
    assert chars[0] == pytest.approx(float(naive.factor(30_000, decay, shape)), abs=1e-9)
