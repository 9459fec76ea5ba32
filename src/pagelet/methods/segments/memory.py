"""Thresholds that worked, remembered for pages of the same template.

The size of segments is left to the user; Zeleny and Burget propose to find the threshold once
for a template and to reuse it. A template is recognized by the fingerprint of a page it made.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from typing import Any

import numpy as np

from pagelet.arrays import Hashes
from pagelet.errors import OptionError
from pagelet.methods.segments.answer import Segmentation
from pagelet.methods.segments.options import AUTO, SegmentsOptions
from pagelet.models.damage import DAMAGED_FILE
from pagelet.page.signatures import path_signatures, row_signatures
from pagelet.page.table import Page

# -- fingerprints ---------------------------------------------------------------------------


FINGERPRINT_PATHS = 128  #: paths in a fingerprint
MAX_DEPTH = 12  #: levels below body that belong to the template; deeper ones are content


def fingerprint(page: Page) -> Hashes:
    """A sample of the paths of tags and class names in a page: the smallest hashes, in order."""
    if not len(page):
        return np.zeros(0, np.uint64)
    signs = path_signatures(page, row_signatures(page, classes=True))
    top = int(page.depth[page.body]) if page.body >= 0 else 0
    structure = page.element & page.counted & (page.depth <= top + MAX_DEPTH)
    return np.unique(signs[structure])[:FINGERPRINT_PATHS]


def similarity(one: Hashes, other: Hashes) -> float:
    """The share of paths that two pages have in common, estimated from their fingerprints."""
    least = np.union1d(one, other)[:FINGERPRINT_PATHS]
    if not len(least):
        return 0.0
    return float((np.isin(least, one) & np.isin(least, other)).mean())


# -- memory ---------------------------------------------------------------------------------


VERSION = 1  #: version of the file and of its fingerprints
MIN_SIMILARITY = 0.75  #: share of paths that two pages of one template have in common, at least
MIN_STABLE_RANGE = 0.01  #: least stable range of a threshold that is remembered
MAX_TEMPLATES = 500  #: templates that are remembered; the oldest are dropped first
MAX_FILE_BYTES = 4 * 2**20  #: bytes of a memory file
IGNORED_OPTIONS = (
    "threshold",
    "segments",
    "pdoc",
    "block_width",
    "block_height",
    "divisions",
    "capped",
    "tree",
    "explain",
)  #: no threshold depends on them


@dataclass(frozen=True, slots=True, eq=False)
class RememberedTemplate:
    """A template and the threshold that worked for it."""

    paths: Hashes  #: fingerprint of a page
    how: str  #: digest of the options that the threshold depends on
    threshold: float


@dataclass(frozen=True, slots=True)
class ThresholdMemory:
    """All remembered templates, the oldest first."""

    templates: tuple[RememberedTemplate, ...] = ()

    def recall(self, page: Page, options: SegmentsOptions) -> RememberedTemplate | None:
        """The most similar template of a page, if any is similar enough."""
        own, how = fingerprint(page), digest_options(options)
        candidates = [
            (similarity(own, template.paths), template)
            for template in self.templates
            if template.how == how
        ]
        share, best = max(candidates, key=lambda one: one[0], default=(0.0, None))
        return best if share >= MIN_SIMILARITY else None

    def learn(self, page: Page, options: SegmentsOptions, threshold: float) -> "ThresholdMemory":
        """Add the threshold that worked for a page, in place of an older one."""
        old = self.recall(page, options)
        paths = fingerprint(page) if old is None else old.paths
        if not len(paths):
            return self
        kept = [template for template in self.templates if template is not old]
        new = RememberedTemplate(paths, digest_options(options), round(threshold, 6))
        return replace(self, templates=(*kept, new)[-MAX_TEMPLATES:])

    def to_json(self) -> str:
        """The memory as the text of a file."""
        templates = [
            {"paths": [f"{path:016x}" for path in template.paths.tolist()],
             "how": template.how, "threshold": template.threshold}
            for template in self.templates
        ]  # fmt: skip
        return json.dumps(
            {"pagelet": "thresholds", "version": VERSION, "templates": templates}, indent=1
        )


def digest_options(options: SegmentsOptions) -> str:
    """A digest of the options that a threshold depends on."""
    values = {name: value for name, value in asdict(options).items() if name not in IGNORED_OPTIONS}
    return blake2b(json.dumps(values, sort_keys=True).encode(), digest_size=6).hexdigest()


def recall_threshold(
    memory: ThresholdMemory, page: Page, options: SegmentsOptions
) -> tuple[SegmentsOptions, bool]:
    """The options with the remembered threshold, and whether there is one.

    A threshold or a number of segments in the options takes precedence.
    """
    if options.stop != AUTO:
        return options, False
    template = memory.recall(page, options)
    if template is None:
        return options, False
    return replace(options, threshold=f"{template.threshold:g}"), True


def threshold_to_remember(options: SegmentsOptions, result: Segmentation) -> float | None:
    """The given threshold, or the middle of the stable range of an automatic one; else None."""
    if options.stop == AUTO and result.stable_range >= MIN_STABLE_RANGE:
        return result.segments.threshold + result.stable_range / 2
    return None if options.stop == AUTO else result.segments.threshold


# -- the file -------------------------------------------------------------------------------


def read_memory(data: bytes, name: str) -> ThresholdMemory:
    """Read a memory from the bytes of its file."""
    if len(data) > MAX_FILE_BYTES:
        raise OptionError("memory", name, f"more than {MAX_FILE_BYTES:,} bytes")
    try:
        form = json.loads(data)
        if form["pagelet"] != "thresholds" or form["version"] != VERSION:
            raise KeyError("version")
        return ThresholdMemory(tuple(map(_parse_template, form["templates"]))[-MAX_TEMPLATES:])
    except DAMAGED_FILE as error:
        fault = "not a threshold memory that this version can read; name another file"
        raise OptionError("memory", name, fault) from error


def _parse_template(form: Mapping[str, Any]) -> RememberedTemplate:
    paths = sorted({int(path, 16) for path in form["paths"]})[:FINGERPRINT_PATHS]
    threshold = float(form["threshold"])
    if not 0 <= threshold <= 1:
        raise ValueError("no threshold")
    return RememberedTemplate(np.array(paths, np.uint64), str(form["how"]), threshold)
