"""Selectors of the user: which rules apply to a page, and what their selectors decide."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import parse
from pagelet.errors import OptionError
from pagelet.methods.content.rules import Rule, apply_selectors, find_rules, make_selectors
from pagelet.sources.files import read_file
from tests.build import page_of, trees

PAGE = parse(
    "<main class=a><p id=one>One</p><p>Two <b>bold</b> words</p></main><nav>Menu <i>x</i></nav>"
)


@pytest.fixture
def file(tmp_path):
    """Write a file of rules and give its name."""

    def write(text: str) -> str:
        path = tmp_path / "rules.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def decided(keep=(), drop=(), page=PAGE):
    """The selector that decides each text, by the text."""
    found = apply_selectors(page, make_selectors(keep, drop))
    names = [str(selector) for selector in found.selectors]
    rows = [row for row in range(len(page)) if page.text(row)]
    return {
        page.text(row).strip(): names[at] if (at := found.decider[row]) >= 0 else None
        for row in rows
    }


# -- which rules ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "url", "applies"),
    [
        pytest.param(Rule(), None, True, id="every page"),
        pytest.param(Rule(host="example.org"), None, False, id="a page without URL"),
        pytest.param(Rule(host="example.org"), "https://example.org/a", True, id="host"),
        pytest.param(Rule(host="Example.ORG"), "https://example.org:8080/a", True, id="case"),
        pytest.param(Rule(host="example.org"), "https://www.example.org/", True, id="subdomain"),
        pytest.param(Rule(host="example.org"), "https://notexample.org/", False, id="longer name"),
        pytest.param(Rule(host="*.example.org"), "https://a.example.org/", True, id="pattern"),
        pytest.param(Rule(host="*.example.org"), "https://example.org/", False, id="no subdomain"),
        pytest.param(Rule(path="/news/*"), "https://example.org/news/1", True, id="path"),
        pytest.param(Rule(path="/news/*"), "https://example.org/old/news/1", False, id="path ends"),
        pytest.param(Rule(path="/"), "https://example.org", True, id="no path is /"),
        pytest.param(Rule(path="/a"), "https://example.org/a?b=c#d", True, id="path without query"),
        pytest.param(Rule(), "http://[", False, id="no address"),
    ],
)
def test_a_rule_applies_to_pages_by_host_and_path(rule, url, applies):
    assert rule.matches(url) is applies


def rules_of(url, name):
    return find_rules(url, name, {name: read_file("rules", name)})


def test_rules_of_a_file_in_order(file):
    name = file("""
        [[rule]]
        host = "example.org"
        keep = ["main", "//article"]
        drop = ".ad"
        [[rule]]
        host = "other.org"
        [[rule]]
        drop = ["nav"]
    """)
    rules = rules_of("https://example.org/", name)
    names = [[str(each) for each in rule.selectors] for rule in rules]
    assert names == [["keep main", "keep //article", "drop .ad"], ["drop nav"]]
    assert find_rules("https://example.org/", "", {}) == []


def test_a_file_that_changes_is_read_again(file, tmp_path):
    name = file("[[rule]]\nkeep = 'a'")
    assert [str(rule.selectors[0]) for rule in rules_of(None, name)] == ["keep a"]
    (tmp_path / "new.toml").write_text("[[rule]]\nkeep = 'b'")
    (tmp_path / "new.toml").rename(name)
    assert [str(rule.selectors[0]) for rule in rules_of(None, name)] == ["keep b"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param("[[rule", "not TOML", id="no TOML"),
        pytest.param("[site]\nkeep = 'a'", "expected [[rule]] tables only", id="another table"),
        pytest.param("rule = 3", "expected [[rule]] tables only", id="no table"),
        pytest.param("rule = [1]", "not 1", id="no rule"),
        pytest.param("[[rule]]\nkeeps = 'a'", "not keeps", id="unknown field"),
        pytest.param("[[rule]]\nhost = 3", "host must be a string", id="host"),
        pytest.param("[[rule]]\nkeep = 3", "must be a selector", id="keep"),
        pytest.param("[[rule]]\ndrop = ['a', 3]", "must be a selector", id="drop"),
        pytest.param(
            "[[rule]]\nhost = 'x.org'\ndrop = 'a['", "drop a[ is not a valid XPath", id="broken"
        ),
    ],
)
def test_a_broken_file_is_refused(file, text, why):
    name = file(text)
    with pytest.raises(OptionError) as error:
        rules_of(None, name)
    assert (error.value.name, error.value.value) == ("rules", name)
    assert why in error.value.why


def test_a_missing_file_is_refused():
    with pytest.raises(OptionError, match="no such file"):
        rules_of(None, "missing.toml")


# -- what they decide -------------------------------------------------------------------------


def test_a_selector_decides_for_all_below():
    assert decided(keep=["main"]) == {
        **dict.fromkeys(("One", "Two", "bold", "words"), "keep main"),
        **dict.fromkeys(("Menu", "x"), None),
    }


def test_the_nearest_element_decides():
    found = decided(keep=["b"], drop=["main"])
    assert (found["bold"], found["words"]) == ("keep b", "drop main")
    found = decided(keep=["main"], drop=["b"])
    assert (found["bold"], found["words"]) == ("drop b", "keep main")


def test_drop_wins_on_the_same_element():
    assert decided(keep=["#one"], drop=["p"])["One"] == "drop p"


def test_the_last_selector_wins_on_the_same_element():
    selectors = [*make_selectors(["p"], ["p"], "rules.toml"), *make_selectors(["#one"], [])]
    found = apply_selectors(PAGE, selectors)
    assert str(found.selectors[found.decider[PAGE.row("/html/body/main/p[1]")]]) == "keep #one"


def test_xpath_and_paths_of_texts():
    assert decided(drop=["//p[b]"])["words"] == "drop //p[b]"
    path = "/html/body/main/p[2]/text()[2]"
    found = decided(keep=[path])
    assert {text for text in found if found[text]} == {"words"}


def test_selectors_that_match_nothing_are_named():
    found = apply_selectors(PAGE, make_selectors(["p", ".none"], ["//table", "nav"]))
    assert found.matches == (2, 0, 0, 1)
    assert found.unmatched == ["keep .none", "drop //table"]
    assert found.keeps.tolist() == [True, True, False, False]


@pytest.mark.parametrize("selector", ["div[", "", "//p[", "//*[matches(., '[')]", "p::before"])
@pytest.mark.parametrize("name", ["keep", "drop"])
def test_a_broken_selector_is_named(name, selector):
    selectors = make_selectors(**{"keep": [], "drop": []} | {name: [selector]})
    for page in (PAGE, parse("")):
        with pytest.raises(OptionError) as error:
            apply_selectors(page, selectors)
        assert (error.value.name, error.value.value) == (name, selector)


@given(trees, st.lists(st.sampled_from(("div", "p", "li", "a", "body", "*")), max_size=4))
def test_every_row_is_decided_by_the_nearest_element_that_matches(tree, tags):
    page = page_of(tree)
    selectors = make_selectors(tags[::2], tags[1::2])
    found = apply_selectors(page, selectors)
    for row in range(len(page)):
        assert found.decider[row] == decider(page, selectors, row)


def decider(page, selectors, row):
    """The slow twin: walk up until a selector matches the element."""
    while row >= 0:
        here = [at for at, selector in enumerate(selectors) if row in selector.rows(page)]
        if here:
            return here[-1]
        row = int(page.parent[row])
    return -1
