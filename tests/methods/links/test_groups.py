"""Groups of links: the definition by a slow twin, nesting, links in running text, huge pages."""

import pytest
from hypothesis import given

from pagelet import detect_links, parse
from pagelet.methods.links.addresses import NONE, find_link_roles
from pagelet.methods.links.groups import find_groups
from pagelet.methods.links.options import MIXED
from pagelet.methods.links.roles import find_roles, inline_links
from pagelet.models.trees import load_shipped
from tests import hostile
from tests.build import deep, documents, html, page_of, trees
from tests.effort import ends, growth
from tests.naive import link_groups

MODEL = load_shipped("pagelet.methods.links", "links")


def link(address: str = "/x", label: str = "label") -> tuple:
    return ("a", {"href": address}, label)


@given(trees)
def test_groups_are_those_of_the_definition(tree):
    groups = find_groups(page_of(tree))
    links = groups.links.rows.tolist()
    ranges = zip(groups.first.tolist(), groups.last.tolist(), strict=True)
    found = [
        (row, frozenset(links[first:last]) - {row})
        for row, (first, last) in zip(groups.rows.tolist(), ranges, strict=True)
    ]
    assert found == [(each.row, each.links) for each in link_groups.find_groups(tree)]


@given(documents)
def test_a_group_lies_within_the_smallest_one_around_it(tree):
    groups, expected = find_groups(page_of(tree)), link_groups.find_groups(tree)
    rows = [*groups.rows.tolist(), None]
    assert [rows[at] for at in groups.within.tolist()] == [
        each.within and each.within.row for each in expected
    ]


@given(documents)
def test_a_link_has_the_role_of_the_smallest_group_with_one(tree):
    roles = find_roles(find_groups(page_of(tree)), MODEL)
    slow = link_groups.find_groups(tree)
    role = dict(zip(roles.groups.rows.tolist(), roles.role.tolist(), strict=True))
    links = roles.groups.links.rows.tolist()
    for at, found in enumerate(find_link_roles(roles).tolist()):
        around = sorted((each for each in slow if links[at] in each.links), key=lambda g: -g.row)
        named = [role[each.row] for each in around if role[each.row] != MIXED]
        assert found == (NONE if roles.inline[at] or not named else named[0])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param([("div", link())], [], id="one link is no group"),
        pytest.param([("div", link(), link())], ["div"], id="two links are one"),
        pytest.param(
            [("nav", ("div", ("ul", ("li", link()), ("li", link()))))], ["ul"], id="the innermost"
        ),
        pytest.param(
            [("nav", ("ul", ("li", link()), ("li", link())), link())], ["nav", "ul"], id="one more"
        ),
        pytest.param([("p", link()), ("p", link())], ["body"], id="links of two blocks"),
        pytest.param([("noscript", link(), link()), ("p", link())], [], id="not counted"),
        pytest.param([("p", ("a", "no address"), link())], [], id="an anchor without address"),
    ],
)
def test_what_a_group_is(body, expected):
    page = page_of(html(*body))
    assert [page.name(row) for row in find_groups(page).rows] == expected


def test_groups_lie_within_each_other():
    body = ("div", link(), ("div", link(), ("div", link(), link())), ("p", link(), link()))
    assert find_groups(page_of(html(body))).within.tolist() == [-1, 0, 1, 0]


# -- links in running text ------------------------------------------------------------------------

PROSE = "The harbour froze over on a Tuesday night, as it had not done for forty years, and "


def inline_of(*body: object) -> list[bool]:
    return inline_links(find_groups(page_of(html(*body)))).tolist()


def test_a_link_with_enough_text_around_it_stands_in_running_text():
    assert inline_of(("p", PROSE, link(), " ", PROSE, link())) == [True, True]


def test_a_link_with_little_text_around_it_does_not():
    assert inline_of(("p", "See ", link(), " and ", link())) == [False, False]
    assert inline_of(("p", "and " * 12, *[link()] * 3)) == [False] * 3  # 40 characters for each
    assert inline_of(("p", PROSE[:50], link(label=PROSE))) == [False]  # most of it is linked


def test_text_of_another_block_does_not_count():
    assert inline_of(("div", ("p", PROSE), ("p", link()))) == [False]


def test_links_in_running_text_are_counted_and_not_listed():
    page = page_of(html(("p", PROSE, link(), " ", PROSE, link())))
    found = detect_links(page)
    assert (len(found), found.extra) == (0, {"inline": 2})


# -- hostile pages --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "links"),
    [("nested divs", 3), ("links", hostile.ITEMS), ("list of links", hostile.ITEMS)],
)
def test_a_huge_page_gets_an_answer(name, links):
    with ends():
        found = detect_links(hostile.page(name))
        assert [len(group.links) for group in found] == [links]


def test_groups_in_groups_100_000_deep_get_an_answer():
    tree = deep(1, link(), link())
    for _ in range(100_000):
        tree = ("div", link(), tree)
    with ends():
        groups = find_groups(page_of(html(tree)))
        assert len(groups) == 100_001
        assert groups.within[-1] == 99_999


def test_work_grows_with_the_page():
    def nested(levels: int):
        tree = ("div", link(), link())
        for _ in range(levels):
            tree = ("div", link(), tree)
        return page_of(html(tree, ("p", *[link()] * levels)))

    def find(page):
        find_link_roles(find_roles(find_groups(page), MODEL))

    assert growth(find, nested, 100) < 5


def test_a_page_without_links_has_no_groups():
    for text in ("", "<p>words", "<frameset><frame src=/a></frameset>"):
        found = detect_links(parse(text))
        assert (len(found), found.extra) == (0, {"inline": 0})
