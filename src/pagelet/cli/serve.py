"""`pagelet serve`: the methods, the explorer and the annotator over HTTP."""

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import typer

from pagelet.cli.help import COMMON
from pagelet.cli.options import Flag, changed, flag_parameters, with_parameters
from pagelet.cli.output import console
from pagelet.server.settings import Settings, load_token

ACCESS, LIMITS, CLIENT_LIMITS = "Access", "Limits", "Limits per client"
VARIABLE = "PAGELET_TOKEN"  #: of the environment
LIMITED = ("max_bytes", "max_nodes", "timeout", "workers", "memory")
LIMITED_PER_CLIENT = (
    "head_timeout", "body_timeout", "batch_timeout", "queue_timeout", "held_bytes", "client_share",
)  # fmt: skip
FLAGS = {
    "token": Flag(metavar="TOKEN", envvar=VARIABLE, panel=ACCESS),
    "require_token": Flag(panel=ACCESS),
    "hosts": Flag(name="--allow-host", metavar="NAME", panel=ACCESS),
    "allow_private": Flag(metavar="HOST:PORT"),
    "database": Flag(metavar="FILE"),
    "max_waiting": Flag(name="--waiting", panel=LIMITS),
    "max_connections": Flag(name="--connections", panel=CLIENT_LIMITS),
    **dict.fromkeys(LIMITED, Flag(panel=LIMITS)),
    **dict.fromkeys(LIMITED_PER_CLIENT, Flag(panel=CLIENT_LIMITS)),
}

EXAMPLES = "pagelet serve\npagelet serve --port 9000 --allow-fetch"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    parameters = flag_parameters(Settings, COMMON, FLAGS)
    app.command("serve", epilog=EXAMPLES)(with_parameters(serve, parameters))


def serve(**options: Any) -> None:
    """Serve the methods over HTTP, with the explorer at / and the annotator at /annotate.

    Listens on this machine alone, unless --host says otherwise; then everybody needs the token.
    No page is loaded from the web without --allow-fetch.
    """
    from pagelet.server import run  # noqa: PLC0415 - few commands serve

    run.require_extra()
    from pagelet.annotator.routes import ANNOTATOR  # noqa: PLC0415 - needs the extra

    token = options.pop("token") or load_token(token_file())
    settings = changed(replace(Settings(), token=token), options)
    run.log_to(sys.stderr, verbose=settings.verbose)
    run.serve(settings, lambda text: console().print(text, markup=False), (ANNOTATOR,))


def token_file() -> Path:
    """Where the token of this user is kept."""
    folder = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(folder) / "pagelet" / "token"
