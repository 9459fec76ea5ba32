"""The groups of links of a page as pagelets, and the formats they are written in."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from pagelet import core
from pagelet.arrays import Mask
from pagelet.methods.links.addresses import (
    NONE,
    find_around,
    find_scores,
    list_addresses,
    name_groups,
)
from pagelet.methods.links.options import ROLES, LinksOptions
from pagelet.methods.links.roles import GroupRoles, RoleReason
from pagelet.methods.listing import shorten
from pagelet.methods.phrases import list_why
from pagelet.models.trees import Trees
from pagelet.pagelets import Pagelet, Pagelets
from pagelet.wording import count_of

MIN_OVERLAP = 0.5  #: F1 over links above which one group is taken for another
NO_GROUP = (0.0, NONE)
SHOWN_LABELS = 5  #: labels of a group that the outline shows
SHOWN_ADDRESS_CHARS = 24  #: characters of an address in the place of a label


def answer(roles: GroupRoles, options: LinksOptions, model: Trees) -> Pagelets:
    """The groups that are worth telling apart, in document order."""
    page = roles.groups.page
    find = partial(_pagelets, roles, options, model)
    return Pagelets(page, "links", options.profile, find, partial(_more, roles), source=roles)


def _more(roles: GroupRoles) -> dict[str, Any]:
    return {"inline": int(roles.inline.sum())}


def _pagelets(roles: GroupRoles, options: LinksOptions, model: Trees) -> Iterator[Pagelet]:
    groups, number = roles.groups, dict[int, int]()
    chosen = _chosen(roles, options)
    outer = find_around(groups, chosen).tolist()
    rows, role, score = groups.rows.tolist(), roles.role.tolist(), find_scores(roles).tolist()
    for at in np.flatnonzero(chosen).tolist():
        number[at] = len(number)
        reason = RoleReason(roles, at, model)
        named, around = ROLES[role[at]], number.get(outer[at])
        yield Pagelet(
            groups.page, (rows[at],), "links", score[at], reason, role=named, within=around
        )


def _chosen(roles: GroupRoles, options: LinksOptions) -> Mask:
    """Mark the groups that are returned.

    Left out are groups of links in running text, wrappers of several roles, and groups with the
    role of the group around them unless that or they hold much else; with `all` only the first.
    """
    groups, role = roles.groups, roles.role
    if options.all:
        chosen = groups.over_links(roles.inline[None])[0] < groups.count
        chosen &= find_scores(roles) >= options.min_score
    else:
        found = name_groups(roles, options.min_score)
        chosen = found.named
        if found.repeated.any():
            chosen = chosen & (~found.repeated | _hold_others(roles, chosen))
    if options.roles:
        chosen &= np.isin(role, [ROLES.index(name) for name in options.roles])
    return np.asarray(chosen)


Sized = tuple[float, int]  #: the number of links of a group, and its role


def _hold_others(roles: GroupRoles, chosen: Mask) -> Mask:
    """Mark the groups that would be taken for a chosen group of another role inside them."""
    if core.compiled:
        groups, marked = roles.groups, np.empty(len(roles.role), np.bool_)
        core.kernels.mark_parted(
            groups.count, roles.role, groups.within, chosen, MIN_OVERLAP, marked
        )
        return marked
    count, role, within = roles.groups.count.tolist(), roles.role.tolist(), roles.groups.within
    largest: list[tuple[Sized, Sized]] = [(NO_GROUP, NO_GROUP)] * len(role)
    parted = np.zeros(len(role), np.bool_)
    for at, outer in reversed(list(enumerate(within.tolist()))):
        first, second = largest[at]
        size = second[0] if first[1] == role[at] else first[0]
        parted[at] = 2 * size > MIN_OVERLAP * (size + count[at])
        if outer >= 0:
            own = (count[at], role[at]) if chosen[at] else NO_GROUP
            for each in (first, second, own):
                if each[0]:
                    largest[outer] = _two_largest(largest[outer], each)
    return parted


def _two_largest(two: tuple[Sized, Sized], new: Sized) -> tuple[Sized, Sized]:
    """The largest group, and the largest of another role than that."""
    first, second = two
    if new[1] == first[1]:
        return max(first, new), second
    return (new, first) if new > first else (first, max(second, new))


def write_groups(result: Pagelets, options: LinksOptions) -> str:
    """An outline of the groups, or with the option `urls` their addresses."""
    if options.urls:
        return "\n".join(list_addresses(result.source, options.roles, options.min_score))
    lines = list(_outline(result, explain=options.explain))
    return "\n".join([*lines, f"inline: {_inline(result)}"] if lines else [])


def report_nothing(result: Pagelets, options: LinksOptions, _format: str) -> Sequence[str]:
    """That there are no groups, and how many links stand in running text."""
    if result:
        return ()
    chosen = " with these roles" if options.roles else ""
    return [f"no groups of links{chosen}; {_inline(result)}"]


def _inline(result: Pagelets) -> str:
    return f"{count_of(result.extra['inline'], 'link')} in running text"


def _outline(result: Pagelets, *, explain: bool) -> Iterator[str]:
    """One line per group, indented below the group around it."""
    depth: list[int] = []
    for item in result:
        depth.append(0 if item.within is None else depth[item.within] + 1)
        indent = "  " * depth[-1]
        yield _line(item, indent)
        if explain:
            yield from list_why(item.why, f"{indent}    ")


def _line(item: Pagelet, indent: str) -> str:
    links = item.links
    labels = " | ".join(link.text or _bare(link.href) for link in links[:SHOWN_LABELS])
    text = shorten(labels + (" …" if len(links) > SHOWN_LABELS else ""))
    count = count_of(len(links), "link")
    return f"{indent}{item.role} {item.score:.2f}  {item.path}  {count}: {text}"


def _bare(address: str) -> str:
    """The address of a link without a label, short enough to stand in for one."""
    return shorten(address.partition("://")[2] or address, SHOWN_ADDRESS_CHARS)
