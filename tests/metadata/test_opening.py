"""Dates and bylines that people read near the heading, in many languages."""

import pytest

from pagelet import parse
from pagelet.metadata.facts import metadata
from tests.effort import ends, growth
from tests.metadata.heads import URL, item, meta, metadata_of

BODY = "<p>" + "A long paragraph tells what happened on the coast that day. " * 5 + "</p>"


def story(byline: str, lang: str = "en", before: str = "", after: str = "") -> str:
    return (
        f"<html lang={lang}><title>Rain ahead</title><body>{before}<h1>Rain ahead</h1>"
        f"{byline}{BODY}{BODY}{BODY}{after}"
    )


@pytest.mark.parametrize(
    ("byline", "lang", "author", "day"),
    [
        ("<p>By Tobias Wren, 11 February 2026</p>", "en", "Tobias Wren", "2026-02-11"),
        ("<p>11.02.2026 von Tobias Wren</p>", "de", "Tobias Wren", "2026-02-11"),
        ("<p>Von Tobias Wren</p><p>11. Februar 2026</p>", "de", "Tobias Wren", "2026-02-11"),
        ("<p>Par Tobias Wren, le 11 février 2026</p>", "fr", "Tobias Wren", "2026-02-11"),
        ("<p>Por Tobias Wren · 11 de febrero de 2026</p>", "es", "Tobias Wren", "2026-02-11"),
        ("<p>di Tobias Wren, 11 febbraio 2026</p>", "it", "Tobias Wren", "2026-02-11"),
        ("<p>Door Tobias Wren | 11 februari 2026</p>", "nl", "Tobias Wren", "2026-02-11"),
        ("<p>Autor: Tobias Wren</p><p>11 lutego 2026</p>", "pl", "Tobias Wren", "2026-02-11"),
        ("<p>Posted on February 11, 2026 by Tobias Wren</p>", "en", "Tobias Wren", "2026-02-11"),
        ("<p>By</p><p>Tobias Wren</p>", "en", "Tobias Wren", None),
        ("<p>By Tobias Wren and Ada Finch</p>", "en", "Tobias Wren, Ada Finch", None),
        ("<p>11 февраля 2026</p>", "ru", None, "2026-02-11"),
        ("<p>11 лютого 2026</p>", "uk", None, "2026-02-11"),
        ("<p>2026年2月11日</p>", "ja", None, "2026-02-11"),
        ("<p>2026년 2월 11일</p>", "ko", None, "2026-02-11"),
        ("<p>11. helmikuuta 2026</p>", "fi", None, "2026-02-11"),
        ("<p>2026. február 11.</p>", "hu", None, "2026-02-11"),
        ("<p>11 Şubat 2026</p>", "tr", None, "2026-02-11"),
        ("<p>11 Φεβρουαρίου 2026</p>", "el", None, "2026-02-11"),
        ("<p>11 listopada 2026</p>", "pl", None, "2026-11-11"),
        ("<p>11. listopada 2026</p>", "hr", None, "2026-10-11"),
        ("<p>11.02.26</p>", "de", None, "2026-02-11"),
        ("<p>London, 11 February 2026</p>", "en", None, "2026-02-11"),
        ("<p>11 February 2026 - " + "the rain came in " * 20 + "</p>", "en", None, "2026-02-11"),
        ('<a href="/author/wren">Tobias Wren</a>', "en", "Tobias Wren", None),
        ("<time datetime=2026-02-11>two days ago</time>", "en", None, "2026-02-11"),
    ],
)
def test_a_byline_under_the_heading(byline, lang, author, day):
    found = metadata_of(story(byline, lang))
    assert (found.author, found.published) == (author, day)


@pytest.mark.parametrize(
    "byline",
    [
        "<p>Decision 5 2024</p>",
        "<p>Set 5 2024</p>",
        "<p>Mayor 5 2024</p>",
        "<p>© 11 February 2026</p>",
        "<p>Valid until 11 February 2026</p>",
        "<p>On 11 February 2026 the rain came in over the hills and stayed for weeks.</p>",
        "<p>5/6/2024</p>",
        '<div class="comments"><p>11 February 2026</p></div>',
        '<nav><p>11 February 2026</p></nav>',
        '<div class="related"><h3>Sun</h3><p>11 February 2026</p></div>',
    ],
)  # fmt: skip
def test_no_date_of_the_page(byline):
    assert metadata_of(story(byline)).published is None


@pytest.mark.parametrize(
    ("lang", "url", "after", "day"),
    [
        ("en-US", None, "", "2026-02-11"),
        ("en-GB", None, "", "2026-11-02"),
        ("de", None, "", "2026-11-02"),
        ("en", "https://example.co.uk/a", "", "2026-11-02"),
        ("en", "https://example.gov/a", "", "2026-02-11"),
        ("en", "https://example.com/a", "", None),
        ("en", "https://example.com/a", "<p>14/03/2025</p>", "2026-11-02"),
        ("en", "https://example.com/a", "<p>03/14/2025</p>", "2026-02-11"),
    ],
)
def test_day_and_month_in_the_order_of_the_place(lang, url, after, day):
    assert metadata_of(story("<p>02/11/2026</p>", lang, after=after), url).published == day


def test_the_day_that_the_page_shows():
    shown = story("<p class=date>12 February 2026</p>", "de")
    told = meta("article:published_time", "2026-02-11T23:00:00Z")
    assert metadata_of(told + shown).published == "2026-02-12"
    assert metadata_of(told + story("<p>16 March 2019</p>")).published[:10] == "2026-02-11"
    same = metadata_of(told + story("<p class=date>11 February 2026</p>"))
    assert same.published == "2026-02-11T23:00:00+00:00"


def test_a_date_of_publication_before_any_date_of_the_page():
    line = "<h2>Erschienen am:</h2><p>13.10.2021</p>"
    for name, day in (("dc.date", "2021-10-13"), ("article:published_time", "2021-10-20")):
        html = story(line, "de", before=meta(name, "2021-10-20"))
        assert metadata(parse(html, URL)).published == day


def test_what_was_changed_is_not_what_was_published():
    found = metadata_of(
        meta("article:published_time", "2025-01-02") + story("<p>Updated: 11 February 2026</p>")
    )
    assert (found.published, found.modified) == ("2025-01-02", "2026-02-11")


def test_lists_front_pages_and_products_have_no_date():
    teasers = "".join(
        f"<div class=item><h3><a href=/{day}>Story {day}</a></h3><p>{day} May 2024</p></div>"
        for day in range(1, 9)
    )
    listing = f"<html lang=en><title>News</title><h1>News</h1>{teasers}"
    assert metadata_of(listing).published is None
    dated = story("<p>11 February 2026</p>")
    assert metadata_of(dated, "https://example.org/").published is None
    assert metadata_of(meta("og:type", "product") + dated).published is None
    assert metadata_of(meta("og:type", "article") + dated).published == "2026-02-11"


def test_a_page_of_the_web_page_type_is_not_dated_by_its_system():
    page = '<script type="application/ld+json">{"@type": "WebPage", "datePublished": "2020-01-01"}'
    assert metadata_of(page + "</script>" + story("")).published is None


def test_people_before_the_site():
    shown = story("<p>By Tobias Wren</p>")
    for told in ("Daily Example", "Example Media GmbH", "twren1", "Editorial Team"):
        assert metadata_of(meta("author", told) + shown).authors == ("Tobias Wren",)
    assert metadata_of(item(author="Ada Finch") + shown).authors == ("Ada Finch",)
    more = metadata_of(item(author="Ada Finch") + meta("author", "Ada Finch, Tobias Wren") + shown)
    assert more.authors == ("Ada Finch", "Tobias Wren")


def test_long_and_deep_openings_end():
    line = "<p>11 February 2026 by Tobias Wren"
    with ends():
        metadata_of(story(line * 20_000))
        metadata_of(story("<div class=date>" * 3_000 + line))
        metadata_of("<h1>" + "<h2>Rain ahead</h2>" * 20_000)
        metadata_of(story(f"<p class='{'author ' * 50_000}'>" * 20))


def test_four_times_the_page_is_four_times_the_work():
    items = "<div class='item date author tag'><a href=/a>May 6, 2024</a></div>"
    assert growth(metadata, lambda size: parse(story(items * size), URL), 200) < 5
