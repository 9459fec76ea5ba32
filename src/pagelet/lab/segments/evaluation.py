"""Visual segments: every segmenter on the same drawn pages, against the blocks people marked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from pagelet.arrays import Floats, Int32s, Ints, Mask
from pagelet.errors import NoGold
from pagelet.lab import Progress, Report, ignore_line, ignore_progress
from pagelet.lab.data import use_one_thread
from pagelet.lab.figures import Figures
from pagelet.lab.picture import Point, draw
from pagelet.lab.segments.gold import LEVELS, SUB, TOP, DrawnExample, draw_examples
from pagelet.lab.segments.scores import adjusted_rand, bcubed_figures, box_overlap, membership_of
from pagelet.lab.segments.segmenters import (
    BCS,
    DEFAULT,
    VIPS,
    Segmenter,
    all_segmenters,
    unseen_segmenters,
)
from pagelet.labels import suggested_note

# -- published figures of BCS and VIPS ---------------------------------------------------------


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
PUBLISHED_TIME_RATIO = 20  #: time of VIPS over time of BCS, about
PUBLISHED_NOTES = (
    "Published; other data: 100 pages of each kind, three volunteers. The threshold of BCS and"
    " the degree of VIPS are the best of each page, for F and ARI each by itself: compare oracle.",
)


def published_figures() -> Figures:
    """Tables 2 to 4 of the paper, by kind of page, and their means."""
    means = np.mean([row[1:] for row in PUBLISHED], axis=0).tolist()
    rows = (*PUBLISHED, ("mean", *(round(value) for value in means[:2]), *means[2:]))
    return Figures(
        "Zeleny, Burget, Zendulka, Tables 2 to 4", PUBLISHED_COLUMNS, rows, PUBLISHED_NOTES
    )


# -- scores over pages and over values of a parameter ------------------------------------------


METRICS = ("F", "ARI", "characters", "boxes")
GUIDING_METRICS = [
    METRICS.index("characters"),
    METRICS.index("boxes"),
]  #: metrics whose mean chooses a value
CELLS = tuple(name for metric in METRICS for name in (metric, f"{metric} sd"))
COLUMNS = ("segmentation", *CELLS, "segments", "ms", "parameter")


def agreement(number: Int32s, gold: Ints, chars: Int32s) -> tuple[float, ...]:
    """The metrics over the boxes that lie in a block."""
    marked = gold >= 0
    answer, wanted = membership_of(number[marked]), membership_of(gold[marked])
    both = box_overlap(answer, wanted).f1, adjusted_rand(answer, wanted)
    return (*both, *bcubed_figures(number, gold, chars))


@dataclass(frozen=True, eq=False)
class SegmenterScores:
    """The scores of one segmenter on every page, for each value of its parameter."""

    segmenter: Segmenter
    metrics: Floats  #: pages, values, metrics
    counts: Floats  #: segments; pages, values
    ms: Floats  #: pages, values

    def take(self, pages: Mask) -> "SegmenterScores":
        """The scores on some pages."""
        parts = (part[pages] for part in (self.metrics, self.counts, self.ms))
        return SegmenterScores(self.segmenter, *parts)

    def rows(self, sites: Sequence[str]) -> list[tuple[Any, ...]]:
        """One row, or with a parameter: fixed, best fixed, and the best of each page."""
        name, names = self.segmenter.name, np.array(sites)
        if not self.segmenter.parameter:
            return [self._row(name, np.zeros(len(names), np.intp))]
        best = int(np.argmax(self._value_scores(np.ones(len(names), np.bool_))))
        rows = [self._row(f"{name}, best fixed", np.full(len(names), best))]
        if len(set(sites)) > 1:
            others = {
                site: int(np.argmax(self._value_scores(names != site))) for site in set(sites)
            }
            chosen = np.array([others[site] for site in sites])
            rows = [self._row(f"{name}, fixed", chosen), *rows]
        return [*rows, self._oracle()]

    def _value_scores(self, pages: Mask) -> Floats:
        """The mean score of each value on some pages."""
        return np.asarray(self.metrics[pages][:, :, GUIDING_METRICS].mean(axis=(0, 2)))

    def _row(self, name: str, chosen: Ints) -> tuple[Any, ...]:
        return self._cells(name, self.metrics[np.arange(len(chosen)), chosen], chosen)

    def _oracle(self) -> tuple[Any, ...]:
        """The best value of each page, for each metric alone; segments by the mean of two."""
        chosen = self.metrics[:, :, GUIDING_METRICS].mean(axis=2).argmax(axis=1)
        return self._cells(f"{self.segmenter.name}, oracle", self.metrics.max(axis=1), chosen)

    def _cells(self, name: str, metrics: Floats, chosen: Ints) -> tuple[Any, ...]:
        pages = np.arange(len(chosen))
        pairs = zip(metrics.mean(axis=0).tolist(), metrics.std(axis=0).tolist(), strict=True)
        counts, ms = (float(part[pages, chosen].mean()) for part in (self.counts, self.ms))
        return (
            name,
            *(cell for pair in pairs for cell in pair),
            counts,
            ms,
            self._chosen_values(chosen),
        )

    def _chosen_values(self, chosen: Ints) -> str:
        """The parameter and the values that were chosen."""
        if not self.segmenter.parameter:
            return ""
        values = np.array(self.segmenter.values)[chosen]
        low, high = f"{values.min():g}", f"{values.max():g}"
        return f"{self.segmenter.parameter} {low if low == high else f'{low} to {high}'}"


def score(segmenter: Segmenter, examples: Sequence[DrawnExample]) -> dict[str, SegmenterScores]:
    """Run a segmenter on all pages and score its segments at every level."""
    shape = (len(examples), len(segmenter.values))
    metrics = {level: np.zeros((*shape, len(METRICS))) for level in LEVELS}
    counts, ms = np.zeros(shape), np.zeros(shape)
    for page, example in enumerate(examples):
        for value, (segments, spent) in enumerate(segmenter.answers(example)):
            counts[page, value], ms[page, value] = len(segments), spent
            for level, gold in example.gold.items():
                scores = agreement(segments.number, gold, example.boxes.chars)
                metrics[level][page, value] = scores
    return {level: SegmenterScores(segmenter, metrics[level], counts, ms) for level in LEVELS}


# -- tables ------------------------------------------------------------------------------------


TITLES = {TOP: "top-level blocks", SUB: "blocks within blocks"}
TABLES = {TOP: "blocks", SUB: "inner"}  #: names of the tables in JSON
PICTURED = ("whole page", "three bands", "tree, what covers most", f"{BCS}, best fixed",
         f"{BCS}, auto", f"{VIPS}, best fixed", f"{DEFAULT}, unseen",
         f"{DEFAULT}, --with-dom, unseen")  # fmt: skip
NOTES = (
    "F and ARI over boxes; characters, boxes: BCubed F over them; sd: over pages. A box in no"
    " segment is in none. segments, ms: of a page, without drawing it and finding its boxes.",
    "fixed: one value, chosen on all other sites; best fixed: chosen on these very pages; both by"
    " the mean of the BCubed figures. oracle: the best of each page, for each metric by itself.",
    "unseen: models fitted without the page's site, in five folds; shipped: the models of the"
    " package, which were fitted on the data set `segments`.",
)


def evaluate_segments(
    folder: Path,
    *,
    pages: int | None = None,
    cache: Path | None = None,
    report: Report = ignore_line,
    progress: Progress = ignore_progress,
) -> dict[str, Figures]:
    """All tables, by name."""
    use_one_thread()
    examples = draw_examples(folder, pages=pages, cache=cache, progress=progress)
    report(f"{len(examples)} pages, {sum(len(example.boxes) for example in examples):,} boxes")
    segmenters = [*all_segmenters(), *unseen_segmenters(examples, report)]
    tables = segments_tables(folder.name, examples, segmenters, progress)
    notes = suggested_note(folder, "segments")
    return {name: replace(table, notes=(*table.notes, *notes)) for name, table in tables.items()}


def segments_tables(
    name: str,
    examples: Sequence[DrawnExample],
    segmenters: Sequence[Segmenter],
    progress: Progress,
) -> dict[str, Figures]:
    """Every segmenter at both levels, and the published figures."""
    if not any(example.marked(TOP) for example in examples):
        raise NoGold(name, "a drawn box in a block with data-block=1")
    by_segmenter = []
    for at, segmenter in enumerate(segmenters):
        progress("segmenting", at, len(segmenters))
        by_segmenter.append(score(segmenter, examples))
    progress("segmenting", len(segmenters), len(segmenters))
    tables = {
        TABLES[level]: _figures(name, level, examples, [scores[level] for scores in by_segmenter])
        for level in LEVELS
        if any(example.marked(level) for example in examples)
    }
    return tables | {"published": published_figures()}


def _figures(
    name: str, level: str, examples: Sequence[DrawnExample], scored: Sequence[SegmenterScores]
) -> Figures:
    """The table of one level, over the pages that have blocks of it."""
    has = np.array([example.marked(level) > 0 for example in examples])
    some = [example for example in examples if example.marked(level)]
    sites = [example.site for example in some]
    rows = tuple(row for scores in scored for row in scores.take(has).rows(sites))
    notes = (*_counts(level, examples, some), *_ratio(rows), *NOTES)
    return Figures(f"segments of {name}, {TITLES[level]}", COLUMNS, rows, notes)


def _counts(
    level: str, examples: Sequence[DrawnExample], some: Sequence[DrawnExample]
) -> Iterator[str]:
    """Notes on what was scored and what was left out."""
    boxes = [len(example.boxes) for example in some]
    marked = sum(example.marked(level) for example in some)
    blocks = np.mean([example.gold[level].max() + 1 for example in some])
    yield (
        f"{len(some)} pages, {np.mean(boxes):.0f} boxes per page (most {max(boxes):,}), found in"
        f" {np.mean([example.ms for example in some]):.1f} ms; {blocks:.1f} blocks per page."
        f" {sum(boxes) - marked:,} of {sum(boxes):,} boxes lie in no such block and are left out."
    )
    if unmarked := [example.name for example in examples if not example.marked(level)]:
        yield f"Left out, since no box of it is marked: {', '.join(unmarked)}."


def _ratio(rows: Sequence[tuple[object, ...]]) -> Iterator[str]:
    """A note on the time of VIPS over that of BCS."""
    ms = {str(row[0]): float(str(row[COLUMNS.index("ms")])) for row in rows}
    slow, fast = (ms.get(f"{name}, best fixed") for name in (VIPS, BCS))
    if slow and fast:
        yield (
            f"VIPS takes {slow / fast:.1f} times as long as BCS;"
            f" the authors say about {PUBLISHED_TIME_RATIO}."
        )


def segments_picture(tables: Mapping[str, Figures]) -> str:
    """BCubed F over characters against speed, for the segmenters that need no oracle.

    Where no models were fitted without a page's site, the shipped ones stand in.
    """
    table = tables[TABLES[TOP]]
    present = {row[0] for row in table.rows}
    names = (name if name in present else name.replace("unseen", "shipped") for name in PICTURED)
    points = [
        Point(
            name, 1000 / table.value(name, "ms"), table.value(name, "characters"), DEFAULT in name
        )
        for name in names
        if name in present
    ]
    return draw(points, f"{table.title}: BCubed F over characters")
