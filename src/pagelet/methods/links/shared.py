"""What other pages of the site say about the role of a group: a menu repeats, an article does not.

Each probability is weighed by the share of the group's links that the site repeats, and the
weights of a role of the site and of one of the page are opposites.
"""

from dataclasses import replace

import numpy as np

from pagelet.arrays import Floats
from pagelet.methods.links.groups import LinkGroups
from pagelet.methods.links.options import MIXED, ROLES
from pagelet.methods.links.roles import GroupRoles
from pagelet.page.site import SharedRows

SITE_ROLES = ("menu", "section", "utility", "footer", "social")  #: roles whose links repeat
PAGE_ROLES = ("byline", "content", "tags", "toc")  #: roles whose links are the page's own
MIN_WEIGHT = 0.1  #: of a role that other pages speak against; 1 less this where they speak for it


def weigh_by_site(roles: GroupRoles, template: SharedRows | None) -> GroupRoles:
    """The roles with what the site shares as evidence; unchanged where nothing is known."""
    if template is None or not len(roles.groups):
        return roles
    repeated = np.clip(repeated_shares(roles.groups, template), MIN_WEIGHT, 1 - MIN_WEIGHT)
    weights = np.full(roles.probability.shape, 0.5)
    weights[:, [ROLES.index(name) for name in SITE_ROLES]] = repeated[:, None]
    weights[:, [ROLES.index(name) for name in PAGE_ROLES]] = 1 - repeated[:, None]
    weighed = roles.probability * weights
    weighed /= weighed.sum(axis=1, keepdims=True)
    plain = weighed[:, :MIXED].argmax(axis=1)
    role = np.where(roles.role == MIXED, MIXED, plain)  # what wraps several roles still does
    return replace(roles, probability=weighed, role=role)


def repeated_shares(groups: LinkGroups, template: SharedRows) -> Floats:
    """Share of the links of each group that other pages have in the same place and words."""
    rows = groups.links.rows
    repeated = template.rows[rows] * template.repeat_ratio[rows]
    return np.asarray(groups.over_links(repeated[None])[0] / groups.count)
