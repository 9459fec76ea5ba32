"""Box clustering: pages worked by hand, then any boxes against the slow twin."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagelet.methods.registry import option_fields
from pagelet.methods.segments.bcs import cluster_boxes, clustering, cut_by_options
from pagelet.methods.segments.bcs.options import MEAN, PAPER, REFERENCE_2016, BcsOptions
from pagelet.methods.segments.geometry.partition import Segments, members_of_segments
from pagelet.page.layout import boxes_of
from tests import layouts
from tests.effort import ends
from tests.naive.bcs import Bcs

PARAGRAPHS = boxes_of(
    [
        [0, 0, 100, 10],
        [0, 14, 100, 24],
        [0, 28, 100, 38],
        [0, 78, 100, 88],  # the second paragraph
        [0, 92, 100, 102],
    ]
)
WITHIN = (1 + 4 / 40) / 2 / 3  # a gap of 4 where one of the boxes knows a gap of 40

variants = st.builds(
    BcsOptions,
    far=st.sampled_from(("mean", "literal", "equidistant")),
    aligned=st.booleans(),
    rounds=st.sampled_from((1, 1, 1, 0, 2)),
    absorb=st.booleans(),
    forget=st.booleans(),
    stop_early=st.booleans(),
    colour_weight=st.sampled_from((0.0, 1.0)),
)


def groups(segments) -> set[frozenset[int]]:
    return {frozenset(members.tolist()) for members in members_of_segments(segments)}


def segment_bcs(boxes, options=MEAN) -> Segments:
    return cut_by_options(cluster_boxes(boxes, options), options)


# -- by hand --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("threshold", "expected"),
    [
        pytest.param(0.1, [-1, -1, -1, -1, -1], id="nothing is alike enough"),
        pytest.param(0.2, [-1, 0, 0, 1, 1], id="the first line knows one gap only: it is wide"),
        pytest.param(1 / 3, [0, 0, 0, 0, 0], id="both the first line and the paragraphs"),
    ],
)
def test_two_paragraphs(threshold, expected):
    found = segment_bcs(PARAGRAPHS, BcsOptions(threshold=threshold))
    assert found.number.tolist() == expected
    assert found.loose.tolist() == [at for at, number in enumerate(expected) if number < 0]


def test_joins_of_two_paragraphs():
    tree = cluster_boxes(PARAGRAPHS)
    assert tree.level == pytest.approx([WITHIN, WITHIN, 1 / 3, 1 / 3])
    # of the two that are equally alike, the smaller pair is first: the line joins its paragraph
    assert tree.parent.tolist() == [7, 5, 5, 6, 6, 7, 8, 8, -1]
    assert tree.loose.tolist() == [5, 3, 1, 0, 0]
    assert tree.clusters.tolist() == [0, 1, 2, 2, 1]


def test_lines_with_even_gaps_never_meet_by_the_letter():
    lines = boxes_of([[0, 20 * at, 100, 20 * at + 10] for at in range(5)])
    assert len(cluster_boxes(lines, BcsOptions(far="literal")).cut(0.99)) == 0
    assert len(cluster_boxes(lines, BcsOptions(far="mean")).cut(0.34)) == 1
    assert len(cluster_boxes(lines, BcsOptions(far="equidistant")).cut(0.0)) == 1


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(BcsOptions(stop="auto"), id="by itself"),
        pytest.param(BcsOptions(stop="count", segments=2), id="two segments"),
    ],
)
def test_a_page_of_two_paragraphs_finds_its_threshold(options):
    boxes = boxes_of(np.delete(PARAGRAPHS.edges, 0, axis=0))
    found = segment_bcs(boxes, options)
    assert found.number.tolist() == [0, 0, 1, 1]
    assert found.threshold == pytest.approx(WITHIN)
    assert groups(cluster_boxes(boxes).cut(found.threshold)) == groups(found)


@pytest.mark.parametrize("boxes", [0, 1])
@pytest.mark.parametrize("stop", ["threshold", "auto", "count"])
def test_hardly_a_page(boxes, stop):
    page = boxes_of([[0, 0, 5, 5]] * boxes)
    found = segment_bcs(page, BcsOptions(stop=stop))
    assert (len(found), len(found.loose)) == (0, boxes)


def test_boxes_without_area_stay_loose():
    found = segment_bcs(boxes_of([[0, 0, 9, 9], [4, 4, 4, 9], [4, 12, 9, 12], [0, 12, 9, 20]]))
    assert found.number.tolist() == [0, -1, -1, 0]


def test_the_order_of_boxes_does_not_matter():
    boxes = layouts.columns(60)
    order = np.random.default_rng(1).permutation(len(boxes))
    turned = {
        frozenset(order[list(group)].tolist())
        for group in groups(cluster_boxes(boxes.take(order)).cut(0.4))
    }
    assert turned == groups(cluster_boxes(boxes).cut(0.4))


def test_options_have_help_and_ranges():
    for field in option_fields(BcsOptions):
        assert field.help
        field.check(field.default)


# -- against the twin -----------------------------------------------------------------------------


@settings(max_examples=150)
@given(layouts.layouts(), st.sampled_from((0.0, 0.2, 0.35, 0.5, 1.0)))
def test_equals_the_slow_twin(boxes, threshold):
    found = cluster_boxes(boxes).cut(threshold)
    assert groups(found) == Bcs(boxes, MEAN).run(threshold)


@settings(max_examples=200)
@given(layouts.layouts(), variants, st.sampled_from((0.1, 0.4, 1.0)))
def test_equals_the_slow_twin_with_any_options(boxes, options, threshold):
    found = cluster_boxes(boxes, options).cut(threshold)
    assert groups(found) == Bcs(boxes, options).run(threshold)


@settings(max_examples=30)
@given(layouts.layouts(most=30, reach=40), st.sampled_from((MEAN, PAPER, REFERENCE_2016)))
def test_equals_the_slow_twin_on_larger_boards(boxes, options):
    found = cluster_boxes(boxes, options).cut(1.0)
    assert groups(found) == Bcs(boxes, options).run(1.0)


@pytest.mark.parametrize("layout", [layouts.grid, layouts.columns, layouts.scattered])
@pytest.mark.parametrize("options", [MEAN, BcsOptions(absorb=True)], ids=["mean", "absorb"])
def test_equals_the_slow_twin_on_a_page(layout, options):
    boxes = layout(70)
    found = cluster_boxes(boxes, options)
    assert groups(found.cut(1.0)) == Bcs(boxes, options).run(1.0)


# -- cost -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", [layouts.staircase, layouts.sheets, layouts.heap])
def test_boxes_all_over_each_other_end(layout):
    with ends():
        segment_bcs(layout(1500))


def test_a_tangle_is_given_up_and_says_so(monkeypatch):
    boxes = layouts.scattered(200)
    assert segment_bcs(boxes).complete
    monkeypatch.setattr(clustering, "COMPARISONS_PER_BOX", 1)
    monkeypatch.setattr(clustering, "RESERVE_COMPARISONS", 0)
    assert not segment_bcs(boxes).complete
