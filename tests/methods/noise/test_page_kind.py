"""Pages that answer no search: named, and kept by text density with their heading."""

import pytest

from pagelet import Query, detect_noise, parse
from pagelet.methods.noise import summarise
from pagelet.methods.noise.options import NoiseOptions
from tests.results import html_of

PARAGRAPH = "The committee met again on Tuesday, and after a long debate it put off the vote. "
ARTICLE = (
    "<title>Vote put off</title><body><nav><a href=/>Home</a> <a href=/news>News</a></nav>"
    "<article><h1>Vote put off</h1>" + f"<p>{PARAGRAPH * 4}</p>" * 8 + "</article>"
    "<footer><a href=/imprint>Imprint</a> <a href=/privacy>Privacy</a></footer>"
)


def kinds_of(found):
    return {found.page.inner_text(item.row).strip(): item.kind for item in found}


def test_an_article_is_no_page_of_results_and_its_headline_is_content():
    found = detect_noise(parse(ARTICLE))
    assert found.extra["page_type"] == "other"
    kinds = kinds_of(found)
    assert kinds["Vote put off"] == "content"
    assert kinds[(PARAGRAPH * 4).strip()] == "content"
    assert kinds["Imprint"] == kinds["Home"] == "noise"
    assert "no page of results" in summarise(found, NoiseOptions(), "text")[0]


def test_a_query_says_that_a_page_is_one_of_results():
    found = detect_noise(parse(ARTICLE), query=Query.of(["vote"]))
    assert found.extra["page_type"] == "results"


@pytest.mark.parametrize("site", [1, 4])
def test_lists_of_records_are_pages_of_results(site):
    assert detect_noise(parse(html_of(site, "tomato"))).extra["page_type"] == "results"


def test_without_running_text_nothing_speaks_for_another_kind():
    page = parse("<body><p>Nothing was found.</p><a href=/>Back</a>")
    assert detect_noise(page).extra["page_type"] == "results"
