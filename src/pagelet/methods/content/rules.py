"""A user's own word on what is content: selectors that keep or drop, by hand or by site."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from pagelet.arrays import Int32s, Mask
from pagelet.errors import OptionError
from pagelet.page.dom import select
from pagelet.page.html import parse
from pagelet.page.table import Page
from pagelet.page.tree import nearest

FILES = 64  #: files of rules that are remembered
FIELDS = {"host", "path", "keep", "drop"}


@dataclass(frozen=True, slots=True)
class Word:
    """One selector, and whether what it finds is content."""

    keeps: bool
    selector: str
    file: str = ""  #: the file it stands in; empty when it was said by hand

    def __str__(self) -> str:
        return f"{'keep' if self.keeps else 'drop'} {self.selector}"

    def rows(self, page: Page) -> list[int]:
        """The rows that the selector finds."""
        try:
            return select(page, self.selector)
        except OptionError as error:
            if self.file:
                raise OptionError("rules", self.file, f"{self} is {error.why}") from error
            raise OptionError("keep" if self.keeps else "drop", self.selector, error.why) from error


@dataclass(frozen=True, slots=True, eq=False)
class Overrides:
    """What the words of a user decide on one page."""

    words: tuple[Word, ...]
    found: tuple[int, ...]  #: of each word, how many rows its selector finds
    decider: Int32s  #: of each row of the page, the place of the word that decides it, or -1

    @property
    def keeps(self) -> Mask:
        """Mark the words that keep."""
        return np.array([word.keeps for word in self.words], np.bool_)

    @property
    def idle(self) -> list[str]:
        """The words whose selectors find nothing."""
        told = zip(self.words, self.found, strict=True)
        return [str(word) for word, found in told if not found]


@dataclass(frozen=True, slots=True)
class Rule:
    """What to keep and drop on the pages of a site."""

    host: str = "*"  #: a host name, which stands for its subdomains too, or a pattern with *
    path: str = "*"  #: a pattern of the path with *
    words: tuple[Word, ...] = ()

    def matches(self, url: str | None) -> bool:
        """Whether the rule speaks of a page at this address."""
        try:
            parts = urlsplit(url or "")
            host = (parts.hostname or "").lower()
        except ValueError:
            return False
        wanted = self.host.lower()
        named = fnmatchcase(host, wanted) or host.endswith(f".{wanted}")
        return named and fnmatchcase(parts.path or "/", self.path)


def rules_for(url: str | None, file: str, files: Mapping[str, bytes]) -> list[Rule]:
    """The rules of a TOML file that apply to a page; none without a file."""
    return [rule for rule in read_rules(files[file], file) if rule.matches(url)] if file else []


def words(keep: Sequence[str], drop: Sequence[str], file: str = "") -> tuple[Word, ...]:
    """The words of two lists of selectors."""
    kept = (Word(keeps=True, selector=each, file=file) for each in keep)
    dropped = (Word(keeps=False, selector=each, file=file) for each in drop)
    return (*kept, *dropped)


@lru_cache(FILES)
def read_rules(data: bytes, file: str) -> tuple[Rule, ...]:
    """The rules of a TOML file, each selector checked."""
    import tomllib  # noqa: PLC0415 - few pages have rules

    try:
        read = tomllib.loads(data.decode("utf-8"))
    except ValueError as error:
        raise OptionError("rules", file, f"not TOML in UTF-8: {error}") from error
    said = read.get("rule", [])
    if set(read) - {"rule"} or not isinstance(said, list):
        raise OptionError("rules", file, "expected [[rule]] tables only")
    rules = tuple(_rule(file, each) for each in said)
    nothing = parse("")
    for word in (word for rule in rules for word in rule.words):
        word.rows(nothing)  # a broken selector is told at once, not when a page of its site comes
    return rules


def _rule(file: str, said: Any) -> Rule:
    if not isinstance(said, dict) or (unknown := set(said) - FIELDS):
        strange = ", ".join(sorted(unknown)) if isinstance(said, dict) else str(said)
        raise OptionError("rules", file, f"a rule has {', '.join(sorted(FIELDS))}, not {strange}")
    for name in ("host", "path"):
        if not isinstance(said.get(name, ""), str):
            raise OptionError("rules", file, f"{name} must be a text")
    return Rule(
        **{name: said[name] for name in ("host", "path") if name in said},
        words=words(
            _selectors(file, said.get("keep", [])), _selectors(file, said.get("drop", [])), file
        ),
    )


def _selectors(file: str, said: Any) -> tuple[str, ...]:
    listed = [said] if isinstance(said, str) else said
    if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
        raise OptionError("rules", file, "keep and drop must be a selector or a list of them")
    return tuple(listed)


def overrides(page: Page, said: Sequence[Word]) -> Overrides:
    """What words of a user decide.

    The nearest element that a selector finds decides for all below it. Where several find the
    same element, the last word wins.
    """
    own = np.full(len(page), -1, np.int32)
    found = []
    for at, word in enumerate(said):
        rows = word.rows(page)
        own[rows] = at
        found.append(len(rows))
    above = nearest(page.parent, own >= 0)
    decider = np.where(above >= 0, own[above], -1)
    return Overrides(tuple(said), tuple(found), decider.astype(np.int32))
