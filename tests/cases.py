"""Many cases in one test: an error names the case it belongs to."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def case(*names: object) -> Iterator[None]:
    """Add the names of a case to whatever goes wrong in the block."""
    try:
        yield
    except BaseException as error:
        error.add_note("case: " + ", ".join(map(str, names)))
        raise
