"""Every `evaluate` and `train` on fresh exports of the annotator: it works, or says what lacks."""

import json

import pytest

from pagelet.lab.content import fit as content_fit
from pagelet.lab.data import use_one_thread
from pagelet.lab.fitting import FITTED_NOTE, SHIPPED_NOTE, describe_corpora
from pagelet.lab.gold import read_gold
from pagelet.lab.menu import fit as menu_fit
from pagelet.lab.template import search as template_search
from tests.cli.exports import EXPORTS, make_export

use_one_thread()
ONE = "labels cover one site; {} are needed to score unseen pages: scored without fitting"
TWO = "labels cover two sites; {} are needed to score unseen pages: scored without fitting"


SEEN = "used for training this model"


@pytest.fixture(scope="module")
def exports(tmp_path_factory):
    made = {
        name: make_export(tmp_path_factory.mktemp(name), each) for name, each in EXPORTS.items()
    }
    alone = tmp_path_factory.mktemp("menus")
    return made | {"menus": make_export(alone, EXPORTS["page"], ("menu",))}


@pytest.fixture(autouse=True)
def small_fits(monkeypatch, tmp_path):
    """No corpora, and a few trees: what is tested is that fits are possible."""
    monkeypatch.setenv("PAGELET_DATA", str(tmp_path / "nowhere"))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setattr(content_fit, "TREES", 4)
    monkeypatch.setattr(menu_fit, "ROUNDS", 4)
    monkeypatch.setattr(menu_fit, "MODELS", 1)
    monkeypatch.setattr(template_search, "WEIGHT_STEPS", 1)


@pytest.mark.parametrize(
    ("method", "export", "line"),
    [
        ("menu", "page", ONE.format("two")),
        ("menu", "sites", ""),
        (
            "clutter",
            "site",
            "nothing is fitted: without links.json, no roles of links are labelled",
        ),
        ("content", "site", ONE.format("three")),
        ("content", "sites", TWO.format("three")),
        ("links", "page", ONE.format("two")),
        ("links", "sites", ""),
        ("records", "page", ONE.format("two")),
        ("records", "sites", ""),
        ("noise", "page", ONE.format("three")),
        ("noise", "sites", TWO.format("three")),
    ],
)
def test_every_export_is_scored(run, exports, method, export, line):
    """Without --fit and with it, which says in a line why nothing is fitted."""
    command = ("evaluate", method, exports[export], "--format", "json")
    code, out, err = run(*command)
    assert (code, err) == (0, "")
    assert "may have seen these pages" in out
    code, out, err = run(*command, "--fit")
    assert code == 0, err
    assert err.splitlines()[-1:] == [line or describe_corpora(exports[export], ())]
    assert (FITTED_NOTE in out, SHIPPED_NOTE in out) == (
        not line,
        bool(line) and "roles" not in line,
    )
    json.loads(out)


def test_templates_are_scored(run, exports):
    code, out, err = run("evaluate", "template", exports["site"], "--from-disk", "-f", "json")
    assert (code, err) == (0, "")
    assert "nothing here was fitted" in out


@pytest.mark.parametrize(
    ("command", "export"),
    [
        (("menu",), "page"),
        (("menu", "-p", "default", "--alone"), "sites"),
        (("content",), "sites"),
        (("links",), "page"),
        (("records",), "sites"),
        (("noise",), "page"),
        (("noise", "-p", "paper", "--no-min-split"), "sites"),
    ],
)
def test_every_export_is_learned_from(run, exports, tmp_path, command, export):
    method, *flags = command
    model = tmp_path / "own.npz"
    code, out, err = run("train", method, exports[export], *flags, "-o", model)
    assert code == 0, err
    assert err.startswith("fitting on ")
    warned = "labels are of one site: how well the model does on others cannot be told" in err
    assert warned == (export == "page" and method != "noise")  # noise says that it remembers
    assert out.splitlines()[-1] == f"model: {model}"
    assert model.is_file()


def test_options_are_searched(run, exports, tmp_path):
    found = tmp_path / "own.json"
    code, out, _ = run("train", "template", exports["page"], "-o", found)
    assert (code, out.splitlines()[-1]) == (0, f"options: {found}")


@pytest.mark.parametrize(
    ("command", "name", "wanted"),
    [
        ("menu", "own.json", "a model is a file that ends in .npz"),
        ("menu -p paper", "own.npz", "options are a file that ends in .json"),
        ("template", "own.npz", "options are a file that ends in .json"),
        ("links", "own.json", "a model is a file that ends in .npz"),
        ("template", "no/own.json", "no such folder"),
    ],
)
def test_a_file_has_the_ending_of_what_is_written(run, exports, tmp_path, command, name, wanted):
    code, out, err = run("train", *command.split(), exports["page"], "-o", tmp_path / name)
    assert (code, out) == (2, "")
    assert wanted in err
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize(
    ("command", "export", "wanted"),
    [
        ("evaluate links", "menus", "a page whose link groups are marked"),
        ("train links", "menus", "a page whose link groups are marked"),
        ("evaluate records", "menus", "a page whose records are marked"),
        ("train records", "menus", "a page whose records are marked"),
        ("evaluate metadata", "site", "snippets.json"),
        ("train content", "site", "all 2 pages are of one site, and 2 are needed"),
        ("evaluate clutter", "menus", "a page whose clutter is marked"),
        ("evaluate content", "menus", "a page whose content is marked"),
        ("evaluate noise", "menus", "a page whose noise or content is marked"),
        ("evaluate template", "menus", "a page whose template is labelled"),
        ("evaluate segments", "menus", "segments"),
        ("train template", "menus", "a page whose template is labelled"),
        ("train segments", "menus", "segments"),
        ("train noise", "menus", "a page whose noise or content is marked"),
    ],
)
def test_what_is_missing_is_one_line(run, exports, tmp_path, command, export, wanted):
    name = "own.json" if command == "train template" else "own.npz"
    target = ("-o", tmp_path / name) if command.startswith("train") else ()
    code, out, err = run(*command.split(), exports[export], *target)
    assert (code, out) == (4, "")
    assert wanted in err.splitlines()[-1]
    assert "Traceback" not in err


def test_several_exports_are_one_folder_of_labels(exports):
    pages = read_gold(exports["sites"], kind="menu").pages
    assert sorted({page.group for page in pages}) == ["growers", "seeds"]
    assert "seeds/news/fog-tomatoes.html" in {page.name for page in pages}


@pytest.mark.parametrize(
    "method",
    ["content", "menu", "links", "noise", "records"],
)
def test_a_model_of_ones_own_is_scored_beside_the_others(run, exports, tmp_path, method):
    """The table says how many of the pages the model was trained on."""
    model = tmp_path / "own.npz"
    assert run("train", method, exports["sites"], "-o", model)[0] == 0
    code, out, err = run("evaluate", method, exports["site"], "--model", model)
    assert code == 0, err
    assert any(line.startswith(("own.npz ", "default, own.npz ")) for line in out.splitlines())
    assert f"own.npz: 2 of 2 pages were {SEEN}: expect less on other sites." in out
    missing = run("evaluate", method, exports["site"], "--model", tmp_path / "none.npz")
    assert (missing[0], "no such file" in missing[2]) == (2, True)
