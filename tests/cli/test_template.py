"""`pagelet template` and `pagelet learn`."""

import json
import subprocess
import sys

import pytest

from pagelet.lab.template import search
from pagelet.lab.template.search import search_relation
from tests.lab.template.test_scores import write_sites
from tests.methods.sites import NAMES, board_pages, html_of, shop_pages, words


@pytest.fixture
def site(tmp_path):
    for name in NAMES:
        path = tmp_path / "site" / f"{name}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(html_of(name))
    return tmp_path / "site"


def test_the_page_without_its_template(run, site):
    code, out, err = run("template", site / "news/one.html", "--site", site)
    assert code == 0
    assert out.startswith("About news/one\nword")
    assert "rights" not in out
    assert "of nodes" in err


@pytest.mark.parametrize(
    ("format", "begins"), [("markdown", "# About news/one"), ("html", "<h1>About news/one</h1>")]
)
def test_other_forms(run, site, format, begins):
    assert run("template", site / "news/one.html", "--site", site, "-f", format)[1].startswith(
        begins
    )


def test_the_template_as_a_page(run, site):
    out = run("template", site / "news/one.html", "--site", site, "-f", "page")[1]
    assert "All rights reserved" in out
    assert "word" not in out
    assert 'src="logo.png"' in out  # addresses stay as written


def test_json_tells_slots_and_template(run, site):
    form = json.loads(run("template", site / "news/one.html", "--site", site, "-f", "json")[1])
    assert form["url"] is None  # as of every page from a file; --url says otherwise
    assert form["pagelets"][0]["path"] == "/html/body/div[3]/h1"
    assert form["template"]["known"] is True


def test_votes_in_json_and_slots_in_a_list(run, site):
    page = site / "news/one.html"
    form = json.loads(run("template", page, "--site", site, "-f", "json", "--explain")[1])
    assert form["template"]["votes"]["/html/body"] >= 2
    listed = run("template", page, "--site", site, "-e")[1]
    assert "slot" in listed
    assert "other pages" in listed


def test_the_paper(run, site):
    code, _, err = run("template", site / "news/one.html", "--site", site, "-p", "paper")
    assert (code, "3 pages compared" in err) == (0, True)


def test_without_a_site_is_a_usage_error(run, site):
    code, out, err = run("template", site / "news/one.html", "-f", "json")
    assert (code, out) == (2, "")
    assert "--site DIR" in err
    assert "--template FILE" in err


def test_learned_applied_and_updated(run, site, tmp_path):
    file = tmp_path / "t.json"
    assert run("learn", site, "-o", file, "--pages", "3")[0] == 0
    assert json.loads(file.read_text())["learned"] == 3
    code, out, err = run("learn", site, "-o", file, "--update")
    assert (code, "7 pages learned" in out) == (0, True)
    (tmp_path / "new.html").write_text(html_of("brand/new"))
    code, out, err = run("template", tmp_path / "new.html", "--template", file)
    assert out.startswith("About brand/new")
    assert "fit" in err


def test_a_page_that_does_not_fit_is_told(run, site, tmp_path):
    file = tmp_path / "t.json"
    run("learn", site, "-o", file)
    (tmp_path / "new.html").write_text("<p>Something <b>else</b>")
    code, out, err = run("template", tmp_path / "new.html", "--template", file)
    assert (code, out.strip()) == (0, "")
    assert "does not fit" in err


def write_pages(folder, pages):
    folder.mkdir(exist_ok=True)
    for at, html in enumerate(pages):
        (folder / f"{at}.html").write_text(html)
    return folder


def test_two_layouts_are_two_templates_in_one_file(run, tmp_path):
    folder = write_pages(tmp_path / "both", [*shop_pages(5), *board_pages(5)])
    code, out, err = run("learn", folder, "-o", tmp_path / "t.json")
    assert (code, "2 layouts" in out, "warning" in err) == (0, True, False)
    form = json.loads((tmp_path / "t.json").read_text())
    assert sorted(map(len, form["layouts"])) == [5, 5]
    for html, own in ((shop_pages(9)[8], "About shop8"), (board_pages(9)[8], "About board8")):
        (tmp_path / "new.html").write_text(html)
        page = run("template", tmp_path / "new.html", "--template", tmp_path / "t.json")
        assert page[1].startswith(own)
        assert "of 2" in page[2]
        arguments = (tmp_path / "new.html", "--template", tmp_path / "t.json", "-f", "json")
        template = json.loads(run("template", *arguments)[1])["template"]
        assert (0.9 < template["fit"] <= 1, template["layouts"]) == (True, 2)


def test_pages_of_unrelated_sites_are_told(run, site, tmp_path):
    write_pages(site, board_pages(4))
    other = [
        f"<body><article><section><h2>{words(at)}</h2></section></article></body>"
        for at in range(3)
    ]
    write_pages(site / "other", other)
    code, _, err = run("learn", site, "-o", tmp_path / "t.json")
    assert (code, "warning: these are 2 unrelated groups" in err) == (0, True)
    assert "neither structure nor words" in err


def test_nothing_to_learn_is_told(run, tmp_path):
    (tmp_path / "empty").mkdir()
    code, _, err = run("learn", tmp_path / "empty", "-o", tmp_path / "t.json")
    assert (code, "no pages" in err) == (2, True)
    assert not (tmp_path / "t.json").exists()


def test_a_missing_template_is_told(run, site, tmp_path):
    code, _, err = run("template", site / "index.html", "--template", tmp_path / "no.json")
    assert (code, "pagelet learn" in err) == (2, True)


def test_evaluate(run, tmp_path):
    code, out, _ = run("evaluate", "template", write_sites(tmp_path), "--format", "json")
    rows = {row["template"]: row for row in json.loads(out)["profiles"]["rows"]}
    assert (code, rows["default"]["F1"]) == (0, 1)


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(search, "CUTS", (0.9,))
    monkeypatch.setattr(search, "WEIGHT_STEPS", 1)


@pytest.mark.usefixtures("few")
def test_the_best_comes_first_and_the_search_says_its_size(run, tmp_path):
    found = search_relation(write_sites(tmp_path), pages=1)
    means = [float(each.f1.mean()) for each in found.settings]
    assert means == sorted(means, reverse=True)
    assert found.runs == 8 * found.pages
    code, out, _ = run("train", "template", tmp_path, "--pages", "1", "-o", tmp_path / "o.json")
    assert (code, "authors report more than 500,000" in " ".join(out.split())) == (0, True)
    form = json.loads((tmp_path / "o.json").read_text())
    assert (form["method"], form["profile"]) == ("template", "paper")
    arguments = ("--options", tmp_path / "o.json", "--from-disk", "--format", "json")
    code, out, _ = run("evaluate", "template", tmp_path, *arguments)
    rows = [row["template"] for row in json.loads(out)["profiles"]["rows"]]
    assert (code, "o.json" in rows, "published, n = 3, v = 2" in rows) == (0, True, True)


def test_an_error_in_a_pipe_is_one_line(tmp_path):
    command = [sys.executable, "-m", "pagelet", "learn", tmp_path, "-o", tmp_path / "t.json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("pagelet: option SITE = ")
    assert "" not in done.stderr.splitlines()
