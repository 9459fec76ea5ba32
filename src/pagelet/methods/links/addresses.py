"""The role of each single link, and the addresses of links by role, for crawlers.

A link has the role of the smallest group around it that has one. Links in running text have none.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from pagelet import core
from pagelet.arrays import Floats, Ints, Mask, Rows
from pagelet.methods.links.groups import LinkGroups
from pagelet.methods.links.options import MIXED, ROLES
from pagelet.methods.links.roles import MIN_SHARE, GroupRoles, count_alike
from pagelet.page.addresses import join_url, leads_to_page, strip_credentials
from pagelet.page.tree import nearest

NONE = -1  #: stands for a group or role that there is not


class NamedGroups(NamedTuple):
    """The groups with a role of their own, and what that means for groups and links in them."""

    named: Mask  #: groups with a role of their own that is likely enough
    around: Rows  #: the nearest of them around each group; NONE for none
    of_links: Ints  #: the role of the smallest of them around each hyperlink; NONE for none
    repeated: Mask  #: groups with the role of a group around them that nearly all links there have


def name_groups(roles: GroupRoles, min_score: float = 0.0) -> NamedGroups:
    """Find the groups with a role of their own; links in running text make no group."""
    if not core.compiled:
        return _name_groups(roles, min_score)
    groups = roles.groups
    (named, repeated), around = np.empty((2, len(groups)), np.bool_), np.empty(len(groups), np.intp)
    of_links = np.empty(len(groups.links), np.intp)
    core.kernels.name_groups(
        roles.probability, roles.role, groups.first, groups.last, groups.within, groups.smallest,
        roles.inline, min_score, MIN_SHARE, named, around, of_links, repeated,
    )  # fmt: skip
    return NamedGroups(named, around, of_links, repeated)


def _name_groups(roles: GroupRoles, min_score: float) -> NamedGroups:
    """The same by numpy."""
    groups, role = roles.groups, roles.role
    lists = groups.over_links(roles.inline[None])[0] < groups.count
    named = lists & (role != MIXED) & (find_scores(roles) >= min_score)
    smallest = np.append(nearest(groups.within, named), NONE)[groups.smallest]
    of_links = np.append(role, NONE)[np.where(roles.inline, NONE, smallest)]
    held = groups.over_links(of_links[None] != NONE)[0]
    uniform = count_alike(groups, of_links, role) >= MIN_SHARE * held
    around = find_around(groups, named)
    repeated = (around >= 0) & (role[around] == role) & uniform[around]
    return NamedGroups(named, around, of_links, repeated)


def find_around(groups: LinkGroups, chosen: Mask) -> Rows:
    """For each group, the nearest chosen one around it; NONE where there is none."""
    if core.compiled:
        around = np.empty(len(groups), np.intp)
        core.kernels.find_around(groups.within, chosen, around)
        return around
    return np.asarray(np.append(nearest(groups.within, chosen), NONE)[groups.within])


def find_link_roles(roles: GroupRoles, min_score: float = 0.0) -> Ints:
    """For each hyperlink, the place of its role in ROLES; NONE where it has none."""
    return name_groups(roles, min_score).of_links


def find_scores(roles: GroupRoles) -> Floats:
    """The probability of the role of each group."""
    return np.asarray(roles.probability[np.arange(len(roles.role)), roles.role])


def list_addresses(
    roles: GroupRoles, names: Sequence[str] = (), min_score: float = 0.0
) -> list[str]:
    """The addresses of links with one of these roles, or with any, each once, in document order.

    They are absolute where the page's URL is known, else as the page has them.
    """
    return list(dict.fromkeys(address for _, address in iterate_links(roles, names, min_score)))


def iterate_links(
    roles: GroupRoles, names: Sequence[str] = (), min_score: float = 0.0
) -> Iterator[tuple[int, str]]:
    """The row and the address of each link with one of these roles that leads to a page."""
    links = roles.groups.links
    wanted = [ROLES.index(name) for name in names or ROLES]
    chosen = np.flatnonzero(np.isin(find_link_roles(roles, min_score), wanted))
    base = links.page.base_url
    for at in chosen.tolist():
        if leads_to_page(links.hrefs[at]):
            yield int(links.rows[at]), strip_credentials(join_url(base, links.hrefs[at]))
