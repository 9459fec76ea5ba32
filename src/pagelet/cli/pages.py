"""The pages that a command line names: files, folders, patterns, addresses, a list of them."""

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from glob import glob, has_magic
from pathlib import Path, PurePosixPath
from typing import Annotated
from urllib.parse import unquote, urlsplit

import typer

from pagelet.errors import NO_VALUE, OptionError, Unreachable
from pagelet.sources.files import read_file
from pagelet.sources.folder import PAGE_ENDINGS, is_page_file
from pagelet.sources.names import is_address
from pagelet.sources.unpacking import without_ending

MAX_PART_CHARS = 80  #: characters of a folder or file name made from an address
UNSAFE = re.compile(r"[^\w.@=+~-]+")
STANDARD_INPUT = "-"

PagesArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PAGE...",
        help="Files, folders, patterns, URLs, or - for standard input.",
        show_default=False,
    ),
]
InputFileOption = Annotated[
    str | None,
    typer.Option(
        "--input-file",
        help="Read names of pages from a file, one per line; - for standard input.",
        metavar="FILE",
        show_default=False,
    ),
]
OutputOption = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        help="Write to a file, such as texts.jsonl, or one file per page to a folder.",
        metavar="PATH",
        rich_help_panel="Output",
        show_default=False,
    ),
]


@dataclass(frozen=True, slots=True)
class NamedPage:
    """One page of a command line."""

    source: str  #: a file, an address, or -
    name: str  #: path of its result below the output folder, without the ending


@dataclass(frozen=True, slots=True)
class NamedPages:
    """All pages of a command line, in its order."""

    pages: Sequence[NamedPage]
    several: bool  #: whether there may be more than one page, however many there are


def name_pages(given: Sequence[str] | None, input_file: str | None = None) -> NamedPages:
    """The pages that arguments and a list name; a folder or pattern stands for all its pages."""
    listed = list(_read_list(input_file)) if input_file else []
    arguments = [*(given or ()), *listed]
    if not arguments:
        why = f"{input_file} lists no pages" if input_file else "give a page, or --input-file"
        raise OptionError("page", NO_VALUE, why)
    several = len(arguments) > 1 or input_file is not None or is_collection(arguments[0])
    pages = {each.source: each for name in arguments for each in _expand(name)}
    return NamedPages(_with_own_names(list(pages.values())), several)


def is_collection(name: str) -> bool:
    """Whether a name stands for several pages."""
    if is_address(name) or name == STANDARD_INPUT:
        return False
    path = Path(name)
    try:
        return path.is_dir() or (has_magic(name) and name.isprintable() and not path.exists())
    except (OSError, ValueError):  # a name that no file can have
        return False


def _read_list(name: str) -> Iterator[str]:
    """The names in a list; blank lines and those that begin with # are left out."""
    text = sys.stdin.read() if name == STANDARD_INPUT else read_file("input_file", name).decode()
    lines = (line.strip() for line in text.splitlines())
    return (line for line in lines if line and not line.startswith("#"))


def _expand(name: str) -> Iterator[NamedPage]:
    if is_address(name):
        yield NamedPage(name, name_of_address(name))
    elif not is_collection(name):
        yield NamedPage(name, "page" if name == STANDARD_INPUT else _stem(Path(Path(name).name)))
    elif Path(name).is_dir():
        yield from _pages_of_folder(Path(name))
    else:
        yield from _pages_of_pattern(name)


def _pages_of_folder(folder: Path) -> Iterator[NamedPage]:
    files = [path for path in sorted(folder.rglob("*")) if is_page_file(path)]
    if not files:
        raise Unreachable(
            str(folder), "there are no pages in this folder; give one with HTML files"
        )
    for path in files:
        yield NamedPage(str(path), _stem(path.relative_to(folder)))


def _pages_of_pattern(pattern: str) -> Iterator[NamedPage]:
    paths = [Path(name) for name in sorted(glob(pattern, recursive=True))]
    files = [path for path in paths if path.is_file()]
    if not files:
        raise Unreachable(pattern, "no file matches this pattern; check it")
    for path in files:
        yield NamedPage(str(path), _stem(Path(path.name)))


def _stem(path: Path) -> str:
    return without_ending(path).with_suffix("").as_posix()


def name_of_address(address: str) -> str:
    """A path made from an address: its host, then its path and query, as plain names."""
    try:
        parts = urlsplit(address)
    except ValueError:  # the loader says what is wrong with it
        return "page"
    path = PurePosixPath(unquote(parts.path))
    named = path.with_suffix("") if path.suffix.lower() in PAGE_ENDINGS else path
    query = f"_{unquote(parts.query)}" if parts.query else ""
    folders = [part for part in named.parts if part not in ("/", "//", ".", "..")] or ["index"]
    folders[-1] += query.replace("/", "_")
    return "/".join(map(_plain, [parts.netloc.rpartition("@")[2], *folders]))


def _plain(part: str) -> str:
    """A part of an address as the name of a file."""
    return UNSAFE.sub("_", part).strip("._")[:MAX_PART_CHARS] or "_"


def _with_own_names(pages: list[NamedPage]) -> list[NamedPage]:
    """The pages, each under a name of its own; letters of both cases are the same name."""
    taken: set[str] = set()
    last: dict[str, int] = {}  # number that was given last, by name
    named = []
    for page in pages:
        name, number = page.name, last.get(page.name.lower(), 1)
        while name.lower() in taken:
            number += 1
            name = f"{page.name}-{number}"
        last[page.name.lower()] = number
        taken.add(name.lower())
        named.append(NamedPage(page.source, name))
    return named
