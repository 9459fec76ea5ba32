"""Pages as people see them: drawn and measured by Chromium, in rows of the same Page."""

import threading
from dataclasses import replace
from typing import Self

from pagelet.errors import PageError, RenderFailed, RenderTimeout
from pagelet.page.layout import Rendering
from pagelet.sources.browser.capture import Capture, Visit
from pagelet.sources.browser.html import map_rows
from pagelet.sources.browser.layout import layout_of
from pagelet.sources.browser.options import RenderOptions, find_browser
from pagelet.sources.browser.pictures import image_colours
from pagelet.sources.browser.process import BrowserLost, Chromium, first_line, import_playwright
from pagelet.sources.browser.resources import (
    Document,
    ResourceLoader,
    Source,
    parse_document,
    read_document,
)
from pagelet.sources.options import Limits

__all__ = ["Browser", "RenderOptions", "render"]

PAGES_PER_BROWSER = 100  #: pages after which a browser is replaced, since browsers leak memory


def render(
    source: Source,
    options: RenderOptions = RenderOptions(),
    limits: Limits = Limits(),
    *,
    place: str = "",
) -> Rendering:
    """Draw one page: a Page, HTML as bytes, a file, `-`, or a URL.

    `place` is the path of a Page or HTML in the folder of the options.
    """
    with Browser(options, limits) as browser:
        return browser.render(source, place=place)


class Browser:
    """A Chromium that draws one page after another; started when first needed.

    It may be used from any thread, one page at a time. One that dies is replaced.
    """

    def __init__(self, options: RenderOptions = RenderOptions(), limits: Limits = Limits()) -> None:
        self.options, self.limits = options, limits
        self._chromium: Chromium | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def group(self) -> int:
        """The process group of the browser; 0 when it is not running."""
        return self._chromium.group if self._chromium is not None else 0

    def close(self) -> None:
        """End the browser; it starts again if another page is to be drawn."""
        with self._lock:
            self._end()

    def render(
        self, source: Source, options: RenderOptions | None = None, *, place: str = ""
    ) -> Rendering:
        """Draw a page; `options` replace those of the browser, except the program itself."""
        chosen = options or self.options
        document = read_document(source, chosen, self.limits, place)
        with self._lock:
            capture = self._capture(document, chosen)
        return rendering_of(document, capture, chosen)

    def _capture(self, document: Document, options: RenderOptions) -> Capture:
        """Capture a page; once more if the browser died."""
        for last in (False, True):
            loader = ResourceLoader(document, options.allow_private, self.limits)
            try:
                return self._visit(Visit(document, options, loader), document, options)
            except BrowserLost as error:
                if last:
                    why = "the browser died twice; the page may be too large for this machine"
                    raise RenderFailed(document.source, why) from error
            finally:
                loader.close()
        raise AssertionError("the second try has ended it")

    def _visit(self, visit: Visit, document: Document, options: RenderOptions) -> Capture:
        """Draw a page in the browser, which is ended if anything goes wrong."""
        chromium = self._start()
        try:
            capture = chromium.draw(visit.capture(chromium.browser), options.timeout)
        except PageError:
            raise  # the browser can go on
        except BaseException as error:
            alive = chromium.alive
            self._abandon()
            if isinstance(error, TimeoutError):
                raise RenderTimeout(document.source, options.timeout) from error
            if not isinstance(error, import_playwright().Error):
                raise
            if not alive:
                raise BrowserLost from error
            raise RenderFailed(document.source, first_line(error)) from error
        chromium.pages += 1
        if chromium.pages >= PAGES_PER_BROWSER:
            self._end()
        return capture

    def _start(self) -> Chromium:
        if self._chromium is not None and not self._chromium.alive:
            self._abandon()
        if self._chromium is None:
            path = find_browser(self.options.browser)
            self._chromium = Chromium(path, sandbox=self.options.sandbox)
        return self._chromium

    def _abandon(self) -> None:
        """Kill a browser that no longer responds."""
        if self._chromium is not None:
            self._chromium.kill()
        self._end()

    def _end(self) -> None:
        if self._chromium is not None:
            self._chromium.close()
            self._chromium = None


def rendering_of(document: Document, capture: Capture, options: RenderOptions) -> Rendering:
    """The rendering of a page from what the browser captured."""
    snapshot = capture.tree
    page, rows = map_rows(snapshot, parse_document(document))
    layout = layout_of(snapshot, page, rows, capture.area)
    colour = image_colours(snapshot, page, layout, rows, capture)
    layout = replace(layout, colour=colour, page_missing_styles=capture.missing_styles)
    picture = capture.picture if options.picture else b""
    scale = capture.scale if picture else 1.0
    return Rendering(page, layout, picture, scale, tuple(dict.fromkeys(capture.notes)))
