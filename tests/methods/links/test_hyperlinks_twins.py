"""The table of hyperlinks, words of addresses and overlapping groups: both cores compared."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import core, parse
from pagelet.methods.links import decide_links
from pagelet.methods.links.answer import _hold_others
from pagelet.methods.links.hyperlinks import find_hyperlinks
from pagelet.methods.links.roles import count_alike
from pagelet.methods.vocabulary import address_bits
from tests.build import html, page_of
from tests.cores import ask_both, twins

pytestmark = twins
PIECES = [
    *("/", "-", "=", "?", "&", "#", ".", "2024", "1999", "20", "12", "1", "123456"),
    *("page", "TAG", "login", "utm", "x" * 155, "é", "٣", "\0", " "),
]
LINKS = """<body><a href=" /a ">one <b>two
</b></a><a href=/a><img alt=three></a><a href=/b title=four> </a>
<a href=/c aria-label=five></a><p>out</p><a href="/c">\xa0six\t seven </a><a>no link</a>"""
NESTED = [-1, 0, 0, 2, 3, 2, 0]  #: the group around each group


@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=8).map("".join), max_size=6))
def test_the_same_kinds_of_addresses(addresses):
    compiled, python = ask_both(lambda: address_bits(addresses).tolist() if addresses else [])
    assert compiled == python


def test_labels_with_lone_surrogates_are_the_same():
    def read():
        return find_hyperlinks(
            page_of(html(("a", {"href": "/d"}, "a ", ("b", "\ud800\n b"))))
        ).labels

    compiled, python = ask_both(read)
    assert compiled == python == ["a \ud800 b"]


def test_the_same_labels_and_addresses():
    def read():
        links = find_hyperlinks(parse(LINKS))
        return links.labels, links.chars.tolist(), links.addresses[0], links.addresses[1].tolist()

    compiled, python = ask_both(read)
    assert compiled == python
    assert compiled[0] == ["one two", "three", "four", "five", "six seven"]
    assert compiled[2:] == (["/a", "/b", "/c"], [0, 0, 1, 2, 2])


class FewGroups:
    """Groups of links by their ranges alone."""

    def __init__(self, count):
        self.count, self.within = np.array(count, float), np.array(NESTED)


class FewRoles:
    """Roles of some groups."""

    def __init__(self, count, role):
        self.groups, self.role = FewGroups(count), np.array(role)


SMALL = st.lists(st.integers(0, 3), min_size=len(NESTED), max_size=len(NESTED))


@given(SMALL, SMALL, SMALL)
def test_the_same_groups_hold_others(count, role, chosen):
    roles, mask = FewRoles(count, role), np.array(chosen) > 0
    compiled, python = ask_both(lambda: _hold_others(roles, mask).tolist())
    assert compiled == python


@given(st.data())
def test_the_same_links_are_counted(data):
    page = parse("<div>" + "<ul><li><a href=a>a</a><li><a href=b>b</a></ul>" * 3)
    groups = decide_links(page).groups
    few = st.integers(-1, 3)
    of_links = np.array(data.draw(st.lists(few, min_size=6, max_size=6)))
    role = np.array(data.draw(st.lists(st.integers(0, 3), min_size=4, max_size=4)))
    compiled, python = ask_both(lambda: count_alike(groups, of_links, role).tolist())
    assert compiled == python


def test_what_does_not_fit_together_is_refused():
    kernels, some, none = core.kernels, np.zeros(2, np.intp), np.zeros(0, np.intp)
    with pytest.raises(ValueError, match="number"):
        kernels.number_links({0: "a"}, some, none)
    with pytest.raises(KeyError):
        kernels.number_links({}, some, some.copy())
    tag, mask = np.ones(3, np.int32), np.ones(3, np.bool_)
    with pytest.raises(ValueError, match="one page"):
        kernels.join_labels(("a",), tag, mask[:2], mask, some)
    with pytest.raises(ValueError, match="order"):
        kernels.join_labels(("a",), tag, mask, mask, some)
    with pytest.raises(ValueError, match="mark"):
        kernels.hold_pictures(mask, tag, some, mask)
    with pytest.raises(ValueError, match="exist"):
        kernels.hold_pictures(mask, tag, some + 3, mask[:2])
    with pytest.raises(ValueError, match="exist"):
        kernels.count_alike(none, some, some + 1, some, np.zeros(2))
    with pytest.raises(ValueError, match="exist"):
        kernels.count_alike(none, some, some, some - 1, np.zeros(2))
    with pytest.raises(ValueError, match="before"):
        kernels.mark_parted(np.ones(2), some, some, some > 0, 0.5, some > 0)
    with pytest.raises(ValueError, match="kinds"):
        kernels.AddressWords((b"a",), np.zeros(2, np.int64), 1, 2)
