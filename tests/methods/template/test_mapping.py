"""Equal top-down mapping: hand-worked pages, then any two pages against a plain recursion."""

import copy
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagelet import parse
from pagelet.methods.template.equality import (
    AUTHORS_LATER,
    AUTHORS_OLDER,
    AuthorsRelation,
    CustomRelation,
    SameAttributes,
    SameLabel,
)
from pagelet.methods.template.mapping import Vocabulary, count_votes, label_page, top_down
from tests import build
from tests.build import html, page_of
from tests.effort import ends, growth
from tests.naive import mapping as naive
from tests.naive import tree as plain


def rows_mapped(one, two, relation):
    """The mapping as pairs of rows."""
    vocabulary = Vocabulary()
    ours, theirs = label_page(one, vocabulary), label_page(two, vocabulary)
    partner = top_down(ours, theirs, relation)
    return {
        int(ours.rows[at]): int(theirs.rows[to])
        for at, to in enumerate(partner.tolist())
        if to >= 0
    }


def naive_mapped(one, two, match):
    ours, theirs = plain.read(one), plain.read(two)
    number = [{node: row for row, node in enumerate(plain.walk(top))} for top in (ours, theirs)]
    found = naive.mapped(ours, theirs, match)
    return {number[0][here]: number[1][there] for here, there in found.items()}


RELATIONS = {
    "label": (SameLabel(), naive.same_label),
    "strict": (SameAttributes(), naive.same_attributes),
    "later": (AUTHORS_LATER, naive.Authors()),
    "later as run": (AuthorsRelation(priorities=False), naive.Authors(priorities=False)),
    "older": (AUTHORS_OLDER, naive.Authors((0.8, 0.1, 0.0, 0.1), 0.99)),
    "attributes": (
        AuthorsRelation(classes=0.2, position=0.2, attributes=0.3, children=0.3),
        naive.Authors((0.2, 0.2, 0.3, 0.3)),
    ),
    "asked": (
        CustomRelation(lambda one, row, two, to: one.name(row) == two.name(to)),
        naive.same_label,
    ),
}


@st.composite
def two_pages(draw):
    """A page and the same page after a few random changes: most real pairs are like that."""
    tree = draw(build.documents)
    other = draw(st.sampled_from(["same", "changed", "another"]))
    if other == "another":
        return tree, draw(build.documents)
    return tree, tree if other == "same" else changed(tree, draw(st.integers(0, 999)))


def changed(tree, seed):
    """The tree with some children dropped, doubled, swapped or renamed."""
    rng = random.Random(seed)

    def walk(node):
        if isinstance(node, str) or node[0] == "head":
            return node
        name, attrs, children = build.parts(node)
        children = [walk(copy.deepcopy(child)) for child in children]
        if children and name != "html" and rng.random() < 0.4:
            at = rng.randrange(len(children))
            rng.choice([children.pop, lambda at: children.append(children[at])])(at)
        if rng.random() < 0.1:
            attrs = {**attrs, "class": rng.choice(["menu", "menu active", "x"])}
        return (name, attrs, *children)

    return walk(tree)


@pytest.mark.parametrize("name", RELATIONS)
@settings(max_examples=25)
@given(pages=two_pages())
def test_equals_the_plain_recursion(name, pages):
    relation, match = RELATIONS[name]
    one, two = pages
    assert rows_mapped(page_of(one), page_of(two), relation) == naive_mapped(one, two, match)


lists = st.lists(
    st.sampled_from(
        [
            ("li", {"class": "a", "title": "x"}, "t"),
            ("li", {"class": "a", "title": "x"}, "t", "u", ("b",)),
            ("li", {"class": "a b"}, "t"),
            ("li", "t"),
            ("li", ("i",), ("b",)),
            ("p", {"id": "one"}, "t"),
            ("p", {"id": "two", "title": "x"}),
            ("p", {"title": "x"}),
            "words",
        ]
    ),
    max_size=14,
)


@pytest.mark.parametrize("name", RELATIONS)
@settings(max_examples=40)
@given(one=lists, two=lists)
def test_lists_equal_the_plain_recursion(name, one, two):
    relation, match = RELATIONS[name]
    one, two = html(("ul", *one)), html(("ul", *two))
    assert rows_mapped(page_of(one), page_of(two), relation) == naive_mapped(one, two, match)


# -- hand-worked pages --------------------------------------------------------------------------


def names_mapped(one, two, relation):
    """Texts and tags of what was mapped, in order."""
    ours, theirs = parse(one), parse(two)
    pairs = rows_mapped(ours, theirs, relation)
    return [(ours.text(at) or ours.name(at), theirs.text(to)) for at, to in sorted(pairs.items())]


def test_texts_are_not_compared_but_tags_are():
    found = names_mapped("<p>one</p><b>x</b>", "<p>two</p><i>x</i>", SameLabel())
    assert found == [("body", ""), ("p", ""), ("one", "two")]


def test_an_id_goes_before_place():
    one, two = "<p id=a>A<p id=b>B", "<p id=b>b<p id=a>a"
    assert ("A", "a") in names_mapped(one, two, AUTHORS_LATER)
    assert ("B", "b") in names_mapped(one, two, AUTHORS_LATER)
    assert ("A", "b") in names_mapped(one, two, SameLabel())


def test_equal_elements_match_though_their_children_differ_in_number():
    """Without priorities, 0.1 + 0.4 + 0.5 * 7 / 10 = 0.85 falls short of 0.9."""
    one = "<div class=c title=t>" + "<p>x</p>" * 7 + "</div>"
    two = "<div class=c title=t>" + "<p>x</p>" * 10 + "</div>"
    assert len(names_mapped(one, two, AUTHORS_LATER)) == 2 + 2 * 7
    assert len(names_mapped(one, two, AuthorsRelation(priorities=False))) == 1
    assert len(names_mapped(one, two, SameAttributes())) == 2 + 2 * 7


def test_the_older_weights_ask_for_classes():
    one, two = "<div class='a b'>x<p>y</div>", "<div class='a c'>x<p>y</div>"
    assert len(names_mapped(one, two, AUTHORS_OLDER)) == 1  # 0.8 / 3 + 0.1 + 0.1
    assert len(names_mapped(one, two, AUTHORS_LATER)) == 5  # 0.1 / 3 + 0.4 + 0.5 = 0.93


def test_a_child_far_from_its_place_does_not_match():
    """Five children each: the place of the first is one step away, 1 - 1/5 = 0.8 of 1."""
    one = "<b></b><i></i><i></i><i></i><i></i>"
    near, far = "<i></i><b></b><i></i><i></i><i></i>", "<i></i><i></i><b></b><i></i><i></i>"
    assert ("b", "") in names_mapped(one, near, AUTHORS_LATER)  # 0.1 + 0.4 * 0.8 + 0.5 = 0.92
    assert ("b", "") not in names_mapped(one, far, AUTHORS_LATER)  # 0.1 + 0.4 * 0.6 + 0.5 = 0.84


def test_scripts_are_no_children():
    one, two = "<p>x</p><script>1</script><b>y</b>", "<p>x</p><b>y</b>"
    assert len(names_mapped(one, two, AUTHORS_LATER)) == 5


def test_a_users_own_function():
    same = CustomRelation(lambda one, row, two, to: one.inner_text(row) == two.inner_text(to))
    assert names_mapped("<p>a</p><p>b</p>", "<p>b</p><p>c</p>", same)[1:] == [("p", ""), ("b", "b")]


def test_votes_count_the_pages_that_have_a_row():
    words = Vocabulary()
    key, *others = (
        label_page(parse(text), words) for text in ("<p>a<b>b", "<p>c", "<p>d<b>e", "x")
    )
    counted = count_votes([top_down(key, other, SameLabel()) for other in others], len(key))
    assert counted.tolist() == [3, 2, 2, 1, 1]


# -- size ---------------------------------------------------------------------------------------


def test_of_too_many_siblings_those_of_one_kind_match_in_order():
    plain_, named = "<li>x</li>", "<li class=c>x<b>y</b></li>"
    one = parse(f"<ul class=u title=t>{plain_ * 150}{named * 150}</ul>")
    two = parse(f"<ul class=u title=t>{named * 200}{plain_ * 200}</ul>")
    assert len(rows_mapped(one, two, AUTHORS_LATER)) == 2 + 150 * 2 + 150 * 4


@pytest.mark.parametrize("name", RELATIONS)
def test_fifty_thousand_siblings_do_not_explode(name):
    relation, _ = RELATIONS[name]
    one = parse("<ul>" + "<li>a<b>c</b></li>" * 50_000 + "</ul>")
    two = parse("<ul>" + "<li>a<b>c</b></li><li class=x>y</li>" * 25_000 + "</ul>")
    with ends():
        assert len(rows_mapped(one, two, relation)) > 50_000


def test_the_work_of_mapping_grows_with_the_pages():
    def page(seed, parts):
        rng = random.Random(seed)
        parts = [
            f"<div class=r{rng.randint(0, 3)}><h2>t</h2>{'<p>x <i>y</i>' * rng.randint(1, 6)}</div>"
            for _ in range(parts)
        ]
        return parse(f"<div id=top><ul>{'<li><a href=x>m</a>' * 40}</ul></div>{''.join(parts)}")

    def pair(parts):
        words = Vocabulary()
        return [label_page(page(seed, parts), words) for seed in range(2)]

    assert len(pair(400)[0]) > 6000
    assert growth(lambda pages: top_down(*pages, AUTHORS_LATER), pair, 100) < 6


def test_depth_beyond_any_parser_is_left_out():
    deep = page_of(html(build.deep(5000, "x")))
    other = page_of(html(build.deep(5000, "x", "y")))
    with ends():
        assert len(rows_mapped(deep, other, AUTHORS_LATER)) > 900
        assert len(rows_mapped(deep, deep, AUTHORS_LATER)) == 5002


@pytest.mark.parametrize("one", ["", "<frameset><frame src=a></frameset>", "<p>x"])
@pytest.mark.parametrize("two", ["", "<frameset><frame src=a></frameset>"])
def test_a_page_without_rows_maps_to_nothing_but_its_body(one, two):
    assert len(rows_mapped(parse(one), parse(two), AUTHORS_LATER)) <= 1
