"""`pagelet inspect`: everything at once, as a summary and one self-contained HTML report."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from pagelet.cli import inputs
from pagelet.cli.inputs import SiteArguments, open_site_context, warn_unknown
from pagelet.cli.loading import loader_for, loading_parameters
from pagelet.cli.options import changed, with_parameters
from pagelet.cli.output import print_result, write_file
from pagelet.cli.output import report as report_line
from pagelet.cli.pages import name_pages
from pagelet.cli.rendering import read_rendering, render_options, render_parameters
from pagelet.context import Context
from pagelet.errors import NO_VALUE, OptionError
from pagelet.methods import METHODS, list_profiles
from pagelet.methods.listing import shorten
from pagelet.methods.registry import Method
from pagelet.methods.template import TEMPLATE
from pagelet.page.query import Query
from pagelet.page.tags import TEXT
from pagelet.page.words import measure_texts
from pagelet.pagelets import Pagelets
from pagelet.report import report
from pagelet.sources.options import Limits
from pagelet.wording import count_of, join_names, must_be_one_of

Output = Annotated[
    Path, typer.Option("--output", "-o", help="Where to write the report; - for standard output.")
]


RenderOption = Annotated[
    bool,
    typer.Option(
        "--render", help="Render the page in a browser: with its picture and visual segments."
    ),
]

OpenOption = Annotated[bool, typer.Option("--open", help="Open the report in the browser.")]

EXAMPLES = (
    "pagelet inspect page.html --open\npagelet inspect https://example.org --render -o report.html"
)
NAME_COLUMNS = 10  #: columns of names in the summary
MAX_TITLE_CHARS = 66
#: what to add for methods that could not run, by what they need
ADVICE = {
    "boxes": "--render",
    "site": "--site DIR or --template FILE",
    "query": "--query WORDS",
}


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("inspect", epilog=EXAMPLES)(
        with_parameters(inspect, [*loading_parameters(), *render_parameters()])
    )


def _run(context: Context, method: Method, profile: str) -> Pagelets:
    """The result of a method, with what it left out where it can report that."""
    return context.run(method, _options(method, profile))


def _options(method: Method, profile: str) -> Any:
    changes = {"explain": True} if method.has_option("explain") else {}
    return method.with_options(method.profile_or_default(profile), changes)


def inspect(  # noqa: PLR0913 - what a command line takes
    page: inputs.PageArgument,
    *,
    output: Output = Path("report.html"),
    show: OpenOption = False,
    render: RenderOption = False,
    profile: inputs.ProfileOption = "default",
    site: inputs.SiteOption = None,
    site_pages: inputs.SitePagesOption = 20,
    template: inputs.TemplateOption = "",
    cache: inputs.CacheOption = None,
    no_cache: inputs.NoCacheOption = False,
    query: inputs.QueryOption = None,
    url: inputs.UrlOption = None,
    **arguments: Any,
) -> None:
    """Everything at once: a summary, and one HTML report with every pagelet coloured.

    Noise needs a query, the template a site or a learned template, segments a rendering.
    """
    if profile not in list_profiles():
        raise OptionError("profile", profile, must_be_one_of(list_profiles()))
    if show and str(output) == "-":
        raise OptionError(
            "open", NO_VALUE, "a report on standard output is no file; leave out -o -"
        )
    named = {"site": site, "template": template, "site_pages": site_pages, "url": url,
             "cache": cache, "no_cache": no_cache}  # fmt: skip
    allowed = tuple(arguments["allow_private"] or ())
    options = render_options(arguments, picture=True, allow_private=allowed)
    limits = changed(Limits(), arguments)
    rendering = read_rendering(page, options, limits, url=url) if render else None
    read = rendering.page if rendering else None
    chosen = TEMPLATE.profile(TEMPLATE.profile_or_default(profile)).options
    with (
        loader_for(name_pages([page]), arguments) as loader,
        open_site_context(
            page, SiteArguments.of({**arguments, **named, "loader": loader}), chosen, read
        ) as opened,
    ):
        warn_unknown(opened)
        context = replace(opened, rendering=rendering, query=Query.of(query or ()))
        found = [_run(context, method, profile) for method in context.runnable()]
    lines = list(summarise(context, found))
    found.sort(key=len)  # the few first
    text = report(
        rendering or context.page,
        found,
        folder=None if page == "-" or "://" in page else Path(page).parent,
        options={method.name: _options(method, profile) for method in context.runnable()},
    )
    if str(output) == "-":
        print_result(text)
        return
    write_file(output, text)
    print_result("\n".join([*lines, f"{'report':<{NAME_COLUMNS}}{output}"]))
    if show:
        open_report(output)


def open_report(path: Path) -> None:
    """Show a report in the browser of the user, or say that there is none."""
    import webbrowser  # noqa: PLC0415 - few runs open one

    if not webbrowser.open(path.resolve().as_uri()):
        report_line(f"no browser was found; open {path} in one")


def summarise(context: Context, found: Sequence[Pagelets]) -> Iterator[str]:
    """Lines about a page: its title and type, then what each method found, or what it needs."""
    facts = {name: value for result in found for name, value in result.extra.items()}
    yield f"{'title':<{NAME_COLUMNS}}{shorten(facts.get('title') or '(none)', MAX_TITLE_CHARS)}"
    if page_type := facts.get("page_type"):
        yield f"{'type':<{NAME_COLUMNS}}{page_type}"
    results = {result.method: result for result in found}
    for name, method in METHODS.items():
        text = describe(results[name], method) if name in results else missing(context, method)
        yield f"{name:<{NAME_COLUMNS}}{text}"


def describe(result: Pagelets, method: Method) -> str:
    """How many pagelets a method found, and the words and links in them."""
    kept = [item for item in result if item.kind in method.kinds] or list(result)
    if not kept:
        return "none"
    page = result.page
    inside = page.inside(np.array([row for item in kept for row in item.rows], np.intp))
    rows = np.flatnonzero(inside & page.counted & (page.tag == TEXT)).tolist()
    texts = [result.extra["text"]] if "text" in result.extra else [page.text(row) for row in rows]
    words = int(measure_texts(texts)[1].sum())
    links = int(inside[page.anchors].sum())
    counts = ((len(kept), "part"), (words, "word"), (links, "link"))
    return ", ".join(count_of(*each) for each in counts)


def missing(context: Context, method: Method) -> str:
    """What a method that could not run needs."""
    needs = [need for need in method.needs if not context.has(need)]
    needs += ["query"] if method.takes("query") and not context.query else []
    flags = join_names([ADVICE[need] for need in needs if need in ADVICE])
    return f"not looked for; it takes {flags}"
