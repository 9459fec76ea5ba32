"""The paper's experiment on a small folder: a row per dataset, readings, files of attributes."""

import csv
from itertools import takewhile

import numpy as np
import pytest

from pagelet.lab import ignore_progress
from pagelet.lab.c45 import C45Options
from pagelet.lab.noise.experiment import (
    PaperSettings,
    confusion_figures,
    dataset_figures,
    dataset_lines,
    fit_paper,
    paper_protocol,
    published_figures,
    read_lines,
    reading_figures,
    site_query,
    write_attributes,
)
from pagelet.lab.noise.fit import read_examples
from pagelet.lab.noise.scores import read_noise
from pagelet.lab.noise.splits import by_site
from pagelet.methods.noise.paper import PAPER_FEATURES
from tests.results import write_results


@pytest.fixture(scope="module")
def examples(tmp_path_factory):
    made = tmp_path_factory.mktemp("records")
    write_results(made)
    return read_examples(read_noise(made))


def test_every_site_is_a_dataset_with_a_query_of_all_its_searches(examples):
    sites = by_site(examples)
    assert set(paper_protocol(examples)) == set(sites)
    for pages in sites.values():
        assert site_query(pages).words == set().union(*(each.gold.query.words for each in pages))


def test_the_table_has_a_row_per_dataset_and_the_pooled_ones(examples):
    figures = dataset_figures(examples, "own")
    names = [row[0] for row in figures.rows]
    assert names == [*by_site(examples), "mean of the datasets", "nodes, a tree each",
                     "nodes, one tree"]  # fmt: skip
    assert figures.columns == published_figures().columns
    assert all(0 <= cell <= 100 for row in figures.rows for cell in row[1:])


def test_readings_differ_in_features_rows_and_tree(examples):
    named = {row[0]: row for row in reading_figures(examples, "own", ignore_progress).rows}
    assert "without the query" in named
    assert named["tree"][3] > 0.8
    without = PaperSettings(query=False)
    assert without.names == ("density", "density_sum", "body_distance")
    page, query = examples[0], site_query(examples[:1])
    every = read_lines(page, query, PaperSettings(nodes="all"))
    assert len(every.content) > len(read_lines(page, query).content)


def test_the_model_says_which_density_sum_it_was_made_with(examples):
    settings = PaperSettings(density_sum="descendants", tree=C45Options(raise_subtrees=False))
    assert fit_paper(examples, settings).names[1] == "descendant_density_sum"
    assert fit_paper(examples).names == PAPER_FEATURES


def test_the_confusion_matrix_counts_every_node_of_unseen_sites(examples):
    rows = {row[0]: row[1:] for row in confusion_figures(examples, "own").rows}
    nodes = sum(len(each.sheet.units) for each in examples)
    assert sum(rows["unseen: noise"]) + sum(rows["unseen: content"]) == nodes
    assert sum(rows["sites: noise"]) + sum(rows["sites: content"]) < nodes / 2


def test_files_of_six_attributes_hold_every_node_and_its_class(examples, tmp_path):
    assert write_attributes(examples, tmp_path) == len(by_site(examples))
    for site, lines in dataset_lines(examples).items():
        with (tmp_path / f"{site}.csv").open(encoding="utf-8", newline="") as file:
            head, *rows = csv.reader(file)
        assert head == [*PAPER_FEATURES, "noise"]
        assert [row[-1] == "no" for row in rows] == lines.content.tolist()
        values = np.array([row[:-1] for row in rows], float)
        np.testing.assert_allclose(values, lines.features, rtol=1e-9)
        arff = (tmp_path / f"{site}.arff").read_text(encoding="utf-8").splitlines()
        declared = list(takewhile(lambda line: line != "@data", arff))
        assert declared[-1] == "@attribute noise {yes,no}"
        assert [line.split(",") for line in arff[len(declared) + 1 :]] == rows
