"""The JSON-LD of a page: its items, their types, and the text they hold."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple, TypeVar

import numpy as np
import turbohtml

from pagelet import core
from pagelet.page.html import markup_text
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, TEXT

Item = dict[str, Any]  #: a JSON-LD object, as json reads it
Value = TypeVar("Value")

JSON_LD = "application/ld+json"
HOLDERS = ("@graph", "mainEntity", "mainEntityOfPage")  #: keys that hold the items of a page

FEW_SCRIPTS = 8  #: scripts whose texts are looked for one by one
MAX_TYPES, MAX_TYPE_CHARS = 1_000, 100  #: types that are remembered; pages share most of them
TYPE = re.compile(r'"@type"\s*:\s*(?:"([^"]*)"|\[([^][{}]*)\])')
QUOTED = re.compile(r'"([^"]*)"')
NAME = re.compile(r'"(?:name|headline)"\s*:\s*"((?:[^"\\]|\\.){1,300})"')
ESCAPED_LETTER = re.compile(r"\\u00[4-7]")  #: a letter or sign of ASCII that may hide a type
START = re.compile(r"\{|(?<!CDATA)\[(?!CDATA)")  #: start of a JSON value, not of a CDATA section
TRAILING_COMMA = re.compile(r",\s*(?=[}\]])")
MARKUP = re.compile(r"</?[a-zA-Z][^<>]*>|&[a-zA-Z#]\w+;")
DECODER = json.JSONDecoder(strict=False)

#: Keys of the text of an item, by type: from each tuple the first key that has a value.
TEXTS: dict[str, tuple[tuple[str, ...], ...]] = {
    "article": (("articleBody", "text", "description"),),
    "discussionforumposting": (("articleBody", "text", "description"), ("comment",)),
    "question": (("name",), ("text",), ("acceptedAnswer",), ("suggestedAnswer",)),
    "answer": (("text",), ("comment",)),
    "comment": (("text",), ("comment",)),
    "recipe": (
        ("description",),
        ("recipeIngredient", "ingredients"),
        ("recipeInstructions",),
    ),
    "howto": (("description",), ("step",)),
    "howtosection": (("name",), ("itemListElement",)),
    "howtostep": (("text", "itemListElement", "name"),),
    "jobposting": (
        ("description",),
        ("responsibilities",),
        ("qualifications",),
        ("jobBenefits",),
    ),
    "product": (("description",),),
    "productgroup": (("description",),),
    "event": (("description",),),
    "course": (("description",),),
    "book": (("description",),),
    "review": (("reviewBody", "description"),),
}
UNTYPED = (("text", "name"),)  #: keys of the text of a nested item of another type
PARTS = frozenset(("answer", "comment", "howtosection", "howtostep"))  #: types of nested items


def read_once(page: Page, name: str, read: Callable[[Page], Value]) -> Value:
    """What is read of a page when it is first asked for."""
    kept = page.derived["structured"]
    if name not in kept:
        kept[name] = read(page)
    value: Value = kept[name]
    return value


def types(page: Page) -> frozenset[str]:
    """Every type the page names in JSON-LD, og:type or itemtype: lower case, last path part."""
    return read_once(page, "types", _read_types)


def _read_types(page: Page) -> frozenset[str]:
    values = list(page.values_of("itemtype"))
    for script in _script_names(page):
        values += script.types
    named = page.rows_with("property", _is_type, "og:type")
    values += [page.value_of(row, "content") for row in named]
    return frozenset([type_name(word) for value in {*values} for word in value.split()]) - {""}


def _is_type(name: str) -> bool:
    return name.strip().lower() == "og:type"


class ScriptNames(NamedTuple):
    """What a script of JSON-LD names, found without reading it as JSON."""

    types: list[str]  #: as written
    names: list[str]  #: names and headlines of things, as written
    whole: bool  #: whether these are all types

    @property
    def may_have_text(self) -> bool:
        """Whether an item may have text; false is certain, and spares the reading as JSON."""
        return not self.whole or any(map(_may_have_text, self.types))


def _may_have_text(written: str) -> bool:
    """Whether an item of a type may have text, given the type as written."""
    name = written.replace("\\/", "/") if "\\" in written else written
    return "\\" in name or _kind_of(type_name(name)) != ""


def _script_names(page: Page) -> list[ScriptNames]:
    """What each script of a page names."""
    return read_once(page, "script names", lambda page: [*map(_read_names, scripts(page))])


def _read_names(script: str) -> ScriptNames:
    if core.compiled:
        with suppress(UnicodeEncodeError):  # lone surrogates are left to Python
            read = core.kernels.ScriptReader(script)
            return ScriptNames(read.types, read.names, read.whole)
    matches, types = TYPE.findall(script), list[str]()
    for one, several in matches:
        types += QUOTED.findall(several) if several else (one,)
    whole = script.count('"@type"') == len(matches) and not ESCAPED_LETTER.search(script)
    cut = any(several.count('"') % 2 for _, several in matches)  # at a bracket in a string
    return ScriptNames(types, NAME.findall(script), whole and not cut)


def type_name(value: str) -> str:
    """The bare name of a type: `https://schema.org/NewsArticle` is `newsarticle`."""
    return _short_type_name(value) if len(value) <= MAX_TYPE_CHARS else _bare_name(value)


def _bare_name(value: str) -> str:
    name = value.strip().rstrip("/#")
    return name[max(map(name.rfind, "/#:")) + 1 :].lower()


_short_type_name = lru_cache(MAX_TYPES)(_bare_name)


def scripts(page: Page) -> tuple[str, ...]:
    """The JSON-LD of a page as written, one text per script. Read once."""
    return read_once(page, "scripts", lambda page: tuple(_read_scripts(page)))


def _read_scripts(page: Page) -> Iterator[str]:
    rows = page.rows_with("type", _is_json_ld, "ld+json")
    few = core.compiled and len(rows) <= FEW_SCRIPTS
    for row in rows:
        if few and page.tag[row] == NUMBER["script"]:
            first, last = core.kernels.find_texts_below(page.tag, page.size, row)
            yield "".join(page.texts[first:last])
        elif page.tag[row] == NUMBER["script"]:
            inner = np.arange(row, page.end[row])
            texts = page.ordinal[inner[page.tag[inner] == TEXT]]
            yield "".join(page.texts[text] for text in texts)


def _is_json_ld(value: str) -> bool:
    return len(value) >= len(JSON_LD) and value.strip().lower().startswith(JSON_LD)


def items(page: Page) -> list[Item]:
    """The items of the page's JSON-LD in document order, including those of @graph. Read once."""
    every = (_items_of(page, at) for at in range(len(scripts(page))))
    return list(chain.from_iterable(every))


def _items_of(page: Page, script: int) -> list[Item]:
    """The items of one script, by its number."""
    kept = page.derived["items"]
    if script not in kept:
        kept[script] = _read_items(scripts(page)[script])
    read: list[Item] = kept[script]
    return read


def _read_items(script: str) -> list[Item]:
    stack: list[Any] = [read_json(script)]
    result: list[Item] = []
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            stack += reversed(value)
        elif isinstance(value, dict):
            result.append(value)
            stack += [value[key] for key in reversed(HOLDERS) if key in value]
    return result


def read_json(script: str) -> Any:
    """The first JSON value of a script, despite comments around it; None when broken."""
    if (start := START.search(script)) is None:
        return None
    text = script[start.start() :]
    value = _decode(text)
    return _decode(TRAILING_COMMA.sub("", text)) if value is None else value


def _decode(text: str) -> Any:
    try:
        return DECODER.raw_decode(text)[0]
    except (ValueError, RecursionError):  # broken, or nested deeper than json can follow
        return None


def type_names(item: Item) -> list[str]:
    """The types of an item by their bare names."""
    value = item.get("@type")
    if isinstance(value, str):  # nearly all have one
        return [type_name(value)]
    several = value if isinstance(value, list) else []
    return [type_name(one) for one in several[:20] if isinstance(one, str)]


def kind(item: Item) -> str:
    """The key of TEXTS that fits an item; empty for none."""
    value = item.get("@type")
    if isinstance(value, str):
        return _kind_of(type_name(value))
    return next(filter(None, map(_kind_of, type_names(item))), "")


def _kind_of(name: str) -> str:
    """The key of TEXTS that fits a type; empty for none."""
    if name in TEXTS:
        return name
    if name.endswith(("article", "blogposting", "mediaposting")) or name == "report":
        return "article"
    return "event" if name.endswith("event") else ""


def structured_text(page: Page) -> str:
    """The main text that JSON-LD holds, as plain text; empty when there is none. Read once."""
    return read_once(page, "text", _read_text)


def _read_text(page: Page) -> str:
    texts: dict[str, None] = {}
    for at, script in enumerate(_script_names(page)):
        for item in _items_of(page, at) if script.may_have_text else ():
            if (name := kind(item)) and name not in PARTS:
                texts |= dict.fromkeys(plain_text(text) for text in _texts(item))
    return "\n".join(text for text in texts if text)


def item_names(page: Page) -> frozenset[str]:
    """The names of all things in the page's JSON-LD, in lower case, white space folded."""
    names = {name for script in _script_names(page) for name in script.names}
    return frozenset([" ".join(_unescaped(name).lower().split()) for name in names])


def _unescaped(written: str) -> str:
    """A string of JSON without its escapes; as written when they are broken."""
    if "\\" not in written and "&" not in written:
        return written
    value = _decode(f'"{written}"')
    return turbohtml.unescape(value) if isinstance(value, str) else written


def _texts(item: Item) -> Iterator[str]:
    """The strings of an item that are text, including those of nested items."""
    stack: list[Any] = [item]
    while stack:
        value = stack.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            stack += reversed(value)
        elif isinstance(value, dict):
            rows = TEXTS.get(kind(value), UNTYPED)
            parts = [next((value[key] for key in keys if value.get(key)), None) for keys in rows]
            stack += reversed(parts)


def plain_text(value: str) -> str:
    """A string of JSON-LD as plain text: entities resolved, markup removed, one line per block."""
    if _has_markup(value):
        value = turbohtml.unescape(value)
        if _has_markup(value):
            value = markup_text(value)
    return fold_lines(value)


def fold_lines(text: str) -> str:
    """A text whose white space is folded, line by line, without empty lines."""
    if core.compiled:
        with suppress(UnicodeEncodeError):  # lone surrogates are left to Python
            return core.kernels.fold_lines(text)
    lines = (" ".join(line.split()) for line in text.splitlines())
    return "\n".join(line for line in lines if line)


def _has_markup(value: str) -> bool:
    """Whether a text holds tags or character references; most hold not even their first sign."""
    return ("<" in value or "&" in value) and MARKUP.search(value) is not None
