"""Marks carried to other pages: the sample site with what people said of it, then any page."""

import json
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagelet import parse
from pagelet.annotator.spread import LOST, Carried, carry, map_pages
from tests import hostile
from tests.build import html, page_of, trees

SAMPLE = Path("examples")
#: pages of the sample site with the usual template
LIKE = ("news/fog-tomatoes.html", "news/wall-repair.html", "guides/germination-test.html",
        "ar/index.html", "index.html", "shop/index.html")  # fmt: skip


def carried(key, other, *paths):
    """Paths on the other page, or None, with how sure they are."""
    found = carry(map_pages(key, other), [key.row(path) for path in paths])
    return [(None if each.row == LOST else other.path(each.row), each.sure) for each in found]


def story(words, *more, name="article"):
    return page_of(
        html(
            ("nav", {"id": "menu"}, ("ul", ("li", ("a", {"href": "/"}, "Home")))),
            *more,
            ("div", {"class": "columns"}, (name, {"class": "story"}, ("p", words)), ("aside", "x")),
        )
    )


def test_by_the_mapping_as_far_as_it_reaches():
    key, other = story("One."), story("Two.", ("p", {"class": "notice"}, "New."))
    nav, article = "/html/body/nav", "/html/body/div/article"
    assert carried(key, other, nav, article) == [(nav, 1.0), (article, 1.0)]


def test_what_has_another_tag_is_found_and_less_sure():
    key, other = story("One."), story("Two.", name="section")
    ((path, sure),) = carried(key, other, "/html/body/div/article")
    assert path == "/html/body/div/section"
    assert 0.2 <= sure < 1


def test_a_mark_is_as_sure_as_the_weakest_step_above_it():
    nav = ("nav", {"id": "menu"}, ("ul", ("li", "Home")))
    key = page_of(html(nav, ("p", "one"), ("div", "two")))
    other = page_of(html(("p", "one"), nav, ("div", "two")))
    one, two = carried(key, other, "/html/body/nav", "/html/body/nav/ul")
    moved = 0.4 + 0.35 + 0.25 * (1 - 1 / 3)  # one place of three
    assert one == ("/html/body/nav", pytest.approx(moved, abs=1e-4))
    assert two == ("/html/body/nav/ul", one[1])


def test_what_is_not_there_is_lost():
    key, other = story("One.", ("p", {"class": "notice"}, "New.")), story("Two.")
    assert carried(key, other, "/html/body/p") == [(None, 0.0)]


def test_rows_that_do_not_count_are_lost():
    key = page_of(html(("script", "var x"), ("p", "x")))
    assert carry(map_pages(key, key), [0, key.row("/html/body/script")]) == [Carried(LOST, 0.0)] * 2


def test_pages_of_another_template_are_not_alike():
    key, other = story("One."), page_of(html(("table", ("tr", ("td", "x")))))
    assert map_pages(key, other).alike < 0.3 < map_pages(key, story("Two.")).alike


def test_the_sample_site():
    """Of marks that the mapping finds, nearly all are where people put them; sure ones all but."""
    gold = json.loads((SAMPLE / "gold.json").read_text())["pages"]
    pages = {name: parse((SAMPLE / "site" / name).read_bytes()) for name in LIKE}
    sure = sure_right = found = right = wanted = 0
    for one, other in permutations(LIKE, 2):
        mapped = map_pages(pages[one], pages[other])
        assert mapped.alike > 0.3
        for kind in ("menu", "content", "clutter"):
            there = {pages[other].row(path) for path in gold[other][kind]}
            marks = carry(mapped, [pages[one].row(path) for path in gold[one][kind]])
            wanted += len(marks)
            found += sum(mark.row != LOST for mark in marks)
            right += sum(mark.row in there for mark in marks)
            sure += sum(mark.sure >= 0.9 for mark in marks)
            sure_right += sum(mark.sure >= 0.9 and mark.row in there for mark in marks)
    assert found / wanted > 0.9
    assert right / found > 0.95
    assert sure_right / sure > 0.99


# -- any page ---------------------------------------------------------------------------------


@settings(max_examples=40)
@given(trees)
def test_a_page_is_carried_to_itself(tree):
    page = page_of(tree)
    rows = [row for row in range(len(page)) if page.counted[row]]
    mapped = map_pages(page, page)
    assert [each.row for each in carry(mapped, rows)] == rows
    assert all(each.sure == 1 for each in carry(mapped, rows))
    assert mapped.alike == (1.0 if rows else 0.0)


@settings(max_examples=50)
@given(trees, trees, st.data())
def test_any_row_of_any_page(tree, another, data):
    key, other = page_of(tree), page_of(another)
    rows = data.draw(st.lists(st.integers(0, len(key) - 1), max_size=6))
    mapped = map_pages(key, other)
    assert 0 <= mapped.alike <= 1
    for each in carry(mapped, rows):
        assert each == Carried(LOST, 0.0) or (0 < each.sure <= 1 and other.counted[each.row])


HOSTILE = ("empty str", "no body", "nested divs", "list of links", "5 MB of class",
           "duplicate ids", "true depth")  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages(name):
    page, other = hostile.page(name), page_of(html(("p", "x")))
    rows = list(range(0, len(page), max(len(page) // 20, 1)))
    for mapped in (map_pages(page, other), map_pages(page, page)):
        assert len(carry(mapped, rows)) == len(rows)
