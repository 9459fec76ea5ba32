"""Addresses of hyperlinks by both cores: in JSON and in Markdown, with a base and without one."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import extract, parse
from pagelet.page.addresses import PLAIN, origin_of
from pagelet.page.tags import TEXT
from pagelet.write import write_markdown
from pagelet.write.media import link_address
from tests.cores import ask_both, twins

#: Pieces of addresses: those that stay as they are when joined, and those that may not.
PIECES = (
    *("http://", "https://", "HTTPS://", "//", "/", "?", "#", ".", "..", "a", "b-c", "%41", "a.b"),
    *(
        "@",
        ":",
        ":80",
        "&",
        "'",
        '"',
        "<",
        "(",
        ")",
        "*",
        ";",
        "é",
        " ",
        "\t",
        "\\",
        "[",
        "mailto:",
    ),
)
addresses = st.lists(st.sampled_from(PIECES), max_size=7).map("".join)
plain = st.builds(
    "".join,
    st.tuples(
        st.sampled_from(["", "http://a.b-1", "https://c"]),
        st.sampled_from(["/", "/x", "/x/y.z/", "/a&b/'c'", "/~u/(v)"]),
        st.sampled_from(["", "?q=1&r=a;b/c?d", "#e"]),
    ),
)
bases = st.sampled_from([
    *(None, "https://pages.example/a/b?c#d", "http://host:8080", "https://u:p@host/x"),
    *("http://Host/x", "http://[bad/x", "file:///a/b", "about:blank", "http://h:99999/x"),
])  # fmt: skip


relative = st.text("ab1._~%+=&'?#;/-(", max_size=8)


def page_with(links: list[str], base: str | None, *, stated: bool) -> str:
    """A page whose paragraphs hold one link each; the base is stated in the page, or is its URL."""
    paragraphs = "".join(f"<p>Text <a href='{each}'>label</a> of it.</p>" for each in links)
    head = f"<base href='{base}'>" if stated and base else ""
    return f"<html><head>{head}</head><body>{paragraphs}</body></html>"


@twins
@given(st.lists(addresses | plain | relative, min_size=1, max_size=6), bases, st.booleans())
def test_links_are_written_alike(links, base, stated):
    html = page_with([each.replace("'", "&#39;") for each in links], base, stated=stated)
    url = "https://site.example/dir/page" if stated else base

    def write():
        page = parse(html, url)
        markdown = write_markdown(page, page.tag == TEXT)
        return markdown, extract(html, url=url, format="json", keep=["p"])

    compiled, python = ask_both(write)
    assert compiled == python


@twins
@pytest.mark.parametrize(
    "address", ["/x?", "/x#", "/x?#", "/a/../b", "/a/./b", "/..", "//a/b", "/a;b"]
)
def test_addresses_that_change_when_joined_are_written_alike(address):
    html = page_with([address, f"https://a.b{address}"], None, stated=False)

    def write():
        page = parse(html, "https://pages.example/dir/page")
        return write_markdown(page, page.tag == TEXT)

    compiled, python = ask_both(write)
    assert compiled == python


@twins
@pytest.mark.parametrize(
    "address", ["#part", "#", "?a=b&c", "a/b.html#c", ".", "..", "a:b", "tel:1", "a@b", "a b", "é"]
)
@pytest.mark.parametrize("url", [None, "https://pages.example/dir/page"])
def test_relative_addresses_are_written_alike(address, url):
    html = page_with([address], None, stated=False)

    def write():
        page = parse(html, url)
        return write_markdown(page, page.tag == TEXT), extract(html, url, format="json", keep=["p"])

    compiled, python = ask_both(write)
    assert compiled == python


@twins
def test_links_of_a_page_without_source_are_written_alike():
    html = page_with(["/x?a&b", "https://a.b/c", "d"], None, stated=False)

    def write():
        page = replace(parse(html, "https://pages.example/e/f"), source=None)
        return write_markdown(page, np.asarray(page.tag == TEXT))

    compiled, python = ask_both(write)
    assert compiled == python
    assert "(https://pages.example/x?a&b)" in compiled
    assert "(https://pages.example/e/d)" in compiled


@given(plain, bases)
def test_a_plain_path_stands_behind_the_origin(address, base):
    assert PLAIN.fullmatch(address)
    if address.startswith("/") and base and (origin := origin_of(base)) is not None:
        assert link_address(address, base) == origin + address


@pytest.mark.parametrize(
    ("base", "origin"),
    [
        (None, ""),
        ("", ""),
        ("https://pages.example/a", "https://pages.example"),
        ("http://localhost:8000?x", "http://localhost:8000"),
        ("https://u:p@host/x", None),
        ("file:///a", None),
        ("http://[bad/x", None),
    ],
)
def test_origins(base, origin):
    assert origin_of(base) == origin
