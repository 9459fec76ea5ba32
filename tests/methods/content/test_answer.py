"""The content once it is decided: its forms, the user's word, text of structured data."""

import json

import numpy as np
import pytest

import pagelet
from pagelet import parse
from pagelet.errors import OptionError
from pagelet.methods.content import CONTENT, decide_content
from pagelet.methods.content.answer import SHORT_ANSWER_WORDS, ContentAnswer
from pagelet.methods.content.options import ContentOptions
from pagelet.methods.content.rules import apply_selectors, make_selectors
from pagelet.pagelets import Pagelets

URL = "https://example.org/a"
SOURCE = """<title>Rain: a "study"</title><meta name=author content="Anna Ash">
<nav><a href=/>Home</a></nav><h1>Rain, a study</h1><p>It rains <a href=/b>a lot</a>
<img src=c.png alt=Cloud> here.</p><noscript><p>And there.</p></noscript>"""
PAGE = parse(SOURCE, url=URL)


def keeping(*selectors: str, page=PAGE) -> ContentAnswer:
    """An answer that keeps what these selectors find and nothing else."""
    none = ContentAnswer.by_rows(page, np.zeros(len(page), np.bool_), np.zeros(len(page)))
    return none.with_overrides(apply_selectors(page, make_selectors(selectors, ())))


def test_every_form():
    found = keeping("h1", "p")
    assert found.text() == "Rain, a study\nIt rains a lot here.\nAnd there."
    assert found.markdown() == (
        "# Rain, a study\n\nIt rains [a lot](https://example.org/b) here.\n\nAnd there."
    )
    assert found.markdown(links=False, images=True) == (
        "# Rain, a study\n\nIt rains a lot ![Cloud](https://example.org/c.png) here.\n\nAnd there."
    )
    assert "<nav>" not in found.html()
    assert 'href="https://example.org/b"' in found.html()
    assert "href" not in found.html(links=False)


def write(answer, format, options):
    result = Pagelets(answer.page, "content", "default", source=answer)
    return CONTENT.write(result, options, format)


def test_front_matter_stands_before_markdown_alone():
    found = keeping("h1")
    options = ContentOptions(front_matter=True)
    assert write(found, "markdown", options) == (
        '---\ntitle: "Rain, a study"\nauthor: "Anna Ash"\nurl: "https://example.org/a"\n---\n\n'
        "# Rain, a study"
    )
    assert write(found, "text", options) == "Rain, a study"
    assert write(found, "html", options).startswith("<h1>")


def test_front_matter_has_type_and_confidence_of_the_learned_method():
    text = pagelet.extract(SOURCE, URL, format="markdown", front_matter=True)
    assert '\npage_type: "' in text
    assert "\nconfidence: 0." in text or "\nconfidence: 1" in text
    assert text.startswith("---\n")


def test_the_users_word_always_wins():
    for method in ("learned", "cetd"):
        assert pagelet.extract(PAGE, method=method, drop=["body"]) == ""
        whole = pagelet.extract(PAGE, method=method, keep=["body"])
        assert whole == "Home\nRain, a study\nIt rains a lot here.\nAnd there."
        assert pagelet.extract(PAGE, method=method, keep=["h1"], drop=["body"]) == "Rain, a study"


def test_kept_rows_are_marked():
    kept = decide_content(PAGE, ContentOptions(keep=("h1",), drop=("body",))).kept_rows
    assert [PAGE.text(int(row)) for row in np.flatnonzero(kept)] == ["Rain, a study"]


def test_without_a_word_of_the_user_there_are_no_overrides():
    assert decide_content(PAGE, ContentOptions()).overrides is None


def test_a_rule_is_for_its_pages_alone(tmp_path):
    file = tmp_path / "rules.toml"
    file.write_text("[[rule]]\nhost = 'example.org'\ndrop = 'body'\n")
    assert pagelet.extract(SOURCE, URL, rules=str(file), keep=["h1"]) == "Rain, a study"
    assert "Rain" in pagelet.extract(SOURCE, "https://other.org/", rules=str(file), keep=["h1"])
    assert "Home" in pagelet.extract(SOURCE, rules=str(file), keep=["body"])


def test_the_command_line_wins_over_the_file(tmp_path):
    file = tmp_path / "rules.toml"
    file.write_text("[[rule]]\ndrop = 'body'\n")
    assert "Home" in pagelet.extract(SOURCE, rules=str(file), keep=["body"])


def test_the_form_is_checked():
    with pytest.raises(OptionError, match="must be text, markdown, html"):
        pagelet.extract(SOURCE, format="yaml")


# -- text that only structured data holds -----------------------------------------------------

BODY = "The ferry left at dawn and nobody had thought of bread, " * 4


def structured_html(body: str, shown: str) -> str:
    data = json.dumps({"@type": "NewsArticle", "articleBody": body})
    return f"<script type=application/ld+json>{data}</script><p>{shown}</p>"


def test_text_of_structured_data_is_given_where_the_page_lacks_it():
    page = parse(structured_html(BODY, "Loading"))
    found = keeping("p", page=page)
    assert found.text() == f"Loading\n{BODY.strip()}"
    assert found.markdown() == f"Loading\n\n{BODY.strip()}"
    assert found.html().endswith(f"<p>{BODY.strip()}</p>")
    assert pagelet.analyse(page, "content").to_dict()["structured"] == BODY.strip()


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        pytest.param(BODY, BODY, id="shown already"),
        pytest.param("Too few words to tell.", "Loading", id="too short"),
        pytest.param(BODY, "word " * SHORT_ANSWER_WORDS, id="the page says enough"),
    ],
)
def test_text_of_structured_data_is_left_out(body, shown):
    assert keeping("p", page=parse(structured_html(body, shown))).missing == ""


def test_markup_in_structured_data_is_no_markup():
    body = "A sentence with <b>tags</b> &amp; more in it, and it goes on for a while. " * 3
    html = keeping("p", page=parse(structured_html(body, "Loading"))).html()
    assert "<b>" not in html
