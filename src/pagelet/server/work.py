"""One request in a worker process: read the page, run the method, write the answer."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.util import find_spec
from typing import Any

from pagelet.context import Context
from pagelet.errors import NO_VALUE, BrowserMissing, OptionError
from pagelet.methods import METHODS
from pagelet.page.html import parse
from pagelet.page.layout import Rendering
from pagelet.page.query import Query
from pagelet.page.site import MemorySite, Site
from pagelet.page.table import Page
from pagelet.report.assets import Assets
from pagelet.server.answers import answer_inspect, answer_method
from pagelet.server.bodies import Job, ParsedJob, read_job, split_line_id, to_batch_line
from pagelet.server.errors import HttpError, Reply, reply_or_error
from pagelet.server.layouts import make_layout
from pagelet.server.requests import inspect_model, method_model
from pagelet.server.sentfiles import SentFiles
from pagelet.server.settings import Settings
from pagelet.server.subresources import load_subresources
from pagelet.sources import load
from pagelet.sources.browser.options import RenderOptions, find_browser
from pagelet.sources.options import Limits
from pagelet.sources.site import SITE_POLITENESS, Access, open_site

INSPECT = "inspect"  #: name of the request that runs all methods
NO_PAGE = "send the page as html or file"
NO_FETCH = "this service loads no pages; send html, or start it with --allow-fetch"
NO_DRAWING = "this service draws no pages; send the layout"
LOAD_SHARE = 0.8  #: share of a request's time that loading or rendering may take

log = logging.getLogger("pagelet.server")


class NeedsBrowser(Exception):
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
        """Limits of pages that are loaded."""
        usual = self.settings
        seconds = usual.timeout * LOAD_SHARE
        return Limits(max_bytes=usual.max_bytes, max_nodes=usual.max_nodes, timeout=seconds)

    def close(self) -> None:
        """Close the browser, if it was started."""
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
        rendering = render_page(parsed, worker)
    page = rendering.page if rendering else read_page(parsed, worker)
    if boxes is not None:
        layout, placed = make_layout(page, boxes)
        rendering = Rendering(page, layout)
        extra = {"layout": {"given": len(boxes.boxes), "placed": placed}}
    query = Query.of(getattr(parsed.form, "query", ()))
    with open_pages(parsed, page, worker, load_site=load_site) as site:
        yield Context(page, site, rendering=rendering, query=query, extra=extra)


def _assets(
    context: Context, parsed: ParsedJob, worker: WorkerContext
) -> tuple[Assets, dict[str, Any]]:
    """Styles and images of a page that was loaded, and its HTML, so that it can be sent again."""
    if parsed.data is not None or parsed.form.html is not None:
        return SentFiles.of(parsed.form.name, parsed.form.files), {}
    files = load_subresources(context.page, worker.limits, worker.settings.allow_private)
    return files, {"html": context.page.source}


def read_page(parsed: ParsedJob, worker: WorkerContext) -> Page:
    """The page that was sent, or that its URL leads to."""
    form, most = parsed.form, worker.settings.max_nodes
    if parsed.data is not None:
        return parse(parsed.data, url=form.url, charset=parsed.charset, max_nodes=most)
    if form.html is not None:
        return parse(form.html, url=form.url, max_nodes=most)
    address, private = page_address(parsed, worker.settings), worker.settings.allow_private
    return load(address, limits=worker.limits, allow_private=private)


def page_address(parsed: ParsedJob, settings: Settings) -> str:
    """The URL to load a page from; an error if loading is not allowed."""
    url = parsed.form.url
    if url is None:
        raise OptionError("html", NO_VALUE, NO_PAGE)
    if not settings.allow_fetch:
        raise HttpError(403, "FetchOff", NO_FETCH)
    if "://" not in url:
        raise OptionError("url", url, "give an http or https address")
    return str(url)


def render_page(parsed: ParsedJob, worker: WorkerContext) -> Rendering:
    """The page as a browser draws it; a page that was sent is drawn without network."""
    if not can_draw(worker.settings):
        raise OptionError("layout", NO_VALUE, NO_DRAWING)
    if not worker.draws:
        raise NeedsBrowser
    private = worker.settings.allow_private
    options = RenderOptions(timeout=worker.limits.timeout, picture=True, allow_private=private)
    if parsed.data is None and parsed.form.html is None:
        return _render(worker, page_address(parsed, worker.settings), options)
    page = read_page(parsed, worker)
    rendering = _render(worker, page, replace(options, network="off", javascript="off"))
    return replace(rendering, page=replace(rendering.page, url=page.url))


def _render(worker: WorkerContext, source: str | Page, options: RenderOptions) -> Rendering:
    try:
        rendering: Rendering = worker.browser.render(source, options)
    except BrowserMissing as error:
        log.warning("no page can be drawn: %s", error)
        raise OptionError("layout", NO_VALUE, NO_DRAWING) from error
    return rendering


def can_draw(settings: Settings) -> bool:
    """Whether pages can be drawn: a browser is installed and allowed."""
    if not settings.render or find_spec("playwright") is None or find_spec("PIL") is None:
        return False
    try:
        return bool(find_browser())
    except BrowserMissing:
        return False


@contextmanager
def open_pages(
    parsed: ParsedJob, page: Page, worker: WorkerContext, *, load_site: bool
) -> Iterator[Site | Sequence[Page]]:
    """Other pages of the site: those that were sent, else loaded if the method needs them."""
    others, most = getattr(parsed.form, "site", ()), worker.settings.max_nodes
    sent = [parse(other.html, url=other.url, max_nodes=most) for other in others]
    url = page.url or ""
    if sent or not (load_site and worker.settings.allow_fetch and "://" in url):
        yield MemorySite(sent)
        return
    politeness = replace(SITE_POLITENESS, allow_private=worker.settings.allow_private)
    access = Access(limits=worker.limits, politeness=politeness, cache=None)
    with open_site(url, url, access=access) as opened:
        yield opened
