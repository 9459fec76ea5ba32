"""Learned templates: what a site's pages have in common, kept in a file for new pages.

A template is a sample of the site's pages, each as a digest: hashes only, no text. Pages are
grouped by layout, and of each layout the pages with the smallest names are kept; a name is a hash
of the digest. So the order in which pages are learned does not matter, nor how often.

The file is a JSON object. `pages` are the digests by name, `layouts` the names of each layout,
`seen` the smallest names of all pages that were learned. **Every other key is a further part**: any
JSON value that belongs to the site, such as a schema of its records. `LearnedTemplate.parts` has
them by key, `with_part` sets one; learning more pages keeps them, and so does writing and reading.
"""

import base64
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import chain, islice
from typing import Any

import numpy as np

from pagelet.errors import OptionError
from pagelet.methods.template.layouts import (
    LayoutSample,
    Names,
    ShapeIndex,
    group_pages,
    shape_of,
)
from pagelet.methods.template.slot import Slot, find_slot
from pagelet.methods.template.table import MAX_PAGES, Occurrence, PageDigest, digest_page
from pagelet.models.damage import DAMAGED_FILE, describe_damage
from pagelet.page.table import Page

VERSION = 2  #: version of the file and of its hashes
READABLE_VERSIONS = (1, 2)  #: versions that can be read; 1 has no layouts
MIN_FIT = 0.3  #: least `TemplateFit.fit` of a page that fits
MIN_LAYOUT_PAGES = 3  #: pages of a layout below which similar layouts are used as well
COMPARED_LAYOUTS = 3  #: layouts of the most similar shape that are tried on a page
MAX_WIDENED = 8  #: small layouts that are kept together with similar ones
BATCH_PAGES = 256  #: pages that are grouped by layout at once
REGROUPED_PAGES = 512  #: pages up to which all are grouped anew when more are learned
MAX_SEEN = 4096  #: names that are remembered; beyond, the number of pages is an estimate
#: Columns of a digest, and their types in files.
DIGEST_TYPES = {"place": "<u8", "size": "<u4", "before": "<u8", "after": "<u8"}
OWN_KEYS = frozenset({"pagelet", "version", "learned", "kept", "usual", "seen", "layouts", "pages"})


@dataclass(frozen=True)
class LearnedTemplate:
    """A sample of the digests of a site's pages, grouped by layout, and what else is kept."""

    pages: Mapping[str, PageDigest]  #: digests by name, sorted
    seen: frozenset[str] = frozenset()  #: smallest names of all pages that were learned
    groups: tuple[Names, ...] | None = None  #: names by layout; None to group the pages
    parts: Mapping[str, Any] = field(default_factory=dict)  #: other keys of the file

    @cached_property
    def layouts(self) -> tuple[LayoutSample, ...]:
        """The layouts, the largest first."""
        if self.groups is None:
            return tuple(map(LayoutSample, group_pages(self.pages)))
        return tuple(
            LayoutSample({name: self.pages[name] for name in sorted(group)})
            for group in self.groups
        )

    @cached_property
    def _shapes(self) -> tuple[ShapeIndex, list[int]]:
        """Distinct shapes of all layouts, and the layout of each."""
        pairs = {
            shape.place.tobytes(): (shape, at)
            for at, layout in enumerate(self.layouts)
            for shape in layout.shapes
        }
        shapes = ShapeIndex([shape for shape, _ in pairs.values()])
        return shapes, [at for _, at in pairs.values()]

    @property
    def learned(self) -> int:
        """Number of pages that were learned; an estimate above `MAX_SEEN`."""
        if len(self.seen) < MAX_SEEN:
            return len(self.seen)
        return round((MAX_SEEN - 1) * 16**16 / max(int(max(self.seen), 16), 1))

    def nearest_layouts(self, page: PageDigest) -> list[int]:
        """The layouts whose shapes are most similar to that of a page, the best first."""
        if len(self.layouts) == 1:
            return [0]
        shapes, owners = self._shapes
        best = np.zeros(len(self.layouts))
        np.maximum.at(best, owners, shapes.compare(shape_of(page)))
        order = np.argsort(-best, kind="stable")[:COMPARED_LAYOUTS]
        return [int(at) for at in order]

    def layout_with_similar(self, at: int) -> LayoutSample:
        """A layout; where it has too few pages, with those of layouts of similar shape."""
        if at not in self._widened:
            if len(self._widened) >= MAX_WIDENED:
                del self._widened[next(iter(self._widened))]
            self._widened[at] = self._widen(at)
        return self._widened[at]

    @cached_property
    def _widened(self) -> dict[int, LayoutSample]:
        """The last results of `layout_with_similar`: their tables serve many pages."""
        return {}

    def _widen(self, at: int) -> LayoutSample:
        layout = self.layouts[at]
        if len(layout.pages) >= MIN_LAYOUT_PAGES or len(self.layouts) == 1:
            return layout
        pages: dict[str, PageDigest] = {}
        for near in self.nearest_layouts(next(iter(layout.pages.values()))):
            pages |= self.layouts[near].pages
        return LayoutSample({name: pages[name] for name in sorted(pages)[:MAX_PAGES]})

    def with_pages(
        self, pages: Iterable[Page], watch: Callable[[str, Page], None] | None = None
    ) -> "LearnedTemplate":
        """Learn more pages, in bounded memory; `watch` is given each with its name."""
        template, digests = self, _name_pages(pages, watch)
        while batch := dict(islice(digests, BATCH_PAGES)):
            template = template._with_digests(batch, batch)
        return template

    def merge(self, other: "LearnedTemplate") -> "LearnedTemplate":
        """Merge two templates of one site."""
        merged = self._with_digests(other.pages, other.seen)
        return replace(merged, parts={**self.parts, **other.parts})

    def _with_digests(
        self, pages: Mapping[str, PageDigest], seen: Iterable[str]
    ) -> "LearnedTemplate":
        everything = {**self.pages, **pages}
        fixed = [] if len(everything) <= REGROUPED_PAGES else self._names()
        groups = group_pages(everything, fixed)
        kept = dict(sorted(chain.from_iterable(group.items() for group in groups)))
        names = frozenset(sorted(self.seen.union(seen))[:MAX_SEEN])
        return replace(self, pages=kept, seen=names, groups=tuple(map(frozenset, groups)))

    def _names(self) -> list[Names]:
        return [frozenset(layout.pages) for layout in self.layouts]

    def with_part(self, key: str, value: Any) -> "LearnedTemplate":
        """Keep a further part in the file, any JSON value, under a key of its own."""
        if key in OWN_KEYS:
            raise ValueError(f"{key!r} is a key of the template itself")
        return replace(self, parts={**self.parts, key: value})

    def to_json(self) -> str:
        """The template as the text of a file."""
        form = {
            "pagelet": "template",
            "version": VERSION,
            "learned": self.learned,
            "kept": len(self.pages),
            "seen": sorted(self.seen),
            "layouts": [sorted(layout.pages) for layout in self.layouts],
            "pages": {name: _encode(page) for name, page in self.pages.items()},
            **self.parts,
        }
        return json.dumps(form, indent=1)


@dataclass(frozen=True, slots=True)
class TemplateFit:
    """How well a page fits a learned template, its layout and its slot."""

    slot: Slot | None
    fit: float  #: leaves in common with the most similar page, as a share of what is usual; 0 to 1
    fits: bool
    layout: int = -1  #: number of the layout, from 0; -1 where none fits


def learn(pages: Iterable[Page]) -> LearnedTemplate:
    """Learn the template of a site from some of its pages, in any order."""
    return LearnedTemplate({}).with_pages(pages)


def apply(page: Page, template: LearnedTemplate) -> TemplateFit:
    """Find the slot of a page by the layout that fits it best; nothing is loaded."""
    own = digest_page(page)
    best, chosen, at = 0.0, None, -1
    for near in template.nearest_layouts(own) if len(own) and template.pages else []:
        layout = _without(own, template.layout_with_similar(near))
        occurrence = layout.table.occurrence(own)
        fit = _fit(occurrence, layout)
        if fit > best:
            best, chosen, at = fit, (layout.table, occurrence), near
    if chosen is None or best < MIN_FIT:
        return TemplateFit(None, best, fits=False)
    slot = find_slot(page, own, chosen[0], occurrence=chosen[1])
    return TemplateFit(slot, best, slot is not None, at)


def _without(page: PageDigest, layout: LayoutSample) -> LayoutSample:
    """A layout without a page, if it is one of its pages; only pages of its size may be that."""
    sizes = {(len(each.before), len(each.place)) for each in layout.pages.values()}
    if (len(page.before), len(page.place)) not in sizes:
        return layout
    return layout.without_page(name_page(page))


def _fit(occurrence: Occurrence, layout: LayoutSample) -> float:
    """Leaves in common with the most similar page of a layout, as a share of what is usual."""
    if not layout.pages or not layout.usual_overlap:
        return 0.0
    return min(max(occurrence.leaves) / layout.usual_overlap, 1.0)


@lru_cache(maxsize=8)
def read_learned(data: bytes, name: str = "template") -> LearnedTemplate:
    """Read a template from the bytes of its file."""
    try:
        form = json.loads(data)
        if form["pagelet"] != "template" or form["version"] not in READABLE_VERSIONS:
            raise ValueError(f"version {form.get('version')}")
        pages = {str(key): _decode(columns) for key, columns in sorted(form["pages"].items())}
        groups = _read_groups(form.get("layouts"), pages)
        parts = {key: value for key, value in form.items() if key not in OWN_KEYS}
        return LearnedTemplate(pages, frozenset(map(str, form["seen"])), groups, parts)
    except DAMAGED_FILE as error:
        fault = describe_damage(error)
        fault = f"not a template that this version can read ({fault}); learn it again"
        raise OptionError("template", name, fault) from error


def _read_groups(
    layouts: list[list[str]] | None, pages: Mapping[str, PageDigest]
) -> tuple[Names, ...] | None:
    """The names of each layout; ValueError unless every page is in one layout."""
    if layouts is None:
        return None
    groups = tuple(frozenset(map(str, names)) for names in layouts)
    if sorted(chain.from_iterable(groups)) != sorted(pages) or not all(groups):
        raise ValueError("its layouts are damaged")
    if max(map(len, groups), default=0) > MAX_PAGES:
        raise ValueError("a layout has too many pages")
    return groups


def _name_pages(
    pages: Iterable[Page], watch: Callable[[str, Page], None] | None
) -> Iterator[tuple[str, PageDigest]]:
    """The name and the digest of each page."""
    for page in pages:
        digest = digest_page(page)
        name = name_page(digest)
        if watch:
            watch(name, page)
        yield name, digest


def name_page(page: PageDigest) -> str:
    """The name of a page: a hash of its digest."""
    from hashlib import blake2b  # noqa: PLC0415 - few learn templates

    digest = blake2b(page.before.astype("<u8").tobytes(), digest_size=8)
    digest.update(page.place.astype("<u8").tobytes())
    return digest.hexdigest()


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
