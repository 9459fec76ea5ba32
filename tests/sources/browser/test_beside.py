"""Style sheets and pictures beside a local page."""

from dataclasses import replace
from pathlib import Path

import pytest

from pagelet.page.html import parse
from pagelet.sources.browser import beside
from pagelet.sources.browser.beside import site_folder
from pagelet.sources.browser.options import RenderOptions
from pagelet.sources.browser.resources import ResourceLoader, ResourceRefused, read_document
from pagelet.sources.options import Limits


@pytest.fixture
def site(tmp_path) -> Path:
    (tmp_path / "news/2026").mkdir(parents=True)
    (tmp_path / "css").mkdir()
    (tmp_path / "css/style.css").write_text("p { color: red }")
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "data.js").write_text("1")
    return tmp_path


def root(site: Path, html: str, folder: str = "news") -> Path:
    return site_folder(parse(html), (site / folder).resolve())


def test_the_folder_of_the_site_is_where_its_style_sheets_are(site):
    assert root(site, "<link rel=stylesheet href='../css/style.css?v=2'>") == site.resolve()
    assert root(site, "<link rel=stylesheet href='/css/style.css'>") == site.resolve()
    assert root(site, "<link href='../../css/style.css'>", "news/2026") == site.resolve()


@pytest.mark.parametrize(
    "html",
    [
        "<link rel=stylesheet href='../css/none.css'>",
        "<a href='../secret.txt'>text</a>",
        "<link href='https://other.example/css/style.css'>",
        "<link href='../../../../../../etc/passwd'>",
        "<img src='//[x/a.png'>",
        "<img src='\0'>",
    ],
)
def test_nothing_else_leads_out_of_the_own_folder(site, html):
    assert root(site, html) == (site / "news").resolve()


def test_the_home_folder_is_no_site(site, monkeypatch):
    monkeypatch.setattr(beside.Path, "home", lambda: site)
    assert root(site, "<link href='../css/style.css'>") == (site / "news").resolve()


def page_of(site: Path, **options):
    path = site / "news/page.html"
    path.write_text("<link rel=stylesheet href='../css/style.css'><p>one")
    return read_document(path, RenderOptions(**options))


def test_outside_the_own_folder_only_what_is_shown_is_read(site):
    document = page_of(site)
    loader = ResourceLoader(document, (), Limits())
    start = document.address.removesuffix("news/page.html")
    assert loader.get(f"{start}css/style.css").body.startswith(b"p {")
    assert loader.get(f"{start}news/page.html").body
    for name in ("secret.txt", "data.js", "news/../secret.txt"):
        with pytest.raises(ResourceRefused):
            loader.get(f"{start}{name}")


@pytest.mark.parametrize("options", [{"javascript": "on"}, {"network": "on"}])
def test_with_scripts_or_network_the_own_folder_is_all(site, options):
    assert page_of(site, **options).folder == (site / "news").resolve()


def test_a_folder_that_is_given_is_taken(site):
    document = page_of(site, folder=str(site))
    assert (document.folder, document.own) == (site.resolve(), None)
    loader = ResourceLoader(replace(document), (), Limits())
    assert loader.get("http://page.invalid/secret.txt").body == b"secret"
