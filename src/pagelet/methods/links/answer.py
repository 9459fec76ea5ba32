"""The groups of links of a page as pagelets, and the formats they are written in."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from pagelet.arrays import Mask
from pagelet.methods.links.options import MIXED, ROLES, LinksOptions
from pagelet.methods.links.roles import GroupRoles, RoleReason
from pagelet.methods.listing import shorten
from pagelet.models.trees import Trees
from pagelet.pagelets import Pagelet, Pagelets

SHOWN_LABELS = 5  #: labels of a group that the outline shows


def answer(roles: GroupRoles, options: LinksOptions, model: Trees) -> Pagelets:
    """The groups that are worth telling apart, in document order."""
    page = roles.groups.page
    find = partial(_pagelets, roles, options, model)
    return Pagelets(page, "links", options.profile, find, partial(_more, roles))


def _more(roles: GroupRoles) -> dict[str, Any]:
    return {"inline": int(roles.inline.sum())}


def _pagelets(roles: GroupRoles, options: LinksOptions, model: Trees) -> Iterator[Pagelet]:
    groups, number = roles.groups, dict[int, int]()
    chosen = _chosen(roles, options)
    outer = _nearest_chosen(roles, chosen)
    for at in np.flatnonzero(chosen).tolist():
        number[at] = len(number)
        role = int(roles.role[at])
        yield Pagelet(
            groups.page,
            (int(groups.rows[at]),),
            "links",
            float(roles.probability[at, role]),
            RoleReason(roles, at, model),
            role=ROLES[role],
            within=number.get(outer[at]),
        )


def _chosen(roles: GroupRoles, options: LinksOptions) -> Mask:
    """Mark the groups that are returned.

    Left out are groups of links in running text, wrappers of several roles, and groups with the
    role of the group around them; with `all` only the first.
    """
    groups, role = roles.groups, roles.role
    chosen = groups.over_links(roles.inline[None])[0] < groups.count
    if not options.all:
        chosen &= role != MIXED
        within = np.array(_nearest_chosen(roles, chosen), np.intp)
        chosen &= (within < 0) | (role[within] != role)
    score = roles.probability[np.arange(len(role)), role]
    chosen &= score >= options.min_score
    if options.roles:
        chosen &= np.isin(role, [ROLES.index(name) for name in options.roles])
    return np.asarray(chosen)


def _nearest_chosen(roles: GroupRoles, chosen: Mask) -> list[int]:
    """For each group, the nearest chosen one around it; -1 where there is none."""
    nearest: list[int] = []
    for outer in roles.groups.within.tolist():
        nearest.append(outer if outer < 0 or chosen[outer] else nearest[outer])
    return nearest


def write_groups(result: Pagelets, options: LinksOptions) -> str:
    """An outline of the groups, or with the option `urls` their addresses."""
    if options.urls:
        return "\n".join(addresses(result))
    lines: list[str] = []
    depth: list[int] = []
    for item in result:
        depth.append(0 if item.within is None else depth[item.within] + 1)
        lines.append(_line(item, "  " * depth[-1]))
        if options.explain:
            lines += [f"    {each['effect']:+.2f}  {each['text']}" for each in item.why]
    lines.append(f"inline: {result.extra['inline']} links in running text")
    return "\n".join(lines)


def _line(item: Pagelet, indent: str) -> str:
    links = item.links
    labels = " | ".join(link.text for link in links[:SHOWN_LABELS] if link.text)
    text = shorten(labels + (" …" if len(links) > SHOWN_LABELS else ""))
    return f"{indent}{item.role} {item.score:.2f}  {item.path}  {len(links)} links: {text}"


def addresses(result: Pagelets) -> list[str]:
    """The addresses of all groups, each once, in document order."""
    return list(dict.fromkeys(link.href for item in result for link in item.links if link.href))
