"""Boxes that a client saw: each lands on its row, and segments are those of the same drawing."""

import json

import numpy as np
import pytest
from hypothesis import given

from pagelet import parse
from pagelet.api import analyse
from pagelet.errors import NoSuchNode, OptionError
from pagelet.page.layout import Layout, Rendering
from pagelet.page.table import Page
from pagelet.server.errors import HttpError
from pagelet.server.layouts import find_rows, make_layout
from pagelet.server.requests import DrawnLayout, method_model, read_form
from tests.build import page_of, trees

PAGE = parse("<h1>One <b>two</b></h1><p>three four five</p><img><hr>")
SEEN = {
    "width": 400,
    "height": 300,
    "boxes": [
        {"path": "/html/body", "box": [0, 0, 400, 300], "style": {"display": "block"}},
        {
            "path": "/html/body/h1",
            "box": [10, 10, 390, 50],
            "style": {"font-size": "32px", "font-weight": "700", "color": "rgb(1, 2, 3)"},
        },
        {"path": "/html/body/h1/text()[1]", "lines": [[10, 10, 60, 50]]},
        {"path": "/html/body/h1/b", "box": [60, 10, 120, 50], "style": {"display": "inline"}},
        {
            "path": "/html/body/p[1]",
            "box": [10, 60, 390, 120],
            "style": {
                "background-color": "rgba(9, 8, 7, 0.2)",
                "background-image": 'url("a.png")',
                "border-top-width": "2px",
                "border-left-width": "3px",
                "border-left-color": "rgba(0, 0, 0, 0)",
            },
        },
        {"path": "/html/body/p/text()[1]", "lines": [[10, 60, 110, 90], [10, 90, 60, 120]]},
        {"path": "/html/body/img", "box": [0, 130, 50, 180]},
        {"path": "/html/body/hr", "box": [50, 10, 20, 30]},
        {"path": "/html/body/nothing", "box": [0, 0, 1, 1]},
    ],
}


def laid(form: object, page: Page = PAGE) -> tuple[Layout, int]:
    return make_layout(page, read_form(DrawnLayout, json.dumps(form).encode()))


def test_a_page_by_hand():
    layout, placed = laid(SEEN)
    row = {path: PAGE.row(f"/html/body{path}") for path in
           ("", "/h1", "/h1/text()[1]", "/h1/b", "/p", "/p/text()[1]", "/img", "/hr")}  # fmt: skip
    assert placed == 8
    assert layout.edges[row["/h1"]].tolist() == [10, 10, 390, 50]
    assert layout.edges[row["/p/text()[1]"]].tolist() == [10, 60, 110, 120]
    assert layout.line_row.tolist() == [row["/h1/text()[1]"]] + [row["/p/text()[1]"]] * 2
    assert layout.line_chars.tolist() == [3, 10, 5]  # fifteen characters, two thirds in the first
    seen = [row[path] for path in row if path != "/hr"]  # ends before it begins
    assert np.flatnonzero(layout.drawn).tolist() == sorted(seen)
    assert layout.paint[seen].tolist() == list(range(7))
    assert np.flatnonzero(layout.inline).tolist() == [row["/h1/b"]]
    assert layout.font_size[[row["/h1"], row["/h1/text()[1]"], row["/p"]]].tolist() == [32, 32, 16]
    assert layout.font_weight[row["/h1/text()[1]"]] == 700
    assert layout.colour[row["/h1/text()[1]"]].tolist() == [1, 2, 3]
    assert layout.colour[row["/img"]].tolist() == [128] * 3
    assert layout.background[row["/p"]].tolist() == [9, 8, 7, 51]
    assert np.flatnonzero(layout.pictured).tolist() == [row["/p"]]
    assert layout.border[row["/p"]].tolist() == [0, 2, 0, 0]  # at the left it is clear
    assert (layout.page_width, layout.page_height) == (400, 300)


@given(trees)
def test_paths_lead_where_page_row_says(tree):
    page = page_of(tree)
    paths = [page.path(row) for row in range(len(page))]
    assert find_rows(page, paths) == list(range(len(page)))
    for path in (*paths, "", "/", "/html/body/x", "/html[1]/body[1]/div[1]", "nonsense", "/html//"):
        try:
            wanted = page.row(path)
        except NoSuchNode:
            wanted = -1
        assert find_rows(page, [path]) == [wanted]


def test_a_deep_page_costs_no_more_than_its_paths():
    page = parse("<div>" * 20_000)
    path = page.path(len(page) - 1)
    assert find_rows(page, [path]) == [len(page) - 1]


@pytest.mark.parametrize(
    "wrong",
    [
        {"width": -1}, {"width": "7"}, {"height": 1e300}, {"boxes": [{"box": [0, 0, 1, 1]}]},
        {"boxes": [{"path": "/html", "box": [0, 0, 1]}]}, {"boxes": [{"path": 1}]},
        {"boxes": [{"path": "/html", "lines": [[0, 0, 1, None]]}]}, {"boxes": {}}, {"more": 1},
        {"boxes": [{"path": "/html", "style": {"color": 1}}]},
    ],
)  # fmt: skip
def test_wrong_layouts_are_refused(wrong):
    with pytest.raises(OptionError):
        laid(SEEN | wrong)


def test_numbers_that_are_none_are_refused():
    body = b'{"html": "", "layout": {"width": NaN, "height": 1, "boxes": []}}'
    with pytest.raises((OptionError, HttpError)):
        read_form(method_model("segments"), body)


@pytest.mark.parametrize("style", ["font-size", "font-weight", "border-top-width", "color",
                                   "background-color"])  # fmt: skip
def test_any_style_is_read(style):
    for value in ("", "calc(1px)", "9" * 400, "-1px", "rgb()", "rgb(" * 99, "nan", "1e999px"):
        laid(
            SEEN | {"boxes": [{"path": "/html/body", "box": [0, 0, 9, 9], "style": {style: value}}]}
        )


# -- over HTTP --------------------------------------------------------------------------------


def test_segments_of_boxes(service):
    told = service.post("/v1/segments", {"html": PAGE.source, "layout": SEEN})
    assert told.json()["layout"] == {"given": 9, "placed": 8}
    layout, _ = laid(SEEN)
    found = analyse(Rendering(PAGE, layout), "segments").to_dict()
    assert told.json() == {**found, "layout": {"given": 9, "placed": 8}}
    assert found["pagelets"]


def test_inspect_with_boxes(service):
    told = service.post("/v1/inspect", {"html": PAGE.source, "layout": SEEN}).json()
    assert told["methods"]["segments"]["pagelets"]
    assert told["size"] == [400, 300]
    assert "picture" not in told


def test_segments_of_a_page_that_the_service_draws(service):
    html = "<body style='margin:0'><div style='height:90px;background:red'>a</div><p>b</p>"
    told = service.post("/v1/segments", {"html": html, "url": "https://a.example/"})
    assert told.status_code == 200, told.text
    assert [item["text"] for item in told.json()["pagelets"]] == ["a", "b"]
    assert told.json()["url"] == "https://a.example/"
    told = service.post("/v1/inspect", {"html": html, "render": True}).json()
    assert told["picture"].startswith("data:image/png;base64,")
    assert told["size"][0] == 1280
