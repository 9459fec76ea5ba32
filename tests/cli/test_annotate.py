"""`pagelet annotate`: a folder into the annotator's database, and labels out of it."""

import json

import pytest
from typer.testing import CliRunner

from pagelet import parse
from pagelet.annotator.database import Database
from pagelet.annotator.marks import Mark
from pagelet.cli import app
from pagelet.errors import OptionError, Unreachable
from pagelet.lab.gold import read_gold
from tests.places import PROJECTS

PAGE = "<body><nav><a href=/>Home</a></nav><p>Words.</p>"


@pytest.fixture
def site(tmp_path):
    folder = tmp_path / "seeds"
    (folder / "css").mkdir(parents=True)
    (folder / "a.html").write_text(PAGE)
    (folder / "b.html").write_text(PAGE.replace("Words", "More"))
    (folder / "css" / "style.css").write_text("p { margin: 0 }")
    (folder / "notes.txt").write_text("not shown by any page")
    return folder


def run(*said):
    return CliRunner().invoke(app, ["annotate", *map(str, said)])


def test_add_mark_export(site, tmp_path):
    database = tmp_path / "marks.sqlite"
    added = run("add", site, "--database", database)
    assert (added.exit_code, added.stdout) == (0, "2 pages in seeds\n")
    store = Database(database)
    (project,) = (number for number, _, _ in store.list_projects())
    nav = parse(PAGE).path(parse(PAGE).row("/html/body/nav"))
    for page in store.list_pages(project):
        store.change_marks(page.id, "ann", add=[Mark("menu", (nav,))])
    store.close()
    out = tmp_path / "labels"
    exported = run("export", "seeds", "--database", database, "-o", out)
    assert exported.exit_code == 0
    assert "".join(exported.stdout.split("\n")).endswith("labels, 2 labelled pages")
    assert (out / "pages" / "css" / "style.css").is_file()
    assert not (out / "pages" / "notes.txt").exists()
    assert json.loads((out / "gold.json").read_text())["annotator"] == "*"
    assert [page.rows("menu") for page in read_gold(out, kind="menu").pages] == [(3,), (3,)]
    again = run("export", "seeds", "--database", database, "-o", out)
    assert isinstance(again.exception, OptionError)
    assert "not empty" in str(again.exception)


def test_labels_come_back_as_marks(tmp_path):
    """Folders with labels become a project each; what is exported again is the same."""
    database, out = tmp_path / "marks.sqlite", tmp_path / "labels"
    for _ in range(2):  # the second time changes nothing
        added = run("add", PROJECTS, "--database", database)
        assert added.stdout.splitlines() == [
            f"5 pages in {name}, 5 with marks of me" for name in ("bakery", "ferry", "museum")
        ]
    run("export", "bakery", "museum", "--database", database, "--annotator", "me", "-o", out)
    for name in ("bakery", "museum"):
        before, after = (
            json.loads((folder / name / "gold.json").read_text())["pages"]
            for folder in (PROJECTS, out)
        )
        assert before.keys() == after.keys()
        for page, labels in before.items():
            for key in labels.keys() - {"page_type", "template", "segments", "clutter"}:
                assert labels[key] == after[page][key], (page, key)
            assert sorted(labels["clutter"]) == sorted(after[page]["clutter"])
    found = run("add", PROJECTS, "--project", "one", "--database", database)
    assert "DIR has several projects" in str(found.exception)
    found = run(
        "add", PROJECTS / "ferry", "-p", "sea", "--annotator", "ann", "--database", database
    )
    assert found.stdout == "5 pages in sea, 5 with marks of ann\n"


def test_an_export_without_marks_is_reported(site, tmp_path):
    database = tmp_path / "marks.sqlite"
    run("add", site, "--database", database)
    exported = run("export", "seeds", "--database", database, "-o", tmp_path / "labels")
    assert "0 labelled pages" in " ".join(exported.stdout.split())
    assert "nobody has marked a page yet" in exported.stderr


def test_pages_stay_what_they_are(site, tmp_path):
    database = tmp_path / "marks.sqlite"
    run("add", site, "--database", database)
    (site / "a.html").write_text("<p>changed")
    found = run("add", site, "--database", database)
    assert isinstance(found.exception, OptionError)
    assert "a.html" in str(found.exception)
    assert run("add", site, "--database", database, "--project", "other").exit_code == 0


def test_a_folder_without_pages(tmp_path):
    database = tmp_path / "sub" / "marks.sqlite"
    found = run("add", tmp_path, "--database", database)
    assert isinstance(found.exception, Unreachable)
    assert str(found.exception) == f"{tmp_path}: no .html files"
    assert not database.exists()


def test_a_project_that_is_not_there(tmp_path):
    found = run("export", "x", "--database", tmp_path / "marks.sqlite", "-o", tmp_path / "out")
    assert isinstance(found.exception, OptionError)
    assert "none yet" in str(found.exception)
