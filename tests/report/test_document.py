"""The picture of a page in the report: its segments, for the result and for any threshold."""

import json
from io import BytesIO
from itertools import pairwise
from operator import itemgetter

import numpy as np
import pytest
import turbohtml
from PIL import Image

from pagelet.api import analyse
from pagelet.methods.segments.bcs import cluster_boxes
from pagelet.methods.segments.geometry.boxes import boxes_of_page
from pagelet.page.html import parse
from pagelet.page.layout import Rendering
from pagelet.report import document as document_module
from pagelet.report import report
from tests.drawn import drawn, placed
from tests.places import SITE
from tests.report.hand_made import found

METHODS = (("menu", "default"), ("segments", "paper"))
AREAS = """all => all.map(({ style, className }) => [className.split(" ")[0],
  ...["left", "top", "width", "height"].map((side) => parseFloat(style[side]))])"""


def pictured(rendering: Rendering) -> Rendering:
    """The same with a picture."""
    out = BytesIO()
    size = (int(rendering.layout.page_width), int(rendering.layout.page_height))
    Image.new("RGB", size, (250, 240, 220)).save(out, "PNG")
    return Rendering(rendering.page, rendering.layout, out.getvalue())


@pytest.fixture(scope="module")
def rendering() -> Rendering:
    return pictured(drawn(parse((SITE / "index.html").read_bytes())))


def written(rendering: Rendering) -> str:
    found = [analyse(rendering, name, profile=profile) for name, profile in METHODS]
    return report(rendering, found, folder=SITE)


@pytest.fixture
def shown(opened, rendering):
    found = opened(written(rendering))
    found.tab.get_by_role("button", name="Picture", exact=True).click()
    return found


def areas(shown) -> list[tuple]:
    """What is drawn over the picture: what it is, left, top, width and height in percent."""
    return [tuple(area) for area in shown.tab.locator("#areas > *").evaluate_all(AREAS)]


def percent(edges, kind: str, boxes) -> list[tuple]:
    width, height = boxes.page_width, boxes.page_height
    return [
        (kind, *(100 * part / whole for part, whole in zip(
            (left, top, right - left, bottom - top), (width, height, width, height), strict=True)))
        for left, top, right, bottom in edges.tolist()
    ]  # fmt: skip


# -- the document -----------------------------------------------------------------------------


def test_a_report_without_rendering_has_no_picture():
    page = parse("<p>x")
    document = turbohtml.parse(report(page, [analyse(page, "menu")]))
    assert document.select_one("#rendering") is None
    assert len(document.select("script")) == 2


def test_the_picture_and_all_merges_are_in_the_report(rendering):
    document = turbohtml.parse(written(rendering))
    assert (document.select_one("#picture").attr("src") or "").startswith("data:image/png;base64,")
    data = json.loads(document.select_one("#data").text)["rendering"]
    boxes = boxes_of_page(rendering.page, rendering.layout)
    assert len(data["boxes"]) == len(boxes)
    assert len(data["parent"]) == len(boxes) + len(data["level"])


def test_a_report_is_the_same_every_time(rendering):
    assert written(rendering) == written(rendering)


def test_too_much_is_left_out(rendering, monkeypatch):
    monkeypatch.setattr(document_module, "MAX_SLIDER_BOXES", 3)
    monkeypatch.setattr(document_module, "MAX_PICTURE_BYTES", 10)
    document = turbohtml.parse(written(rendering))
    assert document.select_one("#picture").attr("src") == ""
    data = json.loads(document.select_one("#data").text)["rendering"]
    assert set(data) == {"width", "height"}


# -- in a browser -----------------------------------------------------------------------------


def test_the_result_is_drawn_over_the_picture(shown, rendering):
    found = analyse(rendering, "segments", profile="paper")
    boxes = boxes_of_page(rendering.page, rendering.layout)
    edges = np.array([item.box for item in found])
    assert areas(shown) == [pytest.approx(each, abs=1e-3) for each in percent(edges, "area", boxes)]
    assert shown.tab.locator("#status").inner_text() == f"Result: {len(found)} segments"
    assert shown.errors == []


def test_every_threshold_is_as_computed(shown, rendering):
    tree = cluster_boxes(boxes_of_page(rendering.page, rendering.layout))
    for threshold in (0, 0.05, 0.3, 0.5, 0.655, 1):
        wanted = tree.cut(threshold)
        shown.tab.locator("#threshold").fill(str(threshold))
        loose = percent(tree.boxes.edges[wanted.loose], "loose", tree.boxes)
        drawn_ = loose + percent(wanted.edges, "area", tree.boxes)
        assert areas(shown) == [pytest.approx(each, abs=1e-3) for each in drawn_]
        data = shown.tab.locator("#status").inner_text()
        assert data.startswith(f"{threshold:.3f}: {len(wanted)} segment")


def test_keys_move_the_threshold_and_a_button_goes_back(shown):
    slider = shown.tab.locator("#threshold")
    slider.fill("0.5")
    slider.press("ArrowRight")
    assert slider.input_value() == "0.505"
    assert shown.tab.locator("#status").inner_text().startswith("0.505: ")
    result = shown.tab.get_by_role("button", name="Result", exact=True)
    assert result.get_attribute("aria-pressed") == "false"
    result.press("Enter")
    assert result.get_attribute("aria-pressed") == "true"
    auto = shown.tab.get_by_role("button", name="Auto", exact=True)
    auto.click()
    assert auto.get_attribute("aria-pressed") == "true"


def test_a_segment_is_chosen_in_the_list_and_in_the_picture(shown):
    shown.tab.locator("#areas .area").nth(1).click(position={"x": 3, "y": 3})
    number = shown.tab.locator("li.chosen").get_attribute("data-number")
    assert shown.tab.locator(".area.chosen").get_attribute("data-number") == number
    shown.tab.locator("#list li button").nth(1).click()
    assert shown.tab.locator(".area.chosen").get_attribute("data-number") == "1"


def test_the_picture_shows_the_other_kinds_too(shown):
    row = shown.tab.locator("#list li.kind-menu").first
    row.locator("button").click()
    chosen = shown.tab.locator("#parts .part.chosen")
    chosen.wait_for()
    assert chosen.get_attribute("data-number") == row.get_attribute("data-number")
    shown.tab.locator("#legend [data-kind=menu]").click()
    assert shown.tab.locator("#parts .kind-menu").count() == 0
    row = shown.tab.locator("#list li.chosen")
    assert row.is_visible(), "what is chosen stays in view"


def test_the_legend_hides_the_segments(shown):
    chip = shown.tab.locator("#legend [data-kind=segment]")
    chip.click()
    assert not shown.tab.locator("#areas").is_visible()
    chip.click()
    assert shown.tab.locator("#areas").is_visible()


CORNERS = "all => all.map((span) => span.getBoundingClientRect().toJSON())"


def test_numbers_of_segments_that_share_a_corner_do_not_cover_each_other(opened):
    page = parse("<div><div><div><p>text")
    paths = [f"/html/body{'/div' * depth}" for depth in (1, 2, 3)]
    boxes = {
        page.row(path): (left, 0, 800, 400) for path, left in zip(paths, (0, 9, 90), strict=True)
    }
    marks = found(page, *(("segment", path, 1) for path in paths))
    shown = opened(report(pictured(placed(page, boxes)), marks))
    shown.tab.get_by_role("button", name="Picture", exact=True).click()
    places = sorted(
        shown.tab.locator("#areas span:visible").evaluate_all(CORNERS), key=itemgetter("x")
    )
    assert len(places) == 3
    assert all(one["right"] <= two["x"] for one, two in pairwise(places))


def test_page_and_picture_take_turns(shown):
    tab = shown.tab
    assert (tab.locator("#rendering").is_visible(), tab.locator("#drawing").is_visible()) == (
        True,
        False,
    )
    tab.get_by_role("button", name="Page", exact=True).click()
    assert (tab.locator("#rendering").is_visible(), tab.locator("#drawing").is_visible()) == (
        False,
        True,
    )


def test_a_page_with_nothing_drawn(opened):
    page = parse("<p>never drawn")
    empty = placed(page, {})
    shown = opened(report(empty, [analyse(empty, "segments")]))
    shown.tab.get_by_role("button", name="Picture", exact=True).click()
    assert shown.tab.locator("#status").inner_text() == "Result: 0 segments"
    shown.tab.locator("#threshold").fill("1")
    assert shown.tab.locator("#status").inner_text() == "1.000: 0 segments"
    assert shown.errors == []
