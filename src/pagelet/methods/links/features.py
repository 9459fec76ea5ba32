"""Features of link groups: labels, addresses, text, shape, place, names, and what stands around.

Every feature is a sum over the hyperlinks or rows of a group, a look at the rows before it, or a
bit that its ancestors carry. Names stand beside the values they name, so that a model and a
reason use the same ones.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Hashes, Int64s, Ints, Mask, Rows
from pagelet.methods.links.groups import LinkGroups, prefix
from pagelet.methods.links.hyperlinks import TARGETS
from pagelet.methods.links.tags import TagCounter
from pagelet.methods.vocabulary import (
    ADDRESS_KINDS,
    ALL_KINDS,
    LABEL_KINDS,
    MAX_PHRASE_CHARS,
    NAME_KINDS,
    name_bits,
    text_bits,
)
from pagelet.models.features import FeatureBlocks, FeatureTable
from pagelet.page.signatures import mix, path_signatures, row_signatures
from pagelet.page.table import Page
from pagelet.page.tags import FIRST_CUSTOM_TAG, HEADINGS, NUMBER, TEXT, numbers

PROSE_CHARS = 60  #: characters from which a text outside links counts as prose
SHORT_LABEL_CHARS = 20  #: characters up to which a label is short
SEPARATOR_CHARS = 2  #: characters up to which a text outside links counts as a separator
HEADING_ROWS = 12  #: rows up to which a heading stands just before a group
FAR_ROWS = 500  #: rows beyond which distance no longer counts
MAX_ALIKE = 100  #: alike elements beyond which their number no longer counts


def role_features(groups: LinkGroups) -> FeatureTable:
    """All features of all groups."""
    features: FeatureBlocks = {
        **_label_features(groups),
        **_address_features(groups),
        **_text_features(groups),
        **_shape_features(groups),
        **_place_features(groups),
        **_context_features(groups),
        **_lead_features(groups),
        **_repetition_features(groups),
    }
    return FeatureTable.of_blocks(features, len(groups))


def unpack(bits: Int64s, kinds: int) -> Mask:
    """One line per bit: whether each number has it."""
    eights = bits.astype("<i8").view(np.uint8).reshape(-1, 8)
    return np.unpackbits(eights, axis=1, count=kinds, bitorder="little").T.view(np.bool_)


def _named(before: str, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(before + name for name in names)


# -- hyperlinks --------------------------------------------------------------------------------

COUNTED_LABELS = ("home", "turn", "share", "legal", "account", "number")
COUNTED_LINES = [ALL_KINDS.index(kind) for kind in COUNTED_LABELS]
MAX_COUNTED = 12  #: labels of a kind beyond which their number no longer counts
LABEL_NAMES = _named("label_", ALL_KINDS)
COUNTED_NAMES = _named("labels_", COUNTED_LABELS)


def _label_features(groups: LinkGroups) -> FeatureBlocks:
    links, count = groups.links, groups.count
    chars = links.chars.astype(float)
    other = (
        chars, chars**2, (chars > 0) & (chars <= SHORT_LABEL_CHARS), chars >= PROSE_CHARS,
        chars == 0, links.pictures, links.label_spaces, _number_runs(links.label_numbers),
    )  # fmt: skip
    kinds = unpack(links.label_bits, len(LABEL_KINDS))
    means = groups.over_links(np.vstack((kinds, *other))) / count
    capital, upper, mean, square, short, long, icon, picture, spaces, run = means[len(ALL_KINDS) :]
    return {
        LABEL_NAMES: means[: len(ALL_KINDS)],
        COUNTED_NAMES: np.minimum(means[COUNTED_LINES] * count, MAX_COUNTED),
        "label_chars": mean,
        "label_std": np.sqrt(np.maximum(square - mean**2, 0)),
        "label_spaces": spaces,
        "label_short": short,
        "label_long": long,
        "label_missing": icon,
        "label_picture": picture,
        "label_capital": capital,
        "label_upper": upper,
        "label_run": run,
        "links": count,
        "link_share": count / max(len(links), 1),
        "links_before": groups.first / max(len(links), 1),
        "page_links": len(links),
    }


def _number_runs(number: Int64s) -> Mask:
    """Mark the labels that are the next number after the label before them, as page numbers are."""
    runs = np.zeros(len(number), np.bool_)
    runs[1:] = (number[:-1] >= 0) & (number[1:] - number[:-1] == 1)
    return runs


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


ADDRESS_NAMES = (
    *_named("to_", TARGETS), *_named("address_", ADDRESS_KINDS),
    *_named("rel_", tuple(RELATIONS)), *_named("has_", MARKED),
    "repeated_before", "repeated_after", "host_changes",
)  # fmt: skip


def _address_features(groups: LinkGroups) -> FeatureBlocks:
    links, count = groups.links, groups.count
    columns = np.vstack((
        unpack(links.target_bits, len(TARGETS)),
        unpack(links.address_bits, len(ADDRESS_KINDS)),
        _attribute_marks(groups.page, links.rows),
        *links.repeats,
        links.host_changes,
    ))  # fmt: skip
    return {ADDRESS_NAMES: groups.over_links(columns) / count}


def _attribute_marks(page: Page, rows: Ints) -> Mask:
    """Relations and marked attributes of the hyperlinks, one line each."""
    marks = np.zeros((len(RELATIONS) + len(MARKED), len(rows)), np.bool_)
    relations = page.attribute("rel")
    places = rows.tolist()
    if relations:
        bits = [_relation_bits(relations[row]) if row in relations else 0 for row in places]
        marks[: len(RELATIONS)] = unpack(np.array(bits, np.int64), len(RELATIONS))
    for line, name in enumerate(MARKED, len(RELATIONS)):
        values = page.attribute(name)
        if values:
            marks[line] = [row in values for row in places]
    return marks


@lru_cache(maxsize=1 << 12)
def _relation_bits(relation: str) -> int:
    words = relation.lower().split()
    return sum(1 << at for at, each in enumerate(RELATIONS.values()) if not each.isdisjoint(words))


# -- text and shape ----------------------------------------------------------------------------


def _text_features(groups: LinkGroups) -> FeatureBlocks:
    """Text in links and outside, in the group, before and after it."""
    page, count, rows = groups.page, groups.count, groups.rows
    text = (page.tag == TEXT) & page.counted
    chars, outside = page.chars * text, text & ~page.link
    plain, prose = chars * outside, outside & (page.chars > PROSE_CHARS)
    separators = outside & (page.chars <= SEPARATOR_CHARS)
    sums = prefix(np.array((chars, plain, prose, prose * chars, separators, outside)))
    before, whole = sums[:, rows], np.maximum(sums[:, -1], 1)
    inside = sums[:, groups.end] - before
    parent = groups.parent
    above = sums[:2, page.end[parent]] - sums[:2, parent]
    return {
        "link_text": (inside[0] - inside[1]) / np.maximum(inside[0], 1),
        "plain_per_link": inside[1] / count,
        "text_share": inside[0] / whole[0],
        "plain_share": inside[1] / whole[1],
        "prose_per_link": inside[3] / count,
        "separators": inside[4] / count,
        "texts_per_link": inside[5] / count,
        "text_before": before[0] / whole[0],
        "plain_before": before[1] / whole[1],
        "prose_before": before[2],
        "prose_share_before": before[3] / whole[3],
        "prose_after": whole[2] - before[2] - inside[2],
        "prose_share_after": 1 - (before[3] + inside[3]) / whole[3],
        "page_plain": whole[1],
        "page_prose": whole[3],
        "parent_text": inside[0] / np.maximum(above[0], 1),
        "parent_plain": above[1] - inside[1],
    }


#: Kinds of tags that are counted in a group.
TAG_KINDS = {
    "lists": "ul ol dl",
    "items": "li td dd",
    "images": "img svg picture",
    "inputs": "input select textarea button",
    "headings": "h1 h2 h3 h4 h5 h6",
    "times": "time",
    "paragraphs": "p blockquote",
    "blocks": "div p li td tr section dd dt article",
}
TAGS, TAG_NAMES = TagCounter(TAG_KINDS), tuple(TAG_KINDS)
HEADING_LINE = 1 + TAG_NAMES.index("headings")


def _shape_features(groups: LinkGroups) -> FeatureBlocks:
    """Tags in the group, its size and its place among the other groups."""
    page, rows, count = groups.page, groups.rows, groups.count
    before, inside, whole = TAGS.count(groups)
    whole = np.maximum(whole, 1)
    within, links = groups.within, groups.links.rows
    parent, depth = page.parent[links], page.depth[links]
    same = np.zeros((2, len(links)))
    same[:, 1:] = parent[1:] == parent[:-1], depth[1:] == depth[:-1]
    same_parent, same_depth = groups.over_links(same) / count
    return {
        TAG_NAMES: inside[1:] / count,
        "headings_in": inside[HEADING_LINE],
        "nodes_per_link": inside[0] / count,
        "size_share": inside[0] / whole[0],
        "place": before[0] / whole[0],
        "place_end": 1 - (before[0] + inside[0]) / whole[0],
        "headings_before": before[HEADING_LINE],
        "page_headings": whole[HEADING_LINE],
        "depth": page.depth[rows],
        "page_groups": len(groups),
        "outer_share": np.where(within >= 0, count / groups.count[within], 0),
        "inner_groups": np.bincount(within[within >= 0], minlength=len(groups)),
        "children_per_link": page.children[rows] / count,
        "same_parent": same_parent,
        "same_depth": same_depth,
    }


def _place_features(groups: LinkGroups) -> FeatureBlocks:
    """Where the group lies from the main heading and from the bulk of the prose."""
    page, rows = groups.page, groups.rows
    prose = page.chars * (page.counted & ~page.link & (page.chars > PROSE_CHARS))
    texts = np.append(np.flatnonzero(prose), len(page) + FAR_ROWS)
    core = _core(page, prose)
    headings = np.flatnonzero(page.is_tag(NUMBER["h1"]) & page.counted)
    heading = int(headings[0]) if len(headings) else -1
    last, following = np.searchsorted(texts, rows) - 1, np.searchsorted(texts, groups.end)
    return {
        "in_core": (rows > core) & (rows < page.end[core]),
        "after_core": rows >= page.end[core],
        "above_core": page.depth[core] - page.depth[rows],
        "after_heading": (rows > heading) & (heading >= 0),
        "holds_heading": (rows < heading) & (groups.end > heading),
        "heading_missing": heading < 0,
        "rows_from_heading": np.clip(rows - heading, -200, 200) if heading >= 0 else 0,
        "rows_to_prose": np.minimum(texts[following] - groups.end, FAR_ROWS),
        "rows_from_prose": np.where(last >= 0, np.minimum(rows - texts[last], FAR_ROWS), FAR_ROWS),
    }


def _core(page: Page, prose: NDArray[np.integer]) -> int:
    """The innermost element with half of the prose; body where there is none."""
    total = int(prose.sum())
    holds = np.flatnonzero((page.sum_subtree(prose) * 2 >= total) & page.element & page.counted)
    return int(holds[-1]) if total and len(holds) else max(page.body, 0)


# -- ancestors and names -----------------------------------------------------------------------

LANDMARKS = ("nav", "header", "footer", "aside", "main", "article", "form", "table", "ul", "li")
LANDMARK_ROLES = ("navigation", "menu", "contentinfo", "banner", "complementary", "tablist")
NAMING = ("class", "id", "aria-label")  #: attributes that name an element
STATES = ("hidden", "expandable")
CONTEXT = (*LANDMARKS, *LANDMARK_ROLES, *STATES)
CONTEXT_NAMES = _named("in_", CONTEXT)
OWN_NAMES, NEAR_NAMES, OUTER_NAMES = (
    _named(before, NAME_KINDS) for before in ("own_name_", "near_name_", "in_name_")
)


def _context_features(groups: LinkGroups) -> FeatureBlocks:
    """What the element itself, its parents and all its ancestors are and are called."""
    context, names, above = _holder_bits(groups)
    holder = np.searchsorted(groups.holders, groups.rows)
    near = names[np.searchsorted(groups.holders, groups.parent)]
    outer = np.maximum(groups.page.parent[groups.parent], 0)
    near |= names[np.searchsorted(groups.holders, outer)]
    wider = context[holder] | above[holder]
    return {
        OWN_NAMES: unpack(names[holder], len(NAME_KINDS)),
        NEAR_NAMES: unpack(near, len(NAME_KINDS)),
        CONTEXT_NAMES: unpack(wider, len(CONTEXT)),
        OUTER_NAMES: unpack(above[holder] >> len(CONTEXT), len(NAME_KINDS)),
    }


def _holder_bits(groups: LinkGroups) -> tuple[Int64s, Int64s, Int64s]:
    """What each holder is, what its names speak for, and both for all its ancestors, as bits."""
    page, rows = groups.page, groups.holders
    context, names = _context_bits(page, rows), _name_bits(page, rows)
    both = (context | names << len(CONTEXT)).tolist()
    above = [0] * len(rows)
    for at, parent in enumerate(np.searchsorted(rows, page.parent[rows]).tolist()):
        if parent < at:  # the root stands before all others and has no parent
            above[at] = above[parent] | both[parent]
    return context, names, np.array(above, np.int64)


def _context_bits(page: Page, rows: Rows) -> Int64s:
    """Landmark elements and roles, and states, as bits."""
    bits = LANDMARK_BITS[np.minimum(page.tag[rows], FIRST_CUSTOM_TAG)]
    bits |= (page.hidden | page.aria_hidden)[rows] * (1 << CONTEXT.index("hidden"))
    roles, expandable = page.attribute("role"), page.attribute("aria-expanded")
    if roles or expandable:
        for at, row in enumerate(rows.tolist()):
            bits[at] |= ROLE_BITS.get(roles.get(row, ""), 0)
            bits[at] |= (row in expandable) << CONTEXT.index("expandable")
    return bits


def _landmark_bits() -> Int64s:
    table = np.zeros(FIRST_CUSTOM_TAG + 1, np.int64)
    table[[NUMBER[name] for name in LANDMARKS]] = 1 << np.arange(len(LANDMARKS))
    return table


LANDMARK_BITS = _landmark_bits()
ROLE_BITS = {role: 1 << at for at, role in enumerate(LANDMARK_ROLES, len(LANDMARKS))}


def _name_bits(page: Page, rows: Rows) -> Int64s:
    """What class names, ids and labels speak for, as bits."""
    places, names = list[int](), list[str]()
    for attribute in NAMING:
        values = page.attribute(attribute)
        named = [at for at, row in enumerate(rows.tolist()) if row in values]
        places += named
        names += [values[row] for row in rows[named].tolist()]
    bits = np.zeros(len(rows), np.int64)
    np.bitwise_or.at(bits, places, np.array(name_bits(names), np.int64))
    return bits


# -- texts around and repetition ---------------------------------------------------------------

LEAD_TEXTS = ("related", "tags", "contents", "share", "archive", "ad", "letter", "by")
LEAD_NAMES = _named("heading_", LEAD_TEXTS)
LEAD_LINES = [ALL_KINDS.index(kind) for kind in LEAD_TEXTS]


def _lead_features(groups: LinkGroups) -> FeatureBlocks:
    """Kinds of the heading before a group or at its start."""
    page, rows = groups.page, groups.rows
    short = (page.chars <= MAX_PHRASE_CHARS) & page.counted & (page.tag == TEXT)
    texts = np.flatnonzero(short)
    texts = texts[_in_heading(page, texts)]
    bits = np.zeros(len(rows), np.int64)
    if len(texts):
        last = np.searchsorted(texts, rows) - 1
        near = (last >= 0) & (rows - texts[last] < HEADING_ROWS)
        bits[near] |= _text_bits(page, texts[last[near]])
        first = np.minimum(last + 1, len(texts) - 1)
        start = texts[first] - rows
        near = (start > 0) & (texts[first] < groups.end) & (start < HEADING_ROWS)
        bits[near] |= _text_bits(page, texts[first[near]])
    return {LEAD_NAMES: unpack(bits, len(ALL_KINDS))[LEAD_LINES]}


def _text_bits(page: Page, texts: Ints) -> Int64s:
    return text_bits(page.texts[at] for at in page.ordinal[texts].tolist())


BOLD = numbers("strong b dt legend caption label summary")  #: tags that often head a list


def _in_heading(page: Page, texts: Ints) -> Mask:
    """Mark the texts whose parent or grandparent is a heading or stands out like one."""
    heading = page.is_tag(*HEADINGS, *BOLD)
    parent = page.parent[texts]
    return np.asarray(heading[parent] | heading[page.parent[parent]])


def _repetition_features(groups: LinkGroups) -> FeatureBlocks:
    """How often the path of the group occurs on the page, among its siblings and the groups."""
    page, rows = groups.page, groups.rows
    elements = np.flatnonzero(page.element)
    path = path_signatures(page, row_signatures(page, classes=False))[elements]
    beside = mix(path + page.parent[elements].astype(np.uint64))
    place = np.searchsorted(elements, rows)
    own = path[place]
    return {
        "same_path": np.minimum(_occurrences(own, path), MAX_ALIKE),
        "siblings": np.minimum(_occurrences(beside[place], beside), MAX_ALIKE),
        "same_groups": _occurrences(own, own),
    }


def _occurrences(keys: Hashes, among: Hashes) -> Ints:
    """How often each key occurs among others."""
    ordered = np.sort(among)
    return np.searchsorted(ordered, keys, "right") - np.searchsorted(ordered, keys)
