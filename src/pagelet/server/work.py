"""What is done for one request: page, method, answer; in a process that may be ended."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.util import find_spec
from typing import Any

from pagelet.errors import BrowserMissing, OptionError
from pagelet.methods import METHODS
from pagelet.page.html import parse
from pagelet.page.layout import Rendering
from pagelet.page.site import MemorySite, Site
from pagelet.page.table import Page
from pagelet.server.answers import Known, answer_inspect, answer_method
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

NO_PAGE = "give the page, as html or file"
NO_FETCH = "this service loads no pages; send html, or start it with --allow-fetch"
NO_DRAWING = "this service draws no pages; send the layout"
SLACK = 0.8  #: of the time for a request that drawing may take

log = logging.getLogger("pagelet.server")


class DrawnElsewhere(Exception):
    """A request that needs a browser, said where there is none."""


@dataclass
class Desk:
    """A place where requests are done, with what lasts from one to the next."""

    settings: Settings
    draws: bool = False  #: whether pages are drawn here

    @cached_property
    def browser(self) -> Any:
        """The browser, started when the first page is drawn."""
        from pagelet.sources.browser.render import Browser  # noqa: PLC0415 - its packages are an extra

        return Browser(limits=self.limits)

    @property
    def limits(self) -> Limits:
        """How much a page that is loaded may cost."""
        return Limits(max_bytes=self.settings.max_bytes, timeout=self.settings.timeout * SLACK)

    def close(self) -> None:
        """End the browser, if there is one."""
        if "browser" in self.__dict__:
            self.browser.close()


def reply_to(job: Job, desk: Desk) -> Reply:
    """The answer to a request, or to one line of a batch."""
    bare, told = (job, None) if job.line is None else split_line_id(job)
    reply = reply_or_error(lambda: _done(bare, desk), "the page", desk.settings.memory)
    return reply if told is None else replace(reply, body=to_batch_line(told, reply))


def _done(job: Job, desk: Desk) -> Reply:
    if job.name == "inspect":
        asked = read_job(job, inspect_model())
        draw = asked.form.render or "segments" in (asked.form.methods or ())
    else:
        asked = read_job(job, method_model(job.name))
        draw = "boxes" in METHODS[job.name].needs
    with known_of(asked, desk, draw=draw, site=job.name == "template") as known:
        if job.name == "inspect":
            return answer_inspect(with_files(known, asked, desk), asked.form)
        return answer_method(METHODS[job.name], known, asked.form)


@contextmanager
def known_of(asked: ParsedJob, desk: Desk, *, draw: bool, site: bool) -> Iterator[Known]:
    """The page of a request, and all that is known beside it."""
    seen = getattr(asked.form, "layout", None)
    if draw and seen is None:
        shown = drawn(asked, desk)
        known = Known(shown.page, rendering=shown)
    else:
        known = Known(page_of(asked, desk))
    if seen is not None:
        layout, placed = make_layout(known.page, seen)
        told = {"given": len(seen.boxes), "placed": placed}
        known = replace(known, rendering=Rendering(known.page, layout), told={"layout": told})
    with site_of(asked, known.page, desk, load_it=site) as pages:
        yield replace(known, site=pages)


def with_files(known: Known, asked: ParsedJob, desk: Desk) -> Known:
    """A page that was loaded is drawn with its files, and its text is told, to be sent again."""
    if asked.data is not None or asked.form.html is not None:
        return known
    files = load_subresources(known.page, desk.limits, desk.settings.allow_private)
    return replace(known, sources=files, told={**known.told, "html": known.page.source})


def page_of(asked: ParsedJob, desk: Desk) -> Page:
    """The page as it was sent, else loaded."""
    form = asked.form
    if asked.data is not None:
        return parse(asked.data, url=form.url, charset=asked.charset)
    if form.html is not None:
        return parse(form.html, url=form.url)
    address, private = address_of(asked, desk.settings), desk.settings.allow_private
    return load(address, limits=desk.limits, allow_private=private)


def address_of(asked: ParsedJob, settings: Settings) -> str:
    """Where a page is to be loaded from, if it may be."""
    url = asked.form.url
    if url is None:
        raise OptionError("html", None, NO_PAGE)
    if not settings.allow_fetch:
        raise HttpError(403, "FetchOff", NO_FETCH)
    if "://" not in url:
        raise OptionError("url", url, "give an http or https address")
    return str(url)


def drawn(asked: ParsedJob, desk: Desk) -> Rendering:
    """The page as a browser shows it: what was sent asks the web for nothing."""
    if not can_draw(desk.settings):
        raise OptionError("layout", None, NO_DRAWING)
    if not desk.draws:
        raise DrawnElsewhere
    private = desk.settings.allow_private
    usual = RenderOptions(timeout=desk.limits.timeout, picture=True, allow_private=private)
    if asked.data is None and asked.form.html is None:
        return _rendered(desk, address_of(asked, desk.settings), usual)
    page = page_of(asked, desk)
    found = _rendered(desk, page, replace(usual, network="off", javascript="off"))
    return replace(found, page=replace(found.page, url=page.url))


def _rendered(desk: Desk, source: str | Page, options: RenderOptions) -> Rendering:
    try:
        shown: Rendering = desk.browser.render(source, options)
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
    asked: ParsedJob, page: Page, desk: Desk, *, load_it: bool
) -> Iterator[Site | Sequence[Page]]:
    """Other pages of the site: those that were sent, else loaded where only they tell."""
    given = [parse(each.html, url=each.url) for each in getattr(asked.form, "site", ())]
    url = page.url or ""
    if given or not (load_it and desk.settings.allow_fetch and "://" in url):
        yield MemorySite(given)
        return
    politeness = replace(SITE_POLITENESS, allow_private=desk.settings.allow_private)
    access = Access(limits=desk.limits, politeness=politeness, cache=None)
    with open_site(url, url, access=access) as opened:
        yield opened
