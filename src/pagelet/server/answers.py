"""Results of methods as replies of the service."""

from dataclasses import replace
from typing import Any

import numpy as np

from pagelet.context import Context, find_method
from pagelet.methods.registry import Method
from pagelet.page.table import Page
from pagelet.pagelets import SCHEMA, Pagelets
from pagelet.report.assets import Assets
from pagelet.report.document import list_kinds, page_title, picture_url
from pagelet.report.drawing import draw
from pagelet.server.errors import Reply, json_bytes

#: start of the drawing of a page
DRAWING_HEAD = '<!DOCTYPE html><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
TEXT = "text/plain; charset=utf-8"
CONTENT_TYPES = {
    "markdown": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "page": "text/html; charset=utf-8",
    "json": "application/json",
    "json-compact": "application/json",
    "webis": "application/json",
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/x-ndjson",
    "tei": "application/tei+xml; charset=utf-8",
}


def answer_method(method: Method, context: Context, form: Any) -> Reply:
    """The result of one method in the requested format."""
    options = method.with_options(form.profile, form.options.model_dump(exclude_unset=True))
    result = context.run(method, options)
    if form.format == "json":
        return Reply(200, json_bytes({**to_answer(result, form), **context.extra}))
    text = method.write(result, options, form.format)
    return Reply(200, text.encode("utf-8", "replace"), CONTENT_TYPES.get(form.format, TEXT))


def to_answer(result: Pagelets, form: Any) -> dict[str, Any]:
    """The JSON form of a result: one pagelet, or all, with less of each where they are many."""
    if form.path is not None:
        only = [each for each in result if form.path in each.paths]
        result = replace(result, find=only, more=dict, written=dict)
    if _is_brief(result, form):
        return result.to_brief()
    return result.to_dict(reasons=form.reasons is None or len(result) <= form.reasons)


def _is_brief(result: Pagelets, form: Any) -> bool:
    return form.brief is not None and len(result) > form.brief


def answer_inspect(context: Context, form: Any, sources: Assets) -> Reply:
    """The results of all methods, and the page as a drawing that cannot run scripts."""
    chosen = [find_method(name) for name in dict.fromkeys(form.methods or ())]
    methods = chosen if form.methods is not None else context.runnable()
    results = [_inspect(method, context, form) for method in methods]
    page, rendering = context.page, context.rendering
    marked = [] if any(_is_brief(one, form) for one in results) else results
    answer: dict[str, Any] = {
        "schema": SCHEMA,
        "url": page.url,
        "title": page_title(page),
        "methods": {one.method: to_answer(one, form) for one in results},
        "kinds": list_kinds(results),
        "drawing": draw(page, marked, sources, DRAWING_HEAD, rows=True),
        "missing_styles": len(sources.absent),
        "rows": list_rows(page),
        **context.extra,
    }
    if rendering is not None:
        answer["size"] = [rendering.layout.page_width, rendering.layout.page_height]
        if picture := picture_url(rendering):
            answer["picture"] = picture
    return Reply(200, json_bytes(answer))


def _inspect(method: Method, context: Context, form: Any) -> Pagelets:
    profile = (form.profiles and getattr(form.profiles, method.name)) or form.profile
    profile = method.profile_or_default(profile)
    options = form.options and getattr(form.options, method.name)
    changes = {"explain": True} if method.has_option("explain") else {}
    if options is not None:
        changes |= options.model_dump(exclude_unset=True)
    return context.run(method, method.with_options(profile, changes))


def list_rows(page: Page) -> dict[str, list[Any]]:
    """Every element: its row, the row of its parent, the last step of its path."""
    steps, elements = page.path_steps(), np.flatnonzero(page.element).tolist()
    return {
        "row": elements,
        "parent": page.parent[elements].tolist(),
        "step": [steps[row] for row in elements],
    }
