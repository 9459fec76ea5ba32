"""Pages drawn by Chromium: where things are, what they look like, which rows they are."""

import base64
import io
from dataclasses import fields, replace

import numpy as np
import pytest
from PIL import Image

from pagelet import parse
from pagelet.errors import OptionError, PageError, Unreachable
from pagelet.page.builder import PageBuilder
from pagelet.page.tags import NUMBER, TEXT
from pagelet.sources.browser.render import RenderOptions, render
from tests.places import SITE
from tests.sources.drawing import OPTIONS, is_drawn, page, place, png

SCRIPTED = replace(OPTIONS, javascript="on")


def box(left: int, top: int, width: int, height: int, more: str = "") -> str:
    where = f"left:{left}px;top:{top}px;width:{width}px;height:{height}px"
    return f"style='position:absolute;{where};{more}'"


# -- places and looks ---------------------------------------------------------------------------


def test_places_of_boxes(browser):
    inner = f"<div {box(5, 6, 20, 30)}></div>"
    drawn = browser.render(page(f"<div {box(100, 50, 200, 300)}>{inner}</div>"))
    assert place(drawn, "/html/body/div") == (100, 50, 300, 350)
    assert place(drawn, "/html/body/div/div") == (105, 56, 125, 86)
    assert (drawn.layout.page_width, drawn.layout.page_height) == (800, 600)


def test_places_count_from_the_top_of_the_page_wherever_it_is_scrolled_to(browser):
    head = f"<p {box(0, 5, 50, 20).replace('absolute', 'fixed')}>head</p>"
    drawn = browser.render(page(f"{head}<input autofocus {box(0, 2000, 50, 20)}>"))
    assert place(drawn, "/html/body/input") == (0, 2000, 50, 2020)
    assert place(drawn, "/html/body/p") == (0, 5, 50, 25)
    assert drawn.layout.page_height == 2020


def test_looks_of_a_box(browser):
    style = "background:rgba(10,20,30,.5);border-left:3px solid red;border-top:4px solid #0000"
    drawn = browser.render(
        page(
            f"<div {box(0, 0, 9, 9, style)}></div><p>x",
            "p{color:#123456;background:#fed;border:1px solid}",
        )
    )
    layout, row = drawn.layout, drawn.page.row("/html/body/div")
    assert layout.background[row].tolist() == [10, 20, 30, 128]
    assert layout.border[row].tolist() == [3, 0, 0, 0]
    assert not (layout.inline | layout.pictured)[row]
    text = drawn.page.row("/html/body/p/text()[1]")
    assert layout.colour[text].tolist() == [0x12, 0x34, 0x56]
    assert layout.background[text - 1].tolist() == [0xFF, 0xEE, 0xDD, 0xFF]
    assert layout.background[text].tolist() == layout.border[text].tolist() == [0, 0, 0, 0]
    assert (layout.font_size[text], layout.font_weight[text]) == (16, 400)


def test_inline_bold_and_pictured(browser):
    drawn = browser.render(page("<p>a <b>b</b></p>", "b{font-weight:700} p{background:url(x)}"))
    bold, paragraph = drawn.page.row("/html/body/p/b"), drawn.page.row("/html/body/p")
    assert drawn.layout.inline[[bold, paragraph]].tolist() == [True, False]
    assert drawn.layout.font_weight[bold + 1] == 700
    assert drawn.layout.pictured[[bold, paragraph]].tolist() == [False, True]


def test_what_lies_above_is_painted_later(browser):
    drawn = browser.render(
        page(f"<i {box(0, 0, 9, 9, 'z-index:2')}></i><u {box(0, 0, 9, 9, 'z-index:1')}></u>")
    )
    first, second = drawn.page.row("/html/body/i"), drawn.page.row("/html/body/u")
    assert drawn.layout.paint[first] > drawn.layout.paint[second]


def test_lines_of_a_text(browser):
    drawn = browser.render(page("<p style='width:9ch'>one two three <b>x</b></p>", "p{}"))
    layout, text = drawn.layout, drawn.page.row("/html/body/p/text()[1]")
    mine = layout.line_row == text
    assert layout.line_chars[mine].tolist() == [7, 5]
    first, second = layout.line_edges[mine]
    assert first[1] < first[3] <= second[1] + 1
    reach = (*np.min([first, second], 0)[:2], *np.max([first, second], 0)[2:])
    assert tuple(layout.edges[text]) == reach


def test_signs_beyond_the_first_plane_are_one_character(browser):
    drawn = browser.render(page("<p style='width:1px'>😀 bcd</p><p>😀😀 a</p>"))
    assert drawn.layout.line_chars.tolist() == [1, 3, 4]


def test_a_line_that_runs_both_ways_is_one(browser):
    drawn = browser.render(page("<p dir=rtl>שלום abc שלום</p>"))
    assert drawn.layout.line_chars.tolist() == [13]
    assert drawn.layout.line_right.tolist() == [800]


def test_a_page_from_right_to_left_begins_at_its_left_edge(browser):
    body = "<div style='width:2000px;height:20px;background:red'></div><p>x</p>"
    source = page(body).replace(b"<style>", b"<html dir=rtl><style>")
    drawn = browser.render(source, replace(OPTIONS, picture=True))
    assert place(drawn, "/html/body/div") == (0, 0, 2000, 20)
    assert place(drawn, "/html/body/p") == (1200, 20, 2000, 40)
    seen = Image.open(io.BytesIO(drawn.picture)).convert("RGB")
    assert seen.size == (2000, 600)
    assert [seen.getpixel((x, 10)) for x in (1, 1999)] == [(255, 0, 0)] * 2


# -- what is seen -------------------------------------------------------------------------------

EAR_ONLY = "position:absolute;width:1px;height:1px;overflow:hidden"


@pytest.mark.parametrize(
    ("style", "seen"),
    [
        ("", True),
        ("display:none", False),
        ("visibility:hidden", False),
        ("opacity:0", False),
        ("opacity:.01", True),
        (EAR_ONLY, False),
        ("position:absolute;clip:rect(0,0,0,0)", False),
        ("position:absolute;clip-path:inset(50%)", False),
        ("position:absolute;left:-9999px", False),
        ("text-indent:-9999px;overflow:hidden", False),
        ("height:0;overflow:hidden", False),
        ("height:0", True),
        ("content-visibility:hidden", False),
        ("content-visibility:auto;margin-top:9000px", True),
    ],
)
def test_text_is_seen_or_not(browser, style, seen):
    drawn = browser.render(page(f"<div style='{style}'><p>some words</p></div>"))
    text = "/html/body/div/p/text()[1]"
    assert is_drawn(drawn, text) == seen
    assert (drawn.page.row(text) in drawn.layout.line_row) == seen
    assert (place(drawn, text) == (0, 0, 0, 0)) == (not seen)


def test_visible_inside_hidden_is_seen(browser):
    inner = "<p>a</p><p style='visibility:visible'>b</p>"
    drawn = browser.render(page(f"<div style='visibility:hidden'>{inner}</div>"))
    texts = ("/html/body/div/p[1]/text()[1]", "/html/body/div/p[2]/text()[1]")
    assert [is_drawn(drawn, text) for text in texts] == [False, True]


def test_clipping_holds_for_what_is_placed_inside_only(browser):
    out = f"<p {box(0, 300, 50, 20)}>x</p>"
    clipped = "height:20px;overflow:hidden"
    free, held, fixed = (
        f"<div style='{clipped}'>{out}</div>",
        f"<div style='{clipped};position:relative'>{out}</div>",
        f"<div style='{clipped};position:relative'>{out.replace('absolute', 'fixed')}</div>",
    )
    drawn = browser.render(page(free + held + fixed))
    paths = [f"/html/body/div[{number}]/p" for number in (1, 2, 3)]
    assert [is_drawn(drawn, path) for path in paths] == [True, False, True]


@pytest.mark.parametrize("holder", ["html", "body"])
def test_what_a_page_cuts_off_at_its_side(browser, holder):
    body = f"<p {box(900, 0, 50, 20)}>x</p><div style='height:1980px'></div><p>low</p>"
    drawn = browser.render(page(body, holder + "{overflow-x:hidden} body{height:9px}"))
    assert [is_drawn(drawn, f"/html/body/p[{number}]") for number in (1, 2)] == [False, True]
    assert (drawn.layout.page_width, drawn.layout.page_height) == (800, 2000)


def test_a_closed_list_and_a_closed_disclosure_show_their_heads_only(browser):
    body = "<select><option>a</select><details><summary>s</summary><p>in</p></details>"
    drawn = browser.render(page(body))
    seen = [drawn.page.texts[drawn.page.ordinal[row]] for row in drawn.layout.line_row]
    assert seen == ["s"]


# -- rows ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["index.html", "news/wall-repair.html", "ar/index.html"])
def test_rows_of_the_source_are_kept(browser, name):
    options = replace(OPTIONS, folder=str(SITE))
    drawn, source = browser.render(SITE / name, options), parse((SITE / name).read_bytes())
    assert np.array_equal(drawn.page.tag, source.tag)
    assert np.array_equal(drawn.page.parent, source.parent)
    assert drawn.page.texts == source.texts
    assert drawn.notes == ()
    widths = drawn.layout.right - drawn.layout.left
    assert widths[drawn.layout.drawn].min() > 0


def test_a_page_that_is_given_comes_back(browser):
    given = parse("<p>a<template><b>t</b></template><p>b", url="https://example.org/x")
    drawn = browser.render(given)
    assert drawn.page is given
    assert is_drawn(drawn, "/html/body/p[2]")


ODD = """<p id=a>one</p><script>
const make = name => document.createElement(name), body = document.body
const outer = make("a"), inner = make("a"), table = make("table"), row = make("tr")
outer.href = inner.href = "/x"
outer.append("out", inner); inner.append("in"); body.append(outer)
row.append(make("td")); row.firstChild.append("cell"); table.append(row); body.append(table)
const p = make("p"); p.append("half", " whole"); p.append(make("p")); body.append(p)
p.lastChild.append("nested")
const pre = make("pre"); pre.append("\\nline"); body.append(pre)
const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg")
svg.innerHTML = "<title>a &lt; b</title><style>a{}</style><foreignObject width=90 height=20>" +
  "<p xmlns='http://www.w3.org/1999/xhtml'>in svg</p></foreignObject>"
body.append(svg)
document.getElementById("a").setAttribute("title", '"<&')
</script><noscript><b>unseen &amp; unheard</b></noscript>"""


def test_rows_of_what_a_script_made(browser):
    drawn = browser.render(page(ODD), SCRIPTED)
    rows = set(drawn.layout.line_row.tolist())
    seen = {drawn.page.texts[drawn.page.ordinal[row]].strip() for row in rows}
    assert seen == {"one", "out", "in", "cell", "half whole", "nested", "line", "in svg"}
    assert drawn.page.attribute("title")[drawn.page.row("/html/body/p[1]")] == '"<&'
    assert "unseen & unheard" in drawn.page.texts
    for tag in ("a", "td", "svg", "pre"):
        assert drawn.layout.drawn[drawn.page.tag == NUMBER[tag]].any()
    again = parse(drawn.page.source or "")
    assert np.array_equal(again.tag, drawn.page.tag)


def test_lines_lie_in_the_rows_they_are_of(browser):
    drawn = browser.render(page(ODD), SCRIPTED)
    layout, row = drawn.layout, drawn.layout.line_row
    assert (drawn.page.tag[row] == TEXT).all()
    assert (layout.edges[row, :2] <= layout.line_edges[:, :2]).all()
    assert (layout.edges[row, 2:] >= layout.line_edges[:, 2:]).all()


def test_a_shadow_tree_is_where_it_is_seen(browser):
    body = "<div id=h><i>light</i></div>" + (
        "<script>document.getElementById('h').attachShadow({mode: 'open'}).innerHTML = "
        "'<b>before</b><slot></slot><b>after</b>'</script>"
    )
    drawn = browser.render(page(body), SCRIPTED)
    seen = [drawn.page.texts[drawn.page.ordinal[row]] for row in drawn.layout.line_row]
    assert seen == ["before", "light", "after"]


def test_scripts_run_only_when_told(browser):
    source = page("<script>document.write('<p>written</p>')</script><noscript>quiet</noscript>")
    assert is_drawn(browser.render(source), "/html/body/noscript/text()[1]")
    assert is_drawn(browser.render(source, SCRIPTED), "/html/body/p/text()[1]")


def test_position_that_contradicts_the_document(browser):
    drawn = browser.render(page(f"<p {box(0, 500, 9, 9)}>last</p><p {box(0, 10, 9, 9)}>first</p>"))
    assert place(drawn, "/html/body/p[1]")[1] > place(drawn, "/html/body/p[2]")[1]
    assert drawn.layout.line_row.tolist() == sorted(drawn.layout.line_row.tolist())


@pytest.mark.parametrize(
    "source", [b"", b"<!doctype html>", b"  ", b"<frameset><frame></frameset>"]
)
def test_an_empty_page(browser, source):
    drawn = browser.render(source, replace(OPTIONS, picture=True))
    assert len(drawn.layout) == len(drawn.page)
    assert len(drawn.layout.line_row) == 0
    assert drawn.picture.startswith(b"\x89PNG")


# -- colours of images and the picture ----------------------------------------------------------

RED, BLUE, CLEAR = (255, 0, 0, 255), (0, 0, 255, 255), (0, 255, 0, 0)


def data_url(body: bytes, kind: str = "image/png") -> str:
    return f"data:{kind};base64,{base64.b64encode(body).decode()}"


def colours(drawn, path):
    return drawn.layout.colour[drawn.page.row(path)].tolist()


def test_an_image_has_the_mean_of_its_opaque_pixels(browser, tmp_path):
    (tmp_path / "two.png?v=1").write_bytes(png(RED, BLUE, CLEAR, size=200))
    (tmp_path / "page.html").write_bytes(
        page(f"<img src='two.png%3Fv=1'><img src='two.png?v=1'><img src='{data_url(png(RED))}'>")
    )
    drawn = browser.render(str(tmp_path / "page.html"))
    both = [colours(drawn, f"/html/body/img[{number}]") for number in (1, 2, 3)]
    assert np.allclose(both, [[128, 0, 128], [128, 0, 128], [255, 0, 0]], atol=1)


def test_what_has_no_pixels_of_its_own_has_the_colour_that_is_seen(browser):
    drawing = "<svg xmlns='http://www.w3.org/2000/svg'><rect width='99' height='99' fill='lime'/>"
    whole = data_url(f"{drawing}</svg>".encode(), "image/svg+xml")
    body = f"<img src='{whole}' {box(0, 0, 80, 80)}>"
    body += f"<svg {box(100, 0, 80, 80)}><rect width=80 height=80 fill=blue></svg>"
    body += f"<iframe {box(200, 0, 80, 80)} srcdoc='<body style=background:red>'></iframe>"
    drawn = browser.render(page(body))
    for path, colour in (("img", [0, 255, 0]), ("svg", [0, 0, 255]), ("iframe", [255, 0, 0])):
        assert colours(drawn, f"/html/body/{path}") == colour
    assert drawn.picture == b""


def test_an_image_too_far_down_for_the_picture_is_grey(browser):
    low = f"<svg {box(0, 900, 80, 80)}><rect width=80 height=80 fill=blue></svg>"
    drawn = browser.render(page(low), replace(OPTIONS, picture_height=300))
    assert colours(drawn, "/html/body/svg") == [128, 128, 128]


def test_the_picture_shows_the_page_as_the_window_has_it(browser):
    body = "<div style='height:100vh;background:red'></div><p style='height:700px;background:blue'>"
    drawn = browser.render(page(body), replace(OPTIONS, picture=True))
    seen = Image.open(io.BytesIO(drawn.picture)).convert("RGB")
    assert seen.size == (800, 1300)
    assert [seen.getpixel((9, y)) for y in (599, 600)] == [RED[:3], BLUE[:3]]
    assert (drawn.scale, drawn.notes) == (1.0, ())


def test_a_page_of_200_000_pixels(browser):
    tall = "<div style='height:199980px'></div><p>the end</p>"
    drawn = browser.render(page(tall), replace(OPTIONS, picture=True))
    assert drawn.layout.page_height == 200_000
    assert place(drawn, "/html/body/p")[1] == 199_980
    assert Image.open(io.BytesIO(drawn.picture)).size == (800, 16_000)
    assert drawn.notes == ("the picture ends 16,000 pixels down the page",)


def test_20_000_boxes(browser):
    drawn = browser.render(page("<p>x</p>" * 20_000))
    assert len(drawn.layout.line_row) == 20_000
    assert np.array_equal(np.diff(drawn.layout.line_top), np.full(19_999, 20.0))


# -- what may be said ---------------------------------------------------------------------------


def test_scrolling_loads_what_is_late(browser, tmp_path):
    (tmp_path / "late.png").write_bytes(png(RED, size=30))
    (tmp_path / "page.html").write_bytes(
        page("<div style='height:6000px'></div><img loading=lazy src=late.png>")
    )
    source, scripted = tmp_path / "page.html", replace(SCRIPTED, scroll=20)
    path = "/html/body/img"
    assert place(browser.render(source, SCRIPTED), path)[2] == 0
    assert place(browser.render(source, scripted), path) == (0, 6000, 30, 6030)


def test_waiting_lets_scripts_end(browser):
    source = page("<p>a</p><script>setTimeout(() => document.body.append('late'), 200)</script>")
    drawn = browser.render(source, replace(SCRIPTED, wait=0.6))
    assert "late" in drawn.page.texts


def test_one_page_without_a_browser_at_hand(tmp_path):
    file = tmp_path / "a.html"
    file.write_bytes(page(f"<div {box(1, 2, 3, 4)}></div>"))
    drawn = render(file, RenderOptions(picture=True))
    assert place(drawn, "/html/body/div") == (1, 2, 4, 6)
    assert Image.open(io.BytesIO(drawn.picture)).size == (1280, 900)


def test_a_file_that_is_not_there(browser, tmp_path):
    with pytest.raises(Unreachable, match="give a file"):
        browser.render(str(tmp_path / "none.html"))
    with pytest.raises(Unreachable, match="not a folder"):
        browser.render(b"x", replace(OPTIONS, folder=str(tmp_path / "none")))


def test_a_page_whose_html_was_not_kept(browser):
    builder = PageBuilder()
    builder.append(builder.create_document(), builder.create_element("html"))
    with pytest.raises(PageError, match="was not kept"):
        browser.render(builder.page())


@pytest.mark.parametrize(
    ("name", "value"),
    [("width", 1), ("timeout", 0), ("timeout", float("nan")), ("picture_height", 99_999),
     ("javascript", "maybe"), ("allow_private", ("here",))],
)  # fmt: skip
def test_options_are_checked(name, value):
    with pytest.raises(OptionError):
        RenderOptions(**{name: value})


def test_every_option_is_in_the_docs():
    text = (SITE.parents[1] / "docs" / "rendering.md").read_text(encoding="utf-8")
    heads = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    assert [name.strip(" `") for head in heads for name in head.split(",")] == [
        part.name for part in fields(RenderOptions)
    ]
