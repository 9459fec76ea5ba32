"""Learning where people cut a page."""

import json

import numpy as np
import pytest

from pagelet.lab.segments.fit import fit_cuts, gaps_of, label_gaps
from pagelet.lab.segments.training import SegmentsTraining, card_of, train_segments
from pagelet.methods.segments.geometry.rectangles import DOWN
from pagelet.methods.segments.visual.gaps import FEATURE_NAMES
from pagelet.methods.segments.visual.scene import SUM_COLUMNS, Scene, find_strips
from pagelet.models.trees import read_trees
from pagelet.page.layout import boxes_of

ROWS = [(0, y, 100, y + 10) for y in (0, 20, 100, 120, 200)]


def scene_of_rows(edges=ROWS) -> Scene:
    lines = np.array(edges, float).reshape(-1, 4)
    return Scene(
        lines, np.ones((len(lines), SUM_COLUMNS)), np.zeros(len(lines), np.intp), lines, (100, 250)
    )


def parts(block, chars=10, edges=ROWS):
    scene, boxes = scene_of_rows(edges), boxes_of(edges, chars=chars)
    strips = find_strips(scene.edges, np.arange(len(boxes)), np.zeros(len(boxes), np.intp), DOWN)
    labelled, cut = label_gaps(strips, np.array(block), boxes.chars.astype(np.intp))
    return labelled.tolist(), cut.tolist()


def test_a_gap_parts_blocks_when_no_block_lies_on_both_sides():
    assert parts([0, 0, 1, 1, 2]) == ([True] * 4, [False, True, False, True])


def test_what_lies_in_no_block_says_nothing():
    labelled, cut = parts([-1, 0, 0, 1, -1])
    assert labelled == [False, True, True, False]
    assert cut == [False, False, True, False]


def test_a_little_of_a_block_on_the_other_side_is_forgiven():
    assert parts([0, 1, 0, 1, 1], [100, 2, 100, 100, 100])[1] == [False, False, True, False]
    assert parts([0, 1, 0, 1, 1], [100, 50, 100, 100, 100])[1] == [False, False, False, False]


def test_gaps_are_those_of_groups_one_comes_by():
    boxes = boxes_of(ROWS, chars=10)
    found = gaps_of(scene_of_rows(), boxes, np.array([0, 0, 1, 1, 2]), 0.0)

    # four of the page, then one each of the first two blocks; the last has but one box
    assert len(found.cut) == 6
    assert int(found.cut.sum()) == 2
    assert found.measures.shape == (6, len(FEATURE_NAMES))
    large = gaps_of(scene_of_rows(), boxes, np.array([0, 0, 1, 1, 2]), 0.7)
    assert len(large.cut) == 4  # the parts are too small to be learned from


def test_a_page_without_boxes_has_no_gaps():
    assert not len(gaps_of(scene_of_rows([]), boxes_of([]), np.zeros(0, np.intp), 0.0).cut)


def many_pages():
    """Pages in which a wide gap parts two blocks, at a place that varies."""
    pages = []
    for page in range(20):
        at = 2 + page % 5
        tops = [20 * line + (60 if line >= at else 0) for line in range(10)]
        edges = [(0, y, 100, y + 10) for y in tops]
        block = np.array([int(line >= at) for line in range(10)])
        pages.append(gaps_of(scene_of_rows(edges), boxes_of(edges, chars=9), block, 0.0))
    return pages


@pytest.mark.parametrize("granularity", ["blocks", "paragraphs"])
def test_a_model_learns_that_wide_gaps_part(granularity):
    pages = many_pages()
    model = fit_cuts(pages, granularity)

    scores = model.predict(pages[0].measures)
    assert (scores > 0).tolist() == pages[0].cut.tolist()
    again = fit_cuts(pages, granularity).predict(pages[0].measures)
    assert again.tolist() == scores.tolist()


def test_a_card_describes_the_data_and_the_learner():
    card = card_of("mine", many_pages(), SegmentsTraining(seed=3))

    assert card["data"]["mine"]["pages"] == 20
    assert card["data"]["mine"]["licence"] == "the user's own"
    assert card["learner"]["seed"] == 3


def test_a_model_is_written_with_its_card(tmp_path, monkeypatch):
    monkeypatch.setattr("pagelet.lab.segments.training.draw_examples", lambda *_, **__: [])
    monkeypatch.setattr("pagelet.lab.segments.training.labelled_gaps", lambda *_: many_pages())
    target = tmp_path / "own.npz"
    train_segments(tmp_path, target, SegmentsTraining(seed=3))

    assert read_trees(target.read_bytes(), "made").names == FEATURE_NAMES
    card = json.loads(target.with_suffix(".json").read_text())
    assert card == card_of(tmp_path.name, many_pages(), SegmentsTraining(seed=3))
