"""Labelled sites whose templates are known, and scores of a template in rows.

Labels are XPaths of the main content (sites.json): every counted row outside it is template,
and so is the element itself. Or they are classes (TECO_notTemplate): the marked subtrees are
not template. Or they are slots that people marked in the annotator, or that follow from their
marks of template.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

import numpy as np

from pagelet.arrays import Mask
from pagelet.errors import NoGold
from pagelet.lab import Progress
from pagelet.lab.figures import Overlap
from pagelet.lab.gold import GoldPage, first_match, gold_format, page_root, read_teco, site_files
from pagelet.labels import read_annotations
from pagelet.methods.template import find_template
from pagelet.page.site import MemorySite, SharedRows, Site
from pagelet.page.table import Page
from pagelet.sources.folder import FolderSite

NOT_TEMPLATE = "notTemplate"


@dataclass(frozen=True, slots=True, eq=False)
class GoldSite:
    """A site and those of its pages whose template is labelled."""

    name: str
    site: Site
    pages: tuple[Page, ...]
    own: tuple[Mask, ...]  #: for each page, its counted rows that are not template

    def key_pages(self, limit: int) -> list[tuple[Page, Mask]]:
        """So many pages at most, evenly spaced, with their own rows."""
        count = min(limit, len(self.pages))
        chosen = sorted(
            set(np.linspace(0, len(self.pages) - 1, count).round().astype(int).tolist())
        )
        return [(self.pages[at], self.own[at]) for at in chosen]


@dataclass(frozen=True, slots=True)
class TemplateScore:
    """Numbers of rows of one page: in all, of the template, retrieved, and both."""

    nodes: int
    gold: int
    retrieved: int
    both: int

    @property
    def overlap(self) -> Overlap:
        """Precision and recall."""
        return Overlap.of_counts(self.both, self.retrieved, self.gold)


def read_template_sites(folder: Path) -> Iterator[GoldSite]:
    """The sites of a labelled folder whose templates are labelled."""
    readers = {"sites": _by_paths, "teco": _by_classes, "annotations": _by_slots}
    kind = gold_format(folder)
    if kind not in readers:
        raise NoGold(str(folder), "sites.json with main_xpath, gold.json, or TECO_ classes")
    found = False
    for site in readers[kind](folder):
        found = True
        yield site
    if not found:
        raise NoGold(str(folder), "a page whose template is labelled")


def track_template_sites(folder: Path, step: str, progress: Progress) -> Iterator[GoldSite]:
    """The same one by one, with the progress of a step; sites of files are read one at a time."""
    sites: Iterable[GoldSite] = read_template_sites(folder)
    if gold_format(folder) == "sites":
        total = len(json.loads((folder / "sites.json").read_text()))
    else:
        sites = list(sites)
        total = len(sites)
    for done, site in enumerate(sites):
        progress(step, done, total)
        yield site
    progress(step, total, total)


def _by_paths(folder: Path) -> Iterator[GoldSite]:
    for name, labels in json.loads((folder / "sites.json").read_text()).items():
        if not labels.get("main_xpath"):
            continue
        root = page_root(folder / name)
        site = FolderSite(root, root=f"https://{quote(name)}.example")
        pages, own = [], []
        for path in site_files(folder / name):
            page = site.read(path)
            main = first_match(page, labels["main_xpath"]) if page is not None else ()
            if page is not None and main:
                pages.append(page)
                own.append(_below(page, main[0]))
        if pages:
            yield GoldSite(name, site, tuple(pages), tuple(own))


def _below(page: Page, row: int) -> Mask:
    own = np.zeros(len(page), np.bool_)
    own[row + 1 : page.end[row]] = True
    return own & page.counted


PagesBySite = dict[str, list[tuple[Page, Mask | None]]]  #: pages with their own rows


def _by_classes(folder: Path) -> Iterator[GoldSite]:
    """Pages are held in memory without their labels; a site is the first folder of a path."""
    groups: PagesBySite = {}
    for gold in read_teco(folder):
        inner = gold.name.partition("/")[2] or gold.name
        page = replace(gold.page, url=f"https://{quote(gold.group)}/{quote(inner)}")
        own = gold.mask(NOT_TEMPLATE) & page.counted if gold.rows(NOT_TEMPLATE) else None
        groups.setdefault(gold.group, []).append((page, own))
    yield from _memory_sites(groups)


def _by_slots(folder: Path) -> Iterator[GoldSite]:
    """Annotated pages; those without labels serve for comparison only."""
    groups: PagesBySite = {}
    for each in read_annotations(folder):
        page = replace(each.page, url=f"https://{quote(each.site)}/{quote(each.name)}")
        own = None
        if each.has_template:
            own = page.inside(np.array(each.slots, np.int32)) & page.counted
        groups.setdefault(each.site, []).append((page, own))
    yield from _memory_sites(groups)


def _memory_sites(groups: PagesBySite) -> Iterator[GoldSite]:
    for name, pairs in groups.items():
        labelled = [(page, own) for page, own in pairs if own is not None]
        if labelled:
            pages, own_rows = zip(*labelled, strict=True)
            yield GoldSite(name, MemorySite([page for page, _ in pairs]), pages, own_rows)


def score_template(page: Page, shared: Mask, own: Mask) -> TemplateScore:
    """Compare the rows answered as template with those that are labelled so."""
    counted = page.counted
    gold, retrieved = counted & ~own, counted & shared
    both = int((gold & retrieved).sum())
    return TemplateScore(int(counted.sum()), int(gold.sum()), int(retrieved.sum()), both)


TemplateFinder = Callable[[GoldPage], SharedRows | None]


def template_finder(folder: Path) -> TemplateFinder:
    """A function that finds the template of a labelled page by its own site, or None."""

    def find(gold: GoldPage) -> SharedRows | None:
        site = FolderSite(page_root(folder / gold.group))
        page = replace(gold.page, url=site.address(folder / gold.name))
        return find_template(page, site=site).to_shared()

    return find
