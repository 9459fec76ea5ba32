"""Errors that a damaged or hostile file raises while it is read, each told in one line."""

from zipfile import BadZipFile
from zlib import error as ZlibError  # noqa: N812 - an error like the others

MAX_FAULT_CHARS = 200

#: What reading JSON, TOML or an npz file raises where it is not what it should be; deep nesting
#: ends in a RecursionError, a size that nobody has in a MemoryError.
DAMAGED_FILE = (
    OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, EOFError, OverflowError,
    RecursionError, MemoryError, NotImplementedError, BadZipFile, ZlibError,
)  # fmt: skip


def describe_damage(error: BaseException) -> str:
    """What is wrong with a file, in one line."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, MemoryError):
        return "it is too large"
    missing = "it has no " if isinstance(error, KeyError) else ""
    return " ".join(f"{missing}{error}".split())[:MAX_FAULT_CHARS]
