"""Work of a call, counted in steps, and a guard that only a hang sets off."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

HANG_SECONDS = 300  #: far beyond what any test takes beside busy neighbours


class HangError(AssertionError):
    """The block did not end."""


@contextmanager
def ends(seconds: float = HANG_SECONDS) -> Iterator[None]:
    """Fail when the block hangs; only for the main thread."""

    def ring(signum: int, frame: object) -> None:
        raise HangError(f"not done within {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def count_steps(function: Callable[..., object], *args: Any) -> int:
    """Bytecode instructions that Python runs in a call: the same on any machine, busy or not."""
    steps = 0

    def trace(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal steps
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        steps += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function(*args)
    finally:
        sys.settrace(before)
    return steps


def growth(function: Callable[[Any], object], make: Callable[[int], Any], size: int) -> float:
    """Steps on an input four times as large, per step on the small one: 4 where work is linear."""
    function(make(size))  # what is made once is made now
    return count_steps(function, make(4 * size)) / count_steps(function, make(size))
