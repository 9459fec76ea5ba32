"""`pagelet mcp`: the methods as tools of a language-model client."""

from typing import Annotated

import typer

from pagelet.cli import inputs
from pagelet.cli.inputs import SiteArguments
from pagelet.mcp.tools import MAX_CHARS, Permission
from pagelet.sources.options import Limits
from pagelet.sources.site import SITE_POLITENESS

USUAL = Permission()
Fetch = Annotated[
    bool, typer.Option("--allow-fetch", help="Load pages from the web for the client.")
]
MaxChars = Annotated[
    int, typer.Option("--max-chars", help="Characters of one answer, at most.", min=1)
]
CallTimeout = Annotated[
    float,
    typer.Option("--call-timeout", help="Seconds of one call, loading included.", min=0.1),
]
Memory = Annotated[int, typer.Option("--memory", help="Megabytes for a call.", min=200)]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("mcp")(mcp)


def mcp(  # noqa: PLR0913 - what a command line takes
    *,
    allow_fetch: Fetch = False,
    max_chars: MaxChars = MAX_CHARS,
    call_timeout: CallTimeout = USUAL.call_timeout,
    memory: Memory = USUAL.memory,
    max_bytes: inputs.BytesOption = Limits().max_bytes,
    max_nodes: inputs.NodesOption = Limits().max_nodes,
    timeout: inputs.TimeoutOption = Limits().timeout,
    delay: inputs.DelayOption = SITE_POLITENESS.delay,
    cache: inputs.CacheOption = None,
    no_cache: inputs.NoCacheOption = False,
    allow_private: inputs.AllowPrivateOption = None,
) -> None:
    """Serve the methods to a language-model client.

    Speaks the Model Context Protocol over standard input and output, and ends when the client
    does. Pages are given as HTML; none is loaded without --allow-fetch.
    """
    from pagelet.mcp.server import serve  # noqa: PLC0415 - its packages are an extra

    limits = Limits(max_bytes=max_bytes, max_nodes=max_nodes, timeout=timeout)
    given = SiteArguments(limits=limits, delay=delay, cache=cache, no_cache=no_cache,
                          allow_private=tuple(allow_private or ()))  # fmt: skip
    allowed = Permission(
        fetch=allow_fetch, access=given.access(), limits=given.limits, max_chars=max_chars,
        call_timeout=call_timeout, memory=memory,
    )  # fmt: skip
    serve(allowed)
