"""The probability that an element is clutter, from the roles of its link groups.

Clutter is what leads elsewhere: every role but content, byline and toc. An element that the paper's
ratios call a list of links needs less evidence by its role. What only heads or closes a list, such
as "Related" or a copyright line, belongs to it.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet import core
from pagelet.arrays import Floats, Ints, Mask, Rows
from pagelet.methods.clutter.ads import ad_boxes, size_selectors
from pagelet.methods.clutter.options import ClutterOptions
from pagelet.methods.clutter.ratios import ClutterScores, score_blocks
from pagelet.methods.links.groups import LinkGroups, find_groups, prefix
from pagelet.methods.links.options import MIXED, ROLES
from pagelet.methods.links.roles import GroupRoles, find_roles
from pagelet.methods.registry import Evidence
from pagelet.models.trees import Trees
from pagelet.page.table import Page
from pagelet.page.tags import numbers

KEPT_ROLES = ("content", "byline", "toc")  #: roles of links that are no clutter
KEPT = [ROLES.index(role) for role in KEPT_ROLES]
ADS, CONTENT = ROLES.index("ads"), ROLES.index("content")
AD_PROBABILITY = 0.9  #: of a box that is headed as advertising
MAX_GROUP_PLAIN = 0.1  #: share of the page's text outside links that a group may hold
MAIN_LIST_SHARE = 0.7  #: share of the page's links in a list that the page is about
MIN_LIST_ITEMS = 5  #: groups in such a list, at least
SURE = 0.01  #: probability that the roles never fall below, and 1 - SURE the highest
MAX_LIGHT_CHARS = 80  #: characters that may stand around clutter and still belong to it
BARRED = numbers("h1 img")  #: tags that no wrapper of clutter holds beside it
MAX_LIGHT_SHARE = 0.4  #: share of the text of a wrapper that may be light


@dataclass(frozen=True, slots=True)
class ClutterWeights:
    """Log-odds that are added to those of the roles."""

    base: float = -1.8  #: of every element
    listed: float = 3.0  #: of a list of links by the paper's ratios
    site: float = 8.0  #: of links that all pages of the site repeat, times the weight of the site


WEIGHTS = ClutterWeights()


@dataclass(frozen=True, slots=True, eq=False)
class ClutterElements:
    """The elements of a page that may be clutter, in document order."""

    roles: GroupRoles
    scores: ClutterScores
    rows: Rows
    block: Ints  #: the place of each element among the structural blocks; -1 for others
    probability: Floats
    role: Ints  #: the likeliest role of clutter, as a place in ROLES
    ad: Mask  #: boxes that are headed as advertising
    may: Mask  #: elements that no guard holds back


def find_elements(
    page: Page, options: ClutterOptions, evidence: Evidence, model: Trees
) -> ClutterElements:
    """The probability of every structural element and every group of links."""
    roles = find_roles(find_groups(page), model)
    return weigh_elements(roles, score_blocks(page, options, evidence), options)


def weigh_elements(
    roles: GroupRoles,
    scores: ClutterScores,
    options: ClutterOptions,
    weights: ClutterWeights = WEIGHTS,
) -> ClutterElements:
    """The probability of every element, where roles and ratios are known."""
    groups, page = roles.groups, roles.groups.page
    ads = ad_boxes(page)
    rows = _join(page, scores.blocks.rows, groups.rows, ads)
    block, is_ad = _places(rows, scores.blocks.rows), _places(rows, ads) >= 0
    plain, links = _plain_chars(page, rows), _link_counts(groups, rows)
    listed = (block >= 0) & (_at(scores.score, block) == 2) & ~_in_main_list(rows, links, roles)
    vector = _role_vectors(rows, roles)
    clutter = np.clip(1 - vector[:, KEPT].sum(axis=1), SURE, 1 - SURE)
    odds = np.log(clutter / (1 - clutter)) + weights.base + weights.listed * listed
    odds += weights.site * options.site_weight * _site_votes(scores, block)
    known = AD_PROBABILITY * is_ad
    probability = np.maximum(np.where(vector.any(axis=1), 1 / (1 + np.exp(-odds)), 0.0), known)
    vector[:, KEPT] = 0
    role = np.where(is_ad, ADS, vector.argmax(axis=1))
    share = plain / max(plain.max(initial=0), 1)
    may = _is_pure(rows, roles) & (share <= MAX_GROUP_PLAIN)
    may |= listed & (share <= options.max_plain_share)
    may = (may & (links >= options.min_links) | is_ad) & (rows != page.body)
    return ClutterElements(roles, scores, rows, block, probability, role, is_ad, may)


def _join(page: Page, *parts: Rows) -> Rows:
    """All rows of some, each once, in order."""
    marked = np.zeros(len(page), np.bool_)
    for rows in parts:
        marked[rows] = True
    return np.flatnonzero(marked)


def _site_votes(scores: ClutterScores, block: Ints) -> Floats:
    """1 where all pages of the site repeat the links of a block, -1 where none does, else 0."""
    if np.isnan(scores.repeated).all():  # nothing is known of the site
        return np.zeros(len(block))
    repeated = np.where(block >= 0, _at(scores.repeated, block), np.nan)
    return np.asarray(np.nan_to_num(2 * repeated - 1))


def _places(rows: Rows, among: Rows) -> Ints:
    """The place of each row among sorted rows; -1 where it is not among them."""
    if not len(among):
        return np.full(len(rows), -1)
    at = np.minimum(np.searchsorted(among, rows), len(among) - 1)
    return np.where(among[at] == rows, at, -1)


def _at(values: NDArray[Any], places: Ints) -> NDArray[Any]:
    """Values at some places; anything where a place is -1."""
    return values[places] if len(values) else np.zeros(len(places))


def _role_vectors(rows: Rows, roles: GroupRoles) -> Floats:
    """For each row, the mean probability of every role over its links and its own group."""
    groups, page = roles.groups, roles.groups.page
    whole = np.maximum(1 - roles.probability[:, MIXED:], SURE)
    own = roles.probability[:, :MIXED] / whole
    selectors = size_selectors(groups)
    own[selectors] = np.arange(MIXED) == CONTENT
    sums = prefix(np.vstack((own, np.zeros(MIXED)))[groups.smallest].T)
    first = np.searchsorted(groups.links.rows, rows)
    last = np.searchsorted(groups.links.rows, page.end[rows])
    vector = (sums[:, last] - sums[:, first]).T / np.maximum(last - first, 1)[:, None]
    pure = _is_pure(rows, roles)
    vector[pure] = (vector[pure] + own[_places(rows[pure], groups.rows)]) / 2
    return np.asarray(vector)


def _is_pure(rows: Rows, roles: GroupRoles) -> Mask:
    """Mark the rows that are groups with one role."""
    group = _places(rows, roles.groups.rows)
    return np.asarray((group >= 0) & (_at(roles.role, group) != MIXED))


def _in_main_list(rows: Rows, links: Ints, roles: GroupRoles) -> Mask:
    """Mark the lists that a page is about, such as its products, and all in them.

    Such a list has most links of the page, its items are groups of links themselves, and its role
    is more likely one that is kept than any other. A page of products has hardly any text outside
    links, so that the ratios of its list tell nothing.
    """
    groups = roles.groups
    large = links >= MAIN_LIST_SHARE * len(groups.links)
    group = _places(rows[large], groups.rows)
    group = group[(group >= 0) & (_at(groups.inner, group) >= MIN_LIST_ITEMS)]
    kept = group[np.isin(roles.probability[group].argmax(axis=1), KEPT)]
    main = np.isin(rows, groups.rows[kept]) if len(kept) else np.zeros(len(rows), np.bool_)
    return np.asarray(main | _inside(groups.page, rows, main)) if main.any() else main


def _plain_chars(page: Page, rows: Rows) -> Floats:
    """Counted characters outside hyperlinks at or below each row."""
    sums = prefix((page.chars * (page.counted & ~page.link))[None])[0]
    return np.asarray(sums[page.end[rows]] - sums[rows])


def _link_counts(groups: LinkGroups, rows: Rows) -> Ints:
    """Hyperlinks below each row."""
    links = groups.links.rows
    return np.asarray(
        np.searchsorted(links, groups.page.end[rows]) - np.searchsorted(links, rows + 1)
    )


# -- the answer --------------------------------------------------------------------------------


def choose(page: Page, found: ClutterElements, options: ClutterOptions) -> ClutterElements:
    """The top-most elements that are clutter, with what only heads or closes them."""
    chosen = found.may & (found.probability >= options.min_score)
    top = chosen & ~_inside(page, found.rows, chosen)
    around, probability, role = _wrappers(page, found, top)
    top |= around
    top &= ~_inside(page, found.rows, top)
    changed = replace(
        found,
        probability=np.where(around, probability, found.probability),
        role=np.where(around, role, found.role),
    )
    return take(changed, top)


def take(found: ClutterElements, mask: Mask) -> ClutterElements:
    """Some of the elements."""
    names = ("rows", "block", "probability", "role", "ad", "may")
    return replace(found, **{name: getattr(found, name)[mask] for name in names})


def _inside(page: Page, rows: Rows, marked: Mask) -> Mask:
    """Mark the rows below a marked one."""
    inside = page.inside(rows[marked].astype(np.int32))
    return np.asarray(inside[np.maximum(page.parent[rows], 0)])


def _wrappers(page: Page, found: ClutterElements, top: Mask) -> tuple[Mask, Floats, Ints]:
    """Mark elements that hold clutter and hardly any other text; their probability and role."""
    rows, owner = found.rows, np.full(len(page), -1)
    for at in np.flatnonzero(top).tolist():
        owner[rows[at] : page.end[rows[at]]] = at
    whole, light, linked, others = _sum_light(page, rows, owner)
    around = (light < whole) & (light <= np.minimum(MAX_LIGHT_CHARS, MAX_LIGHT_SHARE * whole))
    around &= (linked == 0) & (others == 0) & (rows > page.body) & (owner[rows] < 0)
    around &= ~_inside(page, rows, around)
    probability, role = found.probability.copy(), found.role.copy()
    chars = page.chars * page.counted
    for at in np.flatnonzero(around).tolist():
        inner = owner[rows[at] : page.end[rows[at]]]
        weight = chars[rows[at] : page.end[rows[at]]][inner >= 0]
        inner = inner[inner >= 0]
        probability[at] = np.average(found.probability[inner], weights=weight)
        role[at] = np.bincount(found.role[inner], weight).argmax()
    return around, probability, role


def _sum_light(page: Page, rows: Rows, owner: Ints) -> Floats:
    """Sums over the subtrees of some rows; `owner` is -1 for rows outside clutter.

    Four lines: all counted characters, those outside clutter, those of them in links, and rows
    outside clutter that no wrapper holds.
    """
    barred = page.is_tag(*BARRED)
    if core.compiled:
        made = np.empty((4, len(rows)))
        core.kernels.sum_light(
            page.size, page.chars, page.counted, page.link, barred, owner, rows, made
        )
        return made
    bare, chars = owner < 0, page.chars * page.counted
    barred = bare & page.counted & barred
    sums = prefix(np.array((chars, chars * bare, chars * bare * page.link, barred)))
    return np.asarray(sums[:, page.end[rows]] - sums[:, rows])
