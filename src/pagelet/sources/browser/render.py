"""Pages as people see them: drawn by Chromium, measured, and told in rows of the same Page."""

import threading
from dataclasses import replace
from typing import Self

from pagelet.errors import PageError, RenderFailed, RenderTimeout
from pagelet.page.layout import Rendering
from pagelet.sources.browser.capture import Capture, Visit
from pagelet.sources.browser.document import Document, Source, document_of, parsed
from pagelet.sources.browser.html import rows_of
from pagelet.sources.browser.layout import layout_of
from pagelet.sources.browser.options import RenderOptions, find_browser
from pagelet.sources.browser.pictures import image_colours
from pagelet.sources.browser.process import BrowserLost, Chromium, first_line, playwright_api
from pagelet.sources.browser.web import Answers
from pagelet.sources.limits import Limits

__all__ = ["Browser", "RenderOptions", "render"]

PAGES = 100  #: pages after which a browser is replaced, since browsers leak


def render(
    source: Source,
    options: RenderOptions = RenderOptions(),
    limits: Limits = Limits(),
    *,
    place: str = "",
) -> Rendering:
    """Draw one page: a Page, HTML as bytes, a file, `-`, or a URL.

    `place` says where in the folder of the options a Page or HTML lies.
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
        """The process that leads all those of the browser; 0 when it is not running."""
        return self._chromium.group if self._chromium is not None else 0

    def close(self) -> None:
        """End the browser; it starts again if another page is to be drawn."""
        with self._lock:
            self._end()

    def render(
        self, source: Source, options: RenderOptions | None = None, *, place: str = ""
    ) -> Rendering:
        """Draw a page; `options` replace those of the browser, but for the program itself."""
        chosen = options or self.options
        document = document_of(source, chosen, self.limits, place)
        with self._lock:
            found = self._captured(document, chosen)
        return rendering_of(document, found, chosen)

    def _captured(self, document: Document, options: RenderOptions) -> Capture:
        """What the browser tells of a page; asked once more if it died."""
        for last in (False, True):
            answers = Answers(document, options.allow_private, self.limits)
            try:
                return self._visit(Visit(document, options, answers), document, options)
            except BrowserLost as error:
                if last:
                    why = "the browser died twice; the page may be too large for this machine"
                    raise RenderFailed(document.source, why) from error
            finally:
                answers.close()
        raise AssertionError("the second try has ended it")

    def _visit(self, visit: Visit, document: Document, options: RenderOptions) -> Capture:
        """Draw a page in the browser, which is ended if anything goes wrong."""
        chromium = self._started()
        try:
            found = chromium.draw(visit.capture(chromium.browser), options.timeout)
        except PageError:
            raise  # the browser can go on
        except BaseException as error:
            alive = chromium.alive
            self._abandon()
            if isinstance(error, TimeoutError):
                raise RenderTimeout(document.source, options.timeout) from error
            if not isinstance(error, playwright_api().Error):
                raise
            if not alive:
                raise BrowserLost from error
            raise RenderFailed(document.source, first_line(error)) from error
        chromium.pages += 1
        if chromium.pages >= PAGES:
            self._end()
        return found

    def _started(self) -> Chromium:
        if self._chromium is not None and not self._chromium.alive:
            self._abandon()
        if self._chromium is None:
            path = find_browser(self.options.browser)
            self._chromium = Chromium(path, sandbox=self.options.sandbox)
        return self._chromium

    def _abandon(self) -> None:
        """End a browser that does not do as it is told."""
        if self._chromium is not None:
            self._chromium.kill()
        self._end()

    def _end(self) -> None:
        if self._chromium is not None:
            self._chromium.close()
            self._chromium = None


def rendering_of(document: Document, found: Capture, options: RenderOptions) -> Rendering:
    """What the browser told, in rows of a page."""
    snapshot = found.tree
    page, rows = rows_of(snapshot, parsed(document))
    layout = layout_of(snapshot, page, rows, found.area)
    layout = replace(layout, colour=image_colours(snapshot, page, layout, rows, found))
    picture = found.picture if options.picture else b""
    scale = found.scale if picture else 1.0
    return Rendering(page, layout, picture, scale, tuple(dict.fromkeys(found.notes)))
