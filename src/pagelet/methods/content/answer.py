"""The main content of a page once it is decided, in every output format."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from html import escape
from itertools import chain, islice, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from pagelet import core
from pagelet.arrays import Floats, Int32s, Ints, Mask
from pagelet.metadata.structured import structured_text
from pagelet.methods.content.choice import Decision
from pagelet.methods.content.counts import count_kept_words, count_words
from pagelet.methods.content.heading import PageHeading, with_heading
from pagelet.methods.content.model import ContentModel
from pagelet.methods.content.parts import (
    NO_PARTS,
    NOTHING_FOLDED,
    FoldedTexts,
    KeptBounds,
    KeptParts,
    links_below_each,
    top_rows,
    write_parts,
)
from pagelet.methods.content.rules import Overrides
from pagelet.page.lazy import lazy_property
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER
from pagelet.page.textblocks import TextBlocks, text_blocks
from pagelet.page.words import fold_each
from pagelet.pagelets import Pagelet, PageletMaker, place_form, plain_form
from pagelet.write import write_front_matter, write_html, write_markdown, write_text
from pagelet.write.inline import SCRIPTS, find_scripts, mark_scripts
from pagelet.write.text import JOINED, gaps

if TYPE_CHECKING:
    from pagelet.metadata.facts import Metadata
    from pagelet.methods.content.roles import BlockRoles

LIKELY = 0.5  #: least probability of blocks that are kept beside structured text
SHORT_ANSWER_WORDS = 200  #: words of an answer below which structured text may be added
MIN_STRUCTURED_WORDS = 20  #: words of structured text that is worth adding
RUN_WORDS = 5  #: words in a row that must be equal for texts to match
MAX_RUNS = 200  #: runs of structured text that are searched for in the page
#: Fields of the front matter, in its order, and the metadata of those with another name.
FRONT_NAMES = (
    *("title", "author", "date", "modified", "url", "language", "site_name", "description"),
    *("categories", "tags", "licence"),
)
FRONT_MATTER = {"url": "canonical"}
NO_TEXT = "the page has no text"  #: reason for an answer without text
#: Fields of the metadata that stand beside the text as well.
SHORT_FIELDS = ("language", "description", "site_name", "image", "canonical")


@dataclass(frozen=True, eq=False)
class ContentAnswer:
    """The blocks of a page that are kept, and how that was decided."""

    page: Page
    blocks: TextBlocks
    kept_rows: Mask  #: text rows that are kept
    score: Floats  #: probability of each block, or the density of its element
    decision: Decision | None = None  #: decision of the learned method
    heading: PageHeading | None = None  #: heading of the page by what was decided
    model: ContentModel | None = None
    overrides: Overrides | None = None  #: selectors of the user, already applied
    added_title: str = ""  #: title to write first, since no block holds it
    threshold: float = 0.0  #: least density of a part that may be content, where densities decide

    @classmethod
    def by_blocks(
        cls, decision: Decision, model: ContentModel, with_title: str = "auto"
    ) -> "ContentAnswer":
        """The answer of the learned method, with the heading of the page or without it."""
        heading = PageHeading(decision, decision.kept)
        kept, title = with_heading(heading, with_title)
        rows, score, page = decision.text_rows(kept), decision.probability, decision.page
        answer = cls(page, decision.blocks, rows, score, decision, heading, model, None, title)
        if not answer.missing:
            return answer
        likely = decision.kept & (decision.probability >= LIKELY)  # beside structured text
        kept, title = with_heading(PageHeading(decision, likely), with_title)
        return replace(answer, kept_rows=decision.text_rows(kept), added_title=title)

    @classmethod
    def by_rows(
        cls, page: Page, kept: Mask, density: Floats, threshold: float = 0.0
    ) -> "ContentAnswer":
        """The answer of a method that marks rows."""
        blocks = text_blocks(page)
        return cls(page, blocks, kept, density[blocks.holder], threshold=threshold)

    def with_overrides(self, overrides: Overrides) -> "ContentAnswer":
        """The same answer with the selectors of the user applied."""
        kept, rows = self.kept_rows.copy(), self.blocks.rows
        decided = rows[overrides.decider[rows] >= 0]
        kept[decided] = overrides.keeps[overrides.decider[decided]]
        return replace(self, kept_rows=kept, overrides=overrides)

    def is_added(self, block: int) -> bool:
        """Whether a block is kept only because it is the heading, or the line below it."""
        return self.decision is not None and not self.decision.kept[block]

    @property
    def page_type(self) -> str | None:
        """The likeliest type of the page; None without a decision or without text."""
        likely = self.decision.page_type if self.decision else {}
        return max(likely, key=likely.__getitem__, default=None)

    @property
    def type_probability(self) -> float | None:
        """The probability of the page's type."""
        likely = self.decision.page_type if self.decision else {}
        return max(likely.values(), default=None)

    @property
    def confidence(self) -> float | None:
        """The expected F1 of the answer, 0 without text; None if the method estimates none."""
        if self.decision is None:
            return None
        return 0.0 if self.empty_reason else round(self.decision.confidence, 4)

    @lazy_property
    def empty_reason(self) -> str:
        """Why the answer has no text; nothing where it has some."""
        if self.kept_rows.any() or self.added_title or self.missing:
            return ""
        if len(self.blocks):
            return "all text was dropped"
        scripts = bool(self.page.is_tag(NUMBER["script"]).any())
        return NO_TEXT + "; its scripts may write some in a browser" * scripts

    @lazy_property
    def metadata(self) -> "Metadata":
        """Title, authors, dates and other metadata of the page, its type included."""
        from pagelet.metadata.joining import join_type  # noqa: PLC0415 - the text needs none

        return join_type(self.page, self.page_type, self.type_probability)

    @lazy_property
    def missing(self) -> str:
        """Text of the structured data that the page itself does not show, where it shows little."""
        if count_kept_words(self.page, self.kept_rows) >= SHORT_ANSWER_WORDS:
            return ""
        text = structured_text(self.page)
        return "" if len(text.split()) < MIN_STRUCTURED_WORDS or self._shows(text) else text

    def _shows(self, text: str) -> bool:
        """Whether the page contains most of a text."""
        shown = " ".join(" ".join(self.blocks.texts(self.page)).lower().split())
        words = text.lower().split()
        starts = range(0, max(len(words) - RUN_WORDS, 1), RUN_WORDS)[:MAX_RUNS]
        runs = [" ".join(words[at : at + RUN_WORDS]) for at in starts]
        return sum(run in shown for run in runs) * 2 > len(runs)

    def text(self) -> str:
        """The content as plain text, one line per block."""
        return _join(self.added_title, write_text(self.page, self.kept_rows), self.missing)

    @property
    def comments(self) -> str:
        """The comments of readers, where they are given apart, one line per block."""
        decision = self.decision
        return write_text(self.page, decision.text_rows(decision.comments)) if decision else ""

    def markdown(self, *, links: bool = True, images: bool = False) -> str:
        """The content as Markdown."""
        written = write_markdown(self.page, self.kept_rows, links=links, images=images)
        title = f"# {self.added_title}" if self.added_title else ""
        return _join(title, written, self.missing, between="\n\n")

    def html(self, *, links: bool = True, images: bool = False) -> str:
        """The content as clean HTML."""
        written = write_html(self.page, self.kept_rows, links=links, images=images)
        paragraphs = [
            f"<p>{escape(line)}</p>" for line in self.missing.splitlines() if line.strip()
        ]
        title = f"<h1>{escape(self.added_title)}</h1>" if self.added_title else ""
        return _join(title, written, "\n".join(paragraphs))

    def front_matter(self) -> str:
        """Metadata of the page, its type and the confidence as YAML front matter."""
        found = self.metadata
        values = found.to_dict() | {"author": found.author, "date": found.date}
        fields = {name: values[FRONT_MATTER.get(name, name)] for name in FRONT_NAMES}
        return write_front_matter(
            {name: value for name, value in fields.items() if value not in (None, [])}
            | {"page_type": self.page_type, "confidence": self.confidence}
        )


def _join(*parts: str, between: str = "\n") -> str:
    return between.join(filter(None, parts))


# Blocks: what was kept or dropped, and why


@dataclass(frozen=True, eq=False)
class Listing:
    """The blocks of an answer, in order; one that was decided in parts is listed part by part."""

    answer: ContentAnswer

    @lazy_property
    def first(self) -> Ints:
        """Where each part begins in the text rows of all blocks."""
        blocks = self.answer.blocks
        new = np.zeros(len(blocks.rows), np.bool_)
        new[blocks.first] = True
        for values in (self.answer.kept_rows[blocks.rows], self._decider):
            new[1:] |= values[1:] != values[:-1]
        return np.flatnonzero(new)

    @lazy_property
    def last(self) -> Ints:
        """Where each part ends, its last row not included."""
        return np.append(self.first[1:], len(self.answer.blocks.rows))[: len(self.first)]

    @lazy_property
    def block(self) -> Ints:
        """The block of each part."""
        return np.searchsorted(self.answer.blocks.first, self.first, "right") - 1

    @property
    def _decider(self) -> Int32s:
        """For each text row of the blocks, the selector that decides it, or -1."""
        rows, overrides = self.answer.blocks.rows, self.answer.overrides
        return np.full(len(rows), -1, np.int32) if overrides is None else overrides.decider[rows]

    @lazy_property
    def kept(self) -> Mask:
        """Mark the parts that are kept."""
        return np.asarray(self.answer.kept_rows[self.answer.blocks.rows[self.first]])

    def roles(self, *, explain: bool) -> "BlockRoles":
        """What tells the role of each block; of those that are kept alone unless all are listed."""
        return self._roles_of(self.block[self.kept], explain=explain)

    def _roles_of(self, blocks: Ints, *, explain: bool = False) -> "BlockRoles":
        """The same, given the blocks of parts that are kept."""
        from pagelet.methods.content.roles import (  # noqa: PLC0415 - only for listings
            BlockRoles,
            threads_of,
            words_of,
        )

        answer = self.answer
        kept = np.zeros(len(answer.blocks), np.bool_)
        kept[blocks] = True
        listed, decision = None if explain else kept, answer.decision
        if decision is None:
            counts = count_words(answer.page, answer.blocks)
            return BlockRoles(counts, kept, self._title, listed)
        counts, threads = words_of(decision), threads_of(decision)
        return BlockRoles(counts, kept, self._title, listed, threads, decision.in_rows)

    @property
    def _title(self) -> int:
        """The block of the page's own heading, or -1; text density knows none but an h1."""
        answer = self.answer
        if answer.heading is not None:
            return answer.heading.block
        headings = np.flatnonzero(answer.page.tag[answer.blocks.holder] == NUMBER["h1"])
        return int(headings[0]) if len(headings) else -1

    @property
    def selector(self) -> Int32s:
        """For each part, the selector that decided it, or -1."""
        return self._decider[self.first]

    def overrides(self) -> dict[str, int]:
        """The number of parts that each selector of the user decided."""
        if self.answer.overrides is None:
            return {}
        names = list(map(str, self.answer.overrides.selectors))
        counts = dict.fromkeys(names, 0)
        for at in self.selector[self.selector >= 0].tolist():
            counts[names[at]] += 1
        return counts

    def pagelets(self, *, explain: bool) -> Iterator[Pagelet]:
        """The parts that are kept; with `explain` all parts, with their strongest features."""
        from pagelet.methods.content.reasons import (  # noqa: PLC0415 - the text alone needs none
            ContentReason,
        )

        answer = self.answer
        if not len(self.kept):
            return
        scores, roles = answer.score[self.block].tolist(), self.roles(explain=explain)
        columns = (self.block, self.selector, self.kept, self.first, self.last)
        parts = list(zip(*(column.tolist() for column in columns), strict=True))
        tops = top_rows(answer.page, answer.blocks, [(first, last) for *_, first, last in parts])
        for part, rows, score in zip(parts, tops, scores, strict=True):
            block, selector, kept, first, last = part
            if not (kept or explain):
                continue
            reason = ContentReason(answer, block, selector, kept=kept, explained=explain)
            kind, text = "content" if kept else "dropped", self.text(first, last)
            role = roles.role(block)
            yield Pagelet(answer.page, rows, kind, score, reason, seen=text, role=role)

    def forms(self, *, reasons: bool) -> list[dict[str, Any]]:
        """The JSON forms of the parts that are kept, those of their pagelets, made at once."""
        page, parts = self.answer.page, self._kept_parts
        if not parts.bounds:
            return []
        places = iter(page.paths(list(chain(*parts.rows))))
        links, texts = links_below_each(page, parts.rows), self._kept_texts
        told = self._reasons if reasons else {}
        return [
            {
                **place_form("content", list(islice(places, len(own)))),
                "role": role,
                "within": None,
                "score": round(score, 6),
                "text": text,
                "links": linked,
                "reason": told.get(at, {}),
                "why": [],
            }
            for at, (own, role, score, text, linked) in enumerate(
                zip(parts.rows, parts.roles, parts.scores.tolist(), texts, links, strict=True)
            )
        ]

    def write_forms(self) -> "core.kernels.JsonText | None":
        """The same forms as JSON, by the compiled core; None where it cannot tell all of them."""
        parts = self._kept_parts
        written, folded = None, NOTHING_FOLDED
        if self._has_scripts:
            written = self._kept_texts
        else:
            folded = self._kept_rows
        return write_parts(self.answer.page, parts, self._reasons, written, folded)

    @lazy_property
    def _kept_parts(self) -> KeptParts:
        """The parts that are kept, and what is told of each."""
        answer = self.answer
        bounds, blocks, _ = self._kept_bounds
        if not bounds:
            return NO_PARTS
        rows = top_rows(answer.page, answer.blocks, bounds)
        roles = self._roles_of(blocks).roles(blocks)
        return KeptParts(bounds, blocks, rows, roles, answer.score[blocks])

    @lazy_property
    def _kept_bounds(self) -> KeptBounds:
        """Where the parts that are kept begin and end."""
        if core.compiled:
            overrides, listed = self.answer.overrides, self.answer.blocks
            decider = None if overrides is None else overrides.decider
            kept = self.answer.kept_rows.view(np.uint8)
            bounds, *found = core.kernels.kept_parts(listed.rows, listed.first, kept, decider)
            return KeptBounds(bounds, *map(np.asarray, found))
        first, last, blocks = (each[self.kept] for each in (self.first, self.last, self.block))
        before = np.cumsum(last - first) - (last - first)
        return KeptBounds(list(zip(first.tolist(), last.tolist(), strict=True)), blocks, before)

    @lazy_property
    def _reasons(self) -> dict[int, dict[str, Any]]:
        """What decided on parts that are kept, by number, where not the model alone did."""
        from pagelet.methods.content.reasons import ContentReason  # noqa: PLC0415 - as below

        decision, (bounds, blocks, _) = self.answer.decision, self._kept_bounds
        told = np.ones(len(bounds), np.bool_)
        if decision is not None:
            told = (~decision.kept | decision.repeated)[blocks]
        selectors = None
        if self.answer.overrides is not None:
            selectors = self._decider[[first for first, _ in bounds]]
            told |= selectors >= 0
        reasons: dict[int, dict[str, Any]] = {}
        for at in np.flatnonzero(told).tolist():
            block, selector = blocks.item(at), -1 if selectors is None else selectors.item(at)
            reason = ContentReason(self.answer, block, selector, kept=True, explained=False)
            reasons[at] = plain_form(reason.values_by_name)
        return reasons

    def text(self, first: int, last: int) -> str:
        """The text of a part, as it is written in the content, on one line."""
        return " ".join(self._joined(*self._texts, first, last).split())

    @property
    def _kept_texts(self) -> list[str]:
        """The texts of parts that are kept, those of other rows not looked at where that can be."""
        if self._has_scripts:
            return [self.text(*part) for part in self._kept_parts.bounds]
        page, (places, gap, begin) = self.answer.page, self._kept_rows
        if core.compiled:
            with suppress(UnicodeEncodeError):  # lone surrogates are left to Python
                return core.kernels.fold_parts(page.texts, places, gap, begin)
        texts = list(map(page.texts.__getitem__, places.tolist()))
        spaced = [True, *(gap > JOINED).tolist()]
        pairs = pairwise([*begin.tolist(), len(texts)])
        return fold_each([self._joined(texts, spaced, at, end) for at, end in pairs])

    @lazy_property
    def _has_scripts(self) -> bool:
        """Whether some texts are written as raised or lowered, by all texts before them."""
        page = self.answer.page
        return bool(page.first_tagged(1, *SCRIPTS) and find_scripts(page, self._in_blocks))

    @property
    def _in_blocks(self) -> Mask:
        """Mark the texts of blocks."""
        marked = np.zeros(len(self.answer.page), np.bool_)
        marked[self.answer.blocks.rows] = True
        return marked

    @property
    def _kept_rows(self) -> FoldedTexts:
        """The texts that are kept, and which of them begin parts."""
        page, rows = self.answer.page, self.answer.blocks.rows
        kept = rows[self.answer.kept_rows[rows]]
        before = self._kept_bounds.before.astype(np.intp)
        return FoldedTexts(page.ordinal[kept], gaps(page, kept), before)

    @staticmethod
    def _joined(texts: list[str], spaced: list[bool], first: int, last: int) -> str:
        if last - first == 1:
            return texts[first]
        return "".join([" " * spaced[at] + texts[at] for at in range(first, last)])

    @lazy_property
    def _texts(self) -> tuple[list[str], list[bool]]:
        """The texts of all rows, and whether something parts each from the one before."""
        page, rows = self.answer.page, self.answer.blocks.rows
        texts = self.answer.blocks.texts(page)
        mark_scripts(page, rows, texts, self._in_blocks)
        return texts, [True, *(gaps(page, rows) > JOINED).tolist()]


@dataclass(frozen=True, eq=False)
class BlockMaker(PageletMaker):
    """Makes the pagelets of a listing."""

    listing: Listing
    explain: bool  #: whether all parts are listed, with their reasons

    def __call__(self) -> Iterator[Pagelet]:
        """The pagelets in order."""
        return self.listing.pagelets(explain=self.explain)

    def forms(self, *, reasons: bool) -> list[dict[str, Any]]:
        """The JSON forms; those of the parts that are kept are made at once."""
        if self.explain:
            return super().forms(reasons=reasons)
        return self.listing.forms(reasons=reasons)

    def write(self) -> "core.kernels.JsonText | None":
        """The JSON forms as text, by the compiled core."""
        return self.listing.write_forms() if core.compiled and not self.explain else None


def page_fields(listing: Listing) -> dict[str, Any]:
    """The fields of the JSON form about the whole page, without its text."""
    answer = listing.answer
    found = answer.metadata
    whole = found.to_dict()
    fields: dict[str, Any] = {"title": found.title, "author": found.author, "date": found.date}
    fields |= {name: whole[name] for name in SHORT_FIELDS}
    likely = answer.decision.page_type if answer.decision else {}
    return fields | {
        "page_type": answer.page_type,
        "page_types": {name: round(p, 4) for name, p in likely.items()},
        "confidence": answer.confidence,
        "overrides": listing.overrides(),
        "metadata": whole,
    }
