"""Tables of site templates and of what they give other methods, on sites written by hand."""

import json

import pytest

from pagelet.lab.gold import read_gold
from pagelet.lab.template.evaluation import GAIN_PAGES, SIZES, evaluate_gain, evaluate_template
from pagelet.lab.template.scores import template_finder
from tests.lab.template.test_scores import write_sites
from tests.page.test_site import SHOP


@pytest.fixture(scope="module")
def figures(tmp_path_factory):
    folder = write_sites(tmp_path_factory.mktemp("labelled"))
    return evaluate_template(folder, grid=True)


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


@pytest.fixture(scope="module")
def shops(tmp_path_factory):
    folder = tmp_path_factory.mktemp("labelled")
    for site in ("one", "two"):
        (folder / site).mkdir()
        for at, page in enumerate(SHOP):
            (folder / site / f"{at}.html").write_text(page.source)
    story = {"main_xpath": "//div[@class='b']"}
    (folder / "sites.json").write_text(json.dumps({"one": story, "two": story}))
    return folder


def test_a_template_is_found_by_the_pages_own_site(shops):
    gold = read_gold(shops)
    template = template_finder(shops)(gold.pages[0])
    assert template is not None
    (holder,) = gold.pages[0].rows("content")
    assert template.rows[holder]
    assert not template.rows[holder + 1 : gold.pages[0].page.end[holder]].any()


def test_content_gains(shops):
    figures = evaluate_gain(shops, read_gold(shops))
    assert figures.value("known", "content P") > figures.value("unknown", "content P")
    assert figures.value("known", "content F1") > figures.value("unknown", "content F1")
    assert figures.value("known", "pages") == min(GAIN_PAGES, len(SHOP)) * 2
    assert figures.value("known, one half", "pages") == len(SHOP)
