"""The experiment of Lutz and Heuser: a tree per dataset, the query's part in it, the paper's table.

A dataset is a site: all its pages, and one query made of all words that were searched for. Two
thirds of its nodes are learned from, the others are scored, by classes weighted by their sizes.
"""

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Literal

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.lab import Progress, track
from pagelet.lab.c45 import J48, C45Options, fit_c45
from pagelet.lab.figures import Figures
from pagelet.lab.noise.fit import SEED, NoiseExample
from pagelet.lab.noise.scores import ClassCounts, count_classes, text_score
from pagelet.lab.noise.splits import (
    CONTENT_PROBABILITY,
    TRAINING_SHARE,
    by_site,
    fit_by_site,
)
from pagelet.methods.content import cetd
from pagelet.methods.noise.paper import (
    DESCENDANT_FEATURES,
    PAPER_FEATURES,
    QUERY_FEATURES,
    elements_of,
    paper_features,
    units_of,
)
from pagelet.methods.registry import option
from pagelet.models.trees import Trees
from pagelet.page.query import NO_QUERY, Query

#: Table I of the paper, in percent: LCS P and R of CETD; weighted P, R, F1 of the tree.
PUBLISHED = (
    ("e4s", 38.09, 47.75, 98.3, 98.4, 98.3),
    ("missing", 60.28, 90.42, 99.7, 99.7, 99.6),
    ("pubs", 23.34, 56.64, 99.8, 99.8, 99.8),
    ("drinkgenius", 41.82, 65.32, 99.8, 99.8, 99.8),
    ("onlinerace", 25.33, 17.06, 99.2, 99.2, 99.2),
    ("posteritati", 0.34, 23.46, 99.7, 99.7, 99.6),
    ("book", 89.05, 88.97, 97.5, 98.3, 97.5),
    ("career", 56.85, 83.55, 98.7, 98.5, 98.5),
    ("mldb", 14.91, 36.53, 96.6, 95.6, 95.9),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSettings:
    """How the paper's tree is made, where its text can be read in more than one way."""

    density_sum: Literal["children", "descendants"] = option(
        "children", "elements that DensitySum adds up"
    )
    nodes: Literal["texts", "all"] = option(
        "texts", "learn from elements with text of their own, or from all"
    )
    query: bool = True  #: whether the query's two attributes are among the features
    tree: C45Options = J48

    @property
    def names(self) -> tuple[str, ...]:
        """The features."""
        every = PAPER_FEATURES if self.density_sum == "children" else DESCENDANT_FEATURES
        return tuple(name for name in every if self.query or name not in QUERY_FEATURES)


AS_PUBLISHED = PaperSettings()

#: The rows of the table of readings.
READINGS: Mapping[str, PaperSettings] = {
    "tree": AS_PUBLISHED,
    "without the query": PaperSettings(query=False),
    "DensitySum of all below": PaperSettings(density_sum="descendants"),
    "all nodes": PaperSettings(nodes="all"),
    "any split of two": PaperSettings(tree=replace(J48, min_split=False)),
    "no subtree raised": PaperSettings(tree=replace(J48, raise_subtrees=False)),
}


@dataclass(frozen=True, slots=True, eq=False)
class PaperLines:
    """The file of attributes of one dataset: rows of features, and the class of each."""

    features: Floats
    content: Mask


def site_query(pages: Iterable[NoiseExample]) -> Query:
    """All that was searched for on a site as one query."""
    return reduce(or_, (each.gold.query for each in pages), NO_QUERY)


def read_lines(
    example: NoiseExample, query: Query, settings: PaperSettings = AS_PUBLISHED
) -> PaperLines:
    """The attributes of a page, and whether each node is content.

    A node without text of its own is content when half the texts below it are.
    """
    page = example.sheet.page
    rows = units_of(page) if settings.nodes == "texts" else elements_of(page)
    features = paper_features(page, query, settings.names, rows).rows
    return PaperLines(features, _node_labels(example, rows, settings) >= CONTENT_PROBABILITY)


def _node_labels(example: NoiseExample, rows: Ints, settings: PaperSettings) -> Floats:
    """The share of each node's texts that is content: own texts, or else those below."""
    if settings.nodes == "texts":
        return example.label
    sheet = example.sheet
    counts = [sheet.column(each) for each in (np.ones(len(sheet.rows)), example.wanted)]
    own = [sheet.page.sum_children(each)[rows] for each in counts]
    below = [sheet.page.sum_subtree(each)[rows] for each in counts]
    texts, wanted = (np.where(own[0] > 0, a, b) for a, b in zip(own, below, strict=True))
    return np.asarray(wanted / np.maximum(texts, 1), np.float64)


def join_lines(lines: Iterable[PaperLines]) -> PaperLines:
    """Pages, or datasets, as one file."""
    every = list(lines)
    return PaperLines(
        np.concatenate([each.features for each in every]),
        np.concatenate([each.content for each in every]),
    )


def dataset_lines(
    examples: Sequence[NoiseExample], settings: PaperSettings = AS_PUBLISHED
) -> dict[str, PaperLines]:
    """The file of attributes of each site."""
    return {
        site: join_lines(read_lines(each, site_query(pages), settings) for each in pages)
        for site, pages in by_site(examples).items()
    }


# -- protocols --------------------------------------------------------------------------------


def fit_lines(lines: PaperLines, settings: PaperSettings = AS_PUBLISHED) -> Trees:
    """The tree of a file of attributes."""
    return fit_c45(lines.features, lines.content, settings.names, settings.tree)


def score_split(lines: PaperLines, settings: PaperSettings, seed: int = SEED) -> ClassCounts:
    """Learn from 66 of 100 nodes at random, and count the others."""
    seen = np.random.default_rng(seed).random(len(lines.content)) < TRAINING_SHARE
    tree = fit_lines(PaperLines(lines.features[seen], lines.content[seen]), settings)
    answer = tree.predict(lines.features[~seen]) >= CONTENT_PROBABILITY
    return count_classes(lines.content[~seen], answer)


def score_unseen(examples: Sequence[NoiseExample], settings: PaperSettings) -> ClassCounts:
    """Nodes of each site by a tree that was fitted without its fold of sites."""
    lines = dataset_lines(examples, settings)

    def fit(pages: list[NoiseExample]) -> Trees:
        return fit_lines(join_lines(lines[site] for site in by_site(pages)), settings)

    trees = fit_by_site(examples, fit)
    counts = (
        count_classes(own.content, trees[site].predict(own.features) >= CONTENT_PROBABILITY)
        for site, own in lines.items()
    )
    return sum(counts, start=ClassCounts())


def fit_paper(examples: Sequence[NoiseExample], settings: PaperSettings = AS_PUBLISHED) -> Trees:
    """The paper's tree on whole pages of all sites."""
    return fit_lines(join_lines(dataset_lines(examples, settings).values()), settings)


def paper_protocol(
    examples: Sequence[NoiseExample], settings: PaperSettings = AS_PUBLISHED, seed: int = SEED
) -> dict[str, ClassCounts]:
    """The paper's protocol: every site by itself."""
    lines = dataset_lines(examples, settings)
    return {site: score_split(own, settings, seed) for site, own in lines.items()}


def unseen_paper(examples: Sequence[NoiseExample]) -> list[Mask]:
    """The answers for units by trees that saw no page of the site."""
    trees = fit_by_site(examples, fit_paper)
    queries = {site: site_query(pages) for site, pages in by_site(examples).items()}
    return [
        trees[each.gold.site].predict(read_lines(each, queries[each.gold.site]).features)
        >= CONTENT_PROBABILITY
        for each in examples
    ]


# -- tables -----------------------------------------------------------------------------------

TABLE_COLUMNS = ("dataset", "LCS P (CETD)", "LCS R (CETD)", "P (tree)", "R (tree)", "F1 (tree)")
READING_COLUMNS = (
    "paper", "sites P", "sites R", "sites F1", "content", "pooled F1", "content, pooled",
    "unseen F1", "content, unseen",
)  # fmt: skip
MEAN = "mean of the datasets"


def published_figures() -> Figures:
    """Table I of the paper."""
    notes = (
        "Published; other data. CETD is scored by text, the tree by nodes, weighted by class:",
        "the two sides of the table cannot be compared with each other.",
    )
    rows = (*PUBLISHED, _mean_row(PUBLISHED))
    return Figures("Lutz, Heuser, Table I, percent", TABLE_COLUMNS, rows, notes)


def dataset_figures(examples: Sequence[NoiseExample], name: str) -> Figures:
    """The paper's table for our sites: each by itself, 66 of 100 nodes learned from."""
    counts = paper_protocol(examples)
    rows = []
    for site, pages in by_site(examples).items():
        texts = np.mean([_cetd_scores(each) for each in pages], axis=0)
        rows.append((site, *_percent([*texts, *counts[site].weighted])))
    pooled = score_split(join_lines(dataset_lines(examples).values()), AS_PUBLISHED)
    together = sum(counts.values(), start=ClassCounts())
    rows.append(_mean_row(rows))
    cells = rows[-1][1:3]
    rows.append(("nodes, a tree each", *cells, *_percent(together.weighted)))
    rows.append(("nodes, one tree", *cells, *_percent(pooled.weighted)))
    notes = (
        "As in Table I: 66 of 100 nodes of a site are learned from, the others scored, weighted"
        " by class; siblings of a node may have been learned from.",
    )
    return Figures(f"the paper's table on {name}, percent", TABLE_COLUMNS, tuple(rows), notes)


def _percent(shares: Iterable[float]) -> list[float]:
    return [round(100 * float(share), 2) for share in shares]


def _mean_row(rows: Sequence[tuple[object, ...]]) -> tuple[object, ...]:
    means = np.mean([row[1:] for row in rows], axis=0)  # type: ignore[arg-type]
    return (MEAN, *(round(float(each), 2) for each in means))


def _cetd_scores(example: NoiseExample) -> tuple[float, float]:
    """LCS precision and recall of what CETD keeps of a page."""
    page = example.sheet.page
    rows = np.flatnonzero(cetd.kept_text(page, cetd.find_content(page)))
    score = text_score(" ".join(page.text(row) for row in rows.tolist()), example.gold.text)
    return score.precision, score.recall


def reading_figures(examples: Sequence[NoiseExample], name: str, progress: Progress) -> Figures:
    """Every reading of the paper by three protocols, the one without the query among them."""
    rows = []
    for reading, settings in track(list(READINGS.items()), "readings of the paper", progress):
        sites = sum(paper_protocol(examples, settings).values(), start=ClassCounts())
        pooled = score_split(join_lines(dataset_lines(examples, settings).values()), settings)
        unseen = score_unseen(examples, settings)
        rows.append((reading, *sites.weighted, sites.content.f1, *_weighted_and_content(pooled),
                     *_weighted_and_content(unseen)))  # fmt: skip
    notes = (
        "Sites: a tree for each, 66/34 nodes. Pooled: one tree, 66/34 nodes of all sites."
        " Unseen: sites in 5 folds. Nodes of all sites are counted together.",
        "P, R and F1 are weighted by class; content: F1 of the class content.",
        "Without the query: without its two attributes. The paper's hypothesis is that the first"
        " row is better than the second.",
    )
    return Figures(f"readings of the paper on {name}", READING_COLUMNS, tuple(rows), notes)


def _weighted_and_content(counts: ClassCounts) -> tuple[float, float]:
    return counts.weighted[2], counts.content.f1


def confusion_figures(examples: Sequence[NoiseExample], name: str) -> Figures:
    """The confusion matrix of the paper's tree by three protocols."""
    sites = sum(paper_protocol(examples).values(), start=ClassCounts())
    pooled = score_split(join_lines(dataset_lines(examples).values()), AS_PUBLISHED)
    unseen = score_unseen(examples, AS_PUBLISHED)
    rows: list[tuple[object, ...]] = []
    for protocol, each in (("sites", sites), ("pooled", pooled), ("unseen", unseen)):
        rows.append((f"{protocol}: noise", each.noise, each.false))
        rows.append((f"{protocol}: content", each.missed, each.hits))
    columns = ("nodes that are", "answered noise", "answered content")
    return Figures(f"confusion matrix of the paper's tree on {name}", columns, tuple(rows))


def experiment_figures(
    examples: Sequence[NoiseExample], name: str, progress: Progress
) -> dict[str, Figures]:
    """The paper's table, ours beside it; of several sites the readings and confusion matrix too.

    Those need sites that the tree has not seen.
    """
    tables = {"published": published_figures(), "datasets": dataset_figures(examples, name)}
    if len(by_site(examples)) > 1:
        tables["readings"] = reading_figures(examples, name, progress)
        tables["confusion"] = confusion_figures(examples, name)
    return tables


# -- the file of six attributes ---------------------------------------------------------------


def write_attributes(
    examples: Sequence[NoiseExample], folder: Path, settings: PaperSettings = AS_PUBLISHED
) -> int:
    """Write the file of attributes of each site as CSV and ARFF; the number of sites."""
    folder.mkdir(parents=True, exist_ok=True)
    every = dataset_lines(examples, settings)
    for site, lines in every.items():
        name = site.replace("/", "_")
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow((*settings.names, "noise"))
            writer.writerows(_cells(lines))
        arff = "".join(f"{line}\n" for line in _arff_lines(site, settings.names, lines))
        (folder / f"{name}.arff").write_text(arff, encoding="utf-8")
    return len(every)


def _arff_lines(site: str, names: Sequence[str], lines: PaperLines) -> Iterable[str]:
    yield f"@relation '{site.replace(chr(39), '')}'"
    yield from (f"@attribute {name} numeric" for name in names)
    yield "@attribute noise {yes,no}"
    yield "@data"
    yield from (",".join(map(str, cells)) for cells in _cells(lines))


def _cells(lines: PaperLines) -> Iterable[tuple[object, ...]]:
    for features, content in zip(lines.features.tolist(), lines.content.tolist(), strict=True):
        yield (*(f"{value:.10g}" for value in features), "no" if content else "yes")
