"""The columns of a page that the features of its text blocks are made of."""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats
from pagelet.methods.content.counts import BlockCounts
from pagelet.methods.content.statements import Statements
from pagelet.models.columns import FeatureColumn, Kind

MASK, INT, REAL = Kind.MASK, Kind.INT, Kind.REAL

#: Every input with its kind and its lines, in order; the lines of the lexicon are the model's.
INPUTS: dict[str, tuple[Kind, int]] = {
    **dict.fromkeys(("tag", "parent", "size", "depth", "class_number"), (INT, 1)),
    **dict.fromkeys(("hidden", "aria_hidden"), (MASK, 1)),
    **dict.fromkeys(("text_rows", "first", "holder", "above", "row"), (INT, 1)),
    **dict.fromkeys(("words", "linked", "chars", "density", "holder_kind"), (REAL, 1)),
    "kinds": (REAL, 6),
    **dict.fromkeys(("pieces", "first_kind", "last_kind", "copies", "heading_kinds"), (INT, 1)),
    **dict.fromkeys(("stated", "cookies", "notices", "rights"), (REAL, 1)),
    **dict.fromkeys(("named", "titled", "leads", "thread"), (MASK, 1)),
    **dict.fromkeys(("names", "classes"), (INT, 1)),
    **dict.fromkeys(("structured_words", "total"), (REAL, 1)),
    "scores": (REAL, 0),
}


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """The inputs as columns, for the functions that write features."""

    # -- one value per row of the page --------------------------------------------------------
    tag: FeatureColumn
    parent: FeatureColumn
    size: FeatureColumn
    depth: FeatureColumn
    class_number: FeatureColumn  #: number of the value of its class, from 1 on; 0 without a class
    hidden: FeatureColumn
    aria_hidden: FeatureColumn
    above: FeatureColumn  #: the nearest block element at or above each row
    scores: FeatureColumn  #: weights of its own attributes in the lexicon, a line per kind of page
    # -- one value per text ---------------------------------------------------------------------
    text_rows: FeatureColumn  #: the rows of the texts of all blocks
    # -- one value per block --------------------------------------------------------------------
    first: FeatureColumn  #: where its texts begin in `text_rows`
    holder: FeatureColumn  #: row of the element that holds it
    row: FeatureColumn  #: its first row
    words: FeatureColumn
    linked: FeatureColumn  #: words inside links
    chars: FeatureColumn
    density: FeatureColumn  #: share of the words that is inside links
    holder_kind: FeatureColumn  #: kind of the element that holds it, as numbered in HOLDERS
    kinds: FeatureColumn  #: digits, capitals, stops, commas, signs, money signs
    pieces: FeatureColumn  #: texts that it is made of
    first_kind: FeatureColumn
    last_kind: FeatureColumn
    copies: FeatureColumn
    heading_kinds: FeatureColumn
    stated: FeatureColumn
    cookies: FeatureColumn
    notices: FeatureColumn
    rights: FeatureColumn
    named: FeatureColumn
    titled: FeatureColumn
    leads: FeatureColumn
    thread: FeatureColumn
    # -- one value per page ---------------------------------------------------------------------
    names: FeatureColumn  #: number of tag names
    classes: FeatureColumn  #: number of values of class
    structured_words: FeatureColumn
    total: FeatureColumn  #: words of the page, at least 1

    @property
    def end(self) -> FeatureColumn:
        """First row after each subtree."""
        return self.tag.places() + self.size

    @property
    def place(self) -> FeatureColumn:
        """The number of each block."""
        return self.row.places()

    @property
    def blocks(self) -> FeatureColumn:
        """The number of blocks."""
        return self.row.count()

    @property
    def stops(self) -> FeatureColumn:
        """Characters that end sentences."""
        return self.kinds.line(2)


def read_inputs(counts: BlockCounts, statements: Statements, scores: Floats) -> list[NDArray[Any]]:
    """The values of all inputs, in their order."""
    page, blocks = counts.page, counts.blocks
    rows, number, classes = page.distinct("class")
    class_number = np.zeros(len(page), np.intp)
    class_number[rows] = number + 1
    own: dict[str, Any] = {
        "class_number": class_number,
        "text_rows": blocks.rows,
        "holder_kind": counts.tag,
        "names": np.array([len(page.names)]),
        "classes": np.array([len(classes)]),
        "structured_words": np.array([float(statements.structured_words)]),
        "total": np.array([float(counts.total)]),
        "scores": np.ascontiguousarray(scores),
    }
    for name in ("tag", "parent", "size", "depth", "hidden", "aria_hidden"):
        own[name] = getattr(page, name)
    for name in ("first", "holder", "above"):
        own[name] = getattr(blocks, name)
    for name in ("row", "words", "linked", "chars", "density", "kinds", "pieces", "first_kind"):
        own[name] = getattr(counts, name)
    own["last_kind"] = counts.last_kind
    own |= {
        each.name: getattr(statements, each.name)
        for each in fields(statements)
        if each.name not in own
    }
    return [own[name] for name in INPUTS]
