"""Errors that a damaged or hostile file raises while it is read, each told in one line."""

from json import JSONDecodeError
from zipfile import BadZipFile
from zlib import error as ZlibError  # noqa: N812 - an error like the others

from pagelet.wording import describe_os_error

MAX_FAULT_CHARS = 200

#: What reading JSON, TOML or an npz file raises where it is not what it should be; deep nesting
#: ends in a RecursionError, a size that nobody has in a MemoryError.
DAMAGED_FILE = (
    OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, EOFError, OverflowError,
    RecursionError, MemoryError, NotImplementedError, BadZipFile, ZlibError,
)  # fmt: skip
#: What is wrong where the words of a library would not help.
FAULTS: dict[type[BaseException], str] = {
    JSONDecodeError: "it is not JSON",
    UnicodeError: "it is not UTF-8 text",
    BadZipFile: "it is not an npz file",
    ZlibError: "it is damaged",
    EOFError: "it is cut off",
    TypeError: "its contents are of another form",
    AttributeError: "its contents are of another form",
    IndexError: "its contents are of another form",
}


def describe_damage(error: BaseException) -> str:
    """What is wrong with a file, in one line."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, MemoryError):
        return "it is too large"
    if isinstance(error, KeyError):
        return f"it has no {error}"[:MAX_FAULT_CHARS]
    fault = next((FAULTS[kind] for kind in FAULTS if isinstance(error, kind)), "")
    if isinstance(error, OSError):
        fault = describe_os_error(error)
    elif "allow_pickle" in str(error):  # numpy advises to load it anyway
        fault = "it holds Python objects"
    return fault or " ".join(str(error).split())[:MAX_FAULT_CHARS]
