"""The popup and the answers, looked at by axe-core in light and dark, wide and narrow."""

import pytest

from tests.barriers import check_schemes
from tests.extension.driving import ACTIONS, TOKEN, Chromium, Popup


def test_the_popup(popup: Popup, service: str) -> None:
    popup.tab.locator("#settings").evaluate("settings => { settings.open = true; }")
    check_schemes(popup.tab)
    assert popup.pair(service, "another-token-altogether").startswith(
        "The service rejected this token."
    )
    check_schemes(popup.tab)
    popup.pair(service, TOKEN)
    popup.press("menu")
    check_schemes(popup.tab)
    popup.tab.locator("#allow").evaluate("button => { button.hidden = false; }")
    check_schemes(popup.tab)


@pytest.mark.parametrize("action", [each for each in ACTIONS if each != "clutter"])
def test_every_view_of_an_answer(action: str, chromium: Chromium, popup: Popup) -> None:
    """Clutter has the views of links."""
    popup.press(action)
    with chromium.context.expect_page() as opened:
        popup.tab.click("#open")
    tab = opened.value
    tab.wait_for_selector("#views button")
    for view in tab.locator("#views button").all():
        view.click()
        check_schemes(tab)
        assert "0" not in tab.inner_text("main").splitlines()  # no count or score of nothing
    tab.set_viewport_size({"width": 390, "height": 700})
    check_schemes(tab)


def test_an_answer_that_is_gone(chromium: Chromium) -> None:
    tab = chromium.open(f"{chromium.address}/answer.html?answer=none")
    tab.wait_for_selector("#title:not(:empty)")
    check_schemes(tab)
    assert tab.locator("#answer").is_hidden()


def test_the_tabs_of_an_answer_by_keys(chromium: Chromium, popup: Popup) -> None:
    popup.press("content")
    with chromium.context.expect_page() as opened:
        popup.tab.click("#open")
    tab = opened.value
    tab.wait_for_selector("#views button")
    tab.locator("#views button").first.focus()
    tab.keyboard.press("ArrowLeft")
    assert tab.get_by_role("tab", selected=True).inner_text() == "JSON"
    assert tab.get_by_role("tabpanel", name="JSON").is_visible()
    tab.keyboard.press("ArrowRight")
    assert tab.get_by_role("tabpanel", name="Text").is_visible()
