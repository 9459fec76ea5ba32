"""The tables of site templates, on sites written by hand."""

import pytest

from pagelet.lab.template.evaluation import SIZES, evaluate_template
from tests.lab.template.test_scores import write_sites


@pytest.fixture(scope="module")
def figures(tmp_path_factory):
    folder = write_sites(tmp_path_factory.mktemp("labelled"))
    return evaluate_template(folder, grid=True, say=lambda _: None)


def test_every_way_has_a_row_and_every_site(figures):
    names = [row[0] for row in figures.rows]
    assert names[:2] == ["paper", "default"]
    grid = [name for name in names if name.startswith("paper, n =")]
    assert len(grid) == sum(SIZES) == 36
    assert {"default, one", "paper, two", "learned, one", "learned"} <= set(names)


def test_the_default_finds_the_story(figures):
    assert figures.value("default", "F1") == 1
    assert figures.value("learned", "F1") == 1
    assert figures.value("learned", "loads") == 0
    assert figures.value("default", "loads") <= 4


def test_the_mean_is_that_of_the_sites(figures):
    sites = [figures.value(f"paper, {site}", "F1") for site in ("one", "two")]
    assert figures.value("paper", "F1") == pytest.approx(sum(sites) / 2)
    assert figures.value("paper", "pages") == 10
