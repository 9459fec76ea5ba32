"""The slot of a page: the element that holds the content of its own.

Everything below the slot is the page's own, everything else is template. The slot is the element
with the highest expected F1 of the template: leaves that other pages have too are probably
template, leaves that no other page has are probably not. The same place on the other pages counts
as well, and so do the id and the classes of an element.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import Any

import numpy as np

from pagelet import core
from pagelet.arrays import Floats, Ints, Mask
from pagelet.methods.template.table import (
    Occurrence,
    PageDigest,
    PlaceSums,
    SiteTable,
    sum_below,
    template_probability,
)
from pagelet.page.equal import find_equal
from pagelet.page.table import WANTED, Page

OTHER_PAGES_WEIGHT = 2.0  #: weight of all other pages together; the page itself weighs 1
NAME_STEP_F1 = 0.05  #: F1 that a step of `name_score` is worth
MAIN_NAME_SCORE = 3.0  #: `name_score` of a name that states main content outright, the highest
MIN_OWN_SHARE = 0.5  #: share of the leaves of this page alone that the slot should hold
MIN_SLOT_LEAVES = 5  #: leaves of this page alone that a further slot has
MIN_SLOT_OWN_SHARE = 0.8  #: share of them among all leaves of a further slot
MIN_SLOT_PAGE_SHARE = 0.1  #: share of them among all leaves of this page alone
MAX_SLOT_SHARED_RATIO = 0.4  #: expected share of template at its place on the other pages
MIN_SLOT_GAIN_F1 = 0.01  #: expected F1 that a further slot adds
MAX_SLOTS = 8  #: slots of a page
MIN_CLEAN_LEAVES = 2  #: leaves of this page alone without which all may be copies of one page
CANDIDATE_F1_MARGIN = 0.35  #: how far below the best F1 candidates are compared by name

MAIN_NAME = re.compile(
    r"(?:the[-_]?)?(?:main|page|site|body|primary)?[-_]?"
    r"(?:contents?|main|contenu|contenido|conteudo|contenuto|inhalt|innehall|article)"
    r"[-_]?(?:wrap|wrapper|area|container|body|main|inner)?",
    re.IGNORECASE,
)
MAIN_HINT = re.compile(
    r"content|(?<![a-z])(?:main|article|page|post|entry|primary|body|text)(?![a-z])"
)
BOILERPLATE_NAME = re.compile(
    r"nav|menu|sidebar|footer|header|banner|crumb|comment|sponsor|widget|social|search|login"
    r"|related|aside|toolbar|copyright|masthead|promo|(?<![a-z])ads?(?![a-z])"
)
NO_SLOT_TAGS = frozenset("ul ol dl p h1 h2 h3 h4 h5 h6 a span li tr tbody".split())
BOILERPLATE_TAGS = ("nav", "header", "footer", "aside")
NAMING = ("id", "class", "role")  #: attributes that name an element
MAX_NAME_CHARS = 300  #: characters of an id, a class or a role that are read


@dataclass(frozen=True, slots=True)
class Slot:
    """The element that holds the content of a page's own."""

    row: int
    score: float  #: expected F1 of the template
    leaves: Ints  #: rows of the leaves
    shared: Ints  #: number of the alike pages that have each leaf
    alike: tuple[int, ...]  #: pages of the table with the same template
    clean: bool = False  #: whether what this page has alone is a whole element of some size
    holders: tuple[int, ...] = ()  #: rows of other elements that hold content of the page's own
    more_rows: tuple[int, ...] = ()  #: rows outside them that are the page's own too


def find_slot(
    page: Page,
    own: PageDigest,
    table: SiteTable,
    at: int = -1,
    occurrence: Occurrence | None = None,
) -> Slot | None:
    """Find the slot of a page; `at` is its place in the table, `occurrence` that of its leaves."""
    if not len(own):
        return None
    occurrence = table.occurrence(own) if occurrence is None else occurrence
    alike = table.pages_alike(own, occurrence, leave_out=at)
    shared = occurrence.count_in(alike)
    probability = template_probability(own, shared, len(alike))
    expected = _expect(own, probability, table.sums(alike, at), len(alike))
    rows = np.flatnonzero(page.counted)
    f1 = np.where(own.size > 1, expected.f1(), -1.0)
    if (best := _best_by_name(page, rows, f1)) < 0:
        return None
    row, score = int(rows[best]), float(f1[best])
    differ = sum_below(own, (shared == 0).astype(np.float64))
    slots = _add_slots(own, best, differ, expected, score) if len(alike) >= 2 else [best]
    trusted = len(alike) < 2 or name_score(page, row) >= MAIN_NAME_SCORE or len(slots) > 1
    more = [] if trusted else rows[_own_subtrees(own, best, shared)].tolist()
    others = tuple(rows[slots[1:]].tolist())
    clean = _is_clean_cut(best, differ)
    leaves = rows[own.size == 1]
    return Slot(row, min(score, 1.0), leaves, shared, tuple(alike), clean, others, tuple(more))


def _best_by_name(page: Page, rows: Ints, f1: Floats) -> int:
    """The place with the highest F1 once its name is weighed; -1 for none.

    Of several, the one with the higher F1 without its name counts, then the first one.

    Names are read from the highest F1 on, until none could make up for what a place lacks.
    """
    first = int(f1.argmax())
    highest = float(f1[first])
    if highest < 0:
        return -1
    best, found = highest + NAME_STEP_F1 * name_score(page, int(rows[first])), first
    rivals = f1 + NAME_STEP_F1 * MAIN_NAME_SCORE >= best
    rivals &= f1 >= max(highest - CANDIDATE_F1_MARGIN, 0.0)
    places = np.flatnonzero(rivals)
    near, f1_near = rows[places], f1[places]
    named, scores = _named_rows(page, near, f1_near), f1_near.tolist()
    named.sort(key=lambda each: (-scores[each[0]], each[0]))
    tags = page.tag[near].tolist()
    for at, *names in named:
        score = scores[at]
        if score + NAME_STEP_F1 * MAIN_NAME_SCORE < best:
            break
        total = score + NAME_STEP_F1 * _name_score(page.names[tags[at]], *names)
        if total > best:
            best, found = total, int(places[at])
    return found


def _named_rows(page: Page, rows: Ints, score: Floats) -> list[tuple[Any, ...]]:
    """The places of rows, each with its id, classes and role.

    Of rows with one tag that are named alike, the compiled core leaves out all but the first with
    the best score.
    """
    if core.compiled:
        numbers = tuple([WANTED[name] for name in NAMING])
        named = core.kernels.find_named(page.wanted, numbers, rows, page.tag, score)
        if named is not None:
            return named
    return [
        (at, *(page.value_of(row, name) for name in NAMING)) for at, row in enumerate(rows.tolist())
    ]


def _is_clean_cut(slot: int, differ: Floats) -> bool:
    """Whether the slot holds all leaves of this page alone, and little else.

    `differ` counts, below each row, the leaves, and those of this page alone.
    """
    leaves, alone = float(differ[0, slot]), float(differ[1, slot])
    return alone >= max(MIN_CLEAN_LEAVES, float(differ[1, 0]), MIN_OWN_SHARE * leaves)


@dataclass(frozen=True, slots=True, eq=False)
class _Expected:
    """Leaves below each row and how many of them are template, on this page and on the others."""

    leaves: Floats
    shared: Floats
    elsewhere: Mask  #: rows at whose places the other pages mostly have leaves of their own
    all_leaves: float
    all_shared: float

    def f1(self) -> Floats:
        """The expected F1 of the template if each row is a slot."""
        return self._f1(self.all_shared - self.shared, self.all_leaves - self.leaves)

    def f1_beside(self, slots: list[int], rows: Ints) -> Floats:
        """The same for some rows, beside slots."""
        shared = self.all_shared - self.shared[rows] - self.shared[slots].sum()
        outside = self.all_leaves - self.leaves[rows] - self.leaves[slots].sum()
        return self._f1(shared, outside)

    def _f1(self, shared: Floats, outside: Floats) -> Floats:
        whole = np.maximum(np.maximum(outside, 0) + self.all_shared, 1e-9)
        return np.asarray(2 * shared / whole)


def _add_slots(
    own: PageDigest, first: int, differ: Floats, expected: _Expected, score: float
) -> list[int]:
    """The slot and others beside it: large elements that every page fills with leaves of its own.

    Smaller ones are dates, breadcrumbs or entries of a menu, and are left to the template; so is
    what differs on this page only, such as the menu of a section. `differ` counts leaves as for
    `_is_clean_cut`, `score` is the F1 of the slot.
    """
    count, alone = differ
    least = max(MIN_SLOT_LEAVES, MIN_SLOT_PAGE_SHARE * float(alone[0]))
    free = (alone >= least) & (alone >= MIN_SLOT_OWN_SHARE * count) & expected.elsewhere
    slots, rows = [first], np.flatnonzero(free)
    ends = rows + own.size[rows]
    while len(slots) < MAX_SLOTS:
        last = slots[-1]
        beside = (ends <= last) | (rows >= last + own.size[last])
        rows, ends = rows[beside], ends[beside]
        if not len(rows):
            break
        f1 = expected.f1_beside(slots, rows)
        best = int(f1.argmax())
        if f1[best] < score + MIN_SLOT_GAIN_F1:
            break
        slots.append(int(rows[best]))
        score = float(f1[best])
    return slots


def _own_subtrees(own: PageDigest, slot: int, shared: Ints) -> Ints:
    """Subtrees outside the slot that no other page has, if the slot holds too few such leaves.

    Pages of records differ all over: the same boxes hold other words. Elsewhere, a difference
    outside the slot is a date, a breadcrumb or a menu entry, and is left to the template.
    """
    leaves = own.leaves
    differs = shared == 0
    inside = (leaves > slot) & (leaves < slot + own.size[slot])
    if (differs & inside).sum() >= MIN_OWN_SHARE * differs.sum():
        return np.zeros(0, np.intp)
    count, differ = sum_below(own, (differs & ~inside).astype(np.float64))
    whole = (count == differ) & (count > 0)
    first = np.flatnonzero(whole)
    change = np.bincount(first, minlength=len(whole) + 1)
    change -= np.bincount(first + own.size[first], minlength=len(whole) + 1)
    return np.flatnonzero(whole & (np.cumsum(change)[:-1] == 1))


def _expect(own: PageDigest, probability: Floats, others: PlaceSums, pages: int) -> _Expected:
    """What is expected below each row; the other pages count at the same places."""
    leaves, shared = below = sum_below(own, probability) / sqrt(len(own) + 1)
    all_leaves, all_shared = float(leaves[0]), float(shared[0])
    elsewhere = np.zeros(len(leaves), np.bool_)
    if pages:
        weight = OTHER_PAGES_WEIGHT / pages
        (leaves, shared), more = _add_places(own, others, weight, below)
        elsewhere = (more[0] > 0) & (more[1] <= MAX_SLOT_SHARED_RATIO * more[0])
        all_leaves += weight * others.all_leaves
        all_shared += weight * others.all_shared
    return _Expected(leaves, shared, elsewhere, all_leaves, all_shared)


def _add_places(
    own: PageDigest, others: PlaceSums, weight: float, below: Floats
) -> tuple[Floats, Floats]:
    """The sums below each row with those of the other pages at its place; and the latter alone."""
    more = np.empty(below.shape)
    if core.compiled and core.kernels.add_places(
        own.size, own.place, others.place, others.sums, weight, below, more
    ):
        return below, more
    more = _at_places(own, others)
    return below + weight * more, more


def _at_places(own: PageDigest, others: PlaceSums) -> Floats:
    """The sums of the other pages at the place of each row, divided among rows at one place."""
    if not len(others.place):
        return np.zeros((2, len(own.size)))
    inner = own.size > 1
    first, _ = find_equal(own.place)
    rows = np.bincount(first, inner)[first]
    at = np.minimum(np.searchsorted(others.place, own.place), len(others.place) - 1)
    present = inner & (others.place[at] == own.place)
    return np.asarray(others.sums[:, at] * present / np.maximum(rows, 1))


def name_score(page: Page, row: int) -> float:
    """Whether an element is named like main content (above 0) or like boilerplate (below 0)."""
    return _name_score(page.name(row), *(page.value_of(row, name) for name in NAMING))


@lru_cache(maxsize=20_000)
def _name_score(tag: str, own_id: str, class_: str, role: str) -> float:
    own_id, classes = own_id[:MAX_NAME_CHARS].strip(), class_[:MAX_NAME_CHARS].split()
    score = -1.0 if tag in NO_SLOT_TAGS else 0.0
    if tag == "main" or role == "main":
        return score + MAIN_NAME_SCORE
    if tag in BOILERPLATE_TAGS:
        return score - 2
    if MAIN_NAME.fullmatch(own_id):
        return score + MAIN_NAME_SCORE
    if tag == "article" or any(map(MAIN_NAME.fullmatch, classes)):
        return score + 1
    words = f"{own_id} {' '.join(classes)}".lower()
    return (
        score - 1 if BOILERPLATE_NAME.search(words) else score + 0.5 * bool(MAIN_HINT.search(words))
    )
