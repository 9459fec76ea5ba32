"""Training of noise removal on a small folder: protocols, files, the same answer twice."""

import json

import numpy as np
import pytest

from pagelet import Query, detect_noise, parse
from pagelet.errors import OptionError
from pagelet.lab.learners import site_folds
from pagelet.lab.noise.fit import read_examples
from pagelet.lab.noise.scores import read_noise
from pagelet.lab.noise.splits import node_split
from pagelet.lab.noise.train import NoiseTraining, other_pages, train_noise
from pagelet.methods.noise.decision import read_noise_model
from pagelet.methods.noise.options import NoiseOptions, PaperNoiseOptions
from tests.results import html_of, write_results


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("records")
    write_results(made)
    return made


def quiet(_):
    """Report nothing."""


def test_folds_never_split_a_site_and_are_even():
    fold = site_folds([f"site{at % 11}" for at in range(40)])
    sizes = np.bincount(list(fold.values()))
    assert len(fold) == 11
    assert sizes.max() - sizes.min() <= 1


def test_the_paper_protocol_learns_from_two_thirds_of_the_nodes(folder):
    examples = read_examples(read_noise(folder))
    for pages, seen in node_split(examples, 1):
        inside = np.concatenate(seen)
        assert len({each.gold.site for each in pages}) == 1
        assert 0.5 < inside.mean() < 0.8


def test_other_pages_of_the_site_teach_what_is_content(folder):
    examples = read_examples(read_noise(folder))
    likely = [np.full(len(each.sheet.units), 0.5) for each in examples]
    after = other_pages(examples, likely)
    for each, own in zip(examples, after, strict=True):
        assert ((own >= 0.5) == (each.label >= 0.5)).mean() > 0.9


def test_a_tree_of_the_paper_is_written_and_used(folder, tmp_path):
    target = tmp_path / "tree.npz"
    found = train_noise(folder, target, NoiseTraining(profile="paper"), report=quiet)
    assert set(found) == {"nodes, 66 of 100", "sites unseen"}
    options = PaperNoiseOptions(model=str(target))
    page = parse(html_of(9, "tomato"))
    kinds = {item.kind for item in detect_noise(page, options=options)}
    assert kinds == {"content", "noise"}
    card = json.loads(target.with_suffix(".json").read_text())
    assert card["features"][2] == "query_score"


def test_a_model_of_our_own_is_fitted_alike_twice(folder, tmp_path):
    files = [tmp_path / "one.npz", tmp_path / "two.npz"]
    for file in files:
        found = train_noise(folder, file, NoiseTraining(), report=quiet)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert found["sites unseen"].content.f1 > 0.8
    page, query = parse(html_of(9, "tomato")), Query.of(["tomato"])
    answers = detect_noise(page, options=NoiseOptions(model=str(files[0])), query=query)
    assert sum(item.kind == "content" for item in answers) >= 8
    assert read_noise_model(files[0].read_bytes(), "0").memory == {}


def test_few_sites_give_the_shipped_model_a_memory(tmp_path):
    write_results(tmp_path / "own", sites=1)
    target = tmp_path / "own.npz"
    found = train_noise(tmp_path / "own", target, NoiseTraining(card=False), report=quiet)
    assert set(found) == {"nodes, 66 of 100", "pages unseen"}
    assert found["pages unseen"].content.f1 > 0.9
    assert read_noise_model(target.read_bytes(), "own").memory
    assert not target.with_suffix(".json").exists()


@pytest.mark.parametrize("name", ["model.json", "no/such/folder/model.npz"])
def test_a_target_that_cannot_be_is_refused_first(name, folder, tmp_path):
    with pytest.raises(OptionError):
        train_noise(folder, tmp_path / name, NoiseTraining(), report=pytest.fail)
