"""Names of columns: what the page says a column is, else its kind and a number."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import numpy as np

from pagelet.metadata.structured import items
from pagelet.methods.records.columns import Column
from pagelet.methods.records.fields import RecordField
from pagelet.methods.records.places import CELLS
from pagelet.models.lexicon import END, split_words
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER
from pagelet.page.tree import nearest

MAX_NAME_CHARS = 40
MAX_NAME_WORDS = 5
RESERVED = frozenset(("page", "record", "kind"))  #: columns that every table may have
SUFFIXES = ("_href", "_src", "_value")  #: endings of names that tables add
#: Attributes that name a field, in the order in which they are asked.
NAMING = (
    "itemprop", "data-label", "data-th", "data-title", "data-field", "data-name", "data-testid",
    "data-test", "data-qa", "data-role", "aria-label", "property",
)  # fmt: skip
MAX_CLIMBS = 3  #: elements above a field whose names may be those of the field
#: Words in class names that say how something looks or where it stands, not what it is.
STYLE_WORDS = frozenset(
    "col cols column row cell left right center centre top bottom first last odd even clear"
    " clearfix fix float pull push inline block flex grid wrap wrapper container inner outer"
    " content box item items list text txt font bold small large big medium mini tiny size xs sm"
    " md lg xl btn button link links icon img fa glyphicon hidden visible show hide active current"
    " selected open close primary secondary main sub div span ul li td tr th dd dt h1 h2 h3 a p b"
    " m mt mb ml mr pt pb pl pr px py mx my no new s l r c d e f g h i j k n o q t u v w x y z"
    " w100 width height color grey gray red blue green black white dark light bg border line"
    " block-link js ui the and of for with result results record records entry card product"
    " listing hit search element component module section group body header footer area field"
    " value val data info details detail meta style css class ellipsis truncate nowrap uppercase"
    " responsive fluid offset display align vertical horizontal middle margin padding pos abs"
    " rel".split()
)
WORD = re.compile(r"[^\W\d_]{3,}")


def name_columns(columns: Sequence[Column], pages: Sequence[Page], page_of: Sequence[int]) -> None:
    """Give every column a name that no other has."""
    sources = _NameSources(pages, page_of)
    taken: Counter[str] = Counter()
    title = _title_of(columns)
    for column in columns:
        found = sources.name(column)
        kind = "title" if column is title else column.value_kind or column.kind
        column.name = _unique(found or kind, taken, numbered=not found)


class _NameSources:
    """What the pages say a field is."""

    def __init__(self, pages: Sequence[Page], page_of: Sequence[int]) -> None:
        self._pages, self._page_of = pages, page_of
        self._linked = [_linked_data(page) for page in pages]
        self._heads = [_TableHeads(page) for page in pages]

    def name(self, column: Column) -> str:
        """The first name that most fields of a column have by one source."""
        sources = [self._head, self._label, self._attribute, self._data, self._class]
        sources += [self._list] if column.repeated else []
        return next(filter(None, (_agreed(column, source) for source in sources)), "")

    def _head(self, each: RecordField) -> str:
        return self._heads[self._page_of[each.record]].head(each)

    def _label(self, each: RecordField) -> str:
        return each.label

    def _attribute(self, each: RecordField) -> str:
        return _attribute_name(self._pages[self._page_of[each.record]], each)

    def _data(self, each: RecordField) -> str:
        return self._linked[self._page_of[each.record]].get(each.bare.casefold(), "")

    def _class(self, each: RecordField) -> str:
        return _class_name(self._pages[self._page_of[each.record]], each)

    def _list(self, each: RecordField) -> str:
        return _class_name(self._pages[self._page_of[each.record]], each, repeated=True)


def _agreed(column: Column, source: Callable[[RecordField], str]) -> str:
    """The name that most fields of a column have by one source."""
    sample = column.every()[:40]
    counts = Counter(name for each in sample if (name := slug(source(each))))
    if not counts:
        return ""
    name, count = counts.most_common(1)[0]
    return name if count * 2 > len(sample) else ""


def slug(text: str) -> str:
    """A name in small letters and underscores; empty where the text is no name."""
    words = re.findall(r"[^\W_]+", text.casefold())
    if not words or len(words) > MAX_NAME_WORDS or not any(map(str.isalpha, "".join(words))):
        return ""
    name = "_".join(words)
    return name if 1 < len(name) <= MAX_NAME_CHARS else ""


def _unique(name: str, taken: Counter[str], *, numbered: bool) -> str:
    """A name that no column has; text columns are numbered from 1."""
    while name in RESERVED or name.endswith(SUFFIXES):
        name += "_"
    taken[name] += 1
    if name == "text" and numbered:
        return f"text_{taken[name]}"
    while taken[name] > 1:
        other = f"{name}_{taken[name]}"
        if not taken[other]:
            taken[other] += 1
            return other
        taken[name] += 1
    return name


def _title_of(columns: Sequence[Column]) -> Column | None:
    """The column of titles: the first of headings, else the first of links with longer texts."""
    count = max((len(column.fields) for column in columns), default=0)
    common = [
        each
        for each in columns
        if len(each.fields) * 2 >= count and not each.repeated and each.first.text
    ]
    heads = [each for each in common if each.first.heading]
    links = [each for each in common if each.kind == "link" and not each.value_kind]
    return next(iter(heads or links), None)


# -- sources ----------------------------------------------------------------------------------


class _TableHeads:
    """The heads of columns in the tables of a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._tables: dict[int, dict[int, str]] = {}
        self._cell = nearest(page.parent, page.is_tag(*CELLS))
        self._table = nearest(page.parent, page.is_tag(NUMBER["table"]))
        self._place: dict[int, dict[int, int]] = {}

    def head(self, each: RecordField) -> str:
        """The head of the column that a field stands in."""
        cell = int(self._cell[each.row])
        if cell < 0:
            return ""
        table = int(self._table[cell])
        if table < 0:
            return ""
        if table not in self._tables:
            self._tables[table] = self._read(table)
        return self._tables[table].get(self._column(cell), "")

    def _column(self, cell: int) -> int:
        row = int(self.page.parent[cell])
        if row not in self._place:
            self._place[row] = {each: at for each, at, _ in self._cells(row)}
        return self._place[row].get(cell, -1)

    def _cells(self, row: int) -> Iterator[tuple[int, int, int]]:
        at, spans, child = 0, self.page.attribute("colspan"), row + 1
        while child < self.page.end[row]:
            if self.page.tag[child] in CELLS:
                value = spans.get(child, "1").strip()
                is_number = value.isascii() and value.isdigit() and len(value) < 5
                span = min(int(value), 1000) if is_number else 1
                yield child, at, span
                at += max(span, 1)
            child = int(self.page.end[child])

    def _read(self, table: int) -> dict[int, str]:
        """The first row of a table whose cells are all heads."""
        page = self.page
        rows = np.arange(table, int(page.end[table]))
        rows = rows[(page.tag[rows] == NUMBER["tr"]) & (self._table[rows] == table)]
        for row in rows[:3].tolist():
            cells = list(self._cells(row))
            inside_head = page.tag[page.parent[row]] == NUMBER["thead"]
            if (
                cells
                and len(cells) > 1
                and (inside_head or all(page.tag[c] == NUMBER["th"] for c, _, _ in cells))
            ):
                return {at: page.inner_text(cell) for cell, at, span in cells}
        return {}


def _linked_data(page: Page) -> dict[str, str]:
    """Properties of the page's JSON-LD by their values."""
    properties: dict[str, str] = {}
    stack = [(str(name), value) for item in items(page) for name, value in item.items()]
    steps = 0
    while stack and steps < 20_000:
        steps += 1
        name, value = stack.pop()
        if isinstance(value, dict):
            named = (
                value.get("name") if name in ("author", "brand", "publisher", "seller") else None
            )
            if isinstance(named, str):
                properties.setdefault(named.casefold(), name)
            stack += [(str(each), part) for each, part in value.items()]
        elif isinstance(value, list):
            stack += [(name, part) for part in value]
        elif (
            isinstance(value, str | int | float) and not name.startswith("@") and name != "position"
        ):
            text = " ".join(str(value).split()).casefold()
            if len(text) > 1:
                properties.setdefault(text, name)
    return properties


def _attribute_name(page: Page, each: RecordField) -> str:
    """The name that microdata or another attribute gives."""
    for row in _upwards(page, each):
        attributes = page.attributes_of(row)
        for name in NAMING:
            value = attributes.get(name, "").strip()
            if value and value.casefold() != each.text.casefold():
                if name in ("itemprop", "property"):
                    value = value.split()[0].rpartition(":")[2]
                return " ".join(_split(value))
    return ""


def _class_name(page: Page, each: RecordField, *, repeated: bool = False) -> str:
    """The words of class names that say what a field, or the list it is in, is."""
    rows = _upwards(page, each, repeated=repeated)
    for row in islice(rows, int(repeated), None):
        for name in page.attributes_of(row).get("class", "")[:200].split():
            words = [word for word in _split(re.sub(r"\d+", " ", name)) if word not in STYLE_WORDS]
            if words and all(WORD.fullmatch(word) for word in words) and len(words) <= 2:
                return " ".join(words)
    return ""


def _split(value: str) -> list[str]:
    return [word for word in split_words([value]) if word != END]


def _upwards(page: Page, each: RecordField, *, repeated: bool = False) -> Iterator[int]:
    """The element of a field, and those above it that hold nothing else, or the like of it."""
    row = each.row if page.tag[each.row] else int(page.parent[each.row])
    size = int(page.size[row])
    for _ in range(MAX_CLIMBS):
        yield row
        above = int(page.parent[row])
        if above < 0 or (page.size[above] > size + 2 and not repeated):
            return
        row, size = above, int(page.size[above])
