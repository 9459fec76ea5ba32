"""Arguments that several commands share."""

from typing import Annotated

import typer

PageArgument = Annotated[
    str, typer.Argument(metavar="PAGE", help="A file, an http(s) URL, or - for standard input.")
]
ProfileOption = Annotated[
    str,
    typer.Option(
        "--profile",
        "-p",
        help="default: ours; paper: the publication's values.",
        metavar="default|paper",
    ),
]
ExplainOption = Annotated[
    bool, typer.Option("--explain", "-e", help="Print the measures behind the answer.")
]
UrlOption = Annotated[
    str | None,
    typer.Option("--url", help="Where the page came from; links are resolved against it."),
]
BytesOption = Annotated[int, typer.Option("--max-bytes", help="Refuse larger pages.", min=1)]
TimeoutOption = Annotated[float, typer.Option("--timeout", help="Seconds a URL may take.", min=0.1)]
AllowPrivateOption = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-private",
        help="A host that may be asked though its address is not public; may be said several"
        " times.",
        metavar="HOST:PORT",
        show_default=False,
    ),
]
