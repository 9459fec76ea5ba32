"""What other methods gain from a known template, on sites written by hand."""

import json

import pytest

from pagelet.lab.gold import read_gold
from pagelet.lab.template.gain import PAGES, evaluate_gain, templates
from tests.page.test_site import SHOP


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("labelled")
    for site in ("one", "two"):
        (folder / site).mkdir()
        for at, page in enumerate(SHOP):
            (folder / site / f"{at}.html").write_text(page.source)
    story = {"main_xpath": "//div[@class='b']"}
    (folder / "sites.json").write_text(json.dumps({"one": story, "two": story}))
    return folder


def test_a_template_is_found_by_the_pages_own_site(folder):
    gold = read_gold(folder)
    known = templates(folder)(gold.pages[0])
    assert known is not None
    (holder,) = gold.pages[0].rows("content")
    assert known.rows[holder]
    assert not known.rows[holder + 1 : gold.pages[0].page.end[holder]].any()


def test_content_gains(folder):
    figures = evaluate_gain(folder, read_gold(folder))
    assert figures.value("known", "content P") > figures.value("unknown", "content P")
    assert figures.value("known", "content F1") > figures.value("unknown", "content F1")
    assert figures.value("known", "pages") == min(PAGES, len(SHOP)) * 2
    assert figures.value("known, one half", "pages") == len(SHOP)
