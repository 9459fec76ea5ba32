"""What a command knows beside its page: other pages of the site, or a template that was learned."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from pagelet.analysis import analyse
from pagelet.cli.options import Parameter
from pagelet.cli.output import console
from pagelet.methods.template import TemplateOptions, find_template, learned_template, shared_of
from pagelet.methods.template.answer import Template
from pagelet.methods.template.pages import other_pages
from pagelet.page.layout import Rendering
from pagelet.page.site import SharedRows
from pagelet.page.table import Page
from pagelet.pagelets import Pagelets
from pagelet.sources import load, load_folder
from pagelet.sources.http.cache import Cache
from pagelet.sources.limits import Limits
from pagelet.sources.site import SITE_POLITENESS, Access, OpenSite, WebSite, open_site

SiteOption = Annotated[
    str | None,
    typer.Option(
        "--site",
        help="Other pages of the site: a folder, a WARC file, or a URL.",
        metavar="DIR|WARC|URL",
    ),
]
SitePagesOption = Annotated[
    int, typer.Option("--site-pages", help="Most pages to read of it.", min=1)
]
TemplateOption = Annotated[
    str,
    typer.Option(
        "--template",
        help="What `pagelet learn` wrote for the site.",
        metavar="FILE",
        show_default=False,
    ),
]
DelayOption = Annotated[
    float, typer.Option("--delay", help="Seconds between two requests to a site.", min=0)
]

CacheOption = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        help="Where pages of a site on the web are kept; by default the user's cache folder.",
        metavar="DIR",
        show_default=False,
    ),
]
NoCacheOption = Annotated[
    bool, typer.Option("--no-cache", help="Keep no page of a site on the web.")
]


#: Parameter to its kind, its default, and what a method that has it uses.
PARAMETERS: dict[str, tuple[Any, Any, str]] = {
    "site": (SiteOption, None, "template"),
    "template": (TemplateOption, "", "template"),
    "site_pages": (SitePagesOption, 20, "site"),
    "cache": (CacheOption, None, "template"),
    "no_cache": (NoCacheOption, False, "template"),
}


def site_parameters(uses: Sequence[str]) -> list[Parameter]:
    """The parameters of a command whose method uses what is known of the site."""
    return [
        Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for name, (kind, default, used) in PARAMETERS.items()
        if used in uses
    ]


def said_of_site(options: Mapping[str, Any]) -> dict[str, Any]:
    """What a command was told of the site, among all it was told."""
    return {name: options[name] for name in PARAMETERS if name in options}


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a user said of where a page and its site are."""

    site: str | None = None
    template: str = ""
    site_pages: int = 0  #: pages of the site that a method looks at itself
    url: str | None = None
    limits: Limits = field(default_factory=Limits)
    allow_private: tuple[str, ...] = ()
    delay: float = SITE_POLITENESS.delay
    cache: Path | None = None  #: where pages are kept; None for the user's cache folder
    no_cache: bool = False

    def access(self) -> Access:
        """How other pages are read: politely, and no large ones."""
        usual = Access().limits.max_bytes
        limits = replace(self.limits, max_bytes=min(self.limits.max_bytes, usual))
        politeness = replace(SITE_POLITENESS, allow_private=self.allow_private, delay=self.delay)
        cache = None if self.no_cache else Cache(self.cache)
        return Access(limits=limits, politeness=politeness, cache=cache)


@dataclass(frozen=True, slots=True)
class Known:
    """A page, and what is known beside it."""

    page: Page
    pages: Sequence[Page] = ()
    template: Template | None = None
    rendering: Rendering | None = None  #: the page as it was drawn, if it was

    @property
    def shared(self) -> SharedRows | None:
        """What the page shares with its site; None when that is unknown."""
        return shared_of(self.template) if self.template else None

    def analysed(self, method: str, profile: str, **more: Any) -> Pagelets:
        """What a method says with all that is known."""
        shared = self.shared or ""
        page = self.rendering or self.page
        return analyse(page, method, profile=profile, site=self.pages, template=shared, **more)


def read_known(
    source: str, said: Said, profile: str = "default", rendering: Rendering | None = None
) -> Known:
    """Read a page, unless it was drawn already, and what is known of its site."""
    if said.template:
        learned_template(said.template)  # a mistake is told before a page is read
    with opened(source, said) as site:
        page = rendering.page if rendering else read_page(source, said, site)
        if site is None and not said.template:
            return Known(page, rendering=rendering)
        keyed = addressed(page, source, site)
        options = TemplateOptions(template=said.template)
        found = find_template(keyed, options, profile=profile, site=site or ())
        pages = _pages(source, keyed, said, site) if site else ()
    if shared_of(found) is None:
        console(error=True).print(unknown(found, site))
    return Known(page, pages, replace(found, page=page), rendering)


@contextmanager
def opened(source: str, said: Said) -> Iterator[OpenSite | None]:
    """The site that a user named, if any."""
    if said.site is None:
        yield None
        return
    with open_site(said.site, source, url=said.url, access=said.access()) as site:
        yield site


def read_page(source: str, said: Said, site: OpenSite | None) -> Page:
    """The page itself: from the site where that is kept, else from where it is."""
    if site and "://" in source and not isinstance(site.site, WebSite):
        kept = site.load(source)
        if kept is not None:
            return kept
    return load(source, url=said.url, limits=said.limits, allow_private=said.allow_private)


def addressed(page: Page, source: str, site: OpenSite | None) -> Page:
    """The page under the address it has in its site, so that its links lead into it."""
    inside = site is not None and "://" not in source and "://" in site.key
    return replace(page, url=site.key) if site is not None and inside else page


def _pages(source: str, page: Page, said: Said, site: OpenSite) -> list[Page]:
    """Other pages that a method looks at itself: of a folder by name, else by links."""
    if not said.site_pages:
        return []
    if said.site and "://" not in said.site and Path(said.site).is_dir():
        own = "" if source == "-" or "://" in source else source
        files = load_folder(
            Path(said.site), most=said.site_pages, leave_out=own, limits=said.limits
        )
        return list(files)
    return other_pages(page, site, said.site_pages)


def unknown(found: Template, site: OpenSite | None) -> str:
    """Why a template is not known."""
    told = found.facts
    if not told.get("fits", True):
        return f"the page does not fit this template: fit {told['fit']:.2f}, 1 is usual"
    if told.get("guess"):
        return "no page of the site is like this one"
    return f"nothing to compare with{reasons(site)}; say --site DIR|WARC|URL or --template FILE"


def reasons(site: OpenSite | None) -> str:
    """What kept pages of a site on the web from being read, in brackets; empty if nothing did."""
    problems = site.site.problems if site and isinstance(site.site, WebSite) else {}
    why = ", ".join(f"{name} {count}" for name, count in sorted(problems.items()))
    return f" ({why})" if why else ""
