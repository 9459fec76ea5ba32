"""How pages are loaded from the web: flags of every command that loads some, and their loader."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pagelet.cli.options import Flag, Parameter, changed, flag_parameters
from pagelet.cli.pages import NamedPages
from pagelet.errors import Unreachable
from pagelet.sources.http.identity import Identity
from pagelet.sources.http.politeness import SINGLE_PAGE, Politeness
from pagelet.sources.loading import guess_address
from pagelet.sources.names import is_address
from pagelet.sources.options import Limits

if TYPE_CHECKING:
    from pagelet.sources.http.loader import Loader

LOADING_PANEL = "Loading"
MANY_PAGES = Politeness(scope=("*",))  #: for addresses that a user lists
LIMITS = {
    "max_bytes": Flag("Refuse larger pages.", low=1),
    "max_nodes": Flag("Refuse pages of more elements and attributes.", low=1),
    "timeout": Flag("Seconds that loading a page may take.", low=0.1),
}
MANNERS = {
    "delay": Flag("Seconds between an answer and the next request to a host.", low=0),
    "robots": Flag("Obey robots.txt."),
    "retries": Flag("How often a request that failed is sent again.", low=0),
    "allow_private": Flag("Host that may be loaded though its address is not public.", "HOST:PORT"),
}
#: further limits, for commands that load many pages
BUDGETS = {
    "pages": Flag("Maximum requests to one host.", low=1),
    "bytes": Flag("Maximum bytes from one host.", low=1),
    "seconds": Flag("Maximum seconds spent on one host, including waiting.", low=1),
    "scope": Flag("A host that redirects may lead to; * for any.", "HOST"),
    "redirects": Flag("Maximum redirects per page.", low=0),
}
SENDER = {
    "user_agent": Flag("Name sent to servers and looked up in robots.txt.", "NAME/VERSION"),
    "header": Flag("A header for the hosts that are named.", "'NAME: VALUE'"),
    "cookie": Flag("A cookie for the hosts that are named.", "NAME=VALUE"),
}


def loading_parameters(panel: str = LOADING_PANEL, *, budgets: bool = False) -> list[Parameter]:
    """The parameters of a command that loads pages."""
    further = BUDGETS if budgets else {}
    flags = {**LIMITS, **MANNERS, **SENDER, **further}
    return [
        *flag_parameters(Limits, panel, flags),
        *flag_parameters(Politeness, panel, flags),
        *flag_parameters(Identity, panel, flags),
    ]


def open_loader(arguments: Mapping[str, Any], manners: Politeness = Politeness()) -> "Loader":
    """The loader that the flags of a command describe; to be closed."""
    from pagelet.sources.http.loader import Loader  # noqa: PLC0415 - brings the HTTP client

    return Loader(
        changed(Limits(), arguments),
        changed(manners, arguments),
        identity=changed(Identity(), arguments),
    )


@contextmanager
def loader_for(pages: NamedPages, arguments: Mapping[str, Any]) -> "Iterator[Loader | None]":
    """One loader for all addresses among the pages of a command; None if all are files.

    A single address is loaded at once, as a browser would; several are loaded politely.
    """
    if not any(is_address(page.source) for page in pages.pages):
        yield None
        return
    with open_loader(arguments, MANY_PAGES if pages.several else SINGLE_PAGE) as loader:
        yield loader


def check_address(text: str) -> str:
    """An address that a command needs; a host without a scheme is pointed out."""
    if is_address(text):
        return text
    meant = guess_address(text)
    advice = f"did you mean {meant} ?" if meant else "give an http(s) URL"
    raise Unreachable(text, f"this is no address; {advice}")
