"""Gold, scores, training and evaluation; imported by the command line alone.

Training and evaluation report their progress through the callbacks below.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

Report = Callable[[str], None]  #: takes a line about the current step
Progress = Callable[[str, int, int], None]  #: takes a step, the units done and their total, or 0

Item = TypeVar("Item")


def ignore_line(_line: str) -> None:
    """Report nothing."""


def ignore_progress(_step: str, _done: int, _total: int) -> None:
    """Report no progress."""


def track(items: Sequence[Item], step: str, progress: Progress) -> Iterator[Item]:
    """The items one by one; before each, and after the last, the progress of the step."""
    for done, item in enumerate(items):
        progress(step, done, len(items))
        yield item
    progress(step, len(items), len(items))


def track_unknown(items: Iterable[Item], step: str, progress: Progress) -> Iterator[Item]:
    """The same for items whose number is known at the end only; until then the total is 0."""
    done = 0
    for done, item in enumerate(items, 1):
        yield item
        progress(step, done, 0)
    progress(step, done, done)
