"""Site templates: both profiles, the grid of the paper's Table 2, and learned templates."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from pagelet.columns.page import Page
from pagelet.evaluation.table import Figures
from pagelet.methods.template import TEMPLATE, TemplateOptions, by_learned, find_template
from pagelet.methods.template_answer import Template
from pagelet.methods.template_learned import learn
from pagelet.scores.template import GoldSite, TemplateScore, read_template_sites, score_template

COLUMNS = (
    "template", "nodes", "gold", "retrieved", "recall", "precision", "F1", "loads", "ms", "pages",
)  # fmt: skip
KEY_PAGES = 5  #: pages of a site that are asked about
LEARNED = 10  #: pages of a site that are learned; all others are asked about
#: Pages and votes of the paper's Table 2, with the votes it found best.
GRID = ((1, 1), (2, 1), (3, 2), (4, 3), (5, 3), (6, 3), (7, 3), (8, 4))

Find = Callable[[Page, GoldSite], Template]


@dataclass(frozen=True, slots=True)
class Asked:
    """One page, what was found and how long it took."""

    site: str
    score: TemplateScore
    loads: int
    ms: float


def evaluate_template(
    folder: Path, *, grid: bool = False, say: Callable[[str], None] = print
) -> Figures:
    """Score every profile on key pages of every site; with `grid`, Table 2 too."""
    sites = list(read_template_sites(folder))
    ways: dict[str, Find] = {
        "paper": _profile("paper", TEMPLATE.profiles["paper"].options),
        "default": _profile("default", TEMPLATE.profiles["default"].options),
    }
    if grid:
        paper: TemplateOptions = TEMPLATE.profiles["paper"].options
        for size, votes in GRID:
            options = replace(paper, size=size, votes=votes)
            ways[f"paper, n = {size}, v = {votes}"] = _profile("paper", options)
    found: dict[str, list[Asked]] = {}
    for name, find in ways.items():
        say(f"asking {name}")
        found[name] = [asked for site in sites for asked in _ask(site, find)]
    say(f"learning {LEARNED} pages a site")
    found["learned"] = [asked for site in sites for asked in ask_learned(site)]
    rows = [(name, *_means(asked)) for name, asked in found.items() if asked]
    rows += [row for name in ("paper", "default", "learned") for row in _by_site(name, found[name])]
    return Figures(f"site templates on {folder.name}", COLUMNS, tuple(rows), _notes(len(sites)))


def _profile(name: str, options: TemplateOptions) -> Find:
    def find(page: Page, gold: GoldSite) -> Template:
        return find_template(page, options, profile=name, site=gold.site)

    return find


def _ask(gold: GoldSite, find: Find) -> Iterable[Asked]:
    for page, own in gold.keys(KEY_PAGES):
        began = perf_counter()
        found = find(page, gold)
        ms = (perf_counter() - began) * 1000
        yield Asked(gold.name, score_template(page, found.shared, own), found.facts["loads"], ms)


def ask_learned(gold: GoldSite) -> Iterable[Asked]:
    """Learn some pages of a site, evenly spaced, and ask about all others."""
    pages = len(gold.pages)
    count = min(LEARNED, pages // 2)
    chosen = set(np.linspace(0, pages - 1, count).round().astype(int).tolist())
    template = learn(gold.pages[at] for at in chosen)
    for at in sorted(set(range(pages)) - chosen):
        page = gold.pages[at]
        began = perf_counter()
        found = by_learned(page, template)
        ms = (perf_counter() - began) * 1000
        yield Asked(gold.name, score_template(page, found.shared, gold.own[at]), 0, ms)


def _by_site(name: str, found: Sequence[Asked]) -> list[tuple[Any, ...]]:
    sites = dict.fromkeys(asked.site for asked in found)
    return [
        (f"{name}, {site}", *_means([asked for asked in found if asked.site == site]))
        for site in sites
    ]


def _means(found: Sequence[Asked]) -> tuple[Any, ...]:
    """Means over sites of the means over pages; the last is the number of pages."""
    groups: dict[str, list[tuple[float, ...]]] = {}
    for asked in found:
        score, overlap = asked.score, asked.score.overlap
        counts = (score.nodes, score.gold, score.retrieved)
        rates = (overlap.recall, overlap.precision, overlap.f1)
        groups.setdefault(asked.site, []).append((*counts, *rates, asked.loads, asked.ms))
    means = np.mean([np.mean(group, axis=0) for group in groups.values()], axis=0)
    return (*(round(value) for value in means[:3]), *means[3:].tolist(), len(found))


def _notes(sites: int) -> tuple[str, ...]:
    return (
        f"Means over {sites} sites of the means over pages, in counted rows. loads: pages read"
        f" beyond the key page. learned: {LEARNED} pages learned, all others asked about, without"
        " parsing.",
    )
