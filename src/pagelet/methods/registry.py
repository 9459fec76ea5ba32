"""What a method is: a row from which the CLI, the HTTP API, the forms and the docs are made."""

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints

from pagelet.errors import OptionError
from pagelet.page.layout import Layout
from pagelet.page.query import NO_QUERY, Query
from pagelet.page.site import SharedRows
from pagelet.page.table import Page
from pagelet.pagelets import Pagelets


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known beside the page itself."""

    site: Sequence[Page] = ()  #: other pages of the same site
    query: Query = NO_QUERY  #: what was typed into the form that the page answers
    template: SharedRows | None = None  #: what the page shares with its site, if that is known
    layout: Layout | None = None  #: where the rows of the page were drawn


@dataclass(frozen=True, slots=True)
class Profile:
    """A named pair of function and options."""

    run: Callable[[Page, Any, Evidence], Pagelets]
    options: Any


@dataclass(frozen=True, slots=True)
class Method:
    """One row of the registry."""

    name: str  #: also the kind of its pagelets and the name of its command
    summary: str  #: one line for help texts
    needs: tuple[str, ...]  #: page, site, boxes, query
    paper: str  #: the publication and its DOI
    profiles: Mapping[str, Profile]  #: "default" and "paper", at least
    uses: tuple[str, ...] = ()  #: what it can use beside what it needs
    formats: tuple[str, ...] = ("text", "json", "html")  #: what its command can write

    @property
    def options(self) -> type:
        """The options dataclass."""
        return type(self.profiles["default"].options)

    def profile(self, name: str) -> Profile:
        """A profile by name."""
        if name not in self.profiles:
            raise OptionError("profile", name, f"{self.name} has {', '.join(self.profiles)}")
        return self.profiles[name]

    def with_options(self, profile: str, changes: Mapping[str, Any]) -> Any:
        """The options of a profile with some of them changed, each checked."""
        options = self.profile(profile).options
        known = {field.name: field for field in option_fields(self.options)}
        for name, value in changes.items():
            if name not in known:
                raise OptionError(name, value, f"{self.name} has no such option")
            known[name].check(value)
        plain = {name: known[name].plain(value) for name, value in changes.items()}
        return dataclasses.replace(options, **plain)

    def has_option(self, name: str) -> bool:
        """Whether there is an option of this name."""
        return any(field.name == name for field in dataclasses.fields(self.options))


@dataclass(frozen=True, slots=True)
class OptionField:
    """One option: its name, type, default, help, and the values it may have."""

    name: str
    type: Any
    default: Any
    help: str
    low: float | None = None
    high: float | None = None

    @property
    def choices(self) -> tuple[str, ...]:
        """The words a choice may have; empty for numbers and flags."""
        return get_args(self.type) if get_origin(self.type) is Literal else ()

    @property
    def several(self) -> bool:
        """Whether the option may be said several times."""
        return get_origin(self.type) is tuple

    def plain(self, value: Any) -> Any:
        """A value as the dataclass holds it: a list, as JSON has it, becomes a tuple."""
        return tuple(value) if self.several else value

    def check(self, value: Any) -> None:
        """Refuse a value that is not of the type, the choices or the range."""
        if self.choices:
            if value not in self.choices:
                raise OptionError(self.name, value, f"one of {', '.join(self.choices)}")
        elif self.several:
            listed = isinstance(value, list | tuple)
            if not listed or not all(isinstance(each, str) for each in value):
                raise OptionError(self.name, value, "expected a list of texts")
        elif self.type is not str or not isinstance(value, str):
            self._check_number(value)

    def _check_number(self, value: Any) -> None:
        wanted = (int, float) if self.type is float else self.type
        if not isinstance(value, wanted) or (isinstance(value, bool) and self.type is not bool):
            raise OptionError(self.name, value, f"expected {self.type.__name__}")
        low = -math.inf if self.low is None else self.low
        high = math.inf if self.high is None else self.high
        if not low <= value <= high:  # also refuses NaN
            raise OptionError(self.name, value, f"between {low:g} and {high:g}")


def option(default: Any, help: str, low: float | None = None, high: float | None = None) -> Any:
    """A field of an options dataclass with its help text and range."""
    return dataclasses.field(default=default, metadata={"help": help, "low": low, "high": high})


def option_fields(options: type) -> list[OptionField]:
    """The options of a dataclass in order."""
    types = get_type_hints(options)
    return [
        OptionField(field.name, types[field.name], field.default, **field.metadata)
        for field in dataclasses.fields(options)
    ]
