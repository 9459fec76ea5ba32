"""`pagelet mcp`: the methods as tools of a language-model client."""

from typing import Annotated

import typer

from pagelet.cli import options as shared
from pagelet.cli.site import CacheOption, DelayOption, NoCacheOption, Said
from pagelet.mcp.tools import MAX_CHARS, Permission
from pagelet.sources.limits import Limits
from pagelet.sources.site import SITE_POLITENESS

Fetch = Annotated[
    bool, typer.Option("--allow-fetch", help="Let the client have pages loaded from the web.")
]
MaxChars = Annotated[
    int, typer.Option("--max-chars", help="Characters of one answer, at most.", min=1)
]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("mcp")(mcp)


def mcp(  # noqa: PLR0913 - what a command line takes
    *,
    allow_fetch: Fetch = False,
    max_chars: MaxChars = MAX_CHARS,
    max_bytes: shared.BytesOption = Limits().max_bytes,
    timeout: shared.TimeoutOption = Limits().timeout,
    delay: DelayOption = SITE_POLITENESS.delay,
    cache: CacheOption = None,
    no_cache: NoCacheOption = False,
    allow_private: shared.AllowPrivateOption = None,
) -> None:
    """Serve content, menu, clutter, template and segments to a language-model client.

    Speaks the Model Context Protocol over standard input and output, and ends when the client
    does. Pages are given as HTML; none is loaded without --allow-fetch.
    """
    from pagelet.mcp.server import serve  # noqa: PLC0415 - its packages are an extra

    said = Said(limits=Limits(max_bytes=max_bytes, timeout=timeout), delay=delay, cache=cache,
                no_cache=no_cache, allow_private=tuple(allow_private or ()))  # fmt: skip
    allowed = Permission(
        fetch=allow_fetch, access=said.access(), limits=said.limits, max_chars=max_chars
    )
    serve(allowed)
