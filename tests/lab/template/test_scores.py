"""Labelled templates: which rows are template, and how answers are counted."""

import json

import numpy as np
import pytest

from pagelet import parse
from pagelet.errors import NoGold
from pagelet.lab.template.scores import read_template_sites, score_template
from tests.methods.sites import NAMES, html_of


def write_sites(folder):
    """Two sites with labels, one without."""
    for site in ("one", "two", "bare"):
        for name in NAMES:
            path = folder / site / "html" / f"{name}.html"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(html_of(name))
    (folder / "one" / "html" / "odd.html").write_text("<p>another template</p>")
    story = {"main_xpath": "//div[@class='story']"}
    labels = {"one": story, "two": story, "bare": {"main_xpath": ""}}
    (folder / "sites.json").write_text(json.dumps(labels))
    return folder


def test_pages_that_the_path_finds_are_labelled(tmp_path):
    sites = {site.name: site for site in read_template_sites(write_sites(tmp_path))}
    assert set(sites) == {"one", "two"}
    one = sites["one"]
    assert len(one.pages) == len(NAMES)
    page, own = one.pages[0], one.own[0]
    assert [page.name(row) for row in np.flatnonzero(own) if page.element[row]] == ["h1"] + [
        "p"
    ] * 5
    assert one.site.load(page.url).texts == page.texts


@pytest.mark.parametrize(
    ("most", "chosen"), [(1, [0]), (3, [0, 3, 6]), (5, [0, 2, 3, 4, 6]), (99, range(7))]
)
def test_key_pages_are_evenly_spaced(tmp_path, most, chosen):
    site = next(iter(read_template_sites(write_sites(tmp_path))))
    assert [page.url for page, _ in site.key_pages(most)] == [site.pages[at].url for at in chosen]


def test_classes_of_the_authors(tmp_path):
    for name in ("a", "b"):
        folder = tmp_path / "first"
        folder.mkdir(exist_ok=True)
        own = f"<div class=TECO_notTemplate><b>own</b> {name}</div>"
        text = f"<p class='TECO_template x'>menu</p>{own}"
        (folder / f"{name}.html").write_text(text)
    (folder / "c.html").write_text("<p>no labels")
    (site,) = read_template_sites(tmp_path)
    assert (site.name, len(site.pages)) == ("first", 2)
    page, own = site.pages[0], site.own[0]
    assert [page.text(row) or page.name(row) for row in np.flatnonzero(own)] == [
        "div",
        "b",
        "own",
        " a",
    ]
    assert page.attribute("class") == {3: "x", 5: ""}
    assert site.site.load("https://first/c.html").texts == ("no labels",)


def test_a_folder_of_blocks_has_no_templates(tmp_path):
    (tmp_path / "x.blocks.html").write_text("<p data-block=1 data-block-type=Menu>x")
    with pytest.raises(NoGold):
        list(read_template_sites(tmp_path))


def test_rows_are_counted():
    page = parse("<p>a</p><script>s</script><div><b>c</b></div>")
    own, shared = np.zeros((2, len(page)), np.bool_)
    own[page.row("/html/body/div/b") :] = True
    shared[: page.row("/html/body/div")] = True
    score = score_template(page, shared, own)
    assert (score.nodes, score.gold, score.retrieved, score.both) == (6, 4, 3, 3)
    assert (score.overlap.precision, score.overlap.recall) == (1, 0.75)


def test_nothing_said_scores_nothing():
    page = parse("<p>a</p>")
    none = np.zeros(len(page), np.bool_)
    assert score_template(page, none, none).overlap.f1 == 0
