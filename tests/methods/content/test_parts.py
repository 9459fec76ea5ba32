"""Rows, links, texts and names of the parts that a listing shows, by both cores."""

import json
import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pagelet
from pagelet import core, parse
from pagelet.methods.content import decide_content
from pagelet.methods.content.answer import ContentAnswer, Listing
from pagelet.methods.content.counts import count_words
from pagelet.methods.content.options import ContentOptions
from pagelet.methods.content.parts import (
    NOTHING_FOLDED,
    KeptParts,
    links_below_each,
    top_rows,
    write_parts,
)
from pagelet.methods.content.role_words import NOTICES, blocks_with_stems, find_notices
from pagelet.methods.content.roles import (
    OWN_BY_TAG,
    OWN_ROLES,
    BlockRoles,
    kinds_above,
    names_above,
    threads_of,
    words_of,
)
from pagelet.methods.content.rules import apply_selectors, make_selectors
from pagelet.methods.content.threads import find_threads
from pagelet.page.dom import label_each, label_of, links_of
from pagelet.page.tags import NUMBER
from pagelet.page.textblocks import text_blocks
from tests.build import page_of, trees
from tests.cores import ask_both, twins, using
from tests.places import SITE

PAGES = [path.read_bytes() for path in sorted(SITE.rglob("*.html"))]
ODD = (
    "<p>a <a href=/x> b\u00a0 c<br>d </a><a href=/y><img alt=' e  f '></a></p><noscript><a href=/z>"
    "g  h</a></noscript><a href=' http://u:p@h.example/ '>\ud800</a><template><a href=/t>i</a>"
)


@pytest.mark.parametrize("name", ["compiled", "python"])
@pytest.mark.parametrize("url", [None, "https://pages.example/a/b"])
def test_links_of_parts_are_those_of_rows(name, url):
    if name == "compiled" and core.kernels is None:
        pytest.skip("the compiled core is not built")
    for source in (*PAGES, ODD):
        page = parse(source, url)
        parts = [(row,) for row in range(0, len(page), 7)] + [tuple(range(min(len(page), 9)))]
        with using(name):
            found = links_below_each(page, parts)
        expected = [
            [link._asdict() for row in part for link in links_of(page, row)] for part in parts
        ]
        assert found == expected
        assert sum(map(len, expected))


def test_labels_of_any_rows():
    page = parse(ODD)
    rows = list(range(len(page)))
    assert label_each(page, rows) == [label_of(page, row) for row in rows]


@twins
@given(trees, st.integers(0, 3))
def test_rows_of_any_parts(tree, seed):
    page = page_of(tree)
    blocks = text_blocks(page)
    bounds = np.flatnonzero(np.random.default_rng(seed).random(len(blocks.rows) + 1) < 0.5)
    parts = list(pairwise(bounds.tolist()))
    compiled, python = ask_both(lambda: top_rows(page, blocks, parts))
    assert compiled == python


@twins
def test_no_character_with_a_small_letter_is_taken_for_one_without():
    every = tuple(map(chr, (*range(128, 0xD800), *range(0xE000, 0x11000))))
    capital = {at for at, char in enumerate(every) if char.lower() != char}
    assert len(capital) > 500
    assert capital <= taken_for_capitals(every)
    assert not taken_for_capitals(tuple("©é—“漢пя"))


def taken_for_capitals(texts):
    """The texts that may hold a phrase only because they may have a small form."""
    places, phrases = np.arange(len(texts)), core.kernels.Phrases((b"no such phrase",))
    blocks = list(range(len(texts)))
    return {*core.kernels.blocks_holding(texts, places, places, blocks, phrases)}


@twins
@given(st.text("sigÑñn Up\u0130ſ©.", max_size=12), st.sampled_from(("", " ", "x")))
def test_words_are_found_in_any_letters(before, after):
    phrases = core.kernels.Phrases((b"sign", "©".encode(), b"up"))
    for held in ("", "SIGN", "uP", "©"):
        texts, places = (before + held + after,), np.zeros(1, np.intp)
        found = core.kernels.blocks_holding(texts, places, places, [0], phrases)
        if any(each in texts[0].lower() for each in ("sign", "©", "up")):
            assert found == [0]
        elif texts[0].isascii():
            assert found == []


@twins
def test_blocks_that_may_hold_a_stem_are_all_that_hold_one():
    lines = [f"Of a {stem.upper()} <b>and</b> more" for stem in NOTICES]
    page = parse("".join(f"<p>{line}<p>Nothing here" for line in lines))
    blocks = text_blocks(page)
    every = list(range(len(blocks)))
    with using("compiled"):
        assert blocks_with_stems(page, blocks, every) == every[::2]
        assert blocks_with_stems(page, blocks, [1, 4, 5]) == [4]
    with using("python"):
        assert blocks_with_stems(page, blocks, every) == every


@twins
@given(
    st.lists(st.sampled_from(("©", "All rights", "reserved", "a\u017fsine", "\ud800", "Х", "x")))
)
def test_notices_by_both_cores(texts):
    compiled, python = ask_both(lambda: find_notices(texts))
    assert compiled == python


@pytest.mark.parametrize("source", PAGES)
def test_words_and_threads_are_those_of_the_decision(source):
    answer = decide_content(parse(source), ContentOptions())
    decision, counts = answer.decision, count_words(answer.page, answer.blocks)
    assert decision is not None
    known, threads = words_of(decision), threads_of(decision)
    assert known.words.tolist() == counts.words.tolist()
    assert known.density == pytest.approx(counts.density, rel=1e-6)
    assert (known.tag.tolist(), known.row.tolist()) == (counts.tag.tolist(), counts.row.tolist())
    assert known.total == counts.total
    if threads is not None:
        assert threads.tolist() == BlockRoles(counts, decision.kept, -1)._thread


TALK = "A line of some words that a reader may have written down here, and then some more."


@pytest.mark.parametrize(
    ("links", "is_known"),
    [
        pytest.param(0, True, id="no block that only roles take for running text"),
        pytest.param(6, False, id="one with a third of its words in links"),
    ],
)
def test_a_thread_that_features_cannot_tell_is_looked_for(links, is_known):
    linked = " ".join(TALK.split()[:links])
    rest = " ".join(TALK.split()[links:])
    page = parse(
        f"<div id=comments><p>{TALK}<p>{TALK}</div><p><a href=/x>{linked}</a> {rest * (links > 0)}"
    )
    decision = decide_content(page, ContentOptions()).decision
    assert decision is not None
    assert (threads_of(decision) is not None) == is_known
    counts = count_words(page, decision.blocks)
    running = (counts.words >= 15) & (counts.density < 0.5)
    expected = find_threads(page, decision.blocks, counts.texts, running)
    assert expected.any() == (not is_known)


@twins
@given(trees, st.integers(0, 3), st.sampled_from([0, 1, 2.5, 9]))
def test_names_and_tags_above_rows_of_any_tree(tree, seed, most):
    page = page_of(tree)
    rows = np.flatnonzero(np.random.default_rng(seed).random(len(page)) < 0.5)
    names = np.random.default_rng(seed + 4).integers(0, 1 << 40, len(page))
    kinds = np.array([0, *np.arange(1, len(OWN_BY_TAG)) % 3])
    for ask in (
        lambda: names_above(page, names, most, rows),
        lambda: kinds_above(page, kinds, rows),
    ):
        compiled, python = ask_both(ask)
        assert compiled.tolist() == python.tolist()


@pytest.mark.parametrize("name", ["compiled", "python"])
def test_names_of_large_elements_are_left_out(name):
    if name == "compiled" and core.kernels is None:
        pytest.skip("the compiled core is not built")
    page = parse("<body><div><p>one two</p><ul><li>three</ul></div>")
    rows = [int(np.flatnonzero(page.is_tag(NUMBER[tag]))[0]) for tag in ("div", "p", "li")]
    names = np.zeros(len(page), np.int64)
    names[rows] = 1, 2, 4
    with using(name):
        assert names_above(page, names, 3, np.array(rows)).tolist() == [1, 3, 5]
        assert names_above(page, names, 2, np.array(rows)).tolist() == [0, 2, 4]
        assert [OWN_ROLES[at] for at in kinds_above(page, OWN_BY_TAG, np.array(rows))] == [
            *("", "", "list")
        ]


@twins
def test_texts_of_parts_with_lone_surrogates():
    page = f"<h1>One</h1><p>a \ud800  b<b>c</b> {TALK}</p>" + f"<p>{TALK}</p>" * 5
    compiled, python = ask_both(lambda: pagelet.extract(page, format="json"))
    assert compiled == python
    assert "a \ufffd bc" in compiled


@twins
def test_what_does_not_fit_is_refused():
    kernels, rows = core.kernels, np.array([0, 1])
    page = parse("<p>a<p>b")
    gap = np.zeros(1, np.uint8)
    with pytest.raises(ValueError, match="gap"):
        kernels.fold_parts(page.texts, rows, np.zeros(2, np.uint8), rows)
    with pytest.raises(IndexError, match="order"):
        kernels.fold_parts(page.texts, rows, gap, np.array([1, 0]))
    with pytest.raises(IndexError, match="text"):
        kernels.fold_parts(page.texts, np.array([0, 2]), gap, np.array([0]))
    columns = (page.tag, page.size, page.counted, page.ordinal)
    with pytest.raises(IndexError, match="row"):
        kernels.inner_texts(page.texts, *columns, [len(page)])
    with pytest.raises(IndexError, match="row"):
        kernels.mark_above(page.parent, np.array([99]), np.zeros(len(page), np.uint8))
    with pytest.raises(ValueError, match="mark"):
        kernels.mark_above(page.parent, rows, gap)


@twins
def test_columns_that_do_not_fit_are_refused():
    kernels, page = core.kernels, parse("<p>a<p>b")
    rows, found, beyond = np.array([0]), np.zeros(1, np.int64), np.array([len(page)])
    names, wrong = np.zeros(len(page), np.int64), np.zeros(len(page), np.int32)
    below = (page.parent, page.words, names, 9.0)
    with pytest.raises(IndexError, match="row"):
        kernels.names_above(*below, beyond, found)
    with pytest.raises(ValueError, match="columns"):
        kernels.names_above(*below, rows, names)
    with pytest.raises(ValueError, match="parent"):
        kernels.names_above(wrong, *below[1:], rows, found)
    kinds = np.zeros(3, np.intp)
    with pytest.raises(IndexError, match="row"):
        kernels.kinds_above(page.parent, page.tag, kinds, beyond, rows)
    with pytest.raises(ValueError, match="columns"):
        kernels.kinds_above(page.parent, page.tag, kinds[:0], rows, rows)
    for broken in ((wrong, page.tag), (page.parent, wrong - 1)):
        with pytest.raises(ValueError, match="broken"):
            kernels.kinds_above(*broken, kinds, rows, rows)


# -- forms as the core writes them ------------------------------------------------------------


def write_each(page, scores):
    """The forms of single rows, one for each score."""
    rows = [(at % len(page),) for at in range(len(scores))]
    parts = KeptParts([], np.zeros(0, np.intp), rows, ["body"] * len(rows), np.array(scores))
    written = write_parts(page, parts, {}, [""] * len(rows), NOTHING_FOLDED)
    return json.loads(str(written))


@twins
@given(trees)
def test_paths_of_any_rows(tree):
    page = page_of(tree)
    if len(page):
        forms = write_each(page, [0.5] * len(page))
        assert [form["path"] for form in forms] == page.paths(list(range(len(page))))


BLANKS = "<p>a<i>b</i> <!-- c --> <!-- d -->e<i> </i>f</p> <p>g</p>"  #: texts behind blank ones


@twins
@pytest.mark.parametrize("source", [*PAGES[:6], BLANKS + ODD], ids=range(7))
def test_paths_and_links_of_all_rows(source):
    page = parse(source.replace("\ud800", "j") if isinstance(source, str) else source)
    forms = write_each(page, [0.5] * len(page))
    assert [form["path"] for form in forms] == page.paths(list(range(len(page))))
    every = links_below_each(page, [(row,) for row in range(len(page))])
    assert [form["links"] for form in forms] == every


halves = st.integers(0, 2_000_001).map(lambda number: number / 2e6)
number = (
    st.floats(0, 1) | st.floats(-2e6, 2e6) | halves | halves.map(lambda one: np.nextafter(one, 1))
)


@twins
@given(st.lists(number, min_size=1, max_size=20))
def test_scores_are_rounded_as_python_rounds(scores):
    page = parse("<p>a")
    parts = KeptParts(
        [], np.zeros(0, np.intp), [(0,)] * len(scores), ["a"] * len(scores), np.array(scores, float)
    )
    found = str(write_parts(page, parts, {}, [""] * len(scores), NOTHING_FOLDED))
    written = re.findall(r'"score": ([^,]*)', found)
    assert written == [repr(round(float(score), 6)) for score in scores]


@twins
def test_parts_that_do_not_fit_are_refused():
    page = parse("<p>a")
    for rows, roles in (([(99,)], ["a"]), ([(-1,)], ["a"]), ([(0,)], [])):
        parts = KeptParts([], np.zeros(0, np.intp), rows, roles, np.zeros(1))
        with pytest.raises((IndexError, ValueError)):
            write_parts(page, parts, {}, [""], NOTHING_FOLDED)


@twins
@pytest.mark.parametrize("anchors", [[2**30], [-5, 1, 2**30, 2, 2, 2, 2], [-1]])
def test_links_outside_the_page_are_refused(anchors):
    page = parse("<p>a")
    page.__dict__["anchors"] = np.array(anchors, np.int32)
    page.__dict__["hrefs"] = dict.fromkeys(anchors, "/x")
    parts = KeptParts([], np.zeros(0, np.intp), [(0,)], ["a"], np.zeros(1))
    try:
        written = write_parts(page, parts, {}, [""], NOTHING_FOLDED)
    except IndexError:
        return
    assert json.loads(str(written))[0]["links"] == []  # none of them lies below the row


@twins
def test_parts_that_other_selectors_decide():
    def list_parts():
        page = parse("<p>one <b>two</b> three</p><div>four <b>five</b></div>")
        answer = ContentAnswer.by_rows(page, page.tag == 0, np.zeros(len(page)))
        answer = answer.with_overrides(apply_selectors(page, make_selectors(("p", "b"), ())))
        return Listing(answer)._kept_bounds.places

    compiled, python = ask_both(list_parts)
    assert compiled == python == [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]


@twins
@given(trees, st.integers(0, 9), st.booleans())
def test_parts_that_are_kept(tree, seed, ruled):
    def list_parts():
        page, random = page_of(tree), np.random.default_rng(seed)
        answer = ContentAnswer.by_rows(page, random.random(len(page)) < 0.7, np.zeros(len(page)))
        if ruled:
            selectors = make_selectors(("p", "b"), ("div",))
            answer = answer.with_overrides(apply_selectors(page, selectors))
        return [list(each) for each in Listing(answer)._kept_bounds]

    compiled, python = ask_both(list_parts)
    assert compiled == python
