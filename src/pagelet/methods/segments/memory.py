"""Thresholds that worked, kept for pages of the same template.

How large segments are is left to the user; Zeleny and Burget propose to find the threshold once
for a template and to use it again. A template is known by the fingerprint of a page it made.
"""

import contextlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from pagelet.arrays import Hashes
from pagelet.errors import OptionError
from pagelet.methods.segments.answer import Division
from pagelet.methods.segments.options import AUTO, SegmentsOptions
from pagelet.page.signatures import own_signs, path_signs
from pagelet.page.table import Page

# -- Which template made a page, as a few numbers: a sample of the paths of tags and class names


KEPT = 128  #: numbers of a fingerprint
DEEPEST = 12  #: levels below body; what is further in is content


def fingerprint(page: Page) -> Hashes:
    """The smallest numbers of the paths of a page's elements, in order; none for an empty page."""
    if not len(page):
        return np.zeros(0, np.uint64)
    signs = path_signs(page, own_signs(page, classes=True))
    top = int(page.depth[page.body]) if page.body >= 0 else 0
    structure = page.element & page.counted & (page.depth <= top + DEEPEST)
    return np.unique(signs[structure])[:KEPT]


def likeness(one: Hashes, other: Hashes) -> float:
    """The share of their paths that two pages have in common, by their fingerprints."""
    least = np.union1d(one, other)[:KEPT]
    if not len(least):
        return 0.0
    return float((np.isin(least, one) & np.isin(least, other)).mean())


# -- Thresholds that worked, kept for pages of the same template ------------------------------


VERSION = 1  #: of the file, and of the fingerprints in it
ALIKE = 0.75  #: share of paths in common from which two pages are of one template
STEADY = 0.01  #: how far a threshold must be free to rise to be worth keeping
MOST = 500  #: templates that are kept; what was learned first goes first
LARGEST = 4 * 2**20  #: bytes of a file that is read
UNTOLD = ("threshold", "segments", "pdoc")  #: change no meaning of a threshold


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """A template and the threshold that worked for it."""

    paths: Hashes  #: fingerprint of a page
    how: str  #: the options that give a threshold its meaning, as a short name
    threshold: float


@dataclass(frozen=True, slots=True)
class Memory:
    """All templates that are remembered, the oldest first."""

    templates: tuple[Known, ...] = ()

    def recall(self, page: Page, options: SegmentsOptions) -> Known | None:
        """What is known of the template of a page: the likest one, if any is like it."""
        own, how = fingerprint(page), meaning(options)
        alike = [
            (likeness(own, known.paths), known) for known in self.templates if known.how == how
        ]
        share, best = max(alike, key=lambda one: one[0], default=(0.0, None))
        return best if share >= ALIKE else None

    def learn(self, page: Page, options: SegmentsOptions, threshold: float) -> "Memory":
        """The memory with the threshold that worked for a page, in place of an older one."""
        old = self.recall(page, options)
        paths = fingerprint(page) if old is None else old.paths
        if not len(paths):
            return self
        kept = [known for known in self.templates if known is not old]
        new = Known(paths, meaning(options), round(threshold, 6))
        return replace(self, templates=(*kept, new)[-MOST:])

    def to_json(self) -> str:
        """The memory as the text of a file."""
        templates = [
            {"paths": [f"{path:016x}" for path in known.paths.tolist()],
             "how": known.how, "threshold": known.threshold}
            for known in self.templates
        ]  # fmt: skip
        return json.dumps(
            {"pagelet": "thresholds", "version": VERSION, "templates": templates}, indent=1
        )


def meaning(options: SegmentsOptions) -> str:
    """A short name for the options that give a threshold its meaning."""
    told = {name: value for name, value in asdict(options).items() if name not in UNTOLD}
    return blake2b(json.dumps(told, sort_keys=True).encode(), digest_size=6).hexdigest()


def with_memory(
    memory: Memory, page: Page, options: SegmentsOptions
) -> tuple[SegmentsOptions, bool]:
    """The options with the threshold that is remembered, and whether there is one.

    A threshold or a number of segments that was asked for goes first.
    """
    if options.stop != AUTO:
        return options, False
    known = memory.recall(page, options)
    if known is None:
        return options, False
    return replace(options, threshold=f"{known.threshold:g}"), True


def worth_keeping(options: SegmentsOptions, found: Division) -> float | None:
    """The threshold to keep: as asked for, or the middle of a range without change; else None."""
    if options.stop == AUTO and found.steady >= STEADY:
        return found.segments.threshold + found.steady / 2
    return None if options.stop == AUTO else found.segments.threshold


# -- the file -------------------------------------------------------------------------------


def read_memory(path: Path) -> Memory:
    """The memory in a file; empty when there is no such file yet."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except FileNotFoundError:
        return Memory()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise OptionError("memory", str(path), why) from error
    if len(data) > LARGEST:
        raise OptionError("memory", str(path), f"more than {LARGEST:,} bytes")
    return _read(data, str(path))


def _read(data: bytes, name: str) -> Memory:
    try:
        form = json.loads(data)
        if form["pagelet"] != "thresholds" or form["version"] != VERSION:
            raise KeyError("version")
        return Memory(tuple(map(_known, form["templates"]))[-MOST:])
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        fault = "not a memory of thresholds that this version can read; name another file"
        raise OptionError("memory", name, fault) from error


def _known(said: Mapping[str, Any]) -> Known:
    paths = sorted({int(path, 16) for path in said["paths"]})[:KEPT]
    threshold = float(said["threshold"])
    if not 0 <= threshold <= 1:
        raise ValueError("no threshold")
    return Known(np.array(paths, np.uint64), str(said["how"]), threshold)


def write_memory(path: Path, memory: Memory) -> None:
    """Write the file, whole or not at all."""
    made = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        made.write_text(memory.to_json(), encoding="utf-8")
        made.replace(path)
    except (OSError, ValueError) as error:
        with contextlib.suppress(OSError, ValueError):
            made.unlink(missing_ok=True)
        why = getattr(error, "strerror", None) or str(error)
        raise OptionError("memory", str(path), why) from error
