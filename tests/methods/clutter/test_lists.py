"""Lists in paragraphs, structural elements, thresholds that the site moves, drawn pictures."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import analyse, detect_clutter, parse
from pagelet.errors import OptionError
from pagelet.methods.clutter.blocks import find_blocks, separated_lists
from pagelet.methods.clutter.options import PaperClutterOptions
from pagelet.methods.clutter.pictures import drawn_lists
from pagelet.methods.clutter.ratios import threshold_factor
from pagelet.page.layout import Layout, Rendering, empty_layout
from pagelet.page.site import SharedRows
from tests.build import html, page_of
from tests.effort import growth
from tests.naive import clutter as naive
from tests.naive import tree as plain

PROSE = f"<p>{'Prose. ' * 40}</p>"


def paper(html, **inputs):
    return [item.path for item in detect_clutter(parse(html), profile="paper", **inputs)]


LISTS = {
    "pipes": ("<p><a href=1>One</a> | <a href=2>Two</a> | <a href=3>Three</a></p>", 1),
    "other symbols": ("<p>» <a href=1>One</a> • <a href=2>Two</a></p>", 1),
    "nothing between": ("<p><a href=1>One</a> <a href=2>Two</a></p>", 1),
    "in other elements": ("<p><b>[<a href=1>One</a>]</b> <i><a href=2>Two</a></i></p>", 1),
    "words between": ("<p><a href=1>One</a> and <a href=2>Two</a></p>", 0),
    "one link": ("<p>| <a href=1>One</a> |</p>", 0),
    "no link": ("<p>|</p>", 0),
}


@pytest.mark.parametrize(("markup", "found"), LISTS.values(), ids=LISTS)
def test_separated_lists(markup, found):
    assert len(separated_lists(parse(markup))) == found


pieces = st.sampled_from([
    ("a", {"href": "/"}, "link"), ("b", ("a", {"href": "/"}, "x")), ("a", "no link"), "|", " • ",
    "word", "------", ("i", "»"), ("noscript", "words"), ("br",),
])  # fmt: skip


@given(st.lists(pieces, max_size=6), st.lists(pieces, max_size=4))
def test_lists_equal_the_walk(one, other):
    tree = html(("p", *one), ("div", ("p", *other), "|"))
    nodes = list(plain.walk(plain.read(tree)))
    expected = [at for at, node in enumerate(nodes) if naive.is_list(node)]
    assert separated_lists(page_of(tree)).tolist() == expected


def test_a_list_in_a_paragraph_is_found():
    html = f"<div>{PROSE}{LISTS['pipes'][0]}</div>"
    assert paper(html) == ["/html/body/div/p[2]"]


def test_lists_in_paragraphs_cost_little():
    def pages(size):
        return (parse("<p><a href=1>a</a> | <a href=2>b</a>" * size),)

    assert growth(lambda made: separated_lists(*made), pages, 300) < 15


def test_the_list_of_structural_elements_is_an_option():
    html = f"<div>{PROSE}<p>Topics: <a href=1>One topic</a> <a href=2>Another topic</a></p></div>"
    assert paper(html) == []
    assert paper(html, structural=["div", "p"]) == ["/html/body/div/p[2]"]
    assert paper(html, structural=["div,p"]) == ["/html/body/div/p[2]"]
    rows = find_blocks(parse(html), PaperClutterOptions(structural=("div",)).structural_tags).rows
    assert len(rows) == 2  # body is always one


def test_an_unknown_element_is_refused():
    with pytest.raises(OptionError, match="structural = 'dvi': must be the name of an HTML elem"):
        PaperClutterOptions(structural=("div,dvi",))


# -- thresholds that the site moves ------------------------------------------------------------


def test_the_site_moves_thresholds_in_both_directions():
    repeated = np.array([0.0, 0.5, 1.0, np.nan])
    assert threshold_factor(repeated, 0.25).tolist() == [1.25, 1, 0.75, 1]
    assert threshold_factor(repeated, 0.0).tolist() == [1, 1, 1, 1]


#: 9 of 24 characters are linked: below 0.4, above 0.4 * 0.75
MIXED = "<div id=list><a href='/{0}'>{0}</a> some plain words <a href='/{1}'>{1}</a></div>"


def test_links_that_stay_need_less_in_the_paper_profile():
    html = MIXED.format("xxxx", "yyyyy") + PROSE
    same, other = parse(html), parse(MIXED.format("qqqq", "rrrrr") + PROSE)
    assert paper(html) == []
    assert paper(html, site=[same]) == ["/html/body/div"]
    assert paper(html, site=[other]) == []
    assert paper(html, site=[same], site_weight=0.0) == []


def test_a_template_moves_the_thresholds_as_a_site_does():
    page = parse(MIXED.format("xxxx", "yyyyy") + PROSE)
    everything = SharedRows(np.ones(len(page), np.bool_), np.ones(len(page)))
    found = analyse(page, "clutter", profile="paper", template=everything)
    assert [item.path for item in found] == ["/html/body/div"]
    assert found[0].reason["repeated"] == 1
    nothing = SharedRows(np.zeros(len(page), np.bool_), np.zeros(len(page)))
    assert not analyse(page, "clutter", profile="paper", template=nothing)


# -- pictures that were drawn ------------------------------------------------------------------

BANNERS = "".join(f"<a href='/{n}'><img src={n}.png></a>" for n in range(4))


def drawn(*, size=(100, 60), step=(110, 0), odd=()):
    """A page with four picture links, drawn one after the other."""
    page = parse(f"<div>{BANNERS}</div>{PROSE}")
    columns = empty_layout(len(page), (1000, 800))
    images = [row for row in range(len(page)) if page.name(row) == "img"]
    for at, row in enumerate(images):
        left, top = 10 + at * step[0], 10 + at * step[1]
        width, height = (300, 300) if at in odd else size
        columns["left"][row], columns["top"][row] = left, top
        columns["right"][row], columns["bottom"][row] = left + width, top + height
        columns["drawn"][row] = True
    return Rendering(page, Layout(**columns))


@pytest.mark.parametrize(
    ("changes", "marked"),
    [
        pytest.param({}, 4, id="in a row"),
        pytest.param({"step": (0, 70)}, 4, id="in a column"),
        pytest.param({"step": (110, 70)}, 0, id="out of line"),
        pytest.param({"odd": (0,)}, 3, id="one of another size"),
        pytest.param({"odd": (0, 1)}, 0, id="too few"),
    ],
)
def test_pictures_in_line_are_a_list(changes, marked):
    made = drawn(**changes)
    assert drawn_lists(made.page, find_blocks(made.page), made.layout).sum() == marked


def test_a_drawn_list_of_pictures_is_clutter_by_the_paper():
    made = drawn()
    assert not analyse(made.page, "clutter", profile="paper")
    found = analyse(made.page, "clutter", profile="paper", layout=made.layout)
    assert [item.path for item in found] == ["/html/body/div"]
