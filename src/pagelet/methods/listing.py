"""Pagelets as lines of plain text: kind, score, place and the beginning of the text."""

import json
from collections.abc import Callable, Iterator

from pagelet.methods.phrases import list_why
from pagelet.pagelets import Pagelet, Pagelets

MAX_LISTED_CHARS = 70  #: characters of a pagelet's text in a listing


def list_pagelets(
    result: Pagelets, *, explain: bool = False, line: Callable[[Pagelet], str] | None = None
) -> str:
    """One line per pagelet; with `explain`, what decided below it."""
    describe = line or describe_pagelet
    lines = [part for item in result for part in _lines(item, describe, explain=explain)]
    return "\n".join(lines)


def _lines(item: Pagelet, describe: Callable[[Pagelet], str], *, explain: bool) -> Iterator[str]:
    yield describe(item)
    if explain:
        yield from list_reason(item)


def describe_pagelet(item: Pagelet, score: str = "") -> str:
    """One line: kind, score, path, the beginning of the text."""
    path = item.path or f"{item.paths[0]} and {len(item.rows) - 1} more"
    return f"{item.kind} {score or f'{item.score:g}'}  {path}  {shorten(item.text)}"


def list_reason(item: Pagelet) -> list[str]:
    """One line for each reason in words; the measures by name where there are no words."""
    if item.why:
        return list_why(item.why)
    return [f"    {name.replace('_', ' ')}: {_shown(value)}" for name, value in item.reason.items()]


def _shown(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else json.dumps(value, ensure_ascii=False)


def shorten(text: str, limit: int = MAX_LISTED_CHARS) -> str:
    """A text, cut where it is longer than a line may be."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
