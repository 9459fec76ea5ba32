"""The lines of records, and what of them belongs together.

A line is a run of texts with one nearest block. A line of several inline parts is one text, as a
sentence with an emphasised word is, or several fields, as "by Ann in News" is; which of the two
follows from all lines at that place. Texts that stand there in most records are labels.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import pairwise

import numpy as np

from pagelet.methods.records.places import RecordRows
from pagelet.page.table import Page
from pagelet.page.tags import BLOCK, NUMBER, numbers
from pagelet.page.textblocks import join_texts, readable_texts

BREAKS = numbers("br hr")
EMPHASIS = numbers("b em strong i mark u font big small tt sup sub")
CONNECTORS = frozenset(
    "by in on at from to for of via per posted von aus am um bei par dans sur le de du des da di em"
    " en por para el la van op door met av i på w z od".split()
)  #: words that stand between fields
MAX_LABEL_CHARS = 40  #: characters of a label
MAX_LABEL_WORDS = 5
MIN_PROSE_CHARS = 80  #: characters of a text that is running text
CONSTANT_SHARE = 0.6  #: share of records with a text from which on it is a label
MIN_CONSTANT_RECORDS = 3  #: records that are needed to see what is constant
EDGES = " \t\n\r\u00a0\u200b·|•–—,;/»«›‹>→…，、-"  #: characters around a text that is no field
MARKS = " \t\n\r\u00a0\u200b·|•–—-,:;/\\()[]»«›‹>→…＞，：、"  #: characters between two fields
STRONG_AFTER = re.compile(r"[·|•»›→]\s*$")  #: ends of texts that something else follows
STRONG_BEFORE = re.compile(r"^\s*[·|•»›→]")
WEAK_AFTER = re.compile(r"(?:[,;:]|\s[-–—/])\s+$|[(\[]$")
WEAK_BEFORE = re.compile(r"^(?:\s*[,;]\s|\s*[-–—/]\s|[)\]])")
#: Class names of labels.
LABEL_WORDS = re.compile(
    r"(?:^|[-_\s])(?:label|key|term|caption|heading|prop(?:erty)?|attr)(?:$|[-_\s])", re.I
)
HIGHLIGHT = re.compile(
    r"hi(?:gh)?li(?:gh|t|te)|match|hl|bold|strong|\bem\b|mark|query|keyword|term", re.I
)


@dataclass(slots=True)
class LinePiece:
    """Texts of a line below one inline element, or one text that is in none."""

    row: int
    texts: list[int]
    text: str
    place: int
    direct: bool
    link: bool = False
    stressed: bool = False  #: whether the element only emphasises its words
    named: bool = False  #: whether class names say that the element is something else than a label


@dataclass(slots=True)
class RecordLine:
    """A line of one record."""

    record: int
    top: int  #: innermost element that holds all of the line
    holder: int
    anchor: int  #: link around the line; -1
    place: int
    pieces: list[LinePiece] = field(default_factory=list)


class RecordLineReader:
    """Reads the lines of the records of one page."""

    def __init__(self, rows: RecordRows) -> None:
        self.rows, self.page = rows, rows.page
        self._parent, self._end = rows.page.parent.tolist(), rows.page.end.tolist()

    def read(self) -> list[RecordLine]:
        """The lines of all records in order."""
        page = self.page
        texts, record = self.rows.inside(readable_texts(page))
        if not len(texts):
            return []
        holder = np.maximum(self.rows.block[texts], self.rows.base[record])
        begun = np.cumsum(page.is_tag(*BLOCK, *BREAKS))[texts]
        new = np.append(
            True, (np.diff(holder) != 0) | (np.diff(begun) != 0) | (np.diff(record) != 0)
        )
        first = np.append(np.flatnonzero(new), len(texts)).tolist()
        rows, numbers_, holders = texts.tolist(), record.tolist(), holder.tolist()
        cuts = pairwise(first)
        lines = [self._line(rows[a:b], numbers_[a], holders[a]) for a, b in cuts]
        self._set_places(lines)
        return lines

    def _line(self, rows: list[int], record: int, holder: int) -> RecordLine:
        top = self._parent[rows[0]]
        while top > holder and self._end[top] <= rows[-1]:
            top = self._parent[top]
        anchor = int(self.rows.anchor[top])
        line = RecordLine(
            record, top, holder, anchor if anchor >= self.rows.base[record] else -1, 0
        )
        if line.anchor >= 0:
            line.pieces.append(LinePiece(top, rows, join_texts(self.page, rows), 0, direct=True))
            return line
        for row in rows:
            piece = self._child(row, top)
            if line.pieces and line.pieces[-1].row == piece and piece != row:
                line.pieces[-1].texts.append(row)
            else:
                line.pieces.append(LinePiece(piece, [row], "", 0, direct=piece == row))
        for each in line.pieces:
            each.text = join_texts(self.page, each.texts)
            each.link = bool(self.page.link[each.texts[0]])
            each.stressed = not each.direct and _is_emphasis(self.page, each.row)
            each.named = not each.direct and _is_named(self.page, each.row)
        return line

    def _child(self, row: int, top: int) -> int:
        while (above := self._parent[row]) != top:
            row = above
        return row

    def _set_places(self, lines: Sequence[RecordLine]) -> None:
        tops = np.array([line.top for line in lines], np.intp)
        record = np.array([line.record for line in lines], np.intp)
        for line, place in zip(lines, self.rows.places(tops, record)[0].tolist(), strict=True):
            line.place = place
        pieces = [(piece, line.record) for line in lines for piece in line.pieces]
        rows = np.array([piece.row for piece, _ in pieces], np.intp)
        numbers_ = np.array([record for _, record in pieces], np.intp)
        for (piece, _), place in zip(
            pieces, self.rows.places(rows, numbers_)[0].tolist(), strict=True
        ):
            piece.place = place


def says_something(text: str) -> bool:
    """Whether a text has a letter, a digit or a drawn star."""
    return any(map(str.isalnum, text)) or any(star in text for star in "★☆⭐")


class Constants:
    """Which texts stand at a place in most records: labels and words between fields."""

    def __init__(self, texts: frozenset[int]) -> None:
        self.texts = texts  #: hashes of places and texts

    @classmethod
    def learn(cls, pages: Iterable[Sequence[RecordLine]]) -> "Constants":
        """The texts that most records of all pages have at a place."""
        lines_at: set[tuple[int, int, int]] = set()
        texts_at: set[tuple[int, int, int, int]] = set()
        for page, lines in enumerate(pages):
            for line in lines:
                lines_at.add((line.place, page, line.record))
                for piece in line.pieces:
                    texts_at.add((line.place, page, line.record, _text_key(line, piece)))
        records = Counter(place for place, *_ in lines_at)
        counts = Counter((key, place) for place, _, _, key in texts_at)
        return cls(
            frozenset(
                key
                for (key, place), count in counts.items()
                if records[place] >= MIN_CONSTANT_RECORDS
                and count >= CONSTANT_SHARE * records[place]
            )
        )

    def holds(self, line: RecordLine, piece: LinePiece) -> bool:
        """Whether a piece is a label or stands between fields."""
        text = piece.text.strip(MARKS)
        if not any(map(str.isalnum, text)):
            return not says_something(piece.text)
        if len(text) > MAX_LABEL_CHARS or len(text.split()) > MAX_LABEL_WORDS:
            return False
        if piece.text.rstrip().endswith((":", "：")) and not any(map(str.isdigit, text)):
            return True
        if piece.direct and text.casefold() in CONNECTORS:
            return True
        within = piece.stressed and piece is not line.pieces[0]
        if piece.link or piece.named or within or any(map(str.isdigit, text)):
            return False
        return _text_key(line, piece) in self.texts


def _text_key(line: RecordLine, piece: LinePiece) -> int:
    """A number for a text at a place, the same in every process."""
    text = piece.text.strip(MARKS)[: MAX_LABEL_CHARS + 1]
    return hash_text(f"{line.place} {piece.place} {text}")


def hash_text(text: str) -> int:
    """A number for a text, the same in every process."""
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest())


def whole_places(
    pages: Iterable[tuple[Page, Sequence[RecordLine]]], constants: Constants
) -> frozenset[int]:
    """The places whose lines are one text each, as most lines there suggest."""
    votes: dict[int, int] = defaultdict(int)
    for page, lines in pages:
        for line in lines:
            if line.anchor < 0 and len(line.pieces) > 1:
                values = [piece for piece in line.pieces if not constants.holds(line, piece)]
                if len(values) > 1:
                    votes[line.place] += 1 if _is_running(page, line, constants) else -1
    return frozenset(place for place, vote in votes.items() if vote >= 0)


def _is_running(page: Page, line: RecordLine, constants: Constants) -> bool:
    """Whether a line reads as one text."""
    values = [piece for piece in line.pieces if not constants.holds(line, piece)]
    direct = [piece for piece in values if piece.direct]
    titled = len(line.pieces) == 2 and line.pieces[0].link and line.pieces[1].direct
    if not titled and any(len(piece.text) >= MIN_PROSE_CHARS for piece in direct):
        return True
    if not direct:
        return all(_is_emphasis(page, piece.row) for piece in values)
    return any(not _parted(page, line, at, constants) for at in range(1, len(line.pieces)))


def _parted(page: Page, line: RecordLine, at: int, constants: Constants) -> bool:
    """Whether two neighbours in a line are apart: by a mark, or since one is constant."""
    left, right = line.pieces[at - 1], line.pieces[at]
    if constants.holds(line, left) or constants.holds(line, right):
        return True
    if not left.direct and not right.direct:
        return True
    before, after = page.text(left.texts[-1]), page.text(right.texts[0])
    if STRONG_AFTER.search(before) or STRONG_BEFORE.search(after):
        return True
    element = right if left.direct else left
    weak = WEAK_AFTER.search(before) or WEAK_BEFORE.search(after)
    return bool(weak) and not _is_emphasis(page, element.row)


def _is_named(page: Page, row: int) -> bool:
    """Whether an element has class names, and none that labels have."""
    names = page.attributes_of(row).get("class", "")
    return bool(names) and not LABEL_WORDS.search(names) and not HIGHLIGHT.search(names)


def _is_emphasis(page: Page, row: int) -> bool:
    """Whether an element only emphasises words, as where a query is highlighted."""
    names = page.attributes_of(row).get("class", "")
    if HIGHLIGHT.search(names) and page.tag[row] != NUMBER["a"]:
        return True
    return page.tag[row] in (*EMPHASIS, NUMBER["span"]) and not names
