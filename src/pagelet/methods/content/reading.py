"""The features of text blocks by the compiled core, which reads all columns in one go.

The Python core reads the same in `counts.py`, `statements.py` and `inputs.py`, a column at a time.
"""

from functools import cache, lru_cache, partial
from typing import NamedTuple

import numpy as np

from pagelet import core
from pagelet.arrays import Bytes, Singles
from pagelet.metadata.structured import item_names, structured_text
from pagelet.methods.content.counts import (
    HOLDERS_BY_TAG,
    KEPT_CHARS,
    TextList,
    keep_scanned,
)
from pagelet.methods.content.features import feature_program
from pagelet.methods.content.inputs import INPUTS
from pagelet.methods.content.statements import (
    COPY_CHARS,
    MATCH_WORDS,
    MAX_LINK_DENSITY,
    MAX_STRUCTURED_CHARS,
    MAX_TITLE_CHARS,
    MIN_TITLE_CHARS,
    THREAD_WORDS,
    compiled_phrases,
    read_titles,
)
from pagelet.methods.content.threads import (
    HEADING_STEMS,
    IS_OTHER,
    NAMED,
    compiled_stems,
    mark_headed,
    names_thread,
)
from pagelet.methods.vocabulary import PHRASE_BITS, phrase_kinds
from pagelet.models.features import FeatureTable
from pagelet.models.lexicon import SOURCES, Lexicon
from pagelet.page.styles import style_hides
from pagelet.page.table import WANTED, Page
from pagelet.page.tags import NUMBER
from pagelet.page.textblocks import TextBlocks
from pagelet.page.words import kind_table

#: Characters of copies, characters of titles, and words of structured data that are compared.
LIMITS = (COPY_CHARS, MIN_TITLE_CHARS, MAX_TITLE_CHARS, MATCH_WORDS)
KINDS = 3  #: kinds of pages for which the lexicon of a content model has weights


def read_features(
    page: Page, blocks: TextBlocks, lexicon: Lexicon, more: tuple[str, ...]
) -> FeatureTable:
    """All features that the page alone decides; the caller fills the lines of `more` features.

    UnicodeEncodeError for a page with lone surrogates, which UTF-8 lacks.
    """
    reader = core.kernels.BlockReader(
        page.wanted,
        (page.tag, page.parent, page.size, page.chars, page.words),
        page.texts,
        (blocks.rows, blocks.first, blocks.holder, blocks.above),
    )
    reader.read_rows(NUMBER["a"], style_hides)
    keep_scanned(page, reader.read_blocks(HOLDERS_BY_TAG, kind_table(), KEPT_CHARS), reader)
    threads = _read_statements(page, blocks, reader)
    reader.weigh(_lexicon_tables(lexicon), lexicon.weigh_others)
    program = feature_program(KINDS)
    names, line_of = program.name_lines(more)
    lines: Singles = np.empty((len(names), len(blocks)), np.float32)
    reader.run(program.compiled, threads, len(page.names), lines)
    return FeatureTable(names, lines, line_of)


def _read_statements(
    page: Page, blocks: TextBlocks, reader: "core.kernels.BlockReader"
) -> Bytes | None:
    """Read what texts state; the blocks in threads of comments, or None for none."""
    titles = read_titles(page).encode()
    structured = structured_text(page)[:MAX_STRUCTURED_CHARS]
    tables = _tables()
    headed = reader.read_statements(
        *compiled_phrases(), titles, structured, item_names(page), LIMITS, tables.headings
    )
    words = reader.find_names(tables.named, compiled_stems())
    named = _find_named(page, [(name, value) for name, value, word in words if names_thread(word)])
    if not headed and not named:
        return None
    texts = TextList(len(blocks), partial(core.kernels.read_block, reader))
    marked = mark_headed(page, blocks, texts, headed).view(np.uint8)
    limits = (THREAD_WORDS, MAX_LINK_DENSITY)
    some = reader.mark_threads(named, IS_OTHER.view(np.uint8), NUMBER["h1"], *limits, marked)
    return marked if some else None


def _find_named(page: Page, names: list[tuple[int, int]]) -> list[int]:
    """The rows with names of threads: attributes and values by number."""
    rows: list[int] = []
    for number in dict.fromkeys(number for number, _ in names):
        values = [value for own, value in names if own == number]
        rows += page.wanted.rows_having(number, values)
    return rows


class ReaderTables(NamedTuple):
    """What the compiled core looks up in headings and names."""

    headings: "tuple[core.kernels.PhraseTable, object, core.kernels.Phrases]"
    named: tuple[int, ...]  #: numbers of the attributes that name threads


@cache
def _tables() -> ReaderTables:
    if tuple(INPUTS) != core.kernels.READER_INPUTS:
        raise TypeError("the compiled core reads other inputs of features; build it again")
    phrases = tuple(phrase.encode() for phrase in PHRASE_BITS)
    bits = np.fromiter(PHRASE_BITS.values(), np.int64, len(PHRASE_BITS))
    stems = core.kernels.Phrases(tuple(stem.encode() for stem in HEADING_STEMS))
    headings = (core.kernels.PhraseTable(phrases, bits), phrase_kinds, stems)
    return ReaderTables(headings, tuple(WANTED[name] for name in NAMED))


@lru_cache(maxsize=8)
def _lexicon_tables(lexicon: Lexicon) -> "tuple[tuple[int, core.kernels.LexiconWords], ...]":
    """The words of each attribute that the lexicon reads, by the number of the attribute."""
    return tuple((WANTED[name], lexicon.words_of(before)) for name, before in SOURCES.items())
