"""Pages from files, standard input and folders."""

import io
import sys
from types import SimpleNamespace

import pytest

from pagelet.errors import PageTooLarge, Unreachable
from pagelet.sources import load, load_folder
from pagelet.sources.options import Limits


def test_a_file(tmp_path):
    (tmp_path / "page.html").write_bytes("<p>Élan</p>".encode("latin-1"))
    page = load(str(tmp_path / "page.html"), url="https://example.org/")
    assert (page.texts, page.url) == (("Élan",), "https://example.org/")


def test_a_file_has_no_url(tmp_path):
    (tmp_path / "page.html").write_text("<p>x")
    assert load(str(tmp_path / "page.html")).url is None


def test_an_empty_file_is_an_empty_page(tmp_path):
    (tmp_path / "page.html").touch()
    assert load(str(tmp_path / "page.html")).texts == ()


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"<p>from a pipe")))
    assert load("-").texts == ("from a pipe",)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        pytest.param("missing.html", "no such file", id="missing"),
        pytest.param("", "it is a folder", id="a folder"),
        pytest.param("x" * 5000, "name too long", id="no name a file could have"),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path, name, why):
    with pytest.raises(Unreachable, match=why):
        load(str(tmp_path / name))


@pytest.mark.parametrize(
    ("name", "scheme"),
    [
        ("www.example.com", "https"),
        ("example.org/a/page.html", "https"),
        ("localhost:8000", "http"),
        ("127.0.0.1:8000/page.html", "http"),
    ],
)
def test_a_host_that_is_no_file_is_taken_for_an_address_without_scheme(name, scheme):
    with pytest.raises(Unreachable, match=f"no such file; did you mean {scheme}://{name} "):
        load(name)
    for other in ("missing.html", "site/missing.html", "missing.warc.gz", "missing"):
        with pytest.raises(Unreachable, match="no such file; give a file, a URL or -"):
            load(other)


def test_a_name_with_nul_is_said():
    with pytest.raises(Unreachable, match="no such file"):
        load("page\0.html")


def test_the_limit_is_inside(tmp_path):
    (tmp_path / "page.html").write_bytes(b"x" * 100)
    assert load(str(tmp_path / "page.html"), limits=Limits(max_bytes=100)).texts == ("x" * 100,)
    with pytest.raises(PageTooLarge, match="99 bytes"):
        load(str(tmp_path / "page.html"), limits=Limits(max_bytes=99))


def test_the_limit_holds_for_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"x" * 100)))
    with pytest.raises(PageTooLarge):
        load("-", limits=Limits(max_bytes=99))


@pytest.fixture
def site(tmp_path):
    (tmp_path / "sub").mkdir()
    for name in ("b.html", "a.htm", "sub/c.xhtml", "d", "style.css", "e.php"):
        (tmp_path / name).write_text(f"<p>{name}")
    return tmp_path


def test_a_folder_is_read_in_order(site):
    texts = [page.texts for page in load_folder(site, most=10)]
    assert texts == [("a.htm",), ("b.html",), ("d",), ("e.php",), ("sub/c.xhtml",)]


def test_no_more_than_asked_for(site):
    assert len(list(load_folder(site, most=2))) == 2


def test_the_page_itself_is_left_out(site, monkeypatch):
    monkeypatch.chdir(site)
    texts = [page.texts for page in load_folder(site, most=2, leave_out="./a.htm")]
    assert texts == [("b.html",), ("d",)]


def test_a_folder_that_is_none(tmp_path):
    with pytest.raises(Unreachable, match="not a folder"):
        list(load_folder(tmp_path / "missing", most=1))
