"""A user's own word: which rules speak of a page, and what their selectors decide."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import parse
from pagelet.errors import OptionError
from pagelet.methods.content.rules import Rule, overrides, rules_for, words
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
    """Which word decides each text, by what the text says."""
    found = overrides(page, words(keep, drop))
    told = [str(word) for word in found.words]
    rows = [row for row in range(len(page)) if page.text(row)]
    return {
        page.text(row).strip(): told[at] if (at := found.decider[row]) >= 0 else None
        for row in rows
    }


# -- which rules ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "url", "speaks"),
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
def test_a_rule_speaks_of_pages_by_host_and_path(rule, url, speaks):
    assert rule.matches(url) is speaks


def rules_of(url, name):
    return rules_for(url, name, {name: read_file("rules", name)})


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
    told = [[str(word) for word in rule.words] for rule in rules]
    assert told == [["keep main", "keep //article", "drop .ad"], ["drop nav"]]
    assert rules_for("https://example.org/", "", {}) == []


def test_a_file_that_changes_is_read_again(file, tmp_path):
    name = file("[[rule]]\nkeep = 'a'")
    assert [str(rule.words[0]) for rule in rules_of(None, name)] == ["keep a"]
    (tmp_path / "new.toml").write_text("[[rule]]\nkeep = 'b'")
    (tmp_path / "new.toml").rename(name)
    assert [str(rule.words[0]) for rule in rules_of(None, name)] == ["keep b"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param("[[rule", "not TOML", id="no TOML"),
        pytest.param("[site]\nkeep = 'a'", "expected [[rule]] tables only", id="another table"),
        pytest.param("rule = 3", "expected [[rule]] tables only", id="no table"),
        pytest.param("rule = [1]", "not 1", id="no rule"),
        pytest.param("[[rule]]\nkeeps = 'a'", "not keeps", id="unknown field"),
        pytest.param("[[rule]]\nhost = 3", "host must be a text", id="host"),
        pytest.param("[[rule]]\nkeep = 3", "must be a selector", id="keep"),
        pytest.param("[[rule]]\ndrop = ['a', 3]", "must be a selector", id="drop"),
        pytest.param(
            "[[rule]]\nhost = 'x.org'\ndrop = 'a['", "drop a[ is not a valid XPath", id="broken"
        ),
    ],
)
def test_a_broken_file_is_told(file, text, why):
    name = file(text)
    with pytest.raises(OptionError) as error:
        rules_of(None, name)
    assert (error.value.name, error.value.value) == ("rules", name)
    assert why in error.value.why


def test_a_missing_file_is_told():
    with pytest.raises(OptionError, match="No such file"):
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


def test_the_last_word_wins_on_the_same_element():
    said = [*words(["p"], ["p"], "rules.toml"), *words(["#one"], [])]
    found = overrides(PAGE, said)
    assert str(found.words[found.decider[PAGE.row("/html/body/main/p[1]")]]) == "keep #one"


def test_xpath_and_paths_of_texts():
    assert decided(drop=["//p[b]"])["words"] == "drop //p[b]"
    path = "/html/body/main/p[2]/text()[2]"
    found = decided(keep=[path])
    assert {said for said in found if found[said]} == {"words"}


def test_words_that_find_nothing_are_named():
    found = overrides(PAGE, words(["p", ".none"], ["//table", "nav"]))
    assert found.found == (2, 0, 0, 1)
    assert found.idle == ["keep .none", "drop //table"]
    assert found.keeps.tolist() == [True, True, False, False]


@pytest.mark.parametrize("selector", ["div[", "", "//p[", "//*[matches(., '[')]", "p::before"])
@pytest.mark.parametrize("name", ["keep", "drop"])
def test_a_broken_selector_is_named(name, selector):
    said = words(**{"keep": [], "drop": []} | {name: [selector]})
    for page in (PAGE, parse("")):
        with pytest.raises(OptionError) as error:
            overrides(page, said)
        assert (error.value.name, error.value.value) == (name, selector)


@given(trees, st.lists(st.sampled_from(("div", "p", "li", "a", "body", "*")), max_size=4))
def test_every_row_has_the_word_of_the_nearest_element_found(tree, selectors):
    page = page_of(tree)
    said = words(selectors[::2], selectors[1::2])
    found = overrides(page, said)
    for row in range(len(page)):
        assert found.decider[row] == decider(page, said, row)


def decider(page, said, row):
    """The slow twin: walk up until a selector finds the element."""
    while row >= 0:
        here = [at for at, word in enumerate(said) if row in word.rows(page)]
        if here:
            return here[-1]
        row = int(page.parent[row])
    return -1
