"""Visual segments: every segmenter on the same drawn pages, against the blocks people marked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from pagelet.errors import NoGold
from pagelet.lab import Progress, Report, ignore_line, ignore_progress
from pagelet.lab.data import use_one_thread
from pagelet.lab.figures import Figures
from pagelet.lab.fitting import answering_note
from pagelet.lab.picture import Point, draw
from pagelet.lab.segments.ceilings import has_joined_columns, has_parted_columns
from pagelet.lab.segments.gold import LEVELS, SUB, TOP, DrawnExample, draw_examples
from pagelet.lab.segments.published import (
    PUBLISHED_TIME,
    own_rows,
    published_figures,
)
from pagelet.lab.segments.roles import roles_table
from pagelet.lab.segments.runs import COLUMNS, SegmenterScores, score
from pagelet.lab.segments.segmenters import (
    BCS,
    DEFAULT,
    VIPS,
    Segmenter,
    all_segmenters,
    unseen_segmenters,
    variant_segmenters,
)
from pagelet.lab.segments.thresholds import MIN_LINE_CHARS, page_type
from pagelet.labels import suggested_note
from pagelet.wording import count_of

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
    f"by page type: one value for pages of texts ({MIN_LINE_CHARS:g} characters a line or more),"
    " one for pages of lists, chosen on all other sites. learned: by a model of how a cut looks,"
    " fitted to top-level blocks without the page's site.",
    "cuts, oracle; tree, oracle: straight cuts, or elements, that the labels themselves choose, the"
    " most that a model could reach; columns apart: with long columns parted, as --with-dom does.",
    "unseen: models fitted without the page's site, in five folds; shipped: the models of the"
    " package, which were fitted on the data set `segments`.",
)


VARIANT_NOTES = (
    "literal: a distance of 1 is no similarity, as equation 4 is printed; mean: it counts like any"
    " other; equidistant: a box whose neighbours are all equally far has a distance of 0 to them."
    " style: fonts and backgrounds count with that weight (--style-weight).",
)


def evaluate_segments(
    folder: Path,
    *,
    fit: bool = True,
    pages: int | None = None,
    cache: Path | None = None,
    report: Report = ignore_line,
    progress: Progress = ignore_progress,
) -> dict[str, Figures]:
    """All tables, by name; with `fit`, also models that have not seen the site of a page."""
    use_one_thread()
    examples = draw_examples(folder, pages=pages, cache=cache, progress=progress)
    boxes = sum(len(example.boxes) for example in examples)
    report(f"{count_of(len(examples), 'page')}, {boxes:,} boxes")
    unseen = unseen_segmenters(examples, report, progress) if fit else []
    tables = segments_tables(folder.name, examples, [*all_segmenters(), *unseen], progress)
    tables["variants"] = variants_table(folder.name, examples)
    if roles := roles_table(folder.name, examples):
        tables["roles"] = roles
    notes = (answering_note(fitted=bool(unseen)), *suggested_note(folder, "segments"))
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
    by_name = {scores[TOP].segmenter.name: scores[TOP] for scores in by_segmenter}
    both = [by_name[each] for each in (BCS, VIPS) if each in by_name]
    own = own_rows(name, examples, both[0], both[1]) if len(both) > 1 else []
    return tables | {"published": published_figures(own)}


def _figures(
    name: str, level: str, examples: Sequence[DrawnExample], scored: Sequence[SegmenterScores]
) -> Figures:
    """The table of one level, over the pages that have blocks of it."""
    has = np.array([example.marked(level) > 0 for example in examples])
    some = [example for example in examples if example.marked(level)]
    sites = [example.site for example in some]
    types = [page_type(example) for example in some]
    rows = tuple(row for scores in scored for row in scores.take(has).rows(sites, types))
    notes = (*_counts(level, examples, some), *_ratio(rows), *NOTES)
    return Figures(f"segments of {name}, {TITLES[level]}", COLUMNS, rows, notes)


def variants_table(name: str, examples: Sequence[DrawnExample]) -> Figures:
    """Box clustering with other colours, readings of equation 4 and cues, top-level blocks."""
    scored = [score(segmenter, examples)[TOP] for segmenter in variant_segmenters()]
    figures = _figures(name, TOP, examples, scored)
    wanted = ("fixed", "oracle")
    rows = tuple(row for row in figures.rows if str(row[0]).rpartition(", ")[2] in wanted)
    title = f"BCS on {name}: colour spaces, what a distance of 1 means, and more cues"
    return replace(figures, title=title, rows=rows, notes=VARIANT_NOTES)


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
    if level == TOP:
        joined, parted = (sum(map(has, some)) for has in (has_joined_columns, has_parted_columns))
        yield (
            "Columns that white or a background parts from top to bottom are one block of people on"
            f" {count_of(joined, 'page')}, and several on {parted}."
        )


def _ratio(rows: Sequence[tuple[object, ...]]) -> Iterator[str]:
    """A note on the time of VIPS over that of BCS."""
    ms = {str(row[0]): float(str(row[COLUMNS.index("ms")])) for row in rows}
    slow, fast = (ms.get(f"{name}, best fixed") for name in (VIPS, BCS))
    if slow and fast:
        yield (f"VIPS takes {slow / fast:.1f} times as long as BCS; {PUBLISHED_TIME}.")


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
