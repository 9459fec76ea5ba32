"""The holder of a page's own: any site against the definition, and what weighs in the choice."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagelet import parse
from pagelet.methods.template.slot import NAME_STEP_F1, find_slot, name_score
from pagelet.methods.template.table import SiteTable, digest_page
from tests import build
from tests.build import page_of
from tests.methods.sites import menu, prose
from tests.naive import template as naive
from tests.naive import tree as plain


def tree_of(seed: int):
    """A page of a site: the same menu and footer, a story of its own, sometimes more."""
    rng = random.Random(seed)
    entries = [
        ("li", {"class": f"e{at}"}, ("a", {"href": f"/{at}"}, f"entry {at}")) for at in range(14)
    ]
    story = [
        (rng.choice(["p", "div"]), f"{rng.choice(['same', seed])} {at}", *([("br",)] * (at % 2)))
        for at in range(rng.randint(1, 6))
    ]
    side = [("div", {"class": "side"}, ("b", "News"), f"item {rng.randint(0, 2)}")] * rng.randint(
        0, 2
    )
    posts = [
        ("div", {"class": "post"}, ("b", "Reply"), ("p", f"{rng.choice(['same', f'{seed} {at}'])}"))
        for at in range(rng.choice((0, 0, 4, 5)))
    ]
    story += posts
    body = [
        ("ul", {"id": "menu"}, *entries),
        ("div", {"class": "box"}, ("h1", f"Page {seed}"), *story),
    ]
    other = [("table", ("tr", ("td", f"odd {seed}")))] if rng.random() < 0.2 else body
    return build.html(*other, *side, ("div", {"class": "foot"}, "All rights", ("i", "reserved")))


sites = st.lists(st.integers(0, 30), min_size=2, max_size=5)


@settings(max_examples=20)
@given(sites)
def test_the_holder_has_the_highest_score_by_definition(seeds):
    trees = [tree_of(seed) for seed in seeds]
    check(trees)


@settings(max_examples=20)
@given(st.lists(build.documents, min_size=2, max_size=4))
def test_of_any_pages_too(trees):
    check(trees)


def check(trees):
    pages = [page_of(tree) for tree in trees]
    digests = [digest_page(page) for page in pages]
    slot = find_slot(pages[0], digests[0], SiteTable(digests), 0)
    roots = [plain.read(tree) for tree in trees]
    leaves = [naive.Leaves(root) for root in roots]
    number = {node: row for row, node in enumerate(plain.walk(roots[0]))}
    f1 = {number[node]: score for node, score in naive.scores(leaves[0], leaves[1:]).items()}
    if slot is None:
        assert not f1
        return
    total = {row: score + NAME_STEP_F1 * name_score(pages[0], row) for row, score in f1.items()}
    assert min(f1[slot.row], 1) == pytest.approx(slot.score)
    assert total[slot.row] == pytest.approx(max(total.values()))
    assert len(slot.alike) == len(naive.alike(leaves[0], leaves[1:]))


def holder(texts):
    """The class of the holder of the first page."""
    pages = [parse(text) for text in texts]
    digests = [digest_page(page) for page in pages]
    slot = find_slot(pages[0], digests[0], SiteTable(digests), 0)
    return pages[0].attributes_of(slot.row).get("class", pages[0].name(slot.row))


def test_a_name_tips_the_scales():
    def page(seed, name):
        tail = "".join(f"<p>z{at}</p>" for at in range(6))
        story = f"<div class=u id={name}><div class=y>{prose(seed)}</div>{tail}</div>"
        return f"<div class=x>{menu()}{menu()}<b>a</b></div>{story}"

    assert holder([page(seed, "q") for seed in (1, 2, 3)]) == "y"
    assert holder([page(seed, "content") for seed in (1, 2, 3)]) == "u"


def test_what_other_pages_hold_there_counts():
    """The page itself has one word of its own there; the others have a story."""

    def page(seed, paragraphs):
        story = f"<div class=story><p>label</p>{prose(seed, paragraphs)}</div>"
        return f"<div class=x>{menu()}</div>{story}<div class=foot><p>a</p><p>b {seed}</p></div>"

    assert holder([page(1, 1), page(2, 9), page(3, 9), page(4, 9)]) == "story"
