"""Evaluation tables on small labelled folders."""

import json
from pathlib import Path

import pytest

from pagelet.lab.clutter import LABELS, char_counts, evaluate_clutter
from pagelet.lab.gold import read_gold
from pagelet.lab.menu.evaluation import evaluate_menu
from pagelet.lab.menu.examples import score_menus

EXAMPLES = Path("examples")


def test_the_sample_site_is_solved_without_fitting():
    gold = read_gold(EXAMPLES)
    figures = evaluate_menu(EXAMPLES, gold, fit=False)
    assert figures.value("default, shipped", "F1") > 0.93  # all but the leaflet
    assert figures.value("default, shipped", "F1") > figures.value("paper", "F1")
    json.dumps(figures.to_dict())


def test_means_are_taken_within_groups_first():
    gold = read_gold(EXAMPLES)
    right = score_menus(gold.pages, lambda page: page.rows("menu")[0], by_page=False)
    wrong = score_menus(gold.pages, lambda page: None, by_page=False)
    assert (right.f1, right.perfect, wrong.f1) == (1.0, 1.0, 0.0)


def test_clutter_figures_of_the_sample_site():
    figures = evaluate_clutter(read_gold(EXAMPLES))
    names = [row[0] for row in figures.rows]
    assert {"paper", "default", "default, --site", "geometric decay 0.10"} <= set(names)
    assert all(0 <= cell <= 1 for row in figures.rows for cell in row[1:5])


def test_clutter_counts_characters(tmp_path):
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "a.html").write_text("<ul><li><a href=/>four</a></ul><p>sixsix</p>")
    (tmp_path / "sites.json").write_text(json.dumps({"site": {"menu_xpath": "//ul"}}))
    (gold,) = read_gold(tmp_path).pages
    everything = gold.page.counted
    assert char_counts(gold, everything, gold.mask(*LABELS)) == (4, 10, 4)


@pytest.mark.parametrize("label", ["menu", "navigation"])
def test_labels_of_sites(label):
    assert any(page.rows(label) for page in read_gold(EXAMPLES).pages)
