"""The columns of a page that the features of its link groups are made of."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet import core
from pagelet.arrays import Int64s, Ints, Mask, Rows
from pagelet.methods.links.groups import LinkGroups
from pagelet.methods.links.hyperlinks import Hyperlinks
from pagelet.methods.vocabulary import MAX_PHRASE_CHARS, name_bits, text_bits
from pagelet.models.columns import FeatureColumn, Kind
from pagelet.page.equal import count_equal
from pagelet.page.signatures import MULTIPLIER, mix, path_signatures, row_signatures
from pagelet.page.table import Page
from pagelet.page.tags import FIRST_CUSTOM_TAG, HEADINGS, NUMBER, TEXT, numbers

HEADING_ROWS = 12  #: rows up to which a heading stands just before a group

#: Every input with its kind and its lines, in order.
INPUTS: dict[str, tuple[Kind, int]] = {
    **dict.fromkeys(("tag", "parent", "size", "depth", "chars", "children"), (Kind.INT, 1)),
    **dict.fromkeys(("counted", "link", "hidden", "aria_hidden"), (Kind.MASK, 1)),
    **dict.fromkeys(("link_rows", "link_chars", "label_bits"), (Kind.INT, 1)),
    **dict.fromkeys(("label_spaces", "label_numbers"), (Kind.INT, 1)),
    "pictures": (Kind.MASK, 1),
    **dict.fromkeys(("target_bits", "address_bits", "mark_bits"), (Kind.INT, 1)),
    **dict.fromkeys(("first_alike", "last_alike", "host"), (Kind.INT, 1)),
    **dict.fromkeys(("holders", "name_bits", "role_bits"), (Kind.INT, 1)),
    **dict.fromkeys(("rows", "first", "last", "within", "inner_groups"), (Kind.INT, 1)),
    **dict.fromkeys(("lead_bits", "same_path", "siblings", "same_groups"), (Kind.INT, 1)),
    "body": (Kind.INT, 1),
}


@dataclass(frozen=True, slots=True, eq=False)
class GroupInputs:
    """The inputs as columns, for the functions that write features."""

    # -- one value per row of the page --------------------------------------------------------
    tag: FeatureColumn
    parent: FeatureColumn
    size: FeatureColumn
    depth: FeatureColumn
    chars: FeatureColumn
    children: FeatureColumn
    counted: FeatureColumn
    link: FeatureColumn
    hidden: FeatureColumn
    aria_hidden: FeatureColumn
    # -- one value per hyperlink ----------------------------------------------------------------
    link_rows: FeatureColumn
    link_chars: FeatureColumn
    label_bits: FeatureColumn
    label_spaces: FeatureColumn
    label_numbers: FeatureColumn
    pictures: FeatureColumn
    target_bits: FeatureColumn
    address_bits: FeatureColumn
    mark_bits: FeatureColumn  #: relations, and attributes whose presence counts; see MARKS
    first_alike: FeatureColumn  #: the first link with the same address
    last_alike: FeatureColumn
    host: FeatureColumn  #: number of the host that it leads to
    # -- one value per element with two links ---------------------------------------------------
    holders: FeatureColumn  #: its row
    name_bits: FeatureColumn  #: what its names speak for
    role_bits: FeatureColumn  #: its role as a landmark, and whether it expands; see CONTEXT
    # -- one value per group --------------------------------------------------------------------
    rows: FeatureColumn
    first: FeatureColumn  #: its first hyperlink
    last: FeatureColumn  #: one past its last hyperlink
    within: FeatureColumn  #: the group around it; -1 for none
    inner_groups: FeatureColumn  #: how many groups it is directly around
    lead_bits: FeatureColumn  #: kinds of the heading before it or at its start
    same_path: FeatureColumn  #: elements of the page with its path
    siblings: FeatureColumn  #: siblings with its path
    same_groups: FeatureColumn  #: groups with its path
    # -- one value per page ---------------------------------------------------------------------
    body: FeatureColumn

    @property
    def end(self) -> FeatureColumn:
        """First row after each subtree."""
        return self.tag.places() + self.size

    @property
    def group_end(self) -> FeatureColumn:
        """First row after each group."""
        return self.end[self.rows]

    @property
    def group_parent(self) -> FeatureColumn:
        """Parent of each group; no group is the root."""
        return self.parent[self.rows]

    @property
    def count(self) -> FeatureColumn:
        """Hyperlinks of each group."""
        return self.last - self.first

    def over_links(self, columns: FeatureColumn) -> FeatureColumn:
        """Sums of columns of the hyperlinks over each group."""
        sums = columns.prefix()
        return sums[self.last] - sums[self.first]

    def share(self, marked: FeatureColumn) -> FeatureColumn:
        """Share of the hyperlinks of each group that are marked."""
        return self.over_links(marked) / self.count


def read_inputs(groups: LinkGroups) -> list[NDArray[Any]]:
    """The values of all inputs, in their order."""
    page, links = groups.page, groups.links
    addresses = links.addresses[1]
    first_alike, last_alike = links.extent
    same_path, siblings, same_groups = _repetitions(groups)
    own = {
        "link_rows": links.rows,
        "link_chars": links.chars,
        "label_bits": links.label_bits,
        "label_spaces": links.label_spaces,
        "label_numbers": links.label_numbers,
        "pictures": links.pictures,
        "target_bits": links.target_bits,
        "address_bits": links.address_bits,
        "mark_bits": _mark_bits(page, links),
        "first_alike": first_alike,
        "last_alike": last_alike,
        "host": links.host_numbers[addresses],
        "holders": groups.holders,
        "name_bits": _name_bits(page, groups.holders),
        "role_bits": _role_bits(page, groups.holders),
        "within": groups.within,
        "inner_groups": groups.inner,
        "lead_bits": _lead_bits(groups),
        "same_path": same_path,
        "siblings": siblings,
        "same_groups": same_groups,
        "body": np.array([page.body]),
    }
    for name in ("rows", "first", "last"):
        own[name] = getattr(groups, name)
    return [own[name] if name in own else getattr(page, name) for name in INPUTS]


# -- attributes of links -----------------------------------------------------------------------

#: Words of rel that are counted, by name of the feature.
RELATIONS = {
    "nofollow": frozenset(("nofollow",)),
    "tag": frozenset(("tag", "category")),
    "turn": frozenset(("next", "prev")),
    "person": frozenset(("author", "me")),
    "opener": frozenset(("noopener", "noreferrer")),
    "sponsored": frozenset(("sponsored",)),
}
MARKED = ("target", "aria-current", "title")  #: attributes of links whose presence is counted
#: names of the relations and marked attributes as features, in the order of their bits
MARKS = (*(f"rel_{name}" for name in RELATIONS), *(f"has_{name}" for name in MARKED))


def _mark_bits(page: Page, links: Hyperlinks) -> Int64s:
    """Relations and marked attributes of the hyperlinks, as bits."""
    bits = np.zeros(len(page), np.int64)
    rows, numbers, values = page.distinct("rel")
    if values:
        bits[rows] = np.array([_relation_bits(value) for value in values], np.int64)[numbers]
    for bit, name in enumerate(MARKED, len(RELATIONS)):
        bits[page.distinct(name)[0]] |= 1 << bit
    return np.asarray(bits[links.rows])


@lru_cache(maxsize=1 << 12)
def _relation_bits(relation: str) -> int:
    words = relation.lower().split()
    return sum(1 << at for at, each in enumerate(RELATIONS.values()) if not each.isdisjoint(words))


# -- elements around links ---------------------------------------------------------------------

LANDMARKS = ("nav", "header", "footer", "aside", "main", "article", "form", "table", "ul", "li")
LANDMARK_ROLES = ("navigation", "menu", "contentinfo", "banner", "complementary", "tablist")
NAMING = ("class", "id", "aria-label")  #: attributes that name an element
STATES = ("hidden", "expandable")
CONTEXT = (*LANDMARKS, *LANDMARK_ROLES, *STATES)
HIDDEN_BIT, EXPANDABLE_BIT = (CONTEXT.index(state) for state in STATES)
ROLE_BITS = {role: 1 << at for at, role in enumerate(LANDMARK_ROLES, len(LANDMARKS))}


def _landmark_bits() -> Int64s:
    table = np.zeros(FIRST_CUSTOM_TAG + 1, np.int64)
    table[[NUMBER[name] for name in LANDMARKS]] = 1 << np.arange(len(LANDMARKS))
    return table


LANDMARK_BITS = _landmark_bits()


def _role_bits(page: Page, holders: Rows) -> Int64s:
    """The roles of elements as landmarks, and whether they expand, as bits."""
    bits = np.zeros(len(page), np.int64)
    rows, numbers, values = page.distinct("role")
    if values:
        bits[rows] = np.array([ROLE_BITS.get(value, 0) for value in values], np.int64)[numbers]
    bits[page.distinct("aria-expanded")[0]] |= 1 << EXPANDABLE_BIT
    return np.asarray(bits[holders])


def _name_bits(page: Page, holders: Rows) -> Int64s:
    """What class names, ids and labels speak for, as bits."""
    bits = np.zeros(len(holders), np.int64)
    for attribute in NAMING:
        named, values = values_at(page, attribute, holders)
        if values:
            bits[named] |= name_bits(values)
    return bits


def values_at(page: Page, attribute: str, rows: Rows) -> tuple[Ints, list[str]]:
    """The places of the rows that have an attribute, and the value of each; rows are in order."""
    having, numbers, values = page.distinct(attribute)
    if not values:
        return having, []
    at = having.searchsorted(rows)
    places = (having.take(at, mode="clip") == rows).nonzero()[0]
    return places, [values[number] for number in numbers[at[places]].tolist()]


# -- texts around and repetition ---------------------------------------------------------------


def _lead_bits(groups: LinkGroups) -> Int64s:
    """Kinds of the heading before a group or at its start, as bits."""
    page, found = groups.page, find_leads(groups)
    before, inside = (_text_bits(page, texts) for texts in found)
    return before | inside


def find_leads(groups: LinkGroups) -> Ints:
    """The texts in headings just before each group, and at its start; -1 for none."""
    page, rows, found = groups.page, groups.rows, np.full((2, len(groups)), -1)
    if core.compiled:
        columns = page.tag, page.parent, page.chars, page.counted, page.is_tag(*HEADINGS, *BOLD)
        limits = MAX_PHRASE_CHARS, HEADING_ROWS
        core.kernels.find_leads(*columns, rows, groups.end, *limits, found)
        return found
    texts = np.flatnonzero((page.chars <= MAX_PHRASE_CHARS) & page.counted & (page.tag == TEXT))
    texts = texts[_in_heading(page, texts)]
    if not len(texts):
        return found
    last = np.searchsorted(texts, rows) - 1
    near = (last >= 0) & (rows - texts[last] < HEADING_ROWS)
    found[0, near] = page.ordinal[texts[last[near]]]
    first = np.minimum(last + 1, len(texts) - 1)
    start = texts[first] - rows
    near = (start > 0) & (texts[first] < groups.end) & (start < HEADING_ROWS)
    found[1, near] = page.ordinal[texts[first[near]]]
    return found


def _text_bits(page: Page, texts: Ints) -> Int64s:
    """Kinds of texts, given by their places; none where the place is -1."""
    bits = np.zeros(len(texts), np.int64)
    there = (texts >= 0).nonzero()[0]
    if len(there):
        bits[there] = text_bits(page.texts[at] for at in texts[there].tolist())
    return bits


BOLD = numbers("strong b dt legend caption label summary")  #: tags that often head a list


def _in_heading(page: Page, texts: Ints) -> Mask:
    """Mark the texts whose parent or grandparent is a heading or stands out like one."""
    heading = page.is_tag(*HEADINGS, *BOLD)
    parent = page.parent[texts]
    return np.asarray(heading[parent] | heading[page.parent[parent]])


def _repetitions(groups: LinkGroups) -> tuple[Ints, Ints, Ints]:
    """How often the path of a group occurs on the page, among its siblings and the groups."""
    page, rows = groups.page, groups.rows
    if core.compiled:
        counts = np.empty((3, len(rows)), np.intp)
        if core.kernels.count_paths(page.tag, page.parent, int(MULTIPLIER), rows, counts):
            same_path, siblings, same_groups = counts
            return same_path, siblings, same_groups
    elements = np.flatnonzero(page.element)
    path = path_signatures(page, row_signatures(page, classes=False))[elements]
    beside = mix(path + page.parent[elements].astype(np.uint64))
    place = np.searchsorted(elements, rows)
    return count_equal(path)[place], count_equal(beside)[place], count_equal(path[place])
