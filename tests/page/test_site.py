"""Sites: registered domains, and how the template of a site weighs content, menu and clutter."""

import numpy as np
import pytest

from pagelet import analyse, extract, parse
from pagelet.methods.template import find_template
from pagelet.methods.template.learned import learn
from pagelet.page.site import (
    REPEATED_LOG_ODDS,
    SLOT_LOG_ODDS,
    TEMPLATE_LOG_ODDS,
    TEMPLATE_MENU_GAIN,
    SharedRows,
    content_log_odds,
    menu_weights,
    registered_domain,
    shared_link_ratio,
)
from pagelet.page.textblocks import text_blocks
from tests.methods.sites import page_of, site_of
from tests.places import SITE

SMALL = parse("<body><div><a href=a>one</a> two</div><p>three four</p><noscript>no</noscript>")
INDEX = SITE / "index.html"
METHODS = ("content", "menu", "clutter")


def shared(page, *names, repeat_ratio=1.0):
    """The rows of elements by name, and all below them, are template."""
    rows = page.inside(np.array([page.name(row) in names for row in range(len(page))]))
    return SharedRows(rows, rows * repeat_ratio)


def all_of(page):
    return SharedRows(page.counted, page.counted * 1.0)


def none_of(page):
    return SharedRows(~page.counted, page.counted * 0.0)


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("https://www.example.org/a", "example.org"),
        ("https://blog.deep.example.org:8080", "example.org"),
        ("https://news.example.com.au/", "example.com.au"),
        ("https://com.au/", "com.au"),
        ("https://go.example.com/", "example.com"),
        ("http://127.0.0.1:80/x", "127.0.0.1"),
        ("http://[::1]/x", "::1"),
        ("http://localhost/", "localhost"),
        ("http://[broken", ""),
        ("no address", ""),
        (None, ""),
    ],
)
def test_registered_domain(url, domain):
    assert registered_domain(url) == domain


def test_blocks_lose_in_the_template_and_gain_in_the_slot():
    blocks = text_blocks(SMALL)
    change = content_log_odds(SMALL, blocks, shared(SMALL, "div"), bare=False)
    assert change.tolist() == [
        REPEATED_LOG_ODDS,
        SLOT_LOG_ODDS,
        0.0,
    ]  # what is not counted is in neither


def test_half_of_a_block_counts_half():
    change = content_log_odds(SMALL, text_blocks(SMALL), shared(SMALL, "a"), bare=False)
    assert change[0] == pytest.approx((SLOT_LOG_ODDS + REPEATED_LOG_ODDS) / 2)


def test_words_that_no_page_has_lose_little():
    template = shared(SMALL, "div", repeat_ratio=0.25)
    change = content_log_odds(SMALL, text_blocks(SMALL), template, bare=False)
    assert change[0] == pytest.approx(REPEATED_LOG_ODDS / 4 + TEMPLATE_LOG_ODDS * 3 / 4)


def test_nothing_is_gained_where_the_bare_body_is_wanted():
    change = content_log_odds(SMALL, text_blocks(SMALL), shared(SMALL, "div"), bare=True)
    assert change.tolist() == [REPEATED_LOG_ODDS, 0.0, 0.0]


def test_a_menu_counts_as_far_as_it_lies_in_the_template():
    rows = np.array([SMALL.row("/html/body/div"), SMALL.row("/html/body/p")])
    factor, lift = menu_weights(SMALL, rows, shared(SMALL, "div"))
    assert (factor.tolist(), lift) == ([1.0, 0.0], TEMPLATE_MENU_GAIN)
    assert menu_weights(SMALL, rows, shared(SMALL, "a"))[0].tolist() == [0.5, 0.0]


def test_the_share_of_links():
    rows = np.array([SMALL.row("/html/body/div"), SMALL.row("/html/body/p")])
    np.testing.assert_array_equal(shared_link_ratio(SMALL, rows, shared(SMALL, "a")), [1, np.nan])
    np.testing.assert_array_equal(shared_link_ratio(SMALL, rows, shared(SMALL, "p")), [0, np.nan])


def test_without_a_template_nothing_changes():
    rows = np.arange(len(SMALL))
    assert content_log_odds(SMALL, text_blocks(SMALL), None, bare=False) == 0.0
    assert menu_weights(SMALL, rows, None) == (1.0, 0.0)
    assert np.isnan(shared_link_ratio(SMALL, rows, None)).all()


@pytest.mark.parametrize("method", METHODS)
def test_an_answer_without_a_template_is_the_same_with_other_options(method):
    page = page_of("news/one")
    alone = analyse(page, method, explain=True) if method == "content" else analyse(page, method)
    more = {"explain": True} if method == "content" else {}
    assert analyse(page, method, template="", **more).to_json() == alone.to_json()


# -- a page that needs it ---------------------------------------------------------------------

SHORT = "<p>Closed today.</p>"
NOTE = "<p>" + "We are a small shop by the sea and sell tea, jam and rope to all who come. " * 6


def shop(name, text):
    """A page whose long note stands on every page, with little of its own."""
    return parse(
        f"<title>{name}</title><body><div class=a>{NOTE}</div><div class=b><h2>{name}</h2>{text}"
        f"<p>{name} and {name[::-1]} again, in {len(name)} words more for the reader.</div>"
        f"<div class=c><a href=/{name}>x</a> <a href=/rope>y</a></div>",
        url=f"https://shop.example/{name}",
    )


SHOP = [shop(name, SHORT) for name in ("tea", "jams", "ropes", "sundry")]


def test_content_leaves_the_note_of_every_page_out():
    page, others = SHOP[0], SHOP[1:]
    assert "by the sea" in extract(page)
    assert "by the sea" not in extract(page, site=others)
    assert "tea and aet again" in extract(page, site=others)


def test_a_learned_template_does_it_too(tmp_path):
    (tmp_path / "t.json").write_text(learn(SHOP[1:]).to_json())
    learned = str(tmp_path / "t.json")
    assert "by the sea" not in extract(SHOP[0], template=learned)
    assert analyse(SHOP[0], "content", template=learned).extra["text"] == extract(
        SHOP[0], template=learned
    )


def test_shared_rows_may_be_given_as_they_are():
    template = find_template(SHOP[0], site=SHOP[1:]).to_shared()
    assert template is not None
    given = analyse(SHOP[0], "content", template=template).to_json()
    assert given == analyse(SHOP[0], "content", site=SHOP[1:]).to_json()


def test_a_guess_is_no_template():
    assert find_template(SHOP[0], site=[parse("<b>another</b>")]).to_shared() is None
    assert find_template(SHOP[0]).to_shared() is None


def test_the_template_weighs_menus_where_it_has_one():
    page = parse(INDEX.read_bytes())
    alone = analyse(page, "menu")
    assert alone[0].path == "/html/body/nav/ul"
    weighed = analyse(page, "menu", template=all_of(page))
    assert weighed[0].score == pytest.approx(min(alone[0].score + TEMPLATE_MENU_GAIN, 1))
    unrepeated = analyse(page, "menu", template=none_of(page))
    assert (unrepeated[0].path, unrepeated[0].score) == (alone[0].path, alone[0].score)


def test_a_list_in_the_slot_gives_way_to_one_in_the_template():
    lists = [
        "".join(f"<li><a href=/{name}{at}>{name} {at}</a>" for at in range(6))
        for name in ("Part", "Topic")
    ]
    prose = "<p>" + "Words of a text. " * 30
    page = parse(f"<nav class=menu><ul>{lists[0]}</ul></nav><ul>{lists[1]}</ul>{prose}")
    best = analyse(page, "menu")[0]
    assert best.path == "/html/body/nav"
    shared = page.counted.copy()
    shared[best.rows[0] : page.end[best.rows[0]]] = False
    found = analyse(page, "menu", template=SharedRows(shared, shared * 1.0))
    assert [item.path for item in found] == ["/html/body/ul"]


def test_clutter_outside_the_template_needs_more():
    page = page_of("shop/tea")
    whole = analyse(page, "clutter", template=all_of(page), all=True)
    none = analyse(page, "clutter", template=none_of(page), all=True)
    assert {item.reason["repeated"] for item in whole if "repeated" in item.reason} == {1.0}
    assert sum(item.score for item in none) <= sum(item.score for item in whole)


def test_the_option_of_the_method_itself(tmp_path):
    (tmp_path / "t.json").write_text(learn(site_of()).to_json())
    result = analyse(page_of("brand/new"), "template", template=str(tmp_path / "t.json"))
    assert result.extra["template"]["fits"] is True
