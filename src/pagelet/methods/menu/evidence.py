"""Evidence of the roles of links for the few candidates that come first.

What labels, addresses and names speak for costs more than counting rows. It is read only for
finalists, with the words that tell the roles of link groups.
"""

import numpy as np

from pagelet import core
from pagelet.arrays import Floats, Int64s, Ints
from pagelet.methods.links.groups import prefix
from pagelet.methods.links.inputs import LANDMARKS, NAMING, values_at
from pagelet.methods.menu.features import PROSE_CHARS, Candidates
from pagelet.methods.vocabulary import LABEL_KINDS, MAX_SPACES, NAME_KINDS, name_bits, unpack
from pagelet.models.features import FeatureTable
from pagelet.models.lexicon import MAX_VALUE_CHARS
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER

MAX_NAMED_LINKS = 6  #: links of a finalist whose own names are read, and their parents'
NEAR_LEVELS = 2  #: ancestors whose names are near
FAR_ROWS = 300  #: rows beyond which distance no longer counts


NAMES = (
    *(f"label_{kind}" for kind in (*LABEL_KINDS, "spaces")),
    *("repeated_before", "repeated_after"),
    *("prose_share_before", "prose_share_in", "before_middle", "rows_to_prose"),
    *("rows_from_heading", "holds_heading", "heading_missing"),
    *(f"{which}_name_{kind}" for which in ("own", "near", "link") for kind in NAME_KINDS),
    *(f"in_{name}" for name in LANDMARKS),
    *("alike", "outer_links", "outer_nodes"),
)  #: the evidence, in the order of the lines


def evidence_features(candidates: Candidates, at: Ints) -> FeatureTable:
    """The evidence of some candidates, given by their places."""
    lines = (
        _link_lines(candidates, at),
        _place_lines(candidates, at),
        _name_lines(candidates, at),
        _family_lines(candidates, at),
    )
    return FeatureTable(NAMES, np.concatenate(lines))


def _link_lines(candidates: Candidates, at: Ints) -> Floats:
    """Means over the links of each finalist: kinds of labels, and addresses that are repeated."""
    links = candidates.links
    if core.compiled:
        lines = np.empty((len(LABEL_KINDS) + 3, len(at)))
        bounds = candidates.first[at], candidates.last[at]
        core.kernels.describe_links(
            links.label_bits, *links.extent, *bounds, len(LABEL_KINDS), MAX_SPACES, lines
        )
        return lines
    kinds = unpack(links.label_bits, len(LABEL_KINDS))
    sums = prefix(np.vstack((kinds, links.label_spaces)))
    inside = sums[:, candidates.last[at]] - sums[:, candidates.first[at]]
    return np.concatenate((inside / candidates.count[at], _repetition(candidates, at)))


def _repetition(candidates: Candidates, at: Ints) -> Floats:
    """Shares of the addresses of each finalist that occur before it, and after it."""
    earliest, latest = candidates.links.extent
    shares = np.empty((2, len(at)))
    bounds = zip(candidates.first[at].tolist(), candidates.last[at].tolist(), strict=True)
    for line, (first, last) in enumerate(bounds):
        shares[0, line] = np.count_nonzero(earliest[first:last] < first)
        shares[1, line] = np.count_nonzero(latest[first:last] >= last)
    return np.asarray(shares / candidates.count[at])


def _place_lines(candidates: Candidates, at: Ints) -> Floats:
    """Where a finalist lies from the main heading and from the prose."""
    page, rows, end = candidates.page, candidates.rows[at], candidates.end[at]
    if core.compiled:
        lines, limits = np.empty((7, len(at))), (NUMBER["h1"], PROSE_CHARS, FAR_ROWS)
        columns = page.tag, page.chars, page.counted, page.link
        core.kernels.place_finalists(*columns, *limits, rows, end, lines)
        return lines
    prose = np.flatnonzero(page.chars > PROSE_CHARS)
    prose = prose[page.counted[prose] & ~page.link[prose]]
    sums = np.concatenate(([0], np.cumsum(page.chars[prose])))
    whole, half = max(int(sums[-1]), 1), int(np.searchsorted(sums, sums[-1] / 2))
    # the innermost element with half of the prose begins at or before the middle of it
    middle = int(prose[half - 1]) + 1 if half else 0
    headings = np.flatnonzero(page.tag == NUMBER["h1"])
    heading = int(headings[0]) if len(headings) else -1
    before, following = np.searchsorted(prose, (rows, end))
    texts = np.append(prose, len(page) + FAR_ROWS)
    from_heading = np.clip(rows - heading, -FAR_ROWS, FAR_ROWS) if heading >= 0 else 0 * rows
    return np.array((
        sums[before] / whole,
        (sums[following] - sums[before]) / whole,
        middle - end,
        np.minimum(texts[following] - end, FAR_ROWS),
        from_heading,
        (rows < heading) & (end > heading),
        np.full(len(rows), heading < 0),
    ))  # fmt: skip


LANDMARK_TAGS = {NUMBER[name]: 1 << bit for bit, name in enumerate(LANDMARKS)}


def _name_lines(candidates: Candidates, at: Ints) -> Floats:
    """What a finalist, its parents and its links are called, and what it lies in."""
    page = candidates.page
    chains = [_ancestors(page, row) for row in candidates.rows[at].tolist()]
    inner = _named_links(candidates, at)
    bits = _name_bits(page, sorted({row for group in (*chains, *inner) for row in group}))
    own = np.array([bits[chain[0]] for chain in chains], np.int64)
    near = np.array([_union(bits, chain[1:]) for chain in chains], np.int64)
    around = _landmarks(page, [chain[0] for chain in chains])
    kinds = len(NAME_KINDS)
    return np.concatenate((
        unpack(own | near << kinds, 2 * kinds),
        _shares(bits, inner),
        unpack(around, len(LANDMARKS)),
    ))  # fmt: skip


def _ancestors(page: Page, row: int) -> list[int]:
    """A row and the nearest rows that it lies in, from the inside."""
    chain = [row]
    while row > page.body and len(chain) <= NEAR_LEVELS:
        row = int(page.parent[row])
        chain.append(row)
    return chain if chain[-1] > page.body or len(chain) == 1 else chain[:-1]


def _landmarks(page: Page, rows: list[int]) -> Int64s:
    """The landmarks that rows are or lie in, as bits."""
    bits = {page.body: 0}
    for row in rows:
        above, chain = row, []
        while above > page.body and above not in bits:
            chain.append(above)
            above = int(page.parent[above])
        around = bits.get(above, 0)
        for each in reversed(chain):
            around |= LANDMARK_TAGS.get(int(page.tag[each]), 0)
            bits[each] = around
    return np.array([bits.get(row, 0) for row in rows], np.int64)


def _named_links(candidates: Candidates, at: Ints) -> list[list[int]]:
    """The first links of each finalist, and their parents below it."""
    links = candidates.links.rows.tolist()
    parents = candidates.page.parent[candidates.links.rows].tolist()
    last = np.minimum(candidates.last, candidates.first + MAX_NAMED_LINKS)[at].tolist()
    spans = zip(candidates.rows[at].tolist(), candidates.first[at].tolist(), last, strict=True)
    return [
        links[first:end] + [parent for parent in parents[first:end] if parent > top]
        for top, first, end in spans
    ]


def _name_bits(page: Page, rows: list[int]) -> dict[int, int]:
    """What each row is called, as bits; the names of its attributes are read as one."""
    wanted = np.array(rows)
    bits, chars = np.zeros((2, len(rows)), np.int64)
    for attribute in NAMING:
        places, values = values_at(page, attribute, wanted)
        if values:
            bits[places] |= name_bits(values)
            chars[places] += np.fromiter(map(len, values), np.int64, len(values)) + 1
    for at in np.flatnonzero(chars > MAX_VALUE_CHARS).tolist():  # what is not read, counts for none
        bits[at] = name_bits([_names(page, rows[at])])[0]
    return dict(zip(rows, bits.tolist(), strict=True))


def _names(page: Page, row: int) -> str:
    pairs = page.attrs[page.ordinal[row]]
    return " ".join([value or "" for name, value in pairs if name in NAMING]) if pairs else ""


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
    sums = prefix(unpack(values, len(NAME_KINDS)))
    return np.asarray((sums[:, ends] - sums[:, ends - lengths]) / lengths)


def _family_lines(candidates: Candidates, at: Ints) -> Floats:
    """How a finalist compares with what holds more links than it, and with others of its kind."""
    page, rows = candidates.page, candidates.rows
    if core.compiled:
        lines, columns = np.empty((3, len(at))), (page.tag, page.size, page.parent, page.depth)
        bounds = candidates.first, candidates.last
        core.kernels.relate_finalists(*columns, rows, *bounds, at, lines)
        return lines
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
    return np.array((alike, share, size))


def _outer(page: Page, count: Floats, row: int) -> tuple[int, int]:
    """A row and the nearest row around it that has more links; -1 where there is none."""
    above = int(page.parent[row])
    while above >= 0 and count[above] == count[row]:
        above = int(page.parent[above])
    return row, above if above >= 0 and count[above] else -1
