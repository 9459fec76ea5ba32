"""Timing: the best of several rounds, pages interleaved so that no tool meets a warmer cache."""

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

ROUNDS = 3


def best_times(tools: dict[str, Callable[[Any], Any]], pages: Sequence[Any]) -> dict[str, float]:
    """Seconds each tool needs for all pages; for each page the best of the rounds counts."""
    totals = dict.fromkeys(tools, 0.0)
    for page in pages:
        for name, tool in tools.items():
            totals[name] += min(_once(tool, page) for _ in range(ROUNDS))
    return totals


def _once(tool: Callable[[Any], Any], page: Any) -> float:
    start = perf_counter()
    tool(page)
    return perf_counter() - start
