"""What a selector of a user may cost on a page, estimated before it is evaluated.

XPath can ask for every pair of nodes in a few letters, and CSS for every chain of nested `:has`.
The parser evaluates them in one call that nothing can interrupt, so a selector that could take
minutes is refused instead. The estimate counts the nodes that are visited, in doubt too many.
"""

import re
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from pagelet.errors import OptionError
from pagelet.page.table import Page

MAX_SELECTOR_CHARS = 10_000
MAX_SELECTOR_STEPS = 1_000_000_000  #: nodes that are visited; a second has about 200 million
CHARS_PER_STEP = 64  #: characters of text that are read in the time of one visit
MERGED_PER_STEP = 8  #: nodes of a growing set that are passed in the time of one visit
CALL_STEPS = 20  #: visits that take as long as a function or an operator

REVERSE_AXES = ("preceding", "preceding-sibling", "ancestor", "ancestor-or-self")
SIBLING_AXES = ("following-sibling", "preceding-sibling")
PAGE_AXES = ("following", "preceding")
DESCENDANT_AXES = ("descendant", "descendant-or-self")
ANCESTOR_AXES = ("ancestor", "ancestor-or-self")
NODE_TESTS = ("text", "node", "comment", "processing-instruction", "element")
NAMED_OPERATORS = ("and", "or", "div", "mod")

TOKEN = re.compile(
    r"'[^']*'|\"[^\"]*\"|//|\.\.|::|[\w-]+(?::(?!:)[\w*-]+)?|[^\s]", re.ASCII | re.DOTALL
)
NAME = re.compile(r"[^\W\d][\w:*-]*|\*")
PLAIN_NAME = re.compile(r"[a-z][a-z0-9]*")
QUOTES = "'\""
POSITION = re.compile(r"\s*\[\s*\d+\s*\]")
#: Pseudo-classes of CSS that look at other elements for each element, by the end of the match.
CSS_TOKEN = re.compile(
    r"'[^']*'|\"[^\"]*\"|\\.|:has\(|:nth-[a-z-]+\([^()]*\bof\b|[()]", re.IGNORECASE
)


def check_selector(page: Page, expression: str, *, is_xpath: bool) -> None:
    """Refuse a selector that is too long, or too expensive on a page."""
    if len(expression) > MAX_SELECTOR_CHARS:
        why = f"longer than {MAX_SELECTOR_CHARS:,} characters; split it"
        raise OptionError("selector", f"{expression[:40]}…", why)
    if is_xpath:
        steps = XPathCost(page, expression).count_steps()
    else:
        steps = _count_css_steps(page, expression)
    if steps > MAX_SELECTOR_STEPS:
        why = f"too expensive on a page of {len(page):,} rows; use fewer nested conditions"
        raise OptionError("selector", expression, why)


def _count_css_steps(page: Page, expression: str) -> float:
    """The nodes that a CSS selector visits; a condition that looks around is never nested."""
    depth, around, looks = 0, 0, 0  # around: the depth of the condition that looks around
    for part in CSS_TOKEN.findall(expression):
        depth += (part[-1] == "(" or part[0] == ":") - part.count(")")
        around = min(around, max(depth, 0))
        if part[0] == ":":
            if around:
                why = "nested: :has() and :nth-child(… of …) cannot hold one another; simplify it"
                raise OptionError("selector", expression[:100], why)
            around, looks = depth, looks + 1
    shape = PageShape(page)
    return (1 + expression.count(",")) * shape.rows + looks * (shape.subtrees + shape.siblings)


@dataclass(frozen=True)
class PageShape:
    """Sums over the rows of a page that tell how many nodes an axis leads to."""

    page: Page

    @cached_property
    def rows(self) -> float:
        """The rows, and one for the document."""
        return len(self.page) + 1.0

    @cached_property
    def levels(self) -> float:
        """The levels of the tree."""
        return float(self.page.depth.max(initial=0)) + 2

    @cached_property
    def subtrees(self) -> float:
        """The sizes of all subtrees: pairs of a node and one below it."""
        return float(self.page.size.sum(dtype=np.float64)) + 2 * self.rows

    @cached_property
    def widest(self) -> float:
        """The most children of one node."""
        return float(self.page.children.max(initial=0)) + 1

    @cached_property
    def siblings(self) -> float:
        """Pairs of siblings."""
        return float((self.page.children.astype(np.float64) ** 2).sum()) + self.rows

    @cached_property
    def texts(self) -> float:
        """The characters of all texts."""
        return float(self.page.chars.sum(dtype=np.float64)) + 1

    def count_named(self, name: str) -> float:
        """The rows of a name; all of them where it is no plain one."""
        if name not in self.page.names:
            return 0.0 if PLAIN_NAME.fullmatch(name) else self.rows
        return float((self.page.tag == self.page.names.index(name)).sum())

    def reach(self, axis: str) -> tuple[float, float, float]:
        """How many nodes an axis leads to.

        From all rows together, from one row at most, and from how many rows to the same one.
        """
        if axis in DESCENDANT_AXES:
            return self.subtrees, self.rows, self.levels
        if axis in ANCESTOR_AXES:
            return self.subtrees, self.levels, self.rows
        if axis in SIBLING_AXES:
            return self.siblings, self.widest, self.widest
        if axis in PAGE_AXES:
            return self.rows**2, self.rows, self.rows
        if axis == "child":
            return self.rows, self.widest, 1.0
        return self.rows, 1.0, self.widest if axis == "parent" else 1.0


@dataclass
class Level:
    """The inside of a bracket."""

    evaluations: float  #: how often it is evaluated
    equal: float  #: how often of these for the same row, at most
    inside: bool = False  #: whether it is a condition
    contexts: float = 0.0  #: rows from which the next step of a path starts, over all evaluations
    repeated: float = 0.0  #: how often the same row is among them, at most
    matches: tuple[float, float] = (0.0, 0.0)  #: the same two of the nodes that the last step found
    steps: int = 0  #: steps of the path so far

    def __post_init__(self) -> None:
        self.start_path()

    def start_path(self) -> None:
        """Begin another path."""
        self.contexts, self.repeated, self.steps = self.evaluations, self.equal, 0
        self.matches = (self.evaluations, self.equal)


@dataclass
class XPathCost:
    """Reads an XPath from left to right and adds up what its steps visit."""

    page: Page
    expression: str
    total: float = 0.0
    axis: str = "child"
    levels: list[Level] = field(default_factory=lambda: [Level(1.0, 1.0)])

    def count_steps(self) -> float:
        """The nodes that are visited, in doubt too many."""
        self.shape = PageShape(self.page)
        tokens = [*TOKEN.finditer(self.expression)]
        following = [token[0] for token in tokens[1:]] + [""]
        for token, after in zip(tokens, following, strict=True):
            self._read(token, after)
            if self.total > MAX_SELECTOR_STEPS:
                break
        return self.total

    def _read(self, token: re.Match[str], after: str) -> None:
        text, level = token[0], self.levels[-1]
        if text in ("/", "//"):
            self._descend(text, level)
        elif after == "::":
            self.axis = text
        elif text in "[]()":
            self._bracket(text, level)
        elif after == "(" and text not in NODE_TESTS:
            self.total += CALL_STEPS * level.evaluations
        elif text in (".", "..") or (NAME.fullmatch(text) and text not in NAMED_OPERATORS):
            self._step(text, level, POSITION.match(self.expression, token.end()))
        elif text == "@":
            self.axis = "attribute"
        elif text != "::":  # an operator, a comma, a number or a text: another path begins
            self.total += CALL_STEPS * level.evaluations * (1 if text[0] in QUOTES else len(text))
            level.start_path()
            self.axis = "child"

    def _bracket(self, text: str, level: Level) -> None:
        """Read the beginning or the end of a condition, a group or a list of arguments."""
        if text == "[":
            self.levels.append(Level(*level.matches, inside=True))
        elif text == "(":
            self.levels.append(Level(level.evaluations, level.equal, level.inside))
        elif len(self.levels) > 1:
            self.levels.pop()
            if text == ")":  # a group may find any rows
                rows, outer = self.shape.rows, self.levels[-1]
                outer.matches = (outer.evaluations * rows, outer.evaluations)
        self.axis = "child"

    def _descend(self, text: str, level: Level) -> None:
        """Read a slash; at the start of a path in a condition it leads to the root each time."""
        if not level.steps:
            level.repeated = level.contexts
            self.total += level.contexts * (self.shape.rows if level.inside else 1)
        self.axis = "descendant" if text == "//" else "child"

    def _step(self, name: str, level: Level, position: re.Match[str] | None) -> None:
        """Read a name, which ends a step."""
        axis, shape = {".": "self", "..": "parent"}.get(name, self.axis), self.shape
        everywhere, most, same = shape.reach(axis)
        named = shape.rows if axis == "attribute" else shape.count_named(name)
        visits = min(level.contexts * most, level.repeated * everywhere)
        matches = min(visits, level.contexts * min(most, named), level.repeated * same * named)
        self.total += visits + level.contexts
        if name == ".":
            chars = shape.texts / CHARS_PER_STEP
            self.total += min(level.contexts, level.repeated * shape.levels) * chars
        if axis in REVERSE_AXES and position is None:
            self.total += matches * min(most, named)
        elif level.steps and axis in (*SIBLING_AXES, *PAGE_AXES):
            self.total += matches * named / MERGED_PER_STEP
        level.matches = (matches, level.repeated * same)
        level.contexts = min(matches, level.evaluations * named)
        level.repeated = min(level.repeated * same, level.evaluations)
        level.steps, self.axis = level.steps + 1, "child"
