"""Segments by rules: fields are runs of text."""

from dataclasses import replace

import numpy as np
import pytest

from pagelet.methods.segments.visual.rules import group_fields
from pagelet.page.html import parse as page_of
from pagelet.page.layout import IMAGE, TEXT, Layout, boxes_of, empty_layout

PAGE = page_of("<body><p>one two</p><p>three<b>four</b></p><img>")
ONE, THREE, FOUR = np.flatnonzero(PAGE.tag == 0).tolist()


def layout() -> Layout:
    columns = empty_layout(len(PAGE), (500, 500))
    columns["font_size"][:] = 16
    columns["inline"][PAGE.parent[FOUR]] = True
    return Layout(**columns)


def fields(edges, row, kind=TEXT, colour=(0, 0, 0), drawn=None, *, with_dom=False) -> list[int]:
    found = group_fields(
        PAGE, drawn or layout(), boxes_of(edges, colour, kind, row), with_dom=with_dom
    )
    return np.unique(found, return_inverse=True)[1].tolist()


LINE, BELOW, FAR = (0, 0, 200, 20), (0, 22, 150, 42), (0, 60, 150, 80)
BESIDE, APART = (205, 0, 260, 20), (230, 0, 290, 20)


@pytest.mark.parametrize(
    ("edges", "together"),
    [
        ((LINE, BELOW), True),
        ((LINE, (0, 18, 150, 38)), True),  # lines may overlap a little
        ((LINE, FAR), False),
        ((LINE, BESIDE), True),
        ((LINE, APART), False),
        ((LINE, (190, 22, 400, 42)), False),  # hardly below
    ],
)
def test_lines_that_follow_closely_are_one_field(edges, together):
    assert (len(set(fields(edges, (ONE, ONE)))) == 1) == together


def test_another_colour_size_or_weight_begins_a_field():
    assert len(set(fields((LINE, BELOW), (ONE, THREE), colour=[(0, 0, 0), (9, 0, 0)]))) == 2
    for name in ("font_size", "font_weight"):
        column = getattr(layout(), name).copy()
        column[THREE] += 1
        other = replace(layout(), **{name: column})
        assert len(set(fields((LINE, BELOW), (ONE, THREE), drawn=other))) == 2


def test_a_picture_stands_for_itself():
    assert len(set(fields((LINE, BELOW), (ONE, len(PAGE) - 1), (TEXT, IMAGE)))) == 2


def test_with_the_elements_a_field_keeps_to_its_block():
    lines = (LINE, BELOW, (155, 22, 200, 42))
    assert fields(lines, (ONE, THREE, FOUR)) == [0, 0, 0]
    apart = fields(lines, (ONE, THREE, FOUR), with_dom=True)
    assert apart[1] == apart[2] != apart[0]
