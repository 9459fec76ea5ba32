"""Scores of metadata on small labelled folders."""

import json

import pytest

from pagelet.errors import NoGold
from pagelet.lab.metadata.evaluation import evaluate_metadata, judge, score_pages
from pagelet.lab.metadata.gold import compared, read_metadata_gold
from pagelet.lab.metadata.reliability import count_evidence
from pagelet.metadata.confidence import confidence_of
from pagelet.metadata.lookup import Fact

PAGE = """<html lang=en><title>Rain ahead | Daily Example</title>
<meta name=author content="Anna Ash"><meta property="article:published_time" content="2024-05-06">
<h1>Rain ahead</h1>"""
LABEL = {"title": "rain ahead!", "author": "Anna Ash", "date": "2024-05-07", "tags": ["a"]}
RIGHT, WRONG, MISSING = range(3)


def write_gate(folder, label):
    (folder / "html").mkdir()
    (folder / "html" / "a.html").write_text(PAGE)
    (folder / "snippets.json").write_text(json.dumps({"https://example.org/a": label}))


def write_wcxb(folder, label):
    for part, name, text in (
        ("html", "1.html", PAGE),
        ("ground-truth", "1.json", json.dumps({"url": "https://a.org/", "ground_truth": label})),
    ):
        (folder / part).mkdir()
        (folder / part / name).write_text(text)


def test_each_field_is_right_wrong_or_missing(tmp_path):
    write_gate(tmp_path, {"file": "a.html", **LABEL})
    figures, sure = evaluate_metadata([tmp_path]).values()
    assert [row[:3] for row in sure.rows] == [("all", "", 3)]
    rows = {row[0]: row[1:] for row in figures.rows}
    assert rows["title"] == (1, 1, 0, 0, 1.0)
    assert rows["authors"] == (1, 1, 0, 0, 1.0)
    assert rows["published"] == (1, 0, 1, 0, 0.0)
    assert rows["tags"] == (1, 0, 0, 1, 0.0)
    assert "licence" not in rows


@pytest.mark.parametrize(("day", "right"), [(None, 0), ("2024-05-06", None)])
def test_a_date_where_there_is_none(tmp_path, day, right):
    write_wcxb(tmp_path, {"title": "Rain ahead", "publish_date": day})
    figures = score_pages("t", read_metadata_gold(tmp_path), lambda *_: {"published": "2024"})
    rows = {row[0]: row[2] for row in figures.rows}
    assert rows.get("no date") == right


@pytest.mark.parametrize(
    ("label", "answer", "verdict"),
    [
        ("Anna Ash and Ben Birch", ["Ben Birch", "Anna Ash"], RIGHT),
        ("Anna Ash, MD", ["Anna Ash"], RIGHT),
        (["Anna Ash", "Ben Birch"], ["Anna Ash"], WRONG),
        ("Anna Ash", [], MISSING),
        ("Anna Ash", [""], MISSING),
    ],
)
def test_authors_are_sets_of_names(label, answer, verdict):
    assert judge("authors", answer, compared("authors", label)) == verdict


def test_a_folder_without_labels(tmp_path):
    with pytest.raises(NoGold, match="snippets"):
        read_metadata_gold(tmp_path)


def test_confidences_are_measured_on_other_hosts(tmp_path):
    """Every second page has the wrong author: the confidence of others tells."""
    (tmp_path / "html").mkdir()
    labels = {}
    for at in range(60):
        (tmp_path / "html" / f"{at}.html").write_text(PAGE)
        author = "Anna Ash" if at % 2 else "Ben Birch"
        labels[f"https://host{at}.example/a"] = {"file": f"{at}.html", "author": author}
    (tmp_path / "snippets.json").write_text(json.dumps(labels))
    rows = {row[0]: row[1:] for row in evaluate_metadata([tmp_path]).popitem()[1].rows}
    source, values, sure, right, _ = rows["authors"]
    assert (source, values, right) == ("meta author", 60, 0.5)
    assert 0.5 < sure < 0.65, "lower than the estimate of 0.8, which still counts for ten pages"
    counts = count_evidence([tmp_path])
    assert counts == {"authors": {"meta author 0.8": (30, 60)}}
    assert confidence_of("authors", Fact("Anna", "meta author", 0.8), counts) == 0.54
    assert confidence_of("authors", Fact("Anna", "meta other", 0.8), counts) == 0.8
