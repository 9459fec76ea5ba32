"""Visual segments: every way on the same drawn pages, against the blocks people marked."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from pagelet.errors import NoGold
from pagelet.evaluation.picture import Point, draw
from pagelet.evaluation.segments_cache import Kept, default_folder
from pagelet.evaluation.segments_draw import drawing, how_drawn
from pagelet.evaluation.segments_pages import LEVELS, Each, Example, examples_of
from pagelet.evaluation.segments_published import TIMES, published_figures
from pagelet.evaluation.segments_scores import COLUMNS, Scores, score
from pagelet.evaluation.segments_unseen import unseen_ways
from pagelet.evaluation.segments_ways import BCS, OURS, VIPS, Way, every_way
from pagelet.evaluation.table import Figures
from pagelet.scores.annotations import suggested_note
from pagelet.scores.segments_gold import SUB, TOP, read_block_pages
from pagelet.training.threads import one_thread

Say = Callable[[str], None]

TITLES = {TOP: "top-level blocks", SUB: "blocks within blocks"}
TABLES = {TOP: "blocks", SUB: "inner"}  #: what the tables are called in JSON
DRAWN = ("whole page", "three bands", "tree, what covers most", f"{BCS}, best fixed",
         f"{BCS}, auto", f"{VIPS}, best fixed", f"{OURS}, unseen",
         f"{OURS}, --with-dom")  # fmt: skip
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
    say: Say = lambda _: None,
    each: Each = lambda *_: None,
) -> dict[str, Figures]:
    """All tables, by what they are about."""
    one_thread()
    examples = drawn_examples(folder, pages=pages, cache=cache, each=each)
    say(f"{len(examples)} pages, {sum(len(example.boxes) for example in examples):,} boxes")
    ways = [*every_way(), *unseen_ways(examples, say)]
    tables = segments_tables(folder.name, examples, ways, each)
    begun = suggested_note(folder, "segments")
    return {name: replace(table, notes=(*table.notes, *begun)) for name, table in tables.items()}


def drawn_examples(
    folder: Path,
    *,
    pages: int | None = None,
    cache: Path | None = None,
    each: Each = lambda *_: None,
) -> list[Example]:
    """The labelled pages of a folder, drawn; those that lie in the cache are not drawn again."""
    given = read_block_pages(folder, pages)
    where = cache or default_folder()
    with drawing() as draw:
        return list(examples_of(given, draw, Kept(where, how_drawn()) if where else None, each))


def segments_tables(
    name: str, examples: Sequence[Example], ways: Sequence[Way], each: Each
) -> dict[str, Figures]:
    """Every way at both levels, and what was published."""
    if not any(example.marked(TOP) for example in examples):
        raise NoGold(name, "a drawn box in a block with data-block=1")
    found = []
    for at, way in enumerate(ways):
        each("segmenting", at, len(ways))
        found.append(score(way, examples))
    each("segmenting", len(ways), len(ways))
    tables = {
        TABLES[level]: _figures(name, level, examples, [scores[level] for scores in found])
        for level in LEVELS
        if any(example.marked(level) for example in examples)
    }
    return tables | {"published": published_figures()}


def _figures(
    name: str, level: str, examples: Sequence[Example], found: Sequence[Scores]
) -> Figures:
    """The table of one level, over the pages that have blocks of it."""
    has = np.array([example.marked(level) > 0 for example in examples])
    some = [example for example in examples if example.marked(level)]
    sites = [example.site for example in some]
    rows = tuple(row for scores in found for row in scores.take(has).rows(sites))
    notes = (*_counts(level, examples, some), *_ratio(rows), *NOTES)
    return Figures(f"segments of {name}, {TITLES[level]}", COLUMNS, rows, notes)


def _counts(level: str, examples: Sequence[Example], some: Sequence[Example]) -> Iterator[str]:
    """What was scored and what was left out."""
    boxes = [len(example.boxes) for example in some]
    marked = sum(example.marked(level) for example in some)
    blocks = np.mean([example.gold[level].max() + 1 for example in some])
    yield (
        f"{len(some)} pages, {np.mean(boxes):.0f} boxes a page (most {max(boxes):,}), found in"
        f" {np.mean([example.ms for example in some]):.1f} ms; {blocks:.1f} blocks a page."
        f" {sum(boxes) - marked:,} of {sum(boxes):,} boxes lie in no such block and are left out."
    )
    if bare := [example.name for example in examples if not example.marked(level)]:
        yield f"Left out, since no box of it is marked: {', '.join(bare)}."


def _ratio(rows: Sequence[tuple[object, ...]]) -> Iterator[str]:
    """How much longer VIPS takes than BCS."""
    ms = {str(row[0]): float(str(row[COLUMNS.index("ms")])) for row in rows}
    slow, fast = (ms.get(f"{name}, best fixed") for name in (VIPS, BCS))
    if slow and fast:
        yield f"VIPS takes {slow / fast:.1f} times as long as BCS; the authors say about {TIMES}."


def segments_picture(tables: Mapping[str, Figures]) -> str:
    """BCubed F over characters against speed, for the ways that need no oracle."""
    table = tables[TABLES[TOP]]
    points = [
        Point(name, 1000 / table.value(name, "ms"), table.value(name, "characters"), OURS in name)
        for name in DRAWN
        if name in {row[0] for row in table.rows}
    ]
    return draw(points, f"{table.title}: BCubed F over characters")
