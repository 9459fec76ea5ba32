"""Examples worked by hand from Alarte, Insa, Silva, SOFSEM 2017."""

from math import sqrt

import numpy as np
import pytest

from pagelet import detect_menu
from pagelet.methods.menu import paper as menu_paper
from pagelet.methods.menu.options import PaperMenuOptions
from pagelet.page.links import link_ratio
from tests.build import flat_menu, html, page_of

PAPER = PaperMenuOptions()
BREAK = ("br",)


def page_with_menu(items, attrs=None):
    """A page of 100 rows whose menu is row 5: position 0.95."""
    rows_of_menu = 1 + 3 * items
    after = 100 - 5 - rows_of_menu
    return page_of(("body", *[BREAK] * 4, flat_menu(items, attrs), *[BREAK] * after))


#: items: weight at position 0.95; 0.2(1 - 1/items) + 0.1 * 2/3 + 0.3 + 0.2 + 0.095
FLAT = {4: 0.812, 6: 0.828, 8: 0.837, 12: 0.845, 30: 0.855}


@pytest.mark.parametrize(("items", "weight"), FLAT.items(), ids=[f"{n} items" for n in FLAT])
def test_weight_of_a_flat_list(items, weight):
    page = page_with_menu(items)
    assert len(page) == 100
    assert menu_paper.weigh(page, PAPER)[5] == pytest.approx(weight, abs=5e-4)


@pytest.mark.parametrize("attrs", [{"class": "menu"}, {"class": "main nav"}, {"id": "nav"}])
@pytest.mark.parametrize(("items", "weight"), FLAT.items(), ids=[f"{n} items" for n in FLAT])
def test_a_representative_list_weighs_a_tenth_more(items, weight, attrs):
    page = page_with_menu(items, attrs)
    assert menu_paper.weigh(page, PAPER)[5] == pytest.approx(weight + 0.10, abs=5e-4)


@pytest.mark.parametrize(
    ("items", "found"),
    [pytest.param(17, False, id="17 are too few"), pytest.param(18, True, id="18 suffice")],
)
def test_a_plain_list_is_a_candidate_from_18_items_on(items, found):
    weight = menu_paper.weigh(page_with_menu(items), PAPER)
    assert (weight[5] > PAPER.candidate_threshold) == found


def test_link_ratio_of_a_list():
    """Three rows an item, one of them the link: (H + 3H) / (2 * 3H) = 2/3."""
    page = page_of(("body", flat_menu(8)))
    assert link_ratio(page)[1] == pytest.approx(2 / 3)


def test_an_item_with_one_link_weighs_0395():
    """One child, one link: no amplitude, no link ratio; 0.3 + 0.1 * 0.95."""
    page = page_of(("body", *[BREAK] * 4, ("li", ("a", {"href": "/"}, "x")), *[BREAK] * 92))
    assert len(page) == 100
    assert menu_paper.weigh(page, PAPER)[5] == pytest.approx(0.395)


def test_no_element_but_ul_can_pass_the_candidate_threshold():
    page = page_of(("body", ("nav", *[("a", {"href": "/"}, "x")] * 5000)))
    assert 0.77 < menu_paper.weigh(page, PAPER)[1] < 0.80


def test_text_ratio_is_taken_literally():
    page = page_of(("body", ("p", "x" * 10_000)))
    assert menu_paper.text_ratio(page, "literal")[0] == pytest.approx(-99)


@pytest.mark.parametrize(
    ("reading", "cost"),
    [
        pytest.param("literal", 0.3 * 20 / sqrt(5000), id="literal: 0.085"),
        pytest.param("sqrt_of_ratio", 0.3 * sqrt(20 / 5000), id="square root: 0.019"),
        pytest.param("linear", 0.3 * 20 / 5000, id="linear: 0.001"),
    ],
)
def test_twenty_stray_characters_cost(reading, cost):
    page = page_of(("body", ("ul", "|" * 20), ("p", "x" * 4980)))
    assert 0.3 * (1 - menu_paper.text_ratio(page, reading)[1]) == pytest.approx(cost)


# -- figure 1 ---------------------------------------------------------------------------------

LINKS = (("a", {"href": "/1"}, "x"), ("a", {"href": "/2"}, "y"))
FIGURE = (
    "body",
    (
        "div",
        ("div", ("ul", ("li", ("ul", *LINKS)), ("li", ("ul", *LINKS)), ("li", *LINKS))),
        ("p", "words"),
    ),
)
OUTER, DASHED, BLACK, GREY, CANDIDATE = 1, 2, 3, 4, 5


def figure_weights(page, **changes):
    """Weights as the example tells them: heavy means more than 0.7 times the candidate's."""
    weight = np.where(page.element & (page.children > 0), 0.1, -np.inf)
    items = [row for row in range(len(page)) if page.name(row) == "li"]
    weight[items] = 0.7
    weight[[OUTER, DASHED, BLACK, CANDIDATE]] = 0.4, 0.5, 0.75, 0.9
    for row, value in changes.values():
        weight[row] = value
    return weight


def root_of_candidate(weight):
    page = page_of(FIGURE)
    return menu_paper.find_roots(page, weight, np.array([CANDIDATE]), 0.7).tolist()


def test_figure_1_climbs_past_the_item_and_keeps_the_list():
    """LI has one child and ul three heavy ones; the dashed div is passed; at its parent it ends."""
    page = page_of(FIGURE)
    assert [page.name(row) for row in range(6)] == ["body", "div", "div", "ul", "li", "ul"]
    assert root_of_candidate(figure_weights(page)) == [BLACK]


FIGURE_CHANGES = {
    "light items: the candidate stays": ({"a": (GREY, 0.2), "b": (10, 0.2)}, CANDIDATE),
    "one heavy child of two is not more than half": ({"a": (DASHED, 0.9)}, BLACK),
    "both children heavy: the outer div": ({"a": (DASHED, 0.9), "b": (21, 0.9)}, OUTER),
    "a light list ends the climb at the list": ({"a": (BLACK, 0.2)}, BLACK),
}


@pytest.mark.parametrize(("changes", "root"), FIGURE_CHANGES.values(), ids=FIGURE_CHANGES)
def test_figure_1_with_other_weights(changes, root):
    page = page_of(FIGURE)
    assert [page.name(row) for row in (10, 21)] == ["li", "p"]
    assert root_of_candidate(figure_weights(page, **changes)) == [root]


def test_a_page_like_figure_1():
    """Items that say they are menus are heavy enough for the whole menu to be found."""
    part = flat_menu(20, {"class": "menu"})
    item = ("li", {"class": "menu"}, ("a", {"href": "/"}, "x"), part, part)
    top = ("div", ("div", ("ul", *[item] * 4)), ("p", "words " * 40))
    page = page_of(html(top, *[BREAK] * 5000))
    assert [found.path for found in detect_menu(page, options=PAPER, profile="paper")] == [
        "/html/body/div/div/ul"
    ]
