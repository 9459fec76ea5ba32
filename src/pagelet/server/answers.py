"""What methods say of a page, as the service tells it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from pagelet.analysis import analyse, extract, without_template
from pagelet.methods import METHODS, Method
from pagelet.methods.noise import found_records
from pagelet.methods.noise.records import records_html
from pagelet.methods.segments import divide
from pagelet.methods.template import TemplateOptions, detect_template, find_template, shared_of
from pagelet.methods.template.answer import Template
from pagelet.page.dom import page_of_rows
from pagelet.page.layout import Rendering
from pagelet.page.query import Query
from pagelet.page.site import SharedRows, Site
from pagelet.page.table import Page
from pagelet.pagelets import SCHEMA, Pagelets
from pagelet.report.document import listing, picture_of, title_of
from pagelet.report.drawing import draw
from pagelet.report.sources import Folder, Sources
from pagelet.report.webis import webis_segmentation
from pagelet.server.errors import Reply, json_bytes

HEAD = '<!DOCTYPE html><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
KINDS = {
    "text": "text/plain; charset=utf-8",
    "markdown": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "page": "text/html; charset=utf-8",
    "json": "application/json",
    "webis": "application/json",
}


@dataclass(frozen=True)
class Known:
    """A page, and what is known beside it."""

    page: Page
    site: Site | Sequence[Page] = ()
    rendering: Rendering | None = None
    told: Mapping[str, Any] = field(default_factory=dict)  #: what the answer says besides
    sources: Sources = field(default_factory=lambda: Folder(None))  #: what the drawing refers to

    @cached_property
    def pages(self) -> list[Page]:
        """The pages of the site that are at hand."""
        if not isinstance(self.site, Site):
            return list(self.site)
        found = map(self.site.load, self.site.addresses())
        return [page for page in found if page is not None]

    @cached_property
    def template(self) -> Template | None:
        """What the page shares with its site; None when nothing is known of that."""
        if not self.pages:
            return None
        return find_template(self.page, TemplateOptions(), site=self.site)

    def said(self, method: Method, profile: str, query: Query, changes: dict[str, Any]) -> Pagelets:
        """What a method says with all that is known."""
        if method.name == "template":
            options: TemplateOptions = method.with_options(profile, changes)
            return detect_template(self.page, options, profile=profile, site=self.site)
        known: SharedRows | str = (shared_of(self.template) if self.template else None) or ""
        page = self.rendering if "boxes" in method.needs and self.rendering else self.page
        return analyse(
            page, method.name, profile=profile, site=self.pages, query=query, template=known,
            **changes,
        )  # fmt: skip


def answer_method(method: Method, known: Known, form: Any) -> Reply:
    """What one method says of the page."""
    changes = form.options.model_dump(exclude_unset=True)
    query = Query.of(getattr(form, "query", ()))
    if form.format == "json":
        told = known.said(method, form.profile, query, changes).to_dict()
        return Reply(200, json_bytes({**told, **known.told}))
    text = WRITERS.get(method.name, _regions)(method, known, form, changes)
    body = text.encode("utf-8", "replace") if isinstance(text, str) else json_bytes(text)
    return Reply(200, body, KINDS[form.format])


def _content(_method: Method, known: Known, form: Any, changes: dict[str, Any]) -> str:
    page, site = known.page, known.pages
    return extract(page, format=form.format, profile=form.profile, site=site, **changes)


def _template(_method: Method, known: Known, form: Any, changes: dict[str, Any]) -> str:
    page, site = known.page, known.site
    return without_template(page, format=form.format, profile=form.profile, site=site, **changes)


def _noise(method: Method, known: Known, form: Any, changes: dict[str, Any]) -> str:
    found = known.said(method, form.profile, Query.of(form.query), changes)
    return records_html(found.page, found_records(found))


def _segments(
    method: Method, known: Known, form: Any, changes: dict[str, Any]
) -> str | dict[str, Any]:
    if form.format != "webis":
        return _regions(method, known, form, changes)
    layout = known.rendering.layout if known.rendering else None
    division = divide(known.page, layout, method.with_options(form.profile, changes))
    return webis_segmentation(known.page.url or "page", division.segments)


def _regions(method: Method, known: Known, form: Any, changes: dict[str, Any]) -> str:
    found = known.said(method, form.profile, Query.of(()), changes)
    return page_of_rows(found.page, [row for item in found for row in item.rows])


WRITERS: dict[str, Any] = {
    "content": _content,
    "template": _template,
    "noise": _noise,
    "segments": _segments,
}


# -- all at once ------------------------------------------------------------------------------


def answer_inspect(known: Known, form: Any) -> Reply:
    """What all methods say, and the page as a drawing that can do nothing."""
    query = Query.of(form.query)
    names = form.methods if form.methods is not None else wanted(known, query)
    found = [_found(name, known, form, query) for name in dict.fromkeys(names)]
    page, shown = known.page, known.rendering
    told: dict[str, Any] = {
        "schema": SCHEMA,
        "url": page.url,
        "title": title_of(page),
        "methods": {one.method: one.to_dict() for one in found},
        "kinds": listing(page, found)["kinds"],
        "drawing": draw(page, found, known.sources, HEAD, rows=True),
        "rows": rows_of(page),
        **known.told,
    }
    if shown is not None:
        told["size"] = [shown.layout.page_width, shown.layout.page_height]
    if shown is not None and (picture := picture_of(shown)):
        told["picture"] = picture
    return Reply(200, json_bytes(told))


def wanted(known: Known, query: Query) -> list[str]:
    """The methods that have something to tell with what is known."""
    there = {"site": bool(known.pages), "boxes": known.rendering is not None}
    return [
        name
        for name, method in METHODS.items()
        if all(there.get(need, True) for need in method.needs)
        and (bool(query) or "query" not in method.uses)
    ]


def _found(name: str, known: Known, form: Any, query: Query) -> Pagelets:
    method = METHODS[name]
    profile = (form.profiles and getattr(form.profiles, name)) or form.profile
    options = form.options and getattr(form.options, name)
    changes = {"explain": True} if method.has_option("explain") else {}
    if options is not None:
        changes |= options.model_dump(exclude_unset=True)
    return known.said(method, profile, query, changes)


def rows_of(page: Page) -> dict[str, list[Any]]:
    """Every element: its row, the row of its parent, the last step of its path."""
    steps, elements = page.path_steps(), np.flatnonzero(page.element).tolist()
    return {
        "row": elements,
        "parent": page.parent[elements].tolist(),
        "step": [steps[row] for row in elements],
    }
