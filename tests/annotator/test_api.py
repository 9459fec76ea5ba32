"""The annotator over HTTP: marks, proposals, agreement, exports."""

import io
import json
import zipfile

import pytest

from pagelet import parse
from pagelet.annotator.routes import FRAME
from pagelet.labels import read_annotations
from tests.annotator.annotating import LIKE, SITE, STORY, Annotator, annotating, with_sample

MENU, CONTENT = "/html/body/nav[1]/ul", "/html/body/div[2]/main/article"
MAIN, ASIDE = "/html/body/div[2]/main", "/html/body/div[2]/aside"


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """A client, and the numbers of the sample's pages; each test has annotators of its own."""
    database = tmp_path_factory.mktemp("annotator") / "marks.sqlite"
    pages = with_sample(database)
    with annotating(database) as client:
        yield client, pages


@pytest.fixture
def ann(sample, request):
    return Annotator(sample[0], request.node.name)


@pytest.fixture
def story(sample):
    return sample[1][STORY]


def rows(*paths):
    page = parse((SITE / STORY).read_bytes())
    return [page.row(path) for path in paths]


def mark(who, page, kind, *paths):
    return who.post(f"/pages/{page}/marks", kind=kind, rows=rows(*paths))


def kinds(answer):
    return [(mark["kind"], mark["paths"]) for mark in answer.json()["marks"]]


# -- marks ------------------------------------------------------------------------------------


def test_mark_undo_redo_delete(ann, story):
    answer = mark(ann, story, "menu", MENU)
    assert kinds(answer) == [("menu", [MENU])]
    told = answer.json()["marks"][0]
    assert (told["rows"], told["source"], told["suggested_by"]) == (rows(MENU), "person", None)
    assert told["text"].startswith("Home News")
    assert (answer.json()["undo"], answer.json()["redo"]) == (1, 0)
    assert kinds(ann.post(f"/pages/{story}/step/undo")) == []
    assert kinds(ann.post(f"/pages/{story}/step/redo")) == [("menu", [MENU])]
    assert kinds(ann.post(f"/pages/{story}/delete", ids=[told["id"]])) == []


def test_the_same_mark_twice_is_one(ann, story):
    mark(ann, story, "menu", MENU)
    assert kinds(mark(ann, story, "menu", MENU)) == [("menu", [MENU])]


def test_elements_inside_others_add_nothing(ann, story):
    answer = mark(ann, story, "content", CONTENT, MENU, f"{CONTENT}/h1")
    assert kinds(answer) == [("content", [MENU, CONTENT])]


def test_segments_may_not_overlap(ann, story):
    assert mark(ann, story, "segment", MAIN).status_code == 200
    for inner in (CONTENT, "/html/body/div[2]", MAIN):
        answer = mark(ann, story, "segment", inner)
        if inner != MAIN:  # the very same mark is no second one
            assert answer.status_code == 409
            assert answer.json()["error"] == "Overlap"
            assert "<main#content>" in answer.json()["message"]
    assert mark(ann, story, "segment", ASIDE, MENU).status_code == 200
    assert mark(ann, story, "content", CONTENT).status_code == 200  # other kinds may
    assert mark(Annotator(ann.client, "bob"), story, "segment", CONTENT).status_code == 200


def test_a_mark_is_moved(ann, story):
    number = mark(ann, story, "segment", MAIN).json()["marks"][0]["id"]
    mark(ann, story, "segment", ASIDE)
    path = f"/pages/{story}/marks/{number}"
    assert kinds(ann.put(path, rows=rows(CONTENT)))[1] == ("segment", [CONTENT])
    assert ann.put(path, rows=rows(CONTENT)).status_code == 404  # it has a new number
    last = ann.get(f"/pages/{story}").json()["marks"][1]["id"]
    assert ann.put(f"/pages/{story}/marks/{last}", rows=rows(ASIDE)).status_code == 409


@pytest.mark.parametrize(
    ("form", "why"),
    [
        pytest.param({"kind": "banner", "rows": [10]}, "must be menu", id="kind"),
        pytest.param({"kind": "menu", "rows": []}, "at least 1 item", id="nothing"),
        pytest.param({"kind": "menu", "rows": [0]}, "body", id="outside the body"),
        pytest.param({"kind": "menu", "rows": [10**9]}, "body", id="no row"),
        pytest.param({"kind": "menu", "rows": [-1]}, "must be 0 or more", id="negative"),
        pytest.param(
            {"kind": "menu", "rows": [10**30]}, "must be 2,147,483,648 or less", id="huge"
        ),
        pytest.param({"kind": "menu", "rows": "x"}, "list", id="no list"),
        pytest.param({"kind": "menu"}, "required", id="no rows"),
    ],
)
def test_what_cannot_be_marked(ann, story, form, why):
    answer = ann.post(f"/pages/{story}/marks", **form)
    assert answer.status_code == 422
    assert why in answer.json()["message"]


def test_texts_are_not_marked(ann, story):
    page = parse((SITE / STORY).read_bytes())
    text = page.row(f"{CONTENT}/h1") + 1
    answer = ann.post(f"/pages/{story}/marks", kind="noise", rows=[text])
    assert (
        answer.status_code,
        "mark the element that holds the text" in answer.json()["message"],
    ) == (422, True)


@pytest.mark.parametrize("path", ["/pages/99999", "/pages/99999/agreement", "/pages/99999/drawing"])
def test_pages_that_are_not_there(ann, path):
    assert ann.get(path).status_code == 404
    assert ann.get("/projects/99999/pages").status_code == 404
    assert ann.post("/pages/99999/step/undo").status_code == 404


def test_looked_for_and_not_there(ann, story):
    path = f"/pages/{story}/looked"
    assert ann.post(path, kind="noise", looked=True).json()["looked"] == ["noise"]
    assert ann.post(path, kind="banner", looked=True).status_code == 422
    assert ann.post(path, kind="noise", looked=False).json()["looked"] == []


# -- pages ------------------------------------------------------------------------------------


def test_pages_come_by_upload(ann):
    project = ann.project("uploads")
    assert ann.upload(project, "sub/a.html", b"<link rel=stylesheet href=b.css><p>x").json()["id"]
    assert ann.upload(project, "sub/b.css", b"p { color: red }").json()["id"] is None
    (page,) = ann.get(f"/projects/{project}/pages").json()["pages"]
    assert (page["name"], page["made"], page["proposed"]) == ("sub/a.html", 0, 0)
    drawing = ann.get(f"/pages/{page['id']}/drawing").json()["drawing"]
    assert "color: red" in drawing
    assert 'data-row="' in drawing
    assert ann.client.delete(f"/annotate/api/pages/{page['id']}").status_code == 200
    assert ann.get(f"/projects/{project}/pages").json()["pages"] == []


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("../a.html", 422),
        ("a.exe", 415),
        ("", 422),
        ("a\0.html", 422),
        ("/", 422),
        ("x" * 400, 422),
    ],
)
def test_names_that_are_no_names(ann, name, status):
    assert ann.upload(ann.project("uploads"), name, b"<p>x").status_code == status


def test_drawings_load_nothing(ann):
    hostile = (
        b"<base href=http://evil.example/><script>1</script><p onclick=x()><img src=a.png>"
        b"<img src=/etc/passwd><img src=../../../../../../etc/x.png><form action=/x>"
        b"<a href=javascript:1>"
    )
    page = ann.upload(ann.project("uploads"), "hostile.html", hostile, url="http://evil.example/")
    drawing = ann.get(f"/pages/{page.json()['id']}/drawing").json()["drawing"]
    for bad in ("<script", "onclick", "evil.example", "javascript:", "passwd", "x.png"):
        assert bad not in drawing


def test_the_frame_runs_nothing(sample):
    answer = sample[0].get(FRAME)
    policy = answer.headers["content-security-policy"]
    assert "sandbox allow-same-origin;" in policy
    assert "default-src 'none'" in policy
    assert "script" not in policy
    assert answer.headers["x-frame-options"] == "SAMEORIGIN"


# -- proposals --------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["menu", "clutter", "content", "noise", "template"])
def test_suggestions_are_marked_as_such(ann, story, method):
    answer = ann.post(f"/pages/{story}/suggest", method=method).json()
    assert answer["new"] == len(answer["marks"]) > 0
    assert {mark["source"] for mark in answer["marks"]} == {f"suggestion:{method}"}
    again = ann.post(f"/pages/{story}/suggest", method=method).json()
    assert len(again["marks"]) == len(answer["marks"])  # in the place of the old ones
    ids = [mark["id"] for mark in again["marks"]]
    taken = ann.post(f"/pages/{story}/accept", ids=ids).json()["marks"]
    assert {(mark["source"], mark["suggested_by"]) for mark in taken} == {("person", method)}


def test_content_is_suggested_whole(ann, story):
    answer = ann.post(f"/pages/{story}/suggest", method="content")
    assert ("content", [CONTENT]) in kinds(answer) or len(kinds(answer)) < 6


def test_a_suggestion_that_is_made_by_hand_is_still_one(ann, story):
    ann.post(f"/pages/{story}/suggest", method="menu")
    (told,) = mark(ann, story, "menu", MENU).json()["marks"]
    assert (told["source"], told["suggested_by"]) == ("person", "menu")


def test_a_method_whose_kinds_nobody_marks_proposes_nothing(ann, story):
    assert "menu" in (listed := ann.get("/kinds").json()["suggestions"])
    assert "links" not in listed
    assert ann.post(f"/pages/{story}/suggest", method="links").status_code == 422


def test_unknown_methods(ann, story):
    assert ann.post(f"/pages/{story}/suggest", method="magic").status_code == 422


def test_spread_accept_repair(ann, sample, story):
    mark(ann, story, "menu", MENU)
    mark(ann, story, "content", CONTENT)
    mark(ann, story, "segment", MENU, ASIDE)
    found = {page["name"]: page for page in ann.post(f"/pages/{story}/spread").json()["pages"]}
    assert STORY not in found
    assert "carried" not in found["forum/index.html"]  # another template
    for name in LIKE:
        told = found[name]
        assert (told["carried"], told["new"], told["missed"]) == (3, 3, [])
        assert told["alike"] > 0.3
        assert 0.4 < told["sure"] <= 1
    wall = sample[1]["news/wall-repair.html"]
    carried = ann.get(f"/pages/{wall}").json()["marks"]
    assert {mark["source"] for mark in carried} == {"spread"}
    assert all(mark["sure"] == 1 for mark in carried)
    taken = ann.post(f"/pages/{wall}/accept", ids=[mark["id"] for mark in carried]).json()["marks"]
    assert {mark["suggested_by"] for mark in taken} == {"spread"}
    again = ann.post(f"/pages/{story}/spread", pages=[wall]).json()["pages"]
    assert [(page["name"], page["new"]) for page in again] == [("news/wall-repair.html", 0)]
    assert again[0]["agreement"] == {"menu": 1.0, "content": 1.0, "segment": 1.0}


def test_only_what_a_person_says_is_spread(ann, story):
    ann.post(f"/pages/{story}/suggest", method="clutter")
    pages = ann.post(f"/pages/{story}/spread").json()["pages"]
    assert sum(page.get("carried", 0) for page in pages) == 0


def test_accepting_segments_that_overlap(ann, sample, story):
    mark(ann, story, "segment", MAIN)
    wall = sample[1]["news/wall-repair.html"]
    page = parse((SITE / "news/wall-repair.html").read_bytes())
    ann.post(f"/pages/{wall}/marks", kind="segment", rows=[page.row(CONTENT)])
    ann.post(f"/pages/{story}/spread", pages=[wall])
    told = ann.get(f"/pages/{wall}").json()["marks"]
    open_ones = [mark["id"] for mark in told if mark["source"] == "spread"]
    assert len(open_ones) == 1
    assert ann.post(f"/pages/{wall}/accept", ids=open_ones).status_code == 409
    assert ann.get(f"/pages/{wall}").json()["marks"] == told  # nothing was changed


def test_annotators_agree(ann, story):
    bob = Annotator(ann.client, f"{ann.name}, too")
    for who, content in ((ann, MAIN), (bob, CONTENT)):
        mark(who, story, "menu", MENU)
        mark(who, story, "content", content)
    mark(ann, story, "noise", ASIDE)
    bob.post(f"/pages/{story}/looked", kind="clutter", looked=True)
    found = [
        pair["figures"]
        for pair in ann.get(f"/pages/{story}/agreement").json()
        if {pair["one"], pair["other"]} == {ann.name, bob.name}
    ]
    assert len(found) == 1
    assert set(found[0]) == {"menu", "content"}
    assert found[0]["menu"] == 1.0
    assert 0.5 < found[0]["content"] < 1.0


# -- exports ----------------------------------------------------------------------------------


def exported(who, folder, project, annotator):
    answer = who.get(f"/projects/{project}/export", annotator=annotator)
    assert answer.headers["content-type"] == "application/zip"
    zipfile.ZipFile(io.BytesIO(answer.content)).extractall(folder)
    return {found.name: found for found in read_annotations(folder)}


def test_an_export_reads_back(ann, sample, story, tmp_path):
    for kind, path in (("menu", MENU), ("content", CONTENT), ("slot", MAIN), ("segment", ASIDE)):
        mark(ann, story, kind, path)
    ann.post(f"/pages/{story}/looked", kind="noise", looked=True)
    ann.post(f"/pages/{story}/suggest", method="clutter")  # nobody accepted it
    found = exported(ann, tmp_path, 1, ann.name)
    assert list(found) == [STORY]
    page = found[STORY]
    lists = {kind: page.labels[kind] for kind in ("menu", "content", "noise")}
    assert lists == {"menu": [MENU], "content": [CONTENT], "noise": []}
    assert "clutter" not in page.labels
    assert page.labels["template"] == {"slots": [MAIN]}
    assert page.labels["segments"] == [{"name": "1", "paths": [ASIDE]}]
    assert page.site == "sample"
    assert (tmp_path / "pages" / "css" / "style.css").read_bytes() == (
        SITE / "css" / "style.css"
    ).read_bytes()
    gold = ann.get("/projects/1/gold").json()
    assert gold == json.loads((tmp_path / "gold.json").read_text())


def test_what_most_annotators_say(ann, tmp_path):
    project = ann.project("votes")
    page = ann.upload(project, "a.html", b"<body><nav>x</nav><p>y</p><div>z</div>").json()["id"]
    for name, path in (("1", "nav"), ("2", "nav"), ("3", "p")):
        who = Annotator(ann.client, name)
        html = parse("<body><nav>x</nav><p>y</p><div>z</div>")
        who.post(f"/pages/{page}/marks", kind="menu", rows=[html.row(f"/html/body/{path}")])
    found = exported(ann, tmp_path, project, "*")
    assert found["a.html"].labels["menu"] == ["/html/body/nav"]


@pytest.mark.slow
def test_rectangles_and_picture(ann, story):
    mark(ann, story, "menu", MENU)
    mark(ann, story, "content", CONTENT)
    lines = ann.get(f"/pages/{story}/rectangles").text.splitlines()
    assert lines[0].split("\t") == ["number", "kind", "left", "top", "right", "bottom", "path"]
    number, kind, left, top, right, bottom, path = lines[1].split("\t")
    assert (number, kind, path) == ("1", "menu", MENU)
    assert 0 <= int(left) < int(right) <= 1280
    assert 0 <= int(top) < int(bottom)
    assert [line.split("\t")[1] for line in lines[2:]] == ["content"]
    picture = ann.get(f"/pages/{story}/picture")
    assert picture.headers["content-type"] == "image/png"
    assert picture.content.startswith(b"\x89PNG")
    segments = ann.post(f"/pages/{story}/suggest", method="segments").json()
    assert segments["new"] > 3
    ids = [each["id"] for each in segments["marks"] if each["kind"] == "segment"]
    assert ann.post(f"/pages/{story}/accept", ids=ids).status_code == 200  # none overlaps


def test_a_service_that_draws_nothing(tmp_path):
    with annotating(tmp_path / "marks.sqlite", render=False) as client:
        ann = Annotator(client)
        page = ann.upload(ann.project("p"), "a.html", b"<p>x").json()["id"]
        assert ann.get(f"/pages/{page}/rectangles").status_code == 422
        assert ann.post(f"/pages/{page}/suggest", method="segments").status_code == 422


def test_strangers_need_the_token(tmp_path):
    token = "a-token-that-is-long-enough"
    with annotating(tmp_path / "marks.sqlite", require_token=True, token=token) as client:
        assert client.get("/annotate/api/projects").status_code == 401
        assert client.get(FRAME).status_code == 200
        said = {"authorization": f"Bearer {token}"}
        assert client.get("/annotate/api/projects", headers=said).json() == []
