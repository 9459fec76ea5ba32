"""Templates that last: what was learned of a site, kept in a file, applied to new pages.

A template is a sample of the site's pages, each as a digest: numbers only, no text. The sample
holds the pages with the smallest names, and a name is made of the page's own numbers; so it
does not matter in which order pages were learned, nor how often.
"""

import base64
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.errors import OptionError
from pagelet.methods.template.slot import Slot, find_slot
from pagelet.methods.template.table import MOST, Digest, Table, digest
from pagelet.page.table import Page

VERSION = 1  #: of the file, and of the signs in it
LEAST = 0.3  #: share of what learned pages have in common that a page must have to fit
COLUMNS = {"place": "<u8", "size": "<u4", "before": "<u8", "after": "<u8"}


@dataclass(frozen=True)
class Learned:
    """What is known of a site's template."""

    pages: Mapping[str, Digest]  #: by name, sorted
    seen: frozenset[str] = frozenset()  #: names of all pages that were learned

    @cached_property
    def table(self) -> Table:
        """The pages side by side."""
        return Table(list(self.pages.values()))

    @cached_property
    def usual(self) -> float:
        """How many leaves pages of the site usually have in common with their likest page."""
        best = []
        for at, (page, holders) in enumerate(
            zip(self.table.pages, self.table.own_holders, strict=True)
        ):
            shared = holders.sum(axis=0)
            alike = self.table.alike(page, holders, leave_out=at)
            best.append(float(np.median(shared[alike])) if alike else 0.0)
        return float(np.median(best)) if best else 0.0

    def with_pages(self, pages: Iterable[Page]) -> "Learned":
        """The same with more pages learned."""
        named = dict(_named(digest(page)) for page in pages)
        return self.joined(Learned(named, frozenset(named)))

    def joined(self, other: "Learned") -> "Learned":
        """Two templates of one site as one."""
        pages = _sampled(chain(self.pages.items(), other.pages.items()))
        return Learned(pages, self.seen | other.seen)

    def without(self, page: Digest) -> "Learned":
        """The same without a page, which has everything in common with itself."""
        name, _ = _named(page)
        if name not in self.pages:
            return self
        return Learned(
            {other: kept for other, kept in self.pages.items() if other != name}, self.seen
        )

    def to_json(self) -> str:
        """The template as the text of a file."""
        form = {
            "pagelet": "template",
            "version": VERSION,
            "learned": len(self.seen),
            "kept": len(self.pages),
            "usual": round(self.usual, 2),
            "seen": sorted(self.seen),
            "pages": {name: _written(page) for name, page in self.pages.items()},
        }
        return json.dumps(form, indent=1)


@dataclass(frozen=True, slots=True)
class Fit:
    """How a page fits a learned template, and what is its own."""

    slot: Slot | None
    fit: float  #: what it has in common with the likest page, 1 is usual
    fits: bool


def learn(pages: Iterable[Page]) -> Learned:
    """Learn the template of a site from some of its pages, in any order."""
    return Learned({}).with_pages(pages)


def apply(page: Page, learned: Learned) -> Fit:
    """Find what is a page's own by a learned template; nothing is loaded."""
    own = digest(page)
    learned = learned.without(own)
    holders = learned.table.holders(own)
    shared = float(holders.sum(axis=0).max(initial=0)) if len(own) else 0.0
    fit = shared / learned.usual if learned.usual else 0.0
    if fit < LEAST:
        return Fit(None, fit, fits=False)
    slot = find_slot(page, own, learned.table)
    return Fit(slot, fit, slot is not None)


@lru_cache(maxsize=8)
def read_learned(data: bytes, name: str = "template") -> Learned:
    """Read a template from the bytes of its file."""
    try:
        form = json.loads(data)
        if form["pagelet"] != "template" or form["version"] != VERSION:
            raise KeyError(f"version {form.get('version')}")
        pages = {str(key): _read(said) for key, said in sorted(form["pages"].items())}
        return Learned(dict(list(pages.items())[:MOST]), frozenset(map(str, form["seen"])))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        fault = f"not a template that this version can read ({error}); learn it again"
        raise OptionError("template", name, fault) from error


def _named(page: Digest) -> tuple[str, Digest]:
    """A name made of the page's own numbers."""
    from hashlib import blake2b  # noqa: PLC0415 - few learn templates

    made = blake2b(page.before.astype("<u8").tobytes(), digest_size=8)
    made.update(page.place.astype("<u8").tobytes())
    return made.hexdigest(), page


def _sampled(pages: Iterable[tuple[str, Digest]]) -> dict[str, Digest]:
    """The pages with the smallest names; those without leaves are none."""
    known = {name: page for name, page in pages if len(page)}
    return {name: known[name] for name in sorted(known)[:MOST]}


def _written(page: Digest) -> dict[str, str]:
    return {
        name: base64.b64encode(getattr(page, name).astype(kind).tobytes()).decode("ascii")
        for name, kind in COLUMNS.items()
    }


def _read(said: Mapping[str, str]) -> Digest:
    parts: dict[str, NDArray[Any]] = {
        name: np.frombuffer(base64.b64decode(said[name], validate=True), kind)
        for name, kind in COLUMNS.items()
    }
    found = Digest(
        parts["place"].astype(np.uint64),
        parts["size"].astype(np.intp),
        parts["before"].astype(np.uint64),
        parts["after"].astype(np.uint64),
    )
    _check(found)
    return found


def _check(page: Digest) -> None:
    """Refuse numbers that no page can have."""
    rows = len(page.size)
    ends = np.arange(rows) + page.size
    leaves = int((page.size == 1).sum())
    good = len(page.place) == rows and len(page.before) == len(page.after) == leaves
    if not good or (rows and (page.size.min() < 1 or ends.max() > rows)):
        raise ValueError("a page in it is damaged")
