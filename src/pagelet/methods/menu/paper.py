"""Webpage menu detection based on DOM: Alarte, Insa, Silva, SOFSEM 2017.

doi:10.1007/978-3-319-51963-0_32. The publication's properties, weights and two algorithms;
where the print leaves something open, docs/methods/menu.md says what was decided.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from pagelet.arrays import Floats, Int64s, Rows
from pagelet.page.links import link_ratio, links_below, plain_chars
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER
from pagelet.page.tree import nearest

PROPERTIES = ("amplitude", "link_ratio", "text_ratio", "ul_ratio", "representative", "position")
MENU_WORDS = ("menu", "nav")


def child_counts(page: Page) -> Int64s:
    """Counted children of each row."""
    return page.sum_children(page.counted)


def amplitude(page: Page) -> Floats:
    """Amplitude of Alarte, Insa, Silva: 1 - 1/children; 0 for a row without children."""
    return 1 - 1 / np.maximum(child_counts(page), 1)


def position(page: Page) -> Floats:
    """Position of Alarte, Insa, Silva: 1 at body, towards 0 at the end of the page."""
    before = np.cumsum(page.counted, dtype=np.float64) - page.counted
    return np.asarray(1 - before / max(int(page.counted.sum()), 1))


@dataclass(frozen=True, slots=True)
class MenuChoice:
    """The menu that the paper's algorithms choose."""

    row: int
    score: float
    weight: float
    rule: str  #: rule that selected the candidates: "absolute", "relative" or "heaviest"


def properties(page: Page, text_ratio_reading: str, menu_word_match: str) -> dict[str, Floats]:
    """The six properties of every row (their definition 6)."""
    return {
        "amplitude": amplitude(page),
        "link_ratio": link_ratio(page),
        "text_ratio": text_ratio(page, text_ratio_reading),
        "ul_ratio": (page.tag == NUMBER["ul"]).astype(float),
        "representative": representative(page, menu_word_match),
        "position": position(page),
    }


def text_ratio(page: Page, reading: str) -> Floats:
    """How little text outside links a row holds; the print allows three readings."""
    plain = plain_chars(page)
    whole = int(plain[page.body]) if page.body >= 0 else 0
    if whole == 0:
        return np.ones(len(page))
    if reading == "literal":
        return np.asarray(1 - plain / np.sqrt(whole))
    share = np.sqrt(plain / whole) if reading == "sqrt_of_ratio" else plain / whole
    return np.asarray(1 - share)


def representative(page: Page, match: str) -> Floats:
    """1 where the tag is nav, or a class or the id is or contains menu or nav; else 0."""
    marked = np.asarray(page.tag == NUMBER["nav"], float)
    for row, value in page.attribute("class").items():
        words = value.lower().split()
        if any(
            word in value.lower() if match == "substring" else word in words for word in MENU_WORDS
        ):
            marked[row] = 1
    for row, value in page.attribute("id").items():
        name = value.strip().lower()
        if any(word in name if match == "substring" else word == name for word in MENU_WORDS):
            marked[row] = 1
    return marked


def weigh(page: Page, options: Any) -> Floats:
    """Weight of every row; minus infinity for leaves, texts and what is not counted."""
    values = properties(page, options.text_ratio_reading, options.menu_word_match)
    weight = np.sum(
        [getattr(options, f"{name}_weight") * value for name, value in values.items()], axis=0
    )
    weighed = page.counted & page.element & (child_counts(page) > 0)
    return np.where(weighed, weight, -np.inf)


def find_menu(page: Page, options: Any) -> MenuChoice | None:
    """The main menu by algorithms 1 and 2."""
    return choose_menu(page, weigh(page, options), options)


def choose_menu(page: Page, weight: Floats, options: Any) -> MenuChoice | None:
    """The main menu for given weights."""
    rows, rule = find_candidates(page, weight, options)
    if not len(rows):
        return None
    roots = find_roots(page, weight, rows, options.root_threshold)
    return choose_root(page, weight, roots, rule, options)


def choose_root(page: Page, weight: Floats, roots: Rows, rule: str, options: Any) -> MenuChoice:
    """The root with the highest score; ties go to the first in document order."""
    scores = menu_scores(page, weight, roots, options)
    if not (scores > 0).any():
        scores, rule = weight[roots], "heaviest"
    best = int(np.argmax(np.round(scores, 12)))
    return MenuChoice(int(roots[best]), float(scores[best]), float(weight[roots[best]]), rule)


def find_candidates(page: Page, weight: Floats, options: Any) -> tuple[Rows, str]:
    """Rows heavy enough to be part of a menu, and the rule that selected them.

    A menu has at least two hyperlinks (their definition 5), so a candidate has them too.
    """
    weight = np.where(links_below(page) >= 2, weight, -np.inf)
    heavy = np.flatnonzero(weight > options.candidate_threshold)
    if len(heavy) or options.candidate_fallback == "none":
        return heavy, "absolute"
    heaviest = weight.max(initial=-np.inf)
    if not np.isfinite(heaviest) or heaviest <= 0:
        return heavy, "absolute"
    return np.flatnonzero(weight >= options.candidate_threshold * heaviest), "relative"


def find_roots(page: Page, weight: Floats, rows: Rows, root_threshold: float) -> Rows:
    """Algorithm 1 for all candidates at once: climb while most siblings are heavy; no duplicates.

    More than half of the children of a parent outweigh a threshold exactly when the middle one
    does, so a climb goes on while the middle weights along it stay above the threshold. Paths
    are followed by doubling: a jump of 2^k steps has the least middle weight on its way.
    """
    middle, only = middle_weights(page, weight)
    parent = page.parent
    passes = np.where((parent >= 0) & page.counted[parent], middle[parent], -np.inf)
    jumps = [(np.where(parent >= 0, parent, np.arange(len(parent))), passes)]
    while np.isfinite(jumps[-1][1]).any():
        above, least = jumps[-1]
        jumps.append((above[above], np.minimum(least, least[above])))
    threshold, top = root_threshold * weight[rows], rows.copy()
    for above, least in reversed(jumps):
        goes_on = least[top] > threshold
        top[goes_on] = above[top[goes_on]]
    # a parent with one element child only wraps it: take the highest that has several
    several = nearest(only, only < 0)[top]
    return np.unique(np.where(page.depth[several] < page.depth[rows], several, rows))


def middle_weights(page: Page, weight: Floats) -> tuple[Floats, Rows]:
    """Weight of the middle element child of each row, the lighter of two; and the only child.

    The only child is -1 where there is none or more than one.
    """
    child = np.flatnonzero(page.counted & page.element & (page.parent >= 0))
    order = child[np.lexsort((-weight[child], page.parent[child]))]
    elements = page.sum_children(page.counted & page.element)
    first = np.cumsum(elements) - elements
    middle, only = np.full(len(page), -np.inf), np.full(len(page), -1)
    above, one = elements > 0, elements == 1
    middle[above] = weight[order[(first + elements // 2)[above]]]
    only[one] = order[first[one]]
    return middle, only


def menu_scores(page: Page, weight: Floats, roots: Rows, options: Any) -> Floats:
    """Algorithm 2: mean weight of the heavy rows of each root, 0 where there are none."""
    heavy = weight > options.menu_threshold
    value = np.where(heavy, weight, 0.0)
    if options.heavy_rows == "children":
        count, total = page.sum_children(heavy)[roots], page.sum_children(value)[roots]
    else:
        count, total = page.sum_subtree(heavy)[roots], page.sum_subtree(value)[roots]
    return np.where(count > 0, total / np.maximum(count, 1), 0.0)
