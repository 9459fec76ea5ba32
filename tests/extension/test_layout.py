"""Where the extension says things are, against what pagelet's own browser says of the same page."""

from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Page as Tab

import pagelet
from pagelet.page.layout import Layout
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER
from pagelet.server.layouts import make_layout
from pagelet.server.requests import DrawnLayout
from pagelet.sources.browser.options import RenderOptions
from pagelet.sources.browser.render import Browser
from tests.extension.driving import SAMPLE, inject

HTML = """<!doctype html><style>
*{margin:0;padding:0} body{font:16px/20px sans-serif} .clip{width:100px;height:40px;overflow:hidden}
.ear{position:absolute;width:1px;height:1px;overflow:hidden}
.cut{position:absolute;clip:rect(0px,0px,0px,0px)}
.box{background:rgb(10,20,30);border:2px solid red;width:50px;height:30px}
.fixed{position:fixed;top:5px;right:0} .far{position:absolute;left:-5000px} .hold{position:relative}
.path{clip-path:inset(50%)} .grad{background-image:linear-gradient(red,blue)}</style>
<body><p>Some words that are long enough to be broken into several lines when the window is narrow,
<b style="color:rgb(1,2,3);font-size:24px">bold ones</b>, and <a href=x>a link</a> at the end.</p>
<p style="display:none">gone</p><p style="visibility:hidden">hidden <i style="visibility:visible">
seen</i></p><div style="opacity:0"><p>clear</p></div><div class=clip><p>in</p><p>in too</p>
<p>out</p><p class=hold><span style="position:absolute">placed in what is clipped</span></p></div>
<div class="clip" id=loose><span style="position:absolute;top:400px">escapes</span></div>
<span class=ear>for the ear</span><span class=cut>cut</span><span class=path>path</span>
<div class=box></div><div class="box fixed"></div><p class=far>far away</p><div class=grad>g</div>
<p dir=rtl>שלום world עולם</p><img width=30 height=20 alt=""><details><summary>more</summary>less
</details><select><option>one</select><div style="height:3000px"></div><p>the end</p>"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    options = RenderOptions(width=1000, height=700, javascript="on", folder=str(SAMPLE))
    with Browser(options) as started:
        yield started


def seen_by_extension(tab: Tab) -> tuple[Page, Layout]:
    inject(tab)
    html, seen = tab.evaluate("""() => {
      const { html, layout } = pagelet.take({ boxes: true });
      return [html, JSON.stringify(layout)]; }""")
    page = pagelet.parse(html)
    layout, placed = make_layout(page, DrawnLayout.model_validate_json(seen))
    assert placed == seen.count('"path"')
    return page, layout


def facts(page: Page, layout: Layout) -> dict[str, tuple[object, ...]]:
    """What is told of each row that is drawn, by its path; lines by number."""
    image = page.is_tag(NUMBER["img"])
    lines = np.bincount(layout.line_row, minlength=len(page))
    return {
        page.path(row): (
            *np.round(layout.edges[row]).astype(int).tolist(),
            bool(layout.inline[row]),
            *layout.background[row].tolist(),
            bool(layout.pictured[row]),
            *layout.border[row].tolist(),
            *(() if image[row] else layout.colour[row].tolist()),
            float(layout.font_size[row]),
            float(layout.font_weight[row]),
            int(lines[row]),
        )
        for row in np.flatnonzero(layout.drawn)
    }


def check(tab: Tab, browser: Browser, source: str | bytes) -> None:
    drawn = browser.render(source)
    page, layout = seen_by_extension(tab)
    expected, actual = facts(drawn.page, drawn.layout), facts(page, layout)
    assert set(expected) == set(actual)
    differ = {
        path: (actual[path], expected[path])
        for path in actual
        if not near(actual[path], expected[path])
    }
    assert differ == {}
    size = (drawn.layout.page_width, drawn.layout.page_height)
    assert np.allclose((layout.page_width, layout.page_height), size, atol=1)


def near(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    return np.allclose(np.array(one, float), np.array(other, float), atol=1)


def test_everything_that_hides_or_clips(tab: Tab, browser: Browser) -> None:
    tab.set_content(HTML)
    check(tab, browser, HTML.encode())


def test_a_page_that_is_scrolled(tab: Tab, browser: Browser) -> None:
    """What is fixed is told as if nothing was scrolled, as everything else is."""
    tab.set_content(HTML)
    tab.evaluate("scrollTo(0, 900)")
    check(tab, browser, HTML.encode())


def test_a_wide_page_from_right_to_left(tab: Tab, browser: Browser) -> None:
    html = (
        "<!doctype html><html dir=rtl><body style='margin:0'><p style='width:1700px'>אב</p><p>ג</p>"
    )
    tab.set_content(html)
    check(tab, browser, html.encode())


@pytest.mark.parametrize("file", ["index.html", "ar/index.html", "shop/paper-packets.html"])
def test_sample_pages(file: str, tab: Tab, browser: Browser) -> None:
    tab.goto((SAMPLE / file).as_uri())
    check(tab, browser, str(SAMPLE / file))


def test_the_order_of_painting(tab: Tab) -> None:
    tab.set_content("""<style>div{width:50px;height:50px;background:red}</style>
      <div id=a style="position:absolute;z-index:1"></div><div id=b></div>
      <div id=c style="position:absolute;z-index:-1"></div><div id=d></div>""")
    inject(tab)
    boxes = tab.evaluate("() => pagelet.take({ boxes: true }).layout.boxes")
    order = [box["path"][-2] for box in boxes if "/div" in box["path"]]
    assert order == ["3", "2", "4", "1"]
