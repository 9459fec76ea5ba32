"""The spider of the guide on a real server, its table, and the query."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.guides.serving import environment, serve_files
from tests.guides.tables import GUIDES, code
from tests.places import ROOT, SITE

GUIDE = GUIDES / "scrapy.md"
OTHER_LANGUAGES = {"/ar/index.html", "/ja/index.html"}


def run(line: str, folder: Path) -> str:
    """Run a line of the guide in a folder; what it reports on standard error."""
    env = environment(folder) | {"NO_COLOR": "1"}
    env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{env['PATH']}"
    done = subprocess.run(
        line, shell=True, cwd=folder, env=env, timeout=300, check=True, capture_output=True,
        text=True,
    )  # fmt: skip
    return done.stderr


@pytest.fixture(scope="module")
def crawl(tmp_path_factory) -> tuple[Path, list[str]]:
    """A folder with what the guide makes, and the addresses that were loaded."""
    folder = tmp_path_factory.mktemp("crawl")
    with serve_files() as server:
        line = code(GUIDE, "sh", "## Crawl").splitlines()[-1]
        here = f"http://127.0.0.1:{server.server_port}"
        line = line.replace("http://127.0.0.1:8000", here).replace("examples/", f"{ROOT}/examples/")
        assert run(f"{line} -s DOWNLOAD_DELAY=0 -s LOG_LEVEL=WARNING", folder) == ""
    run(f"{code(GUIDE, 'sh', '## Make the table').strip()} -j 0", folder)
    return folder, server.requests


def test_the_guide_shows_the_file():
    shown = code(GUIDE, "python", "## The spider")
    assert shown == (ROOT / "examples" / "spider.py").read_text(encoding="utf-8")
    assert len(shown.splitlines()) < 40


def test_links_are_followed_by_their_role(crawl):
    _, requests = crawl
    assert requests[0] == "/robots.txt"
    assert len(requests) == len(set(requests))
    pages = {f"/{path.relative_to(SITE)}" for path in SITE.rglob("*.html")}
    assert pages - set(requests) == OTHER_LANGUAGES
    assert {"/news/index.html?page=2", "/forum/index.html?page=4"} <= set(requests)


def test_the_query_prints_what_is_written(crawl, monkeypatch, capsys):
    folder, _ = crawl
    monkeypatch.chdir(folder)
    exec(code(GUIDE, "py", "## Look at it"), {})
    assert capsys.readouterr().out.strip() == code(GUIDE, "text", "## Look at it").strip()
