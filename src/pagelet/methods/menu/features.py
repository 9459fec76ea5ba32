"""Features of menu candidates: every element that could be the main menu of a page.

A candidate is an element with at least two hyperlinks below it. All counts come from two
stacks of prefix sums, one over the rows of the page and one over its hyperlinks: a candidate
covers a range of each, so a count is a difference of two entries.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Int64s, Mask, Rows
from pagelet.methods.links.features import mark_kinds, unpack_bits
from pagelet.methods.links.groups import LinkHolders, find_spans
from pagelet.methods.links.hyperlinks import Hyperlinks, find_hyperlinks
from pagelet.methods.links.inputs import NAMING, values_at
from pagelet.methods.vocabulary import ALL_KINDS
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
from pagelet.page.styles import style_hides
from pagelet.page.table import Page
from pagelet.page.tags import FIRST_CUSTOM_TAG, NUMBER, TEXT, numbers

# Words in class names, ids and labels that count for or against a main menu

#: Words of names. `for`: a menu. `main`: the main one of several menus. `against`: other lists
#: of links; tried first, so that a submenu or a footer menu counts against.
NAME_WORDS = re.compile(
    r"(?P<against>foot|crumb|pathway|social|share|lang|pag(?:er|ing|ination)|related|tags?\b|cloud"
    r"|legal|copy|log-?in|account|user|cart|toc|comment|meta|widget|recent|archive|categor"
    r"|secondary|sub-?nav|sub-?menu|utility|skip|banner|sponsor|ads?\b|partner|news|latest|popular"
    r"|search|mobile|offcanvas|drawer)"
    r"|(?P<for>menu|nav(?!y)|gnb|tabs?\b|rubri|topbar|toolbar)"
    r"|(?P<main>main|primary|top|global|site|header|head\b|principal)"
)


def match_names(names: str) -> frozenset[str]:
    """The groups of NAME_WORDS that class names, an id or a label contain."""
    return frozenset(str(match.lastgroup) for match in NAME_WORDS.finditer(names.lower()))


# The candidates and their features

SHORT_LABEL_CHARS = 20  #: characters up to which a label is short
HOME_BIT = 1 << ALL_KINDS.index("home")  #: of a label that means the front page
PROSE_CHARS = 60  #: characters from which a text outside links counts as prose
SEPARATOR_CHARS = 2  #: characters up to which a text outside links counts as a separator
HINTS = ("nav", "for", "against", "main", "hidden")  #: what tags and attributes can hint at
NAV, HIDDEN = HINTS.index("nav"), HINTS.index("hidden")


@dataclass(frozen=True, eq=False)
class Candidates(LinkHolders):
    """The elements that could be the menu."""

    links: Hyperlinks
    heir: Rows  #: the child of each that holds most hyperlinks; -1 for none


def find_candidates(page: Page) -> Candidates | None:
    """Elements with at least two hyperlinks below them; None when there are none."""
    links, spans = find_hyperlinks(page), find_spans(page)
    if not len(spans.holders):
        return None
    bounds = spans.holder_first, spans.holder_last
    return Candidates(page, spans.holders, *bounds, links, spans.heir)


def menu_features(candidates: Candidates) -> FeatureTable:
    """All features of all candidates."""
    return feature_program().run(_read_inputs(candidates), len(candidates))


#: Every input of the program with its kind and its lines, in order.
INPUTS: dict[str, tuple[Kind, int]] = {
    **dict.fromkeys(("tag", "parent", "size", "depth", "chars"), (Kind.INT, 1)),
    **dict.fromkeys(("counted", "link"), (Kind.MASK, 1)),
    "links": (Kind.REAL, 0),
    **dict.fromkeys(("rows", "first", "last", "heir", "bits"), (Kind.INT, 1)),
}


@dataclass(frozen=True, slots=True, eq=False)
class CandidateInputs:
    """The inputs as columns, for the functions that write features."""

    # -- one value per row of the page --------------------------------------------------------
    tag: FeatureColumn
    parent: FeatureColumn
    size: FeatureColumn
    depth: FeatureColumn
    chars: FeatureColumn
    counted: FeatureColumn
    link: FeatureColumn
    # -- one value per hyperlink ----------------------------------------------------------------
    links: FeatureColumn  #: what link_columns gives, a line each
    # -- one value per candidate ----------------------------------------------------------------
    rows: FeatureColumn
    first: FeatureColumn  #: its first hyperlink
    last: FeatureColumn  #: one past its last hyperlink
    heir: FeatureColumn  #: row of the candidate in it with the most links; -1 for none
    bits: FeatureColumn  #: what its tag and its attributes hint at

    @property
    def end(self) -> FeatureColumn:
        """First row after each subtree."""
        return self.tag.places() + self.size

    @property
    def count(self) -> FeatureColumn:
        """Hyperlinks of each candidate."""
        return self.last - self.first

    @property
    def outer(self) -> FeatureColumn:
        """The row of the parent of each candidate; no candidate is the root."""
        return self.parent[self.rows]


def _read_inputs(candidates: Candidates) -> list[NDArray[Any]]:
    """The values of all inputs, in their order."""
    own = {
        "links": np.array(list(link_columns(candidates.links).values()), float),
        "rows": candidates.rows,
        "first": candidates.first,
        "last": candidates.last,
        "heir": candidates.heir,
        "bits": _own_bits(candidates),
    }
    return [own[name] if name in own else getattr(candidates.page, name) for name in INPUTS]


@cache
def feature_program() -> Program:
    """The program of all features, in the order that models depend on."""
    inputs = INPUTS | {"links": (Kind.REAL, len(LINK_COLUMNS))}
    return trace_program(inputs, lambda given: _write_features(CandidateInputs(**given)))


def _write_features(given: CandidateInputs) -> Outputs:
    return {
        **_link_features(given),
        **_text_features(given),
        **_shape_features(given),
        **_family_features(given),
        **_hint_features(given),
    }


#: Columns of the hyperlinks whose means over a range of them are features, in order.
LINK_COLUMNS = (
    "label_chars", "label_square", "label_short", "label_missing", "no_text", "pictures", "home",
    "internal", "repeated", "same_place", "same_parent",
)  # fmt: skip


def _link_features(given: CandidateInputs) -> Outputs:
    """Labels, targets and order of the hyperlinks."""
    sums, count = given.links.prefix(), given.count
    means = (sums[given.last] - sums[given.first]) / count
    features: dict[str | tuple[str, ...], FeatureColumn] = {
        name: means.line(at) for at, name in enumerate(LINK_COLUMNS)
    }
    mean = features["label_chars"]
    variance = features.pop("label_square") - mean * mean
    whole = maximum(given.links.count(), 1)
    return features | {
        "label_std": maximum(variance, 0).root(),
        "home": features["home"] * count,
        "links": count,
        "link_share": count / whole,
        "links_before": given.first,
        "link_share_before": given.first / whole,
        "page_links": whole,
    }


def link_columns(links: Hyperlinks) -> dict[str, NDArray[np.generic]]:
    """Columns of the hyperlinks whose means over a range of them are features."""
    page, chars = links.page, links.chars
    label = links.label_chars
    parent = page.parent[links.rows]
    place = (page.depth[links.rows], page.tag[parent], page.tag[page.parent[parent]])
    return {
        "label_chars": label,
        "label_square": label**2,
        "label_short": (chars > 0) & (chars <= SHORT_LABEL_CHARS),
        "label_missing": label == 0,
        "no_text": chars == 0,
        "pictures": links.pictures,
        "home": links.label_bits & HOME_BIT > 0,
        "internal": links.internal,
        "repeated": links.repeats[0],
        "same_place": _same_as_before(*place),
        "same_parent": _same_as_before(parent),
    }


def _same_as_before(*columns: NDArray[np.generic]) -> Mask:
    """Mark the places whose values in all columns are those of the place before."""
    same = np.zeros(len(columns[0]), np.bool_)
    same[1:] = True
    for values in columns:
        same[1:] &= values[1:] == values[:-1]
    return same


def _text_features(given: CandidateInputs) -> Outputs:
    """Amount of text in links and outside, here and before."""
    rows, count, end, outer = given.rows, given.count, given.end[given.rows], given.outer
    outside = given.counted & ~given.link
    prose = outside & (given.chars > PROSE_CHARS)
    short = outside & (given.tag == TEXT) & (given.chars <= SEPARATOR_CHARS)
    lines = stack(given.chars * given.counted, given.chars * outside, prose * 1, short * 1)
    sums, totals = lines.prefix(), lines.sum()
    before, after = sums[rows], sums[end]
    inside = after - before
    text, plain = inside.line(0), inside.line(1)
    all_text, all_plain = maximum(totals.line(0), 1), maximum(totals.line(1), 1)
    of_parent = (sums[given.end[outer]] - sums[outer]).line(0)
    return {
        "link_char_ratio": (text - plain) / maximum(text, 1),
        "plain_per_link": plain / count,
        "text_share": text / all_text,
        "plain_share": plain / all_plain,
        "chars_before": before.line(0),
        "char_share_before": before.line(0) / all_text,
        "plain_before": before.line(1),
        "prose_after": totals.line(2) - after.line(2),
        "separators": inside.line(3) / count,
        "parent_chars": text / maximum(of_parent, 1),
        "page_plain": all_plain,
    }


#: Kinds of tags that are counted below a candidate.
COUNTED_KINDS = {
    "lists": "ul ol dl",
    "items": "li td dd",
    "tables": "table",
    "images": "img",
    "inputs": "input select textarea button",
    "headings": "h1 h2 h3 h4 h5 h6",
    "blocks": "div p li td tr section dd dt",
}
TAG_NAMES = tuple(COUNTED_KINDS)
ITEMS, TABLES, HEADINGS, BLOCKS = (
    1 + TAG_NAMES.index(kind) for kind in ("items", "tables", "headings", "blocks")
)


def _shape_features(given: CandidateInputs) -> Outputs:
    """Tags in the subtree, its size and its place in the page."""
    count, rows = given.count, given.rows
    lines = mark_kinds(given.tag, COUNTED_KINDS) & given.counted
    sums, totals = lines.prefix(), lines.to(Kind.INT).sum()
    before = sums[rows]
    inside = sums[given.end[rows]] - before
    nodes, whole, earlier = inside.line(0) - 1, maximum(totals.line(0), 1), before.line(0)
    return {
        TAG_NAMES[: BLOCKS - 1]: inside.line(1, BLOCKS - 1),
        TAG_NAMES[BLOCKS - 1]: inside.line(BLOCKS) / count,
        "nodes_per_link": nodes / count,
        "size_share": nodes / whole,
        "nodes_before": earlier / whole,
        "nodes_after": 1 - (earlier + nodes) / whole,
        "headings_before": before.line(HEADINGS),
        "depth": given.depth[rows],
        "page_nodes": whole,
        "page_items": totals.line(ITEMS),
        "page_tables": totals.line(TABLES),
    }


def _family_features(given: CandidateInputs) -> Outputs:
    """How the candidate compares with its ancestors and its largest child."""
    count, heir, size = given.count, given.heir, given.size[given.rows]
    links = count.spread(given.rows, given.tag)
    return {
        "parent_links": count / maximum(links[given.outer], count),
        "parent_nodes": size / given.size[given.outer],
        "heir_links": either(heir >= 0, links[heir], 0) / count,
        "heir_nodes": either(heir >= 0, given.size[heir], 0) / size,
    }


#: What a candidate is by its tag, beside the hints.
OWN_KINDS = {
    "header": "header",
    "footer": "footer",
    "list": "ul ol dl",
    "main": "main article",
    "item": "li dd dt",
    "list or menu": "ul ol dl menu",
}
HEADER, FOOTER, LIST, MAIN, ITEM, LIST_OR_MENU = range(len(HINTS), len(HINTS) + len(OWN_KINDS))
MARKS = len(HINTS) + len(OWN_KINDS)  #: bits of a candidate
SAID, SAID_IN = (tuple(f"{before}{name}" for name in HINTS) for before in ("said_", "said_in_"))
SAID_BELOW = tuple(f"said_below_{name}" for name in HINTS[:3])
MAX_BELOW = 3  #: hints below a candidate beyond which their number no longer counts


def _tag_bits() -> Int64s:
    """The bits of each tag; the last entry is for tags unknown to HTML."""
    table = np.zeros(FIRST_CUSTOM_TAG + 1, np.int64)
    table[NUMBER["nav"]] = 1 << NAV
    for bit, names in enumerate(OWN_KINDS.values(), len(HINTS)):
        table[list(numbers(names))] |= 1 << bit
    return table


TAG_BITS = _tag_bits()


def _hint_features(given: CandidateInputs) -> Outputs:
    """Hints of tags, roles, class names and ids; in the model their names begin with said_."""
    rows, outer, hints = given.rows, given.outer, len(HINTS)
    bits = given.bits.spread(rows, given.tag)
    own = unpack_bits(given.bits, MARKS)
    around = unpack_bits(bits.or_above(given.parent, given.depth)[rows], MARKS)
    said, parent_for = own.line(0, hints), unpack_bits(bits[outer], 1, HINTS.index("for"))
    return {
        "in_list": around.line(LIST) & ~own.line(LIST),
        "in_main": around.line(MAIN),
        "is_item": own.line(ITEM),
        "is_list": own.line(LIST_OR_MENU),
        SAID: said,
        SAID_IN: around.line(0, hints) & ~said,
        SAID_BELOW: minimum(_count_below(given, own.line(0, len(SAID_BELOW))), MAX_BELOW),
        "said_parent_for": parent_for,
        "said_in_header": around.line(HEADER),
        "said_in_footer": around.line(FOOTER),
    }


def _own_bits(candidates: Candidates) -> Int64s:
    """What the tag and the attributes of each candidate hint at, as bits."""
    page, rows = candidates.page, candidates.rows
    bits = TAG_BITS[np.minimum(page.tag[rows], FIRST_CUSTOM_TAG)]
    for name, read in HINTING.items():
        places, values = values_at(page, name, rows)
        if values:
            bits[places] |= np.array(list(map(read, values)), np.int64)
    return np.asarray(bits)


def _count_below(given: CandidateInputs, own: FeatureColumn) -> FeatureColumn:
    """How many elements with each hint lie below each candidate."""
    rows, end, place = given.rows, given.end[given.rows], given.rows.places()
    chosen = (place * 0 + 1).spread(rows, given.tag)
    sums = own.prefix()
    below = sums[chosen.prefix()[end]] - sums[place] - own
    # a nav with fewer than two links is no candidate
    small = ((given.tag == NUMBER["nav"]) & (chosen == 0)).prefix()
    navs = below.line(NAV) + (small[end] - small[rows])
    return stack(navs, below.line(NAV + 1, len(SAID_BELOW) - 1))


@lru_cache(maxsize=1 << 14)
def _name_hints(names: str) -> int:
    """The hints of class names, an id or a label, as bits."""
    return sum(1 << HINTS.index(name) for name in match_names(names))


#: What a value hints at, as bits, for each attribute that hints at anything.
HINTING: dict[str, Callable[[str], int]] = {
    **dict.fromkeys(NAMING, _name_hints),
    "role": lambda role: (role == "navigation") << NAV,
    "hidden": lambda _: 1 << HIDDEN,
    "style": lambda style: style_hides(style) << HIDDEN,
}
