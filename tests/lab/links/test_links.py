"""Roles of link groups: labelled pages, scores by hand, fitting and the commands."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from pagelet.cli import app
from pagelet.errors import NoGold
from pagelet.lab.fitting import SHIPPED_NOTE
from pagelet.lab.links import evaluation
from pagelet.lab.links.evaluation import MISSED, RoleScores, evaluate_links, match_roles
from pagelet.lab.links.examples import UNLABELLED, LinksGold, links_example, read_links
from pagelet.lab.links.fit import fit_roles, hide_names, train_links
from pagelet.methods.links import model_of
from pagelet.methods.links.features import role_features
from pagelet.methods.links.groups import find_groups
from pagelet.methods.links.options import ROLES
from pagelet.methods.links.roles import predict_roles
from pagelet.page.html import parse
from pagelet.page.table import Page
from pagelet.pagelets import Pagelet, Pagelets

HTML = """<html><body>
<ul class="menu" id="top"><li><a href="/">Home</a></li><li><a href="/a">A</a></li></ul>
<div><h1>Title</h1><p>Words of an article that goes on.</p>
<ol aria-label="trail"><li><a href="/b">B</a></li><li><a href="/c">C</a></li>
<li><a href="/d">D</a></li></ol></div>
<p><a href="/privacy">Privacy</a> <a href="/terms">Terms</a></p>
</body></html>"""
MENU, LIST, FOOTER = "/html/body/ul", "/html/body/div/ol", "/html/body/p"


def write_folder(folder: Path, hosts: int = 6) -> Path:
    for part in ("html", "ground-truth"):
        (folder / part).mkdir(parents=True)
    for at in range(hosts):
        (folder / "html" / f"{at}.html").write_text(HTML)
        truth = {"url": f"https://host{at}.example/page"}
        (folder / "ground-truth" / f"{at}.json").write_text(json.dumps(truth))
    roles = {MENU: "menu", LIST: "content", FOOTER: "footer"}
    (folder / "links.json").write_text(json.dumps({str(at): roles for at in range(hosts)}))
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_folder(tmp_path_factory.mktemp("labels"))


def answer_of(page: Page, *groups: tuple[str, str]) -> Pagelets:
    """An answer that names groups by path and role."""
    items = [Pagelet(page, (page.row(path),), "links", 1.0, {}, role=role) for path, role in groups]
    return Pagelets(page, "links", "default", lambda: iter(items))


def gold_of(**roles: str) -> LinksGold:
    page = parse(HTML, url="https://host.example/page")
    paths = {"menu": MENU, "content": LIST, "footer": FOOTER, "mixed": "/html/body"}
    named = {page.row(paths[name]): role for name, role in roles.items()}
    return LinksGold(page, "0", "host.example", named)


def test_labels_are_read_by_path(folder: Path):
    first = next(iter(read_links(folder)))
    assert first.host == "host0.example"
    assert [first.page.path(row) for row in first.roles] == [MENU, LIST, FOOTER]
    assert list(first.roles.values()) == ["menu", "content", "footer"]


def test_names_are_removed_and_rows_stay(folder: Path):
    seen, bare = (next(iter(read_links(folder, names=names))) for names in (True, False))
    assert len(seen.page) == len(bare.page)
    assert seen.page.attribute("class")
    assert not any(bare.page.attribute(name) for name in ("class", "id", "aria-label"))
    assert bare.page.hrefs == seen.page.hrefs


def test_a_group_is_met_by_the_best_overlap_and_else_by_the_smallest_around_it():
    gold = gold_of(menu="menu", content="content", footer="footer", mixed="mixed")
    exact = answer_of(gold.page, (MENU, "menu"), (LIST, "related"))
    # two of seven links: no group overlaps the footer by more than half, and none holds it
    assert match_roles(gold, exact) == [
        ("menu", "menu"), ("content", "related"), ("footer", MISSED)
    ]  # fmt: skip
    whole = answer_of(gold.page, ("/html/body", "section"), (MENU, "menu"))
    # three of seven links are F1 0.6: the body meets the list, and holds the footer
    assert match_roles(gold, whole) == [
        ("menu", "menu"), ("content", "section"), ("footer", "section")
    ]  # fmt: skip
    assert match_roles(gold, answer_of(gold.page)) == [
        (role, MISSED) for role in ("menu", "content", "footer")
    ]


def test_scores_by_hand():
    pages = [
        [("menu", "menu"), ("menu", "section")],
        [("footer", "footer")],
        [],
    ]
    scores = RoleScores(pages)
    right, mean, macro, content, groups, count = scores.row()
    assert right == pytest.approx(2 / 3)
    assert mean == pytest.approx((1 / 2 + 1) / 2)
    assert scores.f1("menu") == pytest.approx(2 / 3)  # one of two found, none false
    assert macro == pytest.approx((2 / 3 + 1) / 13)
    assert (content, groups, count) == (0.0, 3, 2)
    menu, section, *_ = scores.confusion()
    assert menu == ("menu", 2, pytest.approx(2 / 3), "menu 1, section 1")
    assert section == ("section", 0, 0.0, "")


def test_an_example_has_a_line_per_group(folder: Path):
    gold = next(iter(read_links(folder)))
    example = links_example(gold)
    groups = find_groups(gold.page)
    assert example.features.shape == (len(groups), len(example.names))
    roles = {int(row): int(role) for row, role in zip(groups.rows, example.role, strict=True)}
    assert [ROLES[roles[row]] for row in gold.roles] == ["menu", "content", "footer"]
    assert roles[gold.page.body] == UNLABELLED


def test_hidden_names_are_those_of_a_page_without_names(folder: Path):
    seen, bare = (next(iter(read_links(folder, names=names))) for names in (True, False))
    features = role_features(find_groups(seen.page))
    hidden = hide_names(features.rows, features.names)
    assert not np.array_equal(hidden, features.rows)
    assert np.array_equal(hidden, role_features(find_groups(bare.page)).rows)


def test_a_fit_gives_probabilities_and_is_the_same_twice(folder: Path):
    examples = [links_example(gold) for gold in read_links(folder)]
    one, two = (fit_roles(examples) for _ in range(2))
    assert one.to_bytes() == two.to_bytes()
    features = role_features(find_groups(parse(HTML)))
    probability = predict_roles(features, one)
    assert probability.shape == (len(features.rows), len(ROLES))
    assert np.allclose(probability.sum(axis=1), 1)


def test_train_writes_a_model_that_the_command_reads(folder: Path, tmp_path: Path):
    target = tmp_path / "own.npz"
    train_links(folder, target, seed=1, report=lambda _: None)
    card = json.loads(target.with_suffix(".json").read_text())
    assert card["roles"]["menu"] == 6
    assert model_of(str(target), {str(target): target.read_bytes()}).names
    page = folder / "html" / "0.html"
    shown = CliRunner().invoke(app, ["links", str(page), "--model", str(target)])
    assert shown.exit_code == 0, shown.output
    assert "inline:" in shown.output


def test_evaluation_names_shipped_and_unseen_models(folder: Path):
    tables = evaluate_links(folder, fit=True, report=lambda _: None)
    names = [row[0] for row in tables["roles"].rows]
    assert names == ["default, shipped", "default, unseen", "default, unseen, no names"]
    assert tables["roles"].rows[0][5:] == (18, 6)
    alone = evaluate_links(folder, fit=False)
    assert alone["roles"].notes == (SHIPPED_NOTE,)


def test_hosts_of_one_fold_are_drawn_into_folds_anew(monkeypatch):
    monkeypatch.setattr(evaluation, "fold_of", lambda _host: 3)
    assert len(set(evaluation.host_folds(["a.example", "b.example"]).values())) == 2


def test_one_host_is_scored_without_fitting(tmp_path: Path):
    lines = []
    tables = evaluate_links(write_folder(tmp_path, hosts=1), fit=True, report=lines.append)
    assert [row[0] for row in tables["roles"].rows] == ["default, shipped"]
    assert lines == [
        "labels cover one site; two are needed to score unseen pages: scored without fitting"
    ]


def test_a_folder_without_labels_is_refused(tmp_path: Path):
    with pytest.raises(NoGold, match=r"links\.json"):
        evaluate_links(tmp_path, fit=False)
