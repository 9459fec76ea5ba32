"""Site templates scored: rows of the template that were said and that are wanted.

Labels are XPaths of the main content (sites.json): every counted row outside it is template,
and so is the element itself. Or they are classes (TECO_notTemplate): the marked subtrees are
not template. Or they are slots that people marked in the annotator, or that follow from
what they marked as template.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

import numpy as np

from pagelet.arrays import Mask
from pagelet.errors import NoGold
from pagelet.lab.figures import Overlap
from pagelet.lab.gold import GoldPage, first_match, gold_format, read_teco, site_files
from pagelet.labels import read_annotations
from pagelet.methods.template import find_template, shared_of
from pagelet.page.site import MemorySite, SharedRows, Site
from pagelet.page.table import Page
from pagelet.sources.folder import FolderSite

NOT_TEMPLATE = "notTemplate"


@dataclass(frozen=True, slots=True, eq=False)
class GoldSite:
    """A site and those of its pages for which the template is known."""

    name: str
    site: Site
    pages: tuple[Page, ...]
    own: tuple[Mask, ...]  #: for each page, its counted rows that are not template

    def keys(self, most: int) -> list[tuple[Page, Mask]]:
        """So many pages at most, evenly spaced, with what is their own."""
        count = min(most, len(self.pages))
        chosen = sorted(
            set(np.linspace(0, len(self.pages) - 1, count).round().astype(int).tolist())
        )
        return [(self.pages[at], self.own[at]) for at in chosen]


@dataclass(frozen=True, slots=True)
class TemplateScore:
    """What was said of one page's template against what is true, in rows."""

    nodes: int
    gold: int
    retrieved: int
    both: int

    @property
    def overlap(self) -> Overlap:
        """Precision and recall."""
        return Overlap(self.both / max(self.retrieved, 1), self.both / max(self.gold, 1))


def read_template_sites(folder: Path) -> Iterator[GoldSite]:
    """The sites of a labelled folder whose templates are known."""
    readers = {"sites": _by_paths, "teco": _by_classes, "annotations": _by_slots}
    kind = gold_format(folder)
    if kind not in readers:
        raise NoGold(str(folder), "sites.json with main_xpath, gold.json, or TECO_ classes")
    yield from readers[kind](folder)


def _by_paths(folder: Path) -> Iterator[GoldSite]:
    for name, said in json.loads((folder / "sites.json").read_text()).items():
        if not said.get("main_xpath"):
            continue
        root = folder / name / "html"
        site = FolderSite(
            root if root.is_dir() else folder / name, root=f"https://{quote(name)}.example"
        )
        pages, own = [], []
        for path in site_files(folder / name):
            page = site.read(path)
            main = first_match(page, said["main_xpath"]) if page is not None else ()
            if page is not None and main:
                pages.append(page)
                own.append(_below(page, main[0]))
        if pages:
            yield GoldSite(name, site, tuple(pages), tuple(own))


def _below(page: Page, row: int) -> Mask:
    own = np.zeros(len(page), np.bool_)
    own[row + 1 : page.end[row]] = True
    return own & page.counted


Held = dict[str, list[tuple[Page, Mask | None]]]  #: by site, pages and what is their own


def _by_classes(folder: Path) -> Iterator[GoldSite]:
    """Pages are held in memory without their labels; a site is the first folder of a path."""
    groups: Held = {}
    for gold in read_teco(folder):
        inner = gold.name.partition("/")[2] or gold.name
        page = replace(gold.page, url=f"https://{quote(gold.group)}/{quote(inner)}")
        own = gold.mask(NOT_TEMPLATE) & page.counted if gold.rows(NOT_TEMPLATE) else None
        groups.setdefault(gold.group, []).append((page, own))
    yield from _held(groups)


def _by_slots(folder: Path) -> Iterator[GoldSite]:
    """Pages that the annotator holds; those without slots are there to be compared with."""
    groups: Held = {}
    for found in read_annotations(folder):
        page = replace(found.page, url=f"https://{quote(found.site)}/{quote(found.name)}")
        own = (
            page.inside(np.array(found.slots, np.int32)) & page.counted
            if found.has_template
            else None
        )
        groups.setdefault(found.site, []).append((page, own))
    yield from _held(groups)


def _held(groups: Held) -> Iterator[GoldSite]:
    for name, found in groups.items():
        known = [(page, own) for page, own in found if own is not None]
        if known:
            pages, owns = zip(*known, strict=True)
            yield GoldSite(name, MemorySite([page for page, _ in found]), pages, owns)


def score_template(page: Page, said: Mask, own: Mask) -> TemplateScore:
    """Compare the rows that were said to be template with those that are."""
    counted = page.counted
    gold, retrieved = counted & ~own, counted & said
    both = int((gold & retrieved).sum())
    return TemplateScore(int(counted.sum()), int(gold.sum()), int(retrieved.sum()), both)


FindTemplate = Callable[[GoldPage], SharedRows | None]


def templates(folder: Path) -> FindTemplate:
    """A way to find the template of a labelled page by its own site; None when it is unknown."""

    def find(gold: GoldPage) -> SharedRows | None:
        root = folder / gold.group
        site = FolderSite(root / "html" if (root / "html").is_dir() else root)
        page = replace(gold.page, url=site.address(folder / gold.name))
        return shared_of(find_template(page, site=site))

    return find
