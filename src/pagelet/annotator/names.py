"""Names of pages and files: which are accepted, and the file names they get on a disk."""

import hashlib
from collections.abc import Iterable
from itertools import count
from pathlib import PurePosixPath

from pagelet.errors import OptionError

MAX_NAME_CHARS = 300
MAX_PART_BYTES = 200  #: longest part of a path on a disk; most file systems take 255 bytes
MAX_ENDING_BYTES = 20


def safe_name(name: str) -> str:
    """The relative name of a page or file, which becomes a file name in an export."""
    parts = [
        part for part in PurePosixPath(name.replace("\\", "/")).parts if part not in ("/", ".")
    ]
    plain = "/".join(parts)
    if not plain or len(plain) > MAX_NAME_CHARS or ".." in parts or not plain.isprintable():
        raise OptionError("name", name[:80], "give a plain relative name, such as news/a.html")
    return plain


def rename_in_folder(old: str, new: str) -> str:
    """The name of a page that gets another file name and stays in its folder."""
    if "/" in new or "\\" in new:
        raise OptionError("name", new[:80], "give a name without a folder, such as a.html")
    return safe_name(str(PurePosixPath(old).parent / new))


def file_names(names: Iterable[str]) -> dict[str, str]:
    """A file name for each name: parts that are too long are cut, and no file is a folder too.

    Where `a.png` is a name and `a.png/b.png` another, the first becomes `a~1.png`.
    """
    short = {name: "/".join(map(_shorten, name.split("/"))) for name in sorted(set(names))}
    folders = {str(parent) for name in short.values() for parent in PurePosixPath(name).parents}
    taken = {name for name in short.values() if name not in folders}
    for name, path in short.items():
        if path in folders:
            short[name] = next(free for free in _alternatives(path) if free not in taken | folders)
            taken.add(short[name])
    return short


def _shorten(part: str) -> str:
    data = part.encode("utf-8", "surrogatepass")
    if len(data) <= MAX_PART_BYTES:
        return part
    ending = PurePosixPath(part).suffix
    ending = ending if len(ending.encode("utf-8", "replace")) <= MAX_ENDING_BYTES else ""
    digest = hashlib.sha256(data).hexdigest()[:16]
    kept = MAX_PART_BYTES - MAX_ENDING_BYTES - len(digest) - 1
    return f"{data[:kept].decode('utf-8', 'ignore')}~{digest}{ending}"


def _alternatives(path: str) -> Iterable[str]:
    plain = PurePosixPath(path)
    return (str(plain.with_name(f"{plain.stem}~{number}{plain.suffix}")) for number in count(1))
