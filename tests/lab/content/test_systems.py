"""Content systems side by side: each page by a model of its fold, confidence, page types."""

import json
import xml.etree.ElementTree as ET
from collections import Counter

import pytest

from pagelet.errors import OptionError
from pagelet.lab.content import evaluation as content_systems
from pagelet.lab.content.evaluation import (
    PAPER,
    SHIPPED_ELSEWHERE,
    UNSEEN,
    SelfAssessment,
    SystemsOptions,
    assess,
    evaluate_folder,
    evaluate_unseen,
    folds_of,
    model_files,
    page_types,
    reliability,
    sample,
)
from pagelet.lab.content.scores import ContentGold, read_labelled
from pagelet.methods.content.model import content_model
from tests.labelled import html_of, write_labelled


@pytest.fixture
def folder(tmp_path):
    return write_labelled(tmp_path / "own")


def silent(_):
    pass


def gold(kind, html=b""):
    return ContentGold("1", None, "one.example", kind, "text", body=html)


@pytest.mark.parametrize(
    ("pages", "places"),
    [(None, [0, 1, 2, 3, 4, 5]), (9, [0, 1, 2, 3, 4, 5]), (3, [0, 2, 4]), (4, [0, 1, 3, 4])],
)
def test_a_sample_is_evenly_spaced(pages, places):
    assert sample(range(6), pages) == places


def test_every_page_is_answered_by_the_model_of_its_fold(folder, monkeypatch):
    golds = read_labelled(folder)
    calls = []

    def extract(html, url, *, options=None, profile=None):
        shipped = options is None or options.model == "shipped"
        model, target = (None if shipped else options.model), options and options.target
        calls.append((url, model, target, profile))
        return ""

    monkeypatch.setattr(content_systems, "extract", extract)
    with model_files(dict.fromkeys(folds_of(golds), content_model())) as models:
        found = evaluate_folder(folder, golds, models, SystemsOptions(shipped=True))
    assert list(found.figures.results) == [UNSEEN, SHIPPED_ELSEWHERE, PAPER]
    fold_by_url = {each.url: each.fold for each in golds}
    fitted = [(url, model, target) for url, model, target, _ in calls if model]
    assert {url for url, _, _ in fitted} == set(fold_by_url)
    assert all(models[fold_by_url[url]] == model for url, model, _ in fitted)
    assert {target for _, _, target in fitted} == {"auto"}
    counted = Counter(profile for _, _, _, profile in calls)
    assert counted["paper"] == len(golds) + 1  # the first page once more, to warm up


@pytest.mark.parametrize(
    ("labels", "option", "target"),
    [({"title": "T"}, None, "article"), ({}, None, "auto"), ({"title": "T"}, "all", "all")],
)
def test_the_target_is_what_the_labels_are(tmp_path, labels, option, target):
    folder = write_labelled(tmp_path, pages=2, **labels)
    found = evaluate_folder(folder, read_labelled(folder), {}, SystemsOptions(target=option))
    assert list(found.figures.results) == [SHIPPED_ELSEWHERE, PAPER]
    notes = " ".join(found.tables["all"].notes)
    assert f"Target {target};" in notes
    assert "without its domain" not in notes


def test_peers_are_named_with_their_versions(folder):
    found = evaluate_folder(
        folder, read_labelled(folder)[:2], {}, SystemsOptions(peers=("turbohtml",))
    )
    assert "turbohtml" in found.figures.results
    assert "turbohtml: main_text." in found.tables["all"].notes
    with pytest.raises(OptionError, match="choose from"):
        evaluate_folder(folder, read_labelled(folder)[:2], {}, SystemsOptions(peers=("nobody",)))


def test_tables_and_picture(folder):
    found = evaluate_folder(folder, read_labelled(folder), {}, SystemsOptions())
    assert list(found.tables) == ["all", "types", "confidence", "guessed"]
    written = json.loads(json.dumps(found.to_dict()))
    assert [table["title"] for table in written["tables"]] == [
        each.title for each in found.tables.values()
    ]
    assert ET.fromstring(found.picture()).tag.endswith("svg")


def test_fitted_without_the_pages(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("PAGELET_DATA", str(tmp_path))
    fitted = []

    def unseen(examples, folds, say):
        fitted.append((len(examples), list(folds)))
        return dict.fromkeys(folds, content_model())

    monkeypatch.setattr(content_systems, "unseen_models", unseen)
    monkeypatch.setattr(content_systems, "lightgbm", lambda: None)
    golds = sample(read_labelled(folder), 4)
    found = evaluate_unseen(folder, golds, SystemsOptions(), report=silent)
    assert fitted == [(20, folds_of(golds))]
    assert list(found.figures.results) == [UNSEEN, PAPER]
    few = write_labelled(tmp_path / "few", pages=4, domains=1)
    lines = []
    found = evaluate_unseen(few, read_labelled(few), SystemsOptions(), report=lines.append)
    assert list(found.figures.results) == [SHIPPED_ELSEWHERE, PAPER]
    assert lines[-1] == (
        "labels cover one site; three are needed to score unseen pages: scored without fitting"
    )


# -- what the extractor holds of itself -------------------------------------------------------


def test_reliability_by_hand():
    beliefs = [SelfAssessment(confidence, None) for confidence in (0.9, 0.1, 0.5, 0.7)]
    table = reliability(beliefs, [1.0, 0.0, 0.6, 0.5], "t")
    assert [row[:3] for row in table.rows] == [
        ("0.10 to 0.10", 1, 0.1),
        ("0.50 to 0.50", 1, 0.5),
        ("0.70 to 0.70", 1, 0.7),
        ("0.90 to 0.90", 1, 0.9),
    ]
    assert [row[3] for row in table.rows] == [0.0, 0.6, 0.5, 1.0]
    assert [row[4] for row in table.rows] == pytest.approx([-0.1, 0.1, -0.2, 0.1])
    assert "0.125 off" in table.notes[0]


def test_reliability_has_tenths_of_equally_many_pages():
    beliefs = [SelfAssessment(at / 40, None) for at in range(40)]
    table = reliability(beliefs, [0.5] * 40, "t")
    assert [row[1] for row in table.rows] == [4] * 10


def test_page_types_by_hand():
    golds = [gold(kind) for kind in ("forum", "forum", "article", "unknown")]
    beliefs = [SelfAssessment(1.0, kind) for kind in ("forum", "article", "article", "forum")]
    table = page_types(golds, beliefs, "t")
    assert [row[:3] for row in table.rows] == [("article", 1, 1.0), ("forum", 2, 0.5)]
    assert (table.value("forum", "article"), table.value("forum", "forum")) == (1, 1)
    assert table.notes[0].startswith("2 of 3 pages right, 0.667")


def test_what_is_believed_of_a_page():
    found = assess(gold("article", html_of(1).encode()), content_model(), "auto")
    assert 0 <= found.confidence <= 1
    assert found.page_type is not None
    unsure = content_model().confidence(0.0)  # a page without text
    assert assess(gold("article"), content_model(), "auto") == SelfAssessment(unsure, None)
