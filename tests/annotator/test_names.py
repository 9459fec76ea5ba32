"""Names that are no good file names: pages and files with them are drawn, exported and deleted."""

import io
import zipfile
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.annotator.database import Database
from pagelet.annotator.names import file_names
from pagelet.annotator.transfer import list_files, write_folder
from pagelet.lab.gold import read_gold
from tests.annotator.annotating import API, Annotator, annotating

PAGE = b"<title>a</title><link rel=stylesheet href=s.css><p id=x>words<img src=a.png>"
PICTURE = b"\x89PNG\r\n\x1a\n"
LONG = "\u00e9" * 140  #: 280 bytes
NAMES = {
    "long": ((f"{LONG}.html",), (f"{LONG}.png", f"{LONG}/{LONG}.css")),
    "file and folder": (("a.html",), ("a.png", "a.png/b.png", "a.png/b.png/c.png")),
    "page and folder": (("news", "news/a.html"), ("news/a.html/s.css", "news/a.png")),
}


@pytest.fixture(scope="module")
def ann(tmp_path_factory):
    with annotating(tmp_path_factory.mktemp("names") / "marks.sqlite", timeout=600) as client:
        yield Annotator(client)


@pytest.mark.parametrize("case", NAMES)
def test_pages_with_such_names_are_drawn_and_exported(ann, case, tmp_path):
    project, (pages, files) = ann.project(case), NAMES[case]
    ids = [ann.upload(project, name, PAGE).json()["id"] for name in pages]
    for name in files:
        assert ann.upload(project, name, PICTURE).status_code == 200
    for page in ids:
        drawing = ann.get(f"/pages/{page}/drawing")
        assert (drawing.status_code, "words" in drawing.json()["drawing"]) == (200, True)
        looked = ann.post(f"/pages/{page}/looked", kind="menu", looked=True)
        assert looked.status_code == 200
    answer = ann.get(f"/projects/{project}/export")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        archive.extractall(tmp_path)
    written = [path for path in (tmp_path / "pages").rglob("*") if path.is_file()]
    assert len(written) == len(pages) + len(files)
    gold = read_gold(tmp_path)
    assert len(gold.pages) == len(pages)


def test_a_rendered_page_with_such_names(ann):
    project, (pages, files) = ann.project("rendered"), NAMES["page and folder"]
    ids = [ann.upload(project, name, PAGE).json()["id"] for name in pages]
    for name in files:
        ann.upload(project, name, PICTURE)
    assert ann.get(f"/pages/{ids[1]}/rectangles").status_code == 200


def test_files_are_listed_and_deleted(ann):
    project = ann.project("files")
    for name in ("a.png", "b/c.css"):
        ann.upload(project, name, PICTURE)
    path = f"{API}/projects/{project}/files"
    assert [each["name"] for each in ann.client.get(path).json()] == ["a.png", "b/c.css"]
    assert ann.client.delete(path, params={"name": "b/c.css"}).status_code == 200
    assert [each["name"] for each in ann.client.get(path).json()] == ["a.png"]
    for name in ("b/c.css", "../x"):
        assert ann.client.delete(path, params={"name": name}).status_code in (404, 422)
    assert ann.client.get(f"{API}/projects/999/files").status_code == 404


part = st.sampled_from(["a", "a.png", "a~1.png", "b", "\u00e9" * 130, "\u00e9" * 130 + ".png"])
names = st.lists(st.lists(part, min_size=1, max_size=3).map("/".join), max_size=8)


@given(names)
def test_file_names_can_be_written_side_by_side(given_names):
    found = file_names(given_names)
    assert set(found) == set(given_names)
    assert len(set(found.values())) == len(found)
    assert all(len(part.encode()) <= 255 for path in found.values() for part in path.split("/"))
    assert not any(
        other.startswith(f"{path}/") for path, other in product(found.values(), repeat=2)
    )


def test_good_names_stay_as_they_are():
    good = ["index.html", "news/a.html", "news/a.png"]
    assert file_names(good) == dict(zip(good, good, strict=True))


def test_a_folder_takes_such_names(tmp_path):
    database = Database(tmp_path / "marks.sqlite")
    project = database.ensure_project("p")
    for name in NAMES["long"][0] + NAMES["page and folder"][0]:
        database.add_page(project, name, PAGE)
    write_folder(tmp_path / "out", list_files(database, project, {"pages": {}}))
    assert sum(path.is_file() for path in (tmp_path / "out").rglob("*")) == 4
    database.close()
