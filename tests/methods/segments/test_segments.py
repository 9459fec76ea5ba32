"""Segments as a method: what it asks for, what its answer holds, and how sure it is."""

import dataclasses
import json

import numpy as np
import pytest
from hypothesis import given

from pagelet import analyse, parse
from pagelet.api import detect_segments
from pagelet.errors import MissingLayout, OptionError
from pagelet.methods.segments import SEGMENTS
from pagelet.methods.segments.answer import is_right_to_left, segment_texts
from pagelet.methods.segments.bcs import cluster_boxes
from pagelet.methods.segments.bcs import options as bcs_options
from pagelet.methods.segments.bcs.clustering import lifetimes, stable_range
from pagelet.methods.segments.geometry.partition import segments_of
from pagelet.methods.segments.options import (
    PaperSegmentsOptions,
    ReferenceSegmentsOptions,
    SegmentsOptions,
)
from pagelet.methods.segments.vips import VipsTree, cut_tree, degrees_of_coherence
from pagelet.page.layout import Rendering, boxes_of
from tests.drawn import drawn, placed
from tests.layouts import layouts
from tests.naive import segment_rows as naive
from tests.places import SITE

TWO = """<body><div><p>Red lines</p><p>of text</p></div>
<div><p>and far</p><p>below more</p></div><p hidden>unseen</p>"""


def two_columns() -> Rendering:
    """Two pairs of lines, far from each other."""
    page = parse(TWO)
    texts = [row for row in range(len(page)) if page.text(row)][:4]
    places = [(0, 0, 100, 20), (0, 24, 100, 44), (0, 400, 100, 420), (0, 424, 100, 444)]
    return placed(page, dict(zip(texts, places, strict=True)))


def bcs(**more) -> SegmentsOptions:
    return SegmentsOptions(method="bcs", **more)


# -- the answer -----------------------------------------------------------------------------


def test_a_segment_knows_its_nodes_its_place_and_its_text():
    found = detect_segments(two_columns(), options=bcs(threshold="0.3"))
    assert [item.path for item in found] == ["/html/body/div[1]", "/html/body/div[2]"]
    assert [item.box for item in found] == [(0, 0, 100, 44), (0, 400, 100, 444)]
    assert [item.text for item in found] == ["Red lines of text", "and far below more"]
    assert {item.kind for item in found} == {"segment"}


def test_json_has_boxes_and_what_decided():
    form = json.loads(detect_segments(two_columns(), options=bcs(threshold="0.3")).to_json())
    first = form["pagelets"][0]
    assert first["box"] == [0, 0, 100, 44]
    assert first["reason"]["boxes"] == 2
    assert first["reason"]["area_ratio"] == pytest.approx(100 * 44 / (800 * 600), abs=1e-6)
    told = form["segments"]
    assert told["boxes"][1] == [[0, 400, 100, 420], [0, 424, 100, 444]]
    assert (told["page"], told["loose"], told["complete"]) == ([800, 600], [], True)
    assert (told["method"], told["threshold"]) == ("bcs", 0.3)


def test_hidden_text_is_not_read():
    found = detect_segments(two_columns(), options=bcs(segments=1, absorb=True))
    assert [item.path for item in found] == ["/html/body"]
    assert found[0].text == "Red lines of text and far below more"
    assert "unseen" in found[0].html


def test_the_text_is_read_as_it_is_seen():
    rendering = two_columns()
    lines = rendering.layout
    texts = lines.line_row.tolist()
    places = zip(reversed(texts), lines.line_edges.tolist(), strict=True)
    upside_down = placed(rendering.page, dict(places))
    found = detect_segments(upside_down, options=bcs(segments=1, absorb=True))
    assert found[0].text == "below more and far of text Red lines"


def test_a_text_of_several_lines_is_read_once():
    page = parse("<p>one <b>two</b> three")
    one, two, three = (row for row in range(len(page)) if page.text(row))
    edges = [(0, 0, 50, 20), (50, 0, 90, 20), (90, 0, 120, 20), (0, 24, 40, 44)]
    boxes = boxes_of(edges, row=np.array([one, two, three, three]))
    assert segment_texts(page, segments_of(boxes, np.zeros(4, np.intp))) == ["one two three"]


def test_boxes_in_no_segment_are_told():
    page = parse("<p>one<p>two<p>alone")
    texts = [row for row in range(len(page)) if page.text(row)]
    places = [(0, 0, 100, 20), (0, 20, 100, 40), (500, 900, 502, 990)]
    found = detect_segments(
        placed(page, dict(zip(texts, places, strict=True))), options=bcs(threshold="0")
    )
    assert [item.text for item in found] == ["one two"]
    assert found.extra["segments"]["loose"] == [[500, 900, 502, 990]]


def test_nothing_drawn_is_an_empty_answer():
    page = parse("<p>never drawn")
    for profile in SEGMENTS.profiles:
        found = detect_segments(placed(page, {}), profile=profile)
        assert (len(found), found.extra["segments"]["boxes"]) == (0, [])


@pytest.mark.parametrize("method", ["visual", "bcs", "vips"])
def test_paths_find_the_nodes(method):
    page = parse((SITE / "news" / "wall-repair.html").read_bytes())
    asked = SegmentsOptions(method=method, granularity="fields")
    found = detect_segments(drawn(page), options=asked)
    assert len(found) > 1
    for item in found:
        assert [page.row(path) for path in item.paths] == list(item.rows)
        assert 0 <= item.score <= 1


# -- what is asked --------------------------------------------------------------------------


def test_a_page_alone_is_refused():
    page = parse("<p>x")
    with pytest.raises(
        MissingLayout, match=r"needs a rendered page; pass the result of pagelet.render"
    ):
        detect_segments(page)
    with pytest.raises(MissingLayout):
        analyse(page, "segments")


def test_a_layout_of_another_page_is_refused():
    with pytest.raises(OptionError, match="of another page"):
        detect_segments(parse("<p>x<p>y"), layout=drawn(parse("<p>x")).layout)


def test_a_rendering_and_a_page_with_its_layout_are_the_same():
    rendering = two_columns()
    one = detect_segments(rendering, profile="paper")
    other = detect_segments(rendering.page, profile="paper", layout=rendering.layout)
    assert one.to_dict() == other.to_dict()
    assert one.to_dict() == analyse(rendering, "segments", profile="paper").to_dict()


@pytest.mark.parametrize("said", ["", "x", "1.5", "-0.1", "nan", "AUTO"])
def test_a_threshold_is_a_share_or_auto(said):
    with pytest.raises(OptionError, match="must be auto or a number between 0 and 1"):
        SEGMENTS.with_options("default", {"threshold": said})


def test_one_weight_must_count():
    weights = dict.fromkeys(("distance_weight", "shape_weight", "colour_weight"), 0.0)
    with pytest.raises(OptionError, match="one of the three weights"):
        SEGMENTS.with_options("paper", weights)


def test_profiles_are_those_of_the_paper_and_its_authors():
    assert PaperSegmentsOptions().bcs == bcs_options.PAPER
    assert ReferenceSegmentsOptions().bcs == bcs_options.REFERENCE_2016
    assert SEGMENTS.profiles["paper"].options == PaperSegmentsOptions()


@pytest.mark.parametrize(
    ("changes", "stop"),
    [
        ({"threshold": "0.2"}, "threshold"),
        ({"threshold": "auto"}, "auto"),
        ({"segments": 3}, "count"),
    ],
)
def test_what_ends_the_joining(changes, stop):
    assert dataclasses.replace(PaperSegmentsOptions(), **changes).bcs.stop == stop


@pytest.mark.parametrize("method", ["bcs", "vips"])
def test_the_number_of_segments_may_be_said(method):
    page = parse((SITE / "index.html").read_bytes())
    counts = [
        len(detect_segments(drawn(page), options=SegmentsOptions(method=method, segments=wanted)))
        for wanted in (1, 200)
    ]
    assert counts[0] < counts[1]


# -- how sure -------------------------------------------------------------------------------


@given(layouts())
def test_segments_live_as_long_as_their_clusters(boxes):
    tree = cluster_boxes(boxes)
    for done in range(len(tree) + 1):
        segments = tree.cut_after(done)
        formed, ended = lifetimes(tree, segments)
        slow = naive.lifetimes(len(boxes), tree.parent.tolist(), tree.level.tolist(), segments)
        assert list(zip(formed.tolist(), ended.tolist(), strict=True)) == slow


@given(layouts())
def test_nothing_changes_while_the_threshold_is_steady(boxes):
    tree = cluster_boxes(boxes)
    for threshold in (0.0, 0.3, 0.6, 1.0):
        segments = tree.cut(threshold)
        steady = stable_range(tree, segments)
        assert 0 <= steady <= 1
        later = tree.cut(threshold + 0.99 * steady)
        assert np.array_equal(later.number, segments.number)


def test_a_segment_of_vips_coheres_as_the_area_it_is():
    parent, degree = [-1, 0, 1, 2, 0], [3, 9, 2, 4, 11]  # all of area 1 is one segment
    none = np.zeros(0)
    tree = VipsTree(np.array(parent), np.zeros((5, 4)), np.array(degree), np.array([3, 4, 2]),
                    none, none, none, none, none)  # fmt: skip
    boxes = boxes_of([(0, 0, 9, 9), (20, 0, 29, 9), (0, 9, 9, 18)], row=np.arange(3))
    segments = segments_of(boxes, np.array([0, 1, 0]))
    assert np.array_equal(cut_tree(tree, boxes, 5).number, segments.number)
    assert degrees_of_coherence(tree, segments, 5).tolist() == [9, 11]


# -- which way it is read -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "leftward"),
    [
        ("<p>plain words", False),
        ("<p>مكتبة البذور", True),
        ("<html dir=rtl><p>plain words", True),
        ("<html dir=' LTR '><p>مكتبة البذور", False),
        ("<body dir=rtl><p>plain words", True),
        ("<html dir=auto><p>مكتبة البذور and a", True),
        ("<p>plain words and مكتبة", False),
        ("", False),
    ],
)
def test_which_way_lines_run(html, leftward):
    assert is_right_to_left(parse(html)) is leftward
