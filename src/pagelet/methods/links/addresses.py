"""The role of each single link, and the addresses of links by role, for crawlers.

A link has the role of the smallest group around it that has one. Links in running text have none.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from pagelet.arrays import Floats, Ints, Mask, Rows
from pagelet.methods.links.options import MIXED, ROLES
from pagelet.methods.links.roles import MIN_SHARE, GroupRoles, count_alike
from pagelet.page.addresses import join_url, leads_to_page, strip_credentials
from pagelet.page.tree import nearest

NONE = -1  #: stands for a group or role that there is not


def find_link_roles(roles: GroupRoles, min_score: float = 0.0) -> Ints:
    """For each hyperlink, the place of its role in ROLES; NONE where it has none."""
    return _roles_of_links(roles, find_named(roles, min_score))


def find_named(roles: GroupRoles, min_score: float = 0.0) -> Mask:
    """Mark the groups with a role of their own that is likely enough.

    Links in running text make no group.
    """
    groups = roles.groups
    lists = groups.over_links(roles.inline[None])[0] < groups.count
    return np.asarray(lists & (roles.role != MIXED) & (find_scores(roles) >= min_score))


def find_uniform(roles: GroupRoles, named: Mask) -> Mask:
    """Mark the groups whose role most of their links have by the smallest named groups too."""
    own = _roles_of_links(roles, named)
    held = roles.groups.over_links(own[None] != NONE)[0]
    return np.asarray(count_alike(roles.groups, own, roles.role) >= MIN_SHARE * held)


def _roles_of_links(roles: GroupRoles, named: Mask) -> Ints:
    """For each hyperlink the role of the smallest named group around it; NONE without one."""
    return np.asarray(np.append(roles.role, NONE)[_nearest_of_links(roles, named)])


def _nearest_of_links(roles: GroupRoles, chosen: Mask) -> Rows:
    """For each hyperlink the smallest chosen group around it; NONE for one in running text."""
    around = np.append(nearest(roles.groups.within, chosen), NONE)
    return np.where(roles.inline, NONE, around[roles.groups.smallest])


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
