"""FeatureColumn programs: what each operation means, in both engines, bit for bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import core
from pagelet.models.columns import (
    FeatureColumn,
    Kind,
    either,
    maximum,
    minimum,
    stack,
    trace_program,
)
from pagelet.models.columns.numpy_engine import OPERATIONS
from pagelet.models.columns.program import encode
from tests.build import page_of, trees
from tests.cores import ask_both, twins

INT, REAL, MASK = Kind.INT, Kind.REAL, Kind.MASK


def run(write, **arrays):
    """The table of one column, given one array per input."""
    kinds = {"b": MASK, "i": INT, "u": INT, "f": REAL}
    given = {
        name: (kinds[array.dtype.kind], len(array) if array.ndim == 2 else 1)
        for name, array in arrays.items()
    }

    def outputs(columns):
        made = write(**columns)
        return {tuple(map(str, range(made.lines))): made}

    program = trace_program(given, outputs)
    places = len(next(iter(arrays.values())))
    return program.run(list(arrays.values()), places).lines.tolist()


A = np.array([3, 1, 3, 0, 2])
R = np.array([0.5, -1.0, 0.25, 0.0, 8.0])
M = np.array([False, True, True, False, True])

MEANINGS = {
    "sum of numbers": (lambda a, r: a + r, [3.5, 0, 3.25, 0, 10]),
    "difference": (lambda a: 1 - a, [-2, 0, -2, 1, -1]),
    "product with a mask": (lambda a, m: a * m, [0, 1, 3, 0, 2]),
    "quotient": (lambda a: a / 2, [1.5, 0.5, 1.5, 0, 1]),
    "larger": (lambda a: maximum(a, 2), [3, 2, 3, 2, 2]),
    "smaller": (lambda r: minimum(r, 0.25), [0.25, -1, 0.25, 0, 0.25]),
    "less": (lambda a: a < 2, [0, 1, 0, 1, 0]),
    "at most": (lambda a: a <= 2, [0, 1, 0, 1, 1]),
    "more": (lambda a: a > 2, [1, 0, 1, 0, 0]),
    "at least": (lambda r: r >= 0.5, [1, 0, 0, 0, 1]),
    "equal": (lambda a: a == 3, [1, 0, 1, 0, 0]),
    "unequal": (lambda a: a != 3, [0, 1, 0, 1, 1]),
    "both": (lambda a, m: m & (a > 1), [0, 0, 1, 0, 1]),
    "one of two": (lambda a, m: m | (a > 1), [1, 1, 1, 0, 1]),
    "bits": (lambda a: a & 1 | 4, [5, 5, 5, 4, 4]),
    "not": (lambda m: ~m, [1, 0, 0, 1, 0]),
    "either": (lambda m, a, r: either(m, a, r + 0), [0.5, 1, 3, 0, 2]),
    "gathered": (lambda a, r: r[a], [0, -1, 0, 0.5, 0.25]),
    "gathered from the end": (lambda a: a[a - 3], [3, 0, 3, 3, 2]),
    "later": (lambda a: a.shift(2), [0, 0, 3, 1, 3]),
    "earlier": (lambda r: r.shift(-1), [-1, 0.25, 0, 8, 0]),
    "far": (lambda a: a.shift(9), [0] * 5),
    "places": (lambda a: a.places(), [0, 1, 2, 3, 4]),
    "count": (lambda a: a.count(), [5] * 5),
    "sum": (lambda a: a.sum(), [9] * 5),
    "running sum": (lambda m: m.running_sum(), [0, 1, 2, 2, 3]),
    "prefix": (lambda a: a.prefix()[a.places() + 1], [3, 4, 7, 7, 9]),
    "running maximum": (lambda r: r.running_max(), [0.5, 0.5, 0.5, 0.5, 8]),
    "coming minimum": (lambda a: a.coming_min(), [0, 0, 0, 0, 2]),
    "any": (lambda m: m.any(), [1] * 5),
    "none": (lambda a: (a > 9).any(), [0] * 5),
    "first": (lambda m: m.first(), [1] * 5),
    "first of none": (lambda a: (a > 9).first(), [0] * 5),
    "least": (lambda m, a: m.least(a), [1] * 5),
    "least of none": (lambda a: (a > 9).least(a), [0] * 5),
    "group sizes": (lambda a: a.count_by_group()[a], [2, 1, 2, 1, 1]),
    "sums of groups": (lambda a, r: r.sum_by(a)[a], [0.75, -1, 0.75, 0, 8]),
    "sums of groups by a mask": (lambda m, r: r.sum_by(m)[m.to(INT)], [0.5, 7.25, 7.25, 0.5, 7.25]),
    "sizes of groups by a mask": (lambda m: m.count_by_group()[m.to(INT)], [2, 3, 3, 2, 3]),
    "spans of groups by a mask": (lambda m: m.span_by_group()[m.to(INT)], [3, 3, 3, 3, 3]),
    "sums of groups, by line": (
        lambda a, r: stack(r * 2, r).sum_by(a).line(1)[a],
        [0.75, -1, 0.75, 0, 8],
    ),
    "largest of groups, at least 0": (lambda a, r: r.max_by(a)[a], [0.5, 0, 0.5, 0, 8]),
    "largest of groups, by line": (
        lambda a, r: stack(r, r - 1).max_by(a).line(1)[a],
        [0, 0, 0, 0, 7],
    ),
    "spans of groups": (lambda a: a.span_by_group()[a], [2, 0, 2, 0, 0]),
    "equal values": (lambda r: r.numbered().count_by_group()[r.numbered()], [1] * 5),
    "the last of several for one place": (lambda a: a.places().spread(a, a), [3, 1, 4, 2, 0]),
    "spread": (lambda m, a: a.spread((m.places() * 2 + 1) & 3, m), [0, 2, 0, 0, 0]),
    "root": (lambda a: (a * a).root(), [3, 1, 3, 0, 2]),
    "parts": (lambda a: stack(a, a * 2).line(1), [6, 2, 6, 0, 4]),
}


@pytest.mark.parametrize("name", MEANINGS)
def test_operations_mean_what_they_are_called(name):
    write, expected = MEANINGS[name]
    arrays = {"a": A, "r": R, "m": M}
    wanted = {letter: arrays[letter] for letter in write.__code__.co_varnames}
    answers = ask_both(lambda: run(write, **wanted)) if core.kernels else (run(write, **wanted),)
    for answer in answers:
        assert answer == [expected]


def test_a_line_of_one_value_stands_for_all():
    def write(a):
        two = a.trace.constant(np.array([[1], [10]]))
        return a * two + 1

    for answer in ask_both(lambda: run(write, a=A)) if core.kernels else [run(write, a=A)]:
        assert answer == [[4, 2, 4, 1, 3], [31, 11, 31, 1, 21]]


def test_equal_expressions_are_computed_once():
    program = trace_program(
        {"a": (INT, 1)}, lambda given: {"x": given["a"] + 1, "y": given["a"] + 1}
    )
    assert [each.operation for each in program.instructions].count("add") == 1
    assert program.names == ("x", "y")


def test_what_no_output_needs_is_not_computed():
    def write(given):
        given["a"].prefix()
        return {"x": given["a"] * 2}

    program = trace_program({"a": (INT, 1)}, write)
    assert "prefix" not in {each.operation for each in program.instructions}


def test_registers_are_used_again():
    def write(given):
        column = given["a"]
        for step in range(100):
            column = column + step
        return {"x": column}

    program = trace_program({"a": (INT, 1)}, write)
    assert program.registers <= 104  # a hundred of them hold the constants
    assert program.run([A], 5)["x"].tolist() == (A + 4950).tolist()


def test_real_numbers_have_no_bits():
    with pytest.raises(TypeError, match="bits"):
        trace_program({"r": (REAL, 1)}, lambda given: {"x": given["r"] & 1})


# -- both engines ---------------------------------------------------------------------------------


@twins
def test_the_engines_know_the_same_operations():
    apart = {"input", "constant", "store", "part", "shift"}
    assert set(core.kernels.COLUMN_OPERATIONS) == set(OPERATIONS) | apart


def rows_of(page):
    return {
        "parent": page.parent.astype(np.int64),
        "end": np.asarray(page.end),
        "depth": page.depth.astype(np.int64),
        "tag": page.tag.astype(np.int64),
    }


def tree_columns(
    parent: FeatureColumn, end: FeatureColumn, depth: FeatureColumn, tag: FeatureColumn
) -> FeatureColumn:
    """Every operation over trees, and groups of rows."""
    weight = tag / 7
    group = (parent * 300 + tag).numbered()
    return stack(
        (tag & 1 == 0).nearest(parent).to(REAL),
        tag.or_above(parent, depth).to(REAL),
        tag.max_above(parent, depth).to(REAL),
        weight.sum_above(end),
        weight.sum_by(group)[group],
        group.count_by_group()[group].to(REAL),
        group.span_by_group()[group].to(REAL),
        tag.hashed().sum_above(end) / 1e12,
    )


@twins
@given(trees)
def test_operations_over_trees(tree):
    page = page_of(tree)
    compiled, python = ask_both(lambda: run(tree_columns, **rows_of(page)))
    assert compiled == python


numbers = st.lists(st.integers(-1000, 1000), min_size=1, max_size=30)


@twins
@given(numbers, st.integers(-3, 3), st.sampled_from((3, 7, 11)))
def test_sums_are_added_up_in_the_same_order(values, shift, by):
    def write(a):
        thirds = a / by
        low = maximum(a.places() - 3, 0)
        prefix = stack(thirds, thirds * thirds).prefix()
        window = (prefix[a.places() + 1] - prefix[low]).line(1)
        part = minimum(maximum(a, 0), a.count() - 1).numbered()
        lines = stack(*(thirds * factor for factor in (1, 2, 3, 5, 7)))
        return stack(thirds.running_sum(), window.shift(shift), lines.sum_by(part)[part])

    compiled, python = ask_both(lambda: run(write, a=np.array(values)))
    assert compiled == python


@twins
@pytest.mark.parametrize("kind", [np.int32, np.int64, np.uint8])
def test_whole_numbers_of_any_width_are_taken(kind):
    compiled, python = ask_both(lambda: run(lambda a: a * 2, a=A.astype(kind)))
    assert compiled == python == [[6, 2, 6, 0, 4]]


@twins
@pytest.mark.parametrize(
    "write",
    [lambda a: a[a + 9], lambda a: a[a - 9], lambda a: a.count_by_group()[a - 1],
     lambda a: (a > 0).nearest(a), lambda a: (a / 2).sum_above(a + 9)],
)  # fmt: skip
def test_places_that_do_not_exist_are_refused(write):
    program = trace_program({"a": (INT, 1)}, lambda given: {"x": write(given["a"] - 0)})
    code = program.compiled
    with pytest.raises(IndexError, match="place"):
        code.run([A - 1], np.empty((1, 5), np.float32))


@twins
@pytest.mark.parametrize("place", range(6))
def test_broken_instructions_are_refused(place):
    program = trace_program({"a": (INT, 1)}, lambda given: {"x": given["a"] + 1})
    code = encode(program.instructions, core.kernels.COLUMN_OPERATIONS)
    for value in (-1, 99):
        broken = code.copy()
        broken[:, place] = value
        with pytest.raises(ValueError, match="instruction"):
            core.kernels.ColumnProgram(
                broken, program.constants, bytes((INT,)), bytes((INT,)), program.registers, 1
            )


@twins
def test_tables_and_arrays_of_another_shape_are_refused():
    program = trace_program({"a": (INT, 1)}, lambda given: {"x": given["a"] + 1})
    with pytest.raises(ValueError, match="lines"):
        program.compiled.run([A], np.empty((2, 5), np.float32))
    with pytest.raises(ValueError, match="fit"):
        program.compiled.run([A], np.empty((1, 4), np.float32))
    with pytest.raises(ValueError, match="arrays"):
        program.compiled.run([], np.empty((1, 5), np.float32))
    with pytest.raises(TypeError, match="kind"):
        program.compiled.run([A.astype(np.float32)], np.empty((1, 5), np.float32))
