"""What the explorer gives away: files and links."""

import io
import json
import re

import pytest
from PIL import Image
from playwright.sync_api import expect

from pagelet import analyse, parse
from pagelet.report.palette import KIND_LOOKS
from tests.server.browsing import HOME


def test_exported_json_is_the_answer(explorer, service):
    shown = explorer().paste(HOME).method("clutter")
    shown.move("min_score", 0.97)
    found, usual = (len(analyse(parse(HOME), "clutter", min_score=each)) for each in (0.97, 0.5))
    assert found != usual  # else the count does not tell when the answer is there
    shown.counts(f"{found} pagelets")
    asked = {"html": HOME, "options": {"min_score": 0.97}}
    answer = service.post("/v1/clutter", asked).json()
    bare = [
        {name: value for name, value in pagelet.items() if name not in ("reason", "why")}
        for pagelet in answer["pagelets"]
    ]
    assert json.loads(shown.file("json").read_text()) == answer | {"pagelets": bare}
    shown.tab.click("#tab-json")
    shown.tab.check("#with-reasons")
    assert json.loads(shown.file("json").read_text()) == answer
    shown.method("all")
    assert list(json.loads(shown.file("json").read_text())["methods"]) == [
        "content",
        "menu",
        "clutter",
    ]


def test_exported_markdown_and_html(explorer, service):
    shown = explorer().paste(HOME).method("content")
    shown.counts("12 of 68 pagelets")
    assert shown.file("markdown").read_text().startswith("# Seed that knows the sea\n")
    asked = {"html": HOME, "format": "html"}
    assert shown.file("html").read_text() == service.post("/v1/content", asked).text
    shown.method("menu")
    assert "- [Home](<index.html>)" in shown.file("markdown").read_text()
    shown.method("all")
    text = shown.file("html").read_text()
    assert "<script" not in text.lower()
    every = [one for name in ("content", "menu", "clutter") for one in analyse(parse(HOME), name)]
    assert len(re.findall("<i style", text)) == len(every)
    places = re.findall(r'<b style="left:(.*?)px;top:(.*?)px', text)
    assert len(set(places)) == len(places) > 1
    assert text.rindex("<i style") < text.index("<b style"), "no outline crosses a label"


def test_exported_png_shows_page_and_outlines(explorer):
    shade, outline = (18, 52, 86), KIND_LOOKS["clutter"].colour
    links = "".join(f"<li><a href=/{n}>link number {n}</a>" for n in range(9))
    style = f"margin:0;background:rgb{shade}"
    odd = "<p \"<odd=1 o:d=2 style='background:rgb(200,10,10);height:40px;margin:0'>\x01&nbsp;"
    html = f"<body style='{style}'>{odd}</p><div><ul style='margin:50px'>{links}</ul></div>"
    shown = explorer().paste(html).method("clutter")
    expect(shown.boxes).to_have_count(1)
    node = shown.frame.locator("body > div").evaluate("div => div.getBoundingClientRect().toJSON()")
    picture = Image.open(io.BytesIO(shown.file("png").read_bytes())).convert("RGB")
    middle = round(node["left"] + node["width"] / 2)
    assert picture.getpixel((20, 20)) == (200, 10, 10), "though XML could not hold its attributes"
    assert picture.getpixel((20, round(node["bottom"]) + 20)) == shade
    near = {
        picture.getpixel((middle, y)) for y in range(round(node["top"]) - 3, round(node["top"]) + 4)
    }
    assert tuple(bytes.fromhex(outline[1:])) in near


def test_a_link_reproduces_the_view(explorer):
    first = explorer().paste(HOME).method("clutter")
    first.tab.select_option("#profile", "paper")
    first.move("text_threshold", 0.9)
    first.counts("9 pagelets")
    first.tab.click("#list li:nth-child(2) button")
    first.tab.click("#link")
    address = first.tab.input_value("#address")
    chosen = first.detail.locator("h2").inner_text(), first.detail.locator(".path").inner_text()
    second = explorer(address[address.index("#") :]).drawn()
    expect(second.tab.locator("#option-text_threshold")).to_have_value("0.9")
    expect(second.tab.locator("#profile")).to_have_value("paper")
    assert second.rows() == first.rows()
    expect(second.detail.locator("h2")).to_have_text(chosen[0])
    expect(second.detail.locator(".path")).to_have_text(chosen[1])


def test_a_large_page_is_not_in_its_link_which_says_so(explorer):
    noise = " ".join(f"{n * 7919 % 100_003:x}{n * 104_729 % 999_983:x}" for n in range(9000))
    first = explorer().paste(f"{HOME}<!-- {noise} -->").method("menu")
    first.counts("1 pagelet")
    first.tab.click("#link")
    expect(first.tab.locator("#linked-note")).to_contain_text("too large for a link")
    address = first.tab.input_value("#address")
    assert len(address) < 300
    second = explorer(address[address.index("#") :])
    expect(second.tab.locator("#absent")).to_contain_text("does not contain the page")
    second.paste(f"{HOME}<!-- {noise} -->").counts("1 pagelet")
    expect(second.tab.locator("#method-menu")).to_have_attribute("aria-selected", "true")


@pytest.mark.parametrize(
    "fragment",
    [
        "#m=evil&p=[1]&o={&c=x:y&w=-1e99&r=menu:/x&z=!!!",
        '#m=menu&o={"menu":{"min_score":"<img src=x onerror=alert(1)>"}}',
        '#p={"menu":"constructor"}&o={"__proto__":{"x":1}}&k=__proto__',
    ],
)
def test_what_a_stranger_wrote_into_a_link_does_no_harm(explorer, fragment):
    shown = explorer(fragment)
    shown.tab.evaluate("document.activeElement.blur()")
    shown.paste(HOME) if "min_score" not in fragment else shown.tab.wait_for_timeout(100)
    assert shown.dialogs == []
