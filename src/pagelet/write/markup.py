"""Writes clean HTML piece by piece: blocks outside, inline elements inside, lines in `p`.

Blocks and inline elements are opened with the row at which they end, and closed when a row
at or after it is reached. An element that is not allowed where it is opened is not written.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from pagelet.write.text import BREAK, LINE, SPACE, trim_blank_lines

#: Kinds of blocks by their content: lines in `p`; a bare line, then lines in `p`; one line;
#: only certain children; preformatted text.
FLOW, ITEM, PHRASE, LIST, CODE = range(5)
HOLDS = {
    **dict.fromkeys(("", "blockquote", "details"), FLOW),
    **dict.fromkeys("li dd dt td th caption figcaption figure summary".split(), ITEM),
    **dict.fromkeys("h1 h2 h3 h4 h5 h6".split(), PHRASE),
    **dict.fromkeys("ul ol dl table thead tbody tfoot tr".split(), LIST),
    "pre": CODE,
}
IN_TABLE = ("table", "thead", "tbody", "tfoot", "tr")
#: Blocks that are allowed only in these parents.
PARENTS = {
    "li": ("ul", "ol"),
    **dict.fromkeys(("dt", "dd"), ("dl",)),
    **dict.fromkeys(("caption", "thead", "tbody", "tfoot"), ("table",)),
    "tr": ("table", "thead", "tbody", "tfoot"),
    **dict.fromkeys(("td", "th"), ("tr",)),
    "figcaption": ("figure",),
    "summary": ("details",),
}
#: Elements around a line, by the block that holds it.
LINES = {
    **dict.fromkeys(("ul", "ol"), ("<li>", "</li>")),
    "dl": ("<dd>", "</dd>"),
    "tr": ("<td>", "</td>"),
    **dict.fromkeys(("table", "thead", "tbody", "tfoot"), ("<tr><td>", "</td></tr>")),
}
PARAGRAPH = ("<p>", "</p>")
WRAPPERS = {"ul": "li", "ol": "li", "dl": "dd"}  #: elements around other blocks in a list
NESTED = ("ul", "ol", "dl")  #: blocks that are allowed in a list
#: Elements that look the same; none is nested in the other.
ALIKE = {"strong": "b", "em": "i", "del": "s"}
NO_MARKS: Mapping[str, tuple[str, str]] = {}  #: every element is written as itself
NO_END = 1 << 62  #: row that no page has
MAX_BLOCK_DEPTH = 32  #: nested blocks; deeper text is written without its blocks


@dataclass(slots=True)
class Block:
    """A block that is open."""

    end: int  #: first row after it
    name: str
    empty: int = 0  #: empty cells to append at the end
    used: bool = False  #: whether anything is in it


class Inline(NamedTuple):
    """An inline element around the current place."""

    end: int
    name: str
    opening: str
    closing: str


class HtmlWriter:
    """Collects HTML in document order; marks are written for some inline elements instead."""

    def __init__(self, marks: Mapping[str, tuple[str, str]] = NO_MARKS) -> None:
        self._marks = marks
        self._out: list[str] = []
        self._blocks = [Block(NO_END, "")]
        self._chain: list[Inline] = []
        self._written = 0  # elements of the chain that are open in the current line
        self._closing: str | None = None  # end tags of the current line; None when there is no line
        self._spaced = False  # the current line ends with white space
        self._code: list[str] = []
        self.nearest_end = NO_END  #: first row at which something that is open ends

    # -- blocks --------------------------------------------------------------------------

    def leave(self, row: int) -> None:
        """Close what ends at or before a row."""
        while self._chain and self._chain[-1].end <= row:
            ended = self._chain.pop()
            if self._written > len(self._chain):
                self._written -= 1
                self._out.append(ended.closing)
        while len(self._blocks) > 1 and self._blocks[-1].end <= row:
            self._close_block()
        line = self._chain[-1].end if self._chain else NO_END
        self.nearest_end = min(line, self._blocks[-1].end)

    def _close_block(self) -> None:
        block = self._blocks.pop()
        if block.name == "pre":
            self._out += (escape(trim_blank_lines("".join(self._code)), quote=False), "</code>")
            self._code.clear()
        else:
            self._end_line()
        self._out.append(f"{'<td></td>' * block.empty}</{block.name}>")

    def block(self, end: int, name: str, attributes: str = "", empty: int = 0) -> None:
        """Open a block if it is allowed here; a `tr` is filled up with empty cells."""
        around = self._blocks[-1].name
        if not self._is_allowed(name, around):
            return
        if self._closing is not None:
            self._end_line()
        self._blocks[-1].used = True
        if around in WRAPPERS and name not in NESTED and around not in PARENTS.get(name, ()):
            self._out.append(f"<{WRAPPERS[around]}>")
            self._blocks.append(Block(end, WRAPPERS[around], used=True))
        self._blocks.append(Block(end, name, empty))
        self.nearest_end = min(self.nearest_end, end)
        inner = f"><code{attributes}>" if name == "pre" else f"{attributes}>"
        self._out.append(f"<{name}{inner}")

    def _is_allowed(self, name: str, around: str) -> bool:
        if name in PARENTS and around not in PARENTS[name]:
            return False
        if HOLDS[around] in (PHRASE, CODE) or len(self._blocks) > MAX_BLOCK_DEPTH:
            return False
        return around not in IN_TABLE or name in PARENTS

    def empty_cells(self, count: int) -> None:
        """Fill up a table row."""
        if self._blocks[-1].name == "tr":
            self._end_line()
            self._out.append("<td></td>" * count)

    def rule(self) -> None:
        """Write a horizontal rule, where one is allowed."""
        if HOLDS[self._blocks[-1].name] == FLOW:
            self._end_line()
            self._out.append("<hr>")

    @property
    def in_heading(self) -> bool:
        """Whether the innermost block is a heading."""
        return HOLDS[self._blocks[-1].name] == PHRASE

    # -- lines ---------------------------------------------------------------------------

    def inline(self, end: int, name: str, attributes: str = "") -> None:
        """Open an inline element, unless one that looks the same is open."""
        likeness = ALIKE.get(name, name)
        if all(ALIKE.get(one.name, one.name) != likeness for one in self._chain):
            opening, closing = self._marks.get(name, (f"<{name}{attributes}>", f"</{name}>"))
            self._chain.append(Inline(end, name, opening, closing))
            self.nearest_end = min(self.nearest_end, end)

    def gap(self, code: int, breaks: int = 0) -> None:
        """Write the gap between two pieces: nothing, a space, a break or a new line."""
        if HOLDS[self._blocks[-1].name] == PHRASE:
            self._spaced |= code >= SPACE
        elif code >= LINE or (code == BREAK and breaks > 1):
            if self._closing is not None:
                self._end_line()
        elif code == BREAK and self._closing is not None:
            self._out.append("<br>")
            self._spaced = False
        else:
            self._spaced |= code == SPACE

    def text(self, text: str, escaped: str) -> None:
        """Write a text, given as it is, and with white space folded and as HTML."""
        self._begin(spaced=text[:1].isspace())
        self._out.append(escaped)
        self._spaced = text[-1:].isspace()

    def element(self, html: str) -> None:
        """Write an inline element given as HTML."""
        self._begin(spaced=False)
        self._out.append(html)

    def preformatted(self, blank: str, text: str) -> bool:
        """Write a text with the white space before it, if the innermost block is a `pre`."""
        if self._blocks[-1].name != "pre":
            return False
        self._code += (blank if self._code else "", text)
        return True

    def _begin(self, *, spaced: bool) -> None:
        """Make sure that there is a line and that the current inline elements are open in it."""
        if self._closing is None:
            self._begin_line()
        elif (spaced or self._spaced) and self._out[-1] != "<br>":
            self._out.append(" ")
        self._spaced = False
        if self._written < len(self._chain):
            self._out += [one.opening for one in self._chain[self._written :]]
            self._written = len(self._chain)

    def _begin_line(self) -> None:
        block = self._blocks[-1]
        bare = HOLDS[block.name] == PHRASE or (HOLDS[block.name] == ITEM and not block.used)
        opening, self._closing = ("", "") if bare else LINES.get(block.name, PARAGRAPH)
        block.used = True
        self._out.append(opening)

    def _end_line(self) -> None:
        if self._closing is None:
            return
        if self._written:
            self._out += [one.closing for one in reversed(self._chain[: self._written])]
        self._out.append(self._closing)
        self._written, self._closing, self._spaced = 0, None, False

    def finish(self) -> str:
        """Close everything and return the HTML."""
        while len(self._blocks) > 1:
            self._close_block()
        self._end_line()
        return "".join(self._out)
