"""The probability that an element is clutter, from the roles of its link groups.

Clutter is what leads elsewhere: every role but content, byline and toc. An element that the paper's
ratios call a list of links needs less evidence by its role. What only heads or closes a list, such
as "Related" or a copyright line, belongs to it.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

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
    page = roles.groups.page
    joined = join_elements(roles.groups, scores.blocks.rows, ad_boxes(page))
    rows, block, is_ad, plain = joined.rows, joined.block, joined.ad, joined.plain
    listed = (block >= 0) & (_at(scores.score, block) == 2) & ~_in_main_list(joined, roles)
    pure = (joined.group >= 0) & (_at(roles.role, joined.group) != MIXED)
    vector = _role_vectors(joined, pure, roles)
    clutter = np.minimum(np.maximum(1 - vector[:, KEPT].sum(axis=1), SURE), 1 - SURE)
    odds = np.log(clutter / (1 - clutter)) + weights.base + weights.listed * listed
    odds += weights.site * options.site_weight * _site_votes(scores, block)
    known = AD_PROBABILITY * is_ad
    probability = np.maximum(np.where(vector.any(axis=1), 1 / (1 + np.exp(-odds)), 0.0), known)
    vector[:, KEPT] = 0
    role = np.where(is_ad, ADS, vector.argmax(axis=1))
    share = plain / max(plain.max(initial=0), 1)
    may = pure & (share <= MAX_GROUP_PLAIN)
    may |= listed & (share <= options.max_plain_share)
    may = (may & (joined.links >= options.min_links) | is_ad) & (rows != page.body)
    return ClutterElements(roles, scores, rows, block, probability, role, is_ad, may)


class JoinedElements(NamedTuple):
    """Structural blocks, groups of links and boxes of ads, each row once, in document order."""

    rows: Rows
    block: Ints  #: the place of each among the blocks; -1 for others
    group: Ints  #: the place of each among the groups of links; -1 for others
    ad: Mask  #: boxes of ads
    first: Ints  #: the first hyperlink of each
    last: Ints  #: one past the last
    links: Ints  #: hyperlinks below each
    plain: Ints  #: counted characters outside hyperlinks


def join_elements(groups: LinkGroups, blocks: Rows, ads: Rows) -> JoinedElements:
    """All elements that may be clutter, with what they hold."""
    page, links = groups.page, groups.links.rows
    if core.compiled:
        room = len(blocks) + len(groups.rows) + len(ads)
        found = np.empty((len(JoinedElements._fields), room), np.intp)
        columns = page.size, page.chars, page.counted, page.link
        count = core.kernels.join_elements(*columns, links, blocks, groups.rows, ads, found)
        rows, block, group, ad, *counts = found[:, :count]
        return JoinedElements(rows, block, group, ad > 0, *counts)
    marked = np.zeros(len(page), np.bool_)
    for part in (blocks, groups.rows, ads):
        marked[part] = True
    rows = np.flatnonzero(marked)
    places = (_places(rows, blocks), _places(rows, groups.rows), _places(rows, ads) >= 0)
    first, last = np.searchsorted(links, rows), np.searchsorted(links, page.end[rows])
    below = last - np.searchsorted(links, rows + 1)
    sums = np.append(0, np.cumsum(page.chars * (page.counted & ~page.link)))
    return JoinedElements(rows, *places, first, last, below, sums[page.end[rows]] - sums[rows])


def _site_votes(scores: ClutterScores, block: Ints) -> Floats | float:
    """1 where all pages of the site repeat the links of a block, -1 where none does, else 0."""
    if np.isnan(scores.repeated).all():  # nothing is known of the site
        return 0.0
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


def _role_vectors(joined: JoinedElements, pure: Mask, roles: GroupRoles) -> Floats:
    """For each element, the mean probability of every role over its links and its own group.

    Its own group counts where it has one role.
    """
    groups, first, last = roles.groups, joined.first, joined.last
    selectors = size_selectors(groups)
    if core.compiled:
        vectors = np.empty((len(joined.rows), MIXED))
        links = groups.smallest, first, last, joined.group
        core.kernels.join_roles(roles.probability, *links, pure, selectors, CONTENT, SURE, vectors)
        return vectors
    whole = np.maximum(1 - roles.probability[:, MIXED:], SURE)
    own = roles.probability[:, :MIXED] / whole
    own[selectors] = np.arange(MIXED) == CONTENT
    sums = prefix(np.vstack((own, np.zeros(MIXED)))[groups.smallest].T)
    vector = (sums[:, last] - sums[:, first]).T / np.maximum(last - first, 1)[:, None]
    vector[pure] = (vector[pure] + own[joined.group[pure]]) / 2
    return np.asarray(vector)


def _in_main_list(joined: JoinedElements, roles: GroupRoles) -> Mask:
    """Mark the lists that a page is about, such as its products, and all in them.

    Such a list has most links of the page, its items are groups of links themselves, and its role
    is more likely one that is kept than any other. A page of products has hardly any text outside
    links, so that the ratios of its list tell nothing.
    """
    groups, rows = roles.groups, joined.rows
    large = (joined.group >= 0) & (joined.links >= MAIN_LIST_SHARE * len(groups.links))
    group = joined.group[large]
    group = group[_at(groups.inner, group) >= MIN_LIST_ITEMS]
    kept = group[np.isin(roles.probability[group].argmax(axis=1), KEPT)] if len(group) else group
    main = np.isin(rows, groups.rows[kept]) if len(kept) else np.zeros(len(rows), np.bool_)
    return np.asarray(main | _inside(groups.page, rows, main)) if len(kept) else main


# -- the answer --------------------------------------------------------------------------------


def choose(page: Page, found: ClutterElements, options: ClutterOptions) -> ClutterElements:
    """The top-most elements that are clutter, with what only heads or closes them."""
    chosen = found.may & (found.probability >= options.min_score)
    owner, around, top = _find_topmost(page, found.rows, chosen)
    probability, role = found.probability, found.role
    if around.any():
        probability, role = _wrap(page, found, owner, around)
    return take(replace(found, probability=probability, role=role), top)


def take(found: ClutterElements, mask: Mask) -> ClutterElements:
    """Some of the elements."""
    names = ("rows", "block", "probability", "role", "ad", "may")
    return replace(found, **{name: getattr(found, name)[mask] for name in names})


def _find_topmost(page: Page, rows: Rows, chosen: Mask) -> tuple[Ints, Mask, Mask]:
    """The chosen element that holds each row, what holds hardly more, and the top-most of both."""
    barred = page.is_tag(*BARRED)
    if core.compiled:
        owner, (around, top) = np.empty(len(page), np.intp), np.empty((2, len(rows)), np.bool_)
        columns = page.size, page.chars, page.counted, page.link, barred
        limits = MAX_LIGHT_CHARS, MAX_LIGHT_SHARE
        core.kernels.choose_elements(*columns, page.body, rows, chosen, *limits, owner, around, top)
        return owner, around, top
    top = chosen & ~_inside(page, rows, chosen)
    owner = np.full(len(page), -1)
    for at in np.flatnonzero(top).tolist():
        owner[rows[at] : page.end[rows[at]]] = at
    whole, light, linked, others = _sum_light(page, rows, owner)
    around = (light < whole) & (light <= np.minimum(MAX_LIGHT_CHARS, MAX_LIGHT_SHARE * whole))
    around &= (linked == 0) & (others == 0) & (rows > page.body) & (owner[rows] < 0)
    around &= ~_inside(page, rows, around)
    top |= around
    return owner, around, top & ~_inside(page, rows, top)


def _inside(page: Page, rows: Rows, marked: Mask) -> Mask:
    """Mark the rows below a marked one."""
    inside = page.inside(rows[marked].astype(np.int32))
    return np.asarray(inside[np.maximum(page.parent[rows], 0)])


def _wrap(page: Page, found: ClutterElements, owner: Ints, around: Mask) -> tuple[Floats, Ints]:
    """Probabilities and roles, where elements around clutter have those of what they hold."""
    rows, chars = found.rows, page.chars * page.counted
    probability, role = found.probability.copy(), found.role.copy()
    for at in np.flatnonzero(around).tolist():
        inner = owner[rows[at] : page.end[rows[at]]]
        weight = chars[rows[at] : page.end[rows[at]]][inner >= 0]
        inner = inner[inner >= 0]
        probability[at] = np.average(found.probability[inner], weights=weight)
        role[at] = np.bincount(found.role[inner], weight).argmax()
    return probability, role


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
