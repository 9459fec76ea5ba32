"""Groups of links, their roles and the answer: the compiled core against numpy."""

import numpy as np
import pytest
from hypothesis import given

from pagelet import core, parse
from pagelet.methods.links import decide_links
from pagelet.methods.links.addresses import find_around, name_groups
from pagelet.methods.links.groups import MIN_LINKS, find_groups, find_spans
from pagelet.methods.links.roles import inline_links
from tests.build import page_of, trees
from tests.cores import ask_both, twins

NESTED = """<body><div id=outer><nav><ul><li><a href=/1>One</a><li><a href=/2>Two</a>
<li><a href=/3>Three</a></ul></nav><div><p><a href=/4>Four</a> <a href=/5>Five</a></p>
<p><a href=/6>Six</a><span><a href=/7>Seven</a></span></p></div></div>
<p>{words} <a href=/8>in it</a>, <a href=/9>too</a>.</p><footer><a href=/p>Privacy</a>
<a href=/t>Terms</a><a href=/c>Contact</a></footer><script><a href=/no>no</a></script>
""".format(words="Words of running text. " * 9)


def spans_of(page):
    return {name: rows.tolist() for name, rows in find_spans(page)._asdict().items()}


def answers_of(page):
    """What the groups, their roles and the smallest named ones around links are."""
    roles = decide_links(page)
    found = [each.tolist() for each in name_groups(roles, 0.2)]
    around = find_around(roles.groups, roles.role > 0).tolist()
    return spans_of(page), roles.role.tolist(), roles.inline.tolist(), found, around


@twins
def test_the_same_groups_and_roles():
    compiled, python = ask_both(lambda: answers_of(parse(NESTED)))
    assert compiled == python
    assert any(compiled[2]), "a link in running text"
    assert any(compiled[3][0]), "a group with a role of its own"


@twins
@given(trees)
def test_the_same_groups_and_roles_of_any_page(tree):
    compiled, python = ask_both(lambda: answers_of(page_of(tree)))
    assert compiled == python


def test_the_heir_is_the_child_with_most_links():
    page = parse(NESTED)
    spans = find_spans(page)
    heirs = {page.path(row): heir for row, heir in zip(spans.holders, spans.heir, strict=True)}
    assert page.path(heirs["/html/body/div"]) == "/html/body/div/div"
    assert heirs["/html/body/div/nav/ul"] == -1


@twins
def test_what_does_not_fit_together_is_refused():
    page = parse(NESTED)
    groups, kernels = find_groups(page), core.kernels
    links, smallest = groups.links.rows, np.empty(len(groups.links), np.intp)
    columns = (page.tag, page.size, page.parent, page.counted)
    with pytest.raises(ValueError, match="columns of one page"):
        kernels.find_groups(*columns, links, MIN_LINKS, np.empty((9, 2), np.intp), smallest)
    found = np.empty((9, len(page)), np.intp)
    with pytest.raises(ValueError, match="does not exist"):
        kernels.find_groups(*columns, links + len(page), MIN_LINKS, found, smallest)
    columns = (page.tag, page.size + 1, page.parent, page.counted)
    with pytest.raises(ValueError, match="no tree"):
        kernels.find_groups(*columns, links, MIN_LINKS, found, smallest)
    marked = np.empty(len(links), np.bool_)
    with pytest.raises(ValueError, match="columns of one page"):
        kernels.mark_inline(page.parent, marked, page.chars, marked, marked, links, 40, marked)
    with pytest.raises(ValueError, match="one mark"):
        kernels.find_around(groups.within, marked[:1], groups.within.copy())


@twins
def test_links_without_a_block_are_refused():
    page, none = parse(NESTED), np.zeros(0, np.bool_)
    columns = (page.chars, page.counted, page.link)
    with pytest.raises(ValueError, match="does not exist"):
        core.kernels.mark_inline(
            page.parent, np.zeros(len(page), np.bool_), *columns, page.anchors.astype(np.intp), 40,
            np.empty(len(page.anchors), np.bool_),
        )  # fmt: skip
    assert len(inline_links(find_groups(parse("<p>no links")))) == len(none)
