"""Selectors that would take minutes are refused in one line; usual ones never are."""

import pytest

from pagelet import extract, parse
from pagelet.errors import OptionError
from pagelet.page import selector_cost
from pagelet.page.dom import select
from pagelet.page.selector_cost import XPathCost, check_selector
from tests import hostile
from tests.build import html, page_of
from tests.effort import ends
from tests.places import SITE

WIDE = parse("<p>x</p>" * 2_000)
DEEP = parse("<div>" * 60 + "<p>x</p>" * 2_000)

#: Each takes minutes, or years, on one of the two pages.
EXPENSIVE = [
    ":has(" * 60 + "x" + ")" * 60,
    "p:has(q:not(:HAS(x)))",
    ":nth-child(2n of :nth-child(2n of :nth-child(2n of p)))",
    ":has(:nth-child(1 of p))",
    "p" * 10_001,
    "//*" + "[.//*" * 4 + "]" * 4,
    "//*[following::*[following::*]]",
    "//p[count(preceding-sibling::*)=1]",
    "//p/preceding::*",
    "//*/following::*/following::*",
    "//*[count(//*[count(//*)=1])=1]",
    "(//*)[count((//*)[.//p])=1][count(//*[//p])=1]",
    "//*[. = //*[. = //p]]",
    "|".join(["//p[//p]"] * 900),
]

#: What people write.
USUAL = [
    "article .ad, nav", "div:has(> h1) p:nth-child(2n+1 of .a):not(.b)", "p:has(a):has(b)",
    "//div[contains(@class, 'ad') and not(contains(., 'news'))]", "(//p)[1]", "//*[.//x]",
    "/html/body/div[2]/p", "//h2/following-sibling::p[preceding-sibling::h2[1]='x']",
    "//a[@href and position()<3]/ancestor::div[1]", "//*[preceding::h2]", "//table//tr[td[2]]",
    "//p[preceding-sibling::p[1]]", ".//div[count(.//a) > 3]", "//*[count(//article)=1]",
    "//div[.//h1[.//b] or ../@id='x'] | //section[@class=//body/@class]", "//*[@id='a - b']",
    "//p[string-length(normalize-space(.)) < 10]", "//*[self::h1 or self::h2]//text()",
]  # fmt: skip


@pytest.mark.parametrize("selector", EXPENSIVE)
def test_expensive_selectors_are_refused(selector):
    def select_on_both():
        return select(WIDE, selector), select(DEEP, selector)

    with ends(), pytest.raises(OptionError) as caught:
        select_on_both()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("selector", USUAL)
@pytest.mark.parametrize("page", [WIDE, DEEP], ids=["wide", "deep"])
def test_usual_selectors_are_evaluated(selector, page):
    with ends():
        select(page, selector)


@pytest.mark.parametrize("name", ["nested divs", "list of links", "big table"])
def test_usual_selectors_are_not_refused_on_hostile_pages(name):
    for selector in ("nav", "div.ad > p", "//nav", "//div[@id='x']/p", "//*[contains(@class,'x')]"):
        select(hostile.page(name), selector)


def test_options_and_files_say_which_selector_is_too_expensive(tmp_path):
    page = (SITE / "index.html").read_bytes()
    nested = ":has(" * 60 + "x" + ")" * 60
    with pytest.raises(OptionError, match=r"option keep = ':has.*cannot hold one another"):
        extract(page, keep=(nested,))
    rules = tmp_path / "rules.toml"
    rules.write_text(f'[[rule]]\ndrop = "{nested}"\n')
    with pytest.raises(OptionError, match=r"rules.toml.*drop :has.* is nested: .*cannot hold"):
        extract(page, rules=str(rules))


@pytest.mark.parametrize("selector", ["//*[", "//*]]]", "//*)", "(((", "'", "//*['", "::", "[]()"])
def test_broken_selectors_are_still_told_apart(selector):
    check_selector(WIDE, selector, is_xpath=True)


# -- the estimate -----------------------------------------------------------------------------


def cost(expression: str, page=WIDE) -> float:
    return XPathCost(page, expression).count_steps()


def test_a_hand_worked_page():
    page = page_of(html(("p", "x"), ("p", "y")))
    rows = len(page) + 1
    assert cost("//p", page) == rows + 2  # every row once, from the document
    assert cost("//p[q]", page) > cost("//p", page)


def test_more_conditions_cost_more(monkeypatch):
    monkeypatch.setattr(selector_cost, "MAX_SELECTOR_STEPS", float("inf"))
    nested = ["//*" + "[.//*" * depth + "]" * depth for depth in range(5)]
    costs = [cost(each, DEEP) for each in nested]
    assert costs == sorted(costs)
    assert costs[-1] > 10 * costs[-2] > 100 * costs[-3]
    assert cost("//p[following::x]") > len(WIDE) ** 2 / 3
    assert cost("//p[following-sibling::x[following-sibling::y]]") < 1e8  # there is no x
