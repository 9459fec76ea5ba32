"""Tables 2 to 4 of the BCS paper, and the same figures of labelled pages beside them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from pagelet.lab.figures import Figures
from pagelet.lab.segments.gold import TOP, DrawnExample
from pagelet.lab.segments.runs import METRICS, SegmenterScores
from pagelet.lab.segments.thresholds import LISTS, TEXTS, page_type

PUBLISHED_COLUMNS = (
    "pages", "VIPS ms", "BCS ms", "BCS ARI", "VIPS ARI", "BCS F", "VIPS F",
    "BCS ARI sd", "VIPS ARI sd", "BCS F sd", "VIPS F sd",
)  # fmt: skip
PUBLISHED = (
    ("businessinsider article", 522, 20,
     0.5704, 0.7010, 0.6345, 0.7394, 0.1275, 0.1740, 0.0358, 0.0721),
    ("idnes.cz article", 723, 53,
     0.6629, 0.7240, 0.5570, 0.5720, 0.0646, 0.0766, 0.0424, 0.0794),
    ("idnes.cz index", 1079, 39,
     0.5954, 0.7926, 0.5522, 0.7259, 0.0733, 0.0078, 0.0108, 0.0070),
    ("novinky.cz article", 390, 18,
     0.7670, 0.7877, 0.6446, 0.7191, 0.1274, 0.1406, 0.0404, 0.0731),
    ("novinky.cz index", 28126, 699,
     0.5303, 0.9121, 0.4265, 0.9043, 0.0529, 0.0140, 0.0558, 0.0219),
    ("reuters article", 442, 37,
     0.6123, 0.6786, 0.5914, 0.6943, 0.1316, 0.1687, 0.0301, 0.0847),
    ("reuters index", 475, 15,
     0.5832, 0.8160, 0.5145, 0.7569, 0.0328, 0.0516, 0.0203, 0.0336),
    ("yahoo news article", 342, 21,
     0.7556, 0.5626, 0.7102, 0.5446, 0.2089, 0.1658, 0.1000, 0.0539),
)  # fmt: skip
PUBLISHED_TIME = (
    "the authors write that BCS is almost 90 % faster, and in their table 2 VIPS takes 12 to 40"
    " times as long"
)
PUBLISHED_NOTES = (
    "Published; other data: 100 pages of each kind, three volunteers. The threshold of BCS and"
    " the degree of VIPS are the best of each page, for F and ARI each by itself: compare oracle.",
)


MIN_SITE_PAGES = 5  #: pages of a site that has a row of its own


def published_figures(own: Sequence[tuple[Any, ...]] = ()) -> Figures:
    """Tables 2 to 4 of the paper, by kind of page, and their means; then rows of our own."""
    means = np.mean([row[1:] for row in PUBLISHED], axis=0).tolist()
    rows = (*PUBLISHED, ("mean", *(round(value) for value in means[:2]), *means[2:]), *own)
    return Figures(
        "Zeleny, Burget, Zendulka, Tables 2 to 4", PUBLISHED_COLUMNS, rows, PUBLISHED_NOTES
    )


def own_rows(
    name: str, examples: Sequence[DrawnExample], bcs: SegmenterScores, vips: SegmenterScores
) -> list[tuple[Any, ...]]:
    """The same figures of labelled pages: by site, where it has several; by page type; of all."""
    marked = np.array([example.marked(TOP) > 0 for example in examples])
    sites = np.array([example.site for example in examples])
    names, counts = np.unique(sites[marked], return_counts=True)
    several = names[counts >= MIN_SITE_PAGES].tolist()
    sets = [(f"{name}: {site}", marked & (sites == site)) for site in several]
    types = np.array([page_type(example) for example in examples])
    kinds = [(f"{name}: {kind}", marked & (types == kind)) for kind in (TEXTS, LISTS)]
    sets += [each for each in kinds if each[1].any()]
    return [
        _row(title, bcs.take(pages), vips.take(pages))
        for title, pages in (*sets, (f"{name}: all pages", marked))
    ]


def _row(title: str, bcs: SegmenterScores, vips: SegmenterScores) -> tuple[Any, ...]:
    """Times, means and deviations; the best parameter of each page, for F and ARI by itself."""
    best = [scores.metrics.max(axis=1) for scores in (bcs, vips)]
    columns = [(method, METRICS.index(metric)) for metric in ("ARI", "F") for method in (0, 1)]
    values = [best[method][:, metric] for method, metric in columns]
    times = [float(scores.ms.mean()) for scores in (vips, bcs)]
    return (
        title,
        *times,
        *(float(each.mean()) for each in values),
        *(float(each.std()) for each in values),
    )
