"""The page's own heading: once in every format, at its place, or never."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pagelet
from pagelet.methods.content.choice import decide
from pagelet.methods.content.heading import PageHeading
from pagelet.methods.content.model import shipped_model
from tests.cores import ask_both, twins
from tests.places import SITE

TITLE = "The west wall is up again"
BODY = "".join(
    f"<p>On day {at} the masons set another course of stone, and the whole village came to look"
    " at what they had done before the rain came over the hill.</p>"
    for at in range(6)
)
HEADED = {
    "an h1": f"<h1>{TITLE}</h1>{BODY}",
    "an h1 outside the article": f"<header><h1>{TITLE}</h1></header><article>{BODY}</article>",
    "an h2": f"<h2>{TITLE}</h2>{BODY}",
    "a division": f"<div class=headline>{TITLE}</div><div>{BODY}</div>",
    "parts": f"<h1><span>The west wall</span> <em>is up again</em></h1>{BODY}",
    "two h1": f"<h1>Hill News</h1><h1>{TITLE}</h1>{BODY}",
    "a copy in the menu": f"<nav><ul><li>Home<li>{TITLE}</ul></nav><h1>{TITLE}</h1>{BODY}",
    "a copy for phones": (
        f"<div class=mobile><h1>{TITLE}</h1></div><div class=desktop><h1>{TITLE}</h1></div>{BODY}"
    ),
}
FORMATS = {"text": TITLE, "markdown": f"# {TITLE}", "html": f"<h1>{TITLE}</h1>"}


def page(body: str, site: str = "<meta property=og:site_name content='Hill News'>") -> str:
    head = f"<head><title>{TITLE} | Hill News</title>{site}</head>"
    return f"<html>{head}<body>{body}</body></html>"


@pytest.mark.parametrize("target", ["auto", "article"])
@pytest.mark.parametrize("body", HEADED.values(), ids=HEADED)
def test_the_heading_is_there_once(body, target):
    text = pagelet.extract(page(body), target=target)
    assert text.count(TITLE) == 1
    assert "On day 5" in text
    assert pagelet.extract(page(body), target=target, with_title="always") == text


@pytest.mark.parametrize("body", HEADED.values(), ids=HEADED)
def test_the_heading_may_be_a_part_of_the_title(body):
    assert pagelet.extract(page(body, site="")).count(TITLE) == 1


@pytest.mark.parametrize("body", HEADED.values(), ids=HEADED)
def test_never_leaves_it_out(body):
    text = pagelet.extract(page(body), with_title="never")
    assert TITLE not in text
    assert "On day 0" in text
    assert "On day 5" in text


@pytest.mark.parametrize(("format", "expected"), FORMATS.items())
def test_always_writes_a_title_that_the_page_does_not_show(format, expected):
    shown = pagelet.extract(page(BODY), format=format, with_title="always")
    assert shown.startswith(expected)
    assert TITLE not in pagelet.extract(page(BODY), format=format)


@pytest.mark.parametrize("format", FORMATS)
def test_the_heading_is_in_every_format(format):
    shown = pagelet.extract(page(HEADED["an h1"]), format=format)
    assert shown.startswith(FORMATS[format])


def test_a_page_without_content_has_no_heading_either():
    assert (
        pagelet.extract("<title>x</title><h1>A wall of nothing at all</h1>", with_title="never")
        == ""
    )
    assert pagelet.extract("") == ""
    assert pagelet.extract("", with_title="always") == ""


def test_the_sample_page_keeps_its_heading_and_the_date_of_the_event():
    text = pagelet.extract(SITE / "open-day.html")
    assert text.splitlines()[:2] == ["Open day", "Sunday 14 June, eleven until five, rain or fog"]


def test_a_product_has_its_name():
    html = (
        "<title>Copper kettle 1.5 l - Tinsmith's</title><nav><a href=/>Shop</a></nav><main>"
        "<div class=gallery></div><div class=info><h1>Copper kettle 1.5 l</h1><span>€ 49.00</span>"
        "<button>Add to cart</button><p>Spun from one sheet and tinned by hand, it boils a litre"
        " and a half of water on any stove, gas or wood.</p></div></main>"
    )
    assert pagelet.extract(html).startswith("Copper kettle 1.5 l\n")


def test_a_heading_of_ours_says_so():
    html = page(f"<header class=site-header><h1>{TITLE}</h1></header><article>{BODY}</article>")
    found = pagelet.extract_content(html, explain=True)
    heading = next(block for block in found if block.text == TITLE)
    assert heading.kind == "content"


@given(st.sampled_from(tuple(HEADED.values())), st.sampled_from(("auto", "never", "always")))
def test_a_rule_of_the_user_wins(body, with_title):
    dropped = pagelet.extract(
        page(body), with_title=with_title, drop=["h1", "h2", ".headline", "nav"]
    )
    assert "On day 0" in dropped
    assert dropped.count(TITLE) <= 1


@twins
@pytest.mark.parametrize(
    "title",
    [
        "A title of words",
        "Ein Titel für Wörter",
        "It’s a title – of words",
        "x" * 320,
        "—",
        "2 + 2",
    ],
)
@pytest.mark.parametrize("heading", ["h1", "h2", "div"])
def test_copies_of_a_title_with_both_cores(title, heading):
    spelled = [title.upper(), f"« {title} »", title.replace("’", "'"), f"{title}s", title[:300]]
    copies = "".join(f"<p>{each}</p>" for each in [*spelled, *[title] * 60])
    source = f"<title>{title} | Site</title><{heading}>{title}</{heading}>{BODY}{copies}"

    def ask():
        decision = decide(pagelet.parse(source), shipped_model(), "balanced", "auto")
        found = PageHeading(decision, decision.kept)
        return found.title, found.copies, found.block, found.leading, found.subtitle

    compiled, python = ask_both(ask)
    assert compiled == python
    assert len(compiled[1]) <= 50
