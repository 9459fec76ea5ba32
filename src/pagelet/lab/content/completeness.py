"""Nothing lost: the explained listing of a page holds every word that a reader may see.

The words are counted twice: in the listing of `content --explain`, and by a walk over the parser's
own tree, which knows nothing of columns, blocks or methods.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from turbohtml import CData, Element, Text

from pagelet.api import extract_content
from pagelet.lab import Progress, ignore_progress, track
from pagelet.lab.content.scores import ContentGold
from pagelet.lab.figures import Figures
from pagelet.page.html import parse, parse_dom
from pagelet.page.table import Page
from pagelet.pagelets import Pagelet

LETTERS = re.compile(r"[^\W_]")
UNSEEN = ("script", "style", "template", "head")  #: elements whose text nobody sees
SHADOW = "shadowrootmode"


@dataclass(frozen=True, slots=True)
class Loss:
    """Letters and digits of a page that its listing lacks, or has too often."""

    shown: int  #: letters and digits of the page
    lost: int
    added: int
    wrong_kinds: int  #: entries whose kind is neither content nor dropped


def measure_loss(page: Page) -> Loss:
    """What the explained listing of a page lacks or has too often."""
    return compare_listing(extract_content(page, explain=True), page)


def compare_listing(listing: Iterable[Pagelet], page: Page) -> Loss:
    """Compare a listing with the tree of its page, character by character in order."""
    listing = list(listing)
    listed = _letters(" ".join(block.text for block in listing))
    shown = _letters(visible_text(page.source or ""))
    wrong = sum(block.kind not in ("content", "dropped") for block in listing)
    if listed == shown:
        return Loss(len(shown), 0, 0, wrong)
    mine, theirs = Counter(listed), Counter(shown)
    return Loss(len(shown), (theirs - mine).total(), (mine - theirs).total(), wrong)


def visible_text(source: str) -> str:
    """All text of a page but that of scripts, styles, inert templates and the head."""
    nodes = (node for node in parse_dom(source).descendants if isinstance(node, Text | CData))
    return " ".join(node.data for node in nodes if not _is_unseen(node))


def _is_unseen(node: Text | CData) -> bool:
    above = node.parent
    while above is not None:
        if isinstance(above, Element) and above.tag in UNSEEN and above.attr(SHADOW) is None:
            return True
        above = above.parent
    return False


def _letters(text: str) -> str:
    return "".join(LETTERS.findall(text))


def sweep(golds: Sequence[ContentGold], name: str, progress: Progress = ignore_progress) -> Figures:
    """Measure the loss on every page of a corpus."""
    pages = track(golds, "listing", progress)
    losses = [measure_loss(parse(gold.html, gold.url)) for gold in pages]
    whole = sum(not (each.lost or each.added or each.wrong_kinds) for each in losses)
    counts = (sum(each.shown for each in losses), sum(each.lost for each in losses))
    added = sum(each.added for each in losses)
    row = ("explained listing", whole / max(len(losses), 1), len(losses), *counts, added)
    columns = ("system", "complete", "pages", "letters", "lost", "added")
    note = "complete: share of the pages whose listing holds every letter and digit once."
    return Figures(f"nothing lost on {name}", columns, (row,), (note,))
