"""Clutter detection: both profiles and every reading of the decay, over text characters."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pagelet.arrays import Mask
from pagelet.lab.figures import Figures, Overlap
from pagelet.lab.gold import CLUTTER_BLOCKS, Gold, GoldPage
from pagelet.methods.clutter import CLUTTER
from pagelet.methods.clutter.options import ClutterOptions
from pagelet.methods.registry import Evidence
from pagelet.page.table import Page

COLUMNS = ("clutter", "precision", "recall", "F1", "mean F1", "pages")
DECAYS = (0.0, 0.05, 0.10, 0.20, 0.30)
LABELS = (*CLUTTER_BLOCKS, "clutter", "menu", "navigation")  #: labels that stand for clutter
SITE_PAGES = 8  #: other pages of the site that are given to the default profile


def evaluate_clutter(gold: Gold) -> Figures:
    """Score every reading on the pages that have clutter labelled."""
    pages = [page for page in gold.pages if any(page.rows(label) for label in LABELS)]
    systems = {name: ("paper", options) for name, options in _readings()}
    systems["default"] = ("default", CLUTTER.profiles["default"].options)
    rows = [(name, *_means(pages, *system)) for name, system in systems.items()]
    if gold.format == "sites":
        rows.append(("default, --site", *_means(pages, *systems["default"], SITE_PAGES)))
    note = "Pooled over all characters; mean F1: of each page, averaged over pages, then sites."
    return Figures("link clutter", COLUMNS, tuple(rows), (note, *gold.notes))


def _readings() -> list[tuple[str, ClutterOptions]]:
    paper = CLUTTER.profiles["paper"].options
    readings = [("paper", paper), ("paper, score 1 too", replace(paper, min_score=1))]
    for shape in ("linear", "geometric"):
        for decay in DECAYS:
            if decay or shape == "linear":
                options = replace(paper, decay=decay, decay_shape=shape)
                readings.append((f"{shape} decay {decay:.2f}", options))
    return [*readings, ("paper, pictures", replace(paper, pictures=True))]


def clutter_mask(page: Page, profile: str, options: ClutterOptions, evidence: Evidence) -> Mask:
    """Mark everything at or below the clutter of a page."""
    pagelets = CLUTTER.profile(profile).run(page, options, evidence)
    return page.inside(np.array([item.row for item in pagelets], np.int32))


def char_counts(gold: GoldPage, answer: Mask, wanted: Mask) -> tuple[int, int, int]:
    """Characters of counted text in both masks, in the answer, in the wanted rows."""
    chars = gold.page.chars * gold.page.counted
    return int(chars[answer & wanted].sum()), int(chars[answer].sum()), int(chars[wanted].sum())


def _means(
    pages: Sequence[GoldPage], profile: str, options: ClutterOptions, site_pages: int = 0
) -> tuple[Any, ...]:
    counts: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for gold in pages:
        others = _others(pages, gold)[:site_pages] if site_pages else []
        answer = clutter_mask(gold.page, profile, options, Evidence(site=others))
        counts[gold.group].append(char_counts(gold, answer, gold.mask(*LABELS)))
    pooled = np.sum([each for group in counts.values() for each in group], axis=0)
    means = [np.mean([Overlap.of_counts(*each).f1 for each in group]) for group in counts.values()]
    whole = Overlap.of_counts(*pooled)
    return whole.precision, whole.recall, whole.f1, float(np.mean(means)), len(pages)


def _others(pages: Sequence[GoldPage], gold: GoldPage) -> list[Page]:
    return [each.page for each in pages if each.group == gold.group and each is not gold]
