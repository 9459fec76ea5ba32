"""A folder that one process writes to at a time.

The lock is on an open file, so it ends with the process, however that ends; the file stays.
"""

import sys
from pathlib import Path
from typing import IO, Any

from pagelet.errors import OptionError
from pagelet.wording import describe_os_error

LOCK_FILE = ".lock"  #: file in the folder; empty


class FolderLock:
    """Holds a folder until it is closed; a second one is refused."""

    def __init__(self, folder: Path, option: str = "output") -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = (folder / LOCK_FILE).open("ab")
        except OSError as error:
            raise OptionError(option, str(folder), describe_os_error(error)) from error
        try:
            lock_file(self._file)
        except (BlockingIOError, PermissionError) as error:
            self._file.close()
            why = "another process writes to it; wait for that one, or give another folder"
            raise OptionError(option, str(folder), why) from error
        except OSError:  # a file system without locks
            pass

    def close(self) -> None:
        """Release the folder."""
        self._file.close()


if sys.platform == "win32":

    def lock_file(file: IO[Any]) -> None:
        """Lock an open file for this process; OSError where another one has it."""
        import msvcrt  # noqa: PLC0415 - there is none elsewhere

        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:

    def lock_file(file: IO[Any]) -> None:
        """Lock an open file for this process; OSError where another one has it."""
        import fcntl  # noqa: PLC0415 - there is none on Windows

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
