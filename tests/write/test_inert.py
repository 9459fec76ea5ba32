"""Documents without active content: what is kept of addresses, and of the page."""

import pytest
import turbohtml

from pagelet.write.inert import WebReferences, keep_address, make_inert


@pytest.mark.parametrize(
    ("reference", "kept"),
    [
        ("a/b.png", "a/b.png"),
        ("https://a.example/x", "https://a.example/x"),
        ("data:image/png;base64,AA", "data:image/png;base64,AA"),
        ("//a.example/x", "https://a.example/x"),
        ("\\\\a.example\\x", "https:\\\\a.example\\x"),
        ("/\t/a.example", "https://a.example"),
        (" ht\ntps://a.example ", "https://a.example"),
        ("file:///etc/passwd", None),
        ("FILE://host/share", None),
        ("java\tscript:run()", None),
        ("blob:x", None),
    ],
)
def test_addresses(reference, kept):
    assert keep_address(reference) == kept


def test_candidates_and_imports():
    web = WebReferences()
    assert web.rewrite_srcset("a.png 1x, //b.example/c 2x") == "a.png 1x, https://b.example/c 2x"
    assert web.rewrite_srcset("a.png 1x, file:///b 2x") is None
    assert web.rewrite_css('@im\\port "a\\"b" print;') == '@import url("a\\22 b") print;'
    assert web.rewrite_css("@import 'file:///a'; b{c:url(file:///d)}") == 'b{c:url("data:,")}'
    assert web.make_sheet("javascript:run()", "") is None


def test_the_look_of_a_page_stays():
    source = (
        '<html lang=en class=a><meta name="twitter:card" content=x><meta charset=latin1>'
        "<link rel=stylesheet href=s.css onload=x><link rel=icon href=i><style>b{top:0}</style>"
        '<p class="b" id=c data-src="https://a.example/" style="color: red">x<!-- y --></p>'
        "<svg viewBox='0 0 9 9'><g transform='translate(1 2)' fill='url(#d)'></g></svg>"
    )
    document = turbohtml.parse(make_inert(source, "https://a.example/b/"))
    assert [one.attr("href") for one in document.select("link")] == ["https://a.example/b/s.css"]
    assert [one.attr("name") for one in document.select("meta")][2:] == ["twitter:card"]
    assert document.select_one("p").attrs == {
        "class": ["b"], "id": "c", "data-src": "https://a.example/", "style": "color: red"
    }  # fmt: skip
    assert document.select_one("g").attrs["transform"] == "translate(1 2)"
    assert document.select_one("g").attrs["fill"] == 'url("#d")'
    assert document.select_one("style").text == "b{top:0}"


def test_the_base_of_a_page_without_address():
    made = make_inert('<base href="https://a.example/b/"><img src=c.png><base href=d>')
    assert '<img src="https://a.example/b/c.png">' in made
    assert "<base" not in made
