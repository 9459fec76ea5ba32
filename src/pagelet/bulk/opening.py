"""Files and addresses opened alike: paths by the standard library, all else by fsspec."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from pagelet.errors import MissingExtra, Unreachable

BUFFER = 2**20  #: bytes read at once


def is_local(address: str) -> bool:
    """Whether an address is a plain path."""
    return "://" not in address and "::" not in address


@contextmanager
def opened(address: str, *, buffer: int = BUFFER) -> Iterator[BinaryIO]:
    """A file to read, of bytes, that can be sought in."""
    try:
        if is_local(address):
            with Path(address).open("rb", buffering=buffer) as file:
                yield file
        else:
            with fsspec().open(address, "rb") as file:
                yield cast("BinaryIO", file)
    except (FileNotFoundError, PermissionError, IsADirectoryError) as error:
        raise Unreachable(address, f"{error.strerror or error}; check the address") from error


def size_of(address: str) -> int:
    """Bytes of a file; 0 when nobody can tell."""
    try:
        if is_local(address):
            return Path(address).stat().st_size
        system, path = system_of(address)
        return int(system.size(path) or 0)
    except (OSError, NotImplementedError) as error:
        raise Unreachable(address, f"{error}; check the address") from error


def system_of(address: str) -> tuple[Any, str]:
    """The file system of an address, and the path in it."""
    try:
        system, path = fsspec().core.url_to_fs(address)
    except (ValueError, ImportError) as error:  # no such protocol, or its package is missing
        raise Unreachable(address, f"{error}; check the address") from error
    return system, path


def fsspec() -> Any:
    """The package that opens addresses."""
    try:
        import fsspec as package  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtra("bulk", "opening addresses other than paths") from error
    return package
