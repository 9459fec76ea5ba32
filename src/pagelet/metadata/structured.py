"""The JSON-LD of a page: its items, their types, and the text they hold."""

import json
import re
from collections.abc import Iterator
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import turbohtml

from pagelet import core
from pagelet.page.html import markup_text
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, TEXT

Item = dict[str, Any]  #: a JSON-LD object, as json reads it

JSON_LD = "application/ld+json"
HOLDERS = ("@graph", "mainEntity", "mainEntityOfPage")  #: keys that hold the items of a page

FEW_SCRIPTS = 8  #: scripts whose texts are looked for one by one
TYPE = re.compile(r'"@type"\s*:\s*(?:"([^"]*)"|\[([^][{}]*)\])')
QUOTED = re.compile(r'"([^"]*)"')
NAME = re.compile(r'"(?:name|headline)"\s*:\s*"((?:[^"\\]|\\.){1,300})"')
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


def types(page: Page) -> frozenset[str]:
    """Every type the page names in JSON-LD, og:type or itemtype: lower case, last path part."""
    if page not in _TYPES:
        _TYPES[page] = _read_types(page)
    return _TYPES[page]


_TYPES: WeakKeyDictionary[Page, frozenset[str]] = WeakKeyDictionary()


def _read_types(page: Page) -> frozenset[str]:
    values = list(page.values_of("itemtype"))
    for script in scripts(page):
        for one, several in TYPE.findall(script):
            values += QUOTED.findall(several) if several else (one,)
    named = page.rows_with("property", lambda name: name.strip().lower() == "og:type")
    values += [page.value_of(row, "content") for row in named]
    return frozenset(type_name(word) for value in values for word in value.split()) - {""}


def type_name(value: str) -> str:
    """The bare name of a type: `https://schema.org/NewsArticle` is `newsarticle`."""
    name = value.strip().rstrip("/#")
    return name[max(map(name.rfind, "/#:")) + 1 :].lower()


_SCRIPTS: WeakKeyDictionary[Page, tuple[str, ...]] = WeakKeyDictionary()


def scripts(page: Page) -> tuple[str, ...]:
    """The JSON-LD of a page as written, one text per script. Read once."""
    if page not in _SCRIPTS:
        _SCRIPTS[page] = tuple(_read_scripts(page))
    return _SCRIPTS[page]


def _read_scripts(page: Page) -> Iterator[str]:
    rows = page.rows_with("type", _is_json_ld)
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


_ITEMS: WeakKeyDictionary[Page, tuple[Item, ...]] = WeakKeyDictionary()


def items(page: Page) -> list[Item]:
    """The items of the page's JSON-LD in document order, including those of @graph. Read once."""
    if page not in _ITEMS:
        _ITEMS[page] = tuple(_read_items(page))
    return list(_ITEMS[page])


def _read_items(page: Page) -> list[Item]:
    stack: list[Any] = [read_json(script) for script in reversed(scripts(page))]
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
    several = value if isinstance(value, list) else [value]
    return [type_name(one) for one in several[:20] if isinstance(one, str)]


def kind(item: Item) -> str:
    """The key of TEXTS that fits an item; empty for none."""
    for name in type_names(item):
        if name in TEXTS:
            return name
        if name.endswith(("article", "blogposting", "mediaposting")) or name == "report":
            return "article"
        if name.endswith("event"):
            return "event"
    return ""


_TEXTS: WeakKeyDictionary[Page, str] = WeakKeyDictionary()


def structured_text(page: Page) -> str:
    """The main text that JSON-LD holds, as plain text; empty when there is none. Read once."""
    if page not in _TEXTS:
        _TEXTS[page] = _read_text(page)
    return _TEXTS[page]


def _read_text(page: Page) -> str:
    texts: dict[str, None] = {}
    for item in items(page):
        if (name := kind(item)) and name not in PARTS:
            texts |= dict.fromkeys(plain_text(text) for text in _texts(item))
    return "\n".join(text for text in texts if text)


def item_names(page: Page) -> frozenset[str]:
    """The names of all things in the page's JSON-LD, in lower case, white space folded."""
    names = (name for script in scripts(page) for name in NAME.findall(script))
    return frozenset(" ".join(_unescaped(name).lower().split()) for name in names)


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
    if MARKUP.search(value):
        value = turbohtml.unescape(value)
        if MARKUP.search(value):
            value = markup_text(value)
    lines = (" ".join(line.split()) for line in value.splitlines())
    return "\n".join(line for line in lines if line)
