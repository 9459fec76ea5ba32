"""Scores of a new model beside the present one: pages held out, and the rows that are compared."""

import json

import pytest

from pagelet.annotator.scoring import compare, hold_out, join_tables, read_shipped, read_tables
from pagelet.annotator.training import TRAINABLE, Training
from pagelet.lab.gold import read_gold
from tests.places import PROJECTS


def table(*names):
    return {"title": "t", "rows": [{"m": name, "F1": 0.5} for name in names], "notes": []}


def test_tables_of_scores():
    assert read_tables('{"rows": [], "title": "t"}') == [{"rows": [], "title": "t", "notes": []}]
    assert read_tables(json.dumps({"a": table("x"), "b": 1})) == [table("x")]
    assert read_tables("no JSON") == []


def test_files_and_flags_are_put_into_words():
    notes = ["new.npz: 2 of 2 pages", "With --fit, more.", "Target auto."]
    told = table("default, new.npz", "present.npz", "default, shipped") | {"notes": notes}
    (read,) = read_tables(json.dumps(told))
    assert [row["m"] for row in read["rows"]] == ["new model", "present model", "default, shipped"]
    assert read["notes"] == ["new model: 2 of 2 pages", "Target auto."]


@pytest.mark.parametrize(
    ("method", "rows", "compared"),
    [
        ("menu", ("paper", "default, unseen", "present model"), 2),
        ("noise", ("default, unseen sites", "default, unseen, no query", "present model"), 2),
        ("content", ("pagelet", "pagelet, shipped", "cetd"), 2),
        ("records", ("default, shipped", "new model"), 2),
        ("links", ("default, shipped",), 0),
        ("content", ("pagelet, shipped", "present model"), 0),
    ],
)
def test_the_new_model_stands_beside_the_present_one(method, rows, compared):
    found = compare(method, [table(*rows)], "how").get("comparison", {"rows": []})
    assert [row["m"] for row in found["rows"]] == ["new model", "present model"][:compared]
    assert compare(method, [], "how") == {"tables": []}


def test_runs_are_joined_by_their_rows():
    (joined,) = join_tables([[table("new model", "shipped")], [table("present model", "shipped")]])
    assert [row["m"] for row in joined["rows"]] == ["new model", "shipped", "present model"]
    assert join_tables([[table("new model")], []]) == []


def test_one_page_of_four_is_held_out(tmp_path):
    rest, held, count = hold_out(PROJECTS, "menu", tmp_path)
    assert count == "6 of 15 pages"
    names = [{page.name for page in read_gold(each, kind="menu").pages} for each in (rest, held)]
    assert [len(each) for each in names] == [9, 6]
    assert names[0] | names[1] == {page.name for page in read_gold(PROJECTS, kind="menu").pages}
    assert hold_out(PROJECTS, "noise", tmp_path / "again")[2] == "6 of 15 pages"


@pytest.mark.parametrize("labels", [{}, {"menu": []}])
def test_a_single_page_is_not_held_out(tmp_path, labels):
    form = {"schema": 1, "folder": "pages", "pages": {"a.html": labels}}
    (tmp_path / "labels" / "pages").mkdir(parents=True)
    (tmp_path / "labels" / "gold.json").write_text(json.dumps(form))
    assert hold_out(tmp_path / "labels", "menu", tmp_path)[2] == ""


def test_every_method_has_a_model_to_compare_with():
    assert all(read_shipped(method).startswith(b"PK") for method in TRAINABLE)


def test_what_to_do_is_said_in_terms_of_the_annotator():
    told = Training(1, 1, "content", False, lambda *_: 0)
    told.lines = ["pagelet: labels: all 5 pages are of one site, and 2 are needed; export several"
                  " projects together (`pagelet annotate export A B -o DIR`), or more"]  # fmt: skip
    assert told._last_line().endswith("2 are needed; mark pages of another project too, and tick"
                                      " “all projects”")  # fmt: skip
