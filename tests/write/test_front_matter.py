"""Front matter: any value survives, and none can end it or be taken for something else."""

import json
import re

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pagelet.write import write_front_matter


def test_values_by_name():
    values = {"title": 'The "end": #1', "author": None, "date": "2024-05-06", "confidence": 0.87}
    assert write_front_matter(values) == (
        '---\ntitle: "The \\"end\\": #1"\ndate: "2024-05-06"\nconfidence: 0.87\n---'
    )


def test_nothing_known():
    assert write_front_matter({"title": None}) == "---\n---"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        pytest.param("a\n---\nb", '"a\\n---\\nb"', id="a line that would end it"),
        pytest.param("yes", '"yes"', id="a word that YAML takes for another"),
        pytest.param("\x85\u2028", '"\\u0085\\u2028"', id="line ends of YAML"),
        pytest.param("\x7f\ufeff", '"\\u007f\\ufeff"', id="signs that are not seen"),
        pytest.param("日本 «ñ» 😀", '"日本 «ñ» 😀"', id="other scripts"),
    ],
)
def test_a_text_is_quoted(value, written):
    assert write_front_matter({"x": value}) == f"---\nx: {written}\n---"


@given(st.text())
def test_any_text_is_one_line_that_reads_back(value):
    first, line, last = write_front_matter({"x": value}).split("\n")
    assert (first, last) == ("---", "---")
    assert json.loads(line.removeprefix("x: ")) == value
    assert not re.search("[^\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", line)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_is_yaml(value):
    body = write_front_matter({"x": value, "y": 0.5}).removeprefix("---").removesuffix("---")
    assert yaml.safe_load(body) == {"x": value, "y": 0.5}
