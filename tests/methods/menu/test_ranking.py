"""The default menu profile: the sample site, thresholds, reasons."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from pagelet import METHODS, MenuOptions, detect_menu, parse
from pagelet.lab.figures import subtree_overlap
from pagelet.methods.menu.features import find_candidates, menu_features
from pagelet.methods.menu.ranking import all_features, expected_overlap, final_trees
from pagelet.models.trees import load_shipped
from tests.cases import case

SITE = Path("examples/site")
GOLD = json.loads(Path("examples/gold.json").read_text())["pages"]
WITH_MENU = {name: labels["menu"][0] for name, labels in GOLD.items() if labels["menu"]}


def sample(name):
    return parse((SITE / name).read_bytes(), url=f"https://skerrow.example/{name}")


def test_the_menu_of_every_sample_page():
    for name, path in WITH_MENU.items():
        with case(name):
            page = sample(name)
            (menu,) = detect_menu(page)
            assert subtree_overlap(page, menu.row, page.row(path)).f1 > 0.9


@pytest.mark.parametrize("name", ["ja/index.html", "ar/index.html"])
def test_a_menu_that_the_site_does_not_repeat_is_that_of_the_page_alone(name):
    others = [sample(other) for other in ("index.html", "rules.html", "news/index.html")]
    (alone,), (shared,) = detect_menu(sample(name)), detect_menu(sample(name), site=others)
    assert (shared.path, shared.score) == (alone.path, alone.score)


def test_a_menu_that_the_site_repeats_gains_by_it():
    others = [sample(other) for other in ("index.html", "rules.html", "open-day.html")]
    page = sample("news/index.html")
    (alone,), (shared,) = detect_menu(page), detect_menu(page, site=others)
    assert (shared.path, shared.score) == (alone.path, pytest.approx(alone.score + 0.05))


def test_most_of_the_links_of_a_page_count_against_a_list():
    page = sample("open-day.html")
    strict, lenient = (
        detect_menu(page, options=MenuOptions(share_penalty=penalty, min_score=0))[0]
        for penalty in (1.0, 0.0)
    )
    assert strict.path == lenient.path
    assert strict.score < lenient.score


def test_a_page_without_a_menu_gives_none():
    assert len(detect_menu(sample("rules.html"))) == 0


def test_the_rejected_candidate_is_reported():
    found = detect_menu(sample("index.html"), options=MenuOptions(min_score=1.0))
    assert len(found) == 0
    assert found.extra["rejected"]["path"].startswith("/html/body/nav")
    assert 0 < found.extra["rejected"]["score"] < 1


def test_the_threshold_decides():
    page = sample("index.html")
    score = detect_menu(page)[0].score
    assert detect_menu(page, options=MenuOptions(min_score=score))
    assert not detect_menu(page, options=MenuOptions(min_score=float(np.nextafter(score, 1))))


def test_a_higher_size_penalty_never_gives_a_larger_menu():
    page = sample("guides/index.html")
    sizes = [
        int(
            page.size[
                detect_menu(page, options=MenuOptions(size_penalty=penalty, min_score=0))[0].row
            ]
        )
        for penalty in (0.0, 0.05, 0.2, 1.0)
    ]
    assert sizes == sorted(sizes, reverse=True)


def test_the_reason_names_measures_and_their_effects():
    (menu,) = detect_menu(sample("index.html"))
    effects = menu.reason["effects"]
    assert set(effects) < set(menu.reason)
    assert set(effects) <= set(load_shipped("pagelet.methods.menu", "menu").names)


@pytest.mark.parametrize("name", ["index.html", "forum/thread-slugs.html", "shop/index.html"])
def test_choosing_finalists_changes_no_winner(name):
    candidates = find_candidates(sample(name))
    model = load_shipped("pagelet.methods.menu", "menu")
    overlap, finalists, features = expected_overlap(candidates, model)
    every = np.arange(len(candidates.rows))
    table = all_features(candidates, every, menu_features(candidates))
    chance = 1 / (1 + np.exp(-final_trees(model).predict(table.rows)))
    assert finalists[overlap.argmax()] == chance.argmax()
    np.testing.assert_allclose(overlap, np.sqrt(chance[finalists]))
    np.testing.assert_allclose(features, table.rows[finalists])


def test_options_of_the_default_are_those_of_the_registry():
    assert METHODS["menu"].profiles["default"].options == MenuOptions()
    assert dataclasses.asdict(MenuOptions())["min_score"] > 0


def test_a_small_page_may_have_its_menu_as_its_only_list():
    names = ("Home", "News", "About us", "Shop", "Contact")
    items = "".join(f"<li><a href=/{name[:3]}>{name}</a>" for name in names)
    text = "<p>Some text of the page that goes on and on for a while. " * 8
    page = parse(f"<header><nav><ul>{items}</ul></nav></header><h1>Title</h1>{text}")
    [menu] = detect_menu(page)
    assert len(menu.links) == len(names)
