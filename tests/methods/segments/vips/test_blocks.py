"""The rules of VIPS: each of them on a row worked by hand, then any page against the twin."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.methods.segments.vips import VipsOptions, vips_tree
from pagelet.methods.segments.vips.blocks import ATOM, extract_blocks, read_visible_rows
from tests.drawings import BOLD, drawing, drawings
from tests.naive.page_boxes import find, tree
from tests.naive.vips import Eyes, decide, every

SMALL = 100 * 100
LARGE, LITTLE, TINY = (0, 0, 200, 100), (0, 0, 99, 100), (0, 0, 9, 9)
RED = (255, 0, 0, 255)


def verdict(element, *place, **columns) -> tuple[int, int]:
    """Rule and degree of coherence of an element, which is row 1; places are by row from 1 on."""
    page, layout = drawing(
        ("body", element), dict(enumerate(place, 1)), size=(1000, 1000), **columns
    )
    blocks = extract_blocks(page, layout, read_visible_rows(page, layout), SMALL)
    return int(blocks.rule[1]), int(blocks.doc[1])


def inline(*rows: int) -> dict[str, dict[int, bool]]:
    return {"inline": dict.fromkeys(rows, True)}


@pytest.mark.parametrize("name", ["div", "span", "td", "tr", "table"])
def test_rule_1_nothing_below_is_cut(name):
    assert verdict((name, ("b",)), LARGE)[0] == 1  # what is below has no place


@pytest.mark.parametrize("name", ["div", "span", "td", "tr", "table"])
def test_rule_2_one_child_that_is_no_text_is_divided(name):
    assert verdict((name, ("b", "t")), LARGE, TINY, TINY, **inline(2))[0] == 2


@pytest.mark.parametrize("child", ["t", ("img",), ("input",), ("iframe",)])
def test_rule_4_one_text_is_a_block(child):
    assert verdict(("div", child), LARGE, TINY) == (4, 10)


def test_rule_4_texts_of_one_font_cohere_more():
    texts = ("div", "t", ("b", ("i", "t")), ("img",))
    place = (LARGE, TINY, TINY, TINY, TINY, TINY)
    assert verdict(texts, *place, **inline(3, 4)) == (4, 10)
    assert verdict(texts, *place, **inline(3, 4), font_weight={3: BOLD}) == (4, 9)
    assert verdict(texts, *place, **inline(3, 4), font_size={3: 20}) == (4, 9)
    assert verdict(texts, *place, **inline(3))[0] != 4  # a block inside is no text


def test_rule_4_is_not_for_tables():
    assert verdict(("table", "t", "t"), LARGE, TINY, TINY)[0] == 10


@pytest.mark.parametrize(("name", "rule"), [("p", 5), ("span", 5), ("div", 12), ("td", 13)])
def test_rule_5_what_flows_is_divided_at_line_breaks(name, rule):
    flows = inline(1) if name == "span" else {}
    most = (0, 0, 150, 100)
    assert verdict((name, "t", ("div", "t")), LARGE, TINY, most, TINY, **flows)[0] == rule


def test_rule_5_an_image_breaks_no_line():
    parts = ("p", ("img",), ("span", ("div", "t"), "t"))
    assert verdict(parts, LARGE, *[TINY] * 5, **inline(3))[0] == 10


def test_rule_6_a_drawn_line_divides():
    assert verdict(("div", ("a", "t"), ("hr",)), LARGE, TINY, TINY, TINY)[0] == 6
    assert verdict(("td", ("a", "t"), ("hr",)), LARGE, TINY, TINY, TINY)[0] == 10


def test_rule_7_children_larger_than_the_whole():
    halves = ((0, 0, 100, 100), TINY, (100, 0, 200, 100), TINY)
    parts = ("div", ("div", "t"), ("div", "t"))
    assert verdict(parts, LARGE, *halves)[0] == 12  # just as large
    assert verdict(parts, (0, 0, 199, 100), *halves)[0] == 7
    assert verdict(("tr", *parts[1:]), (0, 0, 199, 100), *halves)[0] == 7
    assert verdict(("table", *parts[1:]), (0, 0, 199, 100), *halves)[0] == 13


@pytest.mark.parametrize(("name", "rule"), [("table", 8), ("tr", 8), ("td", 9), ("div", 9)])
def test_rule_8_another_background(name, rule):
    parts = (name, "t", ("td", "t"))
    place = (LITTLE, TINY, TINY, TINY)
    assert verdict(parts, *place, background={3: RED})[0] == rule
    assert verdict(parts, *place, background={1: RED})[0] == (10 if rule == 8 else 9)
    assert verdict(parts, *place, background={1: RED, 3: (0, 255, 0, 255)})[0] == rule


def test_rule_8_makes_a_block_of_that_child():
    cell = ("td", ("div", ("p", "t"), ("p", "t")))
    tree = ("body", ("table", ("tr", cell, ("td", "t"))), ("p", "t"))
    left, right = (0, 0, 190, 400), (200, 0, 400, 100)
    above, under = (0, 0, 190, 100), (0, 300, 190, 400)
    table, last = (0, 0, 400, 400), (500, 0, 600, 100)
    listed = (last, table, table, left, left, above, above, under, under, right, right, last, last)
    options = VipsOptions(width=1, height=1, rounds=1)

    def apart(**columns) -> bool:
        drawn = drawing(tree, dict(enumerate(listed)), size=(600, 400), **columns)
        above, under = vips_tree(*drawn, options).leaf[[6, 8]]
        return bool(above != under)

    assert apart(background={9: RED})  # its cell is divided by rule 2
    assert not apart(background={3: RED})
    assert not apart()  # here the row of the table is a block


@pytest.mark.parametrize(("name", "doc"), [("div", 5), ("code", 7), ("section", 8), ("td", 8)])
def test_rule_9_a_small_one_with_text(name, doc):
    parts = (name, "t", ("div", "t"))
    assert verdict(parts, LITTLE, TINY, TINY, TINY) == (9, doc)
    assert verdict(parts, (0, 0, 100, 100), TINY, TINY, TINY)[0] == 10  # just not small
    assert verdict(parts, LARGE, TINY, (0, 0, 100, 100), TINY)[0] == (13 if name == "td" else 12)


@pytest.mark.parametrize(("name", "doc"), [("a", 11), ("section", 8), ("td", 8), ("table", 8)])
def test_rule_10_nothing_large_inside(name, doc):
    parts = (name, ("div", "t"), ("div", "t"))
    assert verdict(parts, LARGE, LITTLE, TINY, LITTLE, TINY) == (10, doc)
    larger = verdict(parts, LARGE, (0, 0, 100, 100), TINY, TINY, TINY)[0]
    assert larger == {"td": 13, "table": 13}.get(name, 12)


def test_rule_9_is_not_for_one_without_text():
    assert verdict(("div", ("div", "t"), ("div", "t")), LITTLE, *[TINY] * 4) == (10, 8)


def test_rules_11_and_13_a_large_cell_is_a_block():
    assert verdict(("td", ("p", "t"), ("p", "t")), LARGE, (0, 0, 150, 90), TINY, TINY, TINY) == (
        13,
        8,
    )


def test_rule_12_all_else_is_divided():
    parts = ("section", ("p", "t"), ("p", "t"))
    assert verdict(parts, LARGE, (0, 0, 150, 90), TINY, TINY, TINY)[0] == 12


@pytest.mark.parametrize(
    ("element", "doc"),
    [(("img", "t"), 8), (("input", "t"), 8), (("select", "t"), 8), (("frame", "t"), 8)],
)
def test_an_atom_is_a_block(element, doc):
    assert verdict(element, LARGE, TINY) == (ATOM, doc)


def test_what_has_no_place_is_passed_over():
    # the div in between is `display: contents`, and its two texts are as good as children
    place = (LARGE, (0, 0, 0, 0), TINY, TINY)
    assert verdict(("p", ("div", "t", "t")), *place, drawn={2: False})[0] == 4


@given(drawings(), st.sampled_from((1, 10_000, 140_000)))
def test_equals_the_twin(drawn, small):
    page, layout = drawn
    blocks = extract_blocks(page, layout, visible := read_visible_rows(page, layout), small)
    body = find(tree(page), max(page.body, 0))
    nodes = every(Eyes(page, layout).node(body, root=True)[0])
    assert sorted(node.row for node in nodes) == visible.valid.nonzero()[0].tolist()
    for node in nodes:
        rule, _, doc = decide(node, small)
        fast = (blocks.rule[node.row], blocks.doc[node.row])
        assert fast == (13 if rule == 11 else rule, doc)
        first, last = blocks.first[node.row : node.row + 2]
        assert blocks.children[first:last].tolist() == [child.row for child in node.below]
