"""Judging units: what is shared between two queries, and facts of texts against plain walks."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagelet import Query, parse
from pagelet.errors import OptionError
from pagelet.methods.noise.decision import judge
from pagelet.methods.noise.features import Units, count_pairs, unit_features
from pagelet.methods.noise.groups import NAMES, find_groups, subtree_sums
from pagelet.methods.noise.model import load_noise, noise_model
from pagelet.methods.noise.sheet import DATE, DIGITS, INSIDE, Sheet
from pagelet.page.query import NO_QUERY
from pagelet.page.signatures import path_signatures, row_signatures
from pagelet.page.tags import numbers
from tests.build import html, page_of, trees
from tests.results import html_of

QUERY = Query.of(["two words", "home"])
PAGE = parse(html_of(3, "tomato"))


def columns_of(sheet, query):
    model = noise_model()
    columns = sheet.columns | sheet.query_columns(query)
    return columns | sheet.lexicon_columns(model.names, model.words)


def features_of(sheet, query):
    columns = columns_of(sheet, query)
    sums = subtree_sums(sheet.page, columns)
    groups = find_groups(sheet, columns, sums)
    scores = noise_model().groups.predict(groups.features)
    return groups.features, *unit_features(sheet, columns, sums, groups, scores)


def test_the_shipped_model_was_fitted_to_these_features_in_this_order():
    model = noise_model()
    _, _, names = features_of(Sheet(PAGE), NO_QUERY)
    assert model.groups.names == NAMES
    assert model.units.names == names


def test_the_order_of_columns_does_not_matter():
    sheet = Sheet(PAGE)
    columns = columns_of(sheet, NO_QUERY)
    turned = dict(reversed(columns.items()))
    one, other = (
        find_groups(sheet, each, subtree_sums(PAGE, each)).features for each in (columns, turned)
    )
    assert np.array_equal(one, other)


@given(trees, st.sampled_from((QUERY, Query.of(["b"]), Query.of(["menu kana"]))))
@settings(max_examples=40)
def test_features_for_another_query_are_those_made_from_scratch(tree, query):
    sheet = Sheet(page_of(tree))
    if not len(sheet.rows):
        return
    before = columns_of(sheet, NO_QUERY)
    sums = subtree_sums(sheet.page, before)
    groups = find_groups(sheet, before, sums)
    units = Units(sheet, before, sums, groups)
    asked = columns_of(sheet, query)
    asked_sums = subtree_sums(sheet.page, asked)
    again = groups.asked(asked, asked_sums)
    scores = noise_model().groups.predict(again.features)
    features, _ = units.features(asked, asked_sums, again, scores)
    expected_groups, expected, _ = features_of(sheet, query)
    assert np.array_equal(again.features, expected_groups)
    assert np.array_equal(features, expected)


@pytest.mark.parametrize("asked", ["tomato", "packet", "all rights", "kale"])
def test_a_page_judged_with_a_query_has_the_features_of_that_query(asked):
    sheet, query = Sheet(PAGE), Query.of([asked])
    found = judge(sheet, noise_model(), query)
    groups, units, _ = features_of(sheet, query)
    assert np.array_equal(found.groups.features, groups)
    assert np.array_equal(found.features, units)


def test_groups_of_a_page_by_hand():
    item = ("li", ("b", "two words"), ("i", "x"))  # five rows
    page = page_of(html(("ul", item, item, ("p", "between"), item), ("ol", item)))
    sheet = Sheet(page)
    columns = columns_of(sheet, QUERY)
    found = find_groups(sheet, columns, subtree_sums(page, columns))
    items = [page.row(f"/html/body/ul/li[{at}]") for at in (1, 2, 3)]
    group = found.group[np.flatnonzero(found.rows == items[0])[0]]
    told = dict(zip(NAMES, found.features[group].tolist(), strict=True))
    assert found.rows[found.group == group].tolist() == items
    assert (told["members"], told["per_parent"], told["mean_rows"]) == (3, 3, 5)
    assert (told["gap"], told["has_query"], told["mean_query"]) == (6, 1, 2)  # 5 and 7 rows on
    assert told["uneven_gap"] == pytest.approx(1 / 6)
    assert told["query_share"] == pytest.approx(3 / 4)
    assert told["texts_share"] == pytest.approx(6 / 9)
    assert told["most_query_share"] == 1
    assert told["of_parent"] == pytest.approx(30 / 37)
    assert told["filled"] == pytest.approx(15 / 17)
    assert told["is_item"] == 1


def test_features_of_units_by_hand():
    items = [("li", ("b", text), ("i", "x")) for text in ("home", "kale", "two words", "leek")]
    sheet = Sheet(page_of(html(("ul", *items))))
    _, features, names = features_of(sheet, QUERY)
    told = dict(zip(names, features.T.tolist(), strict=True))
    assert told["query"] == [1, 0, 0, 0, 2, 0, 0, 0]
    assert told["phrase"] == [0, 0, 0, 0, 1, 0, 0, 0]
    assert told["path_query"] == told["tags_query"] == [0.5, 0] * 4
    assert told["path_phrase"] == [0.25, 0] * 4
    assert told["list_query"] == [1, 1, 0, 0, 2, 2, 0, 0]
    assert told["query_at+2"] == [0, 0, 2, 0, 0, 0, -1, -1]
    assert told["query_at-1"] == [-1, 1, 0, 0, 0, 2, 0, 0]
    assert told["same_text"] == [1, 4] * 4
    assert told["path_distinct_texts"] == [1, 0.25] * 4
    assert told["list_members"] == [4] * 8
    assert told["path_members"] == [4] * 8
    assert told["chars"] == [4, 1, 4, 1, 9, 1, 4, 1]


@pytest.mark.parametrize("typed", ["", "tomato"])
def test_a_query_that_the_page_repeats_changes_nothing(typed):
    source = html_of(3, "tomato").replace("<body>", f"<body><input name=q value='{typed}'>")
    sheet = Sheet(parse(source))
    bare, asked = (
        judge(sheet, noise_model(), NO_QUERY),
        judge(sheet, noise_model(), Query.of(["tomato"])),
    )
    assert asked.query.words == {"tomato"}
    same = np.array_equal(bare.probability, asked.probability)
    assert same == bool(typed)
    assert np.array_equal(asked.without_query, bare.probability)


def test_a_model_for_other_features_is_refused(tmp_path):
    model = noise_model()
    model.save(tmp_path / "a.npz")
    other = load_noise(Path(tmp_path / "a.npz"))
    names = ("other", *other.units.names[1:])
    units = type(other.units)(
        *(
            getattr(other.units, each)
            for each in ("roots", "feature", "threshold", "left", "value")
        ),
        depth=other.units.depth,
        names=names,
    )
    broken = type(other)(other.names, other.words, other.groups, units)
    with pytest.raises(OptionError):
        judge(Sheet(PAGE), broken, NO_QUERY)


@given(trees)
def test_facts_of_texts_equal_a_plain_reading(tree):
    page = page_of(tree)
    sheet = Sheet(page)
    if not len(sheet.rows):
        return
    texts = [
        " ".join(
            " ".join(page.text(row).split())
            for row in sheet.rows.tolist()
            if page.parent[row] == unit
        ).lower()
        for unit in sheet.units.tolist()
    ]
    shapes = [DIGITS.sub("0", text) for text in texts]
    assert sheet.unit_texts == texts
    assert sheet.dated.tolist() == [bool(DATE.search(text)) for text in texts]
    assert sheet.often[0].tolist() == [texts.count(text) for text in texts]
    assert sheet.often[1].tolist() == [shapes.count(shape) for shape in shapes]


@given(trees)
def test_places_and_paths_equal_those_asked_one_by_one(tree):
    page = page_of(tree)
    sheet = Sheet(page)
    expected = [page.inside(page.is_tag(*numbers(tags))) for tags in INSIDE.values()]
    assert np.array_equal(sheet.around, np.array(expected))
    for signs, classes in zip(sheet.signs, (True, False), strict=True):
        assert np.array_equal(signs, path_signatures(page, row_signatures(page, classes=classes)))


def test_dates_and_shapes_are_read_where_there_are_digits():
    texts = ("in 1999", "May 4th", "3 days ago", "May be", "in 7", "In 8")
    sheet = Sheet(page_of(html(*(("p", text) for text in texts))))
    assert sheet.dated.tolist() == [True, True, True, False, False, False]
    assert sheet.often[1].tolist() == [3, 1, 1, 1, 3, 3]


def test_a_place_within_a_place_of_its_kind_is_inside_both():
    inner = ("ul", ("li", ("ul", ("li", ("b", "x")))))
    page = page_of(html(("nav", inner), ("p", "y")))
    around = dict(zip(INSIDE, Sheet(page).around, strict=True))
    deepest = page.row("/html/body/nav/ul/li/ul/li/b")
    assert around["in_item"][deepest]
    assert around["in_edge"][deepest]
    assert not around["in_cell"].any()
    assert not around["in_edge"][page.row("/html/body/p")]


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 5)), max_size=20))
def test_different_numbers_of_groups_are_counted(pairs):
    group, number = np.array(pairs, np.intp).reshape(-1, 2).T
    expected = [len({each for at, each in pairs if at == one}) for one in range(5)]
    assert count_pairs(group, number, 5).tolist() == expected
