"""Hostile pages keep every paragraph of their article; pages without text give an empty answer."""

import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache

import pytest

import pagelet
from tests import hostile
from tests.cases import case
from tests.complaints.complaints import HERE, NAMES, plain

FORMATS = ("text", "markdown", "html")

SENTENCES = (
    "The ferry left the quay a little after dawn, and nobody on board had thought of bread.",
    "By noon the wind had turned, so that the smoke of the funnel lay along the water.",
    "An old man in the bow told us how the island had been bought for a horse and a clock.",
    "We did not believe him, but we wrote it down, and later found the deed in the archive.",
)

MENU = "<nav><ul>" + "<li><a href='/x'>A part of the site</a></li>" * 8 + "</ul></nav>"
FOOTER = "<footer><a href='/imprint'>Imprint</a> <a href='/terms'>Terms</a></footer>"


def marker(number: int) -> str:
    return f"marker{number:06}"


def sentence(number: int) -> str:
    return f"{SENTENCES[number % 4]} So says {marker(number)} in the margin."


def article(inside: str = "", paragraphs: int = 12, before: str = "") -> str:
    texts = (f"<p>{inside}{sentence(number)}</p>" for number in range(paragraphs))
    return f"<article><h1>The island</h1>{before}{''.join(texts)}</article>"


def nested(levels: int) -> str:
    return MENU + "<div>" * levels + article() + "</div>" * levels + FOOTER


def distinct_fonts(count: int) -> str:
    return "".join(f"<font color='{number}'>" for number in range(count))


def table(rows: int, columns: int) -> str:
    cells = "".join(f"<td>{column}</td>" for column in range(columns))
    return "<table>" + f"<tr>{cells}</tr>" * rows + "</table>"


#: Name to a page with an article, and how many paragraphs it has.
ARTICLES: dict[str, tuple[Callable[[], str], int]] = {
    "300 divs": (lambda: nested(300), 12),
    "5,000 divs": (lambda: nested(5_000), 12),
    "unclosed b before": (lambda: MENU + "<span><b>" * 20_000 + article() + FOOTER, 12),
    "unclosed b inside": (lambda: MENU + article("<span><b>" * 2_000) + FOOTER, 12),
    "unclosed font before": (lambda: MENU + "<font size=2>" * 20_000 + article() + FOOTER, 12),
    "unclosed font inside": (lambda: MENU + article("<font size=2>" * 2_000) + FOOTER, 12),
    "unclosed b with text": (lambda: MENU + article(before="<span><b>x " * 20_000) + FOOTER, 12),
    "unlike fonts": (lambda: MENU + distinct_fonts(20_000) + article() + FOOTER, 12),
    "50,000 paragraphs": (lambda: MENU + article(paragraphs=50_000) + FOOTER, 50_000),
    "links before": (lambda: hostile.LINK * 100_000 + article() + FOOTER, 12),
    "links after": (lambda: MENU + article() + hostile.LINK * 100_000, 12),
    "table in the article": (lambda: MENU + article(before=table(300, 300)) + FOOTER, 12),
    "table before": (lambda: MENU + table(300, 300) + article() + FOOTER, 12),
    "5 MB of class": (lambda: f"{MENU}<div class='{'x1 ' * 1_700_000}'>{article()}</div>", 12),
    "NUL": (lambda: MENU + "\0<div\0>" + article("\0") + "\0" + FOOTER, 12),
}

EMPTY = {
    "empty": "",
    "blank": " \n\t ",
    "only comments": "<!-- one --><!-- two\nlines --><!---->",
    "only a script": "<script>var text = '<p>A text that is none, if a long one.</p>'</script>",
    "only a style": "<style>p::before { content: 'words' }</style>",
    "empty elements": "<html><head><title></title></head><body><div><p></p></div></body></html>",
}


@cache
def source(name: str) -> str:
    return ARTICLES[name][0]()


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", ARTICLES)
def test_every_paragraph_is_there(name, format):
    said = set(plain(pagelet.extract(source(name), format=format), format).split())
    markers = map(marker, range(ARTICLES[name][1]))
    assert [missing for missing in markers if missing not in said] == []


def test_page_without_text_gives_an_empty_answer():
    for name, page in EMPTY.items():
        with case(name):
            answers = [plain(pagelet.extract(page, format=form), form) for form in FORMATS]
            assert answers == [""] * len(FORMATS)
            assert pagelet.extract(page, format="json").startswith("{")


def test_nothing_raises():
    for name in [name for name in hostile.SOURCES if name not in hostile.SLOW]:
        with case(name):
            assert isinstance(pagelet.extract(hostile.source(name)), str)


# -- the same in every process ----------------------------------------------------------------

EXTRACT_ALL = """
import sys
import pagelet
from pathlib import Path

for name in sys.argv[2:]:
    source = (Path(sys.argv[1]) / name / "page.html").read_text("utf-8")
    for format in ("text", "markdown", "html", "json"):
        answer = pagelet.extract(source, url="https://example.org/" + name, format=format)
        sys.stdout.buffer.write(answer.encode() + b"\\0")
"""


def extract_all(seed: str) -> bytes:
    command = [sys.executable, "-c", EXTRACT_ALL, str(HERE), *NAMES]
    env = os.environ | {"PYTHONHASHSEED": seed}
    return subprocess.run(command, env=env, check=True, capture_output=True).stdout


def test_same_bytes_in_every_process():
    first, second = extract_all("1"), extract_all("2")
    assert first.count(b"\0") == 4 * len(NAMES)
    assert first == second
