"""One battery for every method and profile: hostile pages, the same answer twice, sane answers."""

import dataclasses
import json
import math
import re

import pytest
import turbohtml
from turbohtml import CData, Text

import pagelet
from pagelet import METHODS, Page, Pagelets, parse
from pagelet.api import analyse
from pagelet.methods.registry import HTML_FORMATS, option_fields
from pagelet.page.layout import Rendering
from pagelet.page.tags import NUMBER
from pagelet.pagelets import KINDS, Pagelet
from tests import hostile
from tests.cases import case
from tests.drawn import drawn
from tests.effort import ends
from tests.places import SITE

FUNCTIONS = {"content": pagelet.extract_content}  #: those that are not named detect_
RUNS = [(method.name, profile) for method in METHODS.values() for profile in method.profiles]
SAME = {("segments", "2016")}  #: the code of another profile; hostile pages are run by that alone
HOSTILE_RUNS = [run for run in RUNS if run not in SAME]
FIFTY = "50 MB of text"


def asked(page: Page, method: str) -> Page | Rendering:
    """What a method is asked of: a page, drawn where the method looks at boxes."""
    return drawn(page) if "boxes" in METHODS[method].needs else page


LARGE = 15_000  #: rows from which a page is asked only once


def answer(page: Page, method: str, profile: str, /, **changes) -> str:
    found = analyse(asked(page, method), method, profile=profile, **changes)
    check(page, found)
    text = found.to_json()
    form = json.loads(text, parse_constant=pytest.fail)
    assert (form["schema"], form["method"], form["profile"]) == (1, method, profile)
    assert len(form["pagelets"]) == len(found)
    return text


def check(page: Page, found: Pagelets) -> None:
    """Every pagelet lies in the page's body, is of a known kind and has a finite score."""
    for item in found:
        assert item.rows
        assert item.kind in {*KINDS, *METHODS[found.method].kinds}
        assert math.isfinite(item.score)
        assert all(
            math.isfinite(value) for value in item.reason.values() if isinstance(value, float)
        )
        assert all(page.body <= row < page.end[page.body] for row in item.rows)
        assert all(page.counted[row] or may_be_uncounted(page, item, row) for row in item.rows)


def may_be_uncounted(page: Page, item: Pagelet, row: int) -> bool:
    """Whether a row lies in noscript, where content may be too."""
    blocks = item.kind in ("content", "dropped")
    return blocks and page.inside(page.is_tag(NUMBER["noscript"]))[row]


@pytest.mark.parametrize("name", hostile.QUICK)
def test_hostile_pages_get_an_answer_and_twice_the_same(name):
    page = hostile.page(name)
    for method, profile in HOSTILE_RUNS:
        with case(method, profile), ends():
            once = answer(page, method, profile)
            if len(page) < LARGE and len(page.source or "") < LARGE * 50:
                again = asked(hostile.fresh(name), method)
                assert analyse(again, method, profile=profile).to_json() == once


@pytest.mark.slow
def test_fifty_megabytes_get_an_answer():
    page = hostile.fresh(FIFTY)
    for method in METHODS.values():  # `make soak` asks every profile
        with case(method.name), ends():
            answer(page, method.name, next(iter(method.profiles)))


def own_texts(source: str) -> str:
    """All texts that are not blank, by the parser's own tree."""
    document = turbohtml.parse(source, positions=False, allow_declarative_shadow_roots=False)
    texts = (node.data for node in document.descendants if isinstance(node, Text | CData))
    return "".join(text for text in texts if not text.isspace())


def test_no_text_is_lost():
    for name in hostile.QUICK:
        if name not in hostile.SOURCES:
            continue
        with case(name):
            page, source = hostile.page(name), hostile.source(name)
            if isinstance(source, bytes):
                source = page.source  # how bytes are decoded is tested with the encodings
            readable = source.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            assert "".join(page.texts) == own_texts(readable)


def test_a_page_without_text_is_an_empty_answer():
    for name in ("empty str", "empty bytes", "frameset", "html alone"):
        for method, profile in RUNS:
            with case(name, method, profile):
                page = asked(hostile.page(name), method)
                assert len(analyse(page, method, profile=profile)) == 0


def test_a_page_of_nothing_but_words_is_content_or_nothing():
    for method, profile in RUNS:
        with case(method, profile):
            found = analyse(asked(hostile.page("text only"), method), method, profile=profile)
            assert {item.kind for item in found} <= {"content", "segment"}


@pytest.mark.parametrize("file", ["index.html", "news/index.html"])
def test_the_function_of_a_method_has_the_options_of_its_profile(file):
    for method, profile in RUNS:
        with case(method, profile):
            page = asked(sample(file), method)
            run = FUNCTIONS.get(method) or getattr(pagelet, f"detect_{method}")
            found = run(page, profile=profile)
            assert found.to_dict() == analyse(page, method, profile=profile).to_dict()


def test_answers_do_not_change_the_page():
    for method, profile in RUNS:
        with case(method, profile):
            page = parse((SITE / "index.html").read_bytes())
            columns = (page.counted, page.link, page.depth, page.children)
            before = [column.copy() for column in columns]
            answer(page, method, profile)
            after = (page.counted, page.link, page.depth, page.children)
            assert all((one == other).all() for one, other in zip(before, after, strict=True))


def extremes(field) -> list:
    """Values at the ends of what an option may be."""
    if field.type is bool:
        return [False, True]
    return list(field.choices) or [value for value in (field.low, field.high) if value is not None]


@pytest.mark.parametrize(("method", "profile"), RUNS)
@pytest.mark.parametrize("file", ["index.html", "search.html"])
def test_options_at_their_ends_get_an_answer(file, method, profile):
    for field in option_fields(METHODS[method].options):
        for value in extremes(field):
            with case(field.name, value), ends():
                answer(sample(file), method, profile, **{field.name: value})


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_options_are_frozen(method):
    for profile in method.profiles.values():
        for field in dataclasses.fields(profile.options):
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(profile.options, field.name, 1)


ACTIVE_PAGE = """<title>t</title><base href="https://a.example/"><meta charset=latin1>
<script>run()</script><meta http-equiv=refresh content="0;url=//b.example">
<style>@import "javascript:run()"; p { color: red; background: u\\rl(javascript:run()) }</style>
<nav><ul><li><a href="/x" onclick="run()">one</a><li><a href="java&#9;script:run()">two</a>
<li><a href=/y>three</a><li><a href=/z>four</a></ul></nav><div onmouseover="run()"><p>Words of
a page.<iframe src="//c.example"></iframe><object data=x></object><svg><script>run()</script>
<set attributeName=href to="javascript:run()"/></svg><form action="//d.example"><button
formaction="//e.example">go</button></form></p><img src="//f.example/x.png" onerror="run()">
<noscript><p title="</noscript><img src=x onerror=run()>">more</p></noscript></div>"""
ACTIVE_TAGS = "script, base, iframe, object, embed, noscript, meta[http-equiv=refresh], set"
ACTIVE_ATTRIBUTE = re.compile(r"on|action$|formaction$")


def active_parts(text: str) -> list[str]:
    """Elements and attributes of a document that run, load or send something."""
    document = turbohtml.parse(text)
    names = [(name, one.attr(name) or "") for one in document.select("*") for name in one.attrs]
    attributes = [
        name for name, value in names if ACTIVE_ATTRIBUTE.match(name) or "script:" in value
    ]
    return attributes + [one.tag for one in document.select(ACTIVE_TAGS)]


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_html_of_every_method_runs_nothing(method):
    page = parse(ACTIVE_PAGE)
    found = analyse(asked(page, method.name), method.name)
    options = method.profiles["default"].options
    for html in set(method.formats) & set(HTML_FORMATS):
        text = method.write(found, options, html)
        assert active_parts(text) == []
        assert "javascript" not in text
    for html in method.raw_formats:
        text = method.write(found, options, html)
        assert text.startswith('<html><head><meta charset="utf-8"><meta http-equiv="Content-Sec')
        assert "<script>run()</script>" in method.write(found, options, html, raw=True)


SAMPLES: dict[str, Page] = {}


def sample(file: str) -> Page:
    """A sample page, read once."""
    if file not in SAMPLES:
        SAMPLES[file] = parse((SITE / file).read_bytes(), url="https://example.org/")
    return SAMPLES[file]
