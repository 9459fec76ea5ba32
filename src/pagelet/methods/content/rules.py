"""Selectors of the user that keep or drop content, given as options or in a file by site."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from pagelet.arrays import Int32s, Mask
from pagelet.errors import OptionError
from pagelet.models.damage import DAMAGED_FILE, describe_damage
from pagelet.page.dom import select
from pagelet.page.html import parse
from pagelet.page.table import Page
from pagelet.page.tree import nearest

MAX_CACHED_FILES = 64  #: files of rules that are kept in memory
MAX_FILE_BYTES = 2_000_000
MAX_LINE_DOTS = 1_000  #: dots of one line; the TOML parser takes minutes for a key of very many
RULE_FIELDS = {"host", "path", "keep", "drop"}


@dataclass(frozen=True, slots=True)
class Selector:
    """One selector, and whether the elements it matches are content."""

    keeps: bool
    selector: str
    file: str = ""  #: file of rules that contains it; empty for an option

    def __str__(self) -> str:
        return f"{'keep' if self.keeps else 'drop'} {self.selector}"

    def rows(self, page: Page) -> list[int]:
        """The rows that the selector matches."""
        try:
            return select(page, self.selector)
        except OptionError as error:
            option = "keep" if self.keeps else "drop"
            if self.file:
                why = f"{option} {error.value} is {error.why}"
                raise OptionError("rules", self.file, why) from error
            raise OptionError(option, error.value, error.why) from error


@dataclass(frozen=True, slots=True, eq=False)
class Overrides:
    """The selectors of a user and the rows of one page that they decide."""

    selectors: tuple[Selector, ...]
    matches: tuple[int, ...]  #: number of rows that each selector matches
    decider: Int32s  #: for each row of the page, the number of the selector that decides it, or -1

    @property
    def keeps(self) -> Mask:
        """Mark the selectors that keep."""
        return np.array([each.keeps for each in self.selectors], np.bool_)

    @property
    def unmatched(self) -> list[str]:
        """The selectors that match nothing."""
        pairs = zip(self.selectors, self.matches, strict=True)
        return [str(selector) for selector, count in pairs if not count]


@dataclass(frozen=True, slots=True)
class Rule:
    """The selectors for the pages of a site."""

    host: str = "*"  #: host name, which includes its subdomains, or a pattern with *
    path: str = "*"  #: pattern of the path with *
    selectors: tuple[Selector, ...] = ()

    def matches(self, url: str | None) -> bool:
        """Whether the rule applies to a page at this URL."""
        try:
            parts = urlsplit(url or "")
            host = (parts.hostname or "").lower()
        except ValueError:
            return False
        wanted = self.host.lower()
        named = fnmatchcase(host, wanted) or host.endswith(f".{wanted}")
        return named and fnmatchcase(parts.path or "/", self.path)


def find_rules(url: str | None, file: str, files: Mapping[str, bytes]) -> list[Rule]:
    """The rules of a TOML file that apply to a page; none without a file."""
    return [rule for rule in read_rules(files[file], file) if rule.matches(url)] if file else []


def make_selectors(
    keep: Sequence[str], drop: Sequence[str], file: str = ""
) -> tuple[Selector, ...]:
    """The selectors of two lists."""
    kept = (Selector(keeps=True, selector=each, file=file) for each in keep)
    dropped = (Selector(keeps=False, selector=each, file=file) for each in drop)
    return (*kept, *dropped)


@lru_cache(MAX_CACHED_FILES)
def read_rules(data: bytes, file: str) -> tuple[Rule, ...]:
    """The rules of a TOML file, each selector checked."""
    import tomllib  # noqa: PLC0415 - few pages have rules

    if len(data) > MAX_FILE_BYTES:
        raise OptionError("rules", file, f"more than {MAX_FILE_BYTES:,} bytes; split it")
    if max((line.count(b".") for line in data.splitlines()), default=0) > MAX_LINE_DOTS:
        raise OptionError("rules", file, f"a line with more than {MAX_LINE_DOTS:,} dots; split it")
    try:
        read = tomllib.loads(data.decode("utf-8"))
    except DAMAGED_FILE as error:
        raise OptionError("rules", file, f"not TOML in UTF-8: {describe_damage(error)}") from error
    tables = read.get("rule", [])
    if set(read) - {"rule"} or not isinstance(tables, list):
        raise OptionError("rules", file, "expected [[rule]] tables only")
    rules = tuple(_rule(file, table) for table in tables)
    empty = parse("")
    for selector in (selector for rule in rules for selector in rule.selectors):
        selector.rows(empty)  # report a broken selector now, not on the first page of its site
    return rules


def _rule(file: str, table: Any) -> Rule:
    if not isinstance(table, dict) or (unknown := set(table) - RULE_FIELDS):
        strange = ", ".join(sorted(unknown)) if isinstance(table, dict) else str(table)
        fields = ", ".join(sorted(RULE_FIELDS))
        raise OptionError("rules", file, f"a rule has {fields}, not {strange}")
    for name in ("host", "path"):
        if not isinstance(table.get(name, ""), str):
            raise OptionError("rules", file, f"{name} must be a string")
    keep, drop = (_texts(file, table.get(name, [])) for name in ("keep", "drop"))
    return Rule(
        **{name: table[name] for name in ("host", "path") if name in table},
        selectors=make_selectors(keep, drop, file),
    )


def _texts(file: str, value: Any) -> tuple[str, ...]:
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(each, str) for each in texts):
        raise OptionError("rules", file, "keep and drop must be a selector or a list of them")
    return tuple(texts)


def apply_selectors(page: Page, selectors: Sequence[Selector]) -> Overrides:
    """Decide the rows of a page by selectors.

    The nearest element that a selector matches decides for everything below it. Where several
    match the same element, the last one wins.
    """
    own = np.full(len(page), -1, np.int32)
    matches = []
    for at, selector in enumerate(selectors):
        rows = selector.rows(page)
        own[rows] = at
        matches.append(len(rows))
    above = nearest(page.parent, own >= 0)
    decider = np.where(above >= 0, own[above], -1)
    return Overrides(tuple(selectors), tuple(matches), decider.astype(np.int32))
