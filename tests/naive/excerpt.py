"""Kept texts as lines, by walking a tree and writing down all that lies between two texts."""

import re
from collections.abc import Container, Iterator

from tests.naive.tree import Node, ancestors, blank

FORMATTING = """
a abbr acronym b basefont bdi bdo big blink cite code data del dfn em font i ins kbd label
link mark meta nobr noscript param q rb rp rt rtc ruby s samp script slot small source span
strike strong style sub sup template time track tt u var wbr
""".split()
BLOCKS = """
address article aside blockquote body center dd details dialog dir div dl dt fieldset
figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li
listing main menu nav ol optgroup option p plaintext pre search section summary textarea ul xmp
""".split()
AS_WRITTEN = ("pre", "textarea", "listing", "xmp", "plaintext")
STRENGTH = ("joined", "space", "break", "line", "cell", "row")


def effect(name: str) -> str:
    """What an element does to the text around it."""
    if name in ("table", "caption", "thead", "tbody", "tfoot", "tr"):
        return "row"
    if name in ("td", "th"):
        return "cell"
    if name in BLOCKS:
        return "line"
    if name == "br":
        return "break"
    return "joined" if name in FORMATTING else "space"


def events(node: Node, kept: Container[Node]) -> Iterator[str | Node]:
    """Kept texts and what lies between them, in document order."""
    if node.name:
        yield effect(node.name)
        for child in node.born:
            yield from events(child, kept)
        yield effect(node.name)
    elif blank(node):
        yield "space"
    elif node in kept:
        yield node
    elif node.parent is not None and node.parent.name not in ("script", "style"):
        yield "space"


def as_written(text: Node) -> bool:
    return any(above.name in AS_WRITTEN for above in ancestors(text))


def excerpt(root: Node, kept: Container[Node]) -> str:
    """A line a block, cells of a table row parted by tabs."""
    texts: list[Node] = []
    gaps: list[str] = []
    strongest = "joined"
    for event in events(root, kept):
        if isinstance(event, Node):
            if texts and strongest == "joined" and seen_apart(texts[-1], event):
                strongest = "space"
            gaps.append(strongest)
            texts.append(event)
            strongest = "joined"
        else:
            strongest = max(strongest, event, key=STRENGTH.index)
    return assembled(texts, whole_rows(gaps[1:])) if texts else ""


# -- texts that touch -------------------------------------------------------------------------

WHOLE = "code kbd samp tt var pre math svg ruby sub sup abbr".split()
CJK = "[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"


def seen_apart(one: Node, other: Node) -> bool:
    """Whether two texts are in elements of their own that are no parts of one word."""
    if one.parent in ancestors(other) or other.parent in ancestors(one):
        return False
    if any(above.name in WHOLE for text in (one, other) for above in ancestors(text)):
        return False
    before, after = one.text, other.text
    if not (
        re.search(r"([^\W_]|[:.,;!?)\]}%”»\"'’…])\Z", before)
        and re.match(r"[^\W_]|[(\[{$€£¥#@“«\"]", after)
    ):
        return False
    if re.search(f"{CJK}\\Z", before) and re.match(CJK, after):
        return False
    if len(before[-40:].split()[-1]) < 2 or (before[-1] == "." and not after[0].isupper()):
        return False
    continues = before[-1].islower() and after[0].islower()
    return not ((continues or len(after[:40].split()[0]) < 2) and look(one) == look(other))


def look(text: Node) -> tuple:
    above = text.parent
    return above.name, above.attrs.get("class"), above.attrs.get("href")


def whole_rows(gaps: list[str]) -> list[str]:
    """Cells of a row in which some cell has several lines are lines themselves."""
    rows: list[list[str]] = [[]]
    for gap in gaps:
        if gap == "row":
            rows += [["row"], []]
        else:
            rows[-1].append(gap)
    out = []
    for row in rows:
        broken = "line" in row or "break" in row
        out += ["line" if broken and gap == "cell" else gap for gap in row]
    return out


def assembled(texts: list[Node], gaps: list[str]) -> str:
    done, current = "", [texts[0]]
    raw = texts[0].text
    for text, gap in zip(texts[1:], gaps, strict=True):
        same_place = as_written(text) and as_written(current[-1]) and gap != "cell"
        if gap in ("joined", "space"):
            raw += {"joined": "", "space": " "}[gap] + text.text
        elif gap == "break" and same_place:
            raw += "\n" + text.text
        else:
            done += finished(raw, current[-1]) + {"cell": "\t"}.get(gap, "\n")
            raw = text.text
        current.append(text)
    return done + finished(raw, current[-1])


def finished(raw: str, text: Node) -> str:
    if not as_written(text):
        return " ".join(raw.translate(dict.fromkeys((0, 1, 2), "\ufffd")).split())
    lines = raw.rstrip().split("\n")
    while not lines[0].strip():
        lines.pop(0)
    return "\n".join(lines)
