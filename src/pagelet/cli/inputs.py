"""What commands take beside options: a page, its site, its template, a query, a rendering.

Which of them a command has follows from what its method needs and uses.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from pagelet.cli.loading import loading_parameters
from pagelet.cli.options import FORMAT_HELP, JSON_LINES, Parameter, changed
from pagelet.cli.output import progress, report
from pagelet.cli.pages import InputFileOption, OutputOption, PagesArgument
from pagelet.context import Context, read_template
from pagelet.methods.registry import DEFAULT, Method
from pagelet.page.query import NO_QUERY, Query
from pagelet.page.table import Page
from pagelet.sources import load, load_by, load_folder
from pagelet.sources.http.identity import Identity
from pagelet.sources.options import Limits

if TYPE_CHECKING:
    from pagelet.sources.http.loader import Loader
    from pagelet.sources.site import Access, OpenSite

RENDER_SECONDS = 30.0  #: default of --timeout where a page is rendered
QUERY_PANEL = "Query"

PageArgument = Annotated[
    str, typer.Argument(metavar="PAGE", help="A file, an http(s) URL, or - for standard input.")
]
ProfileOption = Annotated[
    str,
    typer.Option(
        "--profile",
        "-p",
        help="Whose values are used; default: ours; paper: the publication's, where there is one.",
        metavar="default|paper",
    ),
]
OptionsFileOption = Annotated[
    Path | None,
    typer.Option(
        "--options",
        help="Options in a JSON file, as `pagelet train` writes it; flags override them.",
        metavar="FILE",
        show_default=False,
    ),
]
AlsoOption = Annotated[
    str | None,
    typer.Option(
        "--also",
        help="More answers in one JSON object, such as metadata,menu.",
        metavar="NAMES",
        rich_help_panel="Output",
        show_default=False,
    ),
]
UrlOption = Annotated[
    str | None,
    typer.Option("--url", help="Where the page came from; links are resolved against it."),
]
CharsetOption = Annotated[
    str | None,
    typer.Option(
        "--charset",
        help="Encoding of the page, where it states a wrong one.",
        metavar="LABEL",
        show_default=False,
    ),
]
FormatOption = Annotated[
    Literal["text", "json"],
    typer.Option("--format", "-f", help="Output format.", metavar="text|json"),
]
FORMATS = ("text", "json", JSON_LINES)  #: formats of commands for pages that are no methods
PagesFormatOption = Annotated[
    Literal["text", "json", "jsonl"] | None,
    typer.Option(
        "--format",
        "-f",
        help=FORMAT_HELP.format("text"),
        metavar="|".join(FORMATS),
        show_default=False,
    ),
]
SiteOption = Annotated[
    str | None,
    typer.Option(
        "--site",
        help="Other pages of the site: a folder, a WARC file, or a URL.",
        metavar="DIR|WARC|URL",
    ),
]
SitePagesOption = Annotated[
    int, typer.Option("--site-pages", help="Maximum pages of the site to read.", min=1)
]
TemplateOption = Annotated[
    str,
    typer.Option(
        "--template",
        help="A template of the site, as `pagelet learn` writes it.",
        metavar="FILE",
        show_default=False,
    ),
]
CacheOption = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        help="Folder of the cache for pages of a site on the web; default: the user cache folder.",
        metavar="DIR",
        show_default=False,
    ),
]
NoCacheOption = Annotated[
    bool, typer.Option("--no-cache", help="Do not cache pages of a site on the web.")
]
QueryOption = Annotated[
    list[str] | None,
    typer.Option(
        "--query", "-q", metavar="TERMS", rich_help_panel=QUERY_PANEL,
        help="Words that were typed into the search form (repeatable).",
    ),
]  # fmt: skip
FormOption = Annotated[
    str | None,
    typer.Option(
        "--form", metavar="PAGE", rich_help_panel=QUERY_PANEL,
        help="The page with the search form, a file or URL; its labels are evidence too.",
    ),
]  # fmt: skip
SubmissionsOption = Annotated[
    Path | None,
    typer.Option(
        "--submissions", metavar="FILE", rich_help_panel=QUERY_PANEL,
        help="submissions.jsonl as `pagelet probe` writes it.",
    ),
]  # fmt: skip


PdfPageOption = Annotated[
    int, typer.Option("--pdf-page", help="The page of a PDF.", min=1, rich_help_panel="Rendering")
]
PictureOption = Annotated[
    Path | None,
    typer.Option("--picture", help="Draw the result over the page, as PNG or SVG.", metavar="FILE"),
]
MemoryOption = Annotated[
    Path | None,
    typer.Option(
        "--memory",
        help="Remember the threshold that worked, and use it for pages of the same template.",
        metavar="FILE",
    ),
]


# -- parameters -------------------------------------------------------------------------------


def input_parameters(method: Method) -> list[Parameter]:
    """The parameters of a command for everything its method takes."""
    rendered = "boxes" in method.needs
    kinds: dict[str, tuple[Any, Any]] = {
        "pages": (PagesArgument, None),
        "input_file": (InputFileOption, None),
        "output": (OutputOption, None),
        **({} if rendered or "site" in method.needs else {"also": (AlsoOption, None)}),
        "profile": (profile_option(method), None),
        "options": (OptionsFileOption, None),
        "url": (UrlOption, None),
        **({} if rendered else {"charset": (CharsetOption, None)}),
    }
    if method.takes("template"):
        kinds |= {"site": (SiteOption, None), "template": (TemplateOption, "")}
        kinds |= {"cache": (CacheOption, None), "no_cache": (NoCacheOption, False)}
    if method.takes("site") and "site" not in method.needs:
        kinds["site_pages"] = (SitePagesOption, 20)
    if method.takes("query"):
        kinds |= {"query": (QueryOption, None), "form": (FormOption, None)}
        kinds["submissions"] = (SubmissionsOption, None)
    if rendered:
        kinds |= {"picture": (PictureOption, None), "pdf_page": (PdfPageOption, 1)}
    if method.takes("memory"):
        kinds["memory"] = (MemoryOption, None)
    parameters = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for name, (kind, default) in kinds.items()
    ]
    drawing = rendering().render_parameters() if rendered else []
    return [*parameters, *loading_parameters(), *drawing]


def rendering() -> Any:
    """The module for rendered pages; most commands need none of it."""
    from pagelet.cli import rendering as module  # noqa: PLC0415 - brings the HTTP client

    return module


def profile_option(method: Method) -> Any:
    """The option that names one of a method's profiles."""
    about = "; ".join(f"{name}: {each.summary}" for name, each in method.profiles.items())
    names = "|".join(method.profiles)
    shown = typer.Option(
        "--profile",
        "-p",
        help=f"Whose values are used; {about}.",
        metavar=names,
        show_default=DEFAULT,
    )
    return Annotated[str | None, shown]


# -- reading ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteArguments:
    """Where a page and its site are, and how they are read."""

    site: str | None = None
    template: str = ""
    site_pages: int = 0  #: pages of the site that a method looks at itself
    url: str | None = None
    charset: str | None = None
    limits: Limits = field(default_factory=Limits)
    manners: Mapping[str, Any] = field(default_factory=dict)  #: flags about politeness and sender
    loader: "Loader | None" = None  #: loads the page itself; None for files
    cache: Path | None = None  #: folder of the cache; None for the user's own
    no_cache: bool = False

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> "SiteArguments":
        """The arguments of a command that are about its page and site."""
        names = ("site", "template", "site_pages", "url", "charset", "cache", "no_cache", "loader")
        return cls(
            limits=changed(Limits(), arguments),
            manners=arguments,
            **{name: arguments[name] for name in names if name in arguments},
        )

    def access(self) -> "Access":
        """How other pages are read: politely, and no large ones."""
        from pagelet.sources.http.cache import Cache  # noqa: PLC0415 - brings the HTTP client
        from pagelet.sources.site import SITE_POLITENESS, Access  # noqa: PLC0415

        usual = Access().limits.max_bytes
        limits = replace(self.limits, max_bytes=min(self.limits.max_bytes, usual))
        return Access(
            limits=limits,
            politeness=changed(SITE_POLITENESS, self.manners),
            cache=None if self.no_cache else Cache(self.cache),
            identity=changed(Identity(), self.manners),
        )


@contextmanager
def open_context(
    method: Method, source: str, options: Any, arguments: Mapping[str, Any]
) -> Iterator[Context]:
    """The page of a command and everything its method takes; its site stays open meanwhile."""
    given = SiteArguments.of(arguments)
    query = read_query(arguments) if method.takes("query") else NO_QUERY
    if "boxes" in method.needs:
        drawn = rendering()
        drawing = drawn.render_options(
            arguments, timeout=arguments["timeout"] or RENDER_SECONDS,
            picture=arguments["picture"] is not None,
            allow_private=tuple(arguments["allow_private"] or ()),
        )  # fmt: skip
        shown = drawn.read_rendering(
            source, drawing, given.limits, url=given.url, number=arguments["pdf_page"]
        )
        yield Context(shown.page, rendering=shown, query=query)
    elif "site" in method.needs:
        given = replace(given, site=given.site or (source if "://" in source else None))
        with open_site_context(source, given, options) as context:
            yield replace(context, query=query)
    else:
        with open_site_context(source, given) as context:
            warn_unknown(context)
            yield replace(context, query=query)


@contextmanager
def open_site_context(
    source: str, given: SiteArguments, options: Any = None, page: Page | None = None
) -> Iterator[Context]:
    """A page, unless it was read already, compared with its site where one is given."""
    learned = read_template(given.template) if given.template else None  # before a page is read
    with opened(source, given) as site:
        read = page or read_page(source, given, site)
        if site is None and learned is None:
            yield Context(read)
            return
        from pagelet.methods import template as method  # noqa: PLC0415 - few commands compare

        keyed = addressed(read, source, site)
        chosen = options or method.TEMPLATE.profile(DEFAULT).options
        found = (
            method.find_by_learned(keyed, learned)
            if learned
            else method.find_template(keyed, chosen, site or ())
        )
        nearby = _nearby(source, keyed, given, site) if site else ()
        yield Context(read, site or (), replace(found, page=read), nearby=nearby)
        if not found.determined:
            report_problems(site)


def warn_unknown(context: Context) -> None:
    """Report why nothing is known of the template, where a site was given."""
    if context.template is None:
        return
    from pagelet.methods.template import explain_unknown  # noqa: PLC0415 - on use

    template = context.comparison
    if template is not None and template.to_shared() is None:
        report(explain_unknown(template.facts))


@contextmanager
def opened(source: str, given: SiteArguments) -> Iterator["OpenSite | None"]:
    """The site that a user named, if any."""
    if given.site is None:
        yield None
        return
    from pagelet.sources.site import open_site  # noqa: PLC0415 - brings the HTTP client

    with open_site(given.site, source, url=given.url, access=given.access()) as site:
        if not site.on_the_web:
            yield site
            return
        with progress() as (_, advance):
            site.on_load = lambda loads: advance("loading pages of the site", loads, 0)
            yield site


def read_page(source: str, given: SiteArguments, site: "OpenSite | None") -> Page:
    """The page itself: from the site where that is kept, else from where it is."""
    if site and "://" in source and not site.on_the_web:
        kept = site.load(source)
        if kept is not None:
            return kept
    return load_by(given.loader, source, url=given.url, charset=given.charset, limits=given.limits)


def addressed(page: Page, source: str, site: "OpenSite | None") -> Page:
    """The page under the address it has in its site, so that its links lead into it."""
    inside = site is not None and "://" not in source and "://" in site.key
    return replace(page, url=site.key) if site is not None and inside else page


def _nearby(source: str, page: Page, given: SiteArguments, site: "OpenSite") -> list[Page]:
    """Other pages that a method looks at itself: of a folder by name, else by links."""
    if not given.site_pages:
        return []
    from pagelet.methods.template.pages import load_other_pages  # noqa: PLC0415 - on use

    if given.site and "://" not in given.site and Path(given.site).is_dir():
        own = "" if source == "-" or "://" in source else source
        files = load_folder(
            Path(given.site), most=given.site_pages, leave_out=own, limits=given.limits
        )
        return list(files)
    return load_other_pages(page, site, given.site_pages)


def report_problems(site: "OpenSite | None") -> None:
    """Report why pages of a site on the web could not be read."""
    if problems := site_problems(site):
        report(f"pages that could not be read: {problems}")


def site_problems(site: "OpenSite | None") -> str:
    """The names of errors while pages of a site were read, with their counts."""
    problems = site.problems if site else {}
    return ", ".join(f"{name} {count}" for name, count in sorted(problems.items()))


def read_query(arguments: Mapping[str, Any]) -> Query:
    """The query of a command: words, labels of a form, and submissions together."""
    from pagelet.sources.forms.query import form_query, read_submissions  # noqa: PLC0415 - on use

    query = Query.of(arguments.get("query") or ())
    form, submissions = arguments.get("form"), arguments.get("submissions")
    query |= form_query(load(form)) if form else NO_QUERY
    return query | (read_submissions(submissions) if submissions else NO_QUERY)
