"""Evidence of the roles of links for the few candidates that come first.

What labels, addresses and names speak for costs more than counting rows. It is read only for
finalists, with the words that tell the roles of link groups.
"""

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Int64s, Ints, Mask
from pagelet.methods.links.groups import TARGETS, Hyperlinks
from pagelet.methods.links.vocabulary import (
    ALL_KINDS,
    NAME_KINDS,
    name_bits,
    text_bits,
)
from pagelet.methods.menu.features import NAMING, PROSE_CHARS, Candidates, prefix
from pagelet.models.features import Features, FeatureTable
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, TEXT

MAX_NAMED_LINKS = 6  #: links of a finalist whose own names are read, and their parents'
NEAR_LEVELS = 2  #: ancestors whose names are near
MAX_LEVELS = 64  #: ancestors that are looked at
FAR_ROWS = 300  #: rows beyond which distance no longer counts
LANDMARKS = ("nav", "header", "footer", "aside", "main", "article", "form", "table", "ul", "li")


def evidence_features(candidates: Candidates, at: Ints) -> FeatureTable:
    """The evidence of some candidates, given by their places."""
    links = _covered_links(candidates, at)
    features: Features = {
        **_label_features(candidates, at, links),
        **_address_features(candidates, at, links),
        **_place_features(candidates, at),
        **_name_features(candidates, at),
        **_family_features(candidates, at),
    }
    return FeatureTable.of(features, len(at), np.float64)


def _covered_links(candidates: Candidates, at: Ints) -> Ints:
    """The hyperlinks of the finalists, as places in the table of links."""
    change = np.zeros(len(candidates.links.rows) + 1, np.intp)
    np.add.at(change, candidates.first[at], 1)
    np.add.at(change, candidates.last[at], -1)
    return np.flatnonzero(np.cumsum(change)[:-1] > 0)


def _means(candidates: Candidates, at: Ints, links: Ints, columns: NDArray[np.generic]) -> Floats:
    """Means over the links of each finalist of columns over the covered links."""
    sums = prefix(tuple(columns), len(links))
    first, last = (np.searchsorted(links, each[at]) for each in (candidates.first, candidates.last))
    return np.asarray((sums[:, last] - sums[:, first]) / candidates.count[at])


def _unpack(bits: Int64s, kinds: int) -> Mask:
    """One line per bit: whether each number has it."""
    return (bits & (1 << np.arange(kinds))[:, None]) > 0


def _named(name: str, kinds: tuple[str, ...], lines: NDArray[np.generic]) -> Features:
    return {f"{name}{kind}": line for kind, line in zip(kinds, lines, strict=True)}


def _label_features(candidates: Candidates, at: Ints, links: Ints) -> Features:
    """Kinds of the labels, and how they are written."""
    labels = _labels(candidates.page, candidates.links.rows[links])
    bits = text_bits(labels)
    spaces = [label.count(" ") for label in labels]
    capital = [label[:1].isupper() for label in labels]
    upper = [label.isupper() for label in labels]
    columns = np.vstack((_unpack(bits, len(ALL_KINDS)), spaces, capital, upper))
    names = (*ALL_KINDS, "spaces", "capital", "upper")
    return _named("label_", names, _means(candidates, at, links, columns))


def _labels(page: Page, rows: Ints) -> list[str]:
    """The text of some hyperlinks."""
    texts = np.flatnonzero((page.tag == TEXT) & page.link & page.counted)
    holder = np.searchsorted(rows, texts, "right") - 1
    inside = (holder >= 0) & (texts < page.end[rows[holder]])
    parts: list[list[str]] = [[] for _ in range(len(rows))]
    ordinals = page.ordinal[texts[inside]].tolist()
    for place, at in zip(holder[inside].tolist(), ordinals, strict=True):
        parts[place].append(page.texts[at])
    return [" ".join(" ".join(part).split()) for part in parts]


def _address_features(candidates: Candidates, at: Ints, links: Ints) -> Features:
    """What addresses are, and whether they occur before and after the finalist too."""
    page, rows = candidates.page, candidates.links.rows
    hrefs = [page.hrefs[row].strip() for row in rows.tolist()]
    covered = [hrefs[each] for each in links.tolist()]
    none = np.zeros(len(links))
    table = Hyperlinks(page, rows[links], covered, covered, none, none > 0, none > 0)
    means = _means(candidates, at, links, _unpack(table.target_bits, len(TARGETS)))
    return {**_named("to_", TARGETS, means), **_repetition(candidates, at, hrefs)}


def _repetition(candidates: Candidates, at: Ints, hrefs: list[str]) -> Features:
    """Shares of the addresses of each finalist that occur before it, and after it."""
    final = {href: place for place, href in enumerate(hrefs)}
    start = {href: place for place, href in reversed(list(enumerate(hrefs)))}
    earliest = np.array([start[href] for href in hrefs])
    latest = np.array([final[href] for href in hrefs])
    bounds = list(zip(candidates.first[at].tolist(), candidates.last[at].tolist(), strict=True))
    before = [np.count_nonzero(earliest[first:last] < first) for first, last in bounds]
    after = [np.count_nonzero(latest[first:last] >= last) for first, last in bounds]
    count = candidates.count[at]
    return {"repeated_before": before / count, "repeated_after": after / count}


def _place_features(candidates: Candidates, at: Ints) -> Features:
    """Where a finalist lies from the main heading and from the prose."""
    page, rows, end = candidates.page, candidates.rows[at], candidates.end[at]
    prose = page.chars * (page.counted & ~page.link & (page.chars > PROSE_CHARS))
    (sums,) = prefix((prose,), len(page))
    whole = max(float(sums[-1]), 1.0)
    texts = np.append(np.flatnonzero(prose), len(page) + FAR_ROWS)
    headings = np.flatnonzero(page.tag == NUMBER["h1"])
    heading = int(headings[0]) if len(headings) else -1
    # the innermost element with half of the prose begins at or before the middle of it
    middle = int(np.searchsorted(sums, sums[-1] / 2))
    following = np.searchsorted(texts, end)
    return {
        "prose_share_before": sums[rows] / whole,
        "prose_share_in": (sums[end] - sums[rows]) / whole,
        "before_middle": middle - end,
        "rows_to_prose": np.minimum(texts[following] - end, FAR_ROWS),
        "rows_from_heading": np.clip(rows - heading, -FAR_ROWS, FAR_ROWS) if heading >= 0 else 0,
        "holds_heading": (rows < heading) & (end > heading),
        "heading_missing": heading < 0,
    }


def _name_features(candidates: Candidates, at: Ints) -> Features:
    """What a finalist, its parents and its links are called, and what it lies in."""
    page, rows = candidates.page, candidates.rows[at]
    chains = [_ancestors(page, row) for row in rows.tolist()]
    inner = [_named_links(candidates, place) for place in at.tolist()]
    named = [chain[: 1 + NEAR_LEVELS] for chain in chains]
    wanted = sorted({row for group in (*named, *inner) for row in group})
    bits = dict(zip(wanted, name_bits([_names(page, row) for row in wanted]), strict=True))
    own = np.array([bits[chain[0]] for chain in chains], np.int64)
    near = np.array([_union(bits, rows[1:]) for rows in named], np.int64)
    below = _shares(bits, inner)
    tags = [set(page.tag[chain].tolist()) for chain in chains]
    kinds = len(NAME_KINDS)
    return {
        **_named("own_name_", NAME_KINDS, _unpack(own, kinds)),
        **_named("near_name_", NAME_KINDS, _unpack(near, kinds)),
        **_named("link_name_", NAME_KINDS, below),
        **{f"in_{name}": [NUMBER[name] in each for each in tags] for name in LANDMARKS},
    }


def _ancestors(page: Page, row: int) -> list[int]:
    """A row and what it lies in, from the inside."""
    chain: list[int] = []
    while row > page.body and len(chain) < MAX_LEVELS:
        chain.append(row)
        row = int(page.parent[row])
    return chain or [row]


def _named_links(candidates: Candidates, place: int) -> list[int]:
    """The first links of a candidate, and their parents below it."""
    page, first = candidates.page, int(candidates.first[place])
    rows = candidates.links.rows[first : min(int(candidates.last[place]), first + MAX_NAMED_LINKS)]
    parents = page.parent[rows]
    return [*rows.tolist(), *parents[parents > candidates.rows[place]].tolist()]


def _names(page: Page, row: int) -> str:
    pairs = page.attrs[page.ordinal[row]]
    return " ".join(value or "" for name, value in pairs if name in NAMING) if pairs else ""


def _union(bits: dict[int, int], rows: list[int]) -> int:
    union = 0
    for row in rows:
        union |= bits[row]
    return union


def _shares(bits: dict[int, int], groups: list[list[int]]) -> Floats:
    """Share of the rows of each group that have each bit: one line per bit."""
    values = np.array([bits[row] for rows in groups for row in rows], np.int64)
    lengths = np.array([len(rows) for rows in groups])
    ends = np.cumsum(lengths)
    sums = prefix(tuple(_unpack(values, len(NAME_KINDS))), len(values))
    return np.asarray((sums[:, ends] - sums[:, ends - lengths]) / lengths)


def _family_features(candidates: Candidates, at: Ints) -> Features:
    """How a finalist compares with what holds more links than it, and with others of its kind."""
    page, rows = candidates.page, candidates.rows
    parent = candidates.parent
    depth, own, above = (
        each.astype(np.int64) for each in (page.depth[rows], page.tag[rows], page.tag[parent])
    )
    shape = depth << 40 | own << 20 | above
    alike = (shape[at, None] == shape).sum(axis=1)
    count = np.zeros(len(page))
    count[rows] = candidates.count
    outer = [_outer(page, count, int(row)) for row in rows[at]]
    share = np.array([count[row] / count[above] if above >= 0 else 0.0 for row, above in outer])
    size = np.array(
        [page.size[row] / page.size[above] if above >= 0 else 0.0 for row, above in outer]
    )
    return {"alike": alike, "outer_links": share, "outer_nodes": size}


def _outer(page: Page, count: Floats, row: int) -> tuple[int, int]:
    """A row and the nearest row around it that has more links; -1 where there is none."""
    above = int(page.parent[row])
    while above >= 0 and count[above] == count[row]:
        above = int(page.parent[above])
    return row, above if above >= 0 and count[above] else -1
