"""Visual segmentation: cuts by probability, at any granularity."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagelet.methods.segments.geometry.boxes import boxes_of_page
from pagelet.methods.segments.visual import (
    CutModel,
    VisualOptions,
    cut_by_threshold,
    cut_into_count,
    segment_visual,
)
from pagelet.methods.segments.visual.gaps import FEATURE_NAMES
from pagelet.methods.segments.visual.scene import SUM_COLUMNS, Scene, read_scene
from pagelet.models.trees import Trees, load_shipped
from pagelet.page.html import parse as page_of
from pagelet.page.layout import IMAGE, TEXT, Layout, boxes_of, empty_layout
from tests.drawn import drawn, placed
from tests.methods.segments.visual.test_gaps import scenes

SIZES = ("blocks", "paragraphs", "fields")


def wide_gaps(pixels: float) -> Trees:
    """A model that is sure of a cut where a gap is wider, and sure of none elsewhere."""
    gap = FEATURE_NAMES.index("gap")
    return Trees(
        roots=np.array([0]),
        feature=np.array([gap, 0, 0]),
        threshold=np.array([np.log1p(pixels), np.inf, np.inf]),
        left=np.array([1, 1, 2]),
        value=np.array([0.0, -9.0, 9.0]),
        depth=1,
        names=FEATURE_NAMES,
    )


def columns_below_a_header():
    """A header, two columns of three lines each with a wide gutter, a footer."""
    words = [f"<p>line {at}</p>" for at in range(8)]
    page = page_of(f"<body>{''.join(words)}")
    texts = np.flatnonzero(page.tag == 0).tolist()
    places = [(0, 0, 500, 20), *[(x, y, x + 200, y + 16) for x in (0, 300) for y in (80, 100, 120)],
              (0, 200, 500, 216)]  # fmt: skip
    return placed(page, dict(zip(texts, places, strict=True)))


def test_a_page_is_cut_into_bands_and_bands_into_columns():
    given = columns_below_a_header()
    boxes = boxes_of_page(given.page, given.layout)

    found = segment_visual(given.page, given.layout, boxes, trees=wide_gaps(50))

    assert found.edges.tolist() == [
        [0, 0, 500, 20],
        [0, 80, 200, 136],
        [300, 80, 500, 136],
        [0, 200, 500, 216],
    ]


def test_without_a_likely_cut_a_page_is_cut_once_unless_that_is_very_unlikely():
    given = columns_below_a_header()
    scene = read_scene(given.page, given.layout, boxes_of_page(given.page, given.layout))
    doubtful = Trees(np.array([0]), np.array([FEATURE_NAMES.index("gap"), 0, 0]),
                     np.array([np.log1p(62), np.inf, np.inf]), np.array([1, 1, 2]),
                     np.array([0.0, -9.0, -1.0]), 1, FEATURE_NAMES)  # fmt: skip

    # 1 / (1 + e) = 0.27 at the widest gap, of 64 pixels
    once = cut_by_threshold(scene, CutModel(doubtful), 0.5)
    never = cut_by_threshold(scene, CutModel(wide_gaps(1000)), 0.5)

    assert len(once.uncut) == 2
    assert len(never.uncut) == 1
    assert never.uncut[0] == pytest.approx(1 / (1 + np.exp(9)))


def test_fewer_segments_than_the_least_are_cut_where_that_is_likeliest():
    """Lines with ever wider gaps: the widest are cut first, as far as more are wanted."""
    tops = [0, 30, 80, 150, 240]
    edges = np.array([(0, top, 100, top + 20) for top in tops], float)
    scene = Scene(edges, np.ones((5, SUM_COLUMNS)), np.zeros(5, np.intp), edges[:0], (100, 260))
    gap = FEATURE_NAMES.index("gap")
    # a gap wider than 60 pixels is likelier than one wider than 40, and none is likely
    trees = Trees(
        roots=np.array([0]), feature=np.array([gap, gap, 0, 0, 0]),
        threshold=np.array([np.log1p(60), np.log1p(40), *[np.inf] * 3]),
        left=np.array([1, 3, 2, 3, 4]), value=np.array([0, 0, -0.2, -1.0, -0.6]), depth=2,
        names=FEATURE_NAMES,
    )  # fmt: skip
    found = {
        least: cut_by_threshold(scene, CutModel(trees), 0.5, least).number.tolist()
        for least in (1, 2, 3, 4)
    }
    assert found[1] == [0, 0, 0, 0, 0]
    assert found[2] == [0, 0, 0, 0, 1]
    assert found[3] == [0, 0, 0, 2, 1]
    assert len(set(found[4])) == 5  # equally likely cuts are made together


def test_narrow_sides_of_a_frame_do_not_count_as_segments():
    """The frame is cut off first; then what lies in it is cut, as if there were none."""
    lines = [(100, top, 900, top + 20) for top in (0, 40, 180, 220)]
    edges = np.array([(0, 0, 20, 240), *lines, (980, 0, 1000, 240)], float)
    scene = Scene(edges, np.ones((6, SUM_COLUMNS)), np.zeros(6, np.intp), edges[:0], (1000, 240))
    down, gap = FEATURE_NAMES.index("down"), FEATURE_NAMES.index("gap")
    # sides are cut off; a gap of more than 60 pixels between lines is less likely
    trees = Trees(
        roots=np.array([0]), feature=np.array([down, 0, gap, 0, 0]),
        threshold=np.array([0.5, np.inf, np.log1p(60), np.inf, np.inf]),
        left=np.array([1, 1, 3, 3, 4]), value=np.array([0, 9.0, 0, -9.0, -0.5]), depth=2,
        names=FEATURE_NAMES,
    )  # fmt: skip
    assert cut_by_threshold(scene, CutModel(trees), 0.5, 1).number.tolist() == [0, 1, 1, 1, 1, 2]
    assert cut_by_threshold(scene, CutModel(trees), 0.5, 2).number.tolist() == [0, 1, 1, 3, 3, 2]


@given(scenes(), st.floats(0, 1))
def test_every_box_has_a_place_and_segments_lie_apart_where_they_were_cut(scene: Scene, threshold):
    found = cut_by_threshold(scene, CutModel(wide_gaps(3)), threshold)

    assert sorted(set(found.number.tolist())) == list(range(len(found.uncut)))


@settings(max_examples=20)
@given(scenes(), st.integers(1, 6))
def test_a_wanted_number_is_met_as_well_as_any_threshold_can(scene: Scene, wanted):
    model = CutModel(load_shipped("pagelet.methods.segments.visual", "segments"))
    found = len(cut_into_count(scene, model, wanted).uncut)
    others = {len(cut_by_threshold(scene, model, step / 20).uncut) for step in range(21)}

    assert abs(found - wanted) <= min(abs(other - wanted) for other in others) + 1


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("with_dom", [False, True])
def test_every_box_lies_in_one_segment(size, with_dom):
    given = drawn(page_of("<body><div><h1>a</h1><p>b c</p></div><ul><li>d<li>e</ul><p>f<b>g</b>h"))
    boxes = boxes_of_page(given.page, given.layout)
    options = VisualOptions(granularity=size, with_dom=with_dom)

    found = segment_visual(given.page, given.layout, boxes, options)

    assert len(boxes) > 4
    assert found.number.min() == 0
    assert (
        found.number.tolist()
        == segment_visual(given.page, given.layout, boxes, options).number.tolist()
    )


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("with_dom", [False, True])
def test_a_page_without_boxes_has_no_segments(size, with_dom):
    page = page_of("")
    layout = Layout(**empty_layout(len(page)))

    found = segment_visual(
        page, layout, boxes_of([]), VisualOptions(granularity=size, with_dom=with_dom)
    )

    assert len(found) == 0


@pytest.mark.parametrize("name", ["segments", "segments_inner"])
def test_shipped_models_know_these_measures(name):
    assert load_shipped("pagelet.methods.segments.visual", name).names == FEATURE_NAMES


def test_what_is_seen_of_boxes():
    page = page_of("<body><div><p>ab</p></div><p>cdef</p><img>")
    text, other = np.flatnonzero(page.tag == 0).tolist()
    image = len(page) - 1
    columns = empty_layout(len(page), (100, 100))
    columns["drawn"][:] = True
    div = text - 2
    columns["background"][div] = (10, 20, 30, 255)
    columns["pictured"][image] = True
    columns["border"][page.parent[other]] = (0, 1, 0, 0)
    boxes = boxes_of([(0, 0, 20, 10), (0, 20, 40, 30), (0, 40, 10, 50)], [(1, 2, 3)] * 3,
                     (TEXT, TEXT, IMAGE), (text, other, image), (2, 4, 0))  # fmt: skip

    scene = read_scene(page, Layout(**columns), boxes)

    assert scene.sums[:, :5].tolist() == [
        [1, 200, 0, 2, 1],
        [1, 400, 0, 4, 1],
        [1, 100, 100, 0, 0],
    ]
    backgrounds = scene.sums[:, 9:12] / scene.sums[:, 6:7]
    assert backgrounds.round().tolist() == [[10, 20, 30], [255, 255, 255], [215, 215, 215]]
    assert len(set(scene.background.tolist())) == 3
    assert len(scene.surfaces) == 3
