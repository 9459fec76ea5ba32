"""`pagelet noise`: every way to say the query, records in every form, training and figures."""

import json
import re

import pytest

from tests.results import html_of, records, write_results


@pytest.fixture
def page(tmp_path):
    (tmp_path / "page.html").write_text(html_of(3, "tomato"))
    return tmp_path / "page.html"


def test_every_element_is_answered(run, page):
    code, out, err = run("noise", page, "--query", "tomato", "-f", "json")
    form = json.loads(out)
    assert (code, err) == (0, "")
    assert {item["kind"] for item in form["pagelets"]} == {"content", "noise"}
    assert form["query"]["words"] == ["tomato"]


def test_text_tells_how_much_the_query_helped(run, page):
    code, out, err = run("noise", page, "--query", "tomato")
    assert code == 0
    assert out.startswith("noise ")
    assert len({line.index("/html") for line in out.splitlines()}) == 1  # in columns
    assert re.fullmatch(
        r"\d+ content, \d+ noise; \d+ records; query tomato: \d+ matches changed \d+ answers,"
        r" probabilities by 0\.\d+ on average\n",
        err,
    )
    assert "no query; --query" in run("noise", page, "--records")[2]


def test_a_page_without_text_has_no_records(run, tmp_path):
    (tmp_path / "empty.html").write_text("<p>")
    for options in ((), ("--records",)):
        code, out, err = run("noise", tmp_path / "empty.html", *options)
        assert (code, out) == (0, "")
        assert err.startswith("0 content, 0 noise; no records")


@pytest.mark.parametrize("format", ["text", "json", "html"])
def test_records_in_every_form(run, page, format):
    code, out, _ = run("noise", page, "-q", "tomato", "--records", "-f", format)
    assert code == 0
    for title, _, text in records(3, "tomato"):
        assert title in out or text in out
    assert "All rights reserved" not in out
    if format == "json":
        assert all("fields" in json.loads(line) for line in out.splitlines())


def test_forms_and_submissions_are_read(run, page, tmp_path):
    (tmp_path / "form.html").write_text("<form><label>Plant <input name=q></label></form>")
    (tmp_path / "s.jsonl").write_text('{"labels": {"q": "Plant"}, "values": {"q": ["tomato"]}}\n')
    told = ("--form", tmp_path / "form.html", "--submissions", tmp_path / "s.jsonl")
    code, out, _ = run("noise", page, "-f", "json", *told)
    assert code == 0
    assert json.loads(out)["query"]["words"] == ["tomato"]
    assert run("noise", page, "--submissions", tmp_path / "form.html")[0] == 2


@pytest.mark.parametrize("profile", ["default", "paper"])
def test_density_is_the_baseline(run, page, profile):
    code, out, _ = run("noise", page, "--method", "cetd", "-p", profile, "-f", "json")
    assert code == 0
    assert "density" in json.loads(out)["pagelets"][0]["reason"]


def test_a_model_is_trained_and_used(run, page, tmp_path):
    write_results(tmp_path / "data", sites=1)
    code, out, _ = run("train", "noise", tmp_path / "data", "-o", tmp_path / "m.npz")
    assert code == 0
    assert "pages unseen" in out
    assert run("noise", page, "--model", tmp_path / "m.npz")[0] == 0


def test_figures_of_a_folder(run, tmp_path, monkeypatch):
    monkeypatch.setenv("PAGELET_DATA", str(tmp_path))
    write_results(tmp_path / "data")
    code, out, _ = run("evaluate", "noise", tmp_path / "data", "--fit", "-f", "json")
    tables = json.loads(out)
    assert code == 0
    assert [row["noise"] for row in tables["unseen"]["rows"]][-1] == "cetd"
    assert tables["published"]["rows"][0]["dataset"] == "e4s"
    assert run("evaluate", "noise", tmp_path)[0] in (0, 4)
