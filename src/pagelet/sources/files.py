"""Files that users name: read whole, read again when they have changed, written whole."""

import contextlib
import os
from functools import lru_cache
from pathlib import Path

from pagelet.errors import OptionError
from pagelet.wording import NO_FOLDER, describe_os_error

MAX_FILES = 64  #: files whose contents are remembered


def read_file(option: str, name: str | Path, advice: str = "") -> bytes:
    """The contents of a file that an option names; the same object while it does not change."""
    path = Path(name)
    try:
        status = path.stat()
        return _read(path, (status.st_mtime_ns, status.st_size))
    except (OSError, ValueError) as error:  # ValueError: a name with NUL
        why = describe_os_error(error)
        raise OptionError(option, str(name), f"{why}{advice}") from error


@lru_cache(MAX_FILES)
def _read(path: Path, _changed: tuple[int, int]) -> bytes:
    return path.read_bytes()


def write_whole(option: str, path: Path, data: str | bytes) -> None:
    """Write a file whole or not at all; a reader meanwhile gets the old one."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        part.write_bytes(data.encode("utf-8") if isinstance(data, str) else data)
        part.replace(path)
    except (OSError, ValueError) as error:
        with contextlib.suppress(OSError, ValueError):
            part.unlink(missing_ok=True)
        raise OptionError(option, str(path), describe_os_error(error, NO_FOLDER)) from error
