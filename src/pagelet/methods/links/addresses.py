"""The role of each single link, and the addresses of links by role, for crawlers.

A link has the role of the smallest group around it that has one. Links in running text have none.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from pagelet.arrays import Ints, Mask, Rows
from pagelet.methods.links.groups import LinkGroups
from pagelet.methods.links.options import MIXED, ROLES
from pagelet.methods.links.roles import GroupRoles
from pagelet.page.addresses import join_url, leads_to_page, strip_credentials

NONE = -1  #: stands for the role of a link that has none


def find_link_roles(roles: GroupRoles, min_score: float = 0.0) -> Ints:
    """For each hyperlink, the place of its role in ROLES; NONE where it has none."""
    score = roles.probability[np.arange(len(roles.role)), roles.role]
    named = (roles.role != MIXED) & (score >= min_score)
    around = find_nearest(roles.groups.within, named)
    smallest = _smallest_groups(roles.groups)
    found = np.full(len(smallest), NONE, np.intp)
    held = smallest >= 0
    held[held] = around[smallest[held]] >= 0
    held &= ~roles.inline
    found[held] = roles.role[around[smallest[held]]]
    return found


def find_nearest(within: Rows, chosen: Mask) -> Rows:
    """For each group the nearest chosen one, itself counted; -1 where there is none."""
    nearest: list[int] = []
    for at, outer in enumerate(within.tolist()):
        nearest.append(at if chosen[at] else nearest[outer] if outer >= 0 else NONE)
    return np.array(nearest, np.intp)


def _smallest_groups(groups: LinkGroups) -> Rows:
    """For each hyperlink the smallest group around it; -1 where there is none."""
    rows, ends = groups.rows.tolist(), groups.end.tolist()
    smallest: list[int] = []
    around: list[int] = []
    opened = 0
    for link in groups.links.rows.tolist():
        while opened < len(rows) and rows[opened] < link:
            _close(around, ends, rows[opened])
            around.append(opened)
            opened += 1
        _close(around, ends, link)
        smallest.append(around[-1] if around else NONE)
    return np.array(smallest, np.intp)


def _close(around: list[int], ends: list[int], row: int) -> None:
    """Take away the groups that end at or before a row."""
    while around and ends[around[-1]] <= row:
        around.pop()


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
