"""The main content block by block: what was kept or dropped, by whom, and why."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.page import Mask
from pagelet.methods.content_answer import Answer
from pagelet.pagelets import Pagelet

WEIGHED = 5  #: features told as the reason

Ints = NDArray[np.intp]


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
    def _decider(self) -> NDArray[np.int32]:
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
    def word(self) -> NDArray[np.int32]:
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
        weighed = answer.model.trees.explain(decision.features[:, block].astype(np.float64))
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
