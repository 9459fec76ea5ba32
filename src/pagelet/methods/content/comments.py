"""What becomes of the comments of readers: part of the content, dropped, or apart.

On forums and question pages comments are what the page is there for; on articles they are not.
Elsewhere, as with reviews of a product, and where the type of the page is in doubt, the model
decides: it knows threads too.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from pagelet.arrays import Floats, Mask
from pagelet.metadata.structured import types
from pagelet.methods.content.counts import reader_of
from pagelet.models.features import FeatureTable
from pagelet.page.table import Page

ARTICLES = ("article", "service", "documentation")  #: types of pages that others comment on
THREADS = frozenset(("discussionforumposting", "qapage"))  #: structured data of pages of threads
MIN_FORUM_PROBABILITY = 0.05  #: probability of a forum from which on comments may be content
MAX_THREAD_SHARE = 0.5  #: share of the page's words from which on the same holds
MIN_COMMENT_WORDS = 2  #: words of the shortest text of a comment
MAX_LINK_DENSITY = 0.5  #: link density of a comment
CONTROLS = ("in_form", "in_button", "in_label", "in_select", "in_textarea")  #: parts of forms


class Comments(NamedTuple):
    """The blocks of comment threads, and what becomes of them."""

    excluded: Mask  #: blocks that the content must not have
    added: Mask  #: blocks that it must have
    apart: Mask  #: blocks of the field of their own
    decided: bool = True  #: whether any block is excluded or added


def place_comments(
    page: Page, features: FeatureTable, likely: Mapping[str, float], wanted: tuple[str, str]
) -> Comments:
    """Decide on the comments of a page, for the options `comments` and `target`."""
    choice, target = wanted
    none = np.zeros(features.lines.shape[1], np.bool_)
    if not _may_have_threads(page):
        return Comments(none, none, none, decided=False)
    inside = features["in_thread"] > 0
    if not inside.any():
        return Comments(none, none, none, decided=False)
    if choice == "auto":
        small = features["page_thread"][0] < MAX_THREAD_SHARE
        drop = small and _is_article(page, likely)
        choice = "keep" if target == "all" else "drop" if drop else "auto"
    if choice == "auto":
        return Comments(none, none, none, decided=False)
    texts = inside & _is_text(features)
    if choice == "keep":
        return Comments(none, texts, none)
    return Comments(inside, none, texts if choice == "apart" else none)


def _may_have_threads(page: Page) -> bool:
    """Whether a block may be in a thread; false is certain."""
    reader = reader_of(page)
    return reader is None or reader.threads


def _is_article(page: Page, likely: Mapping[str, float]) -> bool:
    """Whether a page is one that others comment on, and no thread itself."""
    best = max(likely, key=likely.__getitem__, default="")
    if best not in ARTICLES or likely.get("forum", 0.0) >= MIN_FORUM_PROBABILITY:
        return False
    return not types(page) & THREADS


def _is_text(features: FeatureTable) -> Mask:
    """Mark texts, as opposed to links and parts of forms."""
    words: Floats = features["words"]
    text = (words >= MIN_COMMENT_WORDS) & (features["link_density"] <= MAX_LINK_DENSITY)
    for name in CONTROLS:
        text &= features[name] == 0
    return np.asarray(text)
