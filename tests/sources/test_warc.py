"""A site in a WARC file that the test has written: pages by address, whatever else is in it."""

import gzip
import sys
from pathlib import Path

import pytest

from pagelet.errors import MissingExtra, Unreachable
from pagelet.page.site import Site
from pagelet.sources import compressed
from pagelet.sources.compressed import next_magic
from pagelet.sources.options import Limits
from pagelet.sources.warc import reader
from pagelet.sources.warc import site as warc_site
from pagelet.sources.warc.site import WarcSite, is_archive, normalize

HOST = "https://a.example"


def answer(body: bytes, status: str = "200 OK", kind: str = "text/html", **headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def record(address: str, block: bytes, kind: str = "response") -> bytes:
    lines = [
        "WARC/1.1",
        f"WARC-Type: {kind}",
        f"WARC-Target-URI: {address}",
        "WARC-Date: 2024-05-06T07:08:09Z",
        "WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>",
        "Content-Type: application/http; msgtype=response",
        f"Content-Length: {len(block)}",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + block + b"\r\n\r\n"


def page(path: str, body: str | None = None) -> bytes:
    return record(HOST + path, answer((body or f"<p>{path}").encode()))


def written(folder: Path, *records: bytes, packed: bool = False) -> Path:
    path = folder / ("site.warc.gz" if packed else "site.warc")
    path.write_bytes(b"".join(gzip.compress(each) if packed else each for each in records))
    return path


def texts(site: WarcSite) -> list[str | None]:
    """The first text of every page it knows."""
    pages = map(site.load, site.addresses())
    return [found and found.texts[0] for found in pages]


@pytest.mark.parametrize("packed", [False, True])
def test_pages_by_address(tmp_path, packed):
    site = WarcSite(written(tmp_path, *map(page, ("/1", "/2", "/3")), packed=packed))
    assert isinstance(site, Site)
    assert site.addresses() == (f"{HOST}/1", f"{HOST}/2", f"{HOST}/3")
    assert texts(site) == ["/1", "/2", "/3"]
    assert site.load(f"{HOST}/3").url == f"{HOST}/3"
    assert site.load(f"{HOST}/4") is None
    assert site.broken == 0


def test_only_pages_are_kept(tmp_path):
    archive = written(
        tmp_path,
        record(f"{HOST}/", b"software: test\r\n", "warcinfo"),
        record(f"{HOST}/asked", b"GET / HTTP/1.1\r\n\r\n", "request"),
        record(f"{HOST}/again", answer(b""), "revisit"),
        record(f"{HOST}/missing", answer(b"<p>no", "404 Not Found")),
        record(f"{HOST}/moved", answer(b"<p>no", "301 Moved", Location="/")),
        record(f"{HOST}/picture", answer(b"<p>no", kind="image/png")),
        record(f"{HOST}/nothing", b""),
        record(f"{HOST}/words", b"no answer of a server"),
        record("dns:a.example", answer(b"<p>no")),
        record("urn:x", answer(b"<p>no")),
        record(f"{HOST}/xhtml", answer(b"<p>yes", kind="Application/XHTML+XML; charset=utf-8")),
        record(f"<{HOST}/html>", answer(b"<p>yes", kind="TEXT/HTML")),
    )
    site = WarcSite(archive)
    assert site.addresses() == (f"{HOST}/xhtml", f"{HOST}/html")
    assert (texts(site), site.broken) == (["yes", "yes"], 0)


def test_with_a_start_only_its_site_is_kept(tmp_path):
    others = (
        record(f"https://{host}/", answer(b"<p>x"))
        for host in ("www.a.example", "b.example", "a.example.b.example", "nota.example")
    )
    site = WarcSite(written(tmp_path, page("/1"), *others), f"{HOST}/somewhere")
    assert site.addresses() == (f"{HOST}/1", "https://www.a.example/")


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (gzip.compress(b"<p>words", mtime=0), {"Content_Encoding": "gzip"}),
        (b"8\r\n<p>words\r\n0\r\n\r\n", {"Transfer_Encoding": "chunked"}),
        (b"<p>words", {"Content_Encoding": "gzip"}),
        (b"<p>words", {"Transfer_Encoding": "chunked"}),
        (b"<p>words", {"Content_Encoding": "gzip", "Transfer_Encoding": "chunked"}),
        (b"<p>words", {"Content_Encoding": "unheard-of"}),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_a_body_is_unpacked_or_taken_as_it_is(tmp_path, packed, body, headers):
    site = WarcSite(written(tmp_path, record(HOST, answer(body, **headers)), packed=packed))
    assert texts(site) == ["words"]


def test_the_charset_is_what_the_header_says(tmp_path):
    body = answer("<p>Привет".encode("koi8-r"), kind="text/html; charset=koi8-r")
    assert texts(WarcSite(written(tmp_path, record(HOST, body)))) == ["Привет"]


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b"<p>" + b"x" * 1000, {}),
        (gzip.compress(b"<p>" + b"x" * 50_000_000, mtime=0), {"Content_Encoding": "gzip"}),
        (b"\x89PNG\0\0", {}),
    ],
)
def test_what_is_too_large_or_no_page_is_none(tmp_path, body, headers):
    archive = written(tmp_path, record(HOST, answer(body, **headers)))
    assert texts(WarcSite(archive, limits=Limits(max_bytes=500))) == [None]


def test_the_first_of_several_is_taken(tmp_path):
    archive = written(tmp_path, page("/", "<p>first"), page("/", "<p>second"))
    assert texts(WarcSite(archive)) == ["first"]


def test_a_file_packed_as_one_piece(tmp_path):
    path = tmp_path / "site.warc.gz"
    path.write_bytes(gzip.compress(b"".join(map(page, ("/1", "/2", "/3")))))
    assert texts(WarcSite(path)) == ["/1", "/2", "/3"]


def test_a_file_that_has_changed_since(tmp_path):
    site = WarcSite(written(tmp_path, page("/1"), page("/2")))
    written(tmp_path, page("/2"))
    assert texts(site) == [None, "/2"]
    site.path.unlink()
    assert texts(site) == [None, None]


def test_more_pages_than_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(warc_site, "MAX_PAGES", 2)
    assert texts(WarcSite(written(tmp_path, *map(page, ("/1", "/2", "/3"))))) == ["/1", "/2"]


# -- broken files -----------------------------------------------------------------------------


def spoilt(data: bytes, start: int = 20) -> bytes:
    """A packed record that cannot be unpacked."""
    packed, end = gzip.compress(data), start + 40
    return packed[:start] + bytes(byte ^ 0xFF for byte in packed[start:end]) + packed[end:]


@pytest.mark.parametrize("start", [3, 20])  # in the head, or behind it
@pytest.mark.parametrize("bad", [1, 2, 5])
def test_broken_packed_records_are_passed_over_and_counted(tmp_path, bad, start):
    broken = [spoilt(page(f"/bad{at}"), start) for at in range(bad)]
    path = tmp_path / "site.warc.gz"
    path.write_bytes(gzip.compress(page("/1")) + b"".join(broken) + gzip.compress(page("/2")))
    site = WarcSite(path)
    assert (texts(site), site.broken) == (["/1", "/2"], bad)


@pytest.mark.parametrize(
    "broken",
    [
        b"rubbish\r\n\r\n",
        page("/bad").replace(b"WARC/1.1", b"W??C/1.1"),
        page("/bad").replace(b"Content-Length: ", b"Content-Length: x"),
    ],
)
def test_broken_plain_records_are_passed_over_and_counted(tmp_path, broken):
    site = WarcSite(written(tmp_path, page("/1"), broken, page("/2"), broken, page("/3")))
    assert (texts(site), site.broken) == (["/1", "/2", "/3"], 2)


def test_a_file_of_nothing_but_broken_places_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(warc_site, "MAX_DAMAGE", 20)
    path = tmp_path / "site.warc.gz"
    path.write_bytes(gzip.compress(page("/1")) + reader.GZIP * 100_000)
    site = WarcSite(path)
    assert (texts(site), site.broken) == (["/1"], 20)


@pytest.mark.parametrize("packed", [False, True])
def test_records_of_other_kinds_at_the_end_are_not_broken(tmp_path, packed):
    asked = record(f"{HOST}/asked", b"GET / HTTP/1.1\r\n\r\n", "request")
    told = record(f"{HOST}/told", b"words: yes", "metadata")
    site = WarcSite(written(tmp_path, asked, page("/1"), asked, told, told, packed=packed))
    assert (texts(site), site.broken) == (["/1"], 0)


@pytest.mark.parametrize("data", [b"<html>no", b"\x1f\x8bno", b"\x1f\x8b\x08no"])
def test_what_is_no_archive_is_said(tmp_path, data):
    path = tmp_path / "site.warc"
    path.write_bytes(data)
    with pytest.raises(Unreachable, match="give a WARC file"):
        WarcSite(path)


def test_a_file_that_is_not_there_is_said(tmp_path):
    with pytest.raises(Unreachable, match="no such file; give a WARC file"):
        WarcSite(tmp_path / "no.warc")


def test_an_empty_file_has_no_pages(tmp_path):
    assert WarcSite(written(tmp_path)).addresses() == ()


def test_without_the_packages_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "fastwarc", None)
    with pytest.raises(MissingExtra, match=r"pip install 'pagelet\[bulk\]'"):
        WarcSite(written(tmp_path, page("/1")))


def test_the_next_record_is_found_across_steps(tmp_path, monkeypatch):
    path = tmp_path / "x.warc"
    for step in range(1, 12):
        monkeypatch.setattr(compressed, "SEARCH_BYTES", step)
        for gap in range(12):
            path.write_bytes(b"-" * gap + b"WARC/")
            with path.open("rb") as file:
                assert next_magic(file, 0, reader.PLAIN) == gap
                assert next_magic(file, gap + 1, reader.PLAIN) is None


# -- names ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        "http://a.example/two words?b=1",
        "https://A.Example/two%20words?b=1#there",
        "https://a.example:443/two%20words?b=1",
        "<http://a.example:80/two%20words?b=1>",
        "http://a.example./two words?b=1",
    ],
)
def test_spellings_of_one_address(url):
    assert normalize(url) == "a.example/two%20words?b=1"


@pytest.mark.parametrize(
    "url",
    [
        "http://a.example:8080/",
        "http://a.example/?b",
        "http://b.example/",
        "http://[/",
        "http://a:x/",
    ],
)
def test_what_is_another_address(url):
    assert normalize(url) != normalize("http://a.example")


@pytest.mark.parametrize(
    ("name", "is_one"), [("a.warc", True), ("a.WARC.GZ", True), ("a.gz", False), ("warc", False)]
)
def test_what_is_named_like_an_archive(name, is_one):
    assert is_archive(Path(name)) is is_one
