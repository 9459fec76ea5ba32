"""Small sources of huge trees are refused before the parser builds them; other pages never are."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from turbohtml.treebuild import parse_into

import pagelet
from pagelet import parse
from pagelet.errors import PageTooLarge
from pagelet.metadata.structured import plain_text
from pagelet.page.builder import PageBuilder
from pagelet.page.expansion import MAX_NODES, count_copies
from tests.effort import growth
from tests.hostile import QUICK, SOURCES, source

TIMES = 6_000
MAX_BYTES = 600_000_000  #: address space of a process that refuses such pages, numpy and all


def repeat(text: str, times: int = TIMES) -> str:
    return "".join(text.replace("#", str(number)) for number in range(times))


MANY = repeat("a# ")
#: Each would take the parser or the table far beyond a gigabyte, or has a sibling that does.
HUGE = {
    "body": lambda: repeat("<body a#>"),
    "html": lambda: repeat("<HTML a#>"),
    "one rich body, many poor ones": lambda: f"<body {MANY * 5}>" + "<body x>" * TIMES,
    "font in paragraphs": lambda: repeat("<font color=c#><p>"),
    "attributes of one font": lambda: f"<p><font {MANY}>" + "<p>x" * TIMES,
    "attributes of one link": lambda: f"<p><a {MANY}>" + "<p>x" * TIMES,
    "behind a quoted bracket": lambda: f"<p><a q='>' {MANY}>" + "<p>x" * TIMES,
    "behind a slash": lambda: f"<p><I/{MANY}>" + "<p>x" * TIMES,
    "behind a misplaced quote": lambda: f"<p><b q\" r='\" >' {MANY}>" + "<p>x" * TIMES,
    "end tags beyond a table": lambda: repeat("<font color=c#><table></font></table><p>"),
    "end tags in comments": lambda: repeat("<font color=c#><!--</font>--><p>"),
    "end tags in scripts": lambda: repeat("<font color=c#><script></font></script><p>"),
    "end tags in attributes": lambda: repeat("<font color=c#><p title='</font>'>"),
    "end tags in CDATA": lambda: repeat("<b id=c#><svg><![CDATA[></svg></b>]]></svg><p>"),
    "end tags in foreignObject": lambda: repeat(
        "<b id=c#><svg><foreignObject><div></svg></b></div></foreignObject></svg><p>"
    ),
    "objects that do not close": lambda: repeat("<b id=#><object><table></object></b></table><p>"),
    "tags in an svg title": lambda: "<svg><title>" + repeat("<font color=c#><p>"),
    "tags that a select hides": lambda: "<select><xmp></select>" + repeat("<font color=c#><p>"),
    "elements": lambda: "<p>" * (MAX_NODES + 2_000),
    "attributes": lambda: f"<p {MANY}>" * (MAX_NODES // TIMES + 2),
}


@pytest.mark.parametrize("name", HUGE)
def test_small_sources_of_huge_trees_are_refused(name):
    with pytest.raises(PageTooLarge, match="2,000,000 elements and attributes; raise --max-nodes"):
        parse(HUGE[name]())


@pytest.mark.parametrize("name", HUGE)
def test_the_parser_never_sees_them(name, monkeypatch):
    if name in ("elements", "attributes"):  # as large as their source, and stopped in between
        return
    monkeypatch.setattr("pagelet.page.html.parse_into", None)
    with pytest.raises(PageTooLarge):
        parse(HUGE[name]().encode())


@pytest.mark.parametrize("name", ["body", "font in paragraphs"])
def test_markup_in_json_and_bytes_of_unknown_encoding_are_no_way_around(name, monkeypatch):
    huge = HUGE[name]()
    monkeypatch.setattr("pagelet.page.html.turbohtml.parse", None)
    with pytest.raises(PageTooLarge):
        parse(b"\xff\xe9" + huge.encode())
    assert plain_text(huge) == ""


def test_every_function_of_the_package_refuses_them():
    huge = HUGE["font in paragraphs"]()
    for call in (
        pagelet.extract,
        pagelet.detect_menu,
        pagelet.detect_noise,
        pagelet.detect_clutter,
    ):
        with pytest.raises(PageTooLarge):
            call(huge)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit address space")
def test_a_process_of_little_memory_refuses_them_on_the_command_line(tmp_path):
    for number, make in enumerate(list(HUGE.values())[:6]):
        (tmp_path / f"{number}.html").write_text(make())
    for number in range(6):
        page = str(tmp_path / f"{number}.html")
        run = subprocess.run(
            [sys.executable, "-c", LIMITED, "content", page],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (run.returncode, run.stdout) == (3, "")
        assert run.stderr == (
            f"pagelet: {page}: larger than 2,000,000 elements and attributes;"
            " raise --max-nodes to read it\n"
        )


LIMITED = f"""
import resource
import pagelet.api, pagelet.cli.methods, pagelet.methods.content
size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + {MAX_BYTES}, size + {MAX_BYTES}))
from pagelet.cli import main
main()
"""


def test_the_limit_is_an_option():
    html = "<p class=a>x</p>" * 1_500
    assert len(parse(html)) == 3 + 3_000
    with pytest.raises(PageTooLarge) as caught:
        parse(html, "https://a.example/", max_nodes=2_000)
    assert (caught.value.source, caught.value.limit) == ("https://a.example/", 2_000)
    assert len(parse(HUGE["font in paragraphs"]()[:20_000], max_nodes=10**7)) > 100_000


# -- pages that are not refused ---------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in QUICK if name in SOURCES])
def test_other_pages_are_parsed_as_ever(name):
    parse(source(name))


ORDINARY = {
    "icons": '<i class="icon icon-#" data-id=# aria-hidden=true></i><a href=#>t</a><p>x</p>',
    "icons with pictures": "<i data-id=#><svg><path d=#></svg></i><p>x</p>",
    "bold rows": "<tr id=#><td><b id=b#>x</b><td><font color=#>y</font>",
    "unclosed cells": "<table><tr><td><font size=2 face=arial>x<td><b>y</table>",
    "fonts that nothing closes": "<font color=#>",
    "scripts": "<b id=#>x<script>document.write('<b id=#>')</script></b><p>",
}


@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary_pages_that_must_be_counted_pass(name):
    html = repeat(ORDINARY[name], 3_000)
    assert count_copies(html) < MAX_NODES
    parse(html)


# -- the count is never too low ---------------------------------------------------------------

PIECES = (
    "<p>", "</p>", "<div>", "</div>", "x", "<b>", "</b>", "<b id=1>", "<i a b c>", "</i>",
    "<a x y>", "</a>", "<font color=1>", "<font color=2>", "</font>", "<table>", "</table>",
    "<tr><td>", "</td>", "<caption>", "</caption>", "<object>", "</object>", "<svg>", "</svg>",
    "<svg/>", "<math>", "<mi>", "</mi>", "</math>", "<foreignObject>", "</foreignObject>",
    "<title>", "</title>", "<desc>", "<select>", "</select>", "<option>", "<template>",
    "</template>", "<style>", "</style>", "<script>", "</script>", "<textarea>", "</textarea>",
    "<!--", "-->", "<![CDATA[", "]]>", ">", "<body a>", "<html b c>", "<nobr>", "</nobr>",
    "<p title='</b>'>", "<frameset>", "<button>", "</button>", "<marquee>", "</marquee>",
    "<xmp>", "</xmp>", "<li>", "<ul>", "</ul>", "'", '"',
)  # fmt: skip


@settings(max_examples=400)
@given(st.lists(st.sampled_from(PIECES), max_size=25), st.integers(1, 8))
def test_the_parser_never_copies_more_nodes_than_were_counted(pieces, times):
    html = "".join(pieces) * times
    builder = PageBuilder()
    parse_into(html, builder)
    nodes = len(builder._tags) + sum(map(len, builder._attrs))
    written = 3 * (1 + html.count("<")) + html.count("<") * 4  # a tag may imply two more elements
    assert nodes <= written + count_copies(html)


@pytest.mark.parametrize(
    "piece", ["<b ", "<b/x=", "<a x=", "<a x='", '<i x="', "<a", "<i>", "</i>", "<td>", "</table>"]
)
def test_counting_grows_with_the_page(piece):
    assert growth(count_copies, lambda times: "<b id=1><table>" + piece * times, 300) < 6
