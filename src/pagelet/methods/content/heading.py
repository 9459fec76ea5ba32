"""The page's own heading in the content: once, with the line below it, or never.

The heading is a block that holds the title of the page and nothing else. An `h1` that is like the
`title` element needs no other evidence; else the metadata decide.
"""

from itertools import islice

import numpy as np

from pagelet import core
from pagelet.arrays import Mask
from pagelet.metadata.lookup import key_of, structured_data
from pagelet.metadata.structured import scripts
from pagelet.metadata.titles import SEPARATOR, find_title, most_alike, site_keys
from pagelet.methods.content.choice import Decision
from pagelet.methods.content.counts import reader_of
from pagelet.page.lazy import lazy_property
from pagelet.page.table import Page
from pagelet.page.tags import HEADINGS, NUMBER, numbers
from pagelet.page.words import STOP

MAX_TITLE_CHARS = 500  #: characters of the longest heading
MAX_COPIES = 50  #: blocks with the text of the title that are looked at
MIN_PART_CHARS = 12  #: characters of a part of a title that may be the heading
MAX_OTHER_CHARS, MAX_OTHER_WORDS = 4, 1  #: by how much a heading and the title may differ
MAX_HEADINGS = 20  #: h1 elements that are compared with the title element
MIN_SUBTITLE_PROBABILITY = 0.1  #: probability of a line that is kept with the heading above it
SUBTITLE_WORDS = (3, 60)  #: fewest and most words of such a line
RUNNING_WORDS = 8  #: words of a block from which on it is running text
TITLED = numbers("h1 h2 h3 h4 meta title")  #: elements that may state a title
AROUND = numbers("nav footer aside li option button select")  #: elements of other copies
HIDDEN = len(HEADINGS) + 1  #: rank of a copy that is not the heading


def with_heading(heading: "PageHeading", wanted: str) -> tuple[Mask, str]:
    """The kept blocks with the heading or without it, and a title that no block holds.

    `wanted` is auto, always or never; an answer without content stays one, unless always.
    """
    kept = heading.kept
    if not len(kept) or not (wanted == "always" or kept.any()):
        return kept, ""
    leading, shown = heading.leading, kept.copy()
    for at in leading:
        shown[at] = False
    if wanted == "never":
        return shown, ""
    if heading.block >= 0:
        for at in (heading.block, *heading.subtitle):
            shown[at] = True
        return shown, ""
    return kept, heading.title if wanted == "always" and not leading else ""


class PageHeading:
    """The blocks that hold the title of a page; they are looked for when they are asked for."""

    def __init__(self, decision: Decision, kept: Mask) -> None:
        self.decision, self.kept = decision, kept
        self._reader = reader_of(decision.page)

    @lazy_property
    def title(self) -> str:
        """The title of the page."""
        return self._likest_heading() or _title(self.decision.page)

    def _likest_heading(self) -> str:
        """The text of the h1 that is most like the title element; empty if none is."""
        texts = self._first_headings()
        at = most_alike(texts, [self.decision.page.title_element])
        return texts[at] if at >= 0 else ""

    def _first_headings(self) -> list[str]:
        """The texts of the first h1 elements."""
        if self._reader is not None:
            return core.kernels.read_held_by(self._reader, NUMBER["h1"], MAX_HEADINGS)
        held = self.decision.page.tag[self.decision.blocks.holder] == NUMBER["h1"]
        headings = np.flatnonzero(held)[:MAX_HEADINGS].tolist()
        return [" ".join(block_text(self.decision, at).split()) for at in headings]

    @lazy_property
    def copies(self) -> list[int]:
        """The blocks that hold the title, or else the longest part of it that any block holds."""
        if copies := self._copies_of(self.title):
            return copies
        parts = sorted(SEPARATOR.split(self.title), key=len, reverse=True)
        longer = (part for part in dict.fromkeys(parts) if len(part) >= MIN_PART_CHARS)
        found = (self._copies_of(part) for part in longer if part != self.title)
        return next(filter(None, found), [])

    def _copies_of(self, title: str) -> list[int]:
        """The blocks whose letters and digits are those of a title.

        Headings and the blocks above the content come first; others count if there is none.
        """
        if not (key := key_of(title)):
            return []
        near, sure = self._near(title, key)
        tag, holder = self.decision.page.tag, self.decision.blocks.holder
        first: tuple[list[int], list[int]] = ([], [])
        for at in near:
            above = at <= self._first_running or tag[holder[at]] in HEADINGS
            first[not above].append(at)
        for part in first:
            equal = (at for at in part if at in sure or _has_key(self.decision, at, key))
            if copies := list(islice(equal, MAX_COPIES)):
                return copies
        return []

    def _near(self, title: str, key: str) -> tuple[list[int], frozenset[int]]:
        """The blocks of about the length of a title that may have its key, and those that do."""
        length, plain = len(" ".join(title.split())), title.isascii()
        words = len(title.split()) if plain else -1  # spares most blocks the rest
        if self._reader is not None:
            most = (MAX_OTHER_CHARS, MAX_OTHER_WORDS)
            found, unsure = core.kernels.find_like_title(
                self._reader, length, words, most, key.encode()
            )
            return sorted(found + unsure) if unsure else found, frozenset(found)
        features = self.decision.features
        like = np.abs(features["chars"] - length) <= MAX_OTHER_CHARS
        if plain:
            like &= np.abs(features["words"] - words) <= MAX_OTHER_WORDS
        return np.flatnonzero(like).tolist(), frozenset()

    @lazy_property
    def _first_running(self) -> int:
        """The first kept block of running text; the number of blocks if there is none."""
        if self._reader is not None:
            kept = self.kept.view(np.uint8)
            return core.kernels.find_first_running(self._reader, kept, RUNNING_WORDS, STOP)
        features = self.decision.features
        running = self.kept & (features["words"] >= RUNNING_WORDS)
        running &= features["last_kind"] == STOP
        return int(np.argmax(running)) if running.any() else len(running)

    @lazy_property
    def block(self) -> int:
        """The heading itself; -1 when the page does not show it."""
        ranks = [(self._rank(at), at) for at in self.copies]
        rank, at = min(ranks, default=(HIDDEN, -1))
        return at if rank < HIDDEN else -1

    def _rank(self, at: int) -> int:
        """Headings by their level, then other blocks; copies around the content are none."""
        page, row = self.decision.page, int(self.decision.blocks.holder[at])
        tag = int(page.tag[row])
        if self._is_hidden(row):
            return HIDDEN
        if tag in HEADINGS:
            return HEADINGS.index(tag)
        first = int(self.decision.blocks.rows[self.decision.blocks.first[at]])
        while row >= 0:
            if int(page.tag[row]) in AROUND:
                return HIDDEN
            row = int(page.parent[row])
        return HIDDEN if self._is_linked(first) else HIDDEN - 1

    def _is_hidden(self, row: int) -> bool:
        if self._reader is None:
            return bool(self.decision.page.hidden[row])
        return core.kernels.is_row_hidden(self._reader, row)

    def _is_linked(self, row: int) -> bool:
        if self._reader is None:
            return bool(self.decision.page.link[row])
        return core.kernels.is_row_linked(self._reader, row)

    @property
    def leading(self) -> list[int]:
        """The kept copies that head the content: before its first running text."""
        return [at for at in self.copies if self.kept[at] and at <= self._first_running]

    @property
    def subtitle(self) -> list[int]:
        """The line right below the heading, in the same element."""
        decision, at = self.decision, self.block + 1
        if at >= len(self.kept) or decision.probability[at] < MIN_SUBTITLE_PROBABILITY:
            return []
        parent, holder, value = (
            decision.page.parent,
            decision.blocks.holder,
            decision.features.value,
        )
        subtitle = (
            parent[holder[at]] == parent[holder[self.block]]
            and SUBTITLE_WORDS[0] <= value("words", at) <= SUBTITLE_WORDS[1]
            and value("link_density", at) == 0
            and value("in_button", at) == 0
        )
        return [at] if subtitle else []


def block_text(decision: Decision, at: int) -> str:
    """The text of one block, as written."""
    blocks, page = decision.blocks, decision.page
    reader = reader_of(page)
    if reader is not None:
        return " ".join(core.kernels.read_block(reader, at))
    end = int(blocks.first[at + 1]) if at + 1 < len(blocks) else len(blocks.rows)
    return " ".join(map(page.text, blocks.rows[int(blocks.first[at]) : end].tolist()))


def _has_key(decision: Decision, at: int, key: str) -> bool:
    """Whether the letters and digits of a block are these."""
    text = block_text(decision, at)
    begun = text.lstrip()[:1]
    if begun.isalnum() and not key.startswith(begun.casefold()):  # spares most blocks the rest
        return False
    return key_of(text) == key


def _may_have_title(page: Page) -> bool:
    """Whether a page has a heading, a `meta` element or JSON-LD."""
    return bool(page.is_tag(*TITLED).any()) or bool(scripts(page))


def _title(page: Page) -> str:
    """The title by the metadata of the page."""
    if not page.title_element and not _may_have_title(page):
        return ""
    data = structured_data(page)
    found = find_title(data, site_keys(data)).fact.value or ""
    return str(found) if len(found) <= MAX_TITLE_CHARS else ""
