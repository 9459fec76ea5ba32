"""Features of link groups: labels, addresses, text, shape, place, names, and what stands around.

Every feature is a sum over the hyperlinks or rows of a group, a look at the rows before it, or a
bit that its ancestors carry. Names stand beside the values they name, so that a model and a
reason use the same ones.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Hashes, Int64s, Ints, Mask
from pagelet.methods.links.groups import TARGETS, LinkGroups, prefix
from pagelet.methods.links.vocabulary import (
    ADDRESS_KINDS,
    ALL_KINDS,
    MAX_PHRASE_CHARS,
    NAME_KINDS,
    name_bits,
    text_bits,
)
from pagelet.models.features import Features, FeatureTable
from pagelet.page.signatures import mix, path_signatures, row_signatures
from pagelet.page.table import Page
from pagelet.page.tags import FIRST_CUSTOM_TAG, HEADINGS, NUMBER, TEXT, numbers

PROSE_CHARS = 60  #: characters from which a text outside links counts as prose
SHORT_LABEL_CHARS = 20  #: characters up to which a label is short
SEPARATOR_CHARS = 2  #: characters up to which a text outside links counts as a separator
HEADING_ROWS = 12  #: rows up to which a heading stands just before a group
LEAD_ROWS = 6  #: rows up to which a short text stands just before a group
MAX_LEVELS = 64  #: ancestors that are looked at
FAR_ROWS = 500  #: rows beyond which distance no longer counts
MAX_ALIKE = 100  #: alike elements beyond which their number no longer counts


def role_features(groups: LinkGroups) -> FeatureTable:
    """All features of all groups."""
    features: Features = {
        **_label_features(groups),
        **_address_features(groups),
        **_text_features(groups),
        **_shape_features(groups),
        **_place_features(groups),
        **_context_features(groups),
        **_lead_features(groups),
        **_repetition_features(groups),
    }
    return FeatureTable.of(features, len(groups))


def unpack(bits: Int64s, kinds: int) -> Mask:
    """One line per bit: whether each number has it."""
    return (bits[None, :] >> np.arange(kinds)[:, None] & 1).astype(np.bool_)


def _named(before: str, names: tuple[str, ...], lines: NDArray[Any]) -> Features:
    return {before + name: line for name, line in zip(names, lines, strict=True)}


# -- hyperlinks --------------------------------------------------------------------------------

COUNTED_LABELS = ("home", "turn", "share", "legal", "account", "number")
MAX_COUNTED = 12  #: labels of a kind beyond which their number no longer counts


def _label_features(groups: LinkGroups) -> Features:
    links, count = groups.links, groups.count
    kinds = unpack(links.label_bits, len(ALL_KINDS))
    chars = links.chars
    labels = links.labels
    other = (
        chars, chars**2, (chars > 0) & (chars <= SHORT_LABEL_CHARS), chars >= PROSE_CHARS,
        links.icon, links.pictures, [label.count(" ") for label in labels],
        [label[:1].isupper() for label in labels], [label.isupper() for label in labels],
    )  # fmt: skip
    means = groups.over_links(np.vstack((kinds, *other))) / count
    mean, square, short, long, icon, picture, words, capital, upper = means[len(ALL_KINDS) :]
    features = _named("label_", ALL_KINDS, means[: len(ALL_KINDS)])
    for kind in COUNTED_LABELS:
        features[f"labels_{kind}"] = np.minimum(features[f"label_{kind}"] * count, MAX_COUNTED)
    return features | {
        "label_chars": mean,
        "label_std": np.sqrt(np.maximum(square - mean**2, 0)),
        "label_spaces": words,
        "label_short": short,
        "label_long": long,
        "label_missing": icon,
        "label_picture": picture,
        "label_capital": capital,
        "label_upper": upper,
        "links": count,
        "link_share": count / max(len(links.rows), 1),
        "links_before": groups.first / max(len(links.rows), 1),
        "page_links": len(links.rows),
    }


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


def _address_features(groups: LinkGroups) -> Features:
    links, count = groups.links, groups.count
    columns = np.vstack((
        unpack(links.target_bits, len(TARGETS)),
        unpack(links.address_bits, len(ADDRESS_KINDS)),
        _attribute_marks(groups.page, links.rows),
        *links.repeats,
        links.host_changes,
    ))  # fmt: skip
    names = (
        *(f"to_{name}" for name in TARGETS), *(f"address_{name}" for name in ADDRESS_KINDS),
        *(f"rel_{name}" for name in RELATIONS), *(f"has_{name}" for name in MARKED),
        "repeated_before", "repeated_after", "host_changes",
    )  # fmt: skip
    return _named("", names, groups.over_links(columns) / count)


def _attribute_marks(page: Page, rows: Ints) -> Mask:
    """Relations and marked attributes of the hyperlinks, one line each."""
    marks = np.zeros((len(RELATIONS) + len(MARKED), len(page)), np.bool_)
    at, number, values = page.distinct("rel")
    if values:
        words = [frozenset(value.lower().split()) for value in values]
        for line, wanted in enumerate(RELATIONS.values()):
            marks[line, at] = np.array([not wanted.isdisjoint(each) for each in words])[number]
    for line, name in enumerate(MARKED, len(RELATIONS)):
        marks[line, list(page.attribute(name))] = True
    return marks[:, rows]


# -- text and shape ----------------------------------------------------------------------------


def _text_features(groups: LinkGroups) -> Features:
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
HEADING_LINE = 1 + tuple(TAG_KINDS).index("headings")


def _kind_table() -> Mask:
    table = np.zeros((len(TAG_KINDS), FIRST_CUSTOM_TAG + 1), np.bool_)
    for line, names in zip(table, TAG_KINDS.values(), strict=True):
        line[list(numbers(names))] = True
    return table


KIND_TABLE = _kind_table()


def _shape_features(groups: LinkGroups) -> Features:
    """Tags in the group, its size and its place among the other groups."""
    page, rows, count = groups.page, groups.rows, groups.count
    kinds = KIND_TABLE[:, np.minimum(page.tag, FIRST_CUSTOM_TAG)] & page.counted
    sums = prefix(np.vstack((page.counted, kinds)))
    before, whole = sums[:, rows], np.maximum(sums[:, -1], 1)
    inside = sums[:, groups.end] - before
    within, links = groups.within, groups.links.rows
    parent, depth = page.parent[links], page.depth[links]
    same = np.zeros((2, len(links)))
    same[:, 1:] = parent[1:] == parent[:-1], depth[1:] == depth[:-1]
    same_parent, same_depth = groups.over_links(same) / count
    return {
        **_named("", tuple(TAG_KINDS), inside[1:] / count),
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


def _place_features(groups: LinkGroups) -> Features:
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


def _context_features(groups: LinkGroups) -> Features:
    """What the element itself, its parents and all its ancestors are and are called."""
    page, rows = groups.page, groups.rows
    context, names = _context_bits(page), _name_bits(page)
    both = context | names << len(CONTEXT)
    above = both[rows] & (1 << len(CONTEXT)) - 1 | _bits_above(page, both, rows)
    parent = groups.parent
    near = names[parent] | names[np.maximum(page.parent[parent], 0)]
    sums = prefix(unpack(names, len(NAME_KINDS)))
    below = sums[:, groups.end] - sums[:, rows + 1]
    return {
        **_named("own_name_", NAME_KINDS, unpack(names[rows], len(NAME_KINDS))),
        **_named("near_name_", NAME_KINDS, unpack(near, len(NAME_KINDS))),
        **_named("in_", CONTEXT, unpack(above, len(CONTEXT))),
        **_named("in_name_", NAME_KINDS, unpack(above >> len(CONTEXT), len(NAME_KINDS))),
        **_named("below_name_", NAME_KINDS, np.minimum(below / groups.count, 2)),
    }


def _context_bits(page: Page) -> Int64s:
    """Landmark elements and roles, and states, as bits per row."""
    table = np.zeros(FIRST_CUSTOM_TAG + 1, np.int64)
    table[[NUMBER[name] for name in LANDMARKS]] = 1 << np.arange(len(LANDMARKS))
    bits = table[np.minimum(page.tag, FIRST_CUSTOM_TAG)]
    for row, role in page.attribute("role").items():
        if role in LANDMARK_ROLES:
            bits[row] |= 1 << len(LANDMARKS) + LANDMARK_ROLES.index(role)
    bits[page.hidden | page.aria_hidden] |= 1 << CONTEXT.index("hidden")
    bits[list(page.attribute("aria-expanded"))] |= 1 << CONTEXT.index("expandable")
    return bits


def _name_bits(page: Page) -> Int64s:
    """What class names, ids and labels of each row speak for, as bits."""
    bits = np.zeros(len(page), np.int64)
    for attribute in NAMING:
        rows, number, values = page.distinct(attribute)
        if values:
            bits[rows] |= name_bits(values)[number]
    return bits


def _bits_above(page: Page, bits: Int64s, rows: Ints) -> Int64s:
    """The bits of all ancestors together."""
    above, at = np.zeros(len(rows), np.int64), page.parent[rows]
    for _ in range(MAX_LEVELS):
        there = at >= 0
        if not there.any():
            break
        above |= np.where(there, bits[at], 0)
        at = np.where(there, page.parent[at], -1)
    return above


# -- texts around and repetition ---------------------------------------------------------------

INNER_TEXTS = ("turn", "share", "related", "tags", "here", "by", "archive", "letter", "date")
LEAD_TEXTS = ("related", "tags", "contents", "share", "archive", "ad", "letter", "by")


def _lead_features(groups: LinkGroups) -> Features:
    """Kinds of short texts outside links in the group, and of the heading and text before it."""
    page, rows = groups.page, groups.rows
    texts = np.flatnonzero((page.tag == TEXT) & page.counted & (page.chars <= MAX_PHRASE_CHARS))
    bits = np.array([text_bits(page.texts[at]) for at in page.ordinal[texts].tolist()], np.int64)
    outside = ~page.link[texts]
    plain, plain_bits = texts[outside], bits[outside]
    sums = prefix(unpack(plain_bits, len(ALL_KINDS)))
    inside = sums[:, np.searchsorted(plain, groups.end)] - sums[:, np.searchsorted(plain, rows)]
    headed = _in_heading(page, texts)
    before = _bits_before(texts[headed], bits[headed], rows, HEADING_ROWS)
    first = _bits_after(texts[headed], bits[headed], rows, groups.end)
    lead = _bits_before(plain, plain_bits, rows, LEAD_ROWS)
    kinds = [unpack(each, len(ALL_KINDS)) for each in (before | first, lead)]
    inner_lines, lead_lines = (
        [ALL_KINDS.index(kind) for kind in wanted] for wanted in (INNER_TEXTS, LEAD_TEXTS)
    )
    return {
        **_named("text_", INNER_TEXTS, np.minimum(inside[inner_lines] / groups.count, 2)),
        **_named("heading_", LEAD_TEXTS, kinds[0][lead_lines]),
        **_named("lead_", LEAD_TEXTS, kinds[1][lead_lines]),
    }


BOLD = numbers("strong b dt legend caption label summary")  #: tags that often head a list


def _in_heading(page: Page, texts: Ints) -> Mask:
    """Mark the texts whose parent or grandparent is a heading or stands out like one."""
    heading = page.is_tag(*HEADINGS, *BOLD)
    parent = page.parent[texts]
    return np.asarray(heading[parent] | heading[page.parent[parent]])


def _bits_before(texts: Ints, bits: Int64s, rows: Ints, reach: int) -> Int64s:
    """The bits of the last text before each row, where it is near enough."""
    if not len(texts):
        return np.zeros(len(rows), np.int64)
    last = np.searchsorted(texts, rows) - 1
    near = (last >= 0) & (rows - texts[last] < reach)
    return np.where(near, bits[last], 0)


def _bits_after(texts: Ints, bits: Int64s, rows: Ints, end: Ints) -> Int64s:
    """The bits of the first text in each group, where it stands at its start."""
    if not len(texts):
        return np.zeros(len(rows), np.int64)
    first = np.minimum(np.searchsorted(texts, rows), len(texts) - 1)
    near = (texts[first] > rows) & (texts[first] < end) & (texts[first] - rows < HEADING_ROWS)
    return np.where(near, bits[first], 0)


def _repetition_features(groups: LinkGroups) -> Features:
    """How often the shape of the group, and of what it lies in, occurs on the page."""
    page, rows = groups.page, groups.rows
    elements = np.flatnonzero(page.element)
    path = path_signatures(page, row_signatures(page, classes=False))[elements]
    beside = mix(path + page.parent[elements].astype(np.uint64))
    same, siblings = np.ones((2, len(page)), np.intp)
    same[elements], siblings[elements] = _occurrences(path), _occurrences(beside)
    most = np.zeros(len(page), np.intp)
    np.maximum.at(most, page.parent[elements[1:]], siblings[elements[1:]])
    above, at = np.ones(len(rows), np.intp), page.parent[rows]
    for _ in range(LEAD_ROWS):
        above = np.where(at >= 0, np.maximum(above, siblings[at]), above)
        at = np.where(at >= 0, page.parent[at], -1)
    return {
        "same_path": np.minimum(same[rows], MAX_ALIKE),
        "siblings": np.minimum(siblings[rows], MAX_ALIKE),
        "siblings_above": np.minimum(above, MAX_ALIKE),
        "siblings_below": np.minimum(most[rows], MAX_ALIKE),
        "same_groups": _occurrences(path[np.searchsorted(elements, rows)]),
    }


def _occurrences(keys: Hashes) -> Ints:
    """How often each key occurs."""
    if not len(keys):
        return np.zeros(0, np.intp)
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    counts = np.diff(np.append(starts, len(keys)))
    result = np.empty(len(keys), np.intp)
    result[order] = np.repeat(counts, counts)
    return result
