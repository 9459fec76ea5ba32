"""A site in a folder: files by relative link, whatever they are called."""

import pytest

from pagelet.errors import Unreachable
from pagelet.page.site import Site
from pagelet.sources.folder import DEFAULT_ROOT, FolderSite, folder_site, looks_like_html
from pagelet.sources.options import Limits

FILES = (
    "index.html",
    "news/index.html",
    "news/one.htm",
    "page.php?id=1",
    "page.php?id=2.html",
    "bare",
    "two words.html",
    "Größe.html",
    "style.css",
    "shop/default.htm",
)


@pytest.fixture
def folder(tmp_path):
    for name in FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"<p>{name}")
    (tmp_path / "notes").write_text("no page")
    return tmp_path


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/index.html", "index.html"),
        ("/", "index.html"),
        ("", "index.html"),
        ("/news/", "news/index.html"),
        ("/news", "news/index.html"),
        ("/news/one.htm", "news/one.htm"),
        ("/page.php?id=1", "page.php?id=1"),
        ("/page.php%3Fid=1", "page.php?id=1"),
        ("/page.php?id=2", "page.php?id=2.html"),
        ("/page.php%3Fid=2.html", "page.php?id=2.html"),
        ("/index.html?session=7", "index.html"),
        ("/bare", "bare"),
        ("/two words.html", "two words.html"),
        ("/two%20words.html", "two words.html"),
        ("/Gr%C3%B6%C3%9Fe.html", "Größe.html"),
        ("/shop/", "shop/default.htm"),
    ],
)
def test_an_address_leads_to_its_file(folder, path, name):
    page = FolderSite(folder).load(DEFAULT_ROOT + path)
    assert page.texts == (name,)


@pytest.mark.parametrize(
    "url",
    [
        f"{DEFAULT_ROOT}/missing.html",
        f"{DEFAULT_ROOT}/../secret.html",
        f"{DEFAULT_ROOT}/%2e%2e/secret.html",
        f"{DEFAULT_ROOT}/%00",
        f"{DEFAULT_ROOT}/{'x' * 5000}",
        f"{DEFAULT_ROOT}/notes",
        "https://elsewhere.example/index.html",
        "index.html",
    ],
)
def test_what_is_not_there_is_none(folder, url):
    (folder.parent / "secret.html").write_text("<p>secret")
    assert FolderSite(folder).load(url) is None


def test_a_link_out_of_the_folder_is_not_followed(folder):
    (folder.parent / "secret.html").write_text("<p>secret")
    (folder / "out.html").symlink_to(folder.parent / "secret.html")
    assert FolderSite(folder).load(f"{DEFAULT_ROOT}/out.html") is None


def test_the_pages_it_knows(folder):
    site = FolderSite(folder)
    assert isinstance(site, Site)
    loaded = [site.load(url) for url in site.addresses()]
    assert {page.texts[0] for page in loaded} == set(FILES) - {"style.css"}
    assert {page.url for page in loaded} == set(site.addresses())


def test_a_page_that_is_too_large_is_none(folder):
    assert FolderSite(folder, limits=Limits(max_bytes=5)).load(f"{DEFAULT_ROOT}/index.html") is None


def test_an_address_of_its_own(folder):
    site = FolderSite(folder, root="https://a.example/x/")
    assert site.load("https://a.example/x/bare").url == "https://a.example/x/bare"
    assert site.load("https://a.example/bare") is None


def test_what_is_no_folder_is_said(tmp_path):
    with pytest.raises(Unreachable, match="not a folder"):
        FolderSite(tmp_path / "no")


@pytest.mark.parametrize(
    ("data", "like"),
    [
        (b"<p>x", True),
        (b"\xef\xbb\xbf  <html>", True),
        ("<p>x".encode("utf-16"), True),
        (b"Words first, <b>then</b> tags", True),
        (b"", False),
        (b"just words", False),
        (b"\x89PNG\x00\x00<", False),
    ],
)
def test_what_looks_like_html(data, like):
    assert looks_like_html(data) is like


@pytest.mark.parametrize(
    ("page", "url", "root", "address"),
    [
        ("news/one.htm", None, DEFAULT_ROOT, f"{DEFAULT_ROOT}/news/one.htm"),
        ("news/one.htm", "https://b.example/x/news/one.htm", "https://b.example/x", None),
        ("news/one.htm", "https://b.example/other", DEFAULT_ROOT, f"{DEFAULT_ROOT}/news/one.htm"),
    ],
)
def test_a_file_of_the_folder_has_an_address_in_it(folder, page, url, root, address):
    site, found = folder_site(folder, str(folder / page), url)
    assert (site.root, found) == (root, address or url)


@pytest.mark.parametrize(
    ("page", "url", "root", "address"),
    [
        ("https://c.example/a/b", None, "https://c.example", "https://c.example/a/b"),
        ("-", "https://c.example/a", "https://c.example", "https://c.example/a"),
        ("-", None, DEFAULT_ROOT, f"{DEFAULT_ROOT}/"),
    ],
)
def test_a_page_from_elsewhere_stands_at_its_host(folder, page, url, root, address):
    site, found = folder_site(folder, page, url)
    assert (site.root, found) == (root, address)
