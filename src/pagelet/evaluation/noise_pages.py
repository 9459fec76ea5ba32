"""Noise removal beyond result pages: what is kept of pages of all types, word by word."""

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np

from pagelet.columns.page import Page
from pagelet.evaluation.table import Figures
from pagelet.methods import cetd
from pagelet.methods.noise import detect_noise
from pagelet.methods.noise_records import direct_text
from pagelet.parse.html import parse
from pagelet.scores.content import read_content, score_content

Say = Callable[[str], None]

MOST = 300  #: pages that are asked, evenly spaced


def page_figures(folder: Path, say: Say) -> Figures:
    """F1 of words by page type: the default model, which never saw these pages, and CETD."""
    golds = read_content(folder)
    golds = golds[:: max(len(golds) // MOST, 1)]
    say(f"{len(golds)} pages of {folder.name}")
    found: dict[str, dict[str, list[float]]] = {
        "default": defaultdict(list),
        "cetd": defaultdict(list),
    }
    for gold in golds:
        page = parse(gold.html, url=gold.url)
        for name, text in (("default", kept(page)), ("cetd", dense(page))):
            for kind in ("all", gold.page_type):
                found[name][kind].append(score_content(gold, text).f1)
    kinds = list(found["cetd"])
    rows = tuple(
        (name, *(float(np.mean(by[kind])) for kind in kinds)) for name, by in found.items()
    )
    counts = [f"{kind} ({len(found['cetd'][kind])})" for kind in kinds]
    note = "Trained on result pages alone, without a query: pages of one article are foreign to it."
    return Figures(
        f"noise removal on {folder.name}: F1 of words", ("noise", *counts), rows, (note,)
    )


def kept(page: Page) -> str:
    """The text of what is not noise."""
    return " ".join(
        direct_text(page, item.row) for item in detect_noise(page) if item.kind == "content"
    )


def dense(page: Page) -> str:
    """The text that CETD keeps."""
    rows = np.flatnonzero(cetd.kept_text(page, cetd.find_content(page)))
    return " ".join(page.text(row) for row in rows.tolist())
