"""Addresses: joined as the standard library joins them, plain ones without it."""

from urllib.parse import urljoin

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pagelet.page.addresses import join_url

BASES = ("https://x.example/a/b.html?c#d", "http://u:p@h:80", "file:///a/b", "HTTP://A/b", "a", "")
PIECES = st.lists(
    st.sampled_from(
        [*("/", "a", "..", ".", "http:", "//", "?", "#", " ", ";", "~b", "https://h.example"),
         *("x=1", "&", ":", "@", "(c)", "+,", "$", "%20", "!*'", "é", "[", "\\", "/a.b/")]
    )
)  # fmt: skip


@pytest.mark.parametrize("base", BASES)
@given(PIECES.map("".join))
@example("/a/../b.c?d=/../e#../f")
@example("https://h.example/./a.b/..?c")
@example("/a;b?c;d")
@example("/a;?c")
@example("/a?#")
@example("https://h.example?a=1#")
def test_joined_addresses(base, address):
    try:
        expected = urljoin(base, address.strip()) if base else address.strip()
    except ValueError:
        expected = address.strip()
    assert join_url(base, address) == expected


def test_a_base_that_is_no_address():
    assert join_url("http://[::1/", "/a") == "/a"
    assert join_url(None, " /a ") == "/a"
