"""Features of text blocks: the elements above them, what looks alike, the core of the page.

They are written over columns; see pagelet.models.columns.
"""

from typing import NamedTuple

import numpy as np

from pagelet.arrays import Floats, Ints
from pagelet.methods.content.counts import HOLDERS
from pagelet.methods.content.inputs import Inputs
from pagelet.models.columns import FeatureColumn, either, hash_numbers, maximum, minimum, stack
from pagelet.models.columns.program import Outputs
from pagelet.page.table import Page
from pagelet.page.tags import FIRST_CUSTOM_TAG, TEXT, numbers
from pagelet.page.tree import sum_path

LONG_BLOCK_WORDS = 25  #: words from which a block is certainly running text
LEVELS = 6  #: elements above a block that are measured, each larger than the one before
LOWEST_LEVEL = ("words", "share", "links", "blocks", "mean")  #: features of the first of them
MIN_LIST_ITEMS = 3  #: equal siblings from which on they are items of a list
SHORT_BLOCK_WORDS = 8  #: words up to which a block is no running text
CORE_SHARES = (0.3, 0.5, 0.7, 0.9)  #: shares of the running text that a core element holds

PICTURES = numbers("img picture svg video")
CONTROLS = numbers("input select button textarea label option")


#: Groups of tags, one bit each; a group is named by its first tag.
TAG_GROUPS = [
    group.split()
    for group in """
p; li; ul ol menu dir; dl dt dd; td th; table; h1; h2; h3; h4 h5 h6; nav; header; footer; aside;
article; main; section; form; fieldset; blockquote; pre; code samp kbd tt;
figure figcaption picture; a; button; label legend; select option optgroup datalist; strong b;
em i cite; span; small; time; address; details summary; noscript; dialog; svg math;
object video audio; font center; sup sub; textarea; caption; ins del s strike; abbr q mark
""".split(";")
]
HIDING = ("hidden", "aria_hidden")  #: columns of the page that get a bit too

_BIT = {name: 1 << at for at, name in enumerate([*(tags[0] for tags in TAG_GROUPS), *HIDING])}
#: Groups that may hold a block, and groups that may lie inside one.
OUTER = {name: bit for name, bit in _BIT.items() if name not in ("a", "strong", "em", "small")}
INNER = {name: _BIT[name] for name in ("a", "strong", "em", "span", "button", "label", "time",
                                       "small", "code")}  # fmt: skip

HOLDER_FEATURES = ("p", "li", "td", "div", "h1", "h2", "h3", "h4", "dt", "dd")

_BITS_BY_TAG = np.zeros(FIRST_CUSTOM_TAG + 1, np.int64)
for _tags in TAG_GROUPS:
    _BITS_BY_TAG[list(numbers(" ".join(_tags)))] = _BIT[_tags[0]]


def tag_bits(given: Inputs) -> FeatureColumn:
    """The bits of each row's own tag, and of whether it is hidden."""
    table = given.tag.trace.constant(_BITS_BY_TAG)
    bits = table[minimum(given.tag, FIRST_CUSTOM_TAG)]
    for name in HIDING:
        bits |= either(getattr(given, name), _BIT[name], 0)
    return bits


class Sums(NamedTuple):
    """Prefix sums over the rows of a page, a line for each of these."""

    prefix: FeatureColumn
    end: FeatureColumn

    def below(self, row: FeatureColumn) -> list[FeatureColumn]:
        """The sums over the subtrees of rows, as many lines each as the rows have.

        They are 0 for row -1: the last row ends where the prefix sums do.
        """
        held = self.prefix[self.end[row]] - self.prefix[row]
        return [held.line(at * row.lines, row.lines) for at in range(self.prefix.lines)]

    def all_below(self, line: int) -> FeatureColumn:
        """One of the sums over the subtree of every row."""
        prefix = self.prefix.line(line)
        return prefix[self.end] - prefix[self.end.places()]


#: Lines of the prefix sums.
HELD, WORDS, LINKED, STOPS, PARAGRAPHS, RUNNING, PICTURED, CONTROLLED = range(8)


def sum_rows(given: Inputs) -> Sums:
    """Prefix sums of blocks, their words and their kinds, of pictures and of controls."""
    words = given.words
    running = (words - given.linked) * (words > SHORT_BLOCK_WORDS)
    paragraphs = words * (given.holder_kind == HOLDERS["p"])
    own = stack(words * 0 + 1, words, given.linked, given.stops, paragraphs, running)
    tags = [has_tag(given.tag, tags) for tags in (PICTURES, CONTROLS)]
    spread = own.spread(given.row, given.tag)
    return Sums(stack(spread, *tags).prefix(), given.end)


def has_tag(tag: FeatureColumn, tags: tuple[int, ...]) -> FeatureColumn:
    """Mark the rows that have one of the tags."""
    table = np.zeros(FIRST_CUSTOM_TAG + 1, np.bool_)
    table[list(tags)] = True
    return tag.trace.constant(table)[minimum(tag, FIRST_CUSTOM_TAG)]


def structure_features(given: Inputs) -> Outputs:
    """The elements above a block, the blocks that look alike, and the core of the page."""
    sums = sum_rows(given)
    return {
        **_level_features(given, sums),
        **_group_features(given),
        **_list_features(given, sums),
        **_core_features(given, sums),
    }


def _levels(given: Inputs, sums: Sums) -> FeatureColumn:
    """Rows of elements that hold a block, a line each: the largest with its number of blocks."""
    parent, above, number = given.parent, given.above, sums.all_below(HELD)
    row = parent.places()
    grows = (above == row) & (number[above[parent]] > number)
    top = (grows | (row == 0)).nearest(parent)
    beyond = either(parent >= 0, top[parent], -1)  # the next one up
    levels = [top[given.holder]]
    while len(levels) < LEVELS:
        levels.append(either(levels[-1] >= 0, beyond[levels[-1]], -1))
    return stack(*levels)


def _level_features(given: Inputs, sums: Sums) -> Outputs:
    """Elements that hold a block, each the largest with its number of blocks."""
    row = _levels(given, sums)
    held, words, linked, stops, paragraphs, _, pictures, controls = sums.below(row)
    some, many = maximum(words, 1), maximum(held, 1)
    levels = {
        "words": words,
        "share": words / given.total,
        "links": linked / some,
        "blocks": held,
        "mean": words / many,
        "stops": stops / some,
        "paragraphs": paragraphs / some,
        "pictures": pictures,
        "controls": controls / many,
        "place": either(row >= 0, (given.row - row) / given.size[row], -1.0),
    }
    return {
        f"up{level}_{name}": values.line(level)
        for level in range(LEVELS)
        for name, values in levels.items()
        if level or name in LOWEST_LEVEL
    }


def _group_features(given: Inputs) -> Outputs:
    """Blocks with the same tags and classes above them."""
    group = own_look(given).hashed().sum_above(given.end)[given.holder].numbered()
    count, words = group.count_by_group(), given.words.sum_by(group)
    return {
        "group_blocks": count[group],
        "group_words": words[group],
        "group_links": (given.linked.sum_by(group) / maximum(words, 1))[group],
        "group_mean": (words / count)[group],
        "group_share": (words / given.total)[group],
        "group_span": (group.span_by_group() / given.blocks)[group],
    }


def _list_features(given: Inputs, sums: Sums) -> Outputs:
    """Repeated siblings above a block: items of lists, and items with several blocks."""
    repeated, number = count_alike(given), sums.all_below(HELD)
    features: dict[str | tuple[str, ...], FeatureColumn] = {
        "siblings": repeated[given.holder],
        "most_siblings": repeated.max_above(given.parent, given.depth)[given.holder],
    }
    for name, marked in (("item", number > 0), ("record", number >= MIN_LIST_ITEMS)):
        listed = marked & (repeated >= MIN_LIST_ITEMS)
        row = listed.nearest(given.parent)[given.holder]
        held, words, linked, *_, pictures, controls = sums.below(row)
        features |= {
            f"{name}_blocks": held,
            f"{name}_words": words,
            f"{name}_links": linked / maximum(words, 1),
            f"{name}_pictures": pictures,
            f"{name}_controls": controls,
            f"{name}_count": either(row >= 0, repeated[row], 0),
        }
    return features


def count_alike(given: Inputs) -> FeatureColumn:
    """The number of children of its parent that look like each element, itself counted."""
    element, bound = given.tag != TEXT, (given.classes + 1) * given.names
    children = given.parent * bound + own_look(given)
    same = either(element, children, -1 - bound).numbered()  # no element has this number
    return either(element, same.count_by_group()[same], 0)


def own_look(given: Inputs) -> FeatureColumn:
    """A number for each row's tag and class, equal for equal ones."""
    return given.class_number * given.names + given.tag


def _core_features(given: Inputs, sums: Sums) -> Outputs:
    """Whether a block is in the smallest element that holds so much of the running text."""
    row, running = given.row, sums.all_below(RUNNING)
    most = maximum(running[given.tag.trace.constant([0])], 1)
    holders = given.above == given.above.places()
    words = sums.all_below(WORDS)
    features: dict[str | tuple[str, ...], FeatureColumn] = {}
    for share in CORE_SHARES:
        core = (holders & (running >= most * share)).least(given.size)
        name = f"core{round(share * 100)}"
        features[name] = (row >= core) & (row < given.end[core])
        features[f"{name}_share"] = words[core] / given.total
        features[f"{name}_place"] = (row - core) / given.size[core]
    return features


# -- how rows look ------------------------------------------------------------------------------


class Looks(NamedTuple):
    """How the rows of a page look: tags and classes."""

    own: Ints  #: number of each row's tag and class, equal for equal ones
    path: Floats  #: number for the looks at and above each row


def looks_of(page: Page) -> Looks:
    """How the rows of a page look; computed once per page."""
    kept = page.derived["looks"]
    if "rows" not in kept:
        own = number_looks(page)
        kept["rows"] = Looks(own, sum_path(page.end, hash_numbers(own)))
    looks: Looks = kept["rows"]
    return looks


def number_looks(page: Page) -> Ints:
    """A number for each element's tag and class, equal for equal ones."""
    rows, number, _ = page.distinct("class")
    numbered = np.zeros(len(page), np.intp)
    numbered[rows] = number + 1
    return numbered * len(page.names) + page.tag
