"""Other pages of the site as evidence of a role."""

import dataclasses

import numpy as np
import pytest

from pagelet import detect_links, parse
from pagelet.methods.links import decide_links
from pagelet.methods.links.groups import find_groups
from pagelet.methods.links.options import ROLES
from pagelet.methods.links.shared import repeated_shares, weigh_by_site
from pagelet.page.site import SharedRows
from tests.places import SITE

LISTS = (
    "<ul><li><a href=/1>One</a><li><a href=/2>Two</a></ul>"
    "<ul><li><a href=/3>Three</a><li><a href=/4>Four</a></ul>"
)


def shared(page, ratio_of) -> SharedRows:
    """A template whose rows repeat as a function of the row says."""
    ratio = np.array([ratio_of(row) for row in range(len(page))], float)
    return SharedRows(ratio > 0, ratio)


def test_the_share_of_links_that_repeat():
    groups = find_groups(page := parse(LISTS))
    body, first, second = groups.rows.tolist()
    within = page.subtree(first)
    found = repeated_shares(groups, shared(page, lambda row: float(row in within)))
    assert found.tolist() == [0.5, 1.0, 0.0]
    assert (body, second) == (page.body, within[-1] + 1)


@pytest.mark.parametrize(("ratio", "expected"), [(1.0, "menu"), (0.0, "content")])
def test_what_repeats_is_of_the_site_and_what_does_not_is_of_the_page(ratio, expected):
    page = parse(LISTS)
    roles = decide_links(page)
    even = np.zeros_like(roles.probability)
    even[:, [ROLES.index("menu"), ROLES.index("content"), ROLES.index("related")]] = (
        *(0.4, 0.35, 0.25),
    )
    undecided = dataclasses.replace(roles, probability=even, role=np.zeros(3, np.intp))
    found = weigh_by_site(undecided, shared(page, lambda _: ratio))
    assert {ROLES[at] for at in found.role.tolist()} == {expected}
    assert found.probability.sum(axis=1) == pytest.approx([1, 1, 1])
    strongest = found.probability[0, ROLES.index(expected)]
    menu, content = (0.9, 0.1) if ratio else (0.1, 0.9)
    parts = {"menu": 0.4 * menu, "content": 0.35 * content, "related": 0.25 * 0.5}
    assert strongest == pytest.approx(parts[expected] / sum(parts.values()))


def test_a_wrapper_stays_one_and_nothing_known_changes_nothing():
    page = parse(LISTS)
    roles = decide_links(page)
    assert weigh_by_site(roles, None) is roles
    mixed = dataclasses.replace(roles, role=np.full(3, ROLES.index("mixed")))
    assert weigh_by_site(mixed, shared(page, lambda _: 1.0)).role.tolist() == mixed.role.tolist()
    empty = parse("<p>words")
    assert len(weigh_by_site(decide_links(empty), shared(empty, lambda _: 1.0)).groups) == 0


def test_pages_of_a_site_are_evidence():
    page = SITE / "index.html"
    alone, together = detect_links(page), detect_links(page, site=SITE)
    (menu,) = [group for group in together if group.path == "/html/body/nav/ul"]
    assert menu.role == "menu"
    assert [group.score for group in alone] != [group.score for group in together]
    assert {group.role for group in together if "/footer" in group.path} == {"footer"}
