"""How much hangs on the constants of the default profile: each changed alone, up and down.

A site is then answered by the values that are best on all other sites, so the mean over sites is
what to expect of sites that nobody looked at.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import numpy as np

from pagelet.arrays import Floats
from pagelet.lab import Progress, ignore_progress, track
from pagelet.lab.figures import Figures
from pagelet.lab.template.scores import GoldSite, read_template_sites, score_template
from pagelet.methods.template import find_template, pages, slot, table
from pagelet.page.site import Site
from pagelet.page.table import Page

KEY_PAGES = 3  #: pages of a site that are scored
#: Constants with the values that are tried beside their own.
TRIED: tuple[tuple[ModuleType, str, tuple[float, ...]], ...] = (
    (table, "ALIKE_SHARE", (0.1, 0.3)),
    (table, "COPY_SHARE", (0.9, 0.98)),
    (table, "NEIGHBOUR_LEAVES", (3, 8)),
    (table, "OWN_PROBABILITY", (0.05, 0.2)),
    (table, "MIN_RECORDS", (3, 6)),
    (table, "RECORD_SHARE", (0.4, 0.8)),
    (slot, "OTHER_PAGES_WEIGHT", (1.0, 3.0)),
    (slot, "NAME_STEP_F1", (0.03, 0.07)),
    (slot, "MIN_OWN_SHARE", (0.4, 0.6)),
    (slot, "MIN_SLOT_LEAVES", (3, 8)),
    (slot, "MIN_SLOT_OWN_SHARE", (0.6, 0.9)),
    (slot, "MIN_SLOT_PAGE_SHARE", (0.05, 0.2)),
    (slot, "MAX_SLOT_SHARED_RATIO", (0.3, 0.5)),
    (slot, "MIN_SLOT_GAIN_F1", (0.0, 0.03)),
    (pages, "CLEAR_F1", (0.8, 0.9)),
)


@dataclass(frozen=True, slots=True)
class _Trial:
    """One value of one constant: F1 and loads of every site."""

    name: str
    f1: Floats
    loads: Floats


class _CachedSite:
    """A site each of whose pages is read once."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._pages: dict[str, Page | None] = {}

    def load(self, url: str) -> Page | None:
        """The page at an address."""
        if url not in self._pages:
            self._pages[url] = self._site.load(url)
        return self._pages[url]

    def addresses(self) -> Sequence[str]:
        """The addresses that the site lists."""
        return self._site.addresses()


def evaluate_constants(folder: Path, *, progress: Progress = ignore_progress) -> Figures:
    """Score the default profile with each constant changed, and chosen without each site."""
    sites = [(gold, _CachedSite(gold.site)) for gold in read_template_sites(folder)]
    trials = [_score("as they are", sites)]
    for module, name, values in track(TRIED, "trying constants", progress):
        for value in values:
            with _changed(module, name, value):
                trials.append(_score(f"{name} = {value}", sites))
    f1, loads = (np.array([getattr(each, part) for each in trials]) for part in ("f1", "loads"))
    best = (f1.sum(axis=1, keepdims=True) - f1).argmax(axis=0)
    at = (best, np.arange(len(sites)))
    rows = [("chosen without each site", float(f1[at].mean()), float(loads[at].mean()))]
    with _changed(slot, "name_score", lambda _page, _row: 0.0):
        trials.append(_score("without names of elements", sites))
    rows += [(each.name, float(each.f1.mean()), float(each.loads.mean())) for each in trials]
    note = f"{len(f1)} settings, {len(sites)} sites, up to {KEY_PAGES} pages each, from disk."
    columns = ("setting", "F1", "loads")
    return Figures("constants of the default profile", columns, tuple(rows), (note,))


def _score(name: str, sites: Sequence[tuple[GoldSite, Site]]) -> _Trial:
    means = []
    for gold, site in sites:
        answers = [
            (page, own, find_template(page, site=site)) for page, own in gold.key_pages(KEY_PAGES)
        ]
        f1 = [score_template(page, each.shared, own).overlap.f1 for page, own, each in answers]
        means.append((np.mean(f1), np.mean([each.facts["loads"] for *_, each in answers])))
    columns = np.array(means).T
    return _Trial(name, columns[0], columns[1])


@contextmanager
def _changed(module: ModuleType, name: str, value: object) -> Iterator[None]:
    """Change a constant, or what reads names, for the time of the context."""
    before = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, before)
