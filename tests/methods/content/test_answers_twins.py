"""Answers of both cores, byte for byte: text, Markdown, HTML and JSON."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.answers import URL, find_difference
from tests.cases import case
from tests.cores import twins
from tests.fuzzed import SAMPLES, broken_pages
from tests.methods.content.test_features import PROSE

pytestmark = twins

GOLDEN = sorted((Path(__file__).parents[2] / "pages").glob("*/page.html"))


def compare_answers(page, url=None, **options):
    """Compare the answers, or what was wrong with the page."""
    assert find_difference(page, url, **options) is None


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.parent.name)
def test_golden_pages(path):
    compare_answers(path.read_bytes())


LONG = PROSE * 5
#: Texts that are copies of each other but for letters and white space, short and long ones.
copies = st.sampled_from((
    PROSE, PROSE.upper(), PROSE.replace(" ", "  "), LONG, LONG.replace(" ", " \n"), LONG + "x",
    "Comments", "12 comments", "Read more: a page", "We use cookies on this site", "É" * 320,
    "É" * 321, " " * 320 + LONG, "The Title of it All", "the title: of it all!",
    "Straße und Σίσυφος",
))  # fmt: skip
tags = st.sampled_from(("p", "h1", "h2", "li", "td", "div", "pre", "span"))
classes = st.sampled_from(("", "comments", "article-body", "sidebar related", "Kommentar-liste"))


def write(title, parts):
    body = "".join(f"<div class='{name}'><{tag}>{text}</{tag}></div>" for tag, name, text in parts)
    return f"<title>{title} | Site</title><article>{body}</article>"


@settings(max_examples=25)
@given(copies, st.lists(st.tuples(tags, classes, copies), min_size=1, max_size=9))
def test_pages_of_copies(title, parts):
    compare_answers(write(title, parts))


def test_structured_data_that_the_page_shows():
    for shown in (PROSE, "Four words are here", "three words here", "É È Ê Ë and more"):
        item = f'{{"@type": "Article", "articleBody": "{shown} {PROSE}", "name": "{shown}"}}'
        script = f"<script type='application/ld+json'>{item}</script>"
        compare_answers(f"{script}<h1>{shown}</h1><p>{shown} {PROSE}</p><p>{PROSE}</p>")


def test_options():
    page = write(PROSE, [("p", "", LONG), ("h2", "comments", "2 comments"), ("p", "", PROSE)])
    compare_answers(page, target="all", comments="keep")
    compare_answers(page, target="article", favor="precision", with_title="never")
    compare_answers(page, explain=True, drop=("h2",))


def test_sample_pages():
    for path in SAMPLES:
        with case(path):
            compare_answers(path.read_bytes(), URL)


def test_broken_pages():
    for number, page in enumerate(broken_pages(7, 40)):
        with case(f"broken page {number}"):
            compare_answers(page)
