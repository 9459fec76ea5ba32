"""The result of every method: regions of a page, each with its kind, score and reason."""

import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, overload

from pagelet import core
from pagelet.page import dom
from pagelet.page.dom import Link
from pagelet.page.lazy import lazy_property
from pagelet.page.table import Page

SCHEMA = 1  #: version of the JSON form
#: Kinds of the methods that come with pagelet; a method that is added may have others.
KINDS = (
    "menu", "clutter", "links", "noise", "content", "dropped", "slot", "template", "segment",
    "record",
)  # fmt: skip

Reason = Mapping[str, Any]  #: evidence by name: numbers, or words where no number fits
Words = Sequence[Mapping[str, Any]]  #: reasons in words: `text` and `effect`, strongest first
Box = tuple[float, float, float, float]  #: left, top, right, bottom in CSS pixels


@dataclass(frozen=True, slots=True)
class Pagelet:
    """A region of a page: a view of its rows, never a copy."""

    page: Page = field(repr=False)
    rows: tuple[int, ...]  #: the top rows of the region; all below them belongs to it
    kind: str  #: one of KINDS, or of the kinds of a method that was added
    score: float  #: confidence of the method, higher is better
    reason: Reason = field(default_factory=dict)
    box: Box | None = None  #: place of the region on a rendered page
    seen: str | None = field(
        default=None, repr=False
    )  #: its text, where the method tells or it was read
    role: str | None = None  #: what the region is for, where the method tells
    within: int | None = None  #: the pagelet with a role around this one, as its place in order

    @property
    def row(self) -> int:
        """The top row, the first where there are several."""
        return self.rows[0]

    @property
    def path(self) -> str | None:
        """XPath of the region; None when it has several top rows."""
        return self.page.path(self.rows[0]) if len(self.rows) == 1 else None

    @property
    def paths(self) -> list[str]:
        """XPaths of all top rows."""
        return [self.page.path(row) for row in self.rows]

    @property
    def text(self) -> str:
        """The text of the region, white space folded; on a rendered page only the visible text."""
        if self.seen is not None:
            return self.seen
        return " ".join(filter(None, (dom.readable_text(self.page, row) for row in self.rows)))

    @property
    def links(self) -> list[Link]:
        """The hyperlinks of the region."""
        return [link for row in self.rows for link in dom.links_of(self.page, row)]

    @property
    def html(self) -> str:
        """The HTML of the region."""
        return "\n".join(dom.html_of(self.page, row) for row in self.rows)

    @property
    def why(self) -> Words:
        """The strongest reasons in words, each with its effect; empty where there are none.

        An effect above 0 speaks for the kind, or the role, that the pagelet has.
        """
        return getattr(self.reason, "why", ())

    def to_dict(self, *, reasons: bool = True) -> dict[str, Any]:
        """The JSON form of one pagelet; on large pages reasons cost more than the answer."""
        form = self.to_brief()
        form["links"] = links_form(self.links)
        form["reason"] = plain_form(_read_reason(self.reason)) if reasons else {}
        form["why"] = plain_form(list(self.why)) if reasons and self._explained else []
        return form

    def to_brief(self) -> dict[str, Any]:
        """What a list of pagelets needs: where each is, what it is, and its text."""
        form = place_form(self.kind, self.paths)
        if self.box is not None:
            form["box"] = plain_form(self.box)
        if self.role is not None:
            form["role"], form["within"] = self.role, self.within
        form["score"], form["text"] = plain_form(self.score), self.text
        return form

    @property
    def _explained(self) -> bool:
        return getattr(self.reason, "explained", True)


def place_form(kind: str, paths: list[str]) -> dict[str, Any]:
    """The beginning of the JSON form of a pagelet: its kind, and the path or paths of its rows."""
    if len(paths) == 1:
        return {"kind": kind, "path": paths[0]}
    return {"kind": kind, "path": None, "paths": paths}


def links_form(links: Iterable[Link]) -> list[dict[str, str]]:
    """The JSON form of hyperlinks."""
    return [{"text": text, "href": href} for text, href in links]


class PageletMaker(ABC):
    """Makes pagelets when they are first needed, or their JSON forms all at once."""

    @abstractmethod
    def __call__(self) -> Iterable[Pagelet]:
        """The pagelets in order."""

    def forms(self, *, reasons: bool) -> list[dict[str, Any]]:
        """The JSON forms, the same as those of the pagelets."""
        return [pagelet.to_dict(reasons=reasons) for pagelet in self()]

    def write(self) -> "core.kernels.JsonText | None":
        """The same forms as JSON, where the compiled core writes them at once; None elsewhere.

        UnicodeEncodeError for a lone surrogate.
        """
        return None


@dataclass(frozen=True)
class Pagelets(Sequence[Pagelet]):
    """The result of one method on one page."""

    page: Page = field(repr=False)
    method: str
    profile: str
    find: Iterable[Pagelet] | Callable[[], Iterable[Pagelet]] = field(default=(), repr=False)
    #: the pagelets, or what makes them when they are first needed
    more: Callable[[], Mapping[str, Any]] = field(default=dict, repr=False)  #: makes `extra`
    source: Any = field(default=None, repr=False, compare=False)
    #: the decision that the pagelets were made from, for the method's own writers
    written: Callable[[], Mapping[str, Any]] = field(default=dict, repr=False)
    #: makes the rest of `extra`: the whole answer written out, which costs most on large pages

    def __repr__(self) -> str:
        kinds = Counter(item.kind for item in self.items)
        counts = ", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "none"
        return f"Pagelets({counts}; method={self.method!r}, profile={self.profile!r})"

    @lazy_property
    def items(self) -> tuple[Pagelet, ...]:
        """The pagelets in order."""
        return tuple(self.find() if callable(self.find) else self.find)

    @lazy_property
    def extra(self) -> Mapping[str, Any]:
        """The fields that only this method adds, in JSON form; made on first use."""
        return {**self.more(), **self.written()}

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Pagelet]:
        return iter(self.items)

    @overload
    def __getitem__(self, index: int) -> Pagelet: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Pagelet]: ...
    def __getitem__(self, index: int | slice) -> Pagelet | Sequence[Pagelet]:
        return self.items[index]

    def to_dict(self, *, reasons: bool = True) -> dict[str, Any]:
        """The JSON form: one object per page, as docs/data-model.md describes it."""
        if isinstance(self.find, PageletMaker):
            items = self.find.forms(reasons=reasons)
        else:
            items = [pagelet.to_dict(reasons=reasons) for pagelet in self.items]
        return {**self._head, "pagelets": items, **self.extra}

    def to_brief(self) -> dict[str, Any]:
        """The JSON form of a large answer: no links, no reasons, and nothing written out."""
        items = [pagelet.to_brief() for pagelet in self.items]
        return {**self._head, "brief": True, "pagelets": items, **self.more()}

    @property
    def _head(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "url": self.page.url,
            **({"charset": self.page.charset} if self.page.charset else {}),
            "method": self.method,
            "profile": self.profile,
        }

    def to_json(self, indent: int | None = None) -> str:
        """The JSON form as text."""
        return (self._write_at_once() if indent is None else None) or write_json(
            self.to_dict(), indent
        )

    def _write_at_once(self) -> str | None:
        """The JSON form without forms of single pagelets; None where these are needed."""
        with suppress(UnicodeEncodeError):  # lone surrogates are left to Python
            items = self.find.write() if isinstance(self.find, PageletMaker) else None
            if items is not None:
                return core.kernels.write_json({**self._head, "pagelets": items, **self.extra})
        return None

    @classmethod
    def from_dict(cls, page: Page, form: Mapping[str, Any]) -> "Pagelets":
        """Read the JSON form back, over the page it was made from."""
        common = {"schema", "url", "charset", "method", "profile", "pagelets"}
        items = tuple(_read(page, item) for item in form["pagelets"])
        extra = {name: value for name, value in form.items() if name not in common}
        return cls(page, form["method"], form["profile"], items, partial(dict, extra))


def write_json(form: dict[str, Any], indent: int | None = None) -> str:
    """A JSON form as text, by the compiled core where it is one line and holds nothing odd."""
    if core.compiled and indent is None:
        with suppress(UnicodeEncodeError):  # lone surrogates are left to Python
            text = core.kernels.write_json(form)
            if text is not None:
                return text
    return json.dumps(form, ensure_ascii=False, indent=indent)


def _read(page: Page, form: Mapping[str, Any]) -> Pagelet:
    paths = form["paths"] if form["path"] is None else [form["path"]]
    rows = tuple(map(page.row, paths))
    fields = (form["kind"], form["score"], WordedReason(form["reason"], form.get("why", ())))
    box, role = form.get("box"), form.get("role")
    placed = None if box is None else tuple(box)
    return Pagelet(page, rows, *fields, placed, form["text"], role, form.get("within"))


class LazyReason(Mapping[str, Any], ABC):
    """A reason that is computed when it is first read, as most callers only want the regions."""

    #: Whether its words stand in the JSON form; they cost more than the answer on large pages.
    explained = True

    @property
    def why(self) -> Words:
        """The strongest reasons in words, each with its effect."""
        return ()

    @lazy_property
    def values_by_name(self) -> dict[str, Any]:
        """The evidence by name, computed once."""
        return self._compute()

    @abstractmethod
    def _compute(self) -> dict[str, Any]: ...

    def __getitem__(self, name: str) -> Any:
        return self.values_by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.values_by_name)

    def __len__(self) -> int:
        return len(self.values_by_name)

    def __repr__(self) -> str:
        return repr(self.values_by_name)


class WordedReason(dict[str, Any]):
    """A reason with its words, or with what makes them when they are first read."""

    def __init__(self, values: Mapping[str, Any], why: Words | Callable[[], Words]) -> None:
        super().__init__(values)
        self._why = why

    @property
    def why(self) -> Words:
        """The words, strongest first."""
        if callable(self._why):
            self._why = self._why()
        return self._why


def _read_reason(reason: Reason) -> dict[str, Any]:
    return reason.values_by_name if isinstance(reason, LazyReason) else dict(reason)


PLAIN_TYPES = frozenset((str, int, bool, type(None)))  #: types that JSON has as they are


def plain_form(value: Any) -> Any:
    """Turn numpy numbers into Python's, rounded to six decimals."""
    if type(value) in PLAIN_TYPES:
        return value
    if isinstance(value, dict):
        return {str(name): plain_form(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain_form(part) for part in value]
    if hasattr(value, "item"):
        value = value.item()
    return round(value, 6) if isinstance(value, float) else value
