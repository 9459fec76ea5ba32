"""Where links lead: the compiled core against Python."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pagelet import core
from pagelet.methods.links.targets import PATH_BITS, find_own_hosts, find_targets, read_addresses
from tests.cores import ask_both, twins

pytestmark = twins

PARTS = st.sampled_from([
    "http:", "https:", "HTTPS:", "mailto:", "TEL:", "//", "/", "#", "#top", "?", ":", "www.",
    "WWW.", "a.example", "x.com", "a", "b", "a-b_c-d", "_", "\u00e4", "javascript:",
])  # fmt: skip
ADDRESSES = st.lists(PARTS, max_size=7).map("".join)


def told(addresses, url):
    """Everything that is told of addresses."""
    read = read_addresses(addresses, url)
    own = find_own_hosts(read.hosts, np.bincount(read.host, minlength=len(read.hosts)), url)
    columns = read.host, read.own, read.seen, own, find_targets(read, own)
    return read.hosts, [column.tolist() for column in columns]


@given(st.lists(ADDRESSES, max_size=6), st.none() | ADDRESSES)
@example(["https://www.a.example/b/c", "/b", "/b/c#x", "/b/c", "/b/cd", "b/", "//", ""], "/b/c/d")
@example(["http:x", "//a?b", "HTTP://A/B", "x//y/z", "1234567//a/b", "12345678//a"], "http://A.b/c")
@example(
    ["/a-b-c/d", "/a/b-c_d-e/", "a/b/c", "/?q", "?", "#", "#top", "#x", "tel:1", "x:1/2"], None
)
@example(["/b/\u00e4", "/\u00e4", "\ud800"], "http://x/\u00e4/\ud800")
def test_addresses(addresses, url):
    compiled, python = ask_both(lambda: told(addresses, url))
    assert compiled == python


def test_numbers_for_each_address():
    one, two = np.zeros(1, np.intp), np.zeros(2, np.int64)
    with pytest.raises(ValueError, match="address"):
        core.kernels.read_addresses(["/", "/"], b"", PATH_BITS, str, one, two, two)
