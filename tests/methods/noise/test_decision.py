"""Judging units: what is shared between two queries, and facts of texts against plain walks."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagelet import Query, parse
from pagelet.errors import OptionError
from pagelet.methods.noise.best_records import best_records
from pagelet.methods.noise.decision import judge, noise_model, read_noise_model
from pagelet.methods.noise.features import unit_features
from pagelet.methods.noise.groups import (
    GROUP_FEATURES,
    PageMeasures,
    columns_for_query,
    group_features,
    page_columns,
)
from pagelet.methods.noise.sheet import DATE, DIGITS, PLACE_BITS, PLACES, TextSheet
from pagelet.page.query import NO_QUERY
from pagelet.page.signatures import path_signatures, row_signatures
from pagelet.page.tags import numbers
from tests.build import html, page_of, trees
from tests.cores import ask_both, twins
from tests.naive.noise_features import Measures
from tests.results import html_of

QUERY = Query.of(["two words", "home"])
PAGE = parse(html_of(3, "tomato"))


def measures_of(sheet, query):
    model = noise_model()
    lexicon = sheet.lexicon_columns(model.names, model.words)
    return PageMeasures.of(sheet, page_columns(sheet, query, lexicon))


def features_of(measures):
    groups = group_features(measures)
    return groups, unit_features(measures, noise_model().groups.predict(groups.rows))


def test_the_shipped_model_was_fitted_to_these_features_in_this_order():
    model = noise_model()
    groups, units = features_of(measures_of(TextSheet(PAGE), NO_QUERY))
    assert model.groups.names == GROUP_FEATURES == groups.names
    assert model.units.names == units.names


@given(trees, st.sampled_from((QUERY, Query.of(["b"]), Query.of(["menu kana"]))))
@settings(max_examples=40)
def test_features_for_another_query_are_those_made_from_scratch(tree, query):
    sheet = TextSheet(page_of(tree))
    if not len(sheet.rows):
        return
    before = measures_of(sheet, NO_QUERY)
    after = before.with_columns(columns_for_query(sheet, before.columns, query))
    for table, expected in zip(
        features_of(after), features_of(measures_of(sheet, query)), strict=True
    ):
        assert np.array_equal(table.lines, expected.lines)


@twins
@given(trees, st.sampled_from((NO_QUERY, QUERY)))
def test_both_cores_give_the_same_features(tree, query):
    page = page_of(tree)

    def ask():
        sheet = TextSheet(page)
        return [each.lines.tolist() for each in features_of(measures_of(sheet, query))]

    if len(TextSheet(page).rows):
        compiled, python = ask_both(ask)
        assert compiled == python


def check_features(page, query):
    measures = measures_of(TextSheet(page), query)
    groups, units = features_of(measures)
    plain, scores = Measures(measures), noise_model().groups.predict(groups.rows)
    best = best_records(page, measures.sheet.units, measures.groups, scores)
    for table, expected in (
        (groups, plain.group_features()),
        (units, plain.unit_features(best, scores)),
    ):
        for line, each in zip(table.rows.tolist(), expected, strict=True):
            found = dict(zip(table.names, line, strict=True))
            plainly = {name: float(value) for name, value in each.items()}
            assert found == pytest.approx(plainly, rel=1e-5, abs=1e-5)


@given(trees, st.sampled_from((NO_QUERY, QUERY)))
@settings(max_examples=40)
def test_features_equal_those_counted_one_by_one(tree, query):
    page = page_of(tree)
    if len(TextSheet(page).rows):
        check_features(page, query)


@pytest.mark.parametrize("query", [NO_QUERY, Query.of(["tomato seeds"])])
def test_features_of_a_result_page_equal_those_counted_one_by_one(query):
    check_features(PAGE, query)


@pytest.mark.parametrize("words", ["tomato", "packet", "all rights", "kale"])
def test_a_page_judged_with_a_query_has_the_features_of_that_query(words):
    sheet, query = TextSheet(PAGE), Query.of([words])
    judgement = judge(sheet, noise_model(), query)
    groups, units = features_of(measures_of(sheet, query))
    assert np.array_equal(judgement.scores, noise_model().groups.predict(groups.rows))
    assert np.array_equal(judgement.features.lines, units.lines)


def test_groups_of_a_page_by_hand():
    item = ("li", ("b", "two words"), ("i", "x"))  # five rows
    page = page_of(html(("ul", item, item, ("p", "between"), item), ("ol", item)))
    measures = measures_of(TextSheet(page), QUERY)
    found, table = measures.groups, group_features(measures)
    items = [page.row(f"/html/body/ul/li[{at}]") for at in (1, 2, 3)]
    group = found.group[np.flatnonzero(found.rows == items[0])[0]]
    features = dict(zip(GROUP_FEATURES, table.rows[group].tolist(), strict=True))
    assert found.rows[found.group == group].tolist() == items
    assert (features["members"], features["per_parent"], features["mean_rows"]) == (3, 3, 5)
    assert (features["gap"], features["has_query"], features["mean_query"]) == (
        6,
        1,
        2,
    )  # 5 and 7 rows on
    assert features["uneven_gap"] == pytest.approx(1 / 6)
    assert features["query_share"] == pytest.approx(3 / 4)
    assert features["texts_share"] == pytest.approx(6 / 9)
    assert features["most_query_share"] == 1
    assert features["of_parent"] == pytest.approx(30 / 37)
    assert features["filled"] == pytest.approx(15 / 17)
    assert features["is_item"] == 1


def test_features_of_units_by_hand():
    items = [("li", ("b", text), ("i", "x")) for text in ("home", "kale", "two words", "leek")]
    sheet = TextSheet(page_of(html(("ul", *items))))
    _, table = features_of(measures_of(sheet, QUERY))
    features = dict(zip(table.names, table.lines.tolist(), strict=True))
    assert features["query"] == [1, 0, 0, 0, 2, 0, 0, 0]
    assert features["phrase"] == [0, 0, 0, 0, 1, 0, 0, 0]
    assert features["path_query"] == features["tags_query"] == [0.5, 0] * 4
    assert features["path_phrase"] == [0.25, 0] * 4
    assert features["list_query"] == [1, 1, 0, 0, 2, 2, 0, 0]
    assert features["query_at+2"] == [0, 0, 2, 0, 0, 0, -1, -1]
    assert features["query_at-1"] == [-1, 1, 0, 0, 0, 2, 0, 0]
    assert features["same_text"] == [1, 4] * 4
    assert features["path_distinct_texts"] == [1, 0.25] * 4
    assert features["list_members"] == [4] * 8
    assert features["path_members"] == [4] * 8
    assert features["chars"] == [4, 1, 4, 1, 9, 1, 4, 1]


@pytest.mark.parametrize("typed", ["", "tomato"])
def test_a_query_that_the_page_repeats_changes_nothing(typed):
    source = html_of(3, "tomato").replace("<body>", f"<body><input name=q value='{typed}'>")
    sheet = TextSheet(parse(source))
    without, with_query = (
        judge(sheet, noise_model(), NO_QUERY),
        judge(sheet, noise_model(), Query.of(["tomato"])),
    )
    assert with_query.query.words == {"tomato"}
    same = np.array_equal(without.probability, with_query.probability)
    assert same == bool(typed)
    assert np.array_equal(with_query.without_query, without.probability)


def test_a_model_for_other_features_is_refused(tmp_path):
    model = noise_model()
    (tmp_path / "a.npz").write_bytes(model.to_bytes())
    other = read_noise_model((tmp_path / "a.npz").read_bytes(), "a")
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
        judge(TextSheet(PAGE), broken, NO_QUERY)


@given(trees)
def test_facts_of_texts_equal_a_plain_reading(tree):
    page = page_of(tree)
    sheet = TextSheet(page)
    if not len(sheet.rows):
        return
    texts = [
        " ".join(
            " ".join(page.text(row).replace("\0", " ").split())
            for row in sheet.rows.tolist()
            if page.parent[row] == unit
        ).lower()
        for unit in sheet.units.tolist()
    ]
    shapes = [DIGITS.sub("0", text) for text in texts]
    assert sheet.unit_texts == texts
    assert sheet.dated.tolist() == [bool(DATE.search(text)) for text in texts]
    assert sheet.repetitions[0].tolist() == [texts.count(text) for text in texts]
    assert sheet.repetitions[1].tolist() == [shapes.count(shape) for shape in shapes]


@given(trees)
def test_places_and_paths_equal_those_marked_one_by_one(tree):
    page = page_of(tree)
    sheet = TextSheet(page)
    expected = [page.inside(page.is_tag(*numbers(tags))) for tags in PLACES.values()]
    marked = [sheet.place_bits & bit > 0 for bit in PLACE_BITS.values()]
    assert np.array_equal(np.array(marked), np.array(expected))
    for signatures, classes in zip(sheet.signatures, (True, False), strict=True):
        assert np.array_equal(
            signatures, path_signatures(page, row_signatures(page, classes=classes))
        )


def test_dates_and_shapes_are_read_where_there_are_digits():
    texts = ("in 1999", "May 4th", "3 days ago", "May be", "in 7", "In 8")
    sheet = TextSheet(page_of(html(*(("p", text) for text in texts))))
    assert sheet.dated.tolist() == [True, True, True, False, False, False]
    assert sheet.repetitions[1].tolist() == [3, 1, 1, 1, 3, 3]


def test_a_place_within_a_place_of_its_kind_is_inside_both():
    inner = ("ul", ("li", ("ul", ("li", ("b", "x")))))
    page = page_of(html(("nav", inner), ("p", "y")))
    bits = TextSheet(page).place_bits
    inside = {name: bits & bit > 0 for name, bit in PLACE_BITS.items()}
    deepest = page.row("/html/body/nav/ul/li/ul/li/b")
    assert inside["in_item"][deepest]
    assert inside["in_edge"][deepest]
    assert not inside["in_cell"].any()
    assert not inside["in_edge"][page.row("/html/body/p")]


def test_texts_that_only_repeat_the_query_do_not_match():
    rows = "".join(f"<li><h3>Tomatoes {at}</h3><p>a tomato</p></li>" for at in range(3))
    page = parse(
        "<body><h1>Tomato</h1><p>1-10 of 2,345 results for tomato</p><p>Results for “tomato”</p>"
        f"<ul>{rows}</ul>"
    )
    sheet = TextSheet(page)
    matches = sheet.query_columns(Query.of(["tomato"]))["query"]
    found = dict(zip(sheet.texts, matches.tolist(), strict=True))
    assert found == {
        "Tomato": 0, "1-10 of 2,345 results for tomato": 0, "Results for “tomato”": 0,
        "Tomatoes 0": 1, "Tomatoes 1": 1, "Tomatoes 2": 1, "a tomato": 1,
    }  # fmt: skip
