"""The next page of results, by what links say and where they lead."""

import pytest

from pagelet import parse
from pagelet.sources.forms.results import next_page

HERE = "https://example.org/search?q=a+whale"


def found(body: str, at: int = 1, asked=frozenset({"A whale"}), seen=frozenset()):
    target = next_page(parse(body, HERE), at, asked, seen)
    return target and target.removeprefix("https://example.org")


@pytest.mark.parametrize(
    ("body", "target"),
    [
        ("<a href='?q=a+whale&p=2'>Next</a>", "/search?q=a+whale&p=2"),
        ("<a href='?q=a%20whale&p=2'>nächste Seite »</a>", "/search?q=a%20whale&p=2"),
        ("<a href='/search/a%20whale/2'>次へ</a>", "/search/a%20whale/2"),
        ("<a href='?a=search;s=a+whale;pg=1'>next</a>", "/search?a=search;s=a+whale;pg=1"),
        ("<a href='?q=a+whale&p=2'>›</a>", "/search?q=a+whale&p=2"),
        ("<a href='?q=a+whale&p=2' title='Next page'><img></a>", "/search?q=a+whale&p=2"),
        ("<a href='?q=a+whale&p=2'>1</a><a href='?q=a+whale&p=3'>2</a>", "/search?q=a+whale&p=3"),
        ("<a href='?q=a+whale&p=9'>Next</a><link rel=next href='?q=a+whale&p=2'>",
         "/search?q=a+whale&p=2"),
        ("<a href='?q=otter&p=2'>Next</a>", None),
        ("<a href='?q=a+whale#x'>Next</a>", None),
        ("<a href='https://example.com/?q=a+whale&p=2'>Next</a>", None),
        ("<a href='http://[/?q=a+whale'>Next</a>", None),
        ("<a href='?q=a+whale&p=2'>Next to the sea: a story</a>", None),
        ("<a href='?q=a+whale&p=2'>3</a>", None),
        ("", None),
    ],
)  # fmt: skip
def test_where_it_goes_on(body, target):
    assert found(body) == target


def test_the_number_that_follows():
    body = "".join(f"<a href='?q=a+whale&p={n}'>{n}</a>" for n in range(1, 9))
    assert found(body, at=4) == "/search?q=a+whale&p=5"


def test_nothing_is_followed_twice():
    body = "<a href='?q=a+whale&p=2'>Next</a>"
    assert found(body, seen={"https://example.org/search?q=a+whale&p=2"}) is None


# -- links that are known to lead from page to page ---------------------------------------------


def by_class(body: str, at: int = 1, asked=frozenset({"A whale"})):
    """The next page where links of the class p are page links."""
    page = parse(body, HERE)
    rows = frozenset(row for row, name in page.attribute("class").items() if name == "p")
    target = next_page(page, at, asked, frozenset(), rows)
    return target and target.removeprefix("https://example.org")


@pytest.mark.parametrize(
    ("body", "target"),
    [
        ("<a href='?q=a+whale&slide=2'>›</a><a class=p href='?q=a+whale&p=2'>Next</a>",
         "/search?q=a+whale&p=2"),
        ("<a href='?q=a+whale&slide=2'>Next</a><a class=p href='?q=a+whale&p=2'>2</a>",
         "/search?q=a+whale&p=2"),
        ("<a class=p href='?q=a+whale&p=9'>Next</a><link rel=next href='?q=a+whale&p=2'>",
         "/search?q=a+whale&p=2"),
        ("<a class=p href='?session=7&start=10'>Next</a>", "/search?session=7&start=10"),
        ("<a class=p href='?session=7&start=10'>2</a>", "/search?session=7&start=10"),
        ("<a class=p href='?session=7'>Next</a><a href='?q=a+whale&p=2'>Next</a>",
         "/search?q=a+whale&p=2"),
        ("<a class=p href='https://example.com/?start=10'>Next</a>", None),
        ("<a class=p href='?session=7&start=10'>Previous</a>", None),
        ("<a class=p href='?q=a+whale'>Next</a>", None),
    ],
)  # fmt: skip
def test_page_links_come_first_and_need_no_query(body, target):
    assert by_class(body) == target
