"""Pages on which a person would call a wrong division wrong: columns, frames, rows of cards.

Each is drawn by hand: parts with lines of text at their places, some on a ground of their own.
What is wanted is which parts are one segment.
"""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from pagelet import parse
from pagelet.api import detect_segments
from pagelet.page.layout import Rendering
from pagelet.page.tags import TEXT
from tests.drawn import placed

WORDS = "lime kiln wall stone sand water bucket trowel weather north spring mortar".split()
GREY, BLUE, WHITE = (225, 225, 225, 255), (20, 40, 120, 255), (255, 255, 255, 255)


@dataclass(frozen=True)
class Part:
    """Lines of text below one another, as one element."""

    name: str
    left: int
    top: int
    width: int
    lines: int
    step: int = 24  #: pixels from line to line
    ground: tuple[int, ...] | None = None  #: colour behind it
    reach: int = 0  #: bottom of the ground, if it is below the last line
    tag: str = "div"
    filled: float = 1.0  #: share of the width that the longest line takes

    def places(self) -> list[tuple[float, float, float, float]]:
        """A line is shorter than the part, each in its own way; every sixth ends a paragraph."""
        return [
            (
                self.left,
                top,
                self.left + self.width * self.filled * (1 - (at * 7 % 5) / 20),
                top + 16,
            )
            for at in range(self.lines)
            for top in [self.top + at * self.step + at // 6 * 10]
        ]


def drawn(*parts: Part) -> Rendering:
    """Header and footer stand in the body, all between them in one element."""
    html, wrapped = "<body>", False
    for part in parts:
        inside = part.tag == "div"
        html += ("<div id=content>" if inside else "</div>") if inside != wrapped else ""
        wrapped = inside
        texts = (" ".join(WORDS[(at + k) % 12] for k in range(3)) for at in range(part.lines))
        html += (
            f"<{part.tag} id={part.name}>{''.join(f'<p>{text}</p>' for text in texts)}</{part.tag}>"
        )
    page = parse(html)
    rows = np.flatnonzero((page.tag == TEXT) & (page.chars > 0)).tolist()
    places = [place for part in parts for place in part.places()]
    rendering = placed(page, dict(zip(rows, places, strict=True)))
    return replace(rendering, layout=_grounds(rendering, parts))


def _grounds(rendering: Rendering, parts: tuple[Part, ...]):
    page, layout = rendering.page, rendering.layout
    columns = {name: getattr(layout, name).copy() for name in ("left", "top", "right", "bottom")}
    ground = layout.background.copy()
    for row, name in page.attribute("id").items():
        part = next((part for part in parts if part.name == name), None)
        if part is None or part.ground is None:
            continue
        ground[row] = part.ground
        bottom = max(part.reach, columns["bottom"][row])
        edges = (part.left - 3, part.top - 8, part.left + part.width + 3, bottom + 8)
        for side, value in zip(columns, edges, strict=True):
            columns[side][row] = value
    return replace(layout, background=ground, **columns)


def found(rendering: Rendering, **options) -> list[set[str]]:
    """The names of the parts in each segment, from the top down."""
    page, names = rendering.page, rendering.page.attribute("id")
    segments = []
    for item in detect_segments(rendering, **options):
        rows = [row for start in item.rows for row in range(start, int(page.end[start]))]
        parents = {int(page.parent[int(page.parent[row])]) for row in rows if page.tag[row] == TEXT}
        segments.append({names[row] for row in parents if row in names})
    return segments


HEADER = Part("header", 40, 20, 1200, 3, tag="header", ground=BLUE)
WAYS = [pytest.param({}, id="seen alone"), pytest.param({"with_dom": True}, id="with the elements")]


def footer(top: int) -> Part:
    return Part("footer", 40, top, 1200, 3, tag="footer", ground=BLUE)


def apart(segments: list[set[str]], one: str, other: str) -> bool:
    """Whether no segment has lines of both."""
    return not any({one, other} <= each for each in segments)


LONG = {
    "a gutter": (
        Part("main", 40, 140, 800, 60), Part("side", 900, 140, 300, 45), footer(1800),
    ),
    "a ground and no white": (
        Part("main", 40, 140, 880, 60, ground=WHITE, reach=1740),
        Part("side", 924, 140, 300, 45, ground=GREY, reach=1740),
        footer(1800),
    ),
    "equal widths": (
        Part("main", 40, 140, 560, 60), Part("side", 640, 150, 560, 48, step=29), footer(1800),
    ),
    "two side bars": (
        Part("side", 40, 140, 200, 42), Part("main", 300, 140, 640, 60),
        Part("right", 1000, 140, 200, 44), footer(1800),
    ),
    "a narrow side bar": (
        Part("side", 40, 140, 120, 42), Part("main", 220, 140, 900, 60), footer(1800),
    ),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("parts", [pytest.param(parts, id=name) for name, parts in LONG.items()])
def test_columns_longer_than_a_window_are_never_one_segment(parts, way):
    segments = found(drawn(HEADER, *parts), **way)
    assert apart(segments, "main", "side")
    assert apart(segments, "main", "right")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("parts", [pytest.param(parts, id=name) for name, parts in LONG.items()])
def test_header_and_footer_are_their_own(parts, way):
    segments = found(drawn(HEADER, *parts), **way)
    assert {"header"} in segments
    assert {"footer"} in segments


SHORT = {
    "a gutter": (Part("main", 40, 140, 800, 20), Part("side", 900, 140, 300, 18), footer(760)),
    "a ground and no white": (
        Part("main", 40, 140, 880, 20, ground=WHITE, reach=690),
        Part("side", 924, 140, 300, 16, ground=GREY, reach=690),
        footer(760),
    ),
}  # fmt: skip


@pytest.mark.parametrize("parts", [pytest.param(parts, id=name) for name, parts in SHORT.items()])
def test_short_columns_are_apart_to_the_eye(parts):
    assert apart(found(drawn(HEADER, *parts)), "main", "side")


def test_white_between_columns_does_not_cut_the_header_above_them():
    """The gutter goes on through a header with a bar: logo and links stand left and right of it."""
    header = [Part("logo", 40, 20, 400, 1), Part("links", 1000, 20, 200, 1)]
    bar = Part("bar", 40, 80, 1200, 1, ground=BLUE, filled=0.25)
    columns = [Part("main", 40, 160, 800, 30), Part("side", 960, 160, 240, 26)]
    segments = found(drawn(*header, bar, *columns, footer(1060)))
    assert apart(segments, "main", "side")
    assert apart(segments, "logo", "main")
    assert apart(segments, "links", "side")


def test_columns_are_not_cut_in_two_where_their_gaps_meet():
    """All columns happen to have a gap at one height; they go on below it."""
    upper = [Part("main", 300, 140, 640, 20), Part("side", 40, 140, 200, 20)]
    lower = [Part("more", 300, 680, 640, 30), Part("rest", 40, 680, 200, 30)]
    segments = found(drawn(HEADER, *upper, *lower, footer(1560)))
    assert not any({"main", "side"} <= each or {"more", "rest"} <= each for each in segments)


def test_rows_of_cards_are_not_columns():
    """Cards of one width stand in rows: they are no columns of text."""
    cards = [
        Part(f"card{row}{column}", 40 + 400 * column, 140 + 260 * row, 360, 7)
        for row in range(4)
        for column in range(3)
    ]
    for segment in found(drawn(HEADER, *cards, footer(1260))):
        columns = {name[-1] for name in segment if name.startswith("card")}
        assert len(columns) in (0, 3)
