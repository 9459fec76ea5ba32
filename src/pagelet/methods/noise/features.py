"""Features of units: an element with text by itself, and in relation to the records.

They are the input of the trees of noise.npz; a change of name, order or meaning needs a new fit.
They are a column program (see pagelet.models.columns).
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats
from pagelet.methods.links.features import mark_kinds, unpack_bits
from pagelet.methods.noise.best_records import best_records
from pagelet.methods.noise.groups import (
    LINE,
    QUERY_COLUMNS,
    SUMMED,
    ColumnFeatures,
    PageMeasures,
    variation,
)
from pagelet.methods.noise.sheet import PLACES
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
from pagelet.page.tags import BLOCK, FIRST_CUSTOM_TAG

# -- inputs ------------------------------------------------------------------------------------


def unit_features(measures: PageMeasures, scores: Floats) -> FeatureTable:
    """All features of all units, given how well each group covers the records."""
    units = measures.sheet.units
    return feature_program().run(_read_inputs(measures, scores), len(units))


#: Every input of the program with its kind and its lines, in order.
INPUTS: dict[str, tuple[Kind, int]] = {
    **dict.fromkeys(("tag", "parent", "size", "depth", "chars", "children"), (Kind.INT, 1)),
    **dict.fromkeys(("counted", "link", "hidden", "in_best"), (Kind.MASK, 1)),
    **dict.fromkeys(("places", "path", "tag_path"), (Kind.INT, 1)),
    **dict.fromkeys(("columns", "sums"), (Kind.REAL, len(SUMMED))),
    **dict.fromkeys(("texts", "unit_of"), (Kind.INT, 1)),
    "units": (Kind.INT, 1),
    "length": (Kind.REAL, 1),
    "kinds": (Kind.REAL, 6),
    "dated": (Kind.MASK, 1),
    **dict.fromkeys(("same_text", "same_shape"), (Kind.REAL, 1)),
    **dict.fromkeys(("text_number", "shape_number"), (Kind.INT, 1)),
    **dict.fromkeys(("score", "own_score"), (Kind.REAL, 1)),
    **dict.fromkeys(("record", "group", "members", "body", "chosen"), (Kind.INT, 1)),
    **dict.fromkeys(("best_score", "next_score"), (Kind.REAL, 1)),
}


@dataclass(frozen=True, slots=True, eq=False)
class UnitInputs:
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
    in_best: FeatureColumn  #: whether it is a member of the best group
    places: FeatureColumn  #: the places that it lies in, as bits
    path: FeatureColumn  #: number of its path of tags and class names, or -1
    tag_path: FeatureColumn  #: number of its path of tags, or -1
    columns: FeatureColumn  #: a line for each of SUMMED
    sums: FeatureColumn  #: the same, summed over subtrees
    # -- one value per text ---------------------------------------------------------------------
    texts: FeatureColumn  #: its row
    unit_of: FeatureColumn  #: number of its unit
    # -- one value per unit ---------------------------------------------------------------------
    units: FeatureColumn  #: its row
    length: FeatureColumn  #: characters of its direct text
    kinds: FeatureColumn  #: digits, capitals, stops, commas, signs, money signs
    dated: FeatureColumn
    same_text: FeatureColumn  #: units with its text
    same_shape: FeatureColumn  #: units with its text but for digits
    text_number: FeatureColumn
    shape_number: FeatureColumn
    score: FeatureColumn  #: of the best group above it
    own_score: FeatureColumn  #: of the best of its own groups
    record: FeatureColumn  #: the element of the best group that holds it, or -1
    group: FeatureColumn  #: number of that group, or -1
    # -- one value per group, and one for none --------------------------------------------------
    members: FeatureColumn
    # -- one value per page ---------------------------------------------------------------------
    body: FeatureColumn
    chosen: FeatureColumn  #: the best group of the page, or -1
    best_score: FeatureColumn
    next_score: FeatureColumn

    @property
    def end(self) -> FeatureColumn:
        """First row after each subtree."""
        return self.tag.places() + self.size

    @property
    def place(self) -> FeatureColumn:
        """The number of each unit."""
        return self.units.places()

    @property
    def item(self) -> FeatureColumn:
        """The innermost list item around each unit, -1 without any."""
        return _mark_items(self).nearest(self.parent)[self.units]

    def column(self, name: str) -> FeatureColumn:
        """One of the columns that are summed."""
        return self.columns.line(LINE[name])

    def sum(self, name: str) -> FeatureColumn:
        """One of the sums over subtrees."""
        return self.sums.line(LINE[name])

    def over_texts(self, values: FeatureColumn) -> FeatureColumn:
        """Sums of values of texts over the units."""
        return values.sum_by(self.unit_of)

    def own(self, name: str) -> FeatureColumn:
        """Sums of a column over the direct texts of each unit."""
        return self.over_texts(self.column(name)[self.texts])


def _read_inputs(measures: PageMeasures, scores: Floats) -> list[NDArray[Any]]:
    """The values of all inputs, in their order."""
    sheet, groups, page = measures.sheet, measures.groups, measures.sheet.page
    own: dict[str, Any] = {
        "places": sheet.place_bits,
        "path": groups.path,
        "tag_path": groups.tag_path,
        "columns": measures.columns.lines,
        "sums": measures.sums.lines,
        "texts": sheet.rows,
        "same_text": sheet.repetitions[0],
        "same_shape": sheet.repetitions[1],
        "text_number": sheet.text_numbers[0],
        "shape_number": sheet.text_numbers[1],
        "members": np.append(groups.members, 1),
        "body": np.array([page.body]),
        **_read_best(measures, scores),
    }
    for name in (
        "tag",
        "parent",
        "size",
        "depth",
        "chars",
        "children",
        "counted",
        "link",
        "hidden",
    ):
        own[name] = getattr(page, name)
    for name in ("unit_of", "units", "length", "kinds", "dated"):
        own[name] = getattr(sheet, name)
    return [own[name] for name in INPUTS]


def _read_best(measures: PageMeasures, scores: Floats) -> dict[str, NDArray[Any]]:
    """The inputs that come from the scores of groups."""
    page, groups = measures.sheet.page, measures.groups
    best = best_records(page, measures.sheet.units, groups, scores)
    in_best = np.zeros(len(page), np.bool_)
    in_best[groups.rows[groups.group == best.chosen]] = True
    highest = [0.0, 0.0, *np.sort(scores)[-2:].tolist()]
    return {
        "in_best": in_best,
        "score": best.best,
        "own_score": best.own,
        "record": best.record,
        "group": best.group,
        "chosen": np.array([best.chosen]),
        "best_score": np.array(highest[-1:]),
        "next_score": np.array(highest[-2:-1]),
    }


@cache
def feature_program() -> Program:
    """The program of all features, in the order that models depend on."""
    return trace_program(INPUTS, lambda given: _write_features(UnitInputs(**given)))


def _write_features(given: UnitInputs) -> Outputs:
    features = _text_features(given) | _tree_features(given)
    paths = {
        "path": SamePath.of(given.path[given.units]),
        "tags": SamePath.of(given.tag_path[given.units]),
    }
    own = features.copy()
    for kind, path in paths.items():
        features |= _path_features(given, own, kind, path)
    features |= _list_features(given)
    features["alike"] = features["path_members"]
    features |= _neighbour_features({name: features[name] for name in NEIGHBOUR_FEATURES})
    features |= _query_features(given, paths)
    inner = _record_features(given) | _coverage_features(given, paths["path"])
    inside = given.record >= 0
    features |= {name: either(inside, values, -1.0) for name, values in inner.items()}
    features |= _best_group_features(given)
    return dict(features.items())


# -- features of a unit by itself --------------------------------------------------------------

SHORT_CHARS, BARE_CHARS = 9, 2  #: characters below which a text is short, is hardly a field
MIN_LIST_ITEMS = 3  #: elements with the same path and parent that are a list
UNIT_TAGS = {
    "is_link": "a",
    "is_heading": "h1 h2 h3 h4 h5 h6",
    "is_span": "span",
    "is_paragraph": "p",
    "is_item": "li",
    "is_cell": "td",
    "is_division": "div",
    "is_stressed": "b strong em i mark",
    "is_control": "button option select label input",
}
#: Features of places, and the name of each place in the sheet.
UNIT_PLACES = {
    "in_form": "in_control",
    "in_edge": "in_frame",
    "in_main": "in_main",
    "in_item": "in_item",
    "in_cell": "in_cell",
    "in_heading": "in_heading",
}
#: Features that are read from neighbouring units too.
NEIGHBOUR_FEATURES = ("chars", "in_link", "digit_ratio", "alike", "same_text", "said")
NEIGHBOUR_STEPS = (-2, -1, 1, 2)  #: distances of the neighbours
PRESENT_FEATURES = ("title", "price", "date", "stops")  #: how many units with one path have any


def _text_features(given: UnitInputs) -> ColumnFeatures:
    """Features of the direct text of a unit."""
    length = maximum(given.length, 1)
    digits, capitals, stops, commas, signs, money = (given.kinds.line(at) for at in range(6))
    size = given.chars[given.texts]
    sums = given.over_texts(stack(size * 0 + 1, size < SHORT_CHARS, size < BARE_CHARS))
    runs = sums.line(0)
    return {
        "chars": given.length,
        "runs": runs,
        "run_chars": given.length / runs,
        "short_ratio": sums.line(1) / runs,
        "bare_ratio": sums.line(2) / runs,
        "digit_ratio": digits / length,
        "capital_ratio": capitals / length,
        "sign_ratio": (stops + commas + signs) / length,
        "stops": stops,
        "price": (money > 0) & (digits > 0),
        "date": given.dated,
        "same_text": given.same_text,
        "same_shape": given.same_shape,
        "page_units": given.units.count(),
        "title": given.own("title"),
        "said": given.own("said"),
    }


def _tree_features(given: UnitInputs) -> ColumnFeatures:
    """Where a unit stands in the tree, and how dense the text is there."""
    units, length, chars = given.units, given.length, given.sum("chars")
    above = maximum(given.parent[units], 0)
    block = maximum(_mark_blocks(given.tag).nearest(given.parent)[units], 0)
    before, names = (given.chars * given.counted).running_sum(), given.column("names")
    kinds = mark_kinds(given.tag[units], UNIT_TAGS)
    places = unpack_bits(given.places[units], len(PLACES))
    features = {
        **{name: kinds.line(at) for at, name in enumerate(UNIT_TAGS, 1)},
        **{name: places.line(list(PLACES).index(place)) for name, place in UNIT_PLACES.items()},
        "in_link": given.link[units],
        "hidden": given.hidden[units],
        "depth": given.depth[units],
        "place": before[units] / maximum(chars[given.body], 1),
        "children": given.children[units],
        "subtree_chars": chars[units],
        "of_parent": length / maximum(chars[above], 1),
        "block_chars": chars[block],
        "of_block": length / maximum(chars[block], 1),
        "block_units": given.sum("units")[block],
        "own_names": names[units],
        "parent_names": names[above],
        "path_names": names.sum_above(given.end)[units],
    }
    for name, rows in (("parent", above), ("higher", maximum(given.parent[above], 0))):
        features[f"{name}_chars"] = chars[rows]
        features[f"{name}_units"] = given.sum("units")[rows]
        features[f"{name}_link_ratio"] = given.sum("link_chars")[rows] / maximum(chars[rows], 1)
    return features


def _mark_blocks(tag: FeatureColumn) -> FeatureColumn:
    table = np.zeros(FIRST_CUSTOM_TAG + 1, np.bool_)
    table[list(BLOCK)] = True
    return tag.trace.constant(table)[minimum(tag, FIRST_CUSTOM_TAG)]


# -- features of the units like it, and of its neighbours --------------------------------------


class SamePath(NamedTuple):
    """Units grouped by their paths."""

    group: FeatureColumn  #: the group of each unit
    sizes: FeatureColumn  #: members of each group

    @classmethod
    def of(cls, path: FeatureColumn) -> "SamePath":
        """From the numbers of paths; -1 is one too."""
        group = path.numbered()
        return cls(group, group.count_by_group())

    @property
    def members(self) -> FeatureColumn:
        """For each unit the number of units with its path."""
        return self.sizes[self.group]

    def means(self, lines: FeatureColumn) -> FeatureColumn:
        """For each unit the mean of each line over its group."""
        return (lines.sum_by(self.group) / self.sizes)[self.group]

    def distinct(self, numbers: FeatureColumn, most: FeatureColumn) -> FeatureColumn:
        """For each unit the number of distinct numbers in its group; all are below `most`."""
        pair, place = (self.group * most + numbers).numbered(), self.group.places()
        last = place.spread(pair, pair.count_by_group())
        return (last[pair] == place).sum_by(self.group)[self.group]


def _path_features(
    given: UnitInputs, own: ColumnFeatures, kind: str, path: SamePath
) -> ColumnFeatures:
    """Features of all units with one path taken together; `own` are those of each unit."""
    members, length, size = path.members, given.length, given.tag.count()
    last = given.place.spread(path.group, path.sizes)
    first = given.units[last - path.group.span_by_group()][path.group]
    span = given.units[last][path.group] - first
    has = [own[name] > 0 for name in PRESENT_FEATURES]
    means = path.means(stack(length, length * length, own["said"], own["digit_ratio"], *has))
    chars = means.line(0)
    together = {
        "members": members,
        "chars": chars,
        "uneven": variation(chars, means.line(1)),
        "share": chars * members / maximum(length.sum(), 1),
        "first": first / size,
        "span": span / size,
        "gap": span / maximum(members - 1, 1),
        "said": means.line(2),
        "distinct_texts": path.distinct(given.text_number, given.place.count()) / members,
        "distinct_shapes": path.distinct(given.shape_number, given.place.count()) / members,
        **{name: means.line(at) for at, name in enumerate(PRESENT_FEATURES, 4)},
        "digits": means.line(3),
    }
    return {f"{kind}_{name}": values for name, values in together.items()}


def _neighbour_features(features: ColumnFeatures) -> ColumnFeatures:
    """The features of the units so many places before or behind; -1 beyond the ends."""
    lines = stack(*features.values())
    moved = {}
    for step in NEIGHBOUR_STEPS:
        place = lines.places() + step
        exists = (place >= 0) & (place < lines.count())
        moved[step] = either(exists, lines.shift(-step), -1.0)
    return {
        f"{name}_at{step:+d}": values.line(line)
        for line, name in enumerate(features)
        for step, values in moved.items()
    }


def _query_features(given: UnitInputs, paths: dict[str, SamePath]) -> ColumnFeatures:
    """Features that depend on the query."""
    features = {name: given.own(name) for name in QUERY_COLUMNS}
    having = stack(*features.values()) > 0
    for kind, path in paths.items():
        means = path.means(having)
        features |= {f"{kind}_{name}": means.line(at) for at, name in enumerate(QUERY_COLUMNS)}
    item = given.item
    features["list_query"] = either(item >= 0, given.sum("query")[item], -1.0)
    return features | _neighbour_features({"query": features["query"]})


# -- features of the list around a unit --------------------------------------------------------


def _mark_items(given: UnitInputs) -> FeatureColumn:
    """Elements with several units and with siblings of the same path."""
    pair = (given.path * (given.tag.count() + 1) + given.parent).numbered()
    listed = pair.count_by_group()[pair] >= MIN_LIST_ITEMS
    return listed & (given.path >= 0) & (given.sum("units") >= 2)


def _list_features(given: UnitInputs) -> ColumnFeatures:
    """Features of the innermost list around each unit; its items have one path and parent."""
    listed, item, path = _mark_items(given), given.item, given.path + 1
    held = stack(*(given.sum(name) for name in ("chars", "units", "links", "images", "link_chars")))
    held = held * listed
    members = maximum(listed.sum_by(path), 1)
    means = held.sum_by(path) / members
    squares = (held.line(0, 2) * held.line(0, 2)).sum_by(path) / members
    mean, units = means.line(0), means.line(1)
    chars = mean * members
    share = chars / maximum(given.sum("chars")[given.body], 1)
    most = share.running_max()[share.count() - 1]
    lists = {
        "list_members": members,
        "list_share": share,
        "list_most": share / maximum(most, 1e-9),
        "list_uneven": variation(mean, squares.line(0)),
        "list_uneven_units": variation(units, squares.line(1)),
        "list_units": units,
        "list_links": means.line(2),
        "list_images": means.line(3),
        "list_link_ratio": means.line(4) * members / maximum(chars, 1),
    }
    inside, at = item >= 0, path[item]
    features = {name: either(inside, values[at], -1.0) for name, values in lists.items()}
    of_item = given.length / maximum(given.sum("chars")[item], 1)
    return features | {"of_item": either(inside, of_item, -1.0)}


# -- features that come from the scores of groups ----------------------------------------------


def _record_features(given: UnitInputs) -> ColumnFeatures:
    """How a unit stands in the record that holds it."""
    record, length = maximum(given.record, 0), given.length
    order = given.place - given.column("units").prefix()[record]
    group = record.numbered()
    longest = length.max_by(group)[group]
    chars, inner = given.sum("chars")[record], given.sum("units")[record]
    return {
        "record_chars": chars,
        "record_units": inner,
        "record_order": order,
        "record_rest": inner - order,
        "record_depth": given.depth[given.units] - given.depth[record],
        "of_record": length / maximum(chars, 1),
        "of_longest": length / maximum(longest, 1),
        "record_query": given.sum("query")[record],
        "record_title": given.sum("title")[record],
    }


def _coverage_features(given: UnitInputs, path: SamePath) -> ColumnFeatures:
    """In how many records of its group a unit's path occurs, and how often in each."""
    records = path.distinct(maximum(given.record, 0), given.tag.count())
    return {
        "coverage": records / maximum(given.members[given.group], 1),
        "per_record": path.members / maximum(records, 1),
    }


def _best_group_features(given: UnitInputs) -> ColumnFeatures:
    """How a unit and its group stand to the best group of the page."""
    units, rows = given.units, given.in_best
    last = either(rows, given.end, 0).running_max()[given.tag.count() - 1]
    return {
        "score": given.score,
        "own_score": given.own_score,
        "score_ratio": given.score / maximum(given.best_score, 1e-9),
        "best_score": given.best_score,
        "next_score": given.next_score,
        "is_best": given.group == given.chosen,
        "in_best": (rows.nearest(given.parent) >= 0)[units],
        "before_best": units < rows.first(),
        "after_best": units >= last,
    }
