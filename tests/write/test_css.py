"""Style sheets written again: what is kept, what is dropped, and that no address is left."""

import pytest
from tinycss2 import parse_component_value_list

from pagelet.write.css import (
    EMPTY_DATA_URL,
    MAX_CSS_CHARS,
    SAFE_AT_RULES,
    SAFE_FUNCTIONS,
    clean_css,
    list_css_references,
)
from tests.write.ways import DECLARATIONS, SHEETS, twisted_sheets


class Noted:
    """References that note what they meet, and keep nothing."""

    def __init__(self):
        self.urls, self.imports = [], []

    def rewrite_url(self, reference):
        self.urls.append(reference)

    def rewrite_import(self, reference, media):
        self.imports.append((reference, media))
        return ""


def leaks(css: str) -> list[str]:
    """Tokens that could load something, wherever they stand."""
    found, left = [], list(parse_component_value_list(css))
    while left:
        node = left.pop()
        left += getattr(node, "content", None) or getattr(node, "arguments", None) or ()
        if node.type == "function" and node.lower_name == "url":
            (address,) = node.arguments
            found += [address.value] * (not address.value.startswith((EMPTY_DATA_URL, "#")))
        elif node.type == "url":
            found.append(node.value)
        elif node.type == "function" and node.lower_name not in SAFE_FUNCTIONS:
            found.append(node.name)
        elif node.type == "at-keyword" and node.lower_value not in SAFE_AT_RULES:
            found.append(node.value)
    return found


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        pytest.param("a { top: 0 }", "a { top: 0 }", id="nothing to load"),
        pytest.param("a{b:url(x)}", 'a{b:url("data:,")}', id="an address"),
        pytest.param("a{b:url(#x)}", 'a{b:url("#x")}', id="an address in the document"),
        pytest.param(r"a{b:u\rl(x)}", r'a{b:url("data:,")}', id="an escaped address"),
        pytest.param('a{b:image-set("x" 1x);c:rgb(0 0 0)}', "a{c:rgb(0 0 0)}", id="a declaration"),
        pytest.param('@namespace "x";a{b:min(1px)}', "a{b:min(1px)}", id="an unknown at-rule"),
        pytest.param("@x (y) { a{b:c} } d{e:f}", "d{e:f}", id="an unknown at-rule with a block"),
        pytest.param("@media (1px <= width){a{b:c(1)}}", "@media (1px <= width){a{}}", id="media"),
        pytest.param("a:not(.b)>c{d:e}", "a:not(.b)>c{d:e}", id="a selector"),
        pytest.param("<!-- a{b:var(--c)} -->", "a{b:var(--c)}", id="HTML comments"),
        pytest.param("a{b:'</style><img>'}", r'a{b:"\3c /style>\3c img>"}', id="an end tag"),
        pytest.param(r"a{b:'\d800'}", 'a{b:"�"}', id="a lone surrogate"),
        pytest.param("a{behavior:url(x);b:calc(1px)}", "a{b:calc(1px)}", id="a binding"),
        pytest.param("a{b:" + "1" * 5000 + " max(1)}", "", id="a number of 5,000 digits"),
        pytest.param("a{b:rgb(1)} c{d:'e", "a{b:rgb(1)} c{}", id="an open string"),
        pytest.param("a{b:" + "calc(" * 99, "a{}", id="brackets too deep"),
        pytest.param("url/**/(x)", "url/**/(x)", id="a name and a bracket"),
        pytest.param("(" + "a" * MAX_CSS_CHARS, "", id="too long"),
    ],
)
def test_what_is_kept(css, expected):
    assert clean_css(css, Noted()) == expected


@pytest.mark.parametrize("css", [*SHEETS, *(f"* {{ {one} }}" for one in DECLARATIONS)])
def test_no_way_is_left(css):
    cleaned = clean_css(css.replace("H", "http://a.example/"), Noted())
    assert leaks(cleaned) == []
    assert clean_css(cleaned, Noted()).split() == cleaned.split()


def test_no_spelling_is_left():
    for css in twisted_sheets(seed=7, count=1500):
        cleaned = clean_css(css, Noted())
        assert leaks(cleaned) == [], css
        assert "</" not in cleaned


def test_plain_rules_are_kept_as_they_are():
    rules = "a > b{c:d;font:1px/2 e}\n f,g:hover{h:#fff !important}"
    css = f"/* {{ */ {rules} i{{j:k(1)}}{rules}@media l{{{rules}}} /*"
    assert clean_css(css, Noted()).count(rules.strip()) == 3


def test_an_open_text_of_a_sheet_does_not_open_the_next():
    """What is quoted in one sheet stays quoted behind any other."""
    quoted = clean_css("b{content:\"; c: image-set('http://a.example' 1x)\"}", Noted())
    for css in ("a{b:'", 'a{b:"', "a{b:/*", "a{b:c(", "a{b:url(", "a\\"):
        assert leaks(clean_css(css, Noted()) + quoted) == [], css


def test_imports_and_their_conditions():
    noted = Noted()
    css = "@import 'a'; @import url(b) print; @im\\port/**/url('c') layer(d) supports(e:f) screen;"
    assert clean_css(css, noted) == ""
    assert noted.imports == [("a", ""), ("b", "print"), ("c", "screen")]
    assert list_css_references(css + "d{e:url(f)}") == ["a", "b", "c", "f"]
