"""Titles: headings that other titles speak for, and sites cut off."""

import pytest

from tests.metadata.heads import item, ld, meta, metadata_of

HEADING = "<h1>Heavy rain and wind ahead of us</h1>"


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        # a heading that is like a machine-readable title is what people see
        (item(headline="Rain and wind ahead") + HEADING, "Heavy rain and wind ahead of us"),
        ("<title>Heavy rain and wind ahead</title>" + HEADING, "Heavy rain and wind ahead of us"),
        # of several headings the one most like it
        (item(headline="Rain and wind ahead") + "<h1>Football</h1>" + HEADING,
         "Heavy rain and wind ahead of us"),
        (item(headline="Other words") + "<h1>Football today</h1>" + HEADING, "Other words"),
        # a lone heading needs no witness, unless it is short or names the site
        (item(headline="Other words") + HEADING, "Heavy rain and wind ahead of us"),
        (item(headline="Other words") + "<h1>Search</h1>", "Other words"),
        (item(headline="Other words") + "<h1>Daily Example, the newspaper</h1>", "Other words"),
        # a rubric before the title is cut off, the beginning of a title is not
        (item(headline="Rain and wind ahead") + "<h1>Opinion Rain and wind ahead</h1>",
         "Rain and wind ahead"),
        ("<title>Rain and wind ahead</title><h1>Weather: Rain and wind ahead</h1>",
         "Weather: Rain and wind ahead"),
        # order of trust where no heading helps
        (item(headline="One") + meta("og:title", "Two") + "<title>Three</title>", "One"),
        (ld({"@type": "Product", "name": "One"}) + meta("og:title", "Two"), "One"),
        (ld({"@type": "WebPage", "name": "One"}) + meta("og:title", "Two"), "Two"),
        (meta("twitter:title", "Two", "og:title", "One") + "<title>Three</title>", "One"),
        ("<title>\n Three  words\n</title><h2>Two</h2>", "Three words"),
        ("<h1>Short</h1>", "Short"),
        # a heading that is long is a text
        ("<title>Rain</title><h1>" + "Rain and wind ahead " * 20 + "</h1>", "Rain"),
        # a heading that is the name of the site is no title
        ("<h1>Daily Example</h1><title>Daily Example: rain</title>", "Daily Example: rain"),
        ("<h1>Daily Example</h1><title>Weather</title>", "Weather"),
        ("<title></title><svg><title>logo</title></svg>", None),
    ],
)  # fmt: skip
def test_title(html, wanted):
    assert metadata_of(html).title == wanted


@pytest.mark.parametrize(
    ("title", "wanted"),
    [
        ("Rain ahead | The Daily Example", "Rain ahead"),
        ("Rain ahead - daily-example.org", "Rain ahead"),
        ("Rain ahead – Daily Example", "Rain ahead"),
        ("Rain ahead — Daily Example", "Rain ahead"),
        ("Rain ahead · Daily Example", "Rain ahead"),
        ("Rain ahead|Daily Example", "Rain ahead"),
        ("Daily Example » Rain ahead", "Rain ahead"),
        ("Rain ahead - what to do", "Rain ahead - what to do"),
        ("Sun-day Example", "Sun-day Example"),
        ("Rain ahead-Daily Example", "Rain ahead-Daily Example"),
        ("Daily Example", "Daily Example"),
        ("| Daily Example", "| Daily Example"),
    ],
)
def test_the_site_is_cut_off_a_title(title, wanted):
    assert metadata_of(f"<title>{title}</title>").title == wanted


def test_the_site_is_known_by_what_it_calls_itself():
    page = "<title>Rain ahead | Other name</title>"
    assert metadata_of(meta("og:site_name", "Other name") + page).title == "Rain ahead"
    assert metadata_of(page).title == "Rain ahead | Other name"


def test_a_heading_shows_where_a_title_ends():
    page = "<title>Rain ahead | All the news of a whole wide world</title><h1>News</h1>"
    assert metadata_of(page + "<h1>Rain ahead</h1>").title == "Rain ahead"
    assert metadata_of(page + "<h1>Rain</h1>").title.endswith("world")
