"""Digests of pages and sums over them: the compiled core against Python."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pagelet import analyse, core, parse
from pagelet.methods.template.leaves import leaf_hashes
from pagelet.methods.template.slot import NAMING, _add_places, _best_by_name, name_score
from pagelet.methods.template.table import (
    MAX_PAGES,
    Occurrence,
    PlaceSums,
    SiteTable,
    digest_page,
    parents,
    sum_below,
    template_probability,
)
from pagelet.page.table import WANTED
from pagelet.page.tags import NUMBER
from tests.build import deep, html, page_of, trees
from tests.cores import ask_both, twins

pytestmark = twins

PARTS = st.sampled_from(["a", "B-", "_x", "current", "7", " ", "\u00a0", "\u2003", "\0", "\ud800"])
TEXTS = st.lists(PARTS | st.text(max_size=4), max_size=8).map("".join)
KEYS = st.sampled_from(["src", "alt", "type", "name", "value", "id", "class"])


def leaves_of(page):
    return np.flatnonzero(page.size == 1)


@given(st.lists(TEXTS.filter(str.strip), min_size=1, max_size=5))
@example(["\u00e4 b\t\n c ", "x\x1cy", "\ud800 x", "word " * 900, "\u00e4" * 3000])
def test_checksums_of_texts(texts):
    page = page_of(html(*[each for text in texts for each in (text, ("br",))]))
    rows = leaves_of(page)[1:]
    compiled, python = ask_both(lambda: leaf_hashes(page, rows).tolist())
    assert compiled == python


@given(st.lists(st.dictionaries(KEYS, st.none() | TEXTS, max_size=4)))
@example([{"src": "x" * 3000, "alt": None}, {}, {"alt": "a  b", "value": "\ud800"}])
@example([{"value": "\u00e4" * 1500}, {"value": "\u00e4" * 2500, "id": "x"}])
def test_checksums_of_attributes(attrs):
    page = page_of(html(*[("img", each) for each in attrs], ("hr", {"src": "x"})))
    compiled, python = ask_both(lambda: leaf_hashes(page, leaves_of(page)).tolist())
    assert compiled == python


NO_SURROGATES = TEXTS.filter(lambda text: "\ud800" not in text)


@given(st.lists(NO_SURROGATES, min_size=1, max_size=5), st.sampled_from(["id", "class"]))
@example(["-_ a-1", "b a", "", "_-", "Open open-er", "x\0current", "c" * 3000], "class")
@example(["\u00c4 b", "b \u00e4", "\u00e4 b"], "id")
def test_places_of_named_elements(values, name):
    page = page_of(html(*[("p", {name: value}, "x") for value in values]))
    compiled, python = ask_both(lambda: list(digest_page(page).place))
    assert compiled == python


@given(trees, st.lists(st.floats(-0.2, 1), min_size=1, max_size=5))
@example(html(*[("div", {"class": each}, "x") for each in ("a", "content", "a", "nav")]), [0.5])
@example(html(("p", {"id": "content"}, "x"), ("div", {"id": "main"}, "y")), [0.1, 0.2, 0.3])
def test_candidates_by_name(tree, scores):
    page = page_of(tree)
    rows = np.flatnonzero(page.element)
    f1 = np.resize(np.array(scores), len(rows))
    compiled, python = ask_both(lambda: _best_by_name(page, rows, f1))
    totals = [each + 0.05 * name_score(page, row) for each, row in zip(f1, rows, strict=True)]
    near = np.flatnonzero((f1 >= 0) & (f1 >= f1.max() - 0.35)).tolist()
    expected = max(near, key=lambda at: (totals[at], f1[at], -at), default=-1)
    assert compiled == python == expected


SIMILAR = ("<p>a{}</p>", "<p><br></p>", "<hr>", "<div><p>b{}</p></div>", "<h2>c<br></h2>",
           "<p class=footer>q{}</p>", "<nav>m</nav>", "<p id=x>z</p>")  # fmt: skip


@given(
    st.sampled_from(("x", "Kommentar", "comment")),
    st.lists(st.sampled_from(SIMILAR), min_size=3, max_size=9),
)
@example("Kommentar", [SIMILAR[at] for at in (6, 6, 0, 7, 5, 0)])
def test_slots_with_scores_that_nearly_tie(name, parts):
    inner = "".join(part.format(at) for at, part in enumerate(parts))
    page = f"<body class={name}>{inner}"

    def ask():
        return [each.path for each in analyse(page, "template", site=[parse("<p>other</p>")])]

    compiled, python = ask_both(ask)
    assert compiled == python


def test_of_rows_named_alike_the_best_is_kept():
    page = page_of(html(*[("p", {"class": each}, "x") for each in ("a", "b", "a", "a")]))
    rows, score = np.flatnonzero(page.tag == NUMBER["p"]), np.array([0.1, 0.2, 0.4, 0.4])
    numbers = tuple(WANTED[name] for name in NAMING)
    found = core.kernels.find_named(page.wanted, numbers, rows, page.tag, score)
    assert found == [(2, "", "a", ""), (1, "", "b", "")]


@given(trees)
@example(html(deep(200, "x", ("img", {"src": "a"})), ("br",)))
def test_digests(tree):
    def ask():
        page = digest_page(page_of(tree))
        columns = page.place, page.size, page.before, page.after, parents(page.size)
        below = sum_below(page, np.arange(len(page)) / 7)
        return [column.tolist() for column in (*columns, below)]

    compiled, python = ask_both(ask)
    assert compiled == python


RECORD = ("li", ("b", "x"), ("i", "y"))
RECORDS = html(("ul", *[RECORD] * 5, ("li", ("b", "z"))), ("ol", *[("li", ("i", "y"))] * 3), "end")


@given(trees, st.lists(st.integers(0, 3), min_size=1, max_size=9))
@example(RECORDS, [0, 3])
@example(RECORDS, [3, 3, 3, 0])
@example(html(*[RECORD] * 9), [0])
def test_probability_to_be_template(tree, shared):
    def ask():
        page = digest_page(page_of(tree))
        return template_probability(page, np.resize(np.array(shared), len(page)), 3).tolist()

    compiled, python = ask_both(ask)
    assert compiled == python


def test_broken_digests_are_refused():
    size, place = np.array([2, 1]), np.zeros(2, np.uint64)
    factors, least, kernels = (3, 5), (4, 0.6), core.kernels
    one, two = np.zeros(1, np.bool_), np.zeros(2, np.bool_)
    for sizes, marks, why in (
        (size, two, "fewer leaves"),
        (size, one[:0], "more leaves"),
        (np.array([3, 1]), one, "broken"),
        (size[:1], one, "place for each row"),
    ):
        with pytest.raises(ValueError, match=why):
            kernels.mark_records(sizes, place, marks, factors, least, marks.copy())
    with pytest.raises(ValueError, match="mark for each leaf"):
        kernels.mark_records(size, place, one, factors, least, two)
    tag, parent, counted = np.zeros(2, np.int32), np.array([-1, 0], np.int32), two
    rest = (3, place.copy(), size.copy(), size.copy(), place.copy())
    with pytest.raises(IndexError, match="tag"):
        kernels.digest_rows(parent, tag, counted, place[:0], place, *rest)
    with pytest.raises(ValueError, match="each row"):
        kernels.digest_rows(parent, tag, counted, place, place[:1], *rest)
    assert kernels.digest_rows(parent[::-1].copy(), tag, counted, place, place, *rest) is None
    wanted = page_of(html(("p", {"class": "x"}))).wanted
    with pytest.raises(ValueError, match="rows that do not exist"):
        kernels.hash_names(wanted, WANTED["class"], 9, 3, len, place)
    with pytest.raises(ValueError, match="two hashes"):
        kernels.pair_leaves(place, (3, 5, 7), place.copy(), place[:1].copy())


def test_what_does_not_exist_is_refused():
    none, sums = np.array([1]), np.zeros(1, np.uint64)
    kernels = core.kernels
    page = page_of(html("a"))
    given = page.tag, page.texts, page.wanted, (0,), (), 9
    with pytest.raises(IndexError, match="row"):
        kernels.sum_contents(np.array([len(page)]), *given, sums)
    with pytest.raises(IndexError, match="order"):
        kernels.sum_contents(np.array([1, 0]), *given, np.zeros(2, np.uint64))
    with pytest.raises(IndexError, match="text"):
        kernels.sum_contents(np.array([1]), np.zeros(2, np.int32), (), *given[2:], sums)
    with pytest.raises(ValueError, match="row"):
        kernels.sum_contents(none, *given, sums[:0])
    with pytest.raises(ValueError, match="score"):
        kernels.find_named(page.wanted, (0,), none, page.tag, np.zeros(2))
    with pytest.raises(IndexError, match="row"):
        kernels.find_named(page.wanted, (0,), np.array([9]), page.tag, np.zeros(1))
    with pytest.raises(ValueError, match="leaves"):
        kernels.sum_leaves(np.array([1]), np.zeros(0), np.zeros((2, 1)))
    with pytest.raises(ValueError, match="broken"):
        kernels.sum_leaves(np.array([2]), np.zeros(0), np.zeros((2, 1)))
    with pytest.raises(ValueError, match="two sums"):
        kernels.sum_leaves(np.array([1]), np.zeros(1), np.zeros((2, 2)))
    with pytest.raises(ValueError, match="parent"):
        kernels.find_parents(np.array([1]), np.zeros(0, np.intp))


@given(trees, st.lists(st.integers(0, 40), max_size=9), st.integers(1, 3))
def test_sums_of_other_pages_at_the_same_places(tree, chosen, pages):
    own = digest_page(page_of(tree))
    known = own.place[[at for at in chosen if at < len(own.place)]]
    place = np.unique(np.append(known, np.arange(3, dtype=np.uint64)))
    sums = np.arange(2.0 * len(place)).reshape(2, -1) / 7
    others = PlaceSums(place, sums, 1.0, 1.0)

    def add():
        below = sum_below(own, np.ones(len(own)))
        return [each.tolist() for each in _add_places(own, others, 2 / pages, below)]

    compiled, python = ask_both(add)
    assert compiled == python


def test_leaves_and_places_that_do_not_fit_are_refused():
    kernels, few, pair = core.kernels, np.ones(1, np.intp), np.zeros((2, 1))
    with pytest.raises(ValueError, match="leaf"):
        kernels.weigh_leaves(few, 0, few > 0, (0.1, 0.8), 5, np.zeros(1))
    with pytest.raises(ValueError, match="two sums"):
        kernels.add_places(
            few, few.astype(np.uint64), few.astype(np.uint64), pair, 1.0, pair, np.zeros((1, 1))
        )


@given(st.lists(trees, min_size=1, max_size=4), trees)
def test_pages_that_have_the_leaves_of_a_page(sites, tree):
    pages, own = [digest_page(page_of(each)) for each in sites], digest_page(page_of(tree))

    def ask():
        occurrence = SiteTable(pages).occurrence(own)
        counts = [occurrence.count_in(some).tolist() for some in ([], [0], [*range(len(pages))])]
        return occurrence.masks.tolist(), occurrence.leaves, counts

    compiled, python = ask_both(ask)
    assert compiled == python
    assert compiled[1] == [
        sum(mask >> page & 1 for mask in compiled[0]) for page in range(len(pages))
    ]


@given(st.lists(st.integers(0, 2**64 - 1), max_size=9), st.sets(st.integers(0, MAX_PAGES - 1)))
@example([2**64 - 1, 0, 2**63], {0, 63})
def test_pages_are_counted_by_their_bits(masks, some):
    def ask():
        occurrence = Occurrence(np.array(masks, np.uint64), MAX_PAGES)
        return occurrence.leaves, occurrence.count_in(sorted(some)).tolist()

    compiled, python = ask_both(ask)
    assert compiled == python
    assert compiled[1] == [sum(mask >> page & 1 for page in some) for mask in masks]


@given(st.sets(st.integers(0, 99) | st.integers(2**63, 2**63 + 99) | st.integers(0, 2**64 - 1)))
def test_masks_of_pairs(pairs):
    hashes = np.array(sorted(pairs), np.uint64)
    masks = np.arange(1, len(pairs) + 1, dtype=np.uint64)
    wanted = np.array([*sorted(pairs, reverse=True), 7, 2**63 + 7, 2**64 - 1], np.uint64)
    found = np.zeros(len(wanted), np.uint64)
    core.kernels.PairMasks(hashes, masks).add_masks(wanted, found)
    known = dict(zip(hashes.tolist(), masks.tolist(), strict=True))
    assert found.tolist() == [known.get(each, 0) for each in wanted.tolist()]


def test_broken_tables_of_pairs_are_refused():
    two, three = np.arange(2, dtype=np.uint64), np.arange(3, dtype=np.uint64)
    for pairs, masks in ((two, three), (two[::-1].copy(), two), (two * np.uint64(0), two)):
        with pytest.raises(ValueError, match="pair"):
            core.kernels.PairMasks(pairs, masks)
    with pytest.raises(ValueError, match="pair"):
        core.kernels.PairMasks(two, two).add_masks(two, three)
    with pytest.raises(ValueError, match="count"):
        core.kernels.count_masks(two, 1, np.zeros(3, np.intp))
