"""A picture of F1 against speed: a self-contained SVG for light and dark screens."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import product
from math import ceil, floor, log10

WIDTH, HEIGHT = 760, 470
LEFT, TOP, RIGHT, BOTTOM = 64, 64, 736, 398  #: the area of the plot
LETTER_WIDTH, LINE_HEIGHT = 6.9, 15.0  #: pixels of a letter and of a line of a label, at most
DOT_RADIUS = 5.0
SIDES = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (-1, -1), (-1, 1))
ANCHORS = {-1: "end", 0: "middle", 1: "start"}
LABEL_DISTANCES = (2.0, 16.0, 28.0, 40.0, 56.0, 72.0)  #: pixels between a dot and its label

STYLE = """
text { font: 12px system-ui, sans-serif; fill: #3d434b }
.title { font-size: 16px; font-weight: 600; fill: #14181d }
.back { fill: #ffffff } .grid { stroke: #e3e6ea } .axis { stroke: #8d959f }
.lead { stroke: #8d959f; stroke-width: 0.8 }
.peer { fill: #6b7480; stroke: #6b7480 } .ours { fill: #1f6fd1; stroke: #1f6fd1 }
.seen { fill: #ffffff } .peer, .ours { stroke-width: 2 }
.name { paint-order: stroke; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round }
.our-name { font-weight: 700; fill: #1a5cad }
@media (prefers-color-scheme: dark) {
  text { fill: #c3c9d1 } .title { fill: #f1f3f5 }
  .back { fill: #15181c } .grid { stroke: #2b3037 } .axis, .lead { stroke: #79828d }
  .peer { fill: #9aa3ae; stroke: #9aa3ae } .ours { fill: #6cb0ff; stroke: #6cb0ff }
  .seen { fill: #15181c } .name { stroke: #15181c } .our-name { fill: #8fc3ff }
}
"""


@dataclass(frozen=True, slots=True)
class Point:
    """The speed and F1 of one system."""

    name: str
    speed: float  #: pages per second
    f1: float
    ours: bool = False
    seen: bool = False  #: whether it was fitted on these very pages; drawn hollow


@dataclass(frozen=True, slots=True)
class LabelBox:
    """The rectangle of a label or a dot."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: "LabelBox") -> bool:
        """Whether two rectangles share an area."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    @property
    def in_plot(self) -> bool:
        """Whether it lies in the plot."""
        across = self.left >= LEFT and self.right <= RIGHT
        return across and self.top >= TOP and self.bottom <= BOTTOM


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps speed and F1 to coordinates; the speed on a logarithmic axis."""

    slowest: float
    fastest: float
    low: float
    high: float

    def x(self, speed: float) -> float:
        """The coordinate of a speed."""
        share = (log10(speed) - log10(self.slowest)) / (log10(self.fastest) - log10(self.slowest))
        return LEFT + share * (RIGHT - LEFT)

    def y(self, f1: float) -> float:
        """The coordinate of an F1."""
        return BOTTOM - (f1 - self.low) / (self.high - self.low) * (BOTTOM - TOP)


def draw(systems: Sequence[Point], title: str) -> str:
    """Draw F1 against pages per second."""
    scale = _scale(systems)
    summary = "; ".join(f"{each.name}: F1 {each.f1:.3f}, {each.speed:.3g}/s" for each in systems)
    parts = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img" aria-labelledby="title about">',
        f'<title id="title">{escape(title)}</title><desc id="about">{escape(summary)}</desc>',
        f'<style>{STYLE}</style><rect class="back" width="{WIDTH}" height="{HEIGHT}"/>',
        f'<text class="title" x="{LEFT}" y="34">{escape(title)}</text>',
        *_axes(scale),
        *_labels(systems, scale),
        *(_dot(each, scale) for each in systems),
        *_key(systems),
        "</svg>\n",
    )
    return "\n".join(parts)


def _scale(systems: Sequence[Point]) -> Scale:
    """Round limits: a third of a decade for the speed, 0.05 for F1."""
    speeds = [each.speed for each in systems] or [1.0]
    scores = [each.f1 for each in systems] or [0.0]
    slowest, fastest = _round_speed(min(speeds) * 0.85), _round_speed(max(speeds) * 1.15, more=1)
    low = max(floor(min(scores) * 20 - 0.3) / 20, 0.0)
    return Scale(slowest, fastest, low, max(ceil(max(scores) * 20 + 0.3) / 20, low + 0.1))


def _round_speed(speed: float, more: int = 0) -> float:
    """The largest of 1, 2, 5, 10, 20 … at or below a speed, or so many steps above it."""
    decade = floor(log10(speed))
    steps = [digit * 10.0**power for power in range(decade, decade + 2) for digit in (1, 2, 5)]
    at = sum(step <= speed * (1 + 1e-9) for step in steps) - 1
    return steps[at + more]


def _ticks(scale: Scale) -> Iterator[float]:
    step = scale.slowest
    while step <= scale.fastest * (1 + 1e-9):
        yield step
        step = _round_speed(step, more=1)


def _axes(scale: Scale) -> Iterator[str]:
    for speed in _ticks(scale):
        x = scale.x(speed)
        yield _line("grid", (x, TOP), (x, BOTTOM))
        yield _text(f"{speed:g}", x, BOTTOM + 18, "middle")
    for step in range(round(scale.low * 20), round(scale.high * 20) + 1):
        y = scale.y(step / 20)
        yield _line("grid", (LEFT, y), (RIGHT, y))
        yield _text(f"{step / 20:.2f}", LEFT - 8, y + 4, "end")
    yield _line("axis", (LEFT, TOP), (LEFT, BOTTOM))
    yield _line("axis", (LEFT, BOTTOM), (RIGHT, BOTTOM))
    yield _text("pages per second, one thread (logarithmic)", (LEFT + RIGHT) / 2, BOTTOM + 40)
    yield (
        f'<text transform="translate(20 {(TOP + BOTTOM) / 2}) rotate(-90)" '
        'text-anchor="middle">F1</text>'
    )


def _dot(point: Point, scale: Scale) -> str:
    kind = ("ours" if point.ours else "peer") + (" seen" if point.seen else "")
    title = escape(f"{point.name}: F1 {point.f1:.3f}, {point.speed:.3g} pages/s")
    radius = DOT_RADIUS + 2 if point.ours else DOT_RADIUS
    return (
        f'<circle class="{kind}" cx="{scale.x(point.speed):.1f}" cy="{scale.y(point.f1):.1f}" '
        f'r="{radius:g}"><title>{title}</title></circle>'
    )


def _key(systems: Iterable[Point]) -> Iterator[str]:
    if any(each.seen for each in systems):
        yield f'<circle class="peer seen" cx="{LEFT + 5}" cy="{HEIGHT - 12}" r="{DOT_RADIUS:g}"/>'
        yield _text("fitted on these very pages", LEFT + 18, HEIGHT - 8, "start")


# -- labels -----------------------------------------------------------------------------------


def _labels(systems: Sequence[Point], scale: Scale) -> Iterator[str]:
    """Names beside the dots, ours first; none covers a dot or another name."""
    taken = [_dot_box(each, scale) for each in systems]
    for point in sorted(systems, key=lambda each: (not each.ours, -each.f1, each.name)):
        x, y = scale.x(point.speed), scale.y(point.f1)
        box, side, distance = _free_box(point.name, (x, y), taken)
        taken.append(box)
        if distance > LABEL_DISTANCES[0]:
            edge = (min(max(x, box.left), box.right), min(max(y, box.top), box.bottom))
            yield _line("lead", (x, y), edge)
        anchor, start = ANCHORS[side], {-1: box.right, 0: x, 1: box.left}[side]
        kind = "name our-name" if point.ours else "name"
        yield _text(escape(point.name), start, (box.top + box.bottom) / 2 + 4, anchor, kind)


def _dot_box(point: Point, scale: Scale) -> LabelBox:
    x, y = scale.x(point.speed), scale.y(point.f1)
    reach = DOT_RADIUS + (4 if point.ours else 2)
    return LabelBox(x - reach, y - reach, x + reach, y + reach)


def _free_box(
    name: str, at: tuple[float, float], taken: Sequence[LabelBox]
) -> tuple[LabelBox, int, float]:
    """The nearest free place for a name, its side and its distance."""
    places = [
        (_place(name, at, side, distance), side[0], distance)
        for distance, side in product(LABEL_DISTANCES, SIDES)
    ]
    free = (
        place
        for place in places
        if place[0].in_plot and not any(place[0].overlaps(other) for other in taken)
    )
    return next(free, places[0])


def _place(name: str, at: tuple[float, float], side: tuple[int, int], distance: float) -> LabelBox:
    across, down = len(name) * LETTER_WIDTH / 2, LINE_HEIGHT / 2
    reach = DOT_RADIUS + 4 + distance
    x = at[0] + side[0] * (reach + across)
    y = at[1] + side[1] * (reach + down)
    return LabelBox(x - across, y - down, x + across, y + down)


def _line(kind: str, start: tuple[float, float], end: tuple[float, float]) -> str:
    return (
        f'<line class="{kind}" x1="{start[0]:.1f}" y1="{start[1]:.1f}" '
        f'x2="{end[0]:.1f}" y2="{end[1]:.1f}"/>'
    )


def _text(text: str, x: float, y: float, anchor: str = "middle", kind: str = "") -> str:
    attribute = f' class="{kind}"' if kind else ""
    return f'<text{attribute} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{text}</text>'
