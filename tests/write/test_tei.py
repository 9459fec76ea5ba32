"""TEI documents: valid by the schema of corpora, with every word of the clean HTML."""

from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from trafilatura.xml import validate_tei

import pagelet
from pagelet.write.tei import TeiHeader, write_tei
from tests.places import SITE

NAME = "{http://www.tei-c.org/ns/1.0}"
HEADER = TeiHeader(
    title="Salt & <wind>", authors=("Ann Ash", 'B "B"'), date="2026-03-01",
    url="https://example.org/?a=1&b=2", publisher="Fern", language="en", terms=("sea", "seed"),
    version="0.1",
)  # fmt: skip


def body_of(html: str, header: TeiHeader = HEADER) -> etree._Element:
    document = etree.fromstring(write_tei(html, header).encode())
    assert validate_tei(document)
    body = document.find(f".//{NAME}body/{NAME}div")
    assert body is not None
    return body


def inner(body: etree._Element) -> str:
    text = "".join(etree.tostring(each, encoding="unicode") for each in body)
    return " ".join(text.replace(f' xmlns="{NAME[1:-1]}"', "").split())


@pytest.mark.parametrize(
    ("html", "tei"),
    [
        ("<h2>A</h2><p>b</p>", '<ab type="header" rend="h2">A</ab><p>b</p>'),
        ("<p>a <b>b</b> <em>c</em></p>", '<p>a <hi rend="#b">b</hi> <hi rend="#i">c</hi></p>'),
        ('<p><a href="/?x&amp;y">l</a></p>', '<p><ref target="/?x&amp;y">l</ref></p>'),
        ("<p>a<br>b</p>", "<p>a<lb/>b</p>"),
        ("<ol><li>a<ul><li>b</li></ul></li></ol>",
         '<list rend="ol"><item>a<list rend="ul"><item>b</item></list></item></list>'),
        ("<table><caption>c</caption><tr><th>a</th><td>b</td></tr></table>",
         '<list rend="table"><head>c</head><item rend="tr"><list rend="tr"><item rend="th">a</item>'
         '<item rend="td">b</item></list></item></list>'),
        ("<pre><code>x  y</code></pre>", '<ab type="code"><hi rend="#code">x y</hi></ab>'),
        ("<blockquote><p>q</p></blockquote>", "<quote><p>q</p></quote>"),
        ('<figure><img src="i.png" alt="two &amp; more"><figcaption>c</figcaption></figure>',
         '<p><graphic url="i.png"><desc>two &amp; more</desc></graphic></p>'
         '<ab type="caption">c</ab>'),
        ("text <i>by</i><p>p</p>rest", '<p>text <hi rend="#i">by</hi></p><p>p</p><p>rest</p>'),
        ("<ul>stray<li>a</li></ul>", '<list rend="ul"><item>stray</item><item>a</item></list>'),
        ("<p>10<sup>24</sup> <q>said</q></p>", '<p>10<hi rend="#sup">24</hi> said</p>'),
        ("", "<p/>"),
        ("<p>a</b></p></div>", "<p>a</p>"),
        ("<p>a\x00\x0b\ufffe\ud800b</p>", "<p>ab</p>"),
    ],
)  # fmt: skip
def test_elements(html, tei):
    assert inner(body_of(html)) == tei


def test_the_header_states_what_is_known():
    document = etree.fromstring(write_tei("<p>x</p>", HEADER).encode())
    texts = {each.tag.removeprefix(NAME): each.text for each in document.iter() if each.text}
    assert (texts["title"], texts["publisher"], texts["term"]) == ("Salt & <wind>", "Fern", "seed")
    assert document.find(f".//{NAME}creation/{NAME}date").get("when") == "2026-03-01"
    assert document.find(f".//{NAME}ptr").get("target") == "https://example.org/?a=1&b=2"
    assert [each.text for each in document.findall(f".//{NAME}titleStmt/{NAME}author")] == [
        "Ann Ash", 'B "B"',
    ]  # fmt: skip
    assert validate_tei(etree.fromstring(write_tei("<p>x</p>", TeiHeader()).encode()))


TAGS = st.sampled_from(
    "h1 h3 p ul ol li dl dt dd table caption tr th td blockquote pre code figure figcaption img a b"
    " em sup s br hr q div mi".split()
)
PIECES = st.lists(
    st.one_of(
        st.builds("<{} href=x src=y>".format, TAGS), st.builds("</{}>".format, TAGS),
        st.text("ab &<\x01", max_size=4).map(lambda text: text.replace("<", "&lt;")),
    ),
    max_size=30,
)  # fmt: skip


@given(PIECES.map("".join))
def test_no_text_is_lost_and_all_is_well_formed(html):
    document = etree.fromstring(write_tei(html, HEADER).encode())
    body = document.find(f".//{NAME}body")
    words = "".join("".join(body.itertext()).split())
    plain = unescape("".join(etree.HTML(f"<x>{html}").itertext())) if html.strip() else ""
    assert words == "".join(plain.replace("\x01", "").split())


@pytest.mark.parametrize("name", sorted(path.name for path in SITE.glob("*.html")))
def test_pages_of_the_sample_site_are_valid(name):
    html = (SITE / name).read_bytes()
    document = etree.fromstring(pagelet.extract(html, format="tei").encode())
    assert validate_tei(document)
