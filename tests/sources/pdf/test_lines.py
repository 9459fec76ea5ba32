"""Characters to lines: hand-worked, then any characters against a walk one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.sources.pdf.lines import Glyphs, TextStyles, clean_codes, inside_lines, join_lines
from tests.naive import pdf_lines as naive

STYLES = TextStyles(
    order=np.arange(4),
    colour=np.zeros((4, 3), np.uint8),
    size=np.array([10.0, 10.0, 20.0, 10.0]),
    weight=np.full(4, 400.0),
    direction=np.array([(1.0, 0.0), (1.0, 0.0), (1.0, 0.0), (0.0, 1.0)]),
)


def glyphs_of(*marks: tuple[str, float, float, int]) -> Glyphs:
    """Characters at points, each 5 wide and 10 high."""
    signs, xs, ys, styles = zip(*marks, strict=True) if marks else ((), (), (), ())
    x, y = np.array(xs, float), np.array(ys, float)
    return Glyphs(
        code=np.array([ord(sign) for sign in signs], np.uint32),
        edges=np.stack((x, y - 2, x + 5, y + 8), axis=1).reshape(-1, 4),
        origin=np.stack((x, y), axis=1).reshape(-1, 2),
        style=np.array(styles, np.intp),
    )


def written(text: str, x: float, y: float, style: int = 0) -> list[tuple[str, float, float, int]]:
    return [(sign, x + 5 * at, y, style) for at, sign in enumerate(text)]


def test_a_wide_gap_parts_columns():
    found = join_lines(glyphs_of(*written("ab cd ", 0, 0), *written("ef", 42.5, 0)), STYLES)
    assert found.texts == ("ab cd", "ef")
    assert found.edges.tolist() == [[0, -2, 25, 8], [42.5, -2, 52.5, 8]]


def test_a_gap_of_words_does_not():
    found = join_lines(glyphs_of(*written("ab ", 0, 0), *written("cd", 22, 0)), STYLES)
    assert found.texts == ("ab cd",)


@pytest.mark.parametrize(
    ("raised", "texts"),
    [(4, ("x2",)), (6, ("x", "2"))],
    ids=["a superscript stays", "the next line does not"],
)
def test_base_lines(raised, texts):
    assert join_lines(glyphs_of(("x", 0, 0, 0), ("2", 5, raised, 1)), STYLES).texts == texts


def test_text_that_runs_upward():
    marks = [(sign, 0, 10 * at, 3) for at, sign in enumerate("up")]
    assert join_lines(glyphs_of(*marks, *written("on", 0, 20)), STYLES).texts == ("up", "on")


def test_a_leftward_word_that_came_as_it_looks_is_turned():
    word = "שלום"
    as_it_looks = written(word[::-1], 30, 0)
    as_it_is_read = [(sign, 45 - 5 * at, 0, 0) for at, sign in enumerate(word)]
    for marks in (as_it_looks, as_it_is_read):
        assert join_lines(glyphs_of(*marks), STYLES).texts == (word,)


def test_leftward_words_are_one_line_with_a_number_between():
    marks = [*written("םולש", 80, 0), (" ", 75, 0, 0), *written("2024", 55, 0)]
    marks += [(" ", 50, 0, 0), *written("הנש", 35, 0)]
    assert join_lines(glyphs_of(*marks), STYLES).texts == ("שלום 2024 שנה",)


def test_the_style_of_most_characters_is_the_style_of_the_line():
    marks = [*written("a", 0, 0, 2), *written("bcd", 5, 0, 1), *written("ef", 20, 0, 0)]
    assert join_lines(glyphs_of(*marks), STYLES).style.tolist() == [1]


def test_halves_of_characters_are_put_together():
    high, low = "\N{GRINNING FACE}".encode("utf-16-be")[:2], "\N{GRINNING FACE}".encode("utf-16-be")
    halves = [chr(int.from_bytes(part)) for part in (high, low[2:])]
    marks = [(halves[0], 0, 0, 0), (halves[1], 5, 0, 0), (halves[0], 10, 0, 0)]
    assert join_lines(glyphs_of(*marks), STYLES).texts == ("\N{GRINNING FACE}\ufffd",)


def test_codes_that_nobody_can_read():
    codes = np.array([0, 2, 9, 13, 0x1F, 0x41, 0x110000, 0xFFFFFFFF], np.uint32)
    assert [chr(code) for code in clean_codes(codes)] == list("\ufffd-  \ufffdA\ufffd\ufffd")


marks = st.tuples(
    st.sampled_from("ab  \u05d0\u0628\u3000"),
    st.integers(0, 12).map(lambda step: 2.5 * step),
    st.sampled_from((0.0, 0.0, 4.0, 6.0)),
    st.integers(0, 3),
)


@given(st.lists(marks, max_size=14), st.booleans())
def test_equals_a_walk_over_characters(found, spread):
    if spread:  # in a row, as most are
        found = [(sign, x + 5 * at, y, style) for at, (sign, x, y, style) in enumerate(found)]
    glyphs = glyphs_of(*found)
    lines = join_lines(glyphs, STYLES)
    expected = naive.lines(glyphs, STYLES)
    assert [each[0] for each in expected] == list(lines.texts)
    assert [each[1] for each in expected] == lines.edges.tolist()
    assert [each[2] for each in expected] == lines.style.tolist()
    seen = sorted(sign for sign, *_ in found if not sign.isspace())
    assert seen == sorted(sign for text in lines.texts for sign in text if not sign.isspace())


edges = st.tuples(*[st.integers(0, 9)] * 2, *[st.integers(0, 5)] * 2).map(
    lambda it: (it[0], it[1], it[0] + it[2], it[1] + it[3])
)


@given(st.lists(edges, max_size=6), st.lists(edges, max_size=6))
def test_shapes_inside_lines(shapes, lines):
    arrays = [np.array(given, float).reshape(-1, 4) for given in (shapes, lines)]
    assert inside_lines(*arrays).tolist() == naive.inside_lines(shapes, lines)
