"""A user's own word on what is content: selectors that keep or drop, by hand or by site."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from pagelet.columns.page import Page, Rows
from pagelet.columns.tree import nearest
from pagelet.errors import OptionError
from pagelet.parse.render import select

FIELDS = {"host", "path", "keep", "drop"}


@dataclass(frozen=True, slots=True)
class Rule:
    """What to keep and drop on the pages of a site."""

    host: str = "*"  #: a host name, which stands for its subdomains too, or a pattern with *
    path: str = "*"  #: a pattern of the path with *
    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()

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


def rules_for(url: str | None, file: str) -> list[Rule]:
    """The rules of a TOML file that speak of a page; none without a file."""
    return [rule for rule in _read(file) if rule.matches(url)] if file else []


@cache
def _read(file: str) -> tuple[Rule, ...]:
    try:
        read = tomllib.loads(Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise OptionError("rules", file, f"cannot be read: {error}") from error
    said = read.get("rule", [])
    if set(read) - {"rule"} or not isinstance(said, list):
        raise OptionError("rules", file, "expected [[rule]] tables only")
    return tuple(_rule(file, each) for each in said)


def _rule(file: str, said: Any) -> Rule:
    if not isinstance(said, dict) or (unknown := set(said) - FIELDS):
        strange = ", ".join(sorted(unknown)) if isinstance(said, dict) else str(said)
        raise OptionError("rules", file, f"a rule has {', '.join(sorted(FIELDS))}, not {strange}")
    for name in ("host", "path"):
        if not isinstance(said.get(name, ""), str):
            raise OptionError("rules", file, f"{name} is a text")
    return Rule(
        **{name: said[name] for name in ("host", "path") if name in said},
        keep=_selectors(file, said.get("keep", [])),
        drop=_selectors(file, said.get("drop", [])),
    )


def _selectors(file: str, said: Any) -> tuple[str, ...]:
    listed = [said] if isinstance(said, str) else said
    if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
        raise OptionError("rules", file, "keep and drop are selectors")
    return tuple(listed)


def overrides(page: Page, keep: Sequence[str], drop: Sequence[str]) -> tuple[Rows, list[str]]:
    """For each row, the place of the selector that decides it, or -1, and the selectors.

    The nearest element that a selector finds decides for all below it; where both find the same
    element, drop wins. The selectors are told as `keep X` and `drop X`.
    """
    said = [f"keep {each}" for each in keep] + [f"drop {each}" for each in drop]
    own = np.full(len(page), -1, np.int32)
    for at, selector in enumerate([*keep, *drop]):
        own[select(page, selector)] = at
    if not said:
        return own, said
    decider = nearest(page.parent, own >= 0)
    return np.where(decider >= 0, own[decider], -1).astype(np.int32), said
