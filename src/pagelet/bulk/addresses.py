"""Addresses of inputs: plain paths, opened by the standard library, and stores, by fsspec.

A list may come from anywhere, so an address names a path or one of the known stores. Protocols
that wrap others, and those that reach any host, are refused; pages of the web are loaded by the
loader alone, which checks where they lie.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from pagelet.errors import MissingExtra, Unreachable, UnsafeAddress
from pagelet.wording import describe_os_error

BUFFER_BYTES = 2**20  #: bytes read at once
#: protocols of stores that are opened; their hosts come from the user's settings, not the address
STORES = (
    *("s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "adl", "oss", "oci", "hdfs"),
    *("file", "local", "memory"),
)
SCHEME = re.compile(r"([^/]*?)://")
LIST_ENDINGS = (".txt", ".lst", ".list")  #: endings of files that list other inputs
WEB_PREFIXES = ("http://", "https://")


def is_local(address: str) -> bool:
    """Whether an address is a plain path."""
    return "://" not in address


def is_web(address: str) -> bool:
    """Whether an address is one of the web, which only the loader may open."""
    return address.lower().startswith(WEB_PREFIXES)


def check_address(address: str) -> None:
    """Refuse an address that is neither a path nor that of a known store."""
    if is_local(address):
        return
    if "::" in address:
        why = "protocols that wrap others are not opened; give a path or the address of a store"
        raise UnsafeAddress(address, why)
    if is_web(address):
        raise UnsafeAddress(address, "a web address is loaded from a list only, with --load")
    scheme = SCHEME.match(address)
    if scheme is None or scheme[1].lower() not in STORES:
        why = f"no store has this protocol; give a path, a web address or {', '.join(STORES)}"
        raise Unreachable(address, why)


@contextmanager
def open_address(address: str, *, buffer: int = BUFFER_BYTES) -> Iterator[BinaryIO]:
    """Open a seekable file of bytes for reading."""
    check_address(address)
    try:
        if is_local(address):
            with Path(address).open("rb", buffering=buffer) as file:
                yield file
        else:
            with import_fsspec().open(address, "rb") as file:
                yield cast("BinaryIO", file)
    except (FileNotFoundError, PermissionError, IsADirectoryError) as error:
        raise Unreachable(address, f"{describe_os_error(error)}; check the address") from error


def file_size(address: str) -> int:
    """Bytes of a file; 0 if its file system does not know."""
    try:
        if is_local(address):
            return Path(address).stat().st_size
        system, path = file_system(address)
        return int(system.size(path) or 0)
    except (OSError, NotImplementedError) as error:
        raise Unreachable(address, f"{error}; check the address") from error


def file_system(address: str) -> tuple[Any, str]:
    """The fsspec file system of an address, and the path in it."""
    check_address(address)
    try:
        system, path = import_fsspec().core.url_to_fs(address)
    except (ValueError, ImportError) as error:  # the package of the store is missing
        raise Unreachable(address, f"{error}; check the address") from error
    return system, path


def same_file_name(address: str) -> str:
    """One spelling for all addresses of the same file."""
    if not is_local(address):
        return address
    try:
        return os.path.realpath(address)
    except (OSError, ValueError):  # a name with NUL; reading it reports that
        return address


def import_fsspec() -> Any:
    """The package fsspec; MissingExtra if it is not installed."""
    try:
        import fsspec as package  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtra("bulk", "opening addresses other than paths") from error
    return package
