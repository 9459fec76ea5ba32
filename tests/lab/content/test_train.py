"""ContentTraining on one's own pages: honest folds, the comparison, the model file and its card."""

import json
from pathlib import Path

import numpy as np
import pytest

from pagelet import extract
from pagelet.errors import NoGold, OptionError
from pagelet.lab import data as lab_data
from pagelet.lab.content import fit as content_fit
from pagelet.lab.content import train
from pagelet.lab.content.examples import (
    all_examples,
    check_sites,
    read_corpora,
    read_examples,
)
from pagelet.lab.content.fit import calibrate_models, unseen_models
from pagelet.lab.content.scores import ContentGold, read_labelled
from pagelet.lab.content.train import ContentTraining, compare, held_out, train_content
from pagelet.lab.data import data_digest, use_one_thread
from pagelet.methods.content.model import content_model, read_content_model
from tests.labelled import html_of, prose, write_labelled, write_marked


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    """No corpora at hand."""
    monkeypatch.setenv("PAGELET_DATA", str(tmp_path / "nowhere"))


@pytest.fixture
def few_trees(monkeypatch):
    """Fits of a few trees on one thread: busy machines make several wait for each other."""
    use_one_thread()
    monkeypatch.setattr(content_fit, "TREES", 12)
    monkeypatch.setattr(
        content_fit, "PARAMETERS", content_fit.PARAMETERS | {"num_threads": 1, "learning_rate": 0.4}
    )


@pytest.fixture
def examples(tmp_path):
    return read_examples(read_labelled(write_labelled(tmp_path / "own")))


def silent(_):
    pass


# -- corpora ----------------------------------------------------------------------------------


def test_the_folder_comes_first_and_no_corpus_twice(tmp_path, monkeypatch):
    for name in ("wcxb", "mixed", "own"):
        write_labelled(tmp_path / name, pages=2)
    monkeypatch.setenv("PAGELET_DATA", str(tmp_path))
    corpora = read_corpora(tmp_path / "mixed", alone=False, report=silent)
    assert [(corpus.name, corpus.is_shipped) for corpus in corpora] == [
        ("mixed", True),
        ("wcxb", True),
    ]
    own = read_corpora(tmp_path / "own", alone=True, report=silent)
    assert [(corpus.name, corpus.is_shipped) for corpus in own] == [("own (the user's own)", False)]
    assert len(all_examples(corpora)) == 4


def test_progress_is_told_page_by_page(tmp_path, nowhere):
    steps = []
    folder = write_labelled(tmp_path / "own", pages=3)
    read_corpora(folder, alone=False, report=silent, progress=lambda *step: steps.append(step))
    assert steps == [("reading own", done, 3) for done in (1, 2, 3)]


def test_pages_of_one_site_cannot_be_split(tmp_path):
    folder = write_labelled(tmp_path, pages=3, domains=1)
    with pytest.raises(NoGold, match="of one site, and 2 are needed"):
        check_sites(read_examples(read_labelled(folder)), folder)


# -- folds ------------------------------------------------------------------------------------


def test_no_model_of_a_fold_saw_a_domain_of_it(examples, monkeypatch):
    seen = []

    def fit(examples, **options):
        seen.append(
            ({each.gold.domain for each in examples}, options["calibrate"], options["seed"])
        )
        return content_model()

    monkeypatch.setattr(content_fit, "fit_content", fit)
    monkeypatch.setattr(content_fit, "calibrate_models", lambda models, _: models)
    folds = sorted({each.fold for each in examples})
    assert len(folds) > 2
    assert list(unseen_models(examples, folds, seed=3)) == folds
    every = {each.gold.domain: each.fold for each in examples}
    for fold, (domains, calibrate, seed) in zip(folds, seen, strict=True):
        assert domains == {domain for domain in every if every[domain] != fold}
        assert (calibrate, seed) == (False, 3)


def test_a_fold_is_as_sure_as_the_others_turned_out(monkeypatch):
    pairs = {0: [(0.5, 0.1)], 1: [(0.5, 0.2)], 2: [(0.5, 0.9)]}
    monkeypatch.setattr(content_fit, "_pairs", lambda model, fold, examples: pairs[fold])
    shipped = content_model()
    made = calibrate_models(dict.fromkeys(pairs, shipped), ())
    # one bin a pair, pooled until they rise, so every value is that of the other folds
    assert [model.confidence(0.5) for model in made.values()] == pytest.approx([0.9, 0.9, 0.2])
    assert all(model.reached.max() < 1 for model in made.values())
    assert all(model.trees is shipped.trees for model in made.values())


# -- the comparison ---------------------------------------------------------------------------


def gold(domain):
    return ContentGold(domain, None, domain, "article", "text")


@pytest.mark.parametrize(("domains", "held"), [(1, 0), (2, 1), (5, 1), (6, 2), (50, 10)], ids=str)
def test_a_fifth_of_the_domains_is_held_out(domains, held):
    golds = [gold(f"{at}.example") for at in range(domains)] * 2
    found = held_out(golds)
    assert len(found) == held
    assert held_out(golds[::-1]) == found


def test_what_is_held_out_is_not_learned_from(examples, monkeypatch):
    golds = [each.gold for each in examples]
    left_out = held_out(golds)

    def fit(examples, **options):
        assert left_out
        assert not left_out & {each.gold.domain for each in examples}
        return content_model()

    monkeypatch.setattr(train.content_fit, "fit_content", fit)
    found = compare(golds, examples, seed=1, report=silent)
    assert found.new == found.shipped
    assert (found.domains, found.pages) == (2, 4)


def test_too_few_sites_are_not_compared(examples):
    lines = []
    some = [each for each in examples if each.gold.domain == examples[0].gold.domain]
    assert compare([each.gold for each in some], examples, seed=1, report=lines.append) is None
    assert "nothing is compared" in lines[0]


# -- the whole --------------------------------------------------------------------------------


@pytest.mark.parametrize("write", [write_labelled, write_marked])
def test_a_model_is_learned_written_and_used(tmp_path, nowhere, few_trees, write):
    folder = write(tmp_path / "own")
    target = tmp_path / "made.npz"
    compared = train_content(folder, target, ContentTraining(seed=5), report=silent)
    assert compared.new["F1"] > 0.95
    assert set(compared.new) == {"precision", "recall", "F1"}
    answer = extract(html_of(99), model=str(target))
    assert answer.splitlines() == prose(99)
    card = json.loads((tmp_path / "made.json").read_text())
    (data,) = card["data"].values()
    assert (data["pages"], data["domains"], data["licence"]) == (20, 10, "the user's own")
    assert data["digest"] == data_digest(folder)
    assert card["figures"]["F1"] == round(compared.new["F1"], 4)
    assert card["learner"]["seed"] == 5
    assert card["features"] == list(read_content_model(target.read_bytes(), "made").trees.names)
    assert card["file"]["bytes"] == target.stat().st_size


def test_the_same_data_and_seed_give_the_same_bytes(tmp_path, nowhere, few_trees):
    folder = write_labelled(tmp_path / "own", pages=10, domains=5)
    written = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        target = tmp_path / name / "made.npz"
        train_content(folder, target, ContentTraining(seed=2), report=silent)
        written.append([target.read_bytes(), target.with_suffix(".json").read_bytes()])
        assert sorted(path.name for path in target.parent.iterdir()) == ["made.json", "made.npz"]
    assert written[0] == written[1]


def test_no_card_when_none_is_wanted(tmp_path, nowhere, monkeypatch):
    monkeypatch.setattr(train.content_fit, "fit_content", lambda *_, **__: content_model())
    folder = write_labelled(tmp_path / "own", pages=10, domains=5)
    train_content(folder, tmp_path / "made.npz", ContentTraining(card=False), report=silent)
    assert not (tmp_path / "made.json").exists()
    made = read_content_model((tmp_path / "made.npz").read_bytes(), "made")
    np.testing.assert_array_equal(made.trees.value, content_model().trees.value)


@pytest.mark.parametrize(
    ("name", "why"), [("model", "ends in .npz"), ("none/model.npz", "no such folder")]
)
def test_a_file_that_cannot_be_is_said_before_the_work(tmp_path, name, why):
    with pytest.raises(OptionError, match=why):
        train_content(tmp_path, tmp_path / name, ContentTraining(), report=silent)


def test_a_write_that_fails_is_an_error_of_the_option(tmp_path, monkeypatch):
    def write(self, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", write)
    with pytest.raises(OptionError, match="no space left"):
        lab_data.write_model(content_model(), tmp_path / "made.npz", ())
