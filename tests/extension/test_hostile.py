"""Pages that would like to break the extension, to read the token or to fool the user."""

import json

import pytest
from playwright.sync_api import Page as Tab

from tests.extension.driving import ACTIONS, KEEP, TOKEN, Chromium, Pages, Popup

POLICY = (
    "default-src 'none'; script-src 'nonce-x'; style-src 'nonce-x'; connect-src 'none';"
    " require-trusted-types-for 'script'; trusted-types none; frame-ancestors 'none'"
)
MENU = "".join(f'<li><a href="/hostile-{n}.html">Part {n} of it</a></li>' for n in range(1, 7))
TEXT = "<p>The text of the page, which is long enough to be taken for what it is about. " * 6
LAYOUT = """<!doctype html><title>Hostile</title>{head}<body><nav><ul id="nav">{menu}</ul></nav>
<main><h1>Page {number}</h1>{text}</main>{traps}"""

#: Everything that a script could get in the way with, and an ear at everything it could hear.
SCRIPT = """
window.heard = "";
const hear = (what) => { try { heard += String(what) + "\\n"; } catch {} };
const trap = (owner, name) => {
  try { Object.defineProperty(owner, name, {
    get() { hear(name); throw new Error(name); }, set(value) { hear(value); } });
  } catch {}
};
for (const name of ["fetch", "XMLHttpRequest", "DOMParser", "XPathEvaluator", "Range",
  "getComputedStyle", "OffscreenCanvas",
  "pagelet", "chrome", "browser", "requestAnimationFrame", "AbortSignal", "URL"])
  trap(window, name);
JSON.stringify = (value) => { hear(Object.keys(value ?? {})); throw new Error("stringify"); };
JSON.parse = (text) => { hear(text); throw new Error("parse"); };
Document.prototype.evaluate = () => { throw new Error("evaluate"); };
for (const [owner, name] of [[Node.prototype, "firstChild"], [Node.prototype, "nodeType"],
  [Node.prototype, "nextSibling"], [Element.prototype, "attachShadow"],
  [Element.prototype, "append"], [Document.prototype, "createElement"],
  [Document.prototype, "documentElement"],
  [Element.prototype, "getBoundingClientRect"], [Object.prototype, "shadows"]]) trap(owner, name);
addEventListener("message", (event) => hear(event.data), true);
new MutationObserver((changes) => {
  for (let at = 0; at < changes.length; at++) {
    const { addedNodes } = changes[at];
    for (let n = 0; n < addedNodes.length; n++) {
      hear(addedNodes[n].outerHTML);
      hear(addedNodes[n].shadowRoot);
    }
  }
}).observe(document, { childList: true, subtree: true });
const owners = [Object, Array, Function, Promise, String];
Array.prototype.map = function () { hear(this); throw new Error("map"); };
Array.prototype[Symbol.iterator] = function () { throw new Error("iterator"); };
for (let at = 0; at < owners.length; at++) {
  Object.freeze(owners[at].prototype);
  Object.freeze(owners[at]);
}
hear("armed");
"""
STYLE = """pagelet-overlay, pagelet-overlay * { display: none !important; opacity: 0 !important;
  transform: scale(0) !important; position: static !important; z-index: -1 !important; }
* { all: unset !important; }"""
TRAPS = """<form><input name="firstChild"><input name="attributes"><input name="nodeType"></form>
<img name="createElement"><img name="documentElement"><form name="evaluate"></form>
<form id="scrollingElement" name="scrollingElement"></form><img name="querySelectorAll">
<form name="contentType"></form><form name="URL"></form><img name="location">"""


@pytest.fixture(scope="module")
def hostile(site: Pages) -> str:
    head = f'<style nonce="x">{STYLE}</style><script nonce="x">{SCRIPT}</script>'
    for number in range(7):
        html = LAYOUT.format(
            head=head, menu=MENU, number=number, text=TEXT * (number + 1), traps=TRAPS
        )
        site.write(f"/hostile-{number}.html", html, Content_Security_Policy=POLICY)
    return f"{site.url}/hostile-0.html"


@pytest.fixture
def victim(chromium: Chromium, hostile: str) -> Tab:
    return chromium.open(hostile)


@pytest.fixture
def armed(chromium: Chromium, victim: Tab, service: str) -> Popup:
    opened = chromium.popup(victim)
    opened.tab.evaluate(KEEP, {"address": service, "token": TOKEN})
    return opened


def all_heard(tab: Tab) -> str:
    """Asked of the browser itself: the page breaks the usual way, too."""
    session = tab.context.new_cdp_session(tab)
    return str(session.send("Runtime.evaluate", {"expression": "heard"})["result"]["value"])


@pytest.mark.parametrize("action", ACTIONS)
def test_every_action_works_and_the_token_is_not_heard(
    action: str, victim: Tab, armed: Popup
) -> None:
    said = armed.press(action)
    assert not armed.failed, said
    heard = all_heard(victim)
    assert heard.startswith("armed")
    assert "pagelet-overlay" in heard  # it does hear of what it can see
    assert TOKEN not in heard
    assert "ShadowRoot" not in heard


def test_styles_of_the_page_do_not_hide_the_overlay(victim: Tab, armed: Popup) -> None:
    victim.bring_to_front()
    place = victim.viewport_size
    bar = {"x": place["width"] - 60, "y": place["height"] - 40, "width": 40, "height": 20}
    before = victim.screenshot(clip=bar)
    armed.press("menu")
    victim.bring_to_front()
    assert victim.screenshot(clip=bar) != before
    victim.keyboard.press("Escape")
    assert victim.screenshot(clip=bar) == before


def test_a_page_cannot_reach_the_extension(chromium: Chromium, article: Tab, popup: Popup) -> None:
    """No file of it can be fetched or framed by a page, so no page can tell that it is there."""
    tried = article.evaluate(
        """async (base) => Promise.all(["manifest.json", "popup.html", "answer.html", "store.js",
          "icons/16.png", "page/overlay.js"].map((name) =>
            fetch(`${base}/${name}`).then(() => "got it", () => "refused")))""",
        chromium.address,
    )
    assert set(tried) == {"refused"}


def test_a_page_cannot_press_the_buttons(article: Tab, popup: Popup, chromium: Chromium) -> None:
    popup.press("menu")
    tabs = len(chromium.context.pages)
    article.evaluate("""() => {
      const host = document.querySelector("pagelet-overlay");
      for (const name of ["click", "pointerdown", "mouseup"])
        host.dispatchEvent(new MouseEvent(name, { bubbles: true, composed: true }));
      dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" })); }""")
    assert article.locator("pagelet-overlay").count() == 1
    assert len(chromium.context.pages) == tabs


def test_an_answer_is_shown_as_text(chromium: Chromium, popup: Popup) -> None:
    """An answer that holds markup and addresses of scripts, as a hostile page would want."""
    bad = {"text": "<img src=x onerror=alert(1)>", "href": "javascript:alert(1)"}
    item = {"kind": "menu", "path": "/html", "score": 1, "text": bad["text"], "links": [bad]}
    item["reason"] = {}
    answer = {"method": "menu", "url": "javascript:alert(2)", "title": "<b>t", "pagelets": [item]}
    answer["tree"] = [bad | {"children": [bad | {"children": []}]}]
    name = popup.tab.evaluate(
        "answer => import('./store.js').then(s => s.saveAnswer(answer))", answer
    )
    opened = chromium.open(f"{chromium.address}/answer.html?answer={name}")
    opened.wait_for_selector("#views button")
    for view in opened.locator("#views button").all():
        view.click()
        assert opened.locator("#view img, #view script, #view b").count() == 0
        assert opened.locator("a[href^=javascript]").count() == 0
    assert json.loads(opened.inner_text("#view pre"))["tree"] == answer["tree"]
    assert opened.inner_text("#title") == "<b>t"


def test_the_token_is_in_no_store_that_pages_share(popup: Popup, chromium: Chromium) -> None:
    assert chromium.worker.evaluate("() => typeof chrome.storage") == "undefined"
    assert popup.tab.evaluate("() => Object.keys(localStorage).length") == 0
