"""Options in a file: what training writes, commands and evaluations read."""

import json

import pytest

from pagelet.lab.menu import grid as menu_grid
from tests.cli.test_cli import SITE

INDEX = SITE / "index.html"
ITEMS = "".join(f"<li><a href='/{n}'>Item {n}</a></li>" for n in range(5))


def saved(tmp_path, form):
    path = tmp_path / "options.json"
    path.write_text(json.dumps(form))
    return path


def test_a_file_has_the_effect_of_the_flags(run, tmp_path):
    path = saved(tmp_path, {"profile": "paper", "options": {"amplitude_weight": 0}})
    flags = run("menu", INDEX, "-p", "paper", "--amplitude-weight", "0", "--format", "json")
    assert run("menu", INDEX, "--options", path, "--format", "json") == flags
    plain = saved(tmp_path, {"amplitude_weight": 0})
    assert run("menu", INDEX, "-p", "paper", "--options", plain, "--format", "json") == flags


def test_flags_override_the_file(run, tmp_path):
    path = saved(tmp_path, {"profile": "paper", "options": {"candidate_threshold": 1.0}})
    code, out, _ = run(
        "menu", INDEX, "--options", path, "-p", "default", "--min-score", "0", "--format", "json"
    )
    assert code == 0
    assert json.loads(out)["profile"] == "default"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("{", "not JSON", id="no JSON"),
        pytest.param("[1]", "an object of options is needed", id="no object"),
        pytest.param('{"options": 3}', "an object of options is needed", id="no options"),
        pytest.param('{"method": "noise", "options": {}}', "options of noise", id="other method"),
        pytest.param('{"colour": 1}', "menu has no such option", id="no such option"),
        pytest.param('{"min_score": 7}', "must be between", id="out of range"),
        pytest.param('{"profile": "x", "options": {}}', "has the profiles", id="no such profile"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(run, tmp_path, text, message):
    path = tmp_path / "options.json"
    path.write_text(text)
    code, out, err = run("menu", INDEX, "--options", path)
    assert (code, out) == (2, "")
    assert message in " ".join(err.split())


def test_a_file_that_is_missing_is_named_once(run, tmp_path):
    path = tmp_path / "options.json"
    code, out, err = run("menu", INDEX, "--options", path)
    assert (code, out) == (2, "")
    assert err == f"pagelet: option options = {str(path)!r}: no such file\n"


def test_what_training_writes_is_read_by_the_method_and_its_evaluation(run, tmp_path, monkeypatch):
    few = menu_grid.weightings()[::800]
    monkeypatch.setattr(menu_grid, "weightings", lambda: few)
    folder, path = tmp_path / "sites", tmp_path / "tuned.json"
    (folder / "one").mkdir(parents=True)
    (folder / "one" / "index.html").write_text(f"<ul>{ITEMS}</ul><p>{'Prose. ' * 30}")
    (folder / "sites.json").write_text(json.dumps({"one": {"menu_xpath": "//ul"}}))
    code, out, _ = run("train", "menu", folder, "--profile", "paper", "-o", path)
    assert code == 0
    assert {"recall", "precision", "F1", "ms", "published"} <= {*out.split()}
    page = folder / "one" / "index.html"
    code, out, err = run("menu", page, "--options", path, "--format", "json")
    assert (code, err) == (0, "")
    assert json.loads(out)["profile"] == "paper"
    code, out, _ = run("evaluate", "menu", folder, "--no-fit", "--options", path, "-f", "json")
    rows = {row["menu"]: row for row in json.loads(out)["rows"]}
    assert rows["paper, tuned.json"]["F1"] == 1
    assert rows["published"]["F1"] == 0.9446
    assert all(row["ms"] >= 0 for row in rows.values())
