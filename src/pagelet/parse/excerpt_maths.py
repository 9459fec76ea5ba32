"""Formulas of an excerpt: MathML that is left as it is."""

from html import escape

import numpy as np

from pagelet.columns.page import Mask, Page
from pagelet.tags import NUMBER, TEXT

#: What a plain formula is made of; one with anything else becomes text.
PLAIN = frozenset(
    "math semantics annotation mi mn mo ms mtext mspace mrow mfrac msqrt mroot mstyle merror"
    " mpadded mphantom msub msup msubsup munder mover munderover mmultiscripts mprescripts"
    " none mtable mtr mtd menclose".split()
)
LARGEST = 500  #: rows of a formula that is left as it is


def formulas(page: Page, kept: Mask) -> dict[int, str]:
    """Formulas whose texts are all kept, as HTML without attributes, by row."""
    roots = page.foreign[page.tag[page.foreign] == NUMBER["math"]]
    roots = roots[page.size[roots] <= LARGEST]
    texts = page.tag == TEXT
    found: dict[int, str] = {}
    past = 0  # first row after the formula found last
    for row in roots.tolist():
        inner = slice(row, int(page.end[row]))
        whole = bool((kept[inner] == texts[inner]).all()) and bool(kept[inner].any())
        if row >= past and whole and _is_plain(page, row):
            past = inner.stop
            found[row] = _as_it_is(page, row)
    return found


def _is_plain(page: Page, row: int) -> bool:
    tags = np.unique(page.tag[row : page.end[row]]).tolist()
    return all(tag == TEXT or page.names[tag] in PLAIN for tag in tags)


def _as_it_is(page: Page, row: int) -> str:
    out: list[str] = []
    open_elements: list[tuple[int, str]] = []
    for inner in page.subtree(row):
        while open_elements and open_elements[-1][0] <= inner:
            out.append(f"</{open_elements.pop()[1]}>")
        if page.tag[inner] == TEXT:
            out.append(escape(" ".join(page.text(inner).split()), quote=False))
        else:
            out.append(f"<{page.name(inner)}>")
            open_elements.append((int(page.end[inner]), page.name(inner)))
    return "".join([*out, *(f"</{name}>" for _, name in reversed(open_elements))])
