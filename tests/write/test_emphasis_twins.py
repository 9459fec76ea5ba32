"""Emphasis in Markdown by both cores."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagelet import core
from pagelet.write.markdown import EMPHASIS, LOWERED, RAISED, STRONG, STRUCK, write_emphasis
from tests.cores import ask_both, twins
from tests.effort import ends

pytestmark = twins

SIGNS = (*STRONG, *EMPHASIS, *STRUCK, *RAISED, *LOWERED)
PIECES = (*SIGNS, "a", "B1", " ", "\n", ":", ".", "(", ")", "*", "é", "漢", "“", "\ufdda", "\ufdcf")


@settings(max_examples=500)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_any_text(text):
    compiled, python = ask_both(lambda: write_emphasis(text))
    assert compiled == python


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{b}a{/b}", "**a**"),
        ("{b}a{/b}{b}b{/b}", "**ab**"),
        ("x{b}a:{/b}y", "x**a**:y"),
        ("({b}:a{/b}", "(**:a**"),
        ("x{b}:a{/b}", "x:**a**"),
        ("{b}a: {/b}b", "**a:** b"),
        ("{b}{i}a{/i}{/b}", "***a***"),
        ("{b}a{/b}{i}b{/i}", "**a**b"),
        ("a{b} {/b}b", "a b"),
        ("{b}a", "a"),
    ],
)
def test_examples_are_alike(text, expected):
    for name, (opening, closing) in {"b": STRONG, "i": EMPHASIS}.items():
        text = text.replace(f"{{{name}}}", opening).replace(f"{{/{name}}}", closing)
    compiled, python = ask_both(lambda: write_emphasis(text))
    assert compiled == python == expected


def test_a_lone_surrogate_is_left_to_python():
    text = f"{STRONG[0]}a{STRONG[1]} \ud800"
    compiled, python = ask_both(lambda: write_emphasis(text))
    assert compiled == python == "**a** \ud800"


def test_placeholders_need_a_text_each():
    with pytest.raises(ValueError, match="each placeholder"):
        core.kernels.write_emphasis(STRONG[0], (), ("",), str)
    for number in (-1, 10):
        with pytest.raises(ValueError, match="each placeholder"):
            core.kernels.write_emphasis(STRONG[0], ((number, "*"),), ("",) * 10, str)


@pytest.mark.parametrize("piece", [STRONG[0], f"{STRONG[0]}“a”{STRONG[1]}", "é"])
def test_the_work_grows_with_the_text(piece):
    with ends():
        write_emphasis(piece * 1_000_000)
