"""`pagelet evaluate segments` with a real browser, on a folder of two sites."""

import json

import pytest
from typer.testing import CliRunner

from pagelet.cli import app
from pagelet.lab.segments.gold import SUB, TOP, draw_examples, renderer_version

STYLE = ".head { position: absolute; top: 400px } *[data-block] { display: none }"
PAGE = (
    "<!DOCTYPE html><html><head><link rel=stylesheet href='../style/a b.css?v=1'>"
    "<style>*[data-block] { display: none }</style>"
    "<meta http-equiv=refresh content='0; url=https://example.org/'></head><body>"
    "<div class=head data-block=1>Menü<script>document.write('no')</script></div>"
    "<div data-block=1><p data-block=2>One</p><p data-block=2>Two</p></div>"
    "<div class=ui-dialog>Tool</div><noscript>Three</noscript></body></html>"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("blocks")
    for site in ("one", "two"):
        (root / site / "pages").mkdir(parents=True)
        (root / site / "style").mkdir()
        (root / site / "pages" / "x.blocks.html").write_text(PAGE, encoding="utf-8")
        (root / site / "style" / "a b.css?v=1").write_text(".head { margin-top: 300px }")
    return root


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


def test_pages_are_drawn_from_their_own_folder(folder, cache):
    first, second = draw_examples(folder, cache=cache)
    assert [first.page.text(int(row)) for row in first.boxes.row] == ["Menü", "One", "Two", "Three"]
    assert first.boxes.top[0] >= 300  # the style lies beside the folder of the page
    assert first.gold[TOP].tolist() == [0, 1, 1, -1]
    assert first.gold[SUB].tolist() == [-1, 0, 1, -1]
    assert second.site == "two"
    assert len(list(cache.iterdir())) == 2


def test_the_command(folder, cache, monkeypatch):
    draw_examples(folder, cache=cache)
    monkeypatch.setenv("PAGELET_BROWSER", "there is no such browser")  # all pages are kept
    command = ["evaluate", "segments", str(folder), "--cache", str(cache), "--format", "json"]
    found = CliRunner().invoke(app, command)
    assert found.exit_code == 0, found.stderr
    tables = json.loads(found.stdout)
    assert set(tables) == {"blocks", "inner", "published", "variants"}
    rows = {row["segmentation"]: row for row in tables["blocks"]["rows"]}
    assert rows["tree, first branching"]["boxes"] == 1
    assert "2 of 8 boxes" in tables["blocks"]["notes"][0]
    assert CliRunner().invoke(app, [*command[:-2], "--pages", "1"]).exit_code == 0


def test_other_code_draws_again(tmp_path):
    (tmp_path / "browser.py").write_text("one")
    first = renderer_version(tmp_path)
    (tmp_path / "script.js").write_text("no Python")
    assert renderer_version(tmp_path) == first
    (tmp_path / "browser.py").write_text("two")
    assert renderer_version(tmp_path) != first
    assert renderer_version() == renderer_version() != renderer_version(tmp_path)
