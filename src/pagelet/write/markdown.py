"""Markdown from clean HTML: emphasis that parsers recognise, and no needless escapes.

The renderer writes raw tags where emphasis touches letters that are not ASCII, and escapes every
character that may have a meaning. So emphasis reaches it as placeholders, which become `**`, `*`
and `~~` by the flanking rules of CommonMark; then the backslashes that no parser needs are
removed.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial

import turbohtml
from turbohtml import Markdown

from pagelet import core

MARKDOWN = Markdown(tables=Markdown.Tables(cell_blocks="text"))


BESIDE = "x"  #: a paragraph before and behind blocks, so that what parts them is written too


def render_markdown(html: str) -> str:
    """Clean HTML with placeholders as Markdown."""
    return write_emphasis(render_blocks(html).strip())


def render_blocks(html: str) -> str:
    """Some blocks of clean HTML as Markdown with placeholders, and what parts them from others."""
    options = MARKDOWN if "<table" in html else None  # which cost more than a short text
    beside = f"<p>{BESIDE}</p>"
    rendered = turbohtml.parse_fragment(f"{beside}{html}{beside}").to_markdown(options)
    rendered = rendered.removeprefix(BESIDE).removesuffix(BESIDE)
    if "\\" not in rendered:
        return rendered
    pieces = _split_code(rendered)
    return "".join([piece if code else _unescape(piece) for code, piece in pieces])


# -- emphasis ---------------------------------------------------------------------------------

#: Placeholders of inline elements, opening and closing: code points that are no characters.
STRONG, EMPHASIS, STRUCK = "\ufdd0\ufdd1", "\ufdd2\ufdd3", "\ufdd4\ufdd5"
RAISED, LOWERED = "\ufdd6\ufdd7", "\ufdd8\ufdd9"
PLACEHOLDERS = {
    name: (pair[0], pair[1])
    for names, pair in (
        ("strong b", STRONG),
        ("em i", EMPHASIS),
        ("del s", STRUCK),
        ("sup", RAISED),
        ("sub", LOWERED),
    )
    for name in names.split()
}
MARKERS = {EMPHASIS: "*", STRONG: "**", STRUCK: "~~"}  #: what is written, in order of weakness
OPENINGS, CLOSINGS = ("".join(each) for each in zip(*MARKERS, strict=True))
EMPHASISED = {pair: re.compile(f"{pair[0]}([^{pair}]*){pair[1]}") for pair in MARKERS}
#: What becomes of placeholders in the end; those of emphasis that could not be are left out.
WRITTEN = dict.fromkeys(OPENINGS + CLOSINGS, "") | dict(
    zip(RAISED + LOWERED, ("<sup>", "</sup>", "<sub>", "</sub>"), strict=True)
)
FIRST_PLACEHOLDER = min(WRITTEN)
PLACEHOLDER = re.compile("[\ufdd0-\ufdd9]")
OPENED, CLOSED = frozenset(OPENINGS), frozenset(CLOSINGS)
SYNTAX = frozenset("[]()`<>\\|*_~\n")  #: characters that emphasis may not leave out


def without_placeholders(text: str) -> str:
    """A text of a page without the code points that placeholders are."""
    return PLACEHOLDER.sub("\ufffd", text)


def write_emphasis(text: str) -> str:
    """Replace placeholders by Markdown, so that every parser sees the same emphasis."""
    if core.compiled:
        with suppress(UnicodeEncodeError):  # lone surrogates are left to Python
            return core.kernels.write_emphasis(text, *_signs(), _emphasise)
    used = [pair for pair in MARKERS if pair[0] in text]  # single characters are found fastest
    for pair in used:
        text = text.replace(pair[::-1], "")  # two of a kind that touch are one
    for pair in used:
        text = EMPHASISED[pair].sub(partial(_emphasise_match, MARKERS[pair]), text)
    for placeholder, tag in WRITTEN.items():
        if placeholder in text:
            text = text.replace(placeholder, tag)
    return text


@cache
def _signs() -> tuple[tuple[tuple[int, str], ...], tuple[str, ...]]:
    """For the compiled core: the markers by their opening placeholders, and what is written."""
    markers = [(ord(pair[0]) - ord(FIRST_PLACEHOLDER), mark) for pair, mark in MARKERS.items()]
    return tuple(markers), tuple(WRITTEN[sign] for sign in sorted(WRITTEN))


def _emphasise_match(marker: str, match: re.Match[str]) -> str:
    start, stop = match.span()
    before = match.string[start - 1 : start] if start else ""
    return _emphasise(marker, match[1], before, match.string[stop : stop + 1])


def _emphasise(marker: str, body: str, before: str, after: str) -> str:
    """An emphasised text with its markers moved inwards, over punctuation, to where they may be.

    Without markers where they may be nowhere, or would touch those of another emphasis.
    """
    if before in CLOSED or after in OPENED:
        return body
    if body[:1].isalnum() and body[-1:].isalnum():  # most are, and stay where they are
        return f"{marker}{body}{marker}"
    begin = _steps(body, before)
    end = len(body) - _steps(body[::-1], after)
    outside = body[:begin] + body[end:]
    if begin >= end or not SYNTAX.isdisjoint(outside):
        return body
    return f"{body[:begin]}{marker}{body[begin:end]}{marker}{body[end:]}"


def _steps(body: str, beside: str) -> int:
    """The characters to leave out until a marker flanks the rest as CommonMark wants it."""
    at = 0
    while at < len(body) and (body[at].isspace() or _is_mark(body[at])):
        if not body[at].isspace() and not _is_letter(beside):
            break
        beside, at = body[at], at + 1
    return at


def _is_mark(char: str) -> bool:
    return unicodedata.category(char)[0] in "PS" or PLACEHOLDER.match(char) is not None


def _is_letter(char: str) -> bool:
    return char != "" and not char.isspace() and not _is_mark(char)


# -- escapes ----------------------------------------------------------------------------------

#: Code: fenced blocks, also in lists and quotations, and spans.
FENCED = re.compile(
    r"^(?P<prefix>[ \t>]*)(?P<fence>`{3,})[^\n`]*\n(?:.*?\n)??(?P=prefix)(?P=fence)[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
SPAN = re.compile(r"(?<![\\`])(?P<ticks>`+)(?!`)(?:[^\n]|\n(?!\n))*?(?<!`)(?P=ticks)(?!`)")
ESCAPE = re.compile(r"\\([^a-zA-Z0-9\s])")
ESCAPE_NO_BRACKET = re.compile(r"\\([^a-zA-Z0-9\s\[\]])")
#: What may stand before the text of a line: quotations, bullets, numbers.
PREFIX = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*")
BLOCK_START = re.compile(r"(?:#{1,6}|[-+])(?: |$)|[-= ]+$")
BLANKS = " \t>\n"  #: characters of a line that parts paragraphs, in quotations too
MAX_LINE_CHARS = 200  #: characters around an escape that are looked at
SPACES = ("", " ", "\n")


def _split_code(text: str) -> Iterator[tuple[bool, str]]:
    """The parts of a document, and whether each is code."""
    last, seen, at = 0, 0, text.find("`")
    while at >= 0:  # patterns are tried only where code may begin: most documents have little
        line = max(text.rfind("\n", seen, at) + 1, seen)
        match = None if text[line:at].strip(BLANKS) else FENCED.match(text, line)
        match = match or SPAN.match(text, at)
        if match is not None:
            yield False, text[last : match.start()]
            yield True, match[0]
            last = match.end()
        seen = max(at + 1, last)
        at = text.find("`", seen)
    yield False, text[last:]


def _unescape(text: str) -> str:
    """A part of a document without the backslashes that change nothing."""
    parts, done = list[str](), 0
    at = text.find("\\")
    while at >= 0:
        first, last = _paragraph_around(text, at)
        parts += (text[done:first], _Paragraph(text[first:last]).unescape())
        at, done = text.find("\\", last), last
    return "".join((*parts, text[done:]))


def _paragraph_around(text: str, at: int) -> tuple[int, int]:
    """Where the lines without a blank one between them begin and end, given a place in them."""
    first, last = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    while first > 0:
        before = text.rfind("\n", 0, first - 1) + 1
        if not text[before:first].strip(BLANKS):
            break
        first = before
    while last >= 0:
        after = text.find("\n", last + 1)
        if after >= 0 and not text[last:after].strip(BLANKS):
            return first, last
        last = after
    return first, len(text)


class _Paragraph:
    """Lines without a blank one between them: emphasis and links do not reach beyond."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.counts = {char: text.count(char) for char in "*~`"}
        self.emphasised = PLACEHOLDER.search(text) is not None
        self.linked = text.count("[") != text.count("\\[")

    def unescape(self) -> str:
        """The paragraph without needless escapes."""
        escape = ESCAPE_NO_BRACKET if self.linked else ESCAPE  # beside links brackets keep theirs
        return escape.sub(self._keep_needed, self.text)

    def _keep_needed(self, match: re.Match[str]) -> str:
        needed = NEEDED.get(match[1])
        keep = needed is None or needed(self, match.start(), match.end())
        return match[0] if keep else match[1]

    def line_before(self, at: int) -> str:
        """What stands before a place in its line, at most so many characters."""
        near = self.text[max(at - MAX_LINE_CHARS, 0) : at]
        return near[near.rfind("\n") + 1 :]

    def begins_number(self, at: int, end: int) -> bool:
        """Whether the number of a list would end here."""
        digits = PREFIX.sub("", self.line_before(at), count=1)
        return digits.isdigit() and len(digits) < 10 and self.text[end : end + 1] in SPACES

    def begins_block(self, at: int, end: int) -> bool:
        """Whether a bullet, a rule or a heading would begin here."""
        rest = self.text[end - 1 : end + MAX_LINE_CHARS].partition("\n")[0].replace("\\", "")
        return bool(PREFIX.fullmatch(self.line_before(at)) and BLOCK_START.match(rest))

    def parts_words(self, at: int, end: int) -> bool:
        """Whether an underscore may open or close emphasis: it is not inside a word."""
        before = self.text[max(at - MAX_LINE_CHARS, 0) : at].rstrip("\\_")[-1:]
        after = self.text[end : end + MAX_LINE_CHARS].lstrip("\\_")[:1]
        return not (before.isalnum() and after.isalnum())

    def is_paired(self, at: int, end: int) -> bool:
        """Whether the same character occurs again, or emphasis does."""
        if self.text[max(at - 1, 0) : at] in SPACES and self.text[end : end + 1] in SPACES:
            return self.text[end - 1] == "*" and PREFIX.fullmatch(self.line_before(at)) is not None
        return self.counts[self.text[end - 1]] > 1 or self.emphasised

    def is_bracket(self, at: int, end: int) -> bool:
        """Whether brackets could be read as a link, a note or a box to tick."""
        if PREFIX.fullmatch(self.line_before(at)):
            return True
        close = self.text.find("]", at, end + MAX_LINE_CHARS)
        return close < 0 or self.text[close + 1 : close + 2] in ("(", "[", ":", "]")


#: Whether an escape is needed, by the character; those of all others are.
NEEDED: dict[str, Callable[[_Paragraph, int, int], bool]] = {
    **dict.fromkeys((".", ")"), _Paragraph.begins_number),
    **dict.fromkeys(("-", "+", "#", "="), _Paragraph.begins_block),
    "_": _Paragraph.parts_words,
    **dict.fromkeys(("*", "~", "`"), _Paragraph.is_paired),
    **dict.fromkeys(("[", "]"), _Paragraph.is_bracket),
}
