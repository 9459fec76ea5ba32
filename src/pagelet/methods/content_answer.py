"""The main content of a page once it is decided, in every form people ask for."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.page import Mask, Page, Rows
from pagelet.measures.textblocks import TextBlocks, text_blocks
from pagelet.methods.content_blocks import Decision
from pagelet.models.content import ContentModel
from pagelet.pagelets import Pagelet
from pagelet.parse.excerpt import excerpt_html, excerpt_markdown, excerpt_text
from pagelet.parse.metadata import metadata
from pagelet.parse.structured import structured_text

WEIGHED = 5  #: features told as the reason
FEW = 200  #: words of an answer that is short enough to ask structured data for more
SOME = 20  #: words of structured text that is worth telling
RUN = 5  #: words that must stand together to be taken for the same text

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Answer:
    """What is kept of a page, block by block."""

    page: Page
    blocks: TextBlocks
    kept_rows: Mask  #: text rows that are kept
    score: Floats  #: of each block: its probability, or the density that holds it
    rule: tuple[str | None, ...] = ()  #: of each block: the user's word that decided it
    decision: Decision | None = None  #: how the learned method came to it
    model: ContentModel | None = None

    @classmethod
    def by_blocks(cls, decision: Decision, model: ContentModel) -> "Answer":
        """The answer of the learned method."""
        rows, score = decision.text_rows, decision.probability
        return cls(decision.page, decision.blocks, rows, score, (), decision, model)

    @classmethod
    def by_rows(cls, page: Page, kept: Mask, density: Floats) -> "Answer":
        """The answer of a method that marks rows."""
        blocks = text_blocks(page)
        return cls(page, blocks, kept, density[blocks.holder])

    def overridden(self, decider: Rows | None, said: list[str]) -> "Answer":
        """The same with the user's own word obeyed."""
        if decider is None:
            return self
        keeps = np.array([each.startswith("keep ") for each in said])
        kept, spoken = self.kept_rows.copy(), self.blocks.rows[decider[self.blocks.rows] >= 0]
        kept[spoken] = keeps[decider[spoken]]
        first = decider[self.blocks.rows[self.blocks.first]].tolist()
        rule = tuple(said[at] if at >= 0 else None for at in first)
        return replace(self, kept_rows=kept, rule=rule)

    @cached_property
    def missing(self) -> str:
        """Text that only structured data holds, where the page itself shows little."""
        if int(self.page.words[self.kept_rows].sum()) >= FEW:
            return ""
        told = structured_text(self.page)
        return "" if len(told.split()) < SOME or self._shows(told) else told

    def _shows(self, told: str) -> bool:
        """Whether most of a text stands somewhere in the page."""
        texts = [self.page.texts[at] for at in self.page.ordinal[self.blocks.rows].tolist()]
        shown = " ".join(" ".join(texts).lower().split())
        words = told.lower().split()
        runs = [" ".join(words[at : at + RUN]) for at in range(0, max(len(words) - RUN, 1), RUN)]
        return sum(run in shown for run in runs[:FEW]) * 2 > len(runs[:FEW])

    def text(self) -> str:
        """The content as plain text, a line a block."""
        return _joined(excerpt_text(self.page, self.kept_rows), self.missing)

    def markdown(self, *, links: bool = True, images: bool = False) -> str:
        """The content as Markdown."""
        written = excerpt_markdown(self.page, self.kept_rows, links=links, images=images)
        return _joined(written, self.missing, "\n\n")

    def html(self, *, links: bool = True, images: bool = False) -> str:
        """The content as clean HTML."""
        written = excerpt_html(self.page, self.kept_rows, links=links, images=images)
        paragraphs = [
            f"<p>{escape(line)}</p>" for line in self.missing.splitlines() if line.strip()
        ]
        return _joined(written, "\n".join(paragraphs))


def _joined(written: str, missing: str, between: str = "\n") -> str:
    return between.join(part for part in (written, missing) if part)


def blocks_of(answer: Answer, *, explain: bool) -> Iterator[Pagelet]:
    """The blocks that are kept, in order; with `explain` all blocks, and what weighed most."""
    blocks = answer.blocks
    kept = np.zeros(len(blocks), np.bool_)
    np.logical_or.at(kept, blocks.of_row, answer.kept_rows[blocks.rows])
    for block in range(len(blocks)) if explain else np.flatnonzero(kept).tolist():
        kind = "content" if kept[block] else "dropped"
        reason = _reason(answer, block, explain=explain)
        rows = top_rows(answer.page, blocks, block)
        yield Pagelet(answer.page, rows, kind, float(answer.score[block]), reason)


def top_rows(page: Page, blocks: TextBlocks, block: int) -> tuple[int, ...]:
    """The rows a block is shown by: its element where that holds nothing else, or its texts."""
    rows, holder = blocks.rows_of(block), int(blocks.holder[block])
    before, after = np.searchsorted(blocks.rows, (holder, page.end[holder])).tolist()
    if after - before == len(rows) and page.counted[holder]:
        return (holder,)
    return tuple(rows.tolist())


def _reason(answer: Answer, block: int, *, explain: bool) -> dict[str, Any]:
    reason: dict[str, Any] = {}
    if answer.rule and answer.rule[block]:
        reason["rule"] = answer.rule[block]
    decision = answer.decision
    if decision is None or answer.model is None:
        return reason | {"density": float(answer.score[block])}
    if explain:
        weighed = answer.model.trees.explain(decision.features[:, block].astype(np.float64))
        reason |= {f"{name}": round(value, 3) for name, value in islice(weighed.items(), WEIGHED)}
    return reason


def more_of(answer: Answer) -> dict[str, Any]:
    """What the JSON form says beside the blocks."""
    decision = answer.decision
    known: dict[str, Any] = {"text": answer.text(), "markdown": answer.markdown()}
    known |= metadata(answer.page).to_dict()
    known["canonical"] = known.pop("url", None)
    if decision is not None:
        likely = max(decision.page_type, key=decision.page_type.__getitem__, default=None)
        known["page_type"] = likely
        known["page_types"] = {name: round(p, 4) for name, p in decision.page_type.items()}
        known["confidence"] = round(decision.confidence, 4)
    if answer.missing:
        known["structured"] = answer.missing
    return known
