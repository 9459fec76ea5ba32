"""Kept texts as clean HTML: each rule by hand, then properties of any page."""

import re

import numpy as np
import pytest
import turbohtml
from hypothesis import example, given

from pagelet import parse
from pagelet.page.table import Page
from pagelet.page.tags import TEXT
from pagelet.write import write_html
from pagelet.write.media import link_address
from tests import hostile
from tests.build import deep, html, page_of, to_html
from tests.cases import case
from tests.effort import ends
from tests.write.excerpts import URL, WORD, body_texts, choices, chosen, read, trees, words

ALLOWED = set(
    "h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd table caption thead tbody tfoot tr td th pre code"
    " blockquote figure figcaption a img em strong b i sub sup mark q cite del ins s kbd samp var"
    " abbr time br hr details summary ruby rb rt rtc rp math mi mo mn".split()
)
SITE = "https://example.org"


def html_of(source: str, drop: str = "", **style: bool) -> str:
    return write_html(*read(source, drop), **style)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("<p class=x id=y>a</p>", "<p>a</p>", id="no attributes"),
        pytest.param("<div>a<p>b</p>c</div>", "<p>a</p><p>b</p><p>c</p>", id="lines become p"),
        pytest.param("<section><div>a</div></section>", "<p>a</p>", id="others are unwrapped"),
        pytest.param("<p>a &lt;b&gt; &amp;</p>", "<p>a &lt;b&gt; &amp;</p>", id="escaped"),
        pytest.param("<p>a<br>b</p>", "<p>a<br>b</p>", id="a break"),
        pytest.param("<p>a<br><br>b<br></p>", "<p>a</p><p>b</p>", id="two are a paragraph"),
        pytest.param("<p>a <br> b</p>", "<p>a<br>b</p>", id="no spaces around it"),
        pytest.param("<svg><a href=/x><text>a</text></a></svg>", "<p>a</p>", id="foreign"),
        pytest.param("<h2>a</h2>b", "<h2>a</h2><p>b</p>", id="heading"),
        pytest.param("<h2>a<div>b</div>c</h2>", "<h2>a b c</h2>", id="one line"),
        pytest.param("<h2>a<br>b</h2>", "<h2>a b</h2>", id="without breaks"),
        pytest.param(
            "<h2>a<p>b</p><p>c</p></h2>", "<p>a</p><p>b</p><p>c</p>", id="no heading at all"
        ),
        pytest.param(
            "<h1>a<ul><li>b</ul></h1>", "<p>a</p><ul><li>b</li></ul>", id="a list in a heading"
        ),
        pytest.param(
            "<ul><li>a<li><p>b</p><p>c</p></ul>",
            "<ul><li>a</li><li>b<p>c</p></li></ul>",
            id="list",
        ),
        pytest.param(
            "<ul>a<li>b</li><h3>c</h3></ul>",
            "<ul><li>a</li><li>b</li><li><h3>c</h3></li></ul>",
            id="only items in a list",
        ),
        pytest.param(
            "<ul><li>a<ol><li>b</ol>c</ul>",
            "<ul><li>a<ol><li>b</li></ol><p>c</p></li></ul>",
            id="lists in lists",
        ),
        pytest.param(
            "<ul><li>a</li><ul><li>b</ul></ul>",
            "<ul><li>a</li><ul><li>b</li></ul></ul>",
            id="a list beside items",
        ),
        pytest.param("<menu><li>a</menu>", "<ul><li>a</li></ul>", id="a menu is a list"),
        pytest.param("<div><li>a</div>", "<p>a</p>", id="an item without a list"),
        pytest.param(
            "<dl><div><dt>a<dd>b</div>c</dl>",
            "<dl><dt>a</dt><dd>b</dd><dd>c</dd></dl>",
            id="terms",
        ),
        pytest.param(
            "<table class=x><tr><th rowspan=2 class=x>a<td colspan=x>b</table>",
            '<table><tbody><tr><th rowspan="2">a</th><td>b</td></tr></tbody></table>',
            id="spans",
        ),
        pytest.param(
            "<table><tr><td>a<td><tr><td><td></table>",
            "<table><tbody><tr><td>a</td><td></td></tr></tbody></table>",
            id="empty cells stay, empty rows go",
        ),
        pytest.param(
            "<pre class='language-py x'>\na\n <b>b</b> <a href=x>c</a>\n</pre>",
            '<pre><code class="language-py">a\n b c</code></pre>',
            id="code",
        ),
        pytest.param(
            "<div class=highlight-python><div><pre>a &lt;</pre></div></div>",
            '<pre><code class="language-python">a &lt;</code></pre>',
            id="language named above",
        ),
        pytest.param("<pre><code class=lang-none>a</code></pre>", "<pre><code>a</code></pre>"),
        pytest.param("<pre data-lang=C>a</pre>", '<pre><code class="language-c">a</code></pre>'),
        pytest.param(
            "<blockquote>a<p>b</blockquote>",
            "<blockquote><p>a</p><p>b</p></blockquote>",
            id="quote",
        ),
        pytest.param(
            "<details><summary>a</summary>b</details>",
            "<details><summary>a</summary><p>b</p></details>",
            id="details",
        ),
        pytest.param("<summary>a</summary>", "<p>a</p>", id="a summary of nothing"),
        pytest.param(
            "<p><font><b>a</b></font><u>b</u> <tt>c</tt><strike>d</strike></p>",
            "<p><b>a</b>b <code>c</code><s>d</s></p>",
            id="inline",
        ),
        pytest.param("<b>a<strong>b<i>c</i></strong></b>", "<p><b>ab<i>c</i></b></p>", id="once"),
        pytest.param("<p>a <b> b </b> c</p>", "<p>a <b>b</b> c</p>", id="spaces outside"),
        pytest.param(
            "<abbr title='x &quot;y' class=z>a</abbr> <time datetime=1>b</time>",
            '<p><abbr title="x &quot;y">a</abbr> <time datetime="1">b</time></p>',
            id="attributes that are kept",
        ),
        pytest.param(
            "<a href=b><h3>a</h3><p>b <i>c</i></p></a>",
            f'<h3><a href="{SITE}/dir/b">a</a></h3><p><a href="{SITE}/dir/b">b <i>c</i></a></p>',
            id="a link around blocks is written in each",
        ),
        pytest.param(
            "<ruby>a<rt>b</rt></ruby>", "<p><ruby>a<rt>b</rt></ruby></p>", id="ruby"
        ),
        pytest.param(
            "a <math display=block><mi>x</mi><mspace></mspace></math> b",
            "<p>a <math><mi>x</mi><mspace></mspace></math> b</p>",
            id="formula",
        ),
        pytest.param(
            "<math><math><mi>x</mi></math></math>",
            "<p><math><math><mi>x</mi></math></math></p>",
            id="a formula in a formula",
        ),
        pytest.param("<math><foo>x</foo></math>", "<p>x</p>", id="an odd formula is text"),
        pytest.param("<p>a</p><hr><p>b</p><hr>", "<p>a</p><hr><p>b</p>", id="rule between"),
        pytest.param("<button>a</button><textarea>b</textarea>",
                     "<p>a</p><pre><code>b</code></pre>", id="no controls"),
        pytest.param("<p></p><ul><li></ul><b></b><table><tr><td></table>", "", id="nothing"),
    ],
)  # fmt: skip
def test_by_hand(source, expected):
    assert html_of(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("<ul><li>x<li>a</ul><ul><li>x</ul>", "<ul><li>a</li></ul>", id="items"),
        pytest.param("<h2>x</h2><p>a</p>", "<p>a</p>", id="a heading"),
        pytest.param("<p>a</p><hr><p>x</p><p>b</p>", "<p>a</p><p>b</p>", id="rule beside it"),
        pytest.param("<math><mi>a</mi><mi>x</mi></math>", "<p>a</p>", id="part of a formula"),
        pytest.param("<p>a<b>x</b>b</p>", "<p>a b</p>", id="words stay apart"),
    ],
)
def test_dropped_rows(source, expected):
    assert html_of(source, drop="x") == expected


# -- links ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("b", f"{SITE}/dir/b"),
        (" /b\n?c ", f"{SITE}/b?c"),
        ("../../b", f"{SITE}/b"),
        ("http://a.example/x", "http://a.example/x"),
        ("HTTP://a.example/", "HTTP://a.example/"),
        ("//a.example/b", "https://a.example/b"),
        ("#x", f"{URL}#x"),
        ("mailto:a@b.example", "mailto:a@b.example"),
        ("tel:1", "tel:1"),
        ("javascript:x", None),
        (" \1java\nscript:x", None),
        ("JavaScript:x", None),
        ("data:text/html,x", None),
        ("vbscript:x", None),
        ("file:///x", None),
        ("http://[x", None),
        ("", None),
    ],
)
def test_addresses(href, expected):
    assert link_address(href, URL) == expected


def test_relative_addresses_stay_without_a_url():
    page = parse("<a href='b?c=1&amp;d'>a</a>")
    assert write_html(page, body_texts(page)) == '<p><a href="b?c=1&amp;d">a</a></p>'


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("/x/", f"{SITE}/x/"),
        ("http://a.example/", "http://a.example/"),
        ("javascript:x", URL),
    ],
)
def test_base(base, expected):
    assert parse(f"<base><base href='{base}'><base href=/y>", url=URL).base_url == expected


def test_a_link_that_leads_nowhere_is_text():
    assert html_of("<a href='javascript:x'>a</a><a>b</a>") == "<p>ab</p>"


def test_links_off():
    assert html_of("a <a href=/x>b</a>", links=False) == "<p>a b</p>"


# -- pictures ---------------------------------------------------------------------------------


def sources(source: str, drop: str = "") -> list[str]:
    return re.findall(r'<img src="(?:https://example.org/)?([^"]*)"', html_of(source, drop))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("<p>a</p><img src=/b><p>c</p>", ["b"], id="between kept texts"),
        pytest.param("<img src=/b><p>c</p>", [], id="before the first"),
        pytest.param("<p>x</p><img src=/b><p>c</p>", [], id="after a dropped text"),
        pytest.param("<p>x</p><p><img src=/b>c</p><p>x</p>", ["b"], id="in a paragraph"),
        pytest.param("x<figure><img src=/b><figcaption>c</figure>x", ["b"], id="in a figure"),
        pytest.param("x<figure><img src=/b><figcaption>x</figure>x", [], id="in a dropped figure"),
        pytest.param("a<img src=/b><img src=/b>c<img src=/b>d", ["b"], id="once"),
        pytest.param("a<img src=/blank.gif data-src=/b>c", ["b"], id="late"),
        pytest.param("a<img src='data:image/gif,x' srcset='/b 1x, /c 2x'>c", ["c"], id="a set"),
        pytest.param("a<img srcset='/b 800w, /c 4000w, /d 400w'>c", ["b"], id="not too wide"),
        pytest.param("a<img srcset=', ,'>c", [], id="an empty set"),
        pytest.param("a<img src='data:image/gif,x'>c", [], id="written out"),
        pytest.param("a<img src='javascript:x'>c", [], id="no address"),
        pytest.param("a<img src=/b width=1 height=1>c", [], id="a dot"),
        pytest.param("a<img src=/spacer.gif>c", ["spacer.gif"], id="nothing but a stand-in"),
        pytest.param(
            "a<picture><source srcset='/b 1x'><img src='data:x'></picture>c", ["b"], id="picture"
        ),
        pytest.param("a<img data-src=/b><noscript><img src=/b></noscript>c", ["b"], id="twin"),
        pytest.param(
            "a<img data-src=/b><noscript><img src=/c></noscript>c", ["b"], id="other size"
        ),
        pytest.param("a<img src='data:x'><noscript><img src=/b></noscript>c", ["b"], id="spare"),
        pytest.param("<pre>a<img src=/b>c</pre>", [], id="not in code"),
    ],
)
def test_pictures(source, expected):
    assert sources(source, drop="x") == expected


def test_code_that_is_a_picture_leaves_nothing():
    assert html_of("a<pre><img src=/b></pre>c") == "<p>a</p><p>c</p>"


def test_words_of_a_picture():
    assert (
        html_of("a<img src=b.png alt=' x  &quot;y' title=z onload=e>c")
        == f'<p>a<img src="{SITE}/dir/b.png" alt="x &quot;y" title="z"> c</p>'
    )


def test_a_picture_in_a_figure_is_bare():
    assert (
        html_of("<figure><a href=/x><img src=/b></a><figcaption>c</figure>")
        == f'<figure><a href="{SITE}/x"><img src="{SITE}/b" alt=""></a>'
        "<figcaption>c</figcaption></figure>"
    )


def test_images_off():
    assert html_of("a<img src=/b>c", images=False) == "<p>a c</p>"


# -- any page ---------------------------------------------------------------------------------


def bodiless(markup: str) -> str:
    """HTML without `tbody`, which a parser puts around rows by itself."""
    return markup.replace("<tbody>", "").replace("</tbody>", "")


def check(page: Page, kept: np.ndarray) -> str:
    """The HTML holds each kept word once, in order, and reads back as the same tree."""
    found = write_html(page, kept)
    assert WORD.findall(found) == words(page, kept)
    read_back = turbohtml.parse_fragment(found)
    assert bodiless(read_back.serialize(inner=True)) == bodiless(found)
    assert {node.tag for node in read_back.find_all()} <= ALLOWED
    return found


@given(trees, choices)
@example(("html", ("body", ("table", ("tr", ("td", "a"), ("h2", "b"), ("td", ("li", "c")))))), -1)
def test_any_tree(tree, bits):
    page = page_of(tree)
    check(page, chosen(page, bits))


@given(trees, choices)
def test_any_source(tree, bits):
    page = parse(to_html(tree), url=URL)
    check(page, chosen(page, bits))


def test_hostile_pages():
    for name in hostile.QUICK:
        with case(name), ends():
            page = hostile.page(name)
            kept = page.tag == TEXT
            found = write_html(page, kept)
            assert bool(found) == bool(kept.any())
            assert len(found) < 200 * (len(page) + 1) + 6 * sum(map(len, page.texts))


def test_bold_around_many_paragraphs_grows_with_the_page():
    page = page_of(html(deep(400, *[("p", "a")] * 2_000, name="b")))
    assert len(write_html(page, body_texts(page))) < 2_000 * 20


def test_deep_lists_lose_depth_and_no_text():
    page = page_of(html(deep(5_000, ("li", "a"), name="ul")))
    found = write_html(page, body_texts(page))
    assert found.count("<ul>") < 40
    assert "a" in found
