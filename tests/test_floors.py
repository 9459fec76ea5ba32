"""The gate of `make evaluate`: figures against floors, and data that is not the same."""

import pytest
from eval.floors import compare, corpus_of, figure_of, read_floors

from pagelet.lab.figures import Figures

FOUND = {
    "content small": Figures(
        "t", ("system", "F1", "pages/s"), (("ours", 0.9, 100.0), ("theirs", 0.8, 20.0))
    ),
    "content small types": Figures(
        "t", ("system", "forum (12)"), (("ours", 0.5), ("theirs", 0.625))
    ),
}
CELL = {"table": "content small", "row": "ours", "column": "F1"}


@pytest.mark.parametrize(
    ("more", "figure"),
    [
        pytest.param({}, 0.9, id="plain"),
        pytest.param({"minus": "theirs"}, 0.1, id="minus"),
        pytest.param({"column": "pages/s", "over": "theirs"}, 5.0, id="over"),
        pytest.param(
            {"table": "content small types", "column": "forum", "minus": "theirs"},
            -0.125,
            id="count left out",
        ),
        pytest.param({"table": "content large"}, None, id="no table"),
        pytest.param({"row": "nobody"}, None, id="no row"),
        pytest.param({"column": "F2"}, None, id="no column"),
        pytest.param({"minus": "nobody"}, None, id="no other row"),
    ],
)
def test_the_figure_a_floor_is_about(more, figure):
    found = figure_of(CELL | more, FOUND)
    assert found == (None if figure is None else pytest.approx(figure))


def test_low_and_missing_figures_fail():
    floors = [
        CELL | {"floor": 0.9, "data": "a"},
        CELL | {"floor": 0.91, "data": "a"},
        CELL | {"table": "content large", "floor": 0.0, "data": "b"},
    ]
    lines, below = compare(floors, FOUND, {"small": "a", "large": "c"})
    assert below == 2
    assert [line[:4] for line in lines[:3]] == ["ok  ", "LOW ", "LOW "]
    assert "not found" in lines[2]
    assert lines[3:] == ["large: data differs from the set the floor was measured on (c, not b)"]


def test_every_floor_names_its_data():
    floors = read_floors()
    assert {corpus_of(floor) for floor in floors} == {
        *("sites", "segments", "wcxb", "articles", "mixed", "records", "swde", "gate")
    }
    for floor in floors:
        assert len(floor["data"]) == 16
    assert len({(corpus_of(floor), floor["data"]) for floor in floors}) == 8


def test_a_goal_is_reported_until_it_is_reached():
    row = {"table": "menu sites", "row": "paper", "column": "F1", "floor": 0.5, "data": "d"}
    table = Figures("menu", ("menu", "F1"), (("paper", 0.6),))
    for goal, ending in ((0.7, "(floor 0.5, goal 0.7 not reached)"), (0.6, "(floor 0.5)")):
        lines, below = compare([row | {"goal": goal}], {"menu sites": table}, {})
        assert below == 0
        assert lines[0].endswith(ending)
