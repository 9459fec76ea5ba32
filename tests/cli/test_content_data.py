"""`pagelet train content` and `pagelet evaluate content` on a small folder."""

import json

import pytest

from pagelet.lab.content import fit as content_fit
from pagelet.lab.data import use_one_thread
from tests.labelled import write_labelled

use_one_thread()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("PAGELET_DATA", str(tmp_path / "nowhere"))
    monkeypatch.setattr(content_fit, "TREES", 8)
    monkeypatch.setattr(
        content_fit, "PARAMETERS", content_fit.PARAMETERS | {"num_threads": 1, "learning_rate": 0.4}
    )
    return write_labelled(tmp_path / "own", pages=10, domains=8)


def test_train(run, folder, tmp_path):
    model = tmp_path / "made.npz"
    code, out, err = run("train", "content", folder, "--output", model, "--seed", 3)
    assert code == 0, err
    assert "shipped, may have seen these pages" in out
    assert out.splitlines()[-1] == f"model: {model}"
    assert "trees fitted" in err
    assert json.loads(model.with_suffix(".json").read_text())["learner"]["seed"] == 3


def test_evaluate_with_folds(run, folder, tmp_path):
    picture = tmp_path / "picture.svg"
    code, out, err = run(
        *("evaluate", "content", folder, "--pages", 4, "--fit", "--format", "json"),
        *("--picture", picture, "--peers", "turbohtml"),
    )
    assert code == 0, err
    overall = json.loads(out)["tables"][0]
    assert [row["system"] for row in overall["rows"]] == [
        *("pagelet", "pagelet, shipped", "cetd", "turbohtml")
    ]
    assert overall["rows"][0]["failed"] == 0
    assert overall["notes"][0].endswith("4 pages, one process, one thread.")
    assert picture.read_text().startswith("<svg")


def test_evaluate_the_shipped_model(run, folder):
    code, out, err = run("evaluate", "content", folder, "--pages", 3)
    assert code == 0, err
    assert "it may have seen these pages" in out
    former = run("evaluate", "content", folder, "--no-folds", "--shipped", "--pages", 3)
    assert former[0] == 0
    assert "main content on own: F1 by page type" in out
    assert "confidence of pagelet, shipped" in out


@pytest.mark.parametrize(
    ("more", "code", "said"),
    [
        (("train", "content", "--output", "model"), 2, "ends in .npz"),
        (("evaluate", "content", "--peers", "nobody"), 2, "choose from"),
        (("evaluate", "content", "--fit", "--peers", "nobody"), 2, "choose from"),
    ],
)
def test_wrong_options(run, folder, more, code, said):
    found, _, err = run(*more, folder)
    assert (found, said in err) == (code, True)


@pytest.mark.parametrize("command", ["train", "evaluate"])
def test_a_folder_without_labels(run, tmp_path, command):
    (tmp_path / "page.html").write_text("<p>a")
    code, _, err = run(command, "content", tmp_path)
    assert code == 4
    assert "data-pagelet" in err
