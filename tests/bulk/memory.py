"""How much memory a process and those it started take, looked at again and again."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PAGE = os.sysconf("SC_PAGE_SIZE")


def taken(pid: int) -> int:
    """Bytes that a process and its children hold, what they share counted for each."""
    try:
        own = int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0
    return own + sum(taken(int(child)) for child in listed)


@contextmanager
def peak(pid: int | None = None) -> Iterator[list[int]]:
    """The most that a process, or this one, and its children held while the block ran."""
    most, over = [0], threading.Event()

    def look() -> None:
        while not over.wait(0.1):
            most[0] = max(most[0], taken(pid or os.getpid()))

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield most
    finally:
        over.set()
        thread.join()
