"""Features of link groups: labels, addresses, text, shape, place, names, and what stands around.

Every feature is a sum over the hyperlinks or rows of a group, a look at the rows before it, or a
bit that its ancestors carry: a column program (see pagelet.models.columns) over the columns that
inputs.py reads. Names stand beside the values they name, so that a model and a reason use the same
ones.
"""

from collections.abc import Mapping
from functools import cache

import numpy as np

from pagelet.methods.links.groups import LinkGroups
from pagelet.methods.links.inputs import (
    CONTEXT,
    HIDDEN_BIT,
    INPUTS,
    LANDMARK_BITS,
    MARKS,
    GroupInputs,
    read_inputs,
)
from pagelet.methods.links.targets import TARGETS
from pagelet.methods.vocabulary import ADDRESS_KINDS, ALL_KINDS, LABEL_KINDS, NAME_KINDS
from pagelet.models.columns import (
    FeatureColumn,
    Kind,
    Program,
    either,
    maximum,
    minimum,
    stack,
    trace_program,
)
from pagelet.models.columns.program import Outputs
from pagelet.models.features import FeatureTable
from pagelet.page.tags import FIRST_CUSTOM_TAG, NUMBER, TEXT, numbers

PROSE_CHARS = 60  #: characters from which a text outside links counts as prose
SHORT_LABEL_CHARS = 20  #: characters up to which a label is short
SEPARATOR_CHARS = 2  #: characters up to which a text outside links counts as a separator
FAR_ROWS = 500  #: rows beyond which distance no longer counts
MAX_FROM_HEADING = 200  #: rows from the main heading beyond which distance no longer counts
MAX_ALIKE = 100  #: alike elements beyond which their number no longer counts


def role_features(groups: LinkGroups) -> FeatureTable:
    """All features of all groups."""
    program = feature_program()
    if not len(groups):
        return FeatureTable(program.names, np.empty((len(program.names), 0), np.float32))
    return program.run(read_inputs(groups), len(groups))


@cache
def feature_program() -> Program:
    """The program of all features, in the order that models depend on."""
    return trace_program(INPUTS, lambda given: _write_features(GroupInputs(**given)))


def _write_features(given: GroupInputs) -> Outputs:
    return {
        **_label_features(given),
        **_address_features(given),
        **_text_features(given),
        **_shape_features(given),
        **_place_features(given),
        **_context_features(given),
        **_lead_features(given),
        "same_path": minimum(given.same_path, MAX_ALIKE),
        "siblings": minimum(given.siblings, MAX_ALIKE),
        "same_groups": given.same_groups,
    }


def _named(before: str, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(before + name for name in names)


def unpack_bits(bits: FeatureColumn, kinds: int, first: int = 0) -> FeatureColumn:
    """One line per bit: whether each number has it."""
    powers = np.array([[1 << bit] for bit in range(first, first + kinds)], np.int64)
    return (bits & bits.trace.constant(powers)) != 0


def _pick(column: FeatureColumn, lines: list[int]) -> FeatureColumn:
    """Some lines of a column, at most as many as can be stacked."""
    return stack(*(column.line(line) for line in lines))


# -- hyperlinks --------------------------------------------------------------------------------

COUNTED_LABELS = ("home", "turn", "share", "legal", "account", "number")
COUNTED_LINES = [ALL_KINDS.index(kind) for kind in COUNTED_LABELS]
MAX_COUNTED = 12  #: labels of a kind beyond which their number no longer counts
LABEL_NAMES = _named("label_", ALL_KINDS)
COUNTED_NAMES = _named("labels_", COUNTED_LABELS)


def _label_features(given: GroupInputs) -> Outputs:
    chars, count, links = given.link_chars, given.count, given.link_rows.count()
    means = given.over_links(unpack_bits(given.label_bits, len(LABEL_KINDS))) / count
    mean, square, spaces = (
        given.over_links(each) / count for each in (chars, chars * chars, given.label_spaces)
    )
    kinds, styles = means.line(0, len(ALL_KINDS)), len(ALL_KINDS)
    whole = maximum(links, 1)
    return {
        LABEL_NAMES: kinds,
        COUNTED_NAMES: minimum(_pick(kinds, COUNTED_LINES) * count, MAX_COUNTED),
        "label_chars": mean,
        "label_std": maximum(square - mean * mean, 0).root(),
        "label_spaces": spaces,
        "label_short": given.share((chars > 0) & (chars <= SHORT_LABEL_CHARS)),
        "label_long": given.share(chars >= PROSE_CHARS),
        "label_missing": given.share(chars == 0),
        "label_picture": given.share(given.pictures),
        "label_capital": means.line(styles),
        "label_upper": means.line(styles + 1),
        "label_run": given.share(_number_runs(given.label_numbers)),
        "links": count,
        "link_share": count / whole,
        "links_before": given.first / whole,
        "page_links": links,
    }


def _number_runs(number: FeatureColumn) -> FeatureColumn:
    """Mark the labels that are the next number after the label before them, as page numbers are."""
    before = number.shift(1)
    return (number.places() > 0) & (before >= 0) & (number - before == 1)


ADDRESS_NAMES = (
    *_named("to_", TARGETS), *_named("address_", ADDRESS_KINDS), *MARKS,
    "repeated_before", "repeated_after", "host_changes",
)  # fmt: skip


def _address_features(given: GroupInputs) -> Outputs:
    place, host = given.link_rows.places(), given.host
    columns = stack(
        unpack_bits(given.target_bits, len(TARGETS)),
        unpack_bits(given.address_bits, len(ADDRESS_KINDS)),
        unpack_bits(given.mark_bits, len(MARKS)),
        given.first_alike < place,
        given.last_alike > place,
        (place > 0) & (host != host.shift(1)),
    )
    return {ADDRESS_NAMES: given.over_links(columns) / given.count}


# -- text and shape ----------------------------------------------------------------------------


def _text_features(given: GroupInputs) -> Outputs:
    """Text in links and outside, in the group, before and after it."""
    rows, count, end, parent = given.rows, given.count, given.group_end, given.group_parent
    text = (given.tag == TEXT) & given.counted
    chars, outside = given.chars * text, text & ~given.link
    prose = outside & (given.chars > PROSE_CHARS)
    separators = outside & (given.chars <= SEPARATOR_CHARS)
    ints = (each.to(Kind.INT) for each in (prose, separators, outside))
    prose_count, marks, pieces = ints
    lines = stack(chars, chars * outside, prose_count, prose * chars, marks, pieces)
    sums = lines.prefix()
    before, whole = sums[rows], maximum(lines.sum(), 1)
    inside = sums[end] - before
    above = (sums[given.end[parent]] - sums[parent]).line(0, 2)
    return {
        "link_text": (inside.line(0) - inside.line(1)) / maximum(inside.line(0), 1),
        "plain_per_link": inside.line(1) / count,
        "text_share": inside.line(0) / whole.line(0),
        "plain_share": inside.line(1) / whole.line(1),
        "prose_per_link": inside.line(3) / count,
        "separators": inside.line(4) / count,
        "texts_per_link": inside.line(5) / count,
        "text_before": before.line(0) / whole.line(0),
        "plain_before": before.line(1) / whole.line(1),
        "prose_before": before.line(2),
        "prose_share_before": before.line(3) / whole.line(3),
        "prose_after": whole.line(2) - before.line(2) - inside.line(2),
        "prose_share_after": 1 - (before.line(3) + inside.line(3)) / whole.line(3),
        "page_plain": whole.line(1),
        "page_prose": whole.line(3),
        "parent_text": inside.line(0) / maximum(above.line(0), 1),
        "parent_plain": above.line(1) - inside.line(1),
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
TAG_NAMES = tuple(TAG_KINDS)
HEADING_LINE = 1 + TAG_NAMES.index("headings")


def _shape_features(given: GroupInputs) -> Outputs:
    """Tags in the group, its size and its place among the other groups."""
    count, within, depth = given.count, given.within, given.depth
    lines = mark_kinds(given.tag, TAG_KINDS) & given.counted
    sums = lines.prefix()
    before, whole = sums[given.rows], maximum(lines.to(Kind.INT).sum(), 1)
    inside = sums[given.group_end] - before
    return {
        TAG_NAMES: inside.line(1, len(TAG_NAMES)) / count,
        "headings_in": inside.line(HEADING_LINE),
        "nodes_per_link": inside.line(0) / count,
        "size_share": inside.line(0) / whole.line(0),
        "place": before.line(0) / whole.line(0),
        "place_end": 1 - (before.line(0) + inside.line(0)) / whole.line(0),
        "headings_before": before.line(HEADING_LINE),
        "page_headings": whole.line(HEADING_LINE),
        "depth": depth[given.rows],
        "page_groups": given.rows.count(),
        "outer_share": either(within >= 0, count / count[within], 0.0),
        "inner_groups": given.inner_groups,
        "children_per_link": given.children[given.rows] / count,
        "same_parent": given.share(_same_as_before(given.parent[given.link_rows])),
        "same_depth": given.share(_same_as_before(depth[given.link_rows])),
    }


def mark_kinds(tag: FeatureColumn, kinds: Mapping[str, str]) -> FeatureColumn:
    """Whether each row is of each kind: a line for all rows, then one for each kind of tags."""
    table = np.zeros((1 + len(kinds), FIRST_CUSTOM_TAG + 1), np.bool_)
    table[0] = True
    for line, names in zip(table[1:], kinds.values(), strict=True):
        line[list(numbers(names))] = True
    return tag.trace.constant(table)[minimum(tag, FIRST_CUSTOM_TAG)]


def _same_as_before(column: FeatureColumn) -> FeatureColumn:
    return (column.places() > 0) & (column == column.shift(1))


def _place_features(given: GroupInputs) -> Outputs:
    """Where the group lies from the main heading and from the bulk of the prose."""
    rows, end, depth = given.rows, given.group_end, given.depth
    place, length = given.tag.places(), given.tag.count()
    is_prose = given.counted & ~given.link & (given.chars > PROSE_CHARS)
    core = _core(given, given.chars * is_prose)
    is_heading = (given.tag == NUMBER["h1"]) & given.counted
    heading = either(is_heading.any(), is_heading.first(), -1)
    last = either(is_prose, place, -1).running_max()[rows]  # no group is a text
    following = either(is_prose, place, length + FAR_ROWS).coming_min()
    following = either(end < length, following[minimum(end, length - 1)], length + FAR_ROWS)
    from_heading = minimum(maximum(rows - heading, -MAX_FROM_HEADING), MAX_FROM_HEADING)
    return {
        "in_core": (rows > core) & (rows < given.end[core]),
        "after_core": rows >= given.end[core],
        "above_core": depth[core] - depth[rows],
        "after_heading": (rows > heading) & (heading >= 0),
        "holds_heading": (rows < heading) & (end > heading),
        "heading_missing": heading < 0,
        "rows_from_heading": either(heading >= 0, from_heading, 0),
        "rows_to_prose": minimum(following - end, FAR_ROWS),
        "rows_from_prose": either(last >= 0, minimum(rows - last, FAR_ROWS), FAR_ROWS),
    }


def _core(given: GroupInputs, prose: FeatureColumn) -> FeatureColumn:
    """The innermost element with half of the prose; body where there is none."""
    total, sums, place = prose.sum(), prose.prefix(), given.tag.places()
    holds = (sums[given.end] - sums[place]) * 2 >= total
    holds = holds & (given.tag != TEXT) & given.counted & (total > 0)
    last = either(holds, place, -1).running_max()[given.tag.count() - 1]
    return either(last >= 0, last, maximum(given.body, 0))


# -- ancestors and names -----------------------------------------------------------------------

CONTEXT_NAMES = _named("in_", CONTEXT)
OWN_NAMES, NEAR_NAMES, OUTER_NAMES = (
    _named(before, NAME_KINDS) for before in ("own_name_", "near_name_", "in_name_")
)


def _context_features(given: GroupInputs) -> Outputs:
    """What the element itself, its parents and all its ancestors are and are called."""
    tag, holders, rows = given.tag, given.holders, given.rows
    landmarks = tag.trace.constant(LANDMARK_BITS)[minimum(tag[holders], FIRST_CUSTOM_TAG)]
    hidden = (given.hidden | given.aria_hidden)[holders]
    context = landmarks | given.role_bits | either(hidden, 1 << HIDDEN_BIT, 0)
    names = given.name_bits.spread(holders, tag)
    around = (context | given.name_bits * (1 << len(CONTEXT))).spread(holders, tag)
    above = around.or_above(given.parent, given.depth)[given.group_parent]
    parent = maximum(given.group_parent, given.body)
    near = names[parent] | names[maximum(given.parent[parent], given.body)]
    kinds = len(NAME_KINDS)
    return {
        OWN_NAMES: unpack_bits(names[rows], kinds),
        NEAR_NAMES: unpack_bits(near, kinds),
        CONTEXT_NAMES: unpack_bits(context.spread(holders, tag)[rows] | above, len(CONTEXT)),
        OUTER_NAMES: unpack_bits(above, kinds, len(CONTEXT)),
    }


# -- texts around ------------------------------------------------------------------------------

LEAD_TEXTS = ("related", "tags", "contents", "share", "archive", "ad", "letter", "by")
LEAD_NAMES = _named("heading_", LEAD_TEXTS)
LEAD_LINES = [ALL_KINDS.index(kind) for kind in LEAD_TEXTS]


def _lead_features(given: GroupInputs) -> Outputs:
    """Kinds of the heading before a group or at its start."""
    return {LEAD_NAMES: _pick(unpack_bits(given.lead_bits, len(ALL_KINDS)), LEAD_LINES)}
