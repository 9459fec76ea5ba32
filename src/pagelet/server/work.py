"""One request in a worker process: read the page, run the method, write the answer."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.util import find_spec
from typing import Any

from pagelet.context import Context
from pagelet.errors import BrowserMissing, OptionError
from pagelet.methods import METHODS
from pagelet.page.html import parse
from pagelet.page.layout import Rendering
from pagelet.page.query import Query
from pagelet.page.site import MemorySite, Site
from pagelet.page.table import Page
from pagelet.report.assets import Assets, LocalAssets
from pagelet.server.answers import answer_inspect, answer_method
from pagelet.server.bodies import Job, ParsedJob, read_job, split_line_id, to_batch_line
from pagelet.server.errors import HttpError, Reply, reply_or_error
from pagelet.server.layouts import make_layout
from pagelet.server.requests import inspect_model, method_model
from pagelet.server.settings import Settings
from pagelet.server.subresources import load_subresources
from pagelet.sources import load
from pagelet.sources.browser.options import RenderOptions, find_browser
from pagelet.sources.limits import Limits
from pagelet.sources.site import SITE_POLITENESS, Access, open_site

INSPECT = "inspect"  #: name of the request that runs all methods
NO_PAGE = "give the page, as html or file"
NO_FETCH = "this service loads no pages; send html, or start it with --allow-fetch"
NO_DRAWING = "this service draws no pages; send the layout"
RENDER_SHARE = 0.8  #: share of a request's time that rendering may take

log = logging.getLogger("pagelet.server")


class DrawnElsewhere(Exception):
    """A request needs a browser, and this worker has none."""


@dataclass
class WorkerContext:
    """What a worker keeps from one request to the next."""

    settings: Settings
    draws: bool = False  #: whether pages are rendered in this worker

    @cached_property
    def browser(self) -> Any:
        """The browser, started when the first page is drawn."""
        from pagelet.sources.browser.render import Browser  # noqa: PLC0415 - its packages are an extra

        return Browser(limits=self.limits)

    @property
    def limits(self) -> Limits:
        """How much a page that is loaded may cost."""
        return Limits(
            max_bytes=self.settings.max_bytes, timeout=self.settings.timeout * RENDER_SHARE
        )

    def close(self) -> None:
        """End the browser, if there is one."""
        if "browser" in self.__dict__:
            self.browser.close()


def reply_to(job: Job, worker: WorkerContext) -> Reply:
    """The answer to a request, or to one line of a batch."""
    bare, line = (job, None) if job.line is None else split_line_id(job)
    reply = reply_or_error(lambda: _answer(bare, worker), "the page", worker.settings.memory)
    return reply if line is None else replace(reply, body=to_batch_line(line, reply))


def _answer(job: Job, worker: WorkerContext) -> Reply:
    if job.name == INSPECT:
        parsed = read_job(job, inspect_model())
        needs = {need for name in parsed.form.methods or () for need in METHODS[name].needs}
        render = parsed.form.render or "boxes" in needs
        with open_context(parsed, worker, render=render, load_site=False) as context:
            sources, extra = _assets(context, parsed, worker)
            complete = replace(context, extra={**context.extra, **extra})
            return answer_inspect(complete, parsed.form, sources)
    method = METHODS[job.name]
    parsed = read_job(job, method_model(method.name))
    render, load_site = "boxes" in method.needs, "site" in method.needs
    with open_context(parsed, worker, render=render, load_site=load_site) as context:
        return answer_method(method, context, parsed.form)


@contextmanager
def open_context(
    parsed: ParsedJob, worker: WorkerContext, *, render: bool, load_site: bool
) -> Iterator[Context]:
    """The page of a request, and everything that was sent with it."""
    boxes = getattr(parsed.form, "layout", None)
    rendering, extra = None, {}
    if render and boxes is None:
        rendering = drawn(parsed, worker)
    page = rendering.page if rendering else page_of(parsed, worker)
    if boxes is not None:
        layout, placed = make_layout(page, boxes)
        rendering = Rendering(page, layout)
        extra = {"layout": {"given": len(boxes.boxes), "placed": placed}}
    query = Query.of(getattr(parsed.form, "query", ()))
    with site_of(parsed, page, worker, load_it=load_site) as site:
        yield Context(page, site, rendering=rendering, query=query, extra=extra)


def _assets(
    context: Context, parsed: ParsedJob, worker: WorkerContext
) -> tuple[Assets, dict[str, Any]]:
    """Styles and images of a page that was loaded, and its HTML, so that it can be sent again."""
    if parsed.data is not None or parsed.form.html is not None:
        return LocalAssets(None), {}
    files = load_subresources(context.page, worker.limits, worker.settings.allow_private)
    return files, {"html": context.page.source}


def page_of(parsed: ParsedJob, worker: WorkerContext) -> Page:
    """The page as it was sent, else loaded."""
    form = parsed.form
    if parsed.data is not None:
        return parse(parsed.data, url=form.url, charset=parsed.charset)
    if form.html is not None:
        return parse(form.html, url=form.url)
    address, private = address_of(parsed, worker.settings), worker.settings.allow_private
    return load(address, limits=worker.limits, allow_private=private)


def address_of(parsed: ParsedJob, settings: Settings) -> str:
    """Where a page is to be loaded from, if it may be."""
    url = parsed.form.url
    if url is None:
        raise OptionError("html", None, NO_PAGE)
    if not settings.allow_fetch:
        raise HttpError(403, "FetchOff", NO_FETCH)
    if "://" not in url:
        raise OptionError("url", url, "give an http or https address")
    return str(url)


def drawn(parsed: ParsedJob, worker: WorkerContext) -> Rendering:
    """The page as a browser shows it: what was sent asks the web for nothing."""
    if not can_draw(worker.settings):
        raise OptionError("layout", None, NO_DRAWING)
    if not worker.draws:
        raise DrawnElsewhere
    private = worker.settings.allow_private
    usual = RenderOptions(timeout=worker.limits.timeout, picture=True, allow_private=private)
    if parsed.data is None and parsed.form.html is None:
        return _rendered(worker, address_of(parsed, worker.settings), usual)
    page = page_of(parsed, worker)
    found = _rendered(worker, page, replace(usual, network="off", javascript="off"))
    return replace(found, page=replace(found.page, url=page.url))


def _rendered(worker: WorkerContext, source: str | Page, options: RenderOptions) -> Rendering:
    try:
        shown: Rendering = worker.browser.render(source, options)
    except BrowserMissing as error:
        log.warning("no page can be drawn: %s", error)
        raise OptionError("layout", None, NO_DRAWING) from error
    return shown


def can_draw(settings: Settings) -> bool:
    """Whether there is a browser, and it may be used."""
    if not settings.render or find_spec("playwright") is None or find_spec("PIL") is None:
        return False
    try:
        return bool(find_browser())
    except BrowserMissing:
        return False


@contextmanager
def site_of(
    parsed: ParsedJob, page: Page, worker: WorkerContext, *, load_it: bool
) -> Iterator[Site | Sequence[Page]]:
    """Other pages of the site: those that were sent, else loaded where only they tell."""
    given = [parse(each.html, url=each.url) for each in getattr(parsed.form, "site", ())]
    url = page.url or ""
    if given or not (load_it and worker.settings.allow_fetch and "://" in url):
        yield MemorySite(given)
        return
    politeness = replace(SITE_POLITENESS, allow_private=worker.settings.allow_private)
    access = Access(limits=worker.limits, politeness=politeness, cache=None)
    with open_site(url, url, access=access) as opened:
        yield opened
