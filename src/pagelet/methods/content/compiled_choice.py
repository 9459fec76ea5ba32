"""The choice of blocks by the compiled core; `choose` in `choice.py` is its twin in Python."""

from typing import TYPE_CHECKING

import numpy as np

from pagelet import core
from pagelet.arrays import Bytes, Floats, Mask
from pagelet.methods.content.comments import Comments
from pagelet.methods.content.gaps import (
    CORE_KEPT_SHARE,
    GAP_LINK_DENSITY,
    GAP_PROBABILITY,
    GAP_WORDS,
    KEPT_SIBLINGS,
    KEPT_SIBLINGS_SHARE,
    LABEL_SHARE,
    LABELS,
    MANY_LABELS,
    SIBLING_PROBABILITY,
)
from pagelet.methods.content.repeats import (
    COMPARED_CHARS,
    MIN_CELL_COPY_WORDS,
    MIN_COPY_WORDS,
    repeats_among,
)
from pagelet.methods.content.tables import CELLS, MAX_CELL_BLOCKS, MAX_CELLS, MAX_ROW_WORDS
from pagelet.models.features import FeatureTable
from pagelet.page.table import Page
from pagelet.page.tags import FIRST_CUSTOM_TAG, NUMBER
from pagelet.page.textblocks import TextBlocks
from pagelet.page.words import STOP

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Limits, in the order in which the core reads them.
LIMITS = (
    *(MAX_CELL_BLOCKS, MAX_ROW_WORDS, MAX_CELLS, MANY_LABELS, LABEL_SHARE, CORE_KEPT_SHARE),
    *(GAP_WORDS, GAP_LINK_DENSITY, GAP_PROBABILITY, KEPT_SIBLINGS, KEPT_SIBLINGS_SHARE),
    *(SIBLING_PROBABILITY, STOP, MIN_COPY_WORDS, MIN_CELL_COPY_WORDS, COMPARED_CHARS),
)


def _tag_bits() -> Bytes:
    """What the core must know of each tag; the last one stands for all above."""
    bits = np.zeros(FIRST_CUSTOM_TAG + 1, np.uint8)
    groups: Iterable[tuple[int, ...]] = (
        *((NUMBER["tr"],), CELLS, (NUMBER["table"],), (NUMBER["p"],), LABELS, (NUMBER["pre"],)),
    )
    for bit, tags in enumerate(groups):
        bits[list(tags)] |= 1 << bit
    return bits


TAG_BITS = _tag_bits()


def choice_lines(features: FeatureTable) -> tuple[int, ...]:
    """The lines of the features that the choice reads."""
    return features.lines_of(core.kernels.CHOICE_FEATURES)


class CompiledChoice:
    """The choice among the blocks of one page whose features the core has read."""

    def __init__(
        self, reader: "core.kernels.BlockReader", features: FeatureTable, probability: Floats
    ) -> None:
        """OverflowError for texts of so many words that the core would count them wrongly."""
        lines = choice_lines(features)
        self.probability = probability.copy()  #: of each block; that of its row for a cell
        self._chooser = core.kernels.BlockChooser(
            reader, features.lines, lines, TAG_BITS, self.probability, LIMITS
        )
        self._marks = np.zeros((3, len(probability)), np.uint8)

    @property
    def repeated(self) -> Mask:
        """Mark the blocks that only repeat a likelier one."""
        return np.asarray(self._marks[0].view(np.bool_))

    def in_rows(self) -> Mask:
        """Mark the blocks in rows of data tables."""
        marked = np.empty(len(self.probability), np.uint8)
        self._chooser.mark_rows(marked)
        return marked.view(np.bool_)

    def leave_out_repeats(self, page: Page, blocks: TextBlocks, least: float) -> None:
        """Mark repetitions among the blocks of such a probability."""
        if compared := self._chooser.find_copies(least):
            self._marks[0] = repeats_among(page, blocks, self.probability, compared)
            self._chooser.whole_rows(self._marks[0])

    def choose(
        self, comments: Comments, beta: float, bounds: tuple[float, float]
    ) -> "tuple[Mask, float]":
        """The blocks that are kept, and the probability from which on they were taken."""
        if comments.decided:
            self._marks[1:] = comments.excluded, comments.added
        kept = np.empty(self._marks.shape[1], np.uint8)
        threshold = self._chooser.choose(self._marks, (beta**2, *bounds), kept)
        return kept.view(np.bool_), threshold
