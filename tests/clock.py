"""A limit on the time a block may take."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


class TooSlowError(AssertionError):
    """The block took longer than it may."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Fail when the block is not done in time; only for the main thread."""

    def ring(signum: int, frame: object) -> None:
        raise TooSlowError(f"not done within {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
