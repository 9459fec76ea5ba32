"""What pages of a site are compared by: leaves with their neighbours, and places."""

import numpy as np
import pytest
from hypothesis import given

from pagelet import parse
from pagelet.methods.template.table import digest_page, plain_name
from tests import build, hostile
from tests.build import page_of
from tests.effort import ends
from tests.naive import tree as plain


def shared(one, two):
    """Which leaves of one page stand likewise in another."""
    ours, theirs = digest_page(parse(one)), digest_page(parse(two))
    found = np.isin(ours.before, theirs.before) | np.isin(ours.after, theirs.after)
    return found.tolist()


@pytest.mark.parametrize(
    ("one", "two", "found"),
    [
        ("<p>a<p>b<p>c", "<p>a<p>b<p>d", [True, True, False]),
        ("<p>a<p>b<p>c", "<p>x<p>b<p>d", [False, False, False]),
        ("<p> a  b<p>c", "<p>a b<p>c", [True, True]),
        ("<p>a<p>b", "<p>a<i>b</i>", [True, False]),
        ("<img src=a><img src=b>", "<img src=a><img src=c>", [True, False]),
        ("<br><p>a", "<br><p>a", [True, True]),
    ],
    ids=[
        "neighbours", "alone among others", "white space", "another place", "pictures", "equal",
    ],
)  # fmt: skip
def test_a_leaf_needs_its_words_its_tags_and_a_neighbour(one, two, found):
    assert shared(one, two) == found


def test_what_is_repeated_more_often_is_not_the_same():
    post = "<div><b>Joined</b><i>Posts</i></div>"
    assert shared(f"<h1>x</h1>{post * 3}", f"<h1>x</h1>{post * 4}")[2:-1] == [False] * 4
    assert all(shared(f"<h1>x</h1>{post * 3}", f"<h1>x</h1>{post * 3}"))


def test_names_html_does_not_know_are_the_same_on_every_page():
    assert all(shared("<x-a></x-a><x-b><p>t</x-b>", "<x-a></x-a><x-b><p>t</x-b>"))
    one, two = "<x-b><p>t</x-b>", "<x-a></x-a><x-b><p>t</x-b>"
    assert digest_page(parse(one)).place[-1] == digest_page(parse(two)).place[-1]


def test_places_know_classes_and_ids_but_no_states():
    def last(text):
        return digest_page(parse(text)).place[-1]

    assert last("<div class='item active'><p>a") == last("<div class=item><p>b")
    assert last("<div id=one><p>a") != last("<div id=two><p>a")
    assert last("<div class=x><p>a") != last("<div class=y><p>a")
    assert last("<body class=home><div><p>a") == last("<body class=news><div><p>a")
    assert last("<div id=x><p>a") != last("<div class=x><p>a")


def test_a_name_without_counters_and_states():
    assert plain_name("Menu-item-17 current  Box") == "box menu-item"


@given(build.trees)
def test_rows_and_leaves_are_those_of_the_tree(tree):
    page, root = page_of(tree), plain.read(tree)
    counted = [node for node in plain.walk(root) if plain.counted(node)]
    made = digest_page(page)
    sizes = [sum(plain.counted(below) for below in plain.walk(node)) for node in counted]
    assert made.size.tolist() == sizes
    assert len(made) == sizes.count(1)
    assert len(made.place) == len(counted)
    assert made.leaves.tolist() == [at for at, size in enumerate(sizes) if size == 1]


@given(build.trees)
def test_signs_are_the_same_every_time(tree):
    one, two = digest_page(page_of(tree)), digest_page(page_of(tree))
    assert (one.before == two.before).all()
    assert (one.place == two.place).all()


def test_signs_are_kept_in_files_so_they_must_not_change():
    made = digest_page(parse("<div id=a class='b c'><p>Some words</p><img src=x.png></div>"))
    assert [int(sign) for sign in (made.before[0], made.after[0], made.place[-1])] == EXPECTED


EXPECTED = [16894556285383222281, 6594514054095084962, 13590296185481330457]


@pytest.mark.parametrize("name", ["many attributes", "5 MB of class", "true depth", "links"])
def test_hostile_pages_are_measured(name):
    with ends():
        assert len(digest_page(hostile.page(name))) >= 1
