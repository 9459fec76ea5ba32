"""Training: weak labels, overlaps, the grid of the paper, honest folds, a real fit."""

import json

import lightgbm
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import MenuOptions, parse
from pagelet.lab.figures import subtree_overlap
from pagelet.lab.gold import Gold, GoldPage, read_gold
from pagelet.lab.learners import join_trees, trees_of
from pagelet.lab.menu import grid as menu_grid
from pagelet.lab.menu.evaluation import evaluate_menu, split_groups
from pagelet.lab.menu.examples import (
    MenuCorpora,
    MenuExample,
    best_overlap,
    labelled_examples,
    menus_of,
    overlaps,
    weak_menu,
)
from pagelet.lab.menu.fit import fit_ranker
from pagelet.methods.menu import MENU
from pagelet.methods.menu.options import PaperMenuOptions
from pagelet.methods.menu.paper import find_menu
from pagelet.methods.menu.ranking import FIRST_TREES, rank
from pagelet.models.trees import read_trees
from tests.build import page_of, trees
from tests.places import PROJECTS

ITEMS = "".join(f"<li><a href='/{n}'>Item {n}</a></li>" for n in range(5))


@given(trees, st.data())
def test_overlaps_equal_pairwise_scores(tree, data):
    page = page_of(tree)
    rows = np.arange(len(page))
    counted = page.sum_subtree(page.counted) > 0
    region = st.lists(st.sampled_from(rows[counted].tolist()), min_size=1, max_size=3)
    menus = data.draw(st.lists(region, min_size=1, max_size=3))
    found = overlaps(page, rows[counted], menus)
    expected = [
        max(subtree_overlap(page, row, *menu).f1 for menu in menus)
        for row in rows[counted].tolist()
    ]
    np.testing.assert_allclose(found, expected)


@pytest.mark.parametrize(
    ("body", "path"),
    [
        pytest.param(f"<nav><ul>{ITEMS}</ul></nav>", "/html/body/nav", id="tag"),
        pytest.param(f"<div role=navigation>{ITEMS}</div>", "/html/body/div", id="role"),
        pytest.param(f"<div id=mainMenu>{ITEMS}</div>", "/html/body/div", id="name"),
        pytest.param(
            f"<nav class=breadcrumb>{ITEMS}</nav><nav>{ITEMS}</nav>",
            "/html/body/nav[2]",
            id="other",
        ),
        pytest.param(f"<footer><nav>{ITEMS}</nav></footer>", None, id="footer"),
        pytest.param("<nav><a href=1>1</a></nav>", None, id="too few links"),
        pytest.param("<p>none</p>", None, id="none"),
    ],
)
def test_weak_labels(body, path):
    page = parse(f"<body>{body}")
    found = weak_menu(page)
    assert (None if found is None else page.path(found)) == path


def test_the_grid_has_the_published_size():
    table = menu_grid.weightings()
    assert len(table) == 3_995
    assert len(table) * len(menu_grid.MENU_THRESHOLDS) * len(menu_grid.ROOT_THRESHOLDS) == 35_955
    np.testing.assert_allclose(table.sum(axis=1), 1)
    published = np.array([0.20, 0.10, 0.30, 0.20, 0.10, 0.10])
    assert np.isclose(table, published).all(axis=1).any()


def labelled(html):
    page = parse(html)
    return GoldPage(page, "site", "page", {"menu": (page.row("/html/body/ul"),)})


def test_the_grid_search_scores_as_the_method_does(monkeypatch):
    few = menu_grid.weightings()[::500]
    monkeypatch.setattr(menu_grid, "weightings", lambda: few)
    pages = [
        labelled(f"<p>Some words here.<ul class=menu>{ITEMS}</ul><p>{'Prose. ' * 40}"),
        labelled(f"<ul>{ITEMS}</ul><div><ul>{ITEMS * 4}</ul></div><p>{'Prose. ' * 9}"),
    ]
    steps = []
    found = menu_grid.grid_search(pages, progress=lambda done, total: steps.append((done, total)))
    assert steps[-1] == (len(few), len(few))
    order = [(-round(setting.f1, 9), setting.seconds) for setting in found]
    assert order == sorted(order)
    assert len({round(setting.f1, 9) for setting in found}) < len(found)  # there are ties
    for setting in found[:: len(found) // 20]:
        scores = []
        for gold in pages:
            choice = find_menu(gold.page, setting.options)
            menu = gold.rows("menu")[0]
            scores.append(subtree_overlap(gold.page, choice.row, menu).f1 if choice else 0.0)
        assert setting.f1 == pytest.approx(np.mean(scores))
    assert isinstance(found[0].options, MenuOptions)


def test_the_time_of_a_setting_is_that_of_the_steps_it_takes(monkeypatch):
    """Properties, weights with candidates, roots and choice: four steps of one tick each."""
    monkeypatch.setattr(menu_grid, "weightings", lambda: np.array([[0.2, 0.1, 0.3, 0.2, 0.1, 0.1]]))
    pages = [labelled(f"<p>Some words here.<ul class=menu>{ITEMS}</ul><p>{'Prose. ' * 40}")]
    found = menu_grid.grid_search(pages, clock=iter(range(1000)).__next__)
    assert {setting.seconds for setting in found} == {4}


def test_the_best_setting_is_written_as_options_are_read():
    options = PaperMenuOptions(amplitude_weight=0.05)
    form = menu_grid.GridSetting(options, 0.9, 0.8, 0.85, 0.001).to_dict()
    assert MENU.with_options(form["profile"], form["options"]) == options
    assert form["figures"] == {"recall": 0.9, "precision": 0.8, "f1": 0.85, "seconds": 0.001}


def test_no_fold_splits_a_site_and_each_is_left_out_once():
    pages = tuple(GoldPage(parse(""), group, f"{group}{n}") for group in "abc" for n in range(3))
    for gold in (Gold("sites", pages), Gold("blocks", pages)):
        left_out = [group for fold in split_groups(gold) for group in fold]
        assert sorted(left_out) == ["a", "b", "c"]


def test_a_real_fit_learns_and_its_arrays_equal_the_learner(tmp_path):
    rng = np.random.default_rng(3)
    table = rng.random((400, 3))
    target = (table[:, 0] > 0.5) * 0.7 + table[:, 1] * 0.2
    booster = lightgbm.train(
        {"verbose": -1, "num_leaves": 7, "min_data_in_leaf": 5},
        lightgbm.Dataset(table, label=target),
        20,
    )
    trees = trees_of(booster.dump_model()["tree_info"], ("a", "b", "c"))
    np.testing.assert_allclose(trees.predict(table), booster.predict(table), atol=1e-9)


def test_the_trees_of_two_ensembles_answer_as_they_did_alone():
    rng = np.random.default_rng(4)
    table = rng.random((300, 4))
    data = lightgbm.Dataset(table, label=table[:, 1] + table[:, 2] ** 2, free_raw_data=False)
    one, two = (
        trees_of(
            lightgbm.train(
                {"verbose": -1, "num_leaves": leaves, "seed": 1}, data, rounds
            ).dump_model()["tree_info"],
            tuple("abcd"),
        )
        for leaves, rounds in ((4, 5), (9, 7))
    )
    both = join_trees(one, two)
    np.testing.assert_allclose(both.predict(table, slice(None, 5)), one.predict(table))
    np.testing.assert_allclose(both.predict(table, slice(5, None)), two.predict(table))


def test_main_menus_of_single_pages_are_read(tmp_path):
    for name in ("html", "ground-truth"):
        (tmp_path / name).mkdir()
    labels = {
        "1": {"menu": "/html/body/ul", "also": ["/html/body/ol"]},
        "2": {"menu": None, "also": []},
        "3": {"menu": "/html/body/ul", "also": [], "unsure": True},
    }
    for name in labels:
        (tmp_path / "html" / f"{name}.html").write_text(f"<ul>{ITEMS}</ul><ol>{ITEMS}</ol>")
        truth = {"url": f"https://www.{name}.example/a"}
        (tmp_path / "ground-truth" / f"{name}.json").write_text(json.dumps(truth))
    (tmp_path / "menus.json").write_text(json.dumps(labels))
    gold = read_gold(tmp_path)
    assert [(page.name, page.group) for page in gold.pages] == [
        ("1", "1.example"),
        ("2", "2.example"),
    ]
    first, second = gold.pages
    assert [first.page.path(row) for (row,) in menus_of(first)] == [
        "/html/body/ul",
        "/html/body/ol",
    ]
    assert menus_of(second) == ()
    notes = " ".join(evaluate_menu(tmp_path, gold, fit=False).notes)
    assert "1 are named, 1 of them labelled; 1 of 1 labelled ones are named" in notes
    assert sorted(group for fold in split_groups(gold) for group in fold) == [
        "1.example",
        "2.example",
    ]


def test_no_example_of_a_site_that_is_left_out():
    table = np.zeros((1, 1))
    examples = tuple(
        MenuExample(group, table, table[0], table[0], corpus, (0, 0), weak=corpus == "weak")
        for group, corpus in (("a", "one"), ("b", "one"), ("a", "weak"))
    )
    assert [each.group for each in MenuCorpora(examples).without({"a"})] == ["b"]


def test_few_pages_need_few_trees_and_their_model_answers():
    """LightGBM stops where nothing is left to divide, before the first trees are complete."""
    pages = read_gold(PROJECTS / "bakery", kind="menu").pages
    model = read_trees(fit_ranker(labelled_examples(pages, "own")).to_bytes(), "own")
    assert len(model.roots) > FIRST_TREES
    assert rank(pages[0].page, model, 0.0, 0.0) is not None


def list_of(items):
    marked = "class=TECO_mainMenu"
    each = "".join(f"<li {marked}><a {marked} href=/{n}>x</a></li>" for n in range(items))
    return f"<ul {marked}>{each}</ul>"


def test_all_nodes_that_the_authors_mark_are_one_menu(tmp_path):
    """A div with a list of four items and one of three: 1 + 13 + 10 rows.

    The first list alone has precision 1 and recall 13/24: F1 26/37 = 0.70.
    """
    (tmp_path / "one").mkdir()
    html = f"<div class=TECO_mainMenu>{list_of(4)}{list_of(3)}</div><p>Prose."
    (tmp_path / "one" / "index.html").write_text(html)
    (gold,) = read_gold(tmp_path).pages
    half = best_overlap(gold.page, gold.page.row("/html/body/div/ul[1]"), menus_of(gold))
    assert (half.precision, half.recall) == (1, 13 / 24)
    assert half.f1 == pytest.approx(0.70, abs=0.005)
    whole = best_overlap(gold.page, gold.page.row("/html/body/div"), menus_of(gold))
    assert whole.f1 == 1


def test_a_folder_of_sites_is_read(tmp_path):
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "index.html").write_text(f"<ul>{ITEMS}</ul>")
    (tmp_path / "sites.json").write_text(json.dumps({"one": {"menu_xpath": "//ul"}}))
    (page,) = read_gold(tmp_path).pages
    assert page.page.path(page.rows("menu")[0]) == "/html/body/ul"
