"""Which element of a page holds what is its own.

The answer is one element: all below it is the page's own, all else is template. Of all
elements, the one is taken for which the F1 of the template is expected to be highest: leaves
that other pages have too are likely template, leaves no other page has are likely not. What
the same place holds on the other pages counts as well, and so does what an element is called.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pagelet.arrays import Floats, Ints
from pagelet.methods.template.table import Digest, Sums, Table, below_places, expected
from pagelet.page.table import Page, Pairs

OTHERS = 2.0  #: how much all other pages weigh together; the page itself weighs 1
NAMED = 0.05  #: what a step of a telling name is worth, in F1
STRONG = 3.0  #: steps of a name that says main content outright
ENOUGH = 0.5  #: share of the leaves no other page has that the holder should have
NEAR = 0.35  #: candidates so much below the best have their names read

WHOLE = re.compile(
    r"(?:the[-_]?)?(?:main|page|site|body|primary)?[-_]?"
    r"(?:contents?|main|contenu|contenido|conteudo|contenuto|inhalt|innehall|article)"
    r"[-_]?(?:wrap|wrapper|area|container|body|main|inner)?",
    re.IGNORECASE,
)
HINT = re.compile(r"content|(?<![a-z])(?:main|article|page|post|entry|primary|body|text)(?![a-z])")
AROUND = re.compile(
    r"nav|menu|sidebar|footer|header|banner|crumb|comment|sponsor|widget|social|search|login"
    r"|related|aside|toolbar|copyright|masthead|promo|(?<![a-z])ads?(?![a-z])"
)
NO_HOLDER = frozenset("ul ol dl p h1 h2 h3 h4 h5 h6 a span li tr tbody".split())
AROUND_TAGS = ("nav", "header", "footer", "aside")
LONGEST = 300  #: characters of a class that are read


@dataclass(frozen=True, slots=True)
class Slot:
    """The element that holds what is a page's own."""

    row: int
    score: float  #: the F1 to be expected of the template
    shared: Ints  #: how many of those pages have each leaf
    alike: tuple[int, ...]  #: the pages of the table it was compared with
    boxes: tuple[int, ...] = ()  #: rows beside it that are the page's own, if it misses many


def find_slot(page: Page, own: Digest, table: Table, at: int = -1) -> Slot | None:
    """The element of a page that holds what is its own; `at` is its place in the table."""
    if not len(own):
        return None
    holders = table.holders(own)
    alike = table.alike(own, holders, leave_out=at)
    likely = expected(holders, alike)
    f1 = _expected_f1(own, likely, table.sums(alike, at), len(alike))
    rows = np.flatnonzero(page.counted)
    f1[own.size == 1] = -1.0
    near = np.flatnonzero(f1 >= f1.max() - NEAR)
    near = near[f1[near] >= 0]
    if not len(near):
        return None
    named = [NAMED * naming(page, row) for row in rows[near].tolist()]
    best = int(near[np.argmax(f1[near] + np.array(named))])
    row, shared = int(rows[best]), holders[:, alike].sum(axis=1)
    believed = len(alike) < 2 or naming(page, row) >= STRONG
    boxes = [] if believed else rows[_boxes(own, best, shared)].tolist()
    return Slot(row, min(float(f1[best]), 1.0), shared, tuple(alike), tuple(boxes))


def _boxes(own: Digest, holder: int, shared: Ints) -> Ints:
    """Subtrees that no other page has, where the holder has too few of them.

    Pages of records differ all over: the same boxes hold other words. Elsewhere, what differs
    outside the holder is a date, a trail or the entry of a menu, and is left to the template.
    """
    leaves = own.leaves
    differs = shared == 0
    held = (leaves > holder) & (leaves < holder + own.size[holder])
    if (differs & held).sum() >= ENOUGH * differs.sum():
        return np.zeros(0, np.intp)
    count, differ = below_places(own, (differs & ~held).astype(np.float64))
    whole = (count == differ) & (count > 0)
    first = np.flatnonzero(whole)
    change = np.bincount(first, minlength=len(whole) + 1)
    change -= np.bincount(first + own.size[first], minlength=len(whole) + 1)
    return np.flatnonzero(whole & (np.cumsum(change)[:-1] == 1))


def _expected_f1(own: Digest, likely: Floats, others: Sums, pages: int) -> Floats:
    """For each row, the F1 of the template if all below the row is taken for the page's own."""
    leaves, shared = below_places(own, likely) / np.sqrt(len(own) + 1)
    all_leaves, all_shared = leaves[0], shared[0]
    if pages:
        weight = OTHERS / pages
        more = _at_places(own, others)
        leaves, shared = leaves + weight * more[0], shared + weight * more[1]
        all_leaves += weight * others.all_leaves
        all_shared += weight * others.all_shared
    outside = np.maximum(all_leaves - leaves, 0)
    return np.asarray(2 * (all_shared - shared) / np.maximum(outside + all_shared, 1e-9))


def _at_places(own: Digest, others: Sums) -> Floats:
    """What the other pages hold at the place of each row, shared among rows at one place."""
    if not len(others.place):
        return np.zeros((2, len(own.size)))
    inner = own.size > 1
    _, back, count = np.unique(own.place, return_inverse=True, return_counts=True)
    rows = np.bincount(back, inner, minlength=len(count))[back]
    at = np.minimum(np.searchsorted(others.place, own.place), len(others.place) - 1)
    there = inner & (others.place[at] == own.place)
    sums = np.stack((others.leaves[at], others.shared[at]))
    return np.asarray(sums * there / np.maximum(rows, 1))


def naming(page: Page, row: int) -> float:
    """Whether an element is called main content (above 0) or something around it (below 0)."""
    return _naming(page.name(row), page.attrs[page.ordinal[row]])


@lru_cache(maxsize=20_000)
def _naming(name: str, pairs: Pairs) -> float:
    said = {key: (value or "")[:LONGEST] for key, value in pairs if key in ("id", "class", "role")}
    own, classes = said.get("id", "").strip(), said.get("class", "").split()
    step = -1.0 if name in NO_HOLDER else 0.0
    if name == "main" or said.get("role") == "main":
        return step + STRONG
    if name in AROUND_TAGS:
        return step - 2
    if WHOLE.fullmatch(own):
        return step + STRONG
    if name == "article" or any(map(WHOLE.fullmatch, classes)):
        return step + 1
    words = f"{own} {' '.join(classes)}".lower()
    return step - 1 if AROUND.search(words) else step + 0.5 * bool(HINT.search(words))
