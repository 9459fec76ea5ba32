"""`pagelet mcp`: the methods as tools of a language-model client."""

from typing import Annotated, Any

import typer

from pagelet.cli import inputs
from pagelet.cli.inputs import SiteArguments
from pagelet.cli.loading import loading_parameters
from pagelet.cli.options import with_parameters
from pagelet.mcp.tools import MAX_CHARS, Permission

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

EXAMPLES = "pagelet mcp\npagelet mcp --allow-fetch"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("mcp", epilog=EXAMPLES)(with_parameters(mcp, loading_parameters()))


def mcp(
    *,
    allow_fetch: Fetch = False,
    max_chars: MaxChars = MAX_CHARS,
    call_timeout: CallTimeout = USUAL.call_timeout,
    memory: Memory = USUAL.memory,
    cache: inputs.CacheOption = None,
    no_cache: inputs.NoCacheOption = False,
    **arguments: Any,
) -> None:
    """Serve the methods to a language-model client.

    Speaks the Model Context Protocol over standard input and output, and ends when the client
    does. Pages are given as HTML; none is loaded without --allow-fetch.
    """
    from pagelet.mcp.server import serve  # noqa: PLC0415 - its packages are an extra

    given = SiteArguments.of({**arguments, "cache": cache, "no_cache": no_cache})
    allowed = Permission(
        fetch=allow_fetch, access=given.access(), limits=given.limits, max_chars=max_chars,
        call_timeout=call_timeout, memory=memory,
    )  # fmt: skip
    serve(allowed)
