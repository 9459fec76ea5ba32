"""Segments against people's blocks: baselines, choices of values, the cache, the tables."""

import json
from dataclasses import fields, replace
from types import SimpleNamespace

import numpy as np
import pytest

from pagelet import parse
from pagelet.errors import NoGold
from pagelet.lab.segments import segmenters
from pagelet.lab.segments.evaluation import segments_picture, segments_tables
from pagelet.lab.segments.gold import (
    SUB,
    TOP,
    BlocksPage,
    RenderingCache,
    default_folder,
    examples_of,
    marked_html,
)
from pagelet.lab.segments.published import PUBLISHED_TIME
from pagelet.lab.segments.runs import METRICS, SegmenterScores, agreement
from pagelet.lab.segments.segmenters import (
    THRESHOLDS,
    Segmenter,
    all_segmenters,
    each_box,
    split_tree,
    three_bands,
    whole_page,
)
from pagelet.methods.segments.bcs import cluster_boxes
from pagelet.methods.segments.bcs.options import BcsOptions
from pagelet.methods.segments.geometry.partition import segments_of
from pagelet.methods.segments.vips import VipsOptions, segment_vips
from pagelet.page.layout import Layout, boxes_of, empty_layout
from pagelet.page.table import same_page

PAGE = (
    "<body><div class=all><div class=head data-block=1>Head</div>"
    "<div class=main><div data-block=1><p data-block=2>One</p><p data-block=2>Two</p></div></div>"
    "</div></body>"
)


def still(*_):
    """Progress that nobody watches."""


def drawn(given):
    """A page whose texts stand one below the other, 100 pixels apart, in nested elements."""
    page = parse(given.html, url=f"https://{given.site}/")
    texts = np.flatnonzero(~page.element)
    columns = empty_layout(len(page), (500, 100 * max(len(texts), 1)), len(texts))
    place = np.cumsum(~page.element) - 1
    inside = page.sum_subtree(~page.element)
    columns["top"] = 100.0 * (place + page.element)
    columns["bottom"] = columns["top"] + 100.0 * inside - 80
    columns["right"] = np.full(len(page), 400.0)
    columns["drawn"] = inside > 0
    columns["paint"] = np.arange(len(page))
    columns["line_row"], columns["line_chars"] = texts, page.chars[texts]
    for side in ("top", "right", "bottom"):
        columns[f"line_{side}"] = columns[side][texts]
    return page, Layout(**columns)


def blocks_page(name="a", html=PAGE):
    return BlocksPage(f"{name}/x.blocks.html", name, None, marked_html(html))


@pytest.fixture
def example():
    (found,) = examples_of([blocks_page()], drawn, None, still)
    return found


# -- examples ---------------------------------------------------------------------------------


def test_boxes_know_their_blocks_and_no_method_sees_a_mark(example):
    assert example.boxes.top.tolist() == [0, 100, 200]
    assert example.gold[TOP].tolist() == [0, 1, 1]
    assert example.gold[SUB].tolist() == [-1, 0, 1]
    assert "gold" not in example.page.source
    assert example.marked(SUB) == 2


def test_what_was_drawn_is_kept(tmp_path):
    calls = []

    def draw(given):
        calls.append(given.name)
        return drawn(given)

    pages = [blocks_page("a"), blocks_page("b", "<p data-block=1>ü</p>")]
    first = list(examples_of(pages, draw, RenderingCache(tmp_path, "1"), still))
    again = list(examples_of(pages, draw, RenderingCache(tmp_path, "1"), still))
    assert len(calls) == 2
    for one, other in zip(first, again, strict=True):
        assert same_page(one.page, other.page)
        for part in fields(Layout):
            values = (getattr(each.layout, part.name) for each in (one, other))
            np.testing.assert_array_equal(*values)
        assert isinstance(other.layout.page_width, float)
    list(examples_of([pages[0], blocks_page("b", "<p data-block=1>u</p>")], draw,
                     RenderingCache(tmp_path, "1"), still))  # fmt: skip
    assert len(calls) == 3  # another page
    list(examples_of(pages, draw, RenderingCache(tmp_path, "2"), still))
    assert len(calls) == 5  # drawn another way
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize("damage", [b"", b"PK\3\4", b"no archive at all"])
def test_a_damaged_file_is_drawn_again(tmp_path, damage):
    kept, given = RenderingCache(tmp_path, "1"), blocks_page()
    kept.path(given).write_bytes(damage)
    assert kept.get(given) is None
    list(examples_of([given], drawn, kept, still))
    assert kept.get(given) is not None


def test_drawn_pages_are_kept_in_the_folder_for_such_things(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "pagelet" / "renderings"


def test_a_file_of_another_page_is_not_taken(tmp_path):
    kept, given = RenderingCache(tmp_path, "1"), blocks_page()
    page, _ = drawn(given)
    _, other = drawn(blocks_page(html="<p>longer<p>page<p>than<p>that<p>other<p>one<p>was"))
    kept.put(given, page, other)
    assert kept.get(given) is None


# -- baselines --------------------------------------------------------------------------------


def test_whole_page_each_box_and_bands():
    edges = [(0, 140, 9, 158), (0, 140, 9, 162), (0, 900, 9, 998), (0, 949, 9, 951)]
    boxes = boxes_of(edges, page=(9, 1000))
    assert whole_page(boxes).number.tolist() == [0, 0, 0, 0]
    assert sorted(each_box(boxes).number.tolist()) == [0, 1, 2, 3]
    assert three_bands(boxes).number.tolist() == [0, 1, 1, 2]
    empty = boxes.take(np.arange(0))
    assert [len(way(empty)) for way in (whole_page, each_box, three_bands)] == [0, 0, 0]


def test_the_tree_is_split_where_it_first_branches(example):
    found = split_tree(example.page, example.layout, example.boxes)
    assert found.number.tolist() == [0, 1, 1]


def test_what_covers_most_of_the_page_is_split_again(example):
    for most, numbers in ((0.3, [0, 1, 2]), (0.9, [0, 1, 1])):
        found = split_tree(example.page, example.layout, example.boxes, most)
        assert found.number.tolist() == numbers


def test_a_page_of_one_chain_is_one_segment():
    (one,) = examples_of([blocks_page(html="<div><p data-block=1>a</p></div>")], drawn, None, still)
    assert split_tree(one.page, one.layout, one.boxes).number.tolist() == [0]
    (none,) = examples_of([blocks_page(html="<div data-block=1></div>")], drawn, None, still)
    assert len(split_tree(none.page, none.layout, none.boxes)) == 0


# -- choices of values ------------------------------------------------------------------------


def test_metrics_over_marked_boxes_alone():
    gold, chars = np.array([0, 0, 1, -1]), np.array([5, 5, 90, 900])
    right = agreement(np.array([3, 3, 0, 0], np.int32), gold, chars)
    assert right == (1, 1, 1, 1)
    whole = dict(zip(METRICS, agreement(np.zeros(4, np.int32), gold, chars), strict=True))
    # precision of the two pairs 2/3 and 1/3, recall 1
    assert whole["F"] == pytest.approx(2 / 3)
    assert whole["ARI"] == 0
    # precision (2 * 2/3 + 1/3) / 3 = 5/9 over boxes; 10 * .1 + 90 * .9 = 82 of 100 characters
    assert whole["boxes"] == pytest.approx(2 * 5 / 9 / (1 + 5 / 9))
    assert whole["characters"] == pytest.approx(2 * 0.82 / 1.82)


def test_boxes_count_where_there_is_no_text():
    gold, number = np.array([0, 0, 1]), np.zeros(3, np.int32)
    scores = agreement(number, gold, np.zeros(3, np.int32))
    assert scores[2] == scores[3] > 0


def scores_of(boxed, segmenter=Segmenter("way", prepare=None, values=(0.5, 0.7), parameter="CT")):
    """SegmenterScores of two values on pages, all metrics alike but for ARI, where 0.7 is best."""
    metrics = np.repeat(np.array(boxed)[:, :, None], len(METRICS), axis=2).astype(float)
    metrics[:, :, 1] = (0.0, 1.0)
    count = np.tile((2.0, 8.0), (len(boxed), 1))
    return SegmenterScores(segmenter, metrics, count, count * 10)


def test_fixed_best_fixed_and_oracle():
    rows = scores_of([(0.9, 0.2), (0.9, 0.2), (0.1, 0.8)]).rows(["a", "b", "c"])
    names = [row[0] for row in rows]
    assert names == ["way, fixed", "way, best fixed", "way, oracle"]
    fixed, best, oracle = ({"F": row[1], "sd": row[2], "ARI": row[3], "chars": row[5],
                            "segments": row[-3], "ms": row[-2], "parameter": row[-1]}
                           for row in rows)  # fmt: skip
    assert best["F"] == pytest.approx((0.9 + 0.9 + 0.1) / 3)
    assert best["sd"] == pytest.approx(np.std([0.9, 0.9, 0.1]))
    assert (best["ARI"], best["parameter"], best["segments"], best["ms"]) == (0, "CT 0.5", 2, 20)
    # others say 0.5 = .5 and 0.7 = .5 of a and b, the first of equals is taken; 0.5 of c
    assert fixed["F"] == best["F"]
    assert oracle["F"] == pytest.approx((0.9 + 0.9 + 0.8) / 3)
    assert oracle["ARI"] == 1  # for each metric by itself
    assert oracle["segments"] == pytest.approx(4)
    assert oracle["parameter"] == "CT 0.5 to 0.7"


def test_a_fixed_value_has_not_seen_its_site():
    two = scores_of([(0.9, 0.2), (0.1, 0.8)])
    apart = two.rows(["a", "b"])[0]
    assert apart[1] == pytest.approx((0.2 + 0.1) / 2)  # each has the other's best
    assert [row[0] for row in two.rows(["a", "a"])] == ["way, best fixed", "way, oracle"]


def test_scores_on_some_pages():
    some = scores_of([(0.9, 0.2), (0.1, 0.8)]).take(np.array([False, True]))
    assert some.rows(["b"])[0] == ("way, best fixed", 0.8, 0, 1, 0, 0.8, 0, 0.8, 0, 8, 80, "CT 0.7")


def test_answers_of_a_way_share_what_is_done_once(example, monkeypatch):
    begun = []
    way = Segmenter(
        "w",
        lambda of: begun.append(of) or of.boxes,
        lambda boxes, value: segments_of(boxes, np.full(len(boxes), int(value))),
        (1.0, 2.0),
        "v",
    )
    now = iter([0.0, 3.0, 10.0, 11.0, 20.0, 22.0])  # seconds
    monkeypatch.setattr(segmenters, "thread_time", lambda: next(now))
    found = list(way.answers(example))
    assert len(begun) == 1
    assert [ms for _, ms in found] == [4000, 5000]  # each with what was done once


def test_every_value_of_a_parameter_is_asked(example):
    ways = {way.name: way for way in all_segmenters()}
    assert tuple(np.arange(1, 11) / 10) == THRESHOLDS
    for value, (found, _) in zip(THRESHOLDS, ways["BCS paper"].answers(example), strict=True):
        alone = cluster_boxes(example.boxes, BcsOptions(far="literal")).cut(value)
        assert found.threshold == value
        assert np.array_equal(found.number, alone.number)
    for value, (found, _) in zip(range(1, 11), ways["VIPS"].answers(example), strict=True):
        alone = segment_vips(example.page, example.layout, example.boxes, VipsOptions(pdoc=value))
        assert found.threshold == value
        assert np.array_equal(found.number, alone.number)


def test_the_default_is_asked_for_all_it_offers(example, monkeypatch):
    calls = []

    def answer(page, layout, boxes, options, trees):
        calls.append((options.granularity, options.with_dom))
        return SimpleNamespace(segments=whole_page(boxes))

    monkeypatch.setitem(segmenters.SEGMENTERS, "visual", answer)
    ours = [way for way in all_segmenters() if way.name.startswith("default")]
    for way in ours:
        list(way.answers(example))
    assert dict(zip((way.name for way in ours), calls, strict=True)) == {
        "default, page, shipped": ("page", False),
        "default, shipped": ("blocks", False),
        "default, paragraphs, shipped": ("paragraphs", False),
        "default, fields": ("fields", False),
        "default, page, --with-dom, shipped": ("page", True),
        "default, --with-dom, shipped": ("blocks", True),
        "default, paragraphs, --with-dom, shipped": ("paragraphs", True),
        "default, fields, --with-dom": ("fields", True),
    }


def test_boxes_of_no_known_row_are_in_no_part_of_the_tree(example):
    boxes = replace(example.boxes, row=np.array([-1, *example.boxes.row[1:]]))
    assert split_tree(example.page, example.layout, boxes).number.tolist() == [-1, 0, 1]


# -- tables -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tables():
    blank = blocks_page("blank", "<div data-block=1></div>")
    bare = blocks_page("bare", "<p>a</p>")
    pages = [blocks_page("a"), blocks_page("b"), blank, bare]
    examples = list(examples_of(pages, drawn, None, still))
    return segments_tables("small", examples, all_segmenters(), still)


def test_every_way_stands_in_both_tables(tables):
    wanted = {"whole page", "each box", "three bands", "tree, first branching",
              "tree, what covers most", "BCS paper, fixed", "BCS paper, best fixed",
              "BCS paper, oracle", "BCS paper, auto", "BCS 2016, auto", "VIPS, fixed",
              "VIPS, oracle", "default, shipped", "default, --with-dom, shipped",
              "default, paragraphs, shipped", "default, fields"}  # fmt: skip
    for name in ("blocks", "inner"):
        assert wanted <= {row[0] for row in tables[name].rows}
    json.dumps({name: table.to_dict() for name, table in tables.items()})


def test_figures_of_the_small_page(tables):
    blocks, inner = tables["blocks"], tables["inner"]
    assert blocks.value("tree, first branching", "boxes") == 1
    assert blocks.value("tree, first branching", "segments") == 2
    assert blocks.value("whole page", "boxes") == pytest.approx(2 * 5 / 9 / (1 + 5 / 9))
    assert blocks.value("whole page", "boxes sd") == 0
    assert inner.value("each box", "F") == 1
    assert all(0 <= cell <= 1 for row in blocks.rows for cell in row[1:3])


def test_what_was_left_out_is_said(tables):
    notes = tables["blocks"].notes
    assert notes[0].startswith("2 pages, 3 boxes per page (most 3), found in ")
    assert notes[0].endswith(" 0 of 6 boxes lie in no such block and are left out.")
    assert "blank/x.blocks.html" in notes[1]
    assert "bare/x.blocks.html" in notes[1]
    assert "2 of 6 boxes" in tables["inner"].notes[0]


def test_the_ratio_of_times_is_said(example, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(segmenters, "thread_time", lambda: now[0])

    def taking(seconds):
        def begin(of):
            now[0] += seconds
            return whole_page(of.boxes)

        return begin

    ways = [
        Segmenter("VIPS", taking(6), parameter="PDoC"),
        Segmenter("BCS paper", taking(2), parameter="CT"),
    ]
    notes = segments_tables("small", [example], ways, still)["blocks"].notes
    assert f"VIPS takes 3.0 times as long as BCS; {PUBLISHED_TIME}." in notes


def test_no_marked_box_at_all():
    examples = list(examples_of([blocks_page(html="<p>a")], drawn, None, still))
    with pytest.raises(NoGold):
        segments_tables("small", examples, [], still)


def test_published_figures_have_a_mean(tables):
    published = tables["published"]
    assert published.value("novinky.cz index", "BCS F") == 0.4265
    assert published.value("mean", "VIPS ms") == round(32099 / 8)


def test_the_picture_shows_ways_without_an_oracle(tables):
    drawn = segments_picture(tables)
    assert drawn.count("<circle") == 8  # too few sites for models of their own: shipped ones
    assert 'class="ours"' in drawn
    assert "default, --with-dom, shipped: F1 " in drawn
    assert "oracle" not in drawn
