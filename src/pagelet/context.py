"""A page with everything a method may be given besides: every interface runs methods through it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from pagelet.errors import OptionError
from pagelet.methods import METHODS
from pagelet.methods.registry import Evidence, Method, Request, option_fields, run
from pagelet.page.layout import Rendering
from pagelet.page.query import NO_QUERY, Query
from pagelet.page.site import SharedRows, Site
from pagelet.page.table import Page
from pagelet.pagelets import Pagelets
from pagelet.sources.files import read_file
from pagelet.wording import must_be_one_of

if TYPE_CHECKING:
    from pagelet.methods.template.answer import Template
    from pagelet.methods.template.learned import LearnedTemplate


@dataclass(frozen=True)
class Context:
    """A page, its site, its template, its rendering and the query it answers."""

    page: Page
    site: Site | Sequence[Page] = ()  #: other pages, or what loads them
    template: "Template | LearnedTemplate | SharedRows | None" = (
        None  #: what is known of the site's template
    )
    rendering: Rendering | None = None
    query: Query = NO_QUERY
    nearby: Sequence[Page] | None = None  #: pages to look at instead of all that the site lists
    extra: Mapping[str, Any] = field(default_factory=dict)  #: fields to add to the JSON form

    @cached_property
    def pages(self) -> Sequence[Page]:
        """Other pages of the site that are listed without following links."""
        if self.nearby is not None:
            return self.nearby
        if isinstance(self.site, list | tuple) or not isinstance(self.site, Site):
            return self.site
        loaded = map(self.site.load, self.site.addresses())
        return [page for page in loaded if page is not None]

    @cached_property
    def comparison(self) -> "Template | None":
        """The page compared with its site; None when nothing is known of the site."""
        if self.template is None and not self.pages:
            return None
        from pagelet.methods.template import find_by_learned, find_template  # noqa: PLC0415 - on use
        from pagelet.methods.template.answer import Template  # noqa: PLC0415
        from pagelet.methods.template.learned import LearnedTemplate  # noqa: PLC0415

        if isinstance(self.template, Template):
            return self.template
        if isinstance(self.template, LearnedTemplate):
            return find_by_learned(self.page, self.template)
        return find_template(self.page, site=self.site) if self.pages else None

    def has(self, need: str) -> bool:
        """Whether an input that methods need is there."""
        if need == "site":
            return bool(self.pages) or self.template is not None
        if need == "boxes":
            return self.rendering is not None
        return need != "query" or bool(self.query)

    def runnable(self) -> list[Method]:
        """The methods that can tell something: a query is needed where one is used."""
        return [
            method
            for method in METHODS.values()
            if all(map(self.has, method.needs)) and (bool(self.query) or not method.takes("query"))
        ]

    def run(self, method: Method, options: Any) -> Pagelets:
        """Run a method with everything it can use."""
        return run(self.request(method, options))

    def request(self, method: Method, options: Any) -> Request:
        """The request that asks a method about the page."""
        drawn = self.rendering if "boxes" in method.needs else None
        page = drawn.page if drawn else self.page
        shown = self.rendering if method.takes("boxes") else None
        evidence = Evidence(
            query=self.query,
            layout=shown.layout if shown and shown.page is page else None,
            files=read_files(options),
        )
        return Request(page, method, options, self._with_site(method, evidence))

    def _with_site(self, method: Method, evidence: Evidence) -> Evidence:
        """The evidence with what is known of the site, as far as the method takes it."""
        if "site" in method.needs:
            known = self.comparison if self.template is not None else None
            return replace(evidence, site=self.site, comparison=known)
        if method.takes("site"):
            evidence = replace(evidence, site=self.pages)
        if not method.takes("template"):
            return evidence
        if isinstance(self.template, SharedRows):
            return replace(evidence, template=self.template)
        known = self.comparison
        if known is None:
            return evidence
        return replace(evidence, template=known.to_shared(), parts=known.parts)


def find_method(name: str) -> Method:
    """A method by name."""
    if name not in METHODS:
        raise OptionError("method", name, must_be_one_of(METHODS))
    return METHODS[name]


def read_files(options: Any) -> dict[str, bytes]:
    """The contents of all files that options name."""
    named = [(name, getattr(options, name), default) for name, default in _files(options.__class__)]
    given = [(name, value) for name, value, default in named if value not in ("", default)]
    return {value: read_file(name, value) for name, value in given}


@cache
def _files(options: type) -> tuple[tuple[str, Any], ...]:
    """The options that name files, with their defaults."""
    return tuple((each.name, each.default) for each in option_fields(options) if each.file)


def read_template(name: str) -> "LearnedTemplate":
    """The template in a file that `pagelet learn` wrote."""
    from pagelet.methods.template.learned import read_learned  # noqa: PLC0415 - few calls have one

    data = read_file("template", name, "; `pagelet learn` writes such files")
    return read_learned(data, name)
