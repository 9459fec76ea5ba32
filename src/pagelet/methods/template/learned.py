"""Learned templates: what a site's pages have in common, kept in a file for new pages.

A template is a sample of the site's pages, each as a digest: hashes only, no text. The sample
holds the pages with the smallest names, and a name is a hash of the digest; so the order in which
pages are learned does not matter, nor how often.
"""

import base64
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain

import numpy as np

from pagelet.errors import OptionError
from pagelet.methods.template.slot import Slot, find_slot
from pagelet.methods.template.table import MAX_PAGES, PageDigest, SiteTable, digest_page
from pagelet.models.damage import DAMAGED_FILE, describe_damage
from pagelet.page.table import Page

VERSION = 1  #: version of the file and of its hashes
MIN_FIT = 0.3  #: least `TemplateFit.fit` of a page that fits
#: Columns of a digest, and their types in files.
DIGEST_TYPES = {"place": "<u8", "size": "<u4", "before": "<u8", "after": "<u8"}


@dataclass(frozen=True)
class LearnedTemplate:
    """A sample of the digests of a site's pages."""

    pages: Mapping[str, PageDigest]  #: digests by name, sorted
    seen: frozenset[str] = frozenset()  #: names of all pages that were learned

    @cached_property
    def table(self) -> SiteTable:
        """The table of the pages."""
        return SiteTable(list(self.pages.values()))

    @cached_property
    def usual_overlap(self) -> float:
        """Leaves that a page of the site usually has in common with another."""
        best = []
        for at, (page, occurrence) in enumerate(
            zip(self.table.pages, self.table.own_occurrence, strict=True)
        ):
            shared = occurrence.sum(axis=0)
            alike = self.table.pages_alike(page, occurrence, leave_out=at)
            best.append(float(np.median(shared[alike])) if alike else 0.0)
        return float(np.median(best)) if best else 0.0

    def with_pages(self, pages: Iterable[Page]) -> "LearnedTemplate":
        """Learn more pages."""
        digests = {name_page(page): page for page in map(digest_page, pages)}
        return self.merge(LearnedTemplate(digests, frozenset(digests)))

    def merge(self, other: "LearnedTemplate") -> "LearnedTemplate":
        """Merge two templates of one site."""
        pages = _sample(chain(self.pages.items(), other.pages.items()))
        return LearnedTemplate(pages, self.seen | other.seen)

    def without_page(self, page: PageDigest) -> "LearnedTemplate":
        """Leave out a page, which has everything in common with itself."""
        own = name_page(page)
        if own not in self.pages:
            return self
        pages = {name: other for name, other in self.pages.items() if name != own}
        return LearnedTemplate(pages, self.seen)

    def to_json(self) -> str:
        """The template as the text of a file."""
        form = {
            "pagelet": "template",
            "version": VERSION,
            "learned": len(self.seen),
            "kept": len(self.pages),
            "usual": round(self.usual_overlap, 2),
            "seen": sorted(self.seen),
            "pages": {name: _encode(page) for name, page in self.pages.items()},
        }
        return json.dumps(form, indent=1)


@dataclass(frozen=True, slots=True)
class TemplateFit:
    """How well a page fits a learned template, and its slot."""

    slot: Slot | None
    fit: float  #: leaves in common with the most similar page, relative to the usual overlap
    fits: bool


def learn(pages: Iterable[Page]) -> LearnedTemplate:
    """Learn the template of a site from some of its pages, in any order."""
    return LearnedTemplate({}).with_pages(pages)


def apply(page: Page, template: LearnedTemplate) -> TemplateFit:
    """Find the slot of a page by a learned template; nothing is loaded."""
    own = digest_page(page)
    template = template.without_page(own)
    occurrence = template.table.occurrence(own)
    shared = float(occurrence.sum(axis=0).max(initial=0)) if len(own) else 0.0
    fit = shared / template.usual_overlap if template.usual_overlap else 0.0
    if fit < MIN_FIT:
        return TemplateFit(None, fit, fits=False)
    slot = find_slot(page, own, template.table)
    return TemplateFit(slot, fit, slot is not None)


@lru_cache(maxsize=8)
def read_learned(data: bytes, name: str = "template") -> LearnedTemplate:
    """Read a template from the bytes of its file."""
    try:
        form = json.loads(data)
        if form["pagelet"] != "template" or form["version"] != VERSION:
            raise ValueError(f"version {form.get('version')}")
        pages = {str(key): _decode(columns) for key, columns in sorted(form["pages"].items())}
        sample = dict(list(pages.items())[:MAX_PAGES])
        return LearnedTemplate(sample, frozenset(map(str, form["seen"])))
    except DAMAGED_FILE as error:
        fault = describe_damage(error)
        fault = f"not a template that this version can read ({fault}); learn it again"
        raise OptionError("template", name, fault) from error


def name_page(page: PageDigest) -> str:
    """The name of a page: a hash of its digest."""
    from hashlib import blake2b  # noqa: PLC0415 - few learn templates

    digest = blake2b(page.before.astype("<u8").tobytes(), digest_size=8)
    digest.update(page.place.astype("<u8").tobytes())
    return digest.hexdigest()


def _sample(pages: Iterable[tuple[str, PageDigest]]) -> dict[str, PageDigest]:
    """The pages with the smallest names; pages without leaves are left out."""
    filled = {name: page for name, page in pages if len(page)}
    return {name: filled[name] for name in sorted(filled)[:MAX_PAGES]}


def pack_digest(page: PageDigest) -> dict[str, bytes]:
    """The columns of a digest as bytes."""
    return {name: getattr(page, name).astype(kind).tobytes() for name, kind in DIGEST_TYPES.items()}


def unpack_digest(columns: Mapping[str, bytes]) -> PageDigest:
    """The digest that `pack_digest` made bytes of."""
    place, size, before, after = (
        np.frombuffer(columns[name], kind) for name, kind in DIGEST_TYPES.items()
    )
    return PageDigest(
        place.astype(np.uint64),
        size.astype(np.intp),
        before.astype(np.uint64),
        after.astype(np.uint64),
    )


def _encode(page: PageDigest) -> dict[str, str]:
    return {
        name: base64.b64encode(column).decode("ascii") for name, column in pack_digest(page).items()
    }


def _decode(columns: Mapping[str, str]) -> PageDigest:
    page = unpack_digest(
        {name: base64.b64decode(columns[name], validate=True) for name in DIGEST_TYPES}
    )
    _check(page)
    return page


def _check(page: PageDigest) -> None:
    """Raise ValueError for a digest that no page can have."""
    rows = len(page.size)
    ends = np.arange(rows) + page.size
    leaves = int((page.size == 1).sum())
    good = len(page.place) == rows and len(page.before) == len(page.after) == leaves
    if not good or (rows and (page.size.min() < 1 or ends.max() > rows)):
        raise ValueError("a page in it is damaged")
