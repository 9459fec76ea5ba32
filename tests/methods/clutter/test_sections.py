"""Similar sections of other pages, and what clutter detection makes of them."""

import numpy as np
import pytest

from pagelet import ClutterOptions, detect_clutter, parse
from pagelet.methods.clutter.blocks import find_blocks
from pagelet.methods.clutter.sections import block_name, repeated_links

NAV = "<div id=nav><a href='/a'>A</a> <a href='/b'>B</a></div>"


def page_with(*links, pictures=""):
    items = "".join(f"<a href='/{link}'>{link}</a> " for link in links)
    return parse(f"{NAV}<div id=list>{items}</div><div id=pics>{pictures}</div><p>Some words</p>")


def test_links_that_stay_and_links_that_change():
    page = page_with("x", "y")
    site = [page_with("x", "z"), page_with("q")]
    links, pictures = repeated_links(page, site, find_blocks(page))
    assert links.tolist() == [1, 1, 0.5, 0]
    assert np.isnan(pictures).all()


def test_a_section_no_other_page_has_is_unknown():
    page = parse("<div id=only><a href=1>1</a></div>")
    links, _ = repeated_links(page, [page_with("x")], find_blocks(page))
    assert np.isnan(links).all()


def test_pictures_are_compared_by_their_size():
    def banner(size):
        return f"<a href='/{size}'><img src=x.png width={size} height=60></a>"

    page = page_with(pictures=banner(120) + banner(300))
    _, pictures = repeated_links(page, [page_with(pictures=banner(120))], find_blocks(page))
    assert pictures[-2:].tolist() == [1, 0]


@pytest.mark.parametrize(
    ("attributes", "name"),
    [
        pytest.param({"id": "post-17"}, "post-", id="counter"),
        pytest.param({"class": "b a active"}, "a b", id="state and order"),
        pytest.param({}, "", id="nothing"),
    ],
)
def test_block_names(attributes, name):
    assert block_name(attributes) == name


def test_with_a_site_changing_links_must_be_purer():
    options = ClutterOptions(text_threshold=0.6, site_weight=1.0)
    mixed = "<div id=list><a href='/{0}'>{0}{0}{0}</a> word <a href='/{1}'>{1}{1}{1}</a></div>"
    rest = f"<p>{'Prose. ' * 30}</p>"
    page = parse(mixed.format("xx", "yy") + rest)
    same = [parse(mixed.format("xx", "yy") + rest)]
    other = [parse(mixed.format("qq", "rr") + rest)]
    assert [item.path for item in detect_clutter(page, options=options, site=same)] == [
        "/html/body/div"
    ]
    assert not detect_clutter(page, options=options, site=other)


def test_with_a_site_repeated_pictures_count_as_links():
    size = "width=9 height=9"
    picture = (
        f"<div id=ads><a href='/1'><img alt='Buy' {size}></a><a href='/2'><img {size}></a></div>"
    )
    rest = f"<p>{'Prose. ' * 30}</p>"
    page = parse(picture + rest)
    assert not detect_clutter(page, profile="paper")
    found = detect_clutter(page, profile="paper", site=[page])
    assert [item.path for item in found] == ["/html/body/div"]
