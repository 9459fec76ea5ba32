"""What is remembered of a site: how often units of a kind were content on labelled pages.

There are four kinds, each finer than the one before: the path of tags; with class names; with
how long the text is and whether the page has it several times; with the text itself. What one
kind says is handed to the next, and is worth a few texts there.
"""

from collections.abc import Iterable, Mapping
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from pagelet.measures.signatures import STEP, mixed
from pagelet.methods.noise_sheet import Sheet

Floats = NDArray[np.float64]
Keys = tuple[NDArray[np.uint64], ...]  #: for each kind the keys of all units
Memory = Mapping[int, tuple[float, float]]  #: texts that were content, and all, by key
Told = tuple[Keys, Floats, Floats]  #: a page: keys, texts that are content, all texts of the units

LENGTHS = (2, 9, 40)  #: characters at which texts begin to be of another kind
REPEATED = 2  #: a text that stands there more often is a phrase of the template
READ = 80  #: characters of a text that tell it from others
WORTH = (4.0, 2.0, 2.0, 2.0)  #: texts that the answer before is worth, for each kind


def keys_of(sheet: Sheet) -> Keys:
    """The keys of all units, the coarsest kind first."""
    names, tags = (signs[sheet.units] for signs in sheet.signs)
    often = sheet.often[0] > REPEATED
    finer = np.searchsorted(LENGTHS, sheet.length, side="right") * 2 + often + 1
    said = np.array([crc32(text[:READ].encode()) for text in sheet.unit_texts], np.uint64)
    fine, exact = mixed(names + finer.astype(np.uint64)), mixed(names + said * STEP)
    return mixed(tags + STEP), names, fine, exact


def remember(pages: Iterable[Told]) -> dict[int, tuple[float, float]]:
    """Memory of labelled pages."""
    found: dict[int, list[float]] = {}
    for keys, hits, texts in pages:
        for kind in keys:
            for key, hit, count in zip(kind.tolist(), hits.tolist(), texts.tolist(), strict=True):
                known = found.setdefault(key, [0.0, 0.0])
                known[0] += hit
                known[1] += count
    return {key: (hit, count) for key, (hit, count) in found.items()}


def remembered(memory: Memory, keys: Keys, likely: Floats) -> Floats:
    """Probabilities after what is remembered of each kind."""
    for kind, worth in zip(keys, WORTH, strict=True):
        known = np.array([memory.get(key, (0.0, 0.0)) for key in kind.tolist()]).reshape(-1, 2)
        likely = (known[:, 0] + worth * likely) / (known[:, 1] + worth)
    return likely
