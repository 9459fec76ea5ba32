"""Features of text blocks: neighbours, windows and headings."""

import numpy as np
from numpy.typing import NDArray

from pagelet.methods.content_counts import LONG, Counts, Ints, Named
from pagelet.methods.content_tags import HOLDERS

SHIFTS = (1, 2, -1, -2)  #: neighbours that are looked at
WINDOWS = (3, 8, 20)  #: blocks to either side
LINKED = 0.3  #: link density of running text is below this
FAR = 999  #: further than anything


def around(counts: Counts) -> Named:
    """Neighbours, and sums over windows and over what stands under one heading."""
    blocks = len(counts.blocks)
    depth = counts.page.depth[counts.blocks.holder]
    own = np.array((counts.words, counts.density, counts.kinds[2], counts.tag, depth))
    padded = np.zeros((len(own), blocks + 6))
    padded[:, 3:-3] = own
    for shift in SHIFTS:
        words, density, stops, tag, deep = padded[:, 3 - shift : 3 - shift + blocks]
        side = f"{'before' if shift > 0 else 'after'}{abs(shift)}"
        yield f"{side}_words", words
        yield f"{side}_links", density
        yield f"{side}_stops", stops
        yield f"{side}_tag", tag
        yield f"{side}_depth", deep - depth
    prefix = np.zeros((3, blocks + 1))
    np.cumsum(np.array((counts.words, counts.linked, counts.kinds[2])), axis=1, out=prefix[:, 1:])
    place = np.arange(blocks)
    for width in WINDOWS:
        low, high = np.maximum(place - width, 0), np.minimum(place + width + 1, blocks)
        words, linked, stops = prefix[:, high] - prefix[:, low]
        yield f"window{width}_mean", words / (high - low)
        yield f"window{width}_links", linked / np.maximum(words, 1)
        yield f"window{width}_stops", stops / np.maximum(words, 1)
    headed = (counts.tag >= HOLDERS["h1"]) & (counts.tag <= HOLDERS["h4"])
    section = np.cumsum(headed)
    words, linked = np.bincount(section, counts.words), np.bincount(section, counts.linked)
    yield "section_words", words[section]
    yield "section_links", (linked / np.maximum(words, 1))[section]
    yield from _headings(counts, headed, place)


def _headings(counts: Counts, headed: NDArray[np.bool_], place: Ints) -> Named:
    blocks = len(place)
    last = np.maximum.accumulate(np.where(headed, place, -1))
    following = np.minimum.accumulate(np.where(headed, place, blocks + 50)[::-1])[::-1]
    yield "since_heading", np.where(last >= 0, place - last, -1)
    yield "heading", np.where(last >= 0, counts.tag[last], 0)
    yield "until_heading", following - place
    firsts = np.flatnonzero(counts.tag == HOLDERS["h1"])
    yield "since_h1", place - firsts[0] if len(firsts) else np.full(blocks, -FAR)
    long = np.flatnonzero((counts.words >= LONG) & (counts.density < LINKED))
    at = np.searchsorted(long, place, side="right")
    padded = np.concatenate(([-FAR], long, [FAR + blocks]))
    yield "since_long", place - padded[at]
    yield "until_long", padded[np.searchsorted(long, place) + 1] - place
