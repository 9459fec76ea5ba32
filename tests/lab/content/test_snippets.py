"""Snippets that must and must not be in the text: read, counted, scored."""

import json

import pytest
from typer.testing import CliRunner

from pagelet.cli import app
from pagelet.errors import NoGold
from pagelet.lab.content.evaluation import SystemsOptions
from pagelet.lab.content.snippet_gold import SnippetGold, read_snippets
from pagelet.lab.content.snippets import Tally, evaluate_snippets

BODY = "".join(f"<p>The miller ground corn on day {at}, and the wheel turned slowly.</p>"
               for at in range(8))  # fmt: skip
PAGE = f"<title>The mill</title><nav><a href=/>Home of all</a></nav><h1>The mill</h1>{BODY}"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "html").mkdir()
    (tmp_path / "html/a.html").write_text(PAGE)
    label = {"file": "a.html", "with": ["corn  on\nday 3", "no such words"], "without": ["Home of"]}
    gone = {"file": "gone.html", "with": ["x"], "without": []}
    labels = {"https://a.example/": label, "https://b.example/": gone}
    (tmp_path / "snippets.json").write_text(json.dumps(labels))
    return tmp_path


def test_pages_without_a_file_are_left_out(folder):
    (gold,) = read_snippets(folder)
    assert gold.url == "https://a.example/"
    assert gold.domain == "a.example"


def test_counts_by_hand():
    tally = Tally()
    tally.add(SnippetGold("u", None, ("a b", "c"), ("d",)), "x a\n b d")
    tally.add(SnippetGold("u", None, ("e",), ()), "")
    assert (tally.wanted, tally.unwanted, tally.missing, tally.empty) == (1, 1, 2, 1)
    name, f1, precision, recall, *_ = tally.to_row("one", 2)
    assert (name, precision, recall) == ("one", 0.5, 1 / 3)
    assert f1 == pytest.approx(0.4)


def test_both_targets_are_scored(folder):
    found = evaluate_snippets(folder, read_snippets(folder), {}, SystemsOptions())
    assert [row[0].partition("training)")[2] for row in found.rows] == ["", ", article"]
    for row in found.rows:
        assert row[4:8] == (1, 0, 1, 0)


def test_the_command_reads_snippets(folder):
    done = CliRunner().invoke(app, ["evaluate", "content", str(folder), "--no-folds", "-f", "json"])
    assert done.exit_code == 0
    assert json.loads(done.stdout)["rows"][0]["recall"] == 0.5


def test_broken_labels_are_no_labels(folder):
    (folder / "snippets.json").write_text('{"u": {}}')
    with pytest.raises(NoGold, match="snippets"):
        read_snippets(folder)
