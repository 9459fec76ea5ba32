"""Features of text blocks: one row a feature, one column a block.

Everything is a prefix sum, a gather or a shift over the columns of the page; nothing loops over
blocks. Names stand beside the values they name, so that a model and a reason speak of the same.
"""

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.page import Page
from pagelet.columns.tree import join_path, sum_path
from pagelet.measures.characters import count_kinds, kinds_of
from pagelet.measures.textblocks import TextBlocks
from pagelet.methods.content_around import around
from pagelet.methods.content_counts import LONG, Counts, Floats, Ints, Named
from pagelet.methods.content_said import said
from pagelet.methods.content_structure import structure
from pagelet.methods.content_tags import HOLDERS, INNER, KNOWN_BITS, OUTER, bits_of
from pagelet.tags import NUMBER

Singles = NDArray[np.float32]

COPIED = 80  #: characters by which two blocks are taken for copies


def content_features(page: Page, blocks: TextBlocks, scores: Floats) -> tuple[list[str], Singles]:
    """Names and values of all features that the page alone decides; `scores` is the lexicon's."""
    counts, texts, own = _counted(page, blocks)
    parts = [
        *own,
        *said(counts, texts),
        *_tags(counts),
        *structure(counts),
        *around(counts),
        *_place(counts),
        *_lexicon(counts, scores),
    ]
    return [name for name, _ in parts], np.array([values for _, values in parts], np.float32)


def _counted(
    page: Page, blocks: TextBlocks
) -> tuple[Counts, list[str], list[tuple[str, NDArray[Any]]]]:
    rows, first = blocks.rows, blocks.first
    last = np.append(first[1:], len(rows)) - 1
    columns = np.array((page.words[rows], page.chars[rows], page.words[rows] * page.link[rows]))
    words, chars, linked = np.add.reduceat(columns, first, axis=1).astype(np.float64)
    texts = [text.strip() for text in blocks.texts(page)]
    bounds = np.zeros(len(texts) + 1, np.intp)
    np.cumsum(np.fromiter(map(len, texts), np.intp, len(texts)), out=bounds[1:])
    kind = kinds_of("".join(texts))
    kinds = count_kinds(kind, bounds[first])
    tag = HOLDERS_BY_TAG.take(page.tag[blocks.holder], mode="clip")
    density = linked / np.maximum(words, 1)
    counts = Counts(
        page, blocks, words, linked, chars, kinds, density, tag, rows[first], max(words.sum(), 1.0)
    )
    whole = _whole(texts, first, last)
    shares = kinds / np.maximum(chars, 1)
    own = [
        ("words", words),
        ("chars", chars),
        ("chars_per_word", chars / np.maximum(words, 1)),
        ("link_density", density),
        *zip(("digits", "capitals", "stops", "commas", "signs", "money"), shares, strict=True),
        ("stop_count", kinds[2]),
        ("comma_count", kinds[3]),
        ("last_kind", kind[bounds[last + 1] - 1]),
        ("first_kind", kind[bounds[first]]),
        ("texts", last - first + 1),
        ("copies", _copies(whole)),
    ]
    return counts, whole, own


def _whole(texts: list[str], first: Ints, last: Ints) -> list[str]:
    """The text of each block, its pieces joined by one space."""
    bounds = zip(first.tolist(), last.tolist(), strict=True)
    return [texts[one] if one == two else " ".join(texts[one : two + 1]) for one, two in bounds]


def _copies(texts: list[str]) -> NDArray[np.intp]:
    """How often each block's beginning occurs in the page."""
    begun = [text[:COPIED] for text in texts]
    seen = Counter(begun)
    return np.fromiter(map(seen.__getitem__, begun), np.intp, len(begun))


IN, HAS = ([f"{how}_{name}" for name in tags] for how, tags in (("in", OUTER), ("has", INNER)))
IS = [f"is_{name}" for name in KNOWN_BITS]
OUTER_BITS, INNER_BITS = (np.array(list(tags.values()))[:, None] for tags in (OUTER, INNER))
IS_TAGS = np.array([HOLDERS[name] for name in KNOWN_BITS])[:, None]
HOLDERS_BY_TAG = np.zeros(max(NUMBER.values()) + 2)
for _name, _number in HOLDERS.items():
    HOLDERS_BY_TAG[NUMBER[_name]] = _number


def _tags(counts: Counts) -> Named:
    """Which tags hold a block, which are inside it, and whether it is out of sight."""
    page, blocks = counts.page, counts.blocks
    bits = bits_of(page)
    deepest = int(page.depth.max()) if len(page) else 0
    path = join_path(page.parent, deepest, bits, np.bitwise_or, 0)
    above = path[blocks.holder]
    inner = np.bitwise_or.reduceat(path[blocks.rows], blocks.first) & ~above
    yield from zip(IN, above & OUTER_BITS != 0, strict=True)
    yield from zip(HAS, inner & INNER_BITS != 0, strict=True)
    yield from zip(IS, counts.tag == IS_TAGS, strict=True)
    yield "depth", page.depth[blocks.holder]


def _place(counts: Counts) -> Named:
    """Where a block stands, and the page as a whole."""
    blocks = len(counts.blocks)
    place = np.arange(blocks)
    before = np.cumsum(counts.words) - counts.words
    yield "place", place / blocks
    yield "words_before", before / counts.total
    yield "blocks_before", place
    yield "blocks_after", blocks - place
    words = counts.words
    totals = {
        "words": counts.total,
        "blocks": blocks,
        "links": counts.linked.sum() / counts.total,
        "mean": counts.total / blocks,
        "paragraphs": words[counts.tag == HOLDERS["p"]].sum() / counts.total,
        "long": words[words > LONG].sum() / counts.total,
        "stops": counts.kinds[2].sum() / counts.total,
        "plain": words[counts.density < 0.5].sum(),
        "money": counts.kinds[5].sum() / counts.total,
    }
    yield from ((f"page_{name}", np.full(blocks, value)) for name, value in totals.items())


def _lexicon(counts: Counts, scores: Floats) -> Named:
    """What classes and ids above a block say."""
    page, holder = counts.page, counts.blocks.holder
    for at, own in enumerate(scores):
        path = sum_path(page.end, own)[holder]
        yield f"lexicon{at}", path
        yield f"lexicon{at}_before", np.concatenate(([0.0], path[:-1]))
        yield f"lexicon{at}_after", np.concatenate((path[1:], [0.0]))
