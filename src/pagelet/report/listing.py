"""What the report's own script needs to know, as JSON that is safe inside a script element."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from pagelet.columns.page import Page
from pagelet.pagelets import Pagelet, Pagelets
from pagelet.tags import NUMBER, TEXT

TEXT_START = 160  #: characters of a region's text that the list shows

#: Colour of each kind and of the writing on it. After Okabe and Ito (2008), chosen so that
#: people with any common colour blindness tell them apart; yellow, too faint for an outline,
#: gave way to the wine red of Tol's muted scheme, black to grey.
COLOURS = {
    "menu": ("#0072b2", "#fff"),
    "clutter": ("#d55e00", "#000"),
    "noise": ("#e69f00", "#000"),
    "content": ("#009e73", "#000"),
    "dropped": ("#6e7781", "#fff"),
    "slot": ("#56b4e9", "#000"),
    "template": ("#cc79a7", "#000"),
    "segment": ("#882255", "#fff"),
}

QUIET = ("dropped",)  #: kinds that are drawn thin, and folded up in the list
#: Kinds whose labels would cover the text; shown when pointed at.
MANY = ("content", "dropped", "segment")


def listing(page: Page, found: Sequence[Pagelets]) -> dict[str, Any]:
    """Kinds with their colours, and all pagelets in the order of their numbers."""
    readable = page.counted | page.inside(page.is_tag(NUMBER["noscript"]))
    texts = np.flatnonzero((page.tag == TEXT) & readable & (page.chars > 0))
    items = [
        {"method": one.method, "profile": one.profile, **_item(page, pagelet, texts)}
        for one in found
        for pagelet in one
    ]
    used = {item["kind"] for item in items}
    kinds = [
        {
            "name": name,
            "colour": colour,
            "ink": ink,
            "quiet": name in QUIET,
            "labelled": name not in MANY,
        }
        for name, (colour, ink) in COLOURS.items()
        if name in used
    ]
    return {"kinds": kinds, "pagelets": items, "methods": [one.method for one in found]}


def _item(page: Page, pagelet: Pagelet, texts: np.ndarray[Any, Any]) -> dict[str, Any]:
    return {
        "kind": pagelet.kind,
        "score": pagelet.score,
        "path": page.path(pagelet.rows[0]) if pagelet.rows else "",
        "others": max(len(pagelet.rows) - 1, 0),
        "text": _text_start(page, pagelet, texts),
        "reason": dict(pagelet.reason),
        **({} if pagelet.box is None else {"box": pagelet.box}),
    }


def _text_start(page: Page, pagelet: Pagelet, texts: np.ndarray[Any, Any]) -> str:
    """Take the first characters of a region's text, without reading on to its end."""
    if pagelet.seen is not None:
        return pagelet.seen[:TEXT_START] + "…" * (len(pagelet.seen) > TEXT_START)
    words: list[str] = []
    length = 0
    for row in pagelet.rows:
        first, last = np.searchsorted(texts, (row, page.end[row])).tolist()
        for at in range(first, last):
            text = " ".join(page.text(int(texts[at])).split())
            words.append(text)
            length += len(text) + 1
            if length > TEXT_START:
                return " ".join(words)[:TEXT_START] + "…"
    return " ".join(words)


def title_of(page: Page) -> str:
    """Read the page's title; where it has none, give it a name."""
    for row in np.flatnonzero(page.tag == NUMBER["title"])[:1].tolist():
        title = " ".join(" ".join(page.text(below) for below in page.subtree(row)).split())
        if title:
            return title
    return "Untitled page"


def facts_of(found: Sequence[Pagelets]) -> list[str]:
    """What methods say of the page as a whole, for the head of the report."""
    told = []
    for extra in (one.extra for one in found):
        if (kind := extra.get("page_type")) is not None:
            told.append(f"{kind} {extra['page_types'][kind]:.2f}")
        if (sure := extra.get("confidence")) is not None:
            told.append(f"confidence {sure:.2f}")
    return told


def embedded(value: Any) -> str:
    """JSON in ASCII that cannot end the script element it stands in, or open a comment."""
    text = json.dumps(_finite(value), allow_nan=False, default=str, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _finite(value: Any) -> Any:
    """Python's own numbers for numpy's, and words for those JSON does not have."""
    if isinstance(value, Mapping):
        return {str(name): _finite(part) for name, part in value.items()}
    if isinstance(value, np.generic | np.ndarray):
        return _finite(value.tolist())
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return [_finite(part) for part in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
