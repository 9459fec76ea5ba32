"""The main content of a page once it is decided, in every form people ask for."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from pagelet.arrays import Floats, Int32s, Ints, Mask
from pagelet.metadata.structured import structured_text
from pagelet.methods.content.choice import Decision
from pagelet.methods.content.model import ContentModel
from pagelet.methods.content.rules import Overrides
from pagelet.page.table import Page
from pagelet.page.textblocks import TextBlocks, text_blocks
from pagelet.pagelets import Pagelet
from pagelet.write import write_front_matter, write_html, write_markdown, write_text

if TYPE_CHECKING:
    from pagelet.metadata.facts import Metadata

LIKELY = 0.5  #: probability of what is kept beside text that structured data tells
FEW = 200  #: words of an answer that is short enough to ask structured data for more
SOME = 20  #: words of structured text that is worth telling
RUN = 5  #: words that must stand together to be taken for the same text


@dataclass(frozen=True, eq=False)
class Answer:
    """What is kept of a page, block by block."""

    page: Page
    blocks: TextBlocks
    kept_rows: Mask  #: text rows that are kept
    score: Floats  #: of each block: its probability, or the density that holds it
    decision: Decision | None = None  #: how the learned method came to it
    model: ContentModel | None = None
    overrides: Overrides | None = None  #: the user's own word, obeyed

    @classmethod
    def by_blocks(cls, decision: Decision, model: ContentModel) -> "Answer":
        """The answer of the learned method."""
        rows, score = decision.text_rows(), decision.probability
        found = cls(decision.page, decision.blocks, rows, score, decision, model)
        if found.missing:  # what is told elsewhere needs no help from what is unlikely
            return replace(found, kept_rows=decision.text_rows(LIKELY))
        return found

    @classmethod
    def by_rows(cls, page: Page, kept: Mask, density: Floats) -> "Answer":
        """The answer of a method that marks rows."""
        blocks = text_blocks(page)
        return cls(page, blocks, kept, density[blocks.holder])

    def overridden(self, said: Overrides) -> "Answer":
        """The same with the user's own word obeyed."""
        kept, rows = self.kept_rows.copy(), self.blocks.rows
        spoken = rows[said.decider[rows] >= 0]
        kept[spoken] = said.keeps[said.decider[spoken]]
        return replace(self, kept_rows=kept, overrides=said)

    @property
    def page_type(self) -> str | None:
        """The likeliest type of the page; None when it was not asked, or there is no text."""
        likely = self.decision.page_type if self.decision else {}
        return max(likely, key=likely.__getitem__, default=None)

    @property
    def confidence(self) -> float | None:
        """The F1 to be expected of the answer; None when the method cannot tell."""
        return round(self.decision.confidence, 4) if self.decision else None

    @cached_property
    def metadata(self) -> "Metadata":
        """What the page says about itself."""
        from pagelet.metadata.facts import metadata  # noqa: PLC0415 - the text alone needs none

        return metadata(self.page)

    @cached_property
    def missing(self) -> str:
        """Text that only structured data holds, where the page itself shows little."""
        if int(self.page.words[self.kept_rows].sum()) >= FEW:
            return ""
        told = structured_text(self.page)
        return "" if len(told.split()) < SOME or self._shows(told) else told

    def _shows(self, told: str) -> bool:
        """Whether most of a text stands somewhere in the page."""
        shown = " ".join(" ".join(self.blocks.texts(self.page)).lower().split())
        words = told.lower().split()
        runs = [" ".join(words[at : at + RUN]) for at in range(0, max(len(words) - RUN, 1), RUN)]
        return sum(run in shown for run in runs[:FEW]) * 2 > len(runs[:FEW])

    def text(self) -> str:
        """The content as plain text, a line a block."""
        return _joined(write_text(self.page, self.kept_rows), self.missing)

    def markdown(self, *, links: bool = True, images: bool = False) -> str:
        """The content as Markdown."""
        written = write_markdown(self.page, self.kept_rows, links=links, images=images)
        return _joined(written, self.missing, "\n\n")

    def html(self, *, links: bool = True, images: bool = False) -> str:
        """The content as clean HTML."""
        written = write_html(self.page, self.kept_rows, links=links, images=images)
        paragraphs = [
            f"<p>{escape(line)}</p>" for line in self.missing.splitlines() if line.strip()
        ]
        return _joined(written, "\n".join(paragraphs))

    def front_matter(self) -> str:
        """What is known of the page as YAML front matter."""
        told = self.metadata.to_dict()
        names = ("title", "author", "date", "url", "language", "description")
        known = {name: told[name] for name in names}
        return write_front_matter(
            known | {"page_type": self.page_type, "confidence": self.confidence}
        )


def _joined(written: str, missing: str, between: str = "\n") -> str:
    return between.join(part for part in (written, missing) if part)


# -- The main content block by block: what was kept or dropped, by whom, and why --------------


WEIGHED = 5  #: features told as the reason


@dataclass(frozen=True, eq=False)
class Listing:
    """The blocks of an answer, in order; one that was decided in parts is listed part by part."""

    answer: Answer

    @cached_property
    def first(self) -> Ints:
        """Where each part begins in the text rows of all blocks."""
        blocks = self.answer.blocks
        new = np.zeros(len(blocks.rows), np.bool_)
        new[blocks.first] = True
        for values in (self.answer.kept_rows[blocks.rows], self._decider):
            new[1:] |= values[1:] != values[:-1]
        return np.flatnonzero(new)

    @cached_property
    def last(self) -> Ints:
        """Where each part ends, its last row not included."""
        return np.append(self.first[1:], len(self.answer.blocks.rows))[: len(self.first)]

    @property
    def _decider(self) -> Int32s:
        """For each text row of the blocks, the word that decides it, or -1."""
        blocks, said = self.answer.blocks, self.answer.overrides
        return (
            np.full(len(blocks.rows), -1, np.int32) if said is None else said.decider[blocks.rows]
        )

    @property
    def kept(self) -> Mask:
        """Mark the parts that are kept."""
        return np.asarray(self.answer.kept_rows[self.answer.blocks.rows[self.first]])

    @property
    def word(self) -> Int32s:
        """For each part, the word that decided it, or -1."""
        return self._decider[self.first]

    def overrides(self) -> dict[str, int]:
        """How many parts each word of the user decided."""
        said = self.answer.overrides
        counts = {str(word): 0 for word in said.words} if said else {}
        if said:
            for at in self.word[self.word >= 0].tolist():
                counts[str(said.words[at])] += 1
        return counts

    def pagelets(self, *, explain: bool) -> Iterator[Pagelet]:
        """The parts that are kept; with `explain` all of them, and what weighed most."""
        answer, kept, word = self.answer, self.kept, self.word
        block = answer.blocks.of_row[self.first]
        before = _texts_before(answer)
        for at in range(len(kept)) if explain else np.flatnonzero(kept).tolist():
            rows = _tops(answer, before, int(self.first[at]), int(self.last[at]))
            reason = _reason(answer, int(block[at]), int(word[at]), explain=explain)
            kind = "content" if kept[at] else "dropped"
            yield Pagelet(answer.page, rows, kind, float(answer.score[block[at]]), reason)


def _texts_before(answer: Answer) -> Ints:
    """For each row of the page and for its end, how many texts of blocks stand before it."""
    marked = np.zeros(len(answer.page) + 1, np.intp)
    marked[answer.blocks.rows + 1] = 1
    return np.cumsum(marked)


def _tops(answer: Answer, before: Ints, first: int, last: int) -> tuple[int, ...]:
    """The rows a part is shown by: elements that hold nothing else, else its texts."""
    page, blocks, tops = answer.page, answer.blocks, []
    while first < last:
        top, after = int(blocks.rows[first]), first + 1
        while blocks.above[top] != top:
            higher = int(page.parent[top])
            if before[higher] != first or before[page.end[higher]] > last:
                break
            top, after = higher, int(before[page.end[higher]])
        tops.append(top)
        first = after
    return tuple(tops)


def _reason(answer: Answer, block: int, word: int, *, explain: bool) -> dict[str, Any]:
    reason: dict[str, Any] = {}
    if answer.overrides is not None and word >= 0:
        reason["rule"] = str(answer.overrides.words[word])
    decision = answer.decision
    if decision is None or answer.model is None:
        return reason | {"density": float(answer.score[block])}
    if decision.repeated[block]:
        reason["repeated"] = True
    if explain:
        weighed = answer.model.trees.explain(decision.features.rows[block].astype(np.float64))
        reason |= {name: round(value, 3) for name, value in islice(weighed.items(), WEIGHED)}
    return reason


def facts(listing: Listing) -> dict[str, Any]:
    """What the JSON form says of the whole page, its text left out."""
    answer = listing.answer
    told: dict[str, Any] = answer.metadata.to_dict()
    told["canonical"] = told.pop("url")
    likely = answer.decision.page_type if answer.decision else {}
    return told | {
        "page_type": answer.page_type,
        "page_types": {name: round(p, 4) for name, p in likely.items()},
        "confidence": answer.confidence,
        "overrides": listing.overrides(),
    }
