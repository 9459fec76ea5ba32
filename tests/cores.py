"""The two cores in one process: a twin test asks both and compares."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import pytest

from pagelet import core

Answer = TypeVar("Answer")

#: Marks a test of twins; a machine without a C compiler has one core alone.
twins = pytest.mark.skipif(core.kernels is None, reason="the compiled core is not built")


@contextmanager
def using(name: str) -> Iterator[None]:
    """Compute with the `compiled` or the `python` core."""
    before, core.compiled = core.compiled, name == "compiled"
    try:
        yield
    finally:
        core.compiled = before


def ask_both(ask: Callable[[], Answer]) -> tuple[Answer, Answer]:
    """The answer of the compiled core and that of the Python core."""
    with using("compiled"):
        compiled = ask()
    with using("python"):
        return compiled, ask()
