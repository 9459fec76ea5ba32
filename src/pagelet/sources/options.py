"""Declaring and checking the options of sources, and what one page may cost."""

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from pagelet.errors import OptionError
from pagelet.page.expansion import MAX_NODES
from pagelet.wording import must_be_one_of, must_lie

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def option(help: str, default: Any, low: float | None = None, high: float | None = None) -> Any:
    """A field of an options class with its help text and its range."""
    return field(default=default, metadata={"help": help, "low": low, "high": high})


def check_options(options: "DataclassInstance") -> None:
    """Refuse values outside their range or their choices."""
    for part in fields(options):
        value, low, high = getattr(options, part.name), part.metadata["low"], part.metadata["high"]
        below = low is not None and not value >= low  # NaN is below too
        if below or (high is not None and value > high):
            raise OptionError(part.name, value, must_lie(low, high))
        if get_origin(part.type) is Literal and value not in get_args(part.type):
            raise OptionError(part.name, value, must_be_one_of(get_args(part.type)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of one page, from wherever it is read."""

    max_bytes: int = 100_000_000  #: decoded bytes; larger pages are refused, never cut
    max_nodes: int = MAX_NODES  #: elements and attributes of its tree; larger pages are refused
    timeout: float = 20.0  #: seconds for redirects, response and body, without polite waiting
    redirects: int = 10
