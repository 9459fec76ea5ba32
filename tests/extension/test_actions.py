"""The extension in a real Chromium, asking the real service about the sample site."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page as Tab
from playwright.sync_api import expect

from tests.chromium import wait_until
from tests.extension.driving import ACTIONS, TOKEN, Chromium, Pages, Popup

OVERLAY = "pagelet-overlay"
FOUND = {
    "menu": "Menu: one region.",
    "template": "Template: 3 regions belong to this page only. Compared with 8 pages.",
    "content": "Content: 33 regions.",
    "clutter": "Clutter: 11 regions.",
    "links": "Links: 10 regions.",
    "segments": "Segments: 7 regions.",
}

WORK_POPUP = """async (action) => {
  const found = async (look) => {
    for (let tries = 0; tries < 500; tries++) {
      const known = look(chrome.extension.getViews({ type: "popup" })[0]?.document);
      if (known) return known;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const inside = await found((popup) => popup?.body?.dataset.ready && popup);
  inside.querySelector(`[data-action=${action}]`).click();
  return (await found(() => inside.querySelector("#news.done, #news.problem"))).textContent;
}"""


def overlays(tab: Tab) -> int:
    return tab.locator(OVERLAY).count()


def answer_page(chromium: Chromium, popup: Popup) -> Tab:
    with chromium.context.expect_page() as opened:
        popup.tab.click("#open")
    opened.value.wait_for_selector("#views button")
    return opened.value


def answer_json(opened: Tab) -> dict[str, Any]:
    opened.click("[data-view=json]")
    return json.loads(opened.inner_text("#view pre"))


@pytest.mark.parametrize("action", ACTIONS)
def test_each_action_draws_its_answer_and_opens_it(
    action: str, chromium: Chromium, article: Tab, popup: Popup
) -> None:
    assert popup.press(action) == FOUND[action]
    assert not popup.failed
    assert overlays(article) == 1
    opened = answer_page(chromium, popup)
    answer = answer_json(opened)
    assert answer["method"] == action
    assert answer["url"] == article.url
    assert answer["pagelets"]


def test_the_menu_is_drawn_where_it_is(article: Tab, popup: Popup) -> None:
    """The page sees the overlay's host and nothing in it, so the picture is what is looked at."""
    article.bring_to_front()
    place = article.locator("#main-menu").bounding_box()
    spot = {"x": place["x"], "y": place["y"] + place["height"] / 2, "width": 2, "height": 1}
    before = article.screenshot(clip=spot)
    popup.press("menu")
    article.bring_to_front()
    assert article.screenshot(clip=spot) != before
    article.keyboard.press("Escape")
    assert article.screenshot(clip=spot) == before


def test_the_menu_is_shown_as_lists(chromium: Chromium, popup: Popup) -> None:
    popup.press("menu")
    opened = answer_page(chromium, popup)
    assert opened.locator("#view > ul > li").count() == 7
    assert opened.locator("#view ul ul a").first.inner_text() == "Tomatoes in the fog"


def test_a_template_shows_the_budget_and_the_page_without_it(
    chromium: Chromium, popup: Popup, site: Pages
) -> None:
    del site.requests[:]
    popup.press("template")
    opened = answer_page(chromium, popup)
    assert "8 of at most 8 linked pages" in opened.inner_text("#about")
    opened.click("[data-view=markdown]")
    assert opened.inner_text("#view").startswith("# The west wall is up again")
    opened.click("[data-view=templatePage]")
    template = opened.frame_locator("#view iframe[sandbox='']").locator("body")
    expect(template).to_contain_text("Tomatoes in the fog")
    expect(template).not_to_contain_text("By Tobias Wren")
    assert len(set(site.paths)) == len(site.paths) == 8


def test_linked_pages_are_read_with_the_cookies_of_the_user(
    chromium: Chromium, article: Tab, popup: Popup, site: Pages
) -> None:
    article.evaluate("document.cookie = 'seed=kale; path=/'")
    del site.requests[:]
    popup.press("template")
    cookies = {
        request.headers.get("Cookie") for request in site.requests if ".html" in request.path
    }
    assert cookies == {"seed=kale"}


def test_links_that_may_do_something_are_not_followed(
    chromium: Chromium, site: Pages, service: str
) -> None:
    links = ["/logout", "/account/delete.html", "/cart?add=3", "/file/a.html", "/a.zip", "/?do=x"]
    links += ["/rules.html", "http://elsewhere.invalid/a.html", "javascript:alert(1)", "#top"]
    listed = "".join(f'<a href="{href}">{href}</a>' for href in links)
    tab = chromium.open(site.write("/acting.html", f"<p>Some links</p>{listed}"))
    popup = chromium.popup(tab)
    popup.pair(service, TOKEN)
    del site.requests[:]
    popup.press("template")
    assert site.paths == ["/rules.html"]


@pytest.mark.parametrize("way", ["escape", "button", "popup", "again"])
def test_the_overlay_goes_away_and_the_page_is_as_before(
    way: str, article: Tab, popup: Popup
) -> None:
    before = article.content()
    popup.press("content")
    assert article.content() != before
    if way == "popup":
        popup.tab.click("#clear")
    article.bring_to_front()
    if way == "escape":
        article.keyboard.press("Escape")
    elif way == "button":
        place = article.viewport_size
        article.mouse.click(place["width"] - 50, place["height"] - 34)
    elif way == "again":
        popup.tab.bring_to_front()
        popup.press("menu")
        assert overlays(article) == 1
        article.bring_to_front()
        article.keyboard.press("Escape")
    article.wait_for_function("!document.querySelector('pagelet-overlay')")
    assert article.content() == before


def test_the_button_in_the_page_opens_the_answer(
    chromium: Chromium, article: Tab, popup: Popup
) -> None:
    popup.press("menu")
    article.bring_to_front()
    place = article.viewport_size
    with chromium.context.expect_page() as opened:
        article.mouse.click(place["width"] - 150, place["height"] - 34)
    opened.value.wait_for_selector("#views button")


def test_the_toolbar_button_and_its_popup_on_a_strange_site(
    chromium: Chromium, site: Pages, popup: Popup
) -> None:
    """The press gives leave to look at that one tab; then the popup itself is worked."""
    strange = chromium.open(f"{site.strange}/news/wall-repair.html")
    chromium.press_toolbar(strange)
    assert popup.tab.evaluate(WORK_POPUP, "menu") == FOUND["menu"]
    assert overlays(strange) == 1


def test_without_the_toolbar_button_a_strange_site_is_out_of_bounds(
    chromium: Chromium, site: Pages, service: str
) -> None:
    strange = chromium.open(f"{site.strange}/rules.html")
    strange.bring_to_front()
    ask = "async () => (await chrome.tabs.query({active: true}))[0].id"
    number = chromium.worker.evaluate(ask)
    popup = Popup(chromium.open(f"{chromium.address}/popup.html?tab={number}"))
    popup.tab.wait_for_selector("body[data-ready]")
    popup.pair(service, TOKEN)
    assert popup.press("menu").startswith(
        "The browser does not allow extensions to read this page,"
    )
    assert overlays(strange) == 0


def test_every_tab_can_be_copied_and_saved(
    chromium: Chromium, popup: Popup, service: str, tmp_path: Path
) -> None:
    chromium.context.grant_permissions(["clipboard-read", "clipboard-write"])
    popup.press("content")
    opened = answer_page(chromium, popup)
    endings = {
        "text": "txt",
        "markdown": "md",
        "regionsView": "txt",
        "links": "tsv",
        "json": "json",
    }
    for view, ending in endings.items():
        opened.click(f"[data-view={view}]")
        opened.click("#copy")
        expect(opened.locator("#said")).to_have_text("Copied.")
        copied = opened.evaluate("navigator.clipboard.readText()")
        with opened.expect_download() as coming:
            opened.click("#download")
        assert coming.value.suggested_filename == f"the-west-wall-is-up-again-content.{ending}"
        coming.value.save_as(tmp_path / ending)
        assert (tmp_path / ending).read_text() == copied != ""
    opened.click("[data-view=text]")
    paragraphs = opened.locator("#view > p")
    assert paragraphs.count() > 20
    first, second = (paragraphs.nth(at).bounding_box() for at in (0, 1))
    assert second["y"] - first["y"] - first["height"] > 8


def test_a_file_without_a_title_is_named_by_its_address(chromium: Chromium, popup: Popup) -> None:
    popup.press("menu")
    opened = answer_page(chromium, popup)
    with opened.expect_download() as coming:
        opened.click("#download")
    assert coming.value.suggested_filename == "wall-repair-menu.txt"


@pytest.mark.parametrize("place", ["popup", "answer"])
def test_the_page_opens_in_the_explorer(
    place: str, chromium: Chromium, popup: Popup, service: str
) -> None:
    pressed = popup.tab
    if place == "answer":
        popup.press("links")
        pressed = answer_page(chromium, popup)
    with chromium.context.expect_page() as opened:
        pressed.click("[data-action=explore]" if place == "popup" else "#explore")
    tab = opened.value
    expect(tab.locator("body")).to_contain_text("The west wall is up again")
    assert tab.url.startswith(service)
    assert TOKEN not in tab.url


def test_labels_stand_outside_or_wait_for_the_pointer(article: Tab, popup: Popup) -> None:
    """The overlay is closed to the page; the picture above and in a box is what is looked at."""
    article.bring_to_front()
    menu = article.locator("#main-menu").bounding_box()
    title = article.locator("article h1").bounding_box()
    above = {"x": menu["x"] + 2, "y": menu["y"] - 10, "width": 30, "height": 6}
    heading = {"x": title["x"] + 2, "y": title["y"] - 10, "width": 30, "height": 6}
    before = article.screenshot(clip=above)
    popup.press("menu")
    article.bring_to_front()
    assert article.screenshot(clip=above) != before
    popup.press("content")
    article.bring_to_front()
    article.mouse.move(2, 2)
    plain = article.screenshot(clip=heading)
    article.mouse.move(title["x"] + 20, title["y"] + 5)
    wait_until(lambda: article.screenshot(clip=heading) != plain, "no label at the pointer")
