"""JSON text by the compiled core, against that of Python."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import core
from pagelet.pagelets import write_json
from tests.cores import ask_both, twins

pytestmark = twins

texts = st.text() | st.text(st.sampled_from('"\\/\b\f\n\r\t\0\x1f\x7f\x80\u2028é漢😀a'))
numbers = st.integers() | st.floats() | st.booleans() | st.none()
forms = st.recursive(
    texts | numbers, lambda below: st.lists(below) | st.dictionaries(texts, below), max_leaves=20
)


@given(st.dictionaries(texts, forms))
def test_any_form(form):
    compiled, python = ask_both(lambda: write_json(form))
    assert compiled == python == json.dumps(form, ensure_ascii=False)


@pytest.mark.parametrize(
    "form",
    [{"a": math.inf}, {"a": math.nan}, {1: 2}, {"a": (1, 2)}, {"a": type("Text", (str,), {})("b")}],
)
def test_what_the_core_does_not_know_is_left_to_python(form):
    assert core.kernels.write_json(form) is None
    assert write_json(form) == json.dumps(form, ensure_ascii=False)


def test_deep_forms():
    form: dict = {}
    for _ in range(200):
        form = {"a": [form]}
    assert core.kernels.write_json(form) is None
    assert write_json(form) == json.dumps(form)


def test_lone_surrogates_and_lines():
    assert write_json({"a": "\ud800"}) == '{"a": "\ud800"}'
    assert write_json({"a": [1]}, indent=1) == json.dumps({"a": [1]}, indent=1)
