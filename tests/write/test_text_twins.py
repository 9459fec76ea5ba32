"""Text blocks, gaps and folded white space by both cores."""

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagelet import core, parse
from pagelet.page.tags import NUMBER, TEXT
from pagelet.page.textblocks import text_blocks
from pagelet.write import write_text
from pagelet.write.text import TAG_BITS, gaps
from tests.build import html, page_of, trees
from tests.cores import ask_both, twins

pytestmark = twins


def blocks_of(page):
    blocks = text_blocks(page)
    return [each.tolist() for each in (blocks.rows, blocks.first, blocks.holder, blocks.above)]


def test_threads_may_write_one_page_at_once():
    source = "".join(f"<p>para {at} <b>b{at}</b>x<td>c</p><div>d{at}<br>e</div>" for at in range(3))
    page = parse(source)
    masks = [np.arange(len(page)) % share > 0 for share in (2, 3)] + [page.tag == TEXT]
    expected = [write_text(parse(source), mask) for mask in masks]

    def write(number: int) -> int:
        rows, mask = np.flatnonzero(masks[number] & (page.tag == TEXT)), masks[number]
        wrong = 0
        for _ in range(400):
            wrong += len(gaps(page, rows)) != len(rows) - 1
            wrong += write_text(page, mask) != expected[number]
        return wrong

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-7)
    try:
        with ThreadPoolExecutor(6) as pool:
            assert sum(pool.map(write, (0, 1, 2) * 2)) == 0
    finally:
        sys.setswitchinterval(before)


@given(trees)
def test_blocks_of_any_tree(tree):
    compiled, python = ask_both(lambda: blocks_of(page_of(tree)))
    assert compiled == python


@pytest.mark.parametrize(
    "markup",
    ["", "x", "<template>in</template>out", "<div><template shadowrootmode=open>a<p>b</template>c",
     "<style>p {}</style><p>a<script>1</script>b<br>c", "<svg><text>a</text></svg>b<math>c</math>",
     "<template><template shadowrootmode=open>x</template>y</template>z"],
)  # fmt: skip
def test_blocks_of_templates_and_scripts(markup):
    compiled, python = ask_both(lambda: blocks_of(parse(markup)))
    assert compiled == python


#: Pieces that touch, white space of all kinds, characters that stand for others in between.
PIECES = (" ", "a", "B. ", "\u00a0", "\u3000x", "\x1c", "\x85", "\0", "\1\2", "é", "😀", "\n\t",
          "漢", "\ud800", "x y  z")  # fmt: skip
text = st.lists(st.sampled_from(PIECES), min_size=1, max_size=5).map("".join).filter(str.strip)
element = st.tuples(
    st.sampled_from("p b span br td tr table li sup sub pre div x-y hr".split()),
    st.sampled_from(({}, {"style": "display:block"}, {"style": "Display : inline-block"})),
)


def wrap(below):
    return st.builds(lambda top, kids: (*top, *kids), element, st.lists(below, max_size=4))


@settings(max_examples=150)
@given(st.lists(st.recursive(text, wrap, max_leaves=8), max_size=4), st.integers(0, 5))
def test_texts_are_written_alike(body, seed):
    def write():
        page = page_of(html(*body))
        kept = page.tag == TEXT
        if seed:
            kept &= np.random.default_rng(seed).random(len(page)) < 0.7
        return write_text(page, kept)

    compiled, python = ask_both(write)
    assert compiled == python


@settings(max_examples=100)
@given(st.lists(st.recursive(text, wrap, max_leaves=8), max_size=4), st.integers(0, 5))
def test_gaps_are_found_alike(body, seed):
    def find():
        page = page_of(html(*body))
        rows = np.flatnonzero(page.tag == TEXT)
        if seed:  # elements among them, as pictures are
            rows = np.flatnonzero(np.random.default_rng(seed).random(len(page)) < 0.6)
        return gaps(page, rows).tolist()

    compiled, python = ask_both(find)
    assert compiled == python


def test_gaps_beside_pictures():
    def find():
        page = parse("<p><b><img></b><i>one</i><b><img></b></p>")
        rows = np.flatnonzero((page.tag == TEXT) | (page.tag == NUMBER["img"]))
        return gaps(page, rows).tolist()

    assert ask_both(find) == ([1, 0], [1, 0])


def test_columns_that_do_not_fit_are_refused():
    page = page_of(html(("p", "a"), ("p", "b")))
    columns = (page.tag, page.chars, page.size, page.parent, page.blank_row)
    with pytest.raises(ValueError, match="fit"):
        core.kernels.PlainWriter((page.tag, page.chars[1:], *columns[2:]), TAG_BITS)
    for rows in ([1, 1], [2, 1], [-1, 1], [1, len(page)]):
        writer, gaps = core.kernels.PlainWriter(columns, TAG_BITS), np.zeros(1, np.uint8)
        with pytest.raises(IndexError, match="order"):
            writer.find_gaps(np.array(rows, np.intp), page.texts, [], None, gaps)
    with pytest.raises(ValueError, match="gap"):
        core.kernels.fold_texts(["a"], np.zeros(1, np.uint8))


@settings(max_examples=60)
@given(trees, st.data())
def test_rows_inside_others(tree, data):
    page = page_of(tree)
    rows = data.draw(st.lists(st.integers(0, max(len(page) - 1, 0)), max_size=6))
    marked = np.array(rows if len(page) else [], np.int32)
    compiled, python = ask_both(lambda: page.inside(marked).tolist())
    assert compiled == python


def test_rows_that_do_not_exist_are_refused():
    page = page_of(html(("p", "a")))
    for rows in ([9], [-1], [2, 1]):
        with pytest.raises(IndexError, match="rows"):
            core.kernels.mark_inside(
                np.array(rows, np.intp), page.size, np.zeros(len(page), np.bool_)
            )


ENDS = (*"aZ0.:,;!?)]}%\"'_-/\1é”…漢\u212a", "a b", "a\u00a0b", "éa", "A.", "x\x1cy", "word")


@pytest.mark.parametrize("name", ["b", "a"])
def test_neighbours_are_seen_apart_alike(name):
    pairs = [(one, other) for one in ENDS for other in (*"([{$#@«“", *ENDS)]
    body = [("p", (name, {"class": one}, one), (name, other)) for one, other in pairs]

    def write():
        page = page_of(html(*body))
        return write_text(page, page.tag == TEXT)

    compiled, python = ask_both(write)
    assert compiled == python
    assert len(set(compiled.split("\n"))) > len(ENDS)
