"""What a page says in JSON-LD: its items, their types, and the text they hold."""

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import turbohtml

from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, TEXT

Item = dict[str, Any]  #: one thing JSON-LD speaks of, as json reads it

JSON_LD = "application/ld+json"
HOLDERS = ("@graph", "mainEntity", "mainEntityOfPage")  #: keys under which a page's items lie

TYPE = re.compile(r'"@type"\s*:\s*(?:"([^"]*)"|\[([^][{}]*)\])')
QUOTED = re.compile(r'"([^"]*)"')
START = re.compile(r"\{|(?<!CDATA)\[(?!CDATA)")  #: of a JSON value, not of a CDATA section
TRAILING_COMMA = re.compile(r",\s*(?=[}\]])")
MARKUP = re.compile(r"</?[a-zA-Z][^<>]*>|&[a-zA-Z#]\w+;")
DECODER = json.JSONDecoder(strict=False)

#: What is text in an item of a type: the first key that says something, for each tuple of keys.
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
UNTYPED = (("text", "name"),)  #: the same for an item below another that has no type of these
PARTS = frozenset(("answer", "comment", "howtosection", "howtostep"))  #: read with what holds them


def types(page: Page) -> frozenset[str]:
    """Every type the page names in JSON-LD, og:type or itemtype: lower case, last path part."""
    found = list(page.attribute("itemtype").values())
    for script in scripts(page):
        for one, several in TYPE.findall(script):
            found += QUOTED.findall(several) if several else (one,)
    kinds = page.attribute("property")
    found += [page.attributes_of(row).get("content", "") for row in _rows(kinds, "og:type")]
    return frozenset(type_name(word) for said in found for word in said.split()) - {""}


def _rows(values: dict[int, str], wanted: str) -> list[int]:
    return [row for row, value in values.items() if value.strip().lower() == wanted]


def type_name(said: str) -> str:
    """The bare name of a type: `https://schema.org/NewsArticle` is `newsarticle`."""
    name = said.strip().rstrip("/#")
    return name[max(map(name.rfind, "/#:")) + 1 :].lower()


def scripts(page: Page) -> list[str]:
    """The JSON-LD of a page as written, one text for each script."""
    found = []
    for row, value in page.attribute("type").items():
        if page.tag[row] == NUMBER["script"] and value.strip().lower().startswith(JSON_LD):
            inner = np.arange(row, page.end[row])
            texts = page.ordinal[inner[page.tag[inner] == TEXT]]
            found.append("".join(page.texts[text] for text in texts))
    return found


def items(page: Page) -> list[Item]:
    """The things the page's JSON-LD is about, in document order, those of @graph among them."""
    stack: list[Any] = [read(script) for script in reversed(scripts(page))]
    found: list[Item] = []
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            stack += reversed(value)
        elif isinstance(value, dict):
            found.append(value)
            stack += [value[key] for key in reversed(HOLDERS) if key in value]
    return found


def read(script: str) -> Any:
    """The first JSON value of a script, in spite of comments around it; None when broken."""
    if (start := START.search(script)) is None:
        return None
    text = script[start.start() :]
    found = _decoded(text)
    return _decoded(TRAILING_COMMA.sub("", text)) if found is None else found


def _decoded(text: str) -> Any:
    try:
        return DECODER.raw_decode(text)[0]
    except (ValueError, RecursionError):  # broken, or nested deeper than json can follow
        return None


def type_names(item: Item) -> list[str]:
    """The types of an item by their bare names."""
    said = item.get("@type")
    several = said if isinstance(said, list) else [said]
    return [type_name(one) for one in several[:20] if isinstance(one, str)]


def kind(item: Item) -> str:
    """Which row of TEXTS an item follows; empty for none."""
    for name in type_names(item):
        if name in TEXTS:
            return name
        if name.endswith(("article", "blogposting", "mediaposting")) or name == "report":
            return "article"
        if name.endswith("event"):
            return "event"
    return ""


def structured_text(page: Page) -> str:
    """The main text that JSON-LD holds, as plain text; empty when there is none."""
    found: dict[str, None] = {}
    for item in items(page):
        if (name := kind(item)) and name not in PARTS:
            found |= dict.fromkeys(plain_text(said) for said in _texts(item))
    return "\n".join(text for text in found if text)


def _texts(item: Item) -> Iterator[str]:
    """The strings of an item that are text, those of the items below it among them."""
    stack: list[Any] = [item]
    while stack:
        value = stack.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            stack += reversed(value)
        elif isinstance(value, dict):
            rows = TEXTS.get(kind(value), UNTYPED)
            said = [next((value[key] for key in keys if value.get(key)), None) for keys in rows]
            stack += reversed(said)


def plain_text(said: str) -> str:
    """A string of JSON-LD as plain text: entities resolved, markup gone, one line a block."""
    if MARKUP.search(said):
        said = turbohtml.unescape(said)
        if MARKUP.search(said):
            said = turbohtml.parse(said).to_text()
    lines = (" ".join(line.split()) for line in said.splitlines())
    return "\n".join(line for line in lines if line)
