"""How much larger than its source a tree may become, found out before the parser builds it.

Two rules of HTML copy nodes. A formatting element that is still open when its block ends is
opened again in every later block, attributes and all; and each `body` or `html` tag adds its
attributes to those of the first one. A page of 200 KB can so fill gigabytes. One search clears
most pages; of the others, the tags are followed one by one.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from turbohtml import Token, TokenType, tokenize

from pagelet import core
from pagelet.errors import PageTooLarge

MAX_NODES = 2_000_000  #: elements and attributes of a page, unless a caller sets another limit

FEW_ROOTS = 20  #: tags of `html` and `body` that need no counting
FEW_RICH_TAGS = 50  #: tags with many attributes that are counted one by one
FEW_ATTRIBUTES = 3  #: attributes of a formatting tag that needs no counting
LINK_ATTRIBUTES = 15  #: attributes of a link that needs no counting; only one link is open at once
EQUAL_TAGS = 3  #: equal formatting elements that are opened again, after the standard
ADOPTED_NODES = 32  #: elements that one misnested end tag can copy, after the standard
MAX_CELLS = 16  #: cells without end tags that are looked through for their table

ROOTS = ("html", "body")
FORMATTING = (
    "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
)  # fmt: skip
CELLS = ("td", "th", "caption")
#: Elements whose insides the tokenizer alone may take for text, or text for tags.
STRANGE = ("svg", "math", "select", "frameset")
#: Elements beyond which the end tag of a formatting element does not reach.
BARRIERS = frozenset(
    (*CELLS, *STRANGE, "table", "applet", "marquee", "object", "template", "plaintext",
     "foreignobject", "desc", "title", "mi", "mo", "mn", "ms", "mtext", "annotation-xml")
)  # fmt: skip


def _either_case(pattern: str) -> str:
    """A pattern of names in either case, faster than a flag that ignores case."""
    return re.sub("[a-z]", lambda letter: f"[{letter[0]}{letter[0].upper()}]", pattern)


SEPARATORS = " \t\n\r\f/"
#: An attribute, as the standard reads it.
ATTRIBUTE = re.compile(r"[\s/]*+=?[^\s/>=]++(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s>\"']*+))?+")
#: One that is short.
_ATTRIBUTE = (
    r"(?:[\s/]++[^\s/>=]{1,200}+"
    r"(?:\s*+=\s*+(?:\"[^\"]{0,4000}+\"|'[^']{0,4000}+'|[^\s>\"']{0,1000}+))?+)"
)
_FORMATTING = _either_case("i|u|s(?:mall|tr(?:ike|ong))?+|b(?:ig)?+|em|tt|code|font|nobr")
SHORT_ATTRIBUTE = re.compile(_ATTRIBUTE)
#: A formatting tag with attributes, as far as they are few and short.
FORMATTING_TAG = re.compile(rf"<(?:{_FORMATTING}){_ATTRIBUTE}{{1,{FEW_ATTRIBUTES}}}+")
#: Finds roots, formatting tags with attributes, links with many, and templates; a tag with more or
#: longer attributes than is usual is matched with the character that follows its name.
NOTABLE = re.compile(
    r"<(?=[abcefhinstuABCEFHINSTU])(?:"
    rf"[aA](?=[{SEPARATORS}])(?!{_ATTRIBUTE}{{0,{LINK_ATTRIBUTES}}}+[\s/]*+>)[{SEPARATORS}]"
    rf"|(?:{_FORMATTING})(?=[\s/])"
    rf"(?:(?!{_ATTRIBUTE}{{0,{FEW_ATTRIBUTES}}}+[\s/]*+>)[\s/])?+"
    rf"|(?:{_either_case('body|html')})(?=[\s/>])|{_either_case('template')}(?=[\s/]))"
)
FOLLOWED = frozenset((*ROOTS, *FORMATTING, "a")) | BARRIERS
TAG = re.compile("<[a-zA-Z]")
#: Spellings of the attribute that declares a shadow root; no others occur in practice.
SHADOW_SPELLINGS = ("shadowrootmode", "shadowRootMode", "SHADOWROOTMODE")


Notable = Mapping[str, int]  #: what NOTABLE finds in a page, in lower case, and how often


@dataclass(frozen=True)
class SourceTags:
    """The tags of a source that may be copied or hold a shadow root."""

    written: str | None  #: the source; None where only its bytes were read
    utf8: bytes | None  #: the source as bytes, for the compiled core
    notable: Notable
    count: int  #: characters that may begin a tag
    declares_roots: bool  #: whether a template may declare a shadow root

    @cached_property
    def source(self) -> str:
        """The source as text."""
        return (self.utf8 or b"").decode() if self.written is None else self.written


def scan_tags(source: str, utf8: bytes | None = None) -> SourceTags:
    """The notable tags of a source; `utf8` are its bytes, as far as they are at hand."""
    if core.compiled:
        return scan_bytes(source.encode("utf-8", "surrogatepass") if utf8 is None else utf8, source)
    notable: Counter[str] = Counter()
    for tag, times in Counter(NOTABLE.findall(source)).items():  # few spellings of many tags
        notable[tag.lower()] += times
    roots = notable["<template"] > 0 and any(word in source for word in SHADOW_SPELLINGS)
    return SourceTags(source, None, notable, source.count("<"), roots)


def scan_bytes(utf8: bytes, source: str | None = None) -> SourceTags:
    """The notable tags of a source in UTF-8, by the compiled core."""
    count, spelled, roots = core.kernels.scan_tags(utf8, FEW_ATTRIBUTES, LINK_ATTRIBUTES)
    return SourceTags(source, utf8, Counter(spelled), count, roots)


def check_expansion(tags: SourceTags, limit: int, name: str) -> None:
    """Refuse a page of which the parser could make more than so many nodes by copying."""
    if not _is_harmless(tags, limit) and count_copies(tags.source, limit) > limit:
        raise PageTooLarge(name, limit, "nodes")


def _is_harmless(tags: SourceTags, limit: int) -> bool:
    """Whether the notable tags alone show that few nodes can be copied."""
    notable = tags.notable
    roots = notable["<html"] + notable["<body"]
    rich = sum(times for tag, times in notable.items() if tag[-1] in SEPARATORS)
    if roots > FEW_ROOTS or rich > FEW_RICH_TAGS:
        return False
    always = EQUAL_TAGS * len(FORMATTING) + LINK_ATTRIBUTES
    if rich:
        always += rich * (1 + FEW_ATTRIBUTES) + count_rich_attributes(tags)
    formatting = sum(notable.values()) - roots - notable["<template"]
    return (
        tags.count * (always + formatting * (1 + FEW_ATTRIBUTES)) <= limit
        or tags.count * (always + count_spelled(tags)) <= limit
    )


def count_spelled(tags: SourceTags) -> int:
    """The nodes of all formatting tags with few attributes, equal ones as often as they count."""
    if tags.utf8 is not None:
        return core.kernels.count_spelled(tags.utf8, FEW_ATTRIBUTES, EQUAL_TAGS)
    spelled = Counter(FORMATTING_TAG.findall(tags.source)).items()
    return sum(
        min(times, EQUAL_TAGS) * (1 + len(SHORT_ATTRIBUTE.findall(tag))) for tag, times in spelled
    )


def count_rich_attributes(tags: SourceTags) -> int:
    """The attributes of all tags that have many, or long ones."""
    if tags.utf8 is not None:
        return core.kernels.count_rich_attributes(tags.utf8, FEW_ATTRIBUTES, LINK_ATTRIBUTES)
    source = tags.source
    rich = (tag for tag in NOTABLE.finditer(source) if tag[0][-1] in SEPARATORS)
    return sum(_count_attributes(source, tag.end() - 1) for tag in rich)


def _count_attributes(source: str, start: int) -> int:
    """The attributes of the tag whose name ends here."""
    attributes = 0
    while (attribute := ATTRIBUTE.match(source, start)) is not None:
        start, attributes = attribute.end(), attributes + 1
    return attributes


def count_copies(source: str, limit: float = math.inf) -> int:
    """The most nodes that the parser may copy; it is enough to know that they exceed the limit."""
    tags, nodes = OpenTags(), 0
    for token in tokenize(source):
        tag = token.tag
        if tag in FOLLOWED:
            nodes += tags.read(tag, token)
        elif tag is not None:  # it may end a block, and all is opened again in the next one
            nodes += tags.nodes
        elif tags.strange:
            nodes += tags.read_text(token.data or "")
        if nodes > limit:
            break
    return nodes


class OpenTags:
    """The formatting elements that the parser may open again, in doubt too many of them.

    An end tag is believed where no barrier is open that was not when its start tag came.
    """

    def __init__(self) -> None:
        self.nodes = 0  #: elements and attributes that are copied when all are opened again
        self.link_nodes = 0  #: those of the largest link, which are among them
        self.root_attributes = 0
        self.barriers: list[tuple[int, str]] = [(0, "")]  #: number and name of each that is open
        self.strange = 0  #: barriers among them that are in STRANGE
        self.numbered = 0  #: barriers so far
        self.equal: Counter[object] = Counter()
        self.open: defaultdict[str, list[tuple[int, tuple[object, int]]]] = defaultdict(list)

    def read(self, name: str, token: Token) -> int:
        """Follow a tag; the most nodes that the parser may copy at it."""
        if token.type == TokenType.END_TAG:
            return self._end(name)
        return self._start(name, token)

    def read_text(self, text: str) -> int:
        """Take text that may hide tags for any tags; whatever is open cannot close."""
        if "<" not in text and not text.startswith("[CDATA["):
            return 0
        self._raise_barrier("")
        self.nodes += len(text) * bool(TAG.search(text))
        return self.nodes * (1 + text.count("<"))

    def _start(self, name: str, token: Token) -> int:
        attributes = token.attrs or ()
        if name == "a":
            larger = max(1 + len(attributes) - self.link_nodes, 0)
            self.nodes, self.link_nodes = self.nodes + larger, self.link_nodes + larger
        elif name in FORMATTING:
            self._open(name, (name, *attributes), 1 + len(attributes))
            return self.nodes if name == "nobr" else 0  # what is open stays open
        elif name in ROOTS:
            self.root_attributes += len(attributes)
            return self.root_attributes
        elif name in BARRIERS and not (token.self_closing and name in ("svg", "math")):
            self._raise_barrier(name)
        return self.nodes

    def _open(self, name: str, key: object, nodes: int) -> None:
        self.equal[key] += 1
        if self.equal[key] <= EQUAL_TAGS:
            self.nodes += nodes
        self.open[name].append((self.barriers[-1][0], (key, nodes)))

    def _raise_barrier(self, name: str) -> None:
        self.numbered += 1
        self.strange += name in STRANGE
        self.barriers.append((self.numbered, name))

    def _end(self, name: str) -> int:
        before = self.nodes
        if name in FORMATTING:
            self._close(name)
            return before + ADOPTED_NODES
        if name in BARRIERS:
            self._lower_barrier(name)
        return before

    def _close(self, name: str) -> None:
        """Close the last element of a name, if it was opened since the last open barrier."""
        behind, opened = self.barriers[-1][0], self.open[name]
        while opened and opened[-1][0] > behind:  # its barrier fell; it may stay open
            opened.pop()
        if opened and opened[-1][0] == behind:
            _, (key, nodes) = opened.pop()
            self.equal[key] -= 1
            if self.equal[key] < EQUAL_TAGS:
                self.nodes -= nodes

    def _lower_barrier(self, name: str) -> None:
        """Close a barrier if it is the last one; a table may have cells that are still open."""
        last = len(self.barriers) - 1
        if name == "table":
            lowest = max(last - MAX_CELLS, 0)
            while last > lowest and self.barriers[last][1] in CELLS:
                last -= 1
        if self.barriers[last][1] == name:
            del self.barriers[last:]
            self.strange -= name in STRANGE
