"""`pagelet metadata` and `pagelet evaluate metadata`."""

import json

import pytest

PAGE = "examples/site/news/wall-repair.html"


def test_lines_of_what_is_stated(run):
    code, out, _ = run("metadata", PAGE)
    assert code == 0
    lines = dict(line.split(": ", 1) for line in out.splitlines())
    assert lines["title"] == "The west wall is up again"
    assert (lines["authors"], lines["published"]) == ("Tobias Wren", "2026-02-11")
    assert "paywalled" not in lines


def test_where_each_field_was_found(run):
    _, out, _ = run("metadata", PAGE, "--explain")
    assert "authors: Tobias Wren  (text, 0.75)" in out.splitlines()


def test_json(run):
    code, out, _ = run("metadata", PAGE, "-f", "json", "--url", "https://example.org/wall")
    form = json.loads(out)
    assert (code, form["schema"], form["method"]) == (0, 1, "metadata")
    assert (form["url"], form["host"]) == ("https://example.org/wall", "example.org")
    assert form["authors"] == ["Tobias Wren"]
    assert form["sources"]["authors"] == {"from": "text", "confidence": 0.75}


def test_a_page_that_says_nothing(run, tmp_path):
    (tmp_path / "a.html").write_text("")
    code, out, err = run("metadata", tmp_path / "a.html")
    assert (code, out) == (0, "")
    assert "no metadata" in err


@pytest.mark.parametrize("format", ["text", "json"])
def test_evaluation(run, tmp_path, format):
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "a.html").write_text("<h1>Rain ahead of us</h1>")
    label = {"file": "a.html", "title": "Rain ahead of us"}
    (tmp_path / "snippets.json").write_text(json.dumps({"https://example.org/a": label}))
    code, out, _ = run("evaluate", "metadata", tmp_path, "-f", format)
    assert code == 0
    assert "title" in out
