"""Elements and cuts that the labels choose: the most a model could reach."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from pagelet.lab.segments.ceilings import (
    best_cuts,
    best_elements,
    best_elements_in_columns,
    has_joined_columns,
    has_parted_columns,
)
from pagelet.lab.segments.gold import TOP, examples_of
from pagelet.lab.segments.scores import bcubed_figures
from pagelet.methods.segments.visual.division import group_items
from pagelet.methods.segments.visual.elements import find_items
from tests.lab.segments.test_evaluation import blocks_page, drawn, still

NESTED = (
    "<div><div data-block=1><p>one</p><p>two</p></div><div><p data-block=1>three</p>"
    "<p data-block=1>four</p></div></div>"
)
MIXED = (
    "<div data-block=1><p>one</p><p>two</p><p>three</p></div>"
    "<div><p>four</p><p data-block=1>five</p></div>"
)


def example(html):
    return next(iter(examples_of([blocks_page("a", html)], drawn, None, still)))


def agreement(page, segments):
    return np.mean(bcubed_figures(segments.number, page.gold[TOP], page.boxes.chars))


@pytest.mark.parametrize("html", [NESTED, MIXED])
def test_no_other_choice_of_elements_is_better(html):
    page = example(html)
    items = find_items(page.page, page.layout, page.boxes)
    order = np.argsort(page.boxes.row, kind="stable")
    scores = []
    for divided in product((0.0, 1.0), repeat=len(items)):
        number = np.empty(len(order), np.intp)
        number[order] = group_items(items, np.array(divided), 0.5)[0]
        scores.append(np.mean(bcubed_figures(number, page.gold[TOP], page.boxes.chars)))
    assert agreement(page, best_elements(page, "blocks")) == pytest.approx(max(scores))


@pytest.mark.parametrize("find", [best_elements, best_cuts, best_elements_in_columns])
def test_blocks_below_one_another_are_found_exactly(find):
    page = example(NESTED)
    assert agreement(page, find(page, "blocks")) == 1
    assert len(find(page, "paragraphs")) >= 1  # no inner block is marked


def test_a_page_without_boxes_has_no_segments():
    page = example("<div data-block=1></div>")
    assert not len(best_elements(page, "blocks"))
    assert not len(best_cuts(page, "blocks"))


def test_people_join_columns_or_part_them():
    page = example(NESTED.replace("</p>", "<br>more<br>and more</p>"))
    count = len(page.boxes)
    left = np.arange(count) < count // 2
    place = np.where(left, np.arange(count), np.arange(count) - count // 2) * 120.0
    edges = (np.where(left, 0, 700), place, np.where(left, 600, 900), place + 100)
    left_edge, top, right, bottom = (each.astype(float) for each in edges)
    boxes = replace(page.boxes, left=left_edge, top=top, right=right, bottom=bottom)
    joined = replace(page, boxes=boxes, gold={TOP: np.zeros(count, np.intp)})
    parted = replace(page, boxes=boxes, gold={TOP: (~left).astype(np.intp)})
    assert has_joined_columns(joined)
    assert not has_parted_columns(joined)
    assert has_parted_columns(parted)
    assert not has_joined_columns(parted)
