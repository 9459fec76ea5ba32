"""Names of what is not shown at first: whole words of class and id, never the whole page."""

import pytest

from pagelet.methods.noise.sheet import TextSheet
from pagelet.methods.noise.veils import VEIL
from pagelet.page.html import parse


@pytest.mark.parametrize(
    "name",
    ["modal", "modal fade", "cart-modal", "cart_modal", "cartModal", "js-tooltip", "sr-only",
     "visuallyHidden visually-hidden", "screen-reader-text", "popover popover_gr", "menu dropdown",
     "a11y offscreen", "drop-down-menu", "row hidden", "expando collapsed", "d-none"],
)  # fmt: skip
def test_names_that_hide(name):
    assert VEIL.search(name)


@pytest.mark.parametrize(
    "name",
    ["multimodality", "dialogue", "overlays2d",
     "accessibility", "menu", "hidden-gem", "lazy", "on-screen",
     "card", "hidden-xs", "hide-for-small", "uncollapsed", "popular", "modals", "blinds"],
)  # fmt: skip
def test_names_that_do_not(name):
    assert not VEIL.search(name)


def veiled(html):
    sheet = TextSheet(parse(html))
    marks = zip(sheet.unit_texts, sheet.veiled.tolist(), strict=True)
    return [text for text, each in marks if each]


def test_what_lies_below_a_veil_is_veiled():
    rows = "<p>one of many long lines of text</p>" * 6
    page = f"<body>{rows}<div class=card-overlay><b>pre-ordered</b> soon</div><p>last</p>"
    assert veiled(page) == ["soon", "pre-ordered"]


def test_a_control_that_unfolds_is_one():
    page = "<body><p>one of many long lines of text</p><button aria-expanded=false>Add</button>"
    assert veiled(page + "<a aria-expanded=true>Less</a>") == ["add"]


def test_a_wrapper_of_most_of_the_page_is_no_veil():
    assert not veiled("<body><div id=overlay><p>all there is</p><p>more</p></div><p>x</p>")


def test_body_is_no_veil():
    assert not veiled("<body class=modal><p>all</p><p>more</p><p>more</p><p>more</p>")
