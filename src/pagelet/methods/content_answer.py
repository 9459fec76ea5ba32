"""The main content of a page once it is decided, in every form people ask for."""

from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.page import Mask, Page
from pagelet.measures.textblocks import TextBlocks, text_blocks
from pagelet.methods.content_blocks import Decision
from pagelet.methods.content_rules import Overrides
from pagelet.models.content import ContentModel
from pagelet.parse.excerpt import excerpt_html, excerpt_markdown, excerpt_text
from pagelet.parse.structured import structured_text

if TYPE_CHECKING:
    from pagelet.parse.metadata import Metadata

LIKELY = 0.5  #: probability of what is kept beside text that structured data tells
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
        from pagelet.parse.metadata import metadata  # noqa: PLC0415 - the text alone needs none

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

    def front_matter(self) -> str:
        """What is known of the page as YAML front matter."""
        from pagelet.parse.front_matter import front_matter  # noqa: PLC0415 - rarely asked for

        told = self.metadata.to_dict()
        names = ("title", "author", "date", "url", "language", "description")
        known = {name: told[name] for name in names}
        return front_matter(known | {"page_type": self.page_type, "confidence": self.confidence})


def _joined(written: str, missing: str, between: str = "\n") -> str:
    return between.join(part for part in (written, missing) if part)
