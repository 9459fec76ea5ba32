"""HTML and links of rows, rows by XPath and CSS; paths in real parsers."""

import numpy as np
import pytest
import turbohtml
from hypothesis import given
from playwright.sync_api import sync_playwright

from pagelet import Page, core, parse
from pagelet.errors import OptionError
from pagelet.page import dom
from pagelet.page.dom import Link, html_of, links_of, readable_text, resolve_link, select
from pagelet.page.tags import NUMBER
from tests.build import deep, html, page_of, to_html, trees
from tests.cases import case
from tests.chromium import find_chromium
from tests.cores import using
from tests.effort import ends
from tests.places import SITE

SAMPLES = sorted(SITE.rglob("*.html"))
SAMPLE_IDS = [str(path.relative_to(SITE)) for path in SAMPLES]
URL = "https://example.org/dir/page.html"

PAGE = parse(
    """<!doctype html><html><head><title>T</title></head><body>
    <ul id="m"><li><a href="a.html">First</a></li><li><a href="/b?x=1&amp;y=2"> Second
    <b>link</b></a></li></ul>
    <p>Some <em>words</em>.</p><p>More.</p></body></html>""",
    url=URL,
)
LIST = PAGE.row("/html/body/ul")


def test_html():
    assert dom.html_of(PAGE, PAGE.row("/html/body/p[1]")) == "<p>Some <em>words</em>.</p>"


def test_html_of_a_text_row():
    assert dom.html_of(PAGE, PAGE.row("/html/body/p[2]/text()[1]")) == "More."


# -- links ------------------------------------------------------------------------------------


def test_links_are_absolute_and_in_order():
    assert dom.links_of(PAGE, LIST) == [
        Link("First", "https://example.org/dir/a.html"),
        Link("Second link", "https://example.org/b?x=1&y=2"),
    ]


def test_links_of_a_link_is_the_link():
    anchor = int(PAGE.anchors[1])
    assert [link.text for link in dom.links_of(PAGE, anchor)] == ["Second link"]


def test_links_of_a_row_without_any():
    assert dom.links_of(PAGE, PAGE.row("/html/body/p[1]")) == []


@pytest.mark.parametrize(
    ("source", "href"),
    [
        pytest.param('<a href="#top">x</a>', f"{URL}#top", id="fragment"),
        pytest.param('<a href="//cdn.example/x">x</a>', "https://cdn.example/x", id="no scheme"),
        pytest.param('<a href="mailto:a@b.example">x</a>', "mailto:a@b.example", id="mail"),
        pytest.param('<a href=" b.html ">x</a>', "https://example.org/dir/b.html", id="spaces"),
        pytest.param(
            '<base href="/other/"><a href="b.html">x</a>',
            "https://example.org/other/b.html",
            id="base",
        ),
        pytest.param('<a href="http://[">x</a>', "http://[", id="no address at all"),
    ],
)
def test_where_a_link_leads(source, href):
    page = parse(source, url=URL)
    assert [link.href for link in dom.links_of(page, page.body)] == [href]


def test_links_without_a_url_stay_as_written():
    page = parse('<a href="b.html">x</a>')
    assert dom.links_of(page, page.body) == [Link("x", "b.html")]


@pytest.mark.parametrize("url", ["not a url", "page.html", "http://[", "", "://"])
def test_a_poor_url_of_the_page_does_no_harm(url):
    page = parse('<a href="https://example.org/x">x</a>', url=url)
    assert dom.links_of(page, page.body) == [Link("x", "https://example.org/x")]


@pytest.mark.parametrize(
    ("inner", "label"),
    [
        pytest.param("Words <img alt='no'>", "Words", id="text first"),
        pytest.param("<img alt=' Our  shop '>", "Our shop", id="alt"),
        pytest.param(
            "<img alt=''><img alt='second'>", "second", id="the first that says something"
        ),
        pytest.param("<svg aria-label='Search'></svg>", "Search", id="aria-label"),
        pytest.param("<i title='Home'></i>", "Home", id="title"),
        pytest.param("<script>x</script><img alt='y'>", "y", id="a script is no text"),
        pytest.param("<i class='icon'></i>", "", id="nothing"),
    ],
)
def test_labels_of_picture_links(inner, label):
    page = parse(f'<a href="/">{inner}</a>')
    assert dom.label_of(page, page.anchors[0]) == label


def test_the_link_itself_may_carry_the_label():
    page = parse('<a href="/" aria-label="Start"><img></a>')
    assert dom.label_of(page, page.anchors[0]) == "Start"


ODD_LINKS = (
    "<p>a <a href=/x> b\u00a0 c<br>d </a><a href=/y><img alt=' e  f '></a><a href=/x>x</a></p>"
    "<noscript><a href=/z>g  h</a></noscript><a href=/s>\ud800</a><template><a href=/t>i</a>"
)


@pytest.mark.parametrize("name", ["compiled", "python"])
def test_labels_of_many_rows_are_those_of_each(name):
    if name == "compiled" and core.kernels is None:
        pytest.skip("the compiled core is not built")
    for source in (ODD_LINKS, ODD_LINKS.replace("\ud800", "j")):
        page = parse(source)
        rows = list(range(len(page)))
        with using(name):
            assert dom.label_each(page, rows) == [dom.label_of(page, row) for row in rows]


def test_each_address_is_made_absolute_once():
    page, asked = parse(ODD_LINKS), []

    def resolve(href):
        asked.append(href)
        return f"https://example.org{href}"

    forms = dom.link_forms(page, dom.anchors_below(page, 0), resolve)
    assert asked == ["/x", "/y", "/z", "/s", "/t"]
    assert forms[:3] == [
        {"text": "b c d", "href": "https://example.org/x"},
        {"text": "e f", "href": "https://example.org/y"},
        {"text": "x", "href": "https://example.org/x"},
    ]
    assert dom.link_forms(page, [], resolve) == []


# -- select -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "paths"),
    [
        pytest.param("//li/a", ["/html/body/ul/li[1]/a", "/html/body/ul/li[2]/a"], id="XPath"),
        pytest.param("(//p)[2]", ["/html/body/p[2]"], id="XPath in brackets"),
        pytest.param(".//em", ["/html/body/p[1]/em"], id="XPath from here"),
        pytest.param(" //em", ["/html/body/p[1]/em"], id="XPath after a space"),
        pytest.param("#m > li b", ["/html/body/ul/li[2]/a/b"], id="CSS"),
        pytest.param("p", ["/html/body/p[1]", "/html/body/p[2]"], id="CSS tag"),
        pytest.param("//nothing", [], id="XPath without a match"),
        pytest.param(".nothing", [], id="CSS class without a match"),
        pytest.param("//a/@href", [], id="attributes are no rows"),
    ],
)
def test_select(expression, paths):
    assert [PAGE.path(row) for row in dom.select(PAGE, expression)] == paths


@pytest.mark.parametrize(
    "expression", ["//[", "/html/body[", "//p[nope()]", "p[", "::", "p:nope(", ""]
)
def test_a_broken_selector_is_refused(expression):
    with pytest.raises(OptionError, match="not a valid XPath or CSS selector"):
        dom.select(PAGE, expression)


# -- page of rows -----------------------------------------------------------------------------


def test_page_of_rows_keeps_the_rows_what_is_above_and_the_head():
    kept = parse(dom.page_of_rows(PAGE, [LIST]))
    assert [kept.path(row) for row in range(len(kept)) if kept.element[row]] == [
        "/html",
        "/html/head",
        "/html/head/title",
        "/html/body",
        "/html/body/ul",
        "/html/body/ul/li[1]",
        "/html/body/ul/li[1]/a",
        "/html/body/ul/li[2]",
        "/html/body/ul/li[2]/a",
        "/html/body/ul/li[2]/a/b",
    ]


@pytest.mark.parametrize(
    ("source", "path", "texts"),
    [
        pytest.param("<p>a</p><p>b</p><p>c</p>", "/html/body/p[2]", ("b",), id="middle"),
        pytest.param("<p>a</p><p>b</p>", "/html/body/p[1]", ("a",), id="first"),
        pytest.param("<p>a</p>last words", "/html/body/p[1]", ("a",), id="the last row is a text"),
        pytest.param("<p>a</p><hr>", "/html/body/p[1]", ("a",), id="the last row is an element"),
        pytest.param("<p>a<b>b</b>c</p>", "/html/body/p/b", ("b",), id="one of many"),
        pytest.param("<p>a<b>b</b>c</p>", "/html/body/p/text()[2]", ("c",), id="a text"),
    ],
)
def test_page_of_rows_drops_the_rest(source, path, texts):
    page = parse(source)
    kept = parse(dom.page_of_rows(page, [page.row(path)]))
    assert kept.texts == texts


def test_page_of_rows_leaves_no_element_that_was_not_asked_for():
    page = parse("<p>a</p><hr>")
    assert "<hr>" not in dom.page_of_rows(page, [page.row("/html/body/p")])


def test_page_of_no_rows_is_an_empty_document():
    kept = parse(dom.page_of_rows(PAGE, []))
    assert kept.texts == ("T",)


def test_page_of_several_rows():
    page = parse("<p>a</p><p>b</p><p>c</p>")
    rows = [page.row("/html/body/p[3]"), page.row("/html/body/p[1]")]
    assert parse(dom.page_of_rows(page, rows)).texts == ("a", "c")


def test_page_of_rows_leaves_the_page_as_it_was():
    before = dom.html_of(PAGE, 0)
    dom.page_of_rows(PAGE, [LIST])
    assert dom.html_of(PAGE, 0) == before


# -- nodes of rows ----------------------------------------------------------------------------


@given(trees)
def test_the_nodes_of_a_parsed_page_are_its_rows(tree):
    page = parse(to_html(tree))
    names = [getattr(node, "tag", None) or node.data for node in dom.dom(page).nodes]
    assert names == [page.name(row) or page.text(row) for row in range(len(page))]


@given(trees)
def test_a_page_without_source_is_rebuilt(tree):
    page = page_of(tree)
    names = [getattr(node, "tag", None) or node.data for node in dom.dom(page).nodes]
    assert names == [page.name(row) or page.text(row) for row in range(len(page))]


def test_a_very_deep_page_without_source_is_rebuilt():
    page = page_of(html(deep(20_000, ("a", {"href": "/x"}, "x"))))
    with ends():
        assert dom.links_of(page, page.body) == [Link("x", "/x")]


def test_a_very_wide_page_without_source_is_rebuilt():
    page = page_of(html(("ul", *[("li", ("a", {"href": "/x"}, "x"))] * 20_000)))
    with ends():
        assert dom.links_of(page, page.body) == [Link("x", "/x")] * 20_000


# -- paths in the parser's and in the browser's XPath -----------------------------------------


def reachable(page: Page) -> list[int]:
    """Rows outside templates, which neither the parser's nor the browser's XPath enters."""
    template = page.is_tag(NUMBER["template"])
    return np.flatnonzero(~page.inside(template) | template).tolist()


def test_every_path_finds_its_node_with_the_parsers_xpath():
    for path in SAMPLES:
        with case(path):
            page = parse(path.read_bytes())
            tree = dom.dom(page)
            for row in reachable(page):
                matches = tree.document.xpath(page.path(row))
                if page.element[row]:
                    assert matches == [tree.nodes[row]], page.path(row)
                else:
                    assert [str(text) for text in matches] == [page.text(row)], page.path(row)


def test_every_path_leads_back_to_its_row():
    for path in SAMPLES:
        with case(path):
            page = parse(path.read_bytes())
            rows = range(len(page))
            assert [page.row(page.path(row)) for row in rows] == list(rows)


ODD = """<!doctype html><title>t</title><svg viewBox="0 0 1 1">
<linearGradient/><a><text>x</text></a>
<foreignObject><div>in <b>svg</b></div><div></div></foreignObject></svg><o:p>x</o:p><o:p> y</o:p>
<math><mi>x</mi></math><p>a<!-- c -->b</p><table>moved<tr><td>x</table><noscript><p>n</p></noscript>
<x-y>own</x-y><svg></svg>"""

# Where each path leads: the places of the nodes it finds among all nodes of the document.
LOCATE = """paths => {
  const shown = NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT;
  const walker = document.createTreeWalker(document, shown);
  const place = new Map();
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.nodeType === 1 || node.data.trim()) place.set(node, place.size);
  }
  return paths.map(path => {
    const found = document.evaluate(path, document, null, 7, null);
    return Array.from({length: found.snapshotLength}, (_, at) => place.get(found.snapshotItem(at)));
  });
}"""


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        args = ["--no-sandbox", "--disable-gpu"]
        running = playwright.chromium.launch(executable_path=find_chromium(), args=args)
        yield running
        running.close()


@pytest.fixture
def tab(browser):
    """A tab that parses as we do, scripting off; questions of ours are still answered."""
    context = browser.new_context(java_script_enabled=False, offline=True)
    yield context.new_page()
    context.close()


def test_every_path_finds_its_node_in_chromium(tab):
    samples = zip(SAMPLE_IDS, (path.read_text() for path in SAMPLES), strict=True)
    for name, source in (*samples, ("odd names", ODD)):
        with case(name):
            page = parse(source)
            tab.set_content(page.source, wait_until="commit")
            rows = reachable(page)
            found = tab.evaluate(LOCATE, [page.path(row) for row in rows])
            assert found == [[place] for place in range(len(rows))]


def test_xpath_of_the_parser_agrees_on_odd_names():
    page = parse(ODD)
    document = turbohtml.parse(ODD, positions=False)
    found = [document.xpath(page.path(row)) for row in range(len(page))]
    assert [len(nodes) for nodes in found] == [1] * len(page)


# -- text that is not counted -----------------------------------------------------------------


def test_text_in_noscript_is_read_when_asked_for_there():
    page = parse(
        "<div>a<noscript> b <p>c<script>s</script><template>t</template>"
        "<a href=/d>d</a></p></noscript></div>"
    )
    noscript = page.row("/html/body/div/noscript")
    assert readable_text(page, noscript) == "b c d"
    assert readable_text(page, page.row("/html/body/div/noscript/p/text()[1]")) == "c"
    assert readable_text(page, page.row("/html/body/div")) == "a"
    assert [link.text for link in links_of(page, noscript)] == ["d"]


@given(trees)
def test_counted_rows_read_as_their_counted_text(tree):
    page = page_of(tree)
    for row in np.flatnonzero(page.counted).tolist():
        assert readable_text(page, row) == page.inner_text(row)


# -- paths as selectors -----------------------------------------------------------------------


@given(trees)
def test_every_path_selects_its_row(tree):
    page = page_of(tree)
    source = parse(to_html(tree))
    for page_ in (page, source):
        for row in range(len(page_)):
            assert select(page_, page_.path(row)) == [row]


@pytest.mark.parametrize("expression", ["//*[matches(., '[')]", "/html/body/p/text()["])
def test_a_broken_expression_is_an_option_error(expression):
    with pytest.raises(OptionError, match="not a valid XPath or CSS selector"):
        select(parse("<p>x"), expression)


def test_an_xpath_that_looks_like_a_path_finds_all_it_means():
    page = parse("<p>a<p>b")
    assert [page.path(row) for row in select(page, "/html/body/p")] == [
        "/html/body/p[1]",
        "/html/body/p[2]",
    ]


LINKS = """<template><a href=x>a</a></template><a href=' y '>b</a><a href>c</a><svg><a href=s>d</a>
</svg><a href='http://u:p@h.example/'>e</a><a href='javascript:x'>f</a><a href='#g'>g</a>
<a href='?q'>h</a>"""


BASES = ("", "<base href=/b/><base href=/c/>", "<base><base href='//o.example'>")
URLS = (None, "http://www.a.example:80/x/y.html?q#f", "file:///tmp/a.html")


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("url", URLS)
def test_addresses_are_resolved_as_the_parser_resolves_them(base, url):
    page = parse(base + LINKS, url)
    nodes = dom.dom(page).nodes
    for row, href in page.hrefs.items():
        assert resolve_link(page, href) == (nodes[row].attr("href") or "")


def test_an_address_that_is_none_stays_as_written():
    page = parse("<a href='http://[::1'>a</a>", "http://a.example/")
    assert [link.href for link in links_of(page, 0)] == ["http://[::1"]


def test_a_url_that_is_no_address_leaves_links_as_they_are_written():
    page = parse("<p>Text <a href='/y'>label</a></p>", "http://[bad/x")
    assert html_of(page, select(page, "a")[0]) == '<a href="/y">label</a>'
