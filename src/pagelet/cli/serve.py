"""`pagelet serve`: the methods, the explorer and the annotator over HTTP."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from pagelet.cli.output import console
from pagelet.server.settings import Settings, load_token

USUAL = Settings()
ACCESS = "Access"
LIMITS = "Limits"
VARIABLE = "PAGELET_TOKEN"  #: of the environment

Host = Annotated[str, typer.Option("--host", help="The address to listen on.")]
Port = Annotated[
    int, typer.Option("--port", help="The port; 0 for any that is free.", min=0, max=65535)
]
Fetch = Annotated[bool, typer.Option("--allow-fetch", help="Load pages from the web for clients.")]
Render = Annotated[
    bool, typer.Option("--render/--no-render", help="Draw pages in a browser, where there is one.")
]
Database = Annotated[
    Path | None,
    typer.Option(
        "--database", help="Where the annotator keeps its marks.", metavar="FILE",
        show_default="the user's data folder",
    ),
]  # fmt: skip
Token = Annotated[
    str,
    typer.Option(
        "--token", envvar=VARIABLE, help="Token that clients must send; created if none is given.",
        metavar="TOKEN", show_default=False, rich_help_panel=ACCESS,
    ),
]  # fmt: skip
RequireToken = Annotated[
    bool,
    typer.Option(
        "--require-token", help="Require the token on loopback too.", rich_help_panel=ACCESS
    ),
]
AllowHost = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-host", help="Another host name of this service (repeatable).",
        metavar="NAME", show_default=False, rich_help_panel=ACCESS,
    ),
]  # fmt: skip
MaxBytes = Annotated[
    int,
    typer.Option(
        "--max-bytes",
        help="Maximum bytes of a request or a fetched page.",
        min=1,
        rich_help_panel=LIMITS,
    ),
]
MaxNodes = Annotated[
    int,
    typer.Option(
        "--max-nodes",
        help="Maximum elements and attributes of a page.",
        min=1,
        rich_help_panel=LIMITS,
    ),
]
Timeout = Annotated[
    float,
    typer.Option(
        "--timeout", help="Maximum seconds of work per request.", min=0.1, rich_help_panel=LIMITS
    ),
]
Waiting = Annotated[
    int,
    typer.Option("--waiting", help="Maximum requests that wait.", min=1, rich_help_panel=LIMITS),
]
Workers = Annotated[
    int,
    typer.Option(
        "--workers", help="Worker processes; 0: one per processor.", min=0,
        rich_help_panel=LIMITS,
    ),
]  # fmt: skip
Memory = Annotated[
    int,
    typer.Option(
        "--memory", help="Maximum megabytes of memory per page.", min=200, rich_help_panel=LIMITS
    ),
]
CLIENT_LIMITS = "Limits per client"
HeadTimeout = Annotated[
    float,
    typer.Option(
        "--head-timeout", help="Seconds in which the head of a request must arrive.", min=0.1,
        rich_help_panel=CLIENT_LIMITS,
    ),
]  # fmt: skip
BodyTimeout = Annotated[
    float,
    typer.Option(
        "--body-timeout", min=0.1, rich_help_panel=CLIENT_LIMITS,
        help="Seconds in which a body or a line of a batch must arrive, or an answer be read on.",
    ),
]  # fmt: skip
BatchTimeout = Annotated[
    float,
    typer.Option(
        "--batch-timeout",
        help="Maximum seconds of a whole batch.",
        min=0.1,
        rich_help_panel=CLIENT_LIMITS,
    ),
]
QueueTimeout = Annotated[
    float,
    typer.Option(
        "--queue-timeout", help="Maximum seconds that a request waits for a worker.", min=0.1,
        rich_help_panel=CLIENT_LIMITS,
    ),
]  # fmt: skip
Connections = Annotated[
    int,
    typer.Option(
        "--connections", help="Maximum connections at a time.", min=2, rich_help_panel=CLIENT_LIMITS
    ),
]
HeldBytes = Annotated[
    int,
    typer.Option(
        "--held-bytes", min=0, rich_help_panel=CLIENT_LIMITS,
        help="Maximum bytes of all requests in memory; 0: 16 times --max-bytes.",
    ),
]  # fmt: skip
ClientShare = Annotated[
    float,
    typer.Option(
        "--client-share", min=0.01, max=1.0, rich_help_panel=CLIENT_LIMITS,
        help="Share of connections, waiting requests and bytes that one address may take.",
    ),
]  # fmt: skip


AllowPrivate = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-private", metavar="HOST:PORT", show_default=False,
        help="A host that may be loaded from though its address is not public (repeatable).",
    ),
]  # fmt: skip

EXAMPLES = "pagelet serve\npagelet serve --port 9000 --allow-fetch"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("serve", epilog=EXAMPLES)(serve)


def serve(  # noqa: PLR0913 - what a command line takes
    *,
    host: Host = USUAL.host,
    port: Port = USUAL.port,
    allow_fetch: Fetch = False,
    allow_private: AllowPrivate = None,
    render: Render = True,
    database: Database = None,
    token: Token = "",
    require_token: RequireToken = False,
    allow_host: AllowHost = None,
    max_bytes: MaxBytes = USUAL.max_bytes,
    max_nodes: MaxNodes = USUAL.max_nodes,
    timeout: Timeout = USUAL.timeout,
    waiting: Waiting = USUAL.max_waiting,
    workers: Workers = USUAL.workers,
    memory: Memory = USUAL.memory,
    head_timeout: HeadTimeout = USUAL.head_timeout,
    body_timeout: BodyTimeout = USUAL.body_timeout,
    batch_timeout: BatchTimeout = USUAL.batch_timeout,
    queue_timeout: QueueTimeout = USUAL.queue_timeout,
    connections: Connections = USUAL.max_connections,
    held_bytes: HeldBytes = USUAL.held_bytes,
    client_share: ClientShare = USUAL.client_share,
) -> None:
    """Serve the methods over HTTP, with the explorer at / and the annotator at /annotate.

    Listens on this machine alone, unless --host says otherwise; then everybody needs the token.
    No page is loaded from the web without --allow-fetch.
    """
    from pagelet.server import run  # noqa: PLC0415 - few commands serve

    run.require_extra()
    from pagelet.annotator.routes import ANNOTATOR  # noqa: PLC0415 - needs the extra

    settings = Settings(
        host=host, port=port, allow_fetch=allow_fetch, allow_private=tuple(allow_private or ()),
        render=render, database=database, token=token or load_token(token_file()),
        require_token=require_token, hosts=tuple(allow_host or ()), max_bytes=max_bytes,
        max_nodes=max_nodes, timeout=timeout, max_waiting=waiting, workers=workers, memory=memory,
        head_timeout=head_timeout, body_timeout=body_timeout, batch_timeout=batch_timeout,
        queue_timeout=queue_timeout, max_connections=connections, held_bytes=held_bytes,
        client_share=client_share,
    )  # fmt: skip
    run.log_to(sys.stderr)
    run.serve(settings, lambda text: console().print(text, markup=False), (ANNOTATOR,))


def token_file() -> Path:
    """Where the token of this user is kept."""
    folder = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(folder) / "pagelet" / "token"
