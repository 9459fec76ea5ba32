"""Gold, scores, training and evaluation; imported by the command line alone.

Training and evaluation report their progress through the callbacks below.
"""

from collections.abc import Callable

Report = Callable[[str], None]  #: takes a line about the current step
Progress = Callable[[str, int, int], None]  #: takes a step, the units done and their total


def ignore_line(_line: str) -> None:
    """Report nothing."""


def ignore_progress(_step: str, _done: int, _total: int) -> None:
    """Report no progress."""
