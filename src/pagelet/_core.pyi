"""What the compiled core offers; the sources lie in src/pagelet_core, one file per idea."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, TypeVar, overload

from numpy import uint16
from numpy.typing import NDArray
from typing_extensions import Buffer

from pagelet.arrays import Bytes, Floats, Hashes, Int32s, Int64s, Ints, Mask, Singles

Item = TypeVar("Item")
Pairs = tuple[tuple[str, str | None], ...]  # attributes as the parser gives them

# -- words.pxi

def measure_texts(texts: list[str], table: Bytes, chars: Int64s, words: Int64s) -> None: ...
def count_kinds_in(data: str, first: Ints, table: Bytes, counts: Floats) -> None: ...

# -- builder.pxi

class NodeCollector:
    """Receives the nodes of a document in order, each linked before the next is created."""

    tag: Buffer
    size: Buffer
    parent: Buffer
    chars: Buffer
    words: Buffer
    foreign: Buffer
    blank_row: Buffer
    blank_parent: Buffer
    texts: list[str]
    attrs: list[Pairs]
    custom: dict[str, int]

    def __init__(
        self,
        numbers: dict[str, int],
        raw: Iterable[int],
        html: str,
        table: Bytes,
        max_nodes: int,
        refuse: Callable[[], None],
    ) -> None: ...
    def bind(
        self,
    ) -> tuple[
        Callable[[str, str, Pairs], int], Callable[[str], None], Callable[[int, int | None], None]
    ]: ...
    def create_document(self) -> int: ...
    def create_comment(self, data: str, /) -> None: ...
    def create_doctype(
        self, name: str, public_id: str | None, system_id: str | None, /
    ) -> None: ...
    def create_pi(self, target: str, data: str, /) -> None: ...
    def finish(self, body: int, frameset: int) -> int: ...

# -- attributes.pxi

def index_attributes(tag: Int32s, attrs: Sequence[Pairs]) -> dict[str, dict[int, str]]: ...

# -- named.pxi

def find_attributes(
    tag: Int32s, attrs: Sequence[Pairs], names: tuple[str, ...]
) -> list[dict[int, str]]: ...

# -- wanted.pxi

WANTED_ATTRIBUTES: tuple[str, ...]

class WantedAttributes:
    """The rows and values of the attributes that are kept."""

    def read(self, tag: Int32s, attrs: Sequence[Pairs]) -> None: ...
    def values_of(self, wanted: int) -> tuple[str, ...]: ...
    def fill_numbers(self, wanted: int, rows: Ints, number: Ints) -> None: ...
    def count_rows(self, wanted: int) -> int: ...
    def rows_having(self, wanted: int, numbers: Collection[int]) -> list[int]: ...
    def rows_holding(
        self, wanted: int, stem: bytes, is_wanted: Callable[[str], bool]
    ) -> list[int]: ...
    def rows_named(
        self,
        attributes: tuple[int, ...],
        names: tuple[str, ...],
        read: Callable[[str], tuple[str, ...]],
    ) -> list[int]: ...
    def may_hold(self, wanted: int, word: bytes) -> bool: ...
    def tagged_rows(self, wanted: int, tag: Int32s, one: int) -> Int32s: ...
    @overload
    def value_at(self, wanted: int, row: int) -> str: ...
    @overload
    def value_at(self, wanted: int, row: int, missing: None) -> str | None: ...

# -- strings.pxi

class ReadOnDemand(Sequence[Item]):
    """Items that are made when somebody reads them."""

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, at: int) -> Item: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Item, ...]: ...

class PageTexts(ReadOnDemand[str]):
    """The texts of a page."""

# -- references.pxi

class References:
    """Reads character references, and line ends as the parser makes them."""

    def __init__(
        self,
        names: dict[str, str],
        read_text: Callable[[str], str],
        read_value: Callable[[str], str],
    ) -> None: ...

# -- open_elements.pxi

class TagTable:
    """Numbers and kinds of tags by name."""

    def __init__(
        self,
        names: tuple[str, ...],
        kinds: Int32s,
        svg_names: tuple[str, ...],
        svg_attributes: tuple[str, ...],
        barriers: Iterable[str],
    ) -> None: ...

# -- construction.pxi

class TreeConstructor:
    """Builds the tree of a page."""

    def __init__(
        self,
        source: bytes,
        tags: TagTable,
        references: References,
        max_nodes: int,
        adopted_nodes: int,
        max_cells: int,
    ) -> None: ...
    may_expand: bool
    def build(self) -> bool: ...

# -- flattening.pxi

class PageAttributes(ReadOnDemand[Pairs]):
    """The attributes of each element of a page."""

def map_attributes(attrs: Sequence[Pairs], elements: Ints) -> list[dict[str, str]]: ...

class TreeColumns:
    """The nodes of a tree in document order."""

    tag: Buffer
    size: Buffer
    parent: Buffer
    chars: Buffer
    words: Buffer
    foreign: Buffer
    blank_row: Buffer
    blank_parent: Buffer
    texts: PageTexts
    blanks: PageTexts
    wanted: WantedAttributes
    attrs: PageAttributes
    custom: tuple[str, ...]
    def __init__(self, tree: TreeConstructor, table: Bytes) -> None: ...
    def finish(self, body: int, frameset: int) -> int: ...

# -- rows.pxi

def fill_ordinals(tag: Int32s, ordinal: Ints) -> None: ...
def find_nearest(parent: Ints, marked: Mask, found: Ints) -> bool: ...
def or_path(parent: Ints, bits: Int64s, joined: Int64s) -> bool: ...
def take_best(parent: Int32s, best: Floats, who: Ints) -> bool: ...
def sum_subtrees(columns: tuple[Floats, ...], size: Int32s, sums: Floats) -> None: ...
def number_values(values: dict[int, str], rows: Ints, numbers: Ints) -> tuple[str, ...]: ...

# -- trees.pxi

class TreeScorer:
    """An ensemble, prepared for masks."""

    def __init__(
        self,
        roots: Ints,
        feature: Ints,
        threshold: Floats,
        narrow: Singles,
        left: Ints,
        value: Floats,
        features: int,
        steps: int,
    ) -> None: ...
    def predict_narrow(self, lines: Singles, answers: Floats, first: int, last: int) -> None: ...
    def predict_wide(self, lines: Floats, answers: Floats, first: int, last: int) -> None: ...

# -- columns.pxi

COLUMN_OPERATIONS: tuple[str, ...]

class ColumnProgram:
    """A program, ready to be run over the columns of one page after the other."""

    def __init__(
        self,
        code: Int32s,
        constants: Sequence[NDArray[Any]],
        constant_kinds: bytes,
        kinds: bytes,
        registers: int,
        lines: int,
    ) -> None: ...
    def run(self, arrays: Sequence[NDArray[Any]], table: Singles) -> None: ...

# -- lexicon.pxi

class LexiconWords:
    """Weights of the words of some attributes, found by hashing."""

    def __init__(self, words: tuple[bytes, ...], rows: Ints, weights: Floats) -> None: ...
    def weigh(self, values: tuple[str, ...], sums: Floats) -> list[int]: ...

def add_to_rows(sums: Floats, rows: Ints, number: Ints, total: Floats) -> None: ...

class PhraseTable:
    """Numbers of phrases, found by hashing; no phrase has the number 0."""

    def __init__(self, phrases: tuple[bytes, ...], numbers: Int64s) -> None: ...

# -- blocks.pxi

def mark_inside(rows: Ints, size: Int32s, within: Mask) -> None: ...
def mark_counted(
    tag: Int32s, size: Int32s, uncounted: Mask, shadow_roots: list[int], body: int, marks: Mask
) -> None: ...
def sum_blocks(
    words: Int32s,
    chars: Int32s,
    linked: Mask,
    tag: Int32s,
    rows: Ints,
    first: Ints,
    holder: Ints,
    kind_of: Floats,
    sums: Floats,
    counts: Ints,
) -> None: ...
def find_blocks(
    tag: Int32s,
    parent: Int32s,
    size: Int32s,
    starts: Bytes,
    unread: Bytes,
    is_read: Callable[[int], bool],
    above: Ints,
    rows: Ints,
    first: Ints,
    holder: Ints,
) -> tuple[int, int]: ...

# -- reading.pxi

READER_INPUTS: tuple[str, ...]

class BlockReader:
    """The text blocks of a page, with everything that is read in and around them."""

    @property
    def blocks(self) -> int: ...
    @property
    def threads(self) -> bool: ...
    @property
    def whole_thread(self) -> bool: ...
    def __init__(
        self,
        wanted: WantedAttributes,
        columns: tuple[Int32s, ...],
        texts: Sequence[str],
        blocks: tuple[Ints, ...],
    ) -> None: ...
    def read_rows(self, link_tag: int, hides: Callable[[str], bool]) -> None: ...
    def read_blocks(self, holders: Floats, kind_of: Bytes, most: int) -> BlockTexts: ...
    def read_statements(
        self,
        words: Phrases,
        groups: Hashes,
        leads: Phrases,
        titles: bytes,
        structured: str,
        names: frozenset[str],
        limits: tuple[int, ...],
        headings: tuple[PhraseTable, object, Phrases],
    ) -> list[int]: ...
    def weigh(
        self,
        tables: tuple[tuple[int, LexiconWords], ...],
        weigh_others: Callable[[int, list[str]], Floats],
    ) -> None: ...
    def find_names(
        self, numbers: tuple[int, ...], stems: Phrases
    ) -> list[tuple[int, int, str]]: ...
    def mark_threads(
        self,
        rows: list[int],
        others: Bytes,
        heading: int,
        least_words: float,
        most_density: float,
        marked: Bytes,
    ) -> bool: ...
    def run(
        self, program: ColumnProgram, threads: Bytes | None, names: int, table: Singles
    ) -> None: ...

# -- choosing.pxi

CHOICE_FEATURES: tuple[str, ...]

def add_log_odds(
    table: Singles, lines: tuple[int, ...], limits: tuple[float, ...], odds: Floats
) -> None: ...
def expected_f1(probability: Floats, words: Singles, left_out: Bytes, taken: Bytes) -> float: ...
def read_first(table: Singles, lines: tuple[int, ...]) -> list[float]: ...
def fill_lines(table: Singles, values: list[float]) -> None: ...
def mark_texts(rows: Ints, first: Ints, kept: Bytes, marked: Bytes) -> None: ...

class BlockChooser:
    """The blocks of a page while some of them are chosen."""

    def __init__(
        self,
        reader: BlockReader,
        table: Singles,
        lines: tuple[int, ...],
        bits_of: Bytes,
        probability: Floats,
        limits: tuple[float, ...],
    ) -> None: ...
    def mark_rows(self, marked: Bytes) -> None: ...
    def whole_rows(self, marked: Bytes) -> None: ...
    def find_copies(self, least: float) -> list[int]: ...
    def choose(self, marks: Bytes, bounds: tuple[float, ...], kept: Bytes) -> float: ...

# -- writing.pxi

def fold_texts(texts: list[str], gaps: Bytes) -> str: ...

# -- plain.pxi

class PlainWriter:
    """The columns of a page while some of its texts are written."""

    def __init__(self, columns: tuple[Int32s, ...], bits_of: Bytes) -> None: ...
    def write(
        self,
        kept: Bytes,
        texts: Sequence[str],
        styled: list[tuple[int, int]],
        apart: Callable[[int, int], bool],
        found: Bytes | None,
    ) -> str | None: ...
    def find_gaps(
        self,
        rows: Ints,
        texts: Sequence[str],
        styled: list[tuple[int, int]],
        apart: Callable[[int, int], bool],
        gaps: Bytes,
    ) -> None: ...

# -- headings.pxi

def read_held_by(reader: BlockReader, tag: int, most: int) -> list[str]: ...
def find_text_of(tag: Int32s, size: Int32s, wanted: int) -> int: ...
def find_texts_below(tag: Int32s, size: Int32s, row: int) -> tuple[int, int]: ...
def read_contents(
    wanted: WantedAttributes, attributes: tuple[int, ...], values: tuple[bytes, ...]
) -> list[str]: ...
def count_marked(values: Int32s, marked: Bytes) -> int: ...
def read_block(reader: BlockReader, block: int) -> list[str]: ...
def find_like_title(
    reader: BlockReader, chars: int, words: int, most: tuple[int, int], key: bytes
) -> tuple[list[int], list[int]]: ...
def find_first_running(reader: BlockReader, kept: Bytes, words: float, stop: int) -> int: ...
def is_row_hidden(reader: BlockReader, row: int) -> bool: ...
def is_row_linked(reader: BlockReader, row: int) -> bool: ...
def find_looks(
    reader: BlockReader, rows: list[int], names: int
) -> list[tuple[int, float]] | None: ...

# -- page_types.pxi

class TypeWords:
    """The words of a model of page types, by row."""

    def __init__(
        self,
        words: PhraseTable,
        counted: Int32s,
        count_rows: Int32s,
        steps: tuple[tuple[float, ...], ...],
        step_rows: Int32s,
        weights: Floats,
        bias: Floats,
    ) -> None: ...
    def score(
        self,
        wanted: WantedAttributes,
        tag: Int32s,
        body: int,
        totals: list[float],
        more: list[str],
        split: Callable[[str, str], list[str]],
        score: Floats,
    ) -> None: ...

def divide_by_sum(values: Floats) -> None: ...

# -- characters.pxi

def fold_lines(text: str) -> str: ...

# -- phrases.pxi

class Phrases:
    """Words to search for, or beginnings of texts, in small letters."""

    def __init__(self, words: tuple[bytes, ...]) -> None: ...
    def find_in(self, values: tuple[str, ...]) -> list[int]: ...
    def find_each(self, values: tuple[str, ...], bits: Hashes) -> None: ...

# -- texts.pxi

class BlockTexts:
    """The beginnings of the texts of all blocks of a page, as written and in small letters."""

    def __init__(
        self,
        texts: Sequence[str],
        place: Ints,
        first: Ints,
        kind_of: Bytes,
        most: int,
    ) -> None: ...
    def fill_characters(self, counts: Floats, first_kind: Bytes, last_kind: Bytes) -> None: ...
    @property
    def blocks(self) -> int: ...
    def texts_in_small(self) -> list[str]: ...
    def count_copies(self, most: int, copies: Ints) -> None: ...
    def hash_folded(self, most: int, hashes: Hashes) -> None: ...
    def find_stated(self, structured: bytes, words: int, stated: Floats) -> None: ...
    def find_words(self, words: Phrases, groups: Hashes, counts: Floats) -> None: ...
    def find_begun(self, phrases: Phrases, marked: Bytes) -> None: ...
    def find_titles(self, titles: bytes, least: int, most: int, marked: Bytes) -> None: ...

# -- json_ld.pxi

class ScriptReader:
    """The types and the names of the things of one script of JSON-LD."""

    types: list[str]
    names: list[str]
    whole: bool
    def __init__(self, script: str) -> None: ...

# -- query.pxi

def number_words(
    texts: list[str], split: Callable[[list[str]], list[str]], most: int
) -> tuple[dict[str, int], Buffer]: ...

# -- tags.pxi

def scan_tags(utf8: bytes, few: int, few_of_links: int) -> tuple[int, dict[str, int], bool]: ...
def count_rich_attributes(utf8: bytes, few: int, few_of_links: int) -> int: ...
def count_spelled(utf8: bytes, few: int, equal_tags: int) -> int: ...

# -- hashes.pxi

def mix(numbers: Hashes) -> None: ...
def sum_paths(parent: Int32s, own: Hashes, factor: int, sums: Hashes) -> bool: ...
def find_equal(values: Hashes, first: Ints, before: Ints) -> bool: ...

# -- checksums.pxi

def sum_contents(
    rows: Ints,
    tag: Int32s,
    texts: Sequence[str],
    wanted: WantedAttributes,
    names: tuple[int, ...],
    blank: tuple[int, ...],
    most: int,
    sums: Hashes,
) -> None: ...

# -- names.pxi

def sum_names(values: tuple[str, ...], most: int, sums: Hashes, *, stripped: bool) -> list[int]: ...
def hash_names(
    wanted: WantedAttributes,
    name: int,
    most: int,
    factor: int,
    sum_other: Callable[[str], int],
    hashes: Hashes,
) -> None: ...

# -- siblings.pxi

def number_siblings(
    tag: Int32s,
    parent: Int32s,
    blank_row: Int32s,
    blank_parent: Int32s,
    place: Int64s,
    alone: Mask,
) -> bool: ...

# -- digests.pxi

def sum_leaves(size: Ints, values: Floats, sums: Floats) -> None: ...
def find_parents(size: Ints, parent: Ints) -> None: ...
def max_subtree(parent: Int32s, values: Ints) -> bool: ...
def digest_rows(
    parent: Int32s,
    tag: Int32s,
    counted: Mask,
    tags: Hashes,
    names: Hashes,
    factor: int,
    place: Hashes,
    size: Ints,
    leaves: Ints,
    paths: Hashes,
) -> tuple[int, int] | None: ...

class PairMasks:
    """The pairs of leaves of some pages, each with a mask of the pages that have it."""

    def __init__(self, pairs: Hashes, masks: Hashes) -> None: ...
    def add_masks(self, wanted: Hashes, found: Hashes) -> None: ...

def count_pages(masks: Hashes, leaves: Ints) -> None: ...
def count_masks(masks: Hashes, wanted: int, pages: Ints) -> None: ...
def find_named(
    wanted: WantedAttributes,
    names: tuple[int, ...],
    rows: Ints,
    tag: Int32s,
    score: Floats,
) -> list[tuple[Any, ...]] | None: ...
def pair_leaves(
    own: Hashes, factors: tuple[int, int, int], before: Hashes, after: Hashes
) -> bool: ...
def mark_records(
    size: Ints,
    place: Hashes,
    alone: Mask,
    factors: tuple[int, int],
    least: tuple[int, float],
    marked: Mask,
) -> bool: ...
def weigh_leaves(
    shared: Ints,
    others: int,
    records: Mask,
    weights: tuple[float, float],
    neighbours: int,
    probability: Floats,
) -> None: ...
def add_places(
    size: Ints,
    place: Hashes,
    others: Hashes,
    sums: Floats,
    weight: float,
    below: Floats,
    added: Floats,
) -> bool: ...

# -- addresses.pxi

def read_addresses(
    addresses: list[str],
    here: bytes,
    flags: tuple[int, ...],
    read: Callable[[str], tuple[str, int, int]],
    numbers: Ints,
    own: Int64s,
    seen: Int64s,
) -> list[str]: ...

class AddressWords:
    """What the words of addresses speak for."""

    def __init__(
        self, words: tuple[bytes, ...], kinds: Int64s, numbered: int, dated: int
    ) -> None: ...
    def find_kinds(self, addresses: list[str], kinds: Int64s) -> list[int]: ...

# -- hyperlinks.pxi

def number_links(hrefs: dict[int, str], rows: Ints, numbers: Ints) -> list[str]: ...
def join_labels(
    texts: Sequence[str], tag: Int32s, linked: Mask, counted: Mask, links: Ints
) -> list[str]: ...
def hold_pictures(pictures: Mask, size: Int32s, links: Ints, holding: Mask) -> None: ...
def count_alike(of_links: Ints, first: Ints, last: Ints, role: Ints, counts: Floats) -> None: ...
def mark_parted(
    count: Floats, role: Ints, within: Ints, chosen: Mask, overlap: float, parted: Mask
) -> None: ...

# -- joining.pxi

class HrefWriter:
    """Writes where hyperlinks lead, as far as their addresses are plain."""

    def __init__(self, wanted: WantedAttributes, origin: bytes | None) -> None: ...

# -- elements.pxi

def own_blocks(
    parent: Int32s, counted: Mask, structural: Mask, owner: Ints, blocks: Ints
) -> int: ...
def join_elements(
    size: Int32s,
    chars: Int32s,
    counted: Mask,
    link: Mask,
    links: Ints,
    blocks: Ints,
    groups: Ints,
    ads: Ints,
    found: Ints,
) -> int: ...
def join_roles(
    probability: Floats,
    smallest: Ints,
    first: Ints,
    last: Ints,
    own_group: Ints,
    pure: Mask,
    selectors: Mask,
    content: int,
    least: float,
    vectors: Floats,
) -> None: ...
def choose_elements(
    size: Int32s,
    chars: Int32s,
    counted: Mask,
    link: Mask,
    barred: Mask,
    body: int,
    rows: Ints,
    chosen: Mask,
    most_chars: float,
    most_share: float,
    owner: Ints,
    around: Mask,
    top: Mask,
) -> None: ...
def find_pairs(
    texts: Sequence[str],
    tag: Int32s,
    chars: Int32s,
    counted: Mask,
    link: Mask,
    most_chars: int,
    pairs: bytes,
) -> list[tuple[int, int]]: ...

# -- finalists.pxi

def describe_links(
    labels: Int64s,
    earliest: Ints,
    latest: Ints,
    first: Ints,
    last: Ints,
    kinds: int,
    most_spaces: int,
    lines: Floats,
) -> None: ...
def place_finalists(
    tag: Int32s,
    chars: Int32s,
    counted: Mask,
    link: Mask,
    heading_tag: int,
    most_chars: int,
    far: int,
    rows: Ints,
    ends: Ints,
    lines: Floats,
) -> None: ...
def relate_finalists(
    tag: Int32s,
    size: Int32s,
    parent: Int32s,
    depth: Int32s,
    rows: Ints,
    first: Ints,
    last: Ints,
    chosen: Ints,
    lines: Floats,
) -> None: ...

# -- groups.pxi

def find_groups(
    tag: Int32s,
    size: Int32s,
    parent: Int32s,
    counted: Mask,
    links: Ints,
    least: int,
    found: Ints,
    smallest: Ints,
) -> tuple[int, int]: ...
def mark_inline(
    parent: Int32s,
    block: Mask,
    chars: Int32s,
    counted: Mask,
    link: Mask,
    links: Ints,
    least: int,
    marked: Mask,
) -> None: ...
def decide_roles(
    probability: Floats,
    inner: Ints,
    first: Ints,
    last: Ints,
    smallest: Ints,
    sure: float,
    share: float,
    role: Ints,
) -> None: ...
def name_groups(
    probability: Floats,
    role: Ints,
    first: Ints,
    last: Ints,
    within: Ints,
    smallest: Ints,
    inline: Mask,
    least: float,
    share: float,
    named: Mask,
    around: Ints,
    of_links: Ints,
    repeated: Mask,
) -> None: ...
def find_around(within: Ints, chosen: Mask, around: Ints) -> None: ...
def find_leads(
    tag: Int32s,
    parent: Int32s,
    chars: Int32s,
    counted: Mask,
    heading: Mask,
    groups: Ints,
    ends: Ints,
    most_chars: int,
    most_rows: int,
    found: Ints,
) -> None: ...
def count_paths(tag: Int32s, parent: Int32s, factor: int, groups: Ints, counts: Ints) -> bool: ...

# -- clutter.pxi

def attach_counts(
    tag: Int32s,
    size: Int32s,
    chars: Int32s,
    counted: Mask,
    link: Mask,
    anchors: Int32s,
    blocks: Ints,
    owner: Ints,
    counts: Floats,
) -> None: ...
def fade_sums(values: Floats, parent: Ints, decay: float, reach: int, faded: Floats) -> bool: ...
def sum_light(
    size: Int32s,
    chars: Int32s,
    counted: Mask,
    link: Mask,
    barred: Mask,
    owner: Ints,
    rows: Ints,
    sums: Floats,
) -> None: ...

# -- folding.pxi

def fold_each(texts: list[str]) -> list[str]: ...
def key_of(text: str) -> str: ...

# -- name_kinds.pxi

class NameKinds:
    """A table of the kinds of words as bits, and the words that were last looked up in it."""

    def __init__(self, table: Mapping[str, int]) -> None: ...
    def join(self, values: list[str], kinds: Int64s) -> list[int]: ...
    def mark(
        self,
        wanted: WantedAttributes,
        names: tuple[int, ...],
        marked: Bytes,
        kinds: Int64s,
        read: Callable[[str], int],
    ) -> None: ...

# -- paths.pxi

def write_paths(
    tag: Int32s,
    parent: Int32s,
    place: Int64s,
    alone: Mask,
    odd: Mask,
    names: tuple[str, ...],
    rows: list[int],
) -> list[str | None]: ...

# -- candidates.pxi

def find_numbered(texts: Sequence[str], least: int, most: int) -> list[str]: ...
def find_begun(texts: Sequence[str], most: int, words: Phrases) -> list[str]: ...
def find_dated(texts: list[str]) -> list[int]: ...
def find_holding(texts: Sequence[str], last: int, most: int, word: bytes) -> list[str]: ...

# -- class_names.pxi

class NameWords:
    """Words of names, and the patterns that have them, as bits."""

    def __init__(self, table: PhraseTable, patterns: Hashes, most_parts: int) -> None: ...
    def find_rows(
        self,
        wanted: WantedAttributes,
        attributes: tuple[int, ...],
        count: int,
        read: Callable[[str], int],
    ) -> list[list[int]]: ...

# -- shown.pxi

class ShownTexts:
    """The texts of a page by row; white space is folded."""

    def __init__(
        self, tag: Int32s, size: Int32s, chars: Int32s, counted: Mask, texts: Sequence[str]
    ) -> None: ...
    def read_short(self, rows: list[int], most: int) -> list[str]: ...
    def read_texts(self, rows: list[int], most: int) -> list[str]: ...
    def read_around(
        self, heading: int, others: Mask, most: tuple[int, int, int], long_chars: int, chars: int
    ) -> tuple[list[int], list[str], list[int]]: ...
    def find_keyed(self, key: bytes, least: int, most: int, texts: int) -> list[int]: ...
    def find_followed(self, marks: Mask, texts: int, least: int, long_chars: int) -> int: ...
    def find_parts(self, rows: list[int], wrappers: int) -> list[list[int]]: ...
    def read_inner(self, row: int, most: int, most_each: int, chars: int) -> list[str]: ...

def mark_others(
    columns: tuple[Int32s, ...],
    comments: list[int],
    others: list[int],
    tags: tuple[int, int],
    heading: int,
    marked: Mask,
) -> None: ...
def find_tagged(tag: Int32s, marks: Mask, most: int) -> list[int]: ...
def find_within(
    parent: Int32s, tag: Int32s, rows: list[int], levels: int, wanted: int
) -> list[int]: ...
def find_inside(size: Int32s, marked: list[int], rows: list[int]) -> list[bool]: ...
def find_similar_items(
    columns: tuple[Int32s, Int32s, Int32s],
    row: int,
    body: int,
    most: tuple[int, int, int],
    marks: Mask,
) -> list[tuple[int, int]]: ...

class MetaNames:
    """Names of meta elements that are read, in small letters of ASCII."""

    def __init__(self, table: PhraseTable) -> None: ...
    def read_contents(
        self,
        wanted: WantedAttributes,
        tag: Int32s,
        meta: int,
        attributes: tuple[int, ...],
        unescape: Callable[[str], str],
    ) -> dict[str, list[str]]: ...

# -- listing.pxi

def fold_parts(texts: Sequence[str], places: Ints, gaps: Bytes, bounds: Ints) -> list[str]: ...
def inner_texts(
    texts: Sequence[str],
    tag: Int32s,
    size: Int32s,
    counted: Mask,
    ordinal: Ints,
    rows: list[int],
) -> list[str]: ...
def mark_above(parent: Int32s, rows: Ints, marked: Bytes) -> None: ...
def names_above(
    parent: Int32s, own: Int32s, names: Int64s, most: float, rows: Ints, found: Int64s
) -> None: ...
def kinds_above(parent: Int32s, tag: Int32s, kinds: Ints, rows: Ints, found: Ints) -> None: ...
def blocks_holding(
    texts: Sequence[str], places: Ints, first: Ints, blocks: list[int], phrases: Phrases
) -> list[int]: ...
def settle_roles(
    blocks: tuple[Floats, Bytes, Bytes, Bytes],
    own: Ints,
    names: Int64s,
    marks: tuple[tuple[int, int], ...],
    given: tuple[float, ...],
    title: int,
    notices: list[int],
    in_table: Callable[[], Bytes],
    special: Bytes,
) -> None: ...
def kept_parts(
    rows: Ints, first: Ints, kept: Bytes, decider: Int32s | None
) -> tuple[list[tuple[int, int]], Buffer, Buffer]: ...
def top_rows(
    rows: Ints, parent: Int32s, size: Int32s, above: Ints, parts: list[tuple[int, int]]
) -> list[tuple[int, ...]]: ...

# -- html_rows.pxi

class WrittenRows:
    """Chooses the rows to write."""

    before: dict[int, int]
    after: dict[int, int]

    def __init__(
        self,
        columns: tuple[Int32s, Int32s, Int32s, Int32s],
        kept: Bytes,
        bits_of: NDArray[uint16],
    ) -> None: ...
    def choose(
        self,
        foreign: Int32s,
        forced: list[int],
        lays_out: Callable[[int], bool],
        spans: Callable[[], dict[int, tuple[int, int]]],
    ) -> Buffer: ...

# -- html.pxi

class HtmlNames:
    """The elements of clean HTML, by the numbers of tags."""

    def __init__(
        self,
        blocks: tuple[tuple[bytes, int, int, bool, bool, int, bytes, bytes], ...],
        inlines: tuple[tuple[bytes, int, bool, int, bytes, bytes], ...],
        by_tag: tuple[Bytes, Bytes],
        breaks: tuple[int, int],
    ) -> None: ...

class FlatWriter:
    """Collects HTML in document order."""

    def __init__(self, names: HtmlNames, max_depth: int) -> None: ...
    def write(
        self,
        columns: tuple[Int32s, Int32s],
        visited: Int32s,
        texts: Sequence[str],
        ordinal: Ints,
        gaps: Bytes,
        blanks: dict[int, str],
        given: tuple[
            dict[int, int],
            dict[int, int],
            Callable[[int], str | None],
            Callable[[int], str | None],
            HrefWriter | None,
        ],
    ) -> None: ...
    def html(self) -> str: ...
    def markdown(self, render: Callable[[str], str]) -> str: ...

# -- json.pxi

class JsonText:
    pass

def write_json(form: object) -> str | None: ...

# -- emphasis.pxi

def write_emphasis(
    text: str,
    markers: tuple[tuple[int, str], ...],
    written: tuple[str, ...],
    decide: Callable[[str, str, str, str], str],
) -> str: ...

# -- part_forms.pxi

class PartWriter:
    def __init__(
        self,
        columns: tuple[Int32s, Int32s, Int32s, Mask, Ints],
        siblings: tuple[Int32s, Int32s, Int32s, Mask, tuple[str, ...], Int64s, Bytes, Bytes],
        texts: Sequence[str],
        links: tuple[Int32s, Callable[[int], str], Callable[[int], str], HrefWriter | None],
        path_of: Callable[[int], str],
    ) -> None: ...
    def write(
        self,
        rows: list[tuple[int, ...]],
        facts: tuple[list[str], Floats, dict[int, dict[str, Any]]],
        written: list[str] | None,
        places: Ints,
        gaps: Bytes,
        bounds: Ints,
    ) -> JsonText | None: ...
