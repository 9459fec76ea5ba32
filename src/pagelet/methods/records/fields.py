"""The fields of records: texts, links and pictures, each with its place in the record."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pagelet.arrays import Hashes, Ints
from pagelet.methods.records.labels import Draft, LabelWords, add_labels
from pagelet.methods.records.lines import (
    EDGES,
    MARKS,
    Constants,
    LinePiece,
    RecordLine,
    RecordLineReader,
    hash_text,
    says_something,
    whole_places,
)
from pagelet.methods.records.places import RecordRows, Span
from pagelet.page.addresses import join_url, leads_to_page
from pagelet.page.signatures import MULTIPLIER, class_keys, mix
from pagelet.page.table import Page
from pagelet.page.tags import HEADINGS, NUMBER, TEXT
from pagelet.page.textblocks import join_texts

SOURCES = ("src", "data-src", "data-original", "data-lazy-src")  #: attributes with a picture


@dataclass(frozen=True, slots=True)
class RecordField:
    """One field of one record."""

    record: int  #: number of the record
    row: int  #: row of the element or of the text
    at: int  #: row of its first text, or of the picture
    text: str  #: as it is written, with a label that stands in the same line
    bare: str  #: the same without the label
    place: int  #: hash of the path of tags and class names from the record down to it
    tags: int  #: the same of tags alone
    label: str = ""  #: text before it that says what it is
    href: str = ""  #: address of the link
    src: str = ""  #: address of the picture
    alt: str = ""  #: text for the picture
    holder: int = -1  #: block that holds it
    heading: bool = False
    names: str = ""  #: class names of its element, states and counters left out

    @property
    def kind(self) -> str:
        """What it is besides text: an image, a link, or neither."""
        return "image" if self.src else "link" if self.href else "text"


@dataclass(frozen=True, slots=True)
class Wording:
    """What the records of a site have in common in words: labels, and lines that are one text."""

    constants: Constants
    whole: frozenset[int]  #: places of lines that are one text
    labels: LabelWords

    @classmethod
    def learn(cls, readers: Sequence["RecordReader"]) -> "Wording":
        """The wording of the records of several pages."""
        constants = Constants.learn(reader.lines for reader in readers)
        whole = whole_places([(reader.page, reader.lines) for reader in readers], constants)
        drafts = [(reader.page, reader.drafts(constants, whole)) for reader in readers]
        return cls(constants, whole, LabelWords.learn(drafts))


class RecordReader:
    """Reads the fields of the records of one page."""

    def __init__(self, page: Page, spans: Sequence[Span]) -> None:
        self.page, self.rows = page, RecordRows(page, spans)

    @cached_property
    def lines(self) -> list[RecordLine]:
        """The lines of all records."""
        return RecordLineReader(self.rows).read()

    def drafts(self, constants: Constants, whole: frozenset[int]) -> list[Draft]:
        """The texts of all records in document order, without labels of their own blocks."""
        drafts: list[Draft] = []
        for line in self.lines:
            if line.anchor >= 0 or len(line.pieces) == 1 or line.place in whole:
                drafts.append(self._whole(line))
            else:
                drafts += self._parts(line, constants)
        return [each for each in drafts if says_something(each.text)]

    def fields(self, wording: Wording) -> list[RecordField]:
        """The fields of all records in document order."""
        drafts = self.drafts(wording.constants, wording.whole)
        drafts = list(add_labels(self.page, drafts, wording.labels))
        drafts += self._pictures()
        return self._finish(drafts)

    def _whole(self, line: RecordLine) -> Draft:
        rows = [row for piece in line.pieces for row in piece.texts]
        alone = len(line.pieces) == 1 and not line.pieces[0].direct
        top = line.pieces[0].row if alone else line.top
        return Draft(line.record, top, rows, join_texts(self.page, rows), line.holder)

    def _parts(self, line: RecordLine, constants: Constants) -> Iterator[Draft]:
        """Fields of a line that is cut; constant texts are labels of what follows them."""
        label: list[LinePiece] = []
        before: Draft | None = None
        for piece in line.pieces:
            if constants.holds(line, piece):
                label.append(piece)
                continue
            if before is not None:
                yield before
            before = self._part(line, piece, label)
            label = []
        if before is None:
            yield self._whole(line)
            return
        behind = " ".join(piece.text for piece in label if piece.direct)
        if says_something(behind):
            whole = f"{before.text} {behind}".strip(EDGES)
            before = replace(before, text=whole, bare=before.bare or before.text)
        yield before
        for piece in label:
            if not piece.direct and says_something(piece.text):
                yield Draft(line.record, piece.row, piece.texts, piece.text, line.holder)

    def _part(self, line: RecordLine, piece: LinePiece, label: list[LinePiece]) -> Draft:
        """One field of a line, with what stands before it."""
        words = " ".join(each.text for each in label).strip(MARKS)
        row = line.top if piece.direct else piece.row
        rows = [row for each in label for row in each.texts] if words else []
        text = join_texts(self.page, [*rows, *piece.texts]).strip(EDGES)
        bare = piece.text.strip(MARKS) if piece.direct else piece.text
        return Draft(line.record, row, piece.texts, text, line.holder, words,
                      bare=bare if words else "", direct=piece.direct)  # fmt: skip

    def _pictures(self) -> Iterator[Draft]:
        """Pictures with an address, and the links around them."""
        page = self.page
        rows, record = self.rows.inside(np.flatnonzero(page.is_tag(NUMBER["img"]) & page.counted))
        for row, number in zip(rows.tolist(), record.tolist(), strict=True):
            attributes = page.attributes_of(row)
            values = (attributes.get(name, "").strip() for name in SOURCES)
            usable = [value for value in values if value and not value.startswith("data:")]
            if usable:
                source = join_url(page.base_url, usable[0])
                yield Draft(number, row, [row], "", int(self.rows.block[row]), src=source,
                             alt=" ".join(attributes.get("alt", "").split()))  # fmt: skip

    def _finish(self, drafts: list[Draft]) -> list[RecordField]:
        drafts.sort(key=lambda each: each.texts[0])
        rows = np.array([each.row for each in drafts], np.intp)
        record = np.array([each.record for each in drafts], np.intp)
        if not len(rows):
            return []
        names, tags = (_mixed(each, drafts) for each in self.rows.places(rows, record))
        heading = self.page.inside(self.page.is_tag(*HEADINGS))[rows].tolist()
        hrefs, classes = self._hrefs(drafts), self._names(rows)
        return [
            RecordField(
                each.record, each.row, each.texts[0], each.text, each.bare or each.text,
                names[at], tags[at], each.label, hrefs[at], each.src,
                each.alt, each.holder, heading[at], classes[at],
            )
            for at, each in enumerate(drafts)
        ]  # fmt: skip

    def _names(self, rows: Ints) -> list[str]:
        """The class names of the element of each row."""
        page = self.page
        elements = np.where(page.tag[rows] == TEXT, page.parent[rows], rows).tolist()
        values = page.attribute("class")
        return class_keys([values.get(row, "") for row in elements])

    def _hrefs(self, drafts: Sequence[Draft]) -> list[str]:
        """The address of each field that is a link; a link around several belongs to one.

        That one is the first heading in it, else its first text, else its picture.
        """
        held: dict[int, list[int]] = defaultdict(list)
        for at, each in enumerate(drafts):
            anchor = int(self.rows.anchor[each.texts[0]])
            if anchor >= self.rows.base[each.record] and anchor == int(
                self.rows.anchor[each.texts[-1]]
            ):
                held[anchor].append(at)
        hrefs = [""] * len(drafts)
        for anchor, places in held.items():
            if leads_to_page(address := self.page.hrefs[anchor]):
                for at in _bearers(drafts, places):
                    hrefs[at] = join_url(self.page.base_url, address)
        return hrefs


def _mixed(places: Hashes, drafts: Sequence[Draft]) -> list[int]:
    """The place of each field: its label is part of it, for it says more than a position."""
    labels = {each.label: hash_text(each.label.casefold()) for each in drafts if each.label}
    more = np.array([labels.get(each.label, int(each.direct)) for each in drafts], np.uint64)
    mixed: list[int] = mix(places.astype(np.uint64) + more * MULTIPLIER).tolist()
    return mixed


def _bearers(drafts: Sequence[Draft], places: list[int]) -> list[int]:
    """Of the fields in one link, the text that it belongs to, and all pictures."""
    pictures = [at for at in places if drafts[at].src]
    texts = [at for at in places if not drafts[at].src]
    return pictures + texts[:1]
