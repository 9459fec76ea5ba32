"""The role of each block: title, byline, body, heading, caption and so on, kept or dropped.

Cheap evidence comes first: tags, names, microdata and texts. Only blocks of links that these do not
decide ask the roles of link groups. Roles are found when blocks are listed, not for a text.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pagelet import core
from pagelet.arrays import Int64s, Ints, Mask
from pagelet.methods.content.choice import Decision
from pagelet.methods.content.counts import (
    HOLDERS,
    HOLDERS_BY_TAG,
    BlockCounts,
    BlockWords,
    count_words,
    list_texts,
    reader_of,
)
from pagelet.methods.content.role_words import (
    ADVERTISEMENT,
    BYLINE,
    ROLE_BITS,
    ROLE_TABLE,
    TEXT_ROLE_BITS,
    blocks_with_stems,
    find_notices,
)
from pagelet.methods.content.statements import MAX_LINK_DENSITY, THREAD_WORDS
from pagelet.methods.content.tables import data_rows, mark_rows
from pagelet.methods.content.threads import find_threads
from pagelet.methods.links import decide_links
from pagelet.methods.links.options import ROLES as LINK_ROLES
from pagelet.methods.vocabulary import text_bits
from pagelet.page.lazy import lazy_property
from pagelet.page.table import Page
from pagelet.page.tags import FIRST_CUSTOM_TAG, HEADINGS, numbers
from pagelet.page.tree import nearest, or_path

ROLES = (
    *("title", "byline", "body", "heading", "caption", "list", "table", "code", "quote"),
    *("comment", "related", "advertisement", "notice", "navigation"),
)
#: Attributes whose words are read, and tags whose words speak of the page as a whole.
NAMED = ("class", "id", "role", "itemprop", "itemtype", "aria-label", "data-testid")
WHOLE = numbers("html body main article")
AROUND = numbers("nav footer menu button label select option textarea form dialog legend")
#: Tags inside which a block has a role of its own, the nearest first.
TAG_ROLES = {
    "caption": numbers("figcaption caption"),
    "code": numbers("pre code samp kbd listing xmp"),
    "table": numbers("td th"),
    "list": numbers("li dt dd"),
    "quote": numbers("blockquote q"),
}
MAX_NAMED_SHARE = 0.5  #: share of the page's words in an element whose name says what it is for
MAX_NAMED_WORDS = 60  #: words of an element that may have more of a short page
KEPT_SHARE = 0.1  #: the same share for what is kept
BYLINE_WORDS, NOTICE_WORDS, KEPT_NOTICE_WORDS = 25, 120, 60  #: words of such a block, at most
PLAIN_BYLINE_WORDS = 12  #: words of a byline that only its text tells
BYLINE_BLOCKS = 12  #: blocks around the title in which a text alone tells a byline
RUNNING_WORDS = 8  #: words from which on a block without links is text, whatever is around it
MIN_LINK_DENSITY = 0.5  #: link density from which on a block is one of links
#: Roles of link groups as roles of blocks; all others are navigation.
BY_LINKS = {"related": "related", "ads": "advertisement", "byline": "byline", "content": "list"}
MARKED_ROLES = ("caption", "code", "quote")  #: roles that names tell where tags do not
OWN_ROLES = ("", *TAG_ROLES, "heading")  #: roles that the markup of a block gives, by number
#: The same for blocks that nothing else tells a role of.
PLAIN_ROLES = tuple(role or "body" for role in OWN_ROLES)
#: The number of the role inside each tag; the last one stands for all tags above.
OWN_BY_TAG = np.zeros(FIRST_CUSTOM_TAG + 1, np.intp)
for _role, _tags in TAG_ROLES.items():
    OWN_BY_TAG[list(_tags)] = OWN_ROLES.index(_role)
IS_HEADING = np.zeros(FIRST_CUSTOM_TAG + 1, np.bool_)  #: whether each tag is a heading
IS_HEADING[list(HEADINGS)] = True
AROUND_ROLES = ("advertisement", "notice", "related", "navigation")  #: roles around the content
AROUND_BITS = sum(ROLE_BITS[role] for role in AROUND_ROLES)
#: What the compiled core knows of roles: bits of names and what they mark, and limits in order.
MARKS = tuple((ROLE_BITS[role], OWN_ROLES.index(role)) for role in MARKED_ROLES)
ROLE_LIMITS = (
    *(OWN_ROLES.index(role) for role in ("table", "list", "heading")),
    *(ROLE_BITS["byline"], AROUND_BITS),
    *(BYLINE_WORDS, PLAIN_BYLINE_WORDS, RUNNING_WORDS, BYLINE_BLOCKS),
)


@dataclass(frozen=True, eq=False)
class BlockRoles:
    """What is known of the blocks of a page for their roles."""

    counts: BlockCounts | BlockWords
    kept: Mask  #: blocks that are content
    title: int  #: the block of the title, or -1
    listed: Mask | None = None  #: blocks whose role will be asked for, where not all are
    threads: Mask | None = None  #: blocks in threads of comments, where they are known
    in_rows: Callable[[], Mask] | None = None  #: marks blocks in data tables, where they are known

    def role(self, at: int) -> str:
        """The role of a block."""
        if at == self.title:
            return "title"
        if self._thread[at]:
            return "navigation" if self._around[at] else "comment"
        if self._is_kept[at]:
            return self._byline(at) or self._own(at) or self._named(at) or "body"
        return self._outside(at)

    def roles(self, blocks: Ints) -> list[str]:
        """The roles of some blocks; that of most is told by their markup alone."""
        own, special = self._settled if core.compiled else (self._own_numbers, self._is_special)
        roles = list(map(PLAIN_ROLES.__getitem__, own[blocks].tolist()))
        for place in np.flatnonzero(special[blocks]).tolist():
            roles[place] = self.role(int(blocks[place]))
        return roles

    @lazy_property
    def _settled(self) -> tuple[Ints, Mask]:
        """By the compiled core: the roles of `_own_numbers`, and about what `_is_special` marks."""
        page, counts = self.counts.page, self.counts
        own, special = kinds_above(page, OWN_BY_TAG, counts.row), np.empty(len(self.kept), np.bool_)
        heading = IS_HEADING.take(page.tag[counts.blocks.holder], mode="clip")
        kept, thread = self.kept.view(np.uint8), self._in_thread.view(np.uint8)
        core.kernels.settle_roles(
            (counts.words, kept, thread, heading.view(np.uint8)),
            own,
            self._near,
            MARKS,
            ROLE_LIMITS,
            self.title,
            list(self._notices),
            lambda: self._in_table.view(np.uint8),
            special.view(np.uint8),
        )
        return own, special

    @property
    def _is_special(self) -> Mask:
        """Mark the blocks that are dropped, or whose text or names may tell another role."""
        words, near = self.counts.words, self._near
        special = ~self.kept | self._in_thread
        special |= (words <= BYLINE_WORDS) & (near & ROLE_BITS["byline"] > 0)
        special |= near & AROUND_BITS > 0
        special |= (words <= RUNNING_WORDS) & (self._own_numbers == 0)
        special[list(self._notices)] = True
        if self.title >= 0:
            special[max(self.title - BYLINE_BLOCKS, 0) : self.title + BYLINE_BLOCKS + 1] = True
        return np.asarray(special)

    def _outside(self, at: int) -> str:
        """The role of a block that is dropped."""
        told = self._named(at)
        if told in ("", "navigation"):
            told = self._headed[at] or told
        if told and told != "navigation":
            return told
        if byline := self._byline(at):
            return byline
        if told or self._around[at]:
            return "navigation"
        if self._density[at] >= MIN_LINK_DENSITY:
            return self._by_links[at]
        own = self._own(at)
        if own or self._words[at] >= RUNNING_WORDS:
            return own or "body"
        return "navigation"

    def _named(self, at: int) -> str:
        """The role that the text of a block or the names around it tell; empty if none."""
        words, kept = self._words[at], self._is_kept[at]
        if words <= RUNNING_WORDS and ADVERTISEMENT.match(self.counts.texts[at]):
            return "advertisement"
        bits = (self._near_bits if kept else self._far_bits)[at]
        role = next((role for role in AROUND_ROLES if bits & ROLE_BITS[role]), "") if bits else ""
        if role in ("", "navigation") and at in self._notices:
            return "notice"
        if kept:
            return role if role != "navigation" else ""
        return role or self._worded(at)

    def _worded(self, at: int) -> str:
        """The role that a short text tells of itself."""
        bits = int(self._texts[at])
        return next((role for role, mask in TEXT_ROLE_BITS.items() if bits & mask), "")

    def _byline(self, at: int) -> str:
        """Byline where author or date are told by names, by a date element, or near the title."""
        words = self._words[at]
        if words > BYLINE_WORDS or self.counts.tag[at] in HEADING_HOLDERS:
            return ""
        named = self._near_bits[at] & ROLE_BITS["byline"]
        near = self.title >= 0 and abs(at - self.title) <= BYLINE_BLOCKS
        if not named and not (near and words <= PLAIN_BYLINE_WORDS):
            return ""
        if not (named and near) and not BYLINE.match(self.counts.texts[at]):
            return ""
        return "" if self._in_table[at] else "byline"

    # -- evidence for all blocks: lists, which are read fastest one by one --------------------

    @lazy_property
    def _is_kept(self) -> list[bool]:
        return list(self.kept.tolist())

    @lazy_property
    def _words(self) -> list[float]:
        return list(self.counts.words.tolist())

    @lazy_property
    def _density(self) -> list[float]:
        return list(self.counts.density.tolist())

    @lazy_property
    def _notices(self) -> set[int]:
        """The blocks whose text, if it is not too long, is a notice."""
        counts, texts = self.counts, self.counts.texts
        most = np.where(self.kept, KEPT_NOTICE_WORDS, NOTICE_WORDS)
        asked = (counts.words <= most) & (counts.density < 1)
        if self.listed is not None:
            asked &= self.listed
        blocks = blocks_with_stems(counts.page, counts.blocks, np.flatnonzero(asked).tolist())
        found = find_notices([texts[at] for at in blocks]) if blocks else []
        return {blocks[at] for at in found}

    @lazy_property
    def _thread(self) -> list[bool]:
        return list(self._in_thread.tolist())

    @lazy_property
    def _in_thread(self) -> Mask:
        """Mark the blocks in threads of comments."""
        if self.threads is not None:
            return self.threads
        counts = self.counts
        running = (counts.words >= THREAD_WORDS) & (counts.density < MIN_LINK_DENSITY)
        return find_threads(counts.page, counts.blocks, counts.texts, running)

    @lazy_property
    def _around(self) -> list[bool]:
        """Whether blocks are in elements that are never content: menus, footers, forms."""
        page = self.counts.page
        return list(page.inside(page.is_tag(*AROUND))[self.counts.row].tolist())

    @lazy_property
    def _in_table(self) -> Mask:
        """Mark the blocks in data tables."""
        if self.in_rows is not None:
            return self.in_rows()
        row = data_rows(self.counts.page, self.counts.blocks)
        return mark_rows(row, len(self.kept))

    def _own(self, at: int) -> str:
        """The role that its own markup gives a block; empty for plain text."""
        numbers = self._settled[0] if core.compiled else self._own_numbers
        return OWN_ROLES[numbers.item(at)]

    @lazy_property
    def _own_numbers(self) -> Ints:
        """The same of all blocks, by their numbers in OWN_ROLES."""
        page, holder = self.counts.page, self.counts.blocks.holder
        own = kinds_above(page, OWN_BY_TAG, self.counts.row)
        own[(own == OWN_ROLES.index("table")) & ~self._in_table] = 0
        plain = (own == 0) | (own == OWN_ROLES.index("list"))
        for role in reversed(MARKED_ROLES):  # the first one that a name tells
            own[plain & (self._near & ROLE_BITS[role] > 0)] = OWN_ROLES.index(role)
        own[IS_HEADING.take(page.tag[holder], mode="clip")] = OWN_ROLES.index("heading")
        return own

    @lazy_property
    def _names(self) -> Int64s:
        """The kinds of names of each row's own attributes, as bits."""
        named = ~self.counts.page.is_tag(*WHOLE)
        if self.listed is not None:
            named &= self._around_listed
        return ROLE_TABLE.read_rows(self.counts.page, NAMED, named)

    @property
    def _around_listed(self) -> Mask:
        """Mark the rows at and above the blocks whose role is asked for."""
        page, rows = self.counts.page, self.counts.row[self.listed]
        marked = np.zeros(len(page), np.bool_)
        if core.compiled:
            core.kernels.mark_above(page.parent, rows, marked.view(np.uint8))
            return marked
        marked[rows] = True
        return np.asarray(page.sum_subtree(marked) > 0)

    @lazy_property
    def _far(self) -> Int64s:
        """For each block, the names of elements around it that are not most of the page."""
        return self._above(MAX_NAMED_SHARE)

    @lazy_property
    def _far_bits(self) -> list[int]:
        return list(self._far.tolist())

    @lazy_property
    def _near(self) -> Int64s:
        """The same of small elements only."""
        return self._above(KEPT_SHARE)

    @lazy_property
    def _near_bits(self) -> list[int]:
        return list(self._near.tolist())

    def _above(self, share: float) -> Int64s:
        most = max(share * self.counts.total, MAX_NAMED_WORDS)
        return names_above(self.counts.page, self._names, most, self.counts.row)

    @lazy_property
    def _texts(self) -> Int64s:
        return text_bits(self.counts.texts)

    @lazy_property
    def _headed(self) -> list[str]:
        """The role that the heading above tells of each block in the same element."""
        page, counts = self.counts.page, self.counts
        told = [""] * len(self.kept)
        headings = np.flatnonzero(IS_HEADING.take(page.tag[counts.blocks.holder], mode="clip"))
        bounds = [*headings.tolist(), len(told)]
        for first, last in pairwise(bounds):
            role = "" if first == self.title else self._worded(first)
            if role in AROUND_ROLES:
                end = page.end[page.parent[counts.blocks.holder[first]]]
                stop = min(last, int(np.searchsorted(counts.row, end)))
                told[first:stop] = [role] * (stop - first)
        return told

    @lazy_property
    def _by_links(self) -> list[str]:
        """The role of each block by the smallest group of links that its first link is in."""
        page, row = self.counts.page, self.counts.row
        roles = decide_links(page)
        smallest = np.append(roles.role, -1)[roles.groups.smallest]
        link = np.full(len(page), -1)
        link[roles.groups.links.rows] = smallest
        anchor = nearest(page.parent, link >= 0)[row]
        own = np.where(anchor >= 0, link[anchor], -1).tolist()
        named = [BY_LINKS.get(LINK_ROLES[at], "navigation") if at >= 0 else "" for at in own]
        return [role or "navigation" for role in named]


HEADING_HOLDERS = frozenset(HOLDERS[f"h{level}"] for level in range(1, 7))


def names_above(page: Page, names: Int64s, most: float, rows: Ints) -> Int64s:
    """The names at and above each of some rows, those of elements with more words left out."""
    if core.compiled:
        found = np.empty(len(rows), np.int64)
        core.kernels.names_above(page.parent, page.words, names, most, rows, found)
        return found
    words = page.sum_subtree(page.words) + page.words
    return or_path(page.parent, page.depth, np.where(words <= most, names, 0))[rows]


def kinds_above(page: Page, kinds: Ints, rows: Ints) -> Ints:
    """The kind of the nearest tag that has one, at or above each of some rows; 0 for none."""
    if core.compiled:
        found = np.empty(len(rows), np.intp)
        core.kernels.kinds_above(page.parent, page.tag, kinds, rows, found)
        return found
    kind = kinds.take(page.tag, mode="clip")
    above = nearest(page.parent, kind > 0)[rows]
    return np.where(above >= 0, kind[above], 0)


# -- what was counted before the roles are asked for ------------------------------------------


def words_of(decision: Decision) -> BlockWords:
    """The words and links of blocks, as they were counted for a decision."""
    page, blocks, features = decision.page, decision.blocks, decision.features
    if not len(blocks):
        return count_words(page, blocks)
    words, density = (features[name].astype(np.float64) for name in ("words", "link_density"))
    tag = HOLDERS_BY_TAG.take(page.tag[blocks.holder], mode="clip")
    row, total = blocks.rows[blocks.first], max(float(words.sum()), 1.0)
    return BlockWords(page, blocks, list_texts(page, blocks), words, density, tag, row, total)


def threads_of(decision: Decision) -> Mask | None:
    """The blocks in threads of comments by the features; None where these cannot tell.

    Features take fewer blocks for running text, and know no thread where none is beside it.
    """
    if not len(decision.blocks):
        return None
    features, reader = decision.features, reader_of(decision.page)
    inside, density = features["in_thread"] > 0, features["link_density"]
    if reader is not None and not reader.whole_thread:
        return np.asarray(inside)
    between = (density >= MAX_LINK_DENSITY) & (density <= MIN_LINK_DENSITY)
    if not inside.any() and (between & (features["words"] >= THREAD_WORDS)).any():
        return None
    return np.asarray(inside)
