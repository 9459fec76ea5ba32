"""Content by text density: the choice against recursion and marks, then edges and hostile pages."""

import numpy as np
import pytest
from hypothesis import given

from pagelet import parse
from pagelet.errors import OptionError
from pagelet.methods.content.cetd import find_content, kept_text
from pagelet.page.builder import PageBuilder
from pagelet.page.density import DENSITIES, composite_text_density
from tests import hostile
from tests.build import deep, flat_menu, html, page_of, trees
from tests.cases import case
from tests.effort import ends
from tests.naive import cetd as naive
from tests.naive import density as densities
from tests.naive import tree as plain

PROSE = ("p", "prose that nobody links to " * 10)


@pytest.mark.parametrize(
    ("density", "smooth"), [*((density, False) for density in DENSITIES), ("composite", True)]
)
@given(tree=trees | densities.linked_pages)
def test_the_choice_equals_the_marks(density, smooth, tree):
    page, root = page_of(tree), plain.read(tree)
    found = find_content(page, density=density, smooth=smooth)
    marker = naive.Marker(root, density, smooth=smooth)
    nodes = list(plain.walk(root))
    marks = [marker.marks.get(node) for node in nodes]
    assert found.content.tolist() == [mark == naive.CONTENT for mark in marks]
    assert found.path.tolist() == [mark == naive.PATH for mark in marks]
    assert found.threshold == pytest.approx(marker.threshold, abs=1e-5)
    assert found.tops == [at for at, node in enumerate(nodes) if node in marker.tops()]
    assert kept_text(page, found).tolist() == [marker.kept(node) for node in nodes]


def chosen(*body, **options):
    """Paths of the chosen elements."""
    page = page_of(html(*body))
    return [page.path(row) for row in find_content(page, **options).tops]


ARTICLE = ("div", PROSE, PROSE, PROSE)

ANSWERS = {
    "an article beside a menu": ((flat_menu(6), ARTICLE), ["/html/body/div"]),
    "two articles of the same kind": (
        (ARTICLE, flat_menu(9), ARTICLE, flat_menu(9)),
        ["/html/body/div[1]", "/html/body/div[2]"],
    ),
    "an article that is hidden": (
        (("div", {"hidden": ""}, *[PROSE] * 5), flat_menu(6), ARTICLE),
        ["/html/body/div[2]"],
    ),
    "text of body alone": (("nothing but words",), ["/html/body"]),
    "nothing": ((), []),
    "nothing in sight": ((("div", {"hidden": ""}, PROSE), ("script", "x")), []),
    "a picture": ((("img",),), []),
}


@pytest.mark.parametrize("density", DENSITIES)
@pytest.mark.parametrize(("body", "expected"), ANSWERS.values(), ids=ANSWERS)
def test_answers(body, expected, density):
    assert chosen(*body, density=density) == expected


@pytest.mark.parametrize(
    ("density", "expected"),
    [
        pytest.param("composite", ["/html/body"], id="all densities are 0, body is the first"),
        pytest.param("linkless", ["/html/body"], id="there is no text at all"),
        pytest.param("plain", ["/html/body/ul[1]", "/html/body/ul[2]"], id="links are text"),
    ],
)
def test_nothing_but_links(density, expected):
    assert chosen(flat_menu(3), flat_menu(3), density=density) == expected


def test_sums_are_equal_whatever_order_they_were_added_in():
    paragraphs = [("p", "x" * length) for length in (75, 65, 55, 86, 24)]
    page = page_of(html(("div", *paragraphs), ("div", *reversed(paragraphs))))
    sums = find_content(page).density_sum
    one, other = page.row("/html/body/div[1]"), page.row("/html/body/div[2]")
    assert sums[one] == sums[other]


def test_densities_are_kept_to_six_decimals():
    page = page_of(html(ARTICLE, flat_menu(5)))
    assert find_content(page).density.tolist() == np.round(composite_text_density(page), 6).tolist()


def test_an_unknown_density_is_refused():
    with pytest.raises(OptionError, match="must be composite, plain or linkless"):
        find_content(page_of(html(PROSE)), density="heavy")


def test_smoothing_tames_direct_text():
    # one of 1,201 characters lies in a link: 200 characters of body's own text weigh
    # 200 ln 200 / ln ln(200/1201 + e) = 18,000; the 50 paragraphs together 10,900
    body = ("x" * 200, ("div", *[("p", "y" * 20)] * 50), ("a", "z"))
    assert chosen(*body) == ["/html/body"]
    assert chosen(*body, smooth=True) == ["/html/body/div"]


def test_the_path_keeps_its_own_text_only():
    page = page_of(html(("div", "by line", flat_menu(9), ARTICLE, ("b", "x"))))
    found = find_content(page)
    kept = [page.text(row) for row in np.flatnonzero(kept_text(page, found)).tolist()]
    assert kept == ["by line", *[PROSE[1]] * 3]


def test_hidden_and_script_inside_content_are_left_out():
    page = page_of(html(("div", PROSE, ("script", "x"), ("p", {"hidden": ""}, "gone"), PROSE)))
    found = find_content(page)
    assert not found.content[page.hidden | ~page.counted].any()
    kept = [page.text(row) for row in np.flatnonzero(kept_text(page, found)).tolist()]
    assert kept == [PROSE[1]] * 2


# -- hostile pages ---------------------------------------------------------------------------

EMPTY = ("empty str", "one node", "no body", "frameset", "html alone", "body alone", "only hidden")


def test_hostile_pages():
    for name in hostile.QUICK:
        with case(name), ends():
            page = hostile.page(name)
            found = find_content(page)
            kept = kept_text(page, found)
            assert np.isfinite(found.threshold)
            assert bool(found.tops) == bool((page.chars * (page.counted & ~page.hidden)).any())
            assert not (found.content & found.path).any()
            assert not kept[~page.counted | page.hidden | page.element].any()


@pytest.mark.parametrize("name", EMPTY)
def test_a_page_without_text_has_an_empty_answer(name):
    found = find_content(hostile.page(name))
    assert (found.tops, found.threshold) == ([], 0.0)
    assert not found.content.any()
    assert not found.path.any()


def test_a_page_without_rows():
    page = PageBuilder().page()
    assert kept_text(page, find_content(page)).tolist() == []


@pytest.mark.parametrize("levels", [300, 100_000])
def test_an_article_in_a_deep_page_is_found(levels):
    page = page_of(html(flat_menu(9), deep(levels, ARTICLE)))
    with ends():
        found = find_content(page)
    assert kept_text(page, found).sum() == 3


def test_a_body_that_is_the_root():
    page = page_of(("body", flat_menu(9), ARTICLE, flat_menu(9)))
    assert [page.name(row) for row in find_content(page).tops] == ["div"]


def test_a_parsed_page():
    page = parse("<ul><li><a href=/>Home</a></ul><article><p>One. Two.<p>Three <b>four</b>.")
    found = find_content(page)
    assert [page.name(row) for row in found.tops] == ["article"]
