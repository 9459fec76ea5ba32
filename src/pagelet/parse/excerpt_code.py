"""The programming language that a block of code is said to be in."""

import re

from pagelet.columns.page import Page
from pagelet.tags import NUMBER

#: Classes by which pages name the language: language-x, lang-x, highlight-x, brush: x.
CLASS = re.compile(r"(?:^|\s)(?:lang(?:uage)?-|highlight-(?:source-)?|brush:\s*)([\w+#-]{1,30})")
ATTRIBUTES = ("data-lang", "data-language")
WORD = re.compile(r"[\w+#-]{1,30}\Z")
NO_LANGUAGE = ("none", "default", "text", "plain", "plaintext", "auto")
ABOVE = 3  #: elements above a `pre` that may name its language


def language(page: Page, row: int) -> str:
    """The language of the code in a `pre`, as its own, its `code` or the blocks around say it."""
    places, above = [row], row
    if page.size[row] > 1 and page.tag[row + 1] == NUMBER["code"]:
        places.append(row + 1)
    for _ in range(ABOVE):
        above = int(page.parent[above])
        if above < 0:
            break
        places.append(above)
    for place in places:
        if found := _said(page.attributes_of(place)):
            return "" if found in NO_LANGUAGE else found
    return ""


def _said(attributes: dict[str, str]) -> str:
    for name in ATTRIBUTES:
        if WORD.match(attributes.get(name, "").strip()):
            return attributes[name].strip().lower()
    told = CLASS.search(attributes.get("class", "")[:1000])
    return told[1].lower() if told else ""
