"""The default profile: probabilities by role, text ads, size selectors, what belongs to a list."""

from pathlib import Path

import pytest

from pagelet import analyse, detect_clutter, parse
from pagelet.methods.clutter.ads import ad_boxes, size_selectors
from pagelet.methods.clutter.probability import KEPT_ROLES
from pagelet.methods.links.groups import find_groups
from pagelet.methods.links.options import ROLES
from tests.effort import growth

SITE = Path(__file__).parents[3] / "examples" / "site"
PROSE = f"<p>{'Prose that nobody links to, long enough to be read. ' * 12}</p>"
MENU = "".join(f"<li><a href='/{name}'>{name}</a>" for name in ("home", "news", "shop", "about"))
HOME = f"<nav><ul>{MENU}</ul></nav><main><h1>Title</h1>{PROSE}{{}}</main>"
FOOTER = (
    "<footer><p><a href='/privacy'>Privacy policy</a> | <a href='/terms'>Terms of use</a> |"
    " <a href='/imprint'>Imprint</a></p><p>© 2024 Example Ltd</p></footer>"
)


def paths(html, **options):
    return [item.path for item in detect_clutter(parse(html, url="https://a.example/x"), **options)]


def test_every_element_has_a_role_and_a_probability():
    found = detect_clutter(parse(HOME.format("") + FOOTER, url="https://a.example/x"), all=True)
    assert all(0 <= item.score <= 1 for item in found)
    assert {item.role for item in found} <= set(ROLES) - {"mixed", *KEPT_ROLES}


def test_the_answer_is_the_top_most_clutter():
    assert paths(HOME.format("") + FOOTER) == ["/html/body/nav", "/html/body/footer"]


def test_roles_of_menu_and_footer():
    found = detect_clutter(parse(HOME.format("") + FOOTER, url="https://a.example/x"))
    assert [item.role for item in found] == ["menu", "footer"]


def test_a_box_headed_as_advertising_is_found():
    page = parse((SITE / "index.html").read_bytes())
    (box,) = [item for item in detect_clutter(page) if item.role == "ads"]
    assert box.text.startswith("Advertisements")
    assert "its first text is a word for advertising" in [line["text"] for line in box.why]


def test_a_list_of_products_is_what_the_page_is_about():
    product = "<li><div><a href=/p/cup-{0}-blue><img alt=''>Cup {0} oz</a></div><span>$1{0}</span>"
    colours = "<div><a href=/p/cup-{0}?c=1>red</a><a href=/p/cup-{0}?c=2>green</a></div></li>"
    cups = "".join((product + colours).format(size) for size in range(12))
    page = f"<nav><ul>{MENU}</ul></nav><main><h1>Cups</h1><ul>{cups}</ul></main>{FOOTER}"
    assert paths(page) == ["/html/body/nav", "/html/body/footer"]


@pytest.mark.parametrize(
    ("html", "found"),
    [
        pytest.param("<div><h3>Anzeige</h3><p>Buy <a href=//x.y>pots</a></p></div>", 1, id="box"),
        pytest.param("<div><b>Advertisement:</b> Buy pots</div>", 1, id="no block around"),
        pytest.param("<div><p>Text</p><p>Advertisement</p><p>more</p></div>", 0, id="not first"),
        pytest.param("<div><p>Advertisement</p></div>", 0, id="alone"),
        pytest.param(f"<div><p>Ads</p>{PROSE * 3}</div>", 0, id="too long"),
        pytest.param("<div><a href=/ads>Advertising</a> rates</div>", 0, id="a link"),
    ],
)
def test_ad_boxes(html, found):
    assert len(ad_boxes(parse(html))) == found


def test_labels_of_ads_in_a_deep_page_cost_little():
    def pages(size):
        return (parse("<div>" * 40 + "<p>Ad</p>" * size + "</div>" * 40),)

    assert growth(lambda made: ad_boxes(*made), pages, 300) < 15


SIZES = {
    "names": ("S M L XL", "", True),
    "numbers after the word": ("38 40 42 44", "Size", True),
    "numbers alone": ("1 2 3 4", "", False),
    "other words": ("Small talk", "Size", False),
}


@pytest.mark.parametrize(("labels", "lead", "is_selector"), SIZES.values(), ids=SIZES)
def test_size_selectors(labels, lead, is_selector):
    links = "".join(f"<li><a href='?size={label}'>{label}</a>" for label in labels.split())
    page = parse(f"<h1>Coat</h1><p>{lead}</p><ul>{links}</ul>")
    assert size_selectors(find_groups(page)).tolist() == [is_selector]


def test_a_size_selector_is_no_clutter():
    links = "".join(f"<li><a href='?size={size}'>{size}</a>" for size in ("S", "M", "L", "XL"))
    html = HOME.format(f"<div class=product><h2>Size</h2><ul class=sizes>{links}</ul></div>")
    assert paths(html) == ["/html/body/nav"]


def test_the_heading_of_a_list_belongs_to_it():
    items = "".join(f"<li><a href='/2024/story-about-{n}-x'>Story about {n}</a>" for n in range(5))
    html = HOME.format("") + f"<aside><h3>Related articles</h3><ul>{items}</ul></aside>"
    assert paths(html) == ["/html/body/nav", "/html/body/aside"]


def test_reasons_speak_of_the_role():
    page = parse(HOME.format("") + FOOTER, url="https://a.example/x")
    menu = detect_clutter(page)[0]
    assert {"tag_ratio", "text_ratio", "effects"} <= set(menu.reason)
    assert len(menu.reason) == len(list(menu.reason))
    effects = [abs(line["effect"]) for line in menu.why]
    assert effects == sorted(effects, reverse=True)
    form = menu.to_dict()
    assert (form["role"], form["why"][0].keys()) == ("menu", {"text", "effect"})


def test_the_minimum_is_a_probability():
    html = HOME.format("") + FOOTER
    assert paths(html, min_score=1.0) == []
    assert len(paths(html, min_score=0.0)) >= 2


@pytest.mark.parametrize("html", ["", "<p>words</p>", "<a href=/>one</a>", "<body><ul></ul>"])
def test_pages_without_groups(html):
    assert paths(html) == []
    assert all(item.score == 0 or item.links for item in analyse(parse(html), "clutter", all=True))
