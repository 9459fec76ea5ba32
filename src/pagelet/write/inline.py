"""Inline texts that touch: neighbours that are seen apart, and sub- and superscripts.

Style sheets are not read, so two inline elements side by side are taken to be seen apart, as
nearly all are on real pages: a label and its value, tags, links in a row. One word that is
divided among elements stays one: single letters, a lower-case continuation, parts of one link.
"""

import re
from functools import lru_cache
from itertools import pairwise

import numpy as np

from pagelet.arrays import Ints, Mask
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, TEXT, numbers

# -- neighbours -------------------------------------------------------------------------------

#: Elements in which pieces belong together: code, formulas, ruby, and scripts.
WHOLE = numbers("code kbd samp tt var pre math svg ruby sub sup abbr")
ENDS = frozenset(":.,;!?)]}%”»\"'’…")  #: marks after which a word of its own may begin
BEGINS = frozenset('([{$€£¥#@“«"')  #: marks with which one may begin
IDEOGRAPHS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


def seen_apart(page: Page, rows: Ints, joined: Ints) -> list[int]:
    """Those of some places where the text and the next one are in elements of their own.

    `joined` are places in `rows` of texts that nothing parts from the next.
    """
    if not len(joined):
        return []
    first, second = rows[joined], rows[joined + 1]
    above, beyond = page.parent[first], page.parent[second]
    siblings = (page.end[above] <= second) & (beyond > first) & (page.tag[first] == TEXT)
    siblings &= (page.tag[second] == TEXT) & (above != beyond)
    if not siblings.any():
        return []
    apart = ~page.inside(page.is_tag(*WHOLE))
    siblings &= apart[first] & apart[second]
    places = np.array((joined, first, second))[:, siblings].T.tolist()
    return [at for at, one, other in places if are_apart(page, one, other)]


def are_apart(page: Page, one: int, other: int) -> bool:
    """Whether texts of two elements, side by side, are seen apart."""
    before, after = page.text(one)[-40:], page.text(other)[:40]
    last, first = before[-1], after[0]
    if not (last.isalnum() or last in ENDS) or not (first.isalnum() or first in BEGINS):
        return False
    if IDEOGRAPHS.match(last) and IDEOGRAPHS.match(first):
        return False
    if len(before.split()[-1]) < 2 or (last == "." and not first.isupper()):
        return False
    continues = (last.islower() and first.islower()) or len(after.split()[0]) < 2
    return not (continues and _look_alike(page, one, other))


def _look_alike(page: Page, one: int, other: int) -> bool:
    """Whether the elements of two texts have the same tag, class and address."""
    mine, theirs = int(page.parent[one]), int(page.parent[other])
    return page.tag[mine] == page.tag[theirs] and all(
        page.value_of(mine, name) == page.value_of(theirs, name) for name in ("class", "href")
    )


DISPLAYED = re.compile(r"(?:^|[;\s])display\s*:\s*([a-z-]+)", re.IGNORECASE)
LINES = ("block", "flex", "grid", "list-item", "table", "flow-root")  #: displays with own lines
MAX_STYLES, MAX_STYLE_CHARS = 2_000, 100  #: styles that are remembered; pages share many
SPACED = ("inline-block", "inline-flex", "inline-grid", "inline-table", "table-cell")


def displayed(page: Page) -> tuple[list[int], list[int]]:
    """Elements that their own style draws on lines of their own, and those it draws apart."""
    lines, spaced = list[int](), list[int]()
    if not page.may_hold("style", "isplay"):
        return lines, spaced
    for at, style in enumerate(page.values_of("style")):
        shown = _display(style) if "isplay" in style else ""
        if shown in LINES:
            lines += page.rows_of_value("style", at)
        elif shown in SPACED:
            spaced += page.rows_of_value("style", at)
    return lines, spaced


def _display(style: str) -> str:
    """How a style draws an element; empty if it does not say it."""
    return _short_display(style) if len(style) <= MAX_STYLE_CHARS else _find_display(style)


def _find_display(style: str) -> str:
    match = DISPLAYED.search(style)
    return "" if match is None else match[1].lower()


_short_display = lru_cache(MAX_STYLES)(_find_display)


# -- sub- and superscripts --------------------------------------------------------------------

SCRIPTS = {NUMBER["sup"]: "^", NUMBER["sub"]: "_"}
MAX_SCRIPT_CHARS = 12  #: characters of the longest script; a longer one is a note
MIN_WORD_CHARS = 4  #: letters from which on a superscript is a word
#: Raised endings of ordinals and abbreviations, in lower case; all trade marks.
RAISED_ENDINGS = frozenset(
    "st nd rd th er ers re res ère ères e es eme ème ième o os a as me mes lle lles gr mgr r te ter"
    " ste de tm sm mc md".split()
)
AFTER_DIGITS = frozenset("eoa")  #: single letters that end ordinals only after digits
PLAIN = re.compile(r"[+\-−–]?[\w.,]+[+\-−–]?\Z")  #: scripts that need no brackets


def find_scripts(page: Page, kept: Mask) -> list[tuple[int, int, int]]:
    """Elements that raise or lower what means another thing so, with their first and last text.

    Notes, ordinals and trade marks mean the same on the line.
    """
    elements = page.first_tagged(len(page), *SCRIPTS)
    if not elements:
        return []
    texts = np.flatnonzero((page.tag == TEXT) & kept)
    first = np.searchsorted(texts, elements)
    last = np.searchsorted(texts, page.end[elements])
    found = []
    for row, begin, end in zip(elements, first.tolist(), last.tolist(), strict=True):
        if 0 < begin < end and not page.link[row] and _is_beside(page, int(texts[begin - 1]), row):
            inner = texts[begin:end].tolist()
            if not page.link[inner[0]] and _has_meaning(page, int(texts[begin - 1]), row, inner):
                found.append((row, inner[0], inner[-1]))
    return found


def _is_beside(page: Page, before: int, row: int) -> bool:
    """Whether nothing parts a text from the element that follows it."""
    blank = np.searchsorted(page.blank_row, (before + 1, row + 1))
    base = page.text(before)
    return bool(blank[0] == blank[1]) and not base[-1:].isspace()


def _has_meaning(page: Page, before: int, row: int, inner: list[int]) -> bool:
    """Whether a script means something else than the same characters on the line."""
    if any(later - one > MAX_SCRIPT_CHARS for one, later in pairwise(inner)):
        return False
    script, base = "".join(map(page.text, inner)), page.text(before)[-1]
    if script[:1].isspace() or not 0 < len(script.strip()) <= MAX_SCRIPT_CHARS:
        return False
    script = script.strip().lower()
    if not any(map(str.isalnum, script)) or script[0] in "[(*":
        return False
    if page.tag[row] == NUMBER["sub"]:
        return True
    if script in AFTER_DIGITS:
        return not base.isdigit() and not (script == "o" and base in "nNcC")
    return script not in RAISED_ENDINGS and not (script.isalpha() and len(script) >= MIN_WORD_CHARS)


def mark_scripts(page: Page, rows: Ints, texts: list[str], kept: Mask) -> None:
    """Write `^` and `_` before the texts of scripts, and brackets where they are needed.

    The numbers of chemical formulas are written as they are.
    """
    for row, first, last in find_scripts(page, kept):
        begin, end = np.searchsorted(rows, (first, last)).tolist()
        sign = SCRIPTS[int(page.tag[row])]
        whole, base = "".join(texts[begin : end + 1]).strip(), texts[begin - 1][-1:]
        if sign == "_" and whole.isdigit() and (base.isalpha() or base in ")]"):
            continue
        if PLAIN.match(whole):
            texts[begin] = f"{sign}{texts[begin]}"
        else:
            texts[begin] = f"{sign}({texts[begin]}"
            texts[end] = f"{texts[end]})"
