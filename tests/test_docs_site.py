"""The documentation site: it builds without a warning, and its parts are what it needs."""

import subprocess
import sys

import pytest
from scripts import build_docs

import pagelet
from tests.cases import case
from tests.places import ROOT


def test_the_site_builds_without_a_warning():
    """Links and anchors lead somewhere, docstrings can be read, every page is in the navigation."""
    command = [sys.executable, ROOT / "scripts" / "build_docs.py", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("docs/README.md", "index.md"),
        ("README.md", "index.md"),
        ("docs/methods/menu.md", "methods/menu.md"),
        ("docs/decisions/README.md", "decisions/index.md"),
        ("docs/pictures/report.png", "pictures/report.png"),
        ("CONTRIBUTING.md", "contributing.md"),
        ("src/pagelet/api.py", None),
        ("LICENSE", None),
    ],
)
def test_where_a_file_is_on_the_site(path, name):
    assert build_docs.site_name(path) == name


@pytest.mark.parametrize(
    ("path", "written", "moved"),
    [
        ("docs/a.md", "[b](methods/b.md#c)", "[b](methods/b.md#c)"),
        ("docs/methods/b.md", "[index](../README.md)", "[index](../index.md)"),
        ("docs/methods/b.md", "[c](../../CONTRIBUTING.md#names)", "[c](../contributing.md#names)"),
        ("CONTRIBUTING.md", "[g](docs/glossary.md)", "[g](glossary.md)"),
        ("docs/a.md", "![p](pictures/p.png)", "![p](pictures/p.png)"),
        ("docs/a.md", "[model](../src/pagelet/x.json), [w](https://w.org/)", "model, [w](https://w.org/)"),
        ("docs/a.md", "[here](#there)", "[here](#there)"),
        ("docs/a.md", "[`x` [1]](b.md)", "[`x` [1]](b.md)"),
        ("docs/a.md", "```\n[b](../b.md)\n```", "```\n[b](../b.md)\n```"),
    ],
)  # fmt: skip
def test_links_lead_to_pages_of_the_site(path, written, moved, monkeypatch, tmp_path):
    file = tmp_path / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(written)
    monkeypatch.setattr(build_docs, "ROOT", tmp_path)
    assert build_docs.page_text(path) == moved


def test_the_index_is_the_navigation():
    sections = build_docs.navigation()
    assert list(sections)[:4] == ["Start", "Guides", "Methods", "Reference"]
    names = [name for entries in sections.values() for _, name in entries]
    assert len(names) == len(set(names))
    pages = {(build_docs.site_name(path) or "").removesuffix(".md") for path in build_docs.pages()}
    below = {name for name in pages if name.startswith("decisions/0")}
    assert set(names) == pages - below - {"index"} | {build_docs.REFERENCE}


def test_the_reference_has_every_public_name():
    text = build_docs.python_reference()
    for name in pagelet.__all__:
        with case(name):
            assert f":: pagelet.{name}\n" in text


def test_what_is_loaded_from_another_host_is_found(tmp_path):
    (tmp_path / "a.html").write_text(
        '<a href="https://a.org/">a</a><img src="p.png"><script src="//cdn.org/x.js"></script>'
        '<link rel="stylesheet" href="https://fonts.org/f.css">'
    )
    (tmp_path / "a.css").write_text("@import 'https://b.org/x.css'; p { background: url(p.png) }")
    found = list(build_docs.foreign_files(tmp_path))
    assert [line.partition(":")[0] for line in found] == ["a.css", "a.html", "a.html"]
