"""Timing: the best of several rounds over all pages, each page met cold, as in a crawl."""

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

ROUNDS = 3


def best_times(tools: dict[str, Callable[[Any], Any]], pages: Sequence[Any]) -> dict[str, float]:
    """Seconds each tool needs for all pages, in the best of the rounds."""
    return {name: min(_round(tool, pages) for _ in range(ROUNDS)) for name, tool in tools.items()}


def _round(tool: Callable[[Any], Any], pages: Sequence[Any]) -> float:
    start = perf_counter()
    for page in pages:
        tool(page)
    return perf_counter() - start
