"""Site templates: both profiles, the grid of the paper's Table 2, and learned templates."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from pagelet.arrays import Mask
from pagelet.lab.clutter import LABELS as CLUTTER_LABELS
from pagelet.lab.figures import Figures
from pagelet.lab.gold import Gold, GoldPage
from pagelet.lab.template.scores import (
    GoldSite,
    TemplateScore,
    read_template_sites,
    score_template,
    templates,
)
from pagelet.lab.template.serving import served
from pagelet.labels import suggested_note
from pagelet.methods.clutter import CLUTTER
from pagelet.methods.content import CONTENT, decide_content
from pagelet.methods.registry import Evidence
from pagelet.methods.template import TEMPLATE, by_learned, find_template
from pagelet.methods.template.answer import Template
from pagelet.methods.template.learned import learn
from pagelet.methods.template.options import TemplateOptions
from pagelet.methods.template.paper import RELATIONS, vote
from pagelet.page.site import SharedRows
from pagelet.page.table import Page

COLUMNS = (
    "template", "nodes", "gold", "retrieved", "recall", "precision", "F1", "loads", "ms", "pages",
)  # fmt: skip
KEY_PAGES = 5  #: pages of a site that are asked about
PROFILES = ("paper", "default")
LEARNED = 10  #: pages of a site that are learned; all others are asked about
SIZES = range(1, 9)  #: pages that link each other, in the paper's Table 2; any votes up to that


def _grid_name(size: int, votes: int) -> str:
    return f"paper, n = {size}, v = {votes}"


GRID = tuple(_grid_name(size, votes) for size in SIZES for votes in range(1, size + 1))

Find = Callable[[Page, GoldSite], Template]


@dataclass(frozen=True, slots=True)
class Asked:
    """One page, what was found and how long it took."""

    site: str
    score: TemplateScore
    loads: int
    ms: float


def evaluate_template(
    folder: Path,
    *,
    grid: bool = False,
    from_disk: bool = False,
    say: Callable[[str], None] = print,
) -> Figures:
    """Score every profile on key pages of every site; with `grid`, Table 2 too.

    Each site is served on loopback meanwhile and read through the loader, or read from disk.
    """
    found: dict[str, list[Asked]] = {name: [] for name in (*PROFILES, *(GRID if grid else ()))}
    found["learned"] = []
    for gold in read_template_sites(folder):
        say(f"asking about {gold.name}")
        with nullcontext(gold) if from_disk else served(gold) as site:
            for name in PROFILES:
                found[name] += _ask(site, _profile(name))
            for name, asked in _ask_grid(site) if grid else ():
                found[name].append(asked)
        found["learned"] += ask_learned(gold)
    rows = [(name, *_means(asked)) for name, asked in found.items() if asked]
    rows += [row for name in (*PROFILES, "learned") for row in _by_site(name, found[name])]
    sites = len({asked.site for asked in found["default"]})
    notes = _notes(sites, "read from disk" if from_disk else "read over HTTP from loopback")
    notes += suggested_note(folder, "template")
    return Figures(f"site templates on {folder.name}", COLUMNS, tuple(rows), notes)


def _profile(name: str) -> Find:
    options: TemplateOptions = TEMPLATE.profiles[name].options

    def find(page: Page, gold: GoldSite) -> Template:
        return find_template(page, options, gold.site)

    return find


def _ask(gold: GoldSite, find: Find) -> Iterable[Asked]:
    for page, own in gold.keys(KEY_PAGES):
        began = perf_counter()
        found = find(page, gold)
        ms = (perf_counter() - began) * 1000
        yield Asked(gold.name, score_template(page, found.shared, own), found.facts["loads"], ms)


def _ask_grid(gold: GoldSite) -> Iterable[tuple[str, Asked]]:
    """Every number of pages and votes; the pages are loaded and mapped once for all votes."""
    paper: TemplateOptions = TEMPLATE.profiles["paper"].options
    relation = RELATIONS[paper.relation]
    for page, own in gold.keys(KEY_PAGES):
        for size in SIZES:
            began = perf_counter()
            said = vote(page, gold.site, relation, size, size, paper.loads)
            ms = (perf_counter() - began) * 1000
            for votes in range(1, size + 1):
                needed = min(votes, len(said.pages.chosen))
                shared = page.counted & (said.votes >= needed) & (needed > 0)
                score = score_template(page, shared, own)
                yield _grid_name(size, votes), Asked(gold.name, score, said.pages.loads, ms)


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


def _notes(sites: int, how: str) -> tuple[str, ...]:
    return (
        f"Means over {sites} sites of the means over pages, in counted rows; pages {how}. loads:"
        f" pages read beyond the key page. learned: {LEARNED} pages learned, all others asked"
        " about, without parsing.",
    )


GAIN_COLUMNS = ("template", "content P", "content R", "content F1", "clutter F1", "pages")
GAIN_PAGES = 8  #: pages of a site that are asked about, evenly spaced
Parts = tuple[float, float, float]


def evaluate_gain(folder: Path, gold: Gold) -> Figures:
    """Content and clutter with and without the template, over all sites and each half of them."""
    pages = [page for page in _spaced(gold.pages) if page.rows("content")]
    find = templates(folder)
    masks = [find(page) for page in pages]
    nothing: list[SharedRows | None] = [None] * len(pages)
    groups = sorted({page.group for page in pages})
    halves = {"": groups, ", one half": groups[::2], ", other half": groups[1::2]}
    rows = []
    for half, names in halves.items():
        for how, known in (("unknown", nothing), ("known", masks)):
            told = [each for each in zip(pages, known, strict=True) if each[0].group in set(names)]
            rows.append((how + half, *_gain_means(told), len(told)))
    note = (
        "Means over sites. content: characters of text below the labelled main content, shipped"
        " model, fitted without these sites. Halves: every other site."
    )
    return Figures(
        f"what a known template helps on {folder.name}", GAIN_COLUMNS, tuple(rows), (note,)
    )


def _spaced(pages: Sequence[GoldPage]) -> Iterator[GoldPage]:
    groups: dict[str, list[GoldPage]] = {}
    for page in pages:
        groups.setdefault(page.group, []).append(page)
    for group in groups.values():
        step = max(len(group) // GAIN_PAGES, 1)
        yield from group[::step][:GAIN_PAGES]


def _gain_means(told: Sequence[tuple[GoldPage, SharedRows | None]]) -> tuple[float, ...]:
    """Precision, recall and F1 of content, and F1 of clutter."""
    groups: dict[str, list[tuple[float, ...]]] = {}
    for gold, template in told:
        kept = decide_content(
            gold.page, CONTENT.profiles["default"].options, Evidence(template=template)
        ).kept_rows
        found = _agreement(gold, kept, gold.mask("content"))
        clutter = _agreement(gold, _clutter(gold, template), _labelled(gold))
        groups.setdefault(gold.group, []).append((*found, clutter[2]))
    means = np.mean([np.mean(group, axis=0) for group in groups.values()], axis=0)
    return tuple(float(value) for value in means)


def _clutter(gold: GoldPage, template: SharedRows | None) -> Mask:
    row = CLUTTER.profiles["default"]
    found = row.run(gold.page, row.options, Evidence(template=template))
    return gold.page.inside(np.array([item.row for item in found], np.int32))


def _labelled(gold: GoldPage) -> Mask:
    wanted = np.zeros(len(gold.page), np.bool_)
    for label in CLUTTER_LABELS:
        wanted |= gold.mask(label)
    return wanted


def _agreement(gold: GoldPage, said: Mask, wanted: Mask) -> Parts:
    """Precision, recall and F1 over the characters of counted text."""
    chars = gold.page.chars * gold.page.counted
    both = float(chars[said & wanted].sum())
    precision = both / max(float(chars[said].sum()), 1.0)
    recall = both / max(float(chars[wanted].sum()), 1.0)
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)
