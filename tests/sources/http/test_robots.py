"""Rules of robots.txt, as RFC 9309 wants them read."""

from math import inf

import pytest

from pagelet.sources.http.robots import MAX_ROBOTS_BYTES, parse_robots, robots_for_status
from tests.effort import ends, growth

SITE = "https://example.org"


def allowed(text: str, path: str) -> bool:
    return parse_robots(text.encode()).allow(SITE + path)


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("", "/a", True),
        ("User-agent: *\nDisallow: /", "/a", False),
        ("User-agent: *\nDisallow:", "/a", True),
        ("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b", True),
        ("User-agent: *\nAllow: /a/b\nDisallow: /a", "/a/c", False),
        ("User-agent: *\nDisallow: /*?q=", "/search?q=x", False),
        ("User-agent: *\nDisallow: /x$", "/xy", True),
        ("user-AGENT: PageLet\nDisallow: /\n\nUser-agent: *\nAllow: /", "/a", False),
        ("User-agent: pagelet/0.1\nDisallow: /", "/a", False),
        ("User-agent: pagelets\nDisallow: /", "/a", True),
        ("User-agent: page\nDisallow: /", "/a", True),
        ("User-agent: other\nDisallow: /", "/a", True),
        ("User-agent: one\nUser-agent: * # all\nUser-agent: two\nDisallow: /", "/a", False),
        ("User-agent: *\nDisallow: /\nUser-agent: pagelet\nDisallow: /b", "/a", True),
        ("User-agent: *\nDisallow: /", "/robots.txt", True),
        ("\ufeffUser-agent: *\nDisallow: /", "/a", False),
        ("<html>User-agent: *</html>", "/a", True),
    ],
)
def test_what_is_allowed(text, path, expected):
    assert allowed(text, path) is expected


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("", 0),
        ("User-agent: *\nCrawl-delay: 2.5", 2.5),
        ("User-agent: *\nCrawl-delay: -1", 0),
        ("User-agent: *\nCrawl-delay: soon", 0),
        ("User-agent: *\nRequest-rate: 1/5", 5),
        ("User-agent: *\nRequest-rate: 1/5\nCrawl-delay: 9", 9),
        ("User-agent: other\nCrawl-delay: 9", 0),
        (f"User-agent: *\nRequest-rate: 1/{'9' * 400}h", inf),
        (f"User-agent: *\nRequest-rate: {'9' * 400}/1", 0),
        ("User-agent: *\nRequest-rate: 0/1", 0),
    ],
)
def test_the_delay(text, seconds):
    assert parse_robots(text.encode()).delay == seconds


@pytest.mark.parametrize(
    ("status", "expected"),
    [(404, True), (403, True), (410, True), (429, False), (500, False), (503, False), (304, False)],
)
def test_other_answers(status, expected):
    rules = robots_for_status(status)
    assert (rules.allow(f"{SITE}/a"), rules.delay) == (expected, 0)


def test_the_reason_is_told():
    assert "does not allow it" in parse_robots(b"User-agent: *\nDisallow: /").refusal
    assert "answered 500" in robots_for_status(500).refusal


def test_what_lies_behind_the_limit_is_not_read():
    start = b"User-agent: *\nDisallow: /a\n"
    filler = b"#" * (MAX_ROBOTS_BYTES - len(start) - len(b"\nDisallow: /b")) + b"\n"
    rules = parse_robots(start + filler + b"Disallow: /bc\nDisallow: /d")
    assert [rules.allow(SITE + path) for path in ("/a", "/b", "/bc", "/d")] == [
        False,
        True,
        True,
        True,
    ]


def test_many_names_before_many_rules_cost_their_sum():
    def file(lines):
        names = "".join(f"User-agent: {chr(97 + n % 26)}{n}\n" for n in range(lines))
        rules = "".join(f"Disallow: /{n}\n" for n in range(lines))
        return (names + "User-agent: *\n" + rules).encode()

    with ends():
        assert not parse_robots(file(14_000)).allow(f"{SITE}/13999")
    assert growth(lambda body: parse_robots(body).allow(f"{SITE}/no"), file, 200) < 6
