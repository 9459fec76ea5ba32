"""The command `pagelet segments`, mostly on pages drawn by hand; once in a browser."""

import json
import re
from pathlib import Path

import pytest
import turbohtml

from pagelet import parse
from pagelet.cli import inspect
from pagelet.cli import rendering as drawing
from pagelet.sources.browser.options import RenderOptions
from tests.drawn import drawn
from tests.places import SITE
from tests.sources.pdf.written_pdf import Sheet, pdf, words

WALL, FOG = SITE / "news" / "wall-repair.html", SITE / "news" / "fog-tomatoes.html"


@pytest.fixture
def by_hand(monkeypatch):
    """Pages are drawn by hand; what was asked of the browser is kept."""
    asked = []

    def read(source, options, limits, *, url=None, number=1):
        asked.append((options, limits, number))
        return drawn(parse(Path(source).read_bytes(), url))

    monkeypatch.setattr(drawing, "read_rendering", read)
    return asked


def test_one_line_a_segment(run, by_hand):
    code, out, err = run("segments", WALL, "--profile", "paper", "--far", "mean")
    assert code == 0
    lines = out.splitlines()
    assert all(line.startswith("segment 0.") for line in lines)
    assert err == f"{len(lines)} segments; 36 boxes in none; threshold 0.5\n"
    assert "×" in lines[0]


def test_json(run, by_hand):
    said = ("--url", "https://example.org/wall", "--granularity", "fields")
    code, out, _ = run("segments", WALL, "-f", "json", *said)
    form = json.loads(out)
    assert (code, form["method"], form["url"]) == (0, "segments", "https://example.org/wall")
    assert len(form["pagelets"]) == len(form["segments"]["boxes"]) > 1
    assert all(len(item["box"]) == 4 for item in form["pagelets"])


def test_the_json_of_public_tools(run, by_hand):
    code, out, _ = run("segments", WALL, "-f", "webis")
    form = json.loads(out)
    assert (code, set(form)) == (0, {"id", "height", "width", "segmentations"})


def test_html_and_reasons(run, by_hand):
    assert run("segments", WALL, "-f", "html")[1].startswith("<!DOCTYPE html>")
    explained = run("segments", WALL, "--explain")[1]
    assert re.search(r"\n    \+\d+\.\d\d  no likely cut in it: the likeliest has \d+%", explained)


@pytest.mark.parametrize("more", [(), ("--method", "vips"), ("--granularity", "fields")])
def test_an_empty_page_has_no_segments(run, by_hand, tmp_path, more):
    page = tmp_path / "empty.html"
    page.write_text("")
    assert run("segments", page, *more) == (0, "", "no segments\n")


def test_what_is_said_of_drawing_reaches_the_browser(run, by_hand):
    said = (
        "--width 800 --javascript on --wait 2 --scroll 3 --timeout 9 --allow-private a.example:80"
        " --pdf-page 4 --max-bytes 7"
    ).split()
    assert run("segments", WALL, *said)[0] == 0
    ((options, limits, number),) = by_hand
    assert options == RenderOptions(width=800, javascript="on", wait=2, scroll=3, timeout=9,
                                    allow_private=("a.example:80",))  # fmt: skip
    assert (limits.max_bytes, limits.timeout, number) == (7, 9, 4)


def test_every_way_to_draw_has_a_flag():
    names = {parameter.name for parameter in drawing.render_parameters()}
    assert names | set(drawing.OWN_FLAGS) == {*RenderOptions.__dataclass_fields__}


# -- mistakes -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (("--threshold", "2"), "must be auto or a number between 0 and 1"),
        (("--picture", "x.gif"), "must end in .png or .svg"),
        (("--memory", "x.json", "--method", "vips"), "vips has no threshold; use --method bcs"),
        (("--profile", "1999"), "segments has the profiles default, paper and 2016"),
        (("--memory", WALL, "--profile", "paper"), "not a threshold memory"),
    ],
)
def test_mistakes_are_told_before_anything_is_drawn(run, by_hand, said, words):
    code, out, err = run("segments", WALL, *said)
    assert (code, out) == (2, "")
    assert words in err
    assert by_hand == []


def test_a_picture_that_cannot_be_written(run, by_hand, tmp_path):
    code, _, err = run("segments", WALL, "--picture", tmp_path / "none" / "x.svg")
    assert (code, "option picture" in err) == (2, True)


# -- memory ---------------------------------------------------------------------------------


def test_the_second_page_of_a_template_uses_the_threshold_of_the_first(run, by_hand, tmp_path):
    memory = tmp_path / "memory.json"
    said = ("--memory", memory, "--method", "bcs", "-f", "json")
    first = json.loads(run("segments", WALL, *said, "--threshold", "0.31")[1])["segments"]
    assert (first["memory"], first["threshold"]) == ("kept", 0.31)
    code, out, err = run("segments", FOG, *said)
    second = json.loads(out)["segments"]
    assert (code, second["memory"], second["threshold"]) == (0, "recalled", 0.31)
    assert "threshold 0.31, as remembered" in err
    other = json.loads(run("segments", SITE / "open-day.html", *said)[1])["segments"]
    assert other["memory"] != "recalled"


def test_a_memory_asks_for_a_threshold_found_by_itself(run, by_hand, tmp_path):
    memory = tmp_path / "memory.json"
    out = run("segments", WALL, "--memory", memory, "--profile", "paper", "-f", "json")[1]
    told = json.loads(out)["segments"]
    assert told["threshold"] != 0.5
    assert told["memory"] == ("kept" if told["steady"] >= 0.01 else "not kept")


# -- drawn ----------------------------------------------------------------------------------


def test_a_page_in_a_browser(run, tmp_path):
    picture = tmp_path / "wall.png"
    code, out, err = run("segments", WALL, "--folder", SITE, "--picture", picture, "-f", "json")
    assert code == 0, err
    form = json.loads(out)
    page = form["segments"]["page"]
    assert page[0] == 1280
    assert page[1] > 2000
    assert "The west wall is up again" in " ".join(item["text"] for item in form["pagelets"])
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert f"picture: {picture}" in err.replace("\n", "")


def test_what_begins_like_a_pdf_is_one(tmp_path):
    (tmp_path / "a.html").write_bytes(b"%PDF-1.7\n")
    assert drawing.is_pdf(str(tmp_path / "a.html"))
    assert not drawing.is_pdf(str(WALL))
    assert not drawing.is_pdf("-")
    assert not drawing.is_pdf("https://example.org/a.pdf")
    assert not drawing.is_pdf(str(tmp_path / "none"))
    assert not drawing.is_pdf("a\0b")


def test_a_page_of_a_pdf(run, tmp_path):
    file = tmp_path / "two.pdf"
    file.write_bytes(pdf(Sheet(words("First page", 72, 700)), Sheet(words("Second page", 72, 700))))
    said = ("--method", "bcs", "--segments", "1", "-f", "json")
    form = json.loads(run("segments", file, "--pdf-page", "2", *said)[1])
    loose, (page, *_) = form["segments"]["loose"], form["segments"]["page"]
    assert (len(form["pagelets"]), len(loose), page) == (0, 1, 816)
    code, _, err = run("segments", file, "--pdf-page", "3")
    assert (code, "2 pages" in err) == (2, True)


# -- the report -----------------------------------------------------------------------------


def kinds_in(report: str) -> set[str]:
    data = turbohtml.parse(report).select_one("#data")
    assert data is not None
    return {item["kind"] for item in json.loads(data.text)["pagelets"]}


def test_a_rendered_report_has_segments(run, monkeypatch, tmp_path):
    asked = []

    def read(source, options, limits, *, url=None, number=1):
        asked.append(options)
        return drawn(parse(Path(source).read_bytes(), url), uneven=True)

    monkeypatch.setattr(inspect, "read_rendering", read)
    out = tmp_path / "report.html"
    assert run("inspect", WALL, "-o", out, "--profile", "paper")[0] == 0
    assert "segment" not in kinds_in(out.read_text())
    assert 'id="rendering"' not in out.read_text()
    assert run("inspect", WALL, "-o", out, "--render", "--width", "900", "-p", "paper")[0] == 0
    assert {"segment", "menu"} <= kinds_in(out.read_text())
    assert 'id="rendering"' in out.read_text()
    (options,) = asked
    assert (options.width, options.picture) == (900, True)
