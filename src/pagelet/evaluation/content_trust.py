"""Whether the extractor knows what it does: its confidence against F1, its page types."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pagelet.evaluation.table import Figures
from pagelet.methods.content_blocks import decide
from pagelet.models.content import ContentModel
from pagelet.models.pagetypes import TYPES
from pagelet.parse.html import parse
from pagelet.scores.content import ContentGold

GROUPS = 10  #: of equally many pages


@dataclass(frozen=True, slots=True)
class Belief:
    """What the extractor holds of a page and of its own answer."""

    confidence: float
    page_type: str | None  #: the likeliest; None for a page without text


def belief(gold: ContentGold, model: ContentModel, target: str) -> Belief:
    """Ask a model how sure it is and what type of page it sees."""
    found = decide(parse(gold.html, gold.url), model, "balanced", target)
    likely = max(found.page_type, key=found.page_type.__getitem__, default=None)
    return Belief(found.confidence, likely)


def reliability(beliefs: Sequence[Belief], f1: Sequence[float], title: str) -> Figures:
    """Tenths of the pages by confidence: what was said, what was reached."""
    said = np.array([each.confidence for each in beliefs])
    reached = np.array(f1, np.float64)
    rows, off = [], 0.0
    order = np.argsort(said, kind="stable")
    for part in np.array_split(order, min(GROUPS, len(order))):
        mean, held = float(said[part].mean()), float(reached[part].mean())
        span = f"{said[part[0]]:.2f} to {said[part[-1]]:.2f}"
        rows.append((span, len(part), mean, held, held - mean))
        off += abs(held - mean) * len(part) / len(order)
    notes = (f"Tenths of the pages, the least sure first; {off:.3f} off on average.",)
    columns = ("confidence", "pages", "mean confidence", "mean F1", "difference")
    return Figures(title, columns, tuple(rows), notes)


def page_types(golds: Sequence[ContentGold], beliefs: Sequence[Belief], title: str) -> Figures:
    """For pages of each type, how many were taken for which type."""
    known = [
        (gold.page_type, each.page_type)
        for gold, each in zip(golds, beliefs, strict=True)
        if gold.page_type in TYPES
    ]
    counts = Counter(known)
    pages = Counter(labelled for labelled, _ in known)
    rows = tuple(
        (name, pages[name], counts[name, name] / pages[name], *(counts[name, at] for at in TYPES))
        for name in TYPES
        if pages[name]
    )
    right = sum(counts[name, name] for name in TYPES)
    share = right / max(len(known), 1)
    notes = (f"{right} of {len(known)} pages right, {share:.3f}. Columns: what the page was said",)
    return Figures(title, ("page type", "pages", "right", *TYPES), rows, (f"{notes[0]} to be.",))
