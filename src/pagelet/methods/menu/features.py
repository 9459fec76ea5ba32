"""Features of menu candidates: every element that could be the main menu of a page.

A candidate is an element with at least two hyperlinks below it. All counts come from two
stacks of prefix sums, one over the rows of the page and one over its hyperlinks: a candidate
covers a range of each, so a count is a difference of two entries.
"""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Int64s, Mask, Rows
from pagelet.methods.links.groups import MIN_LINKS, LinkHolders, count_links, prefix
from pagelet.methods.links.hyperlinks import Hyperlinks, find_hyperlinks
from pagelet.methods.links.inputs import NAMING
from pagelet.methods.links.tags import TagCounter
from pagelet.methods.vocabulary import ALL_KINDS, unpack
from pagelet.models.features import FeatureBlocks, FeatureTable
from pagelet.page.table import Page, Pairs, style_hides
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

    @cached_property
    def outer(self) -> Rows:
        """The parent of each candidate as its place; -1 for the outermost.

        What lies around a candidate has its links too, so that it is a candidate.
        """
        place = np.minimum(np.searchsorted(self.rows, self.parent), len(self.rows) - 1)
        return np.where(self.rows[place] == self.page.parent[self.rows], place, -1)

    def around(self, bits: Int64s) -> Int64s:
        """The bits of each candidate and of all candidates that it lies in, together."""
        joined = bits.tolist()
        for at, outer in enumerate(self.outer.tolist()):
            if outer >= 0:  # what is around a candidate stands before it
                joined[at] |= joined[outer]
        return np.array(joined, np.int64)


def find_candidates(page: Page) -> Candidates | None:
    """Elements with at least two hyperlinks below them; None when there are none."""
    links = find_hyperlinks(page)
    before, count = count_links(page, links.rows)
    rows = np.flatnonzero(page.counted & page.element & (count >= MIN_LINKS))
    bounds = before[rows], before[page.end[rows]]
    return Candidates(page, rows, *bounds, links) if len(rows) else None


def menu_features(candidates: Candidates) -> FeatureTable:
    """All features of all candidates."""
    features: FeatureBlocks = {
        **_link_features(candidates),
        **_text_features(candidates),
        **_shape_features(candidates),
        **_family_features(candidates),
        **_hint_features(candidates),
    }
    return FeatureTable.of_blocks(features, len(candidates))


def _link_features(candidates: Candidates) -> FeatureBlocks:
    """Labels, targets and order of the hyperlinks."""
    columns, count = link_columns(candidates.links), candidates.count
    means = candidates.over_links(np.array(list(columns.values()), float)) / count
    features: FeatureBlocks = dict(zip(columns, means, strict=True))
    variance = features.pop("label_square") - features["label_chars"] ** 2
    whole = max(len(candidates.links), 1)
    return features | {
        "label_std": np.sqrt(np.maximum(variance, 0)),
        "home": features["home"] * count,
        "links": count,
        "link_share": count / whole,
        "links_before": candidates.first,
        "link_share_before": candidates.first / whole,
        "page_links": whole,
    }


def link_columns(links: Hyperlinks) -> dict[str, NDArray[np.generic]]:
    """Columns of the hyperlinks whose means over a range of them are features."""
    page, chars = links.page, links.chars
    label = np.fromiter(map(len, links.labels), np.int64, len(links))
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


def _text_features(candidates: Candidates) -> FeatureBlocks:
    """Amount of text in links and outside, here and before."""
    page, count, rows = candidates.page, candidates.count, candidates.rows
    chars = page.chars * page.counted
    plain = chars * ~page.link
    prose = page.counted & ~page.link & (page.chars > PROSE_CHARS)
    short = (page.tag == TEXT) & page.counted & ~page.link & (page.chars <= SEPARATOR_CHARS)
    sums = prefix(np.array((chars, plain, prose, short), float))
    char_sums, plain_sums, prose_sums, _ = sums
    text, outside, _, marks = sums[:, candidates.end] - sums[:, rows]
    all_text, all_plain = max(char_sums[-1], 1.0), max(plain_sums[-1], 1.0)
    parent_text = char_sums[page.end[candidates.parent]] - char_sums[candidates.parent]
    return {
        "link_char_ratio": (text - outside) / np.maximum(text, 1),
        "plain_per_link": outside / count,
        "text_share": text / all_text,
        "plain_share": outside / all_plain,
        "chars_before": char_sums[rows],
        "char_share_before": char_sums[rows] / all_text,
        "plain_before": plain_sums[rows],
        "prose_after": prose_sums[-1] - prose_sums[candidates.end],
        "separators": marks / count,
        "parent_chars": text / np.maximum(parent_text, 1),
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
TAGS, TAG_NAMES = TagCounter(COUNTED_KINDS), tuple(COUNTED_KINDS)
ITEMS, TABLES, HEADINGS, BLOCKS = (
    1 + TAG_NAMES.index(kind) for kind in ("items", "tables", "headings", "blocks")
)


def _shape_features(candidates: Candidates) -> FeatureBlocks:
    """Tags in the subtree, its size and its place in the page."""
    page, count, rows = candidates.page, candidates.count, candidates.rows
    before, inside, totals = TAGS.count(candidates)
    nodes, whole = inside[0] - 1, max(int(totals[0]), 1)
    counts = inside[1:].astype(float)
    counts[BLOCKS - 1] /= count
    return {
        TAG_NAMES: counts,
        "nodes_per_link": nodes / count,
        "size_share": nodes / whole,
        "nodes_before": before[0] / whole,
        "nodes_after": 1 - (before[0] + nodes) / whole,
        "headings_before": before[HEADINGS],
        "depth": page.depth[rows],
        "page_nodes": whole,
        "page_items": totals[ITEMS],
        "page_tables": totals[TABLES],
    }


def _family_features(candidates: Candidates) -> FeatureBlocks:
    """How the candidate compares with its ancestors and its largest child."""
    page, rows, count = candidates.page, candidates.rows, candidates.count
    links = np.zeros(len(page))
    links[rows] = count
    above = np.maximum(links[candidates.parent], count)
    # of the candidates below each other, the child with the most links, the first of equals
    order = np.lexsort((-rows, count))
    heir = np.full(len(page), -1)
    heir[page.parent[rows[order]]] = rows[order]
    heir = heir[rows]
    size = page.size[rows]
    return {
        "parent_links": count / above,
        "parent_nodes": size / page.size[candidates.parent],
        "heir_links": np.where(heir >= 0, links[heir], 0) / count,
        "heir_nodes": np.where(heir >= 0, page.size[heir], 0) / size,
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


def _hint_features(candidates: Candidates) -> FeatureBlocks:
    """Hints of tags, roles, class names and ids; in the model their names begin with said_."""
    bits = _own_bits(candidates)
    own, around = unpack(bits, MARKS), unpack(candidates.around(bits), MARKS)
    hints, outer = own[: len(HINTS)], candidates.outer
    return {
        "in_list": around[LIST] & ~own[LIST],
        "in_main": around[MAIN],
        "is_item": own[ITEM],
        "is_list": own[LIST_OR_MENU],
        SAID: hints,
        SAID_IN: around[: len(HINTS)] & ~hints,
        SAID_BELOW: np.minimum(_count_below(candidates, own[:3]), MAX_BELOW),
        "said_parent_for": own[1, outer] & (outer >= 0),
        "said_in_header": around[HEADER],
        "said_in_footer": around[FOOTER],
    }


def _own_bits(candidates: Candidates) -> Int64s:
    """What the tag and the attributes of each candidate hint at, as bits."""
    page, rows = candidates.page, candidates.rows
    bits = TAG_BITS[np.minimum(page.tag[rows], FIRST_CUSTOM_TAG)].tolist()
    for at, ordinal in enumerate(page.ordinal[rows].tolist()):
        if pairs := page.attrs[ordinal]:
            bits[at] |= _hints(pairs)
    return np.array(bits, np.int64)


def _count_below(candidates: Candidates, own: Mask) -> Floats:
    """How many elements with each hint lie below each candidate."""
    page, rows = candidates.page, candidates.rows
    sums = prefix(own)
    below = sums[:, np.searchsorted(rows, candidates.end)] - sums[:, :-1] - own
    # a nav with fewer than two links is no candidate
    navs = np.flatnonzero(page.tag == NUMBER["nav"])
    small = np.setdiff1d(navs, rows, assume_unique=True)
    below[NAV] += np.searchsorted(small, candidates.end) - np.searchsorted(small, rows)
    return np.asarray(below)


def _hints(pairs: Pairs) -> int:
    """The hints in the attributes of one candidate, as bits."""
    names, hints = [], 0
    for name, value in pairs:
        if name in NAMING:
            names.append(value or "")
        elif name == "role" and value == "navigation":
            hints |= 1 << NAV
        elif name == "hidden" or (name == "style" and style_hides(value or "")):
            hints |= 1 << HIDDEN
    return hints | _name_hints(" ".join(names)) if names else hints


@lru_cache(maxsize=1 << 14)
def _name_hints(names: str) -> int:
    return sum(1 << HINTS.index(name) for name in match_names(names))
