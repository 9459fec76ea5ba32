"""What other methods gain when the template of a page is known."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from pagelet.arrays import Mask
from pagelet.lab.clutter import LABELS as CLUTTER_LABELS
from pagelet.lab.gold import Gold, GoldPage
from pagelet.lab.table import Figures
from pagelet.methods.clutter import CLUTTER
from pagelet.methods.content import CONTENT, answer
from pagelet.methods.registry import Evidence
from pagelet.methods.template import known_template
from pagelet.page.site import SharedRows
from pagelet.sources.folder import FolderSite

COLUMNS = ("template", "content P", "content R", "content F1", "clutter F1", "pages")
PAGES = 8  #: pages of a site that are asked about, evenly spaced
Template = Callable[[GoldPage], SharedRows | None]
Parts = tuple[float, float, float]


def templates(folder: Path) -> Template:
    """A way to find the template of a labelled page by its own site; None when it is unknown."""

    def find(gold: GoldPage) -> SharedRows | None:
        root = folder / gold.group
        site = FolderSite(root / "html" if (root / "html").is_dir() else root)
        page = replace(gold.page, url=site.address(folder / gold.name))
        return known_template(page, site)

    return find


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
            rows.append((how + half, *_means(told), len(told)))
    note = (
        "Means over sites. content: characters of text below the labelled main content, shipped"
        " model, fitted without these sites. Halves: every other site."
    )
    return Figures(f"what a known template helps on {folder.name}", COLUMNS, tuple(rows), (note,))


def _spaced(pages: Sequence[GoldPage]) -> Iterator[GoldPage]:
    groups: dict[str, list[GoldPage]] = {}
    for page in pages:
        groups.setdefault(page.group, []).append(page)
    for group in groups.values():
        step = max(len(group) // PAGES, 1)
        yield from group[::step][:PAGES]


def _means(told: Sequence[tuple[GoldPage, SharedRows | None]]) -> tuple[float, ...]:
    """Precision, recall and F1 of content, and F1 of clutter."""
    groups: dict[str, list[tuple[float, ...]]] = {}
    for gold, template in told:
        kept = answer(gold.page, CONTENT.profiles["default"].options, template).kept_rows
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
