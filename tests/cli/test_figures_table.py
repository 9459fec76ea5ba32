"""Tables of figures: no number is cut, however narrow the terminal is."""

import io

import pytest
from rich.console import Console

from pagelet.cli.figures import figures_table
from pagelet.lab.figures import Figures

FIGURES = Figures(
    "a title",
    ("rows", *(f"column {at}" for at in range(12))),
    (("a row", *(at / 7 for at in range(12))), ("a longer name of a row", *range(12))),
    ("a note",),
)


def printed(width: int) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=width, soft_wrap=True).print(figures_table(FIGURES, width))
    return out.getvalue().splitlines()


@pytest.mark.parametrize("width", [40, 80, 200])
def test_every_number_is_there_in_full(width):
    lines = printed(width)
    text = "\n".join(lines)
    assert "…" not in text
    assert all(f"{at / 7:.3f}" in text for at in range(12))
    assert max(map(len, lines)) <= width


def test_columns_that_do_not_fit_stand_below():
    assert [line.split()[0] for line in printed(200) if line] == ["a", "rows", "a", "a", "a"]
    assert sum(line.startswith("rows") for line in printed(80)) == 3
    assert sum("a title" in line for line in printed(80)) == 1
