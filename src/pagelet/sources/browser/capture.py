"""One page in the browser: loaded, measured with a single call, and captured as a picture."""

import asyncio
import base64
import contextlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from pagelet.errors import PageError, RenderFailed
from pagelet.sources.browser.html import Area, Snapshot, area_of
from pagelet.sources.browser.options import RenderOptions
from pagelet.sources.browser.process import first_line, import_playwright
from pagelet.sources.browser.resources import Document, ResourceLoader
from pagelet.wording import missing_styles_note

STYLES = (
    "display visibility opacity color background-color background-image font-size font-weight"
    " position transform overflow-x overflow-y clip clip-path content-visibility writing-mode"
    " border-left-width border-top-width border-right-width border-bottom-width"
    " border-left-color border-top-color border-right-color border-bottom-color"
).split()
MAX_NODES = 2_000_000  #: nodes of a page that is measured
LOAD_THREADS = 6  #: resources loaded at once
LOAD_RATIO = 0.6  #: part of the time-out after which a page is taken as it is
SCROLL_DOWN = "() => { const from = scrollY; scrollBy(0, innerHeight); return scrollY > from }"
TO_TOP = "scrollTo({left: 0, top: 0, behavior: 'instant'})"
DRAW_ALL = """
for (const each of document.querySelectorAll("*"))
    if (getComputedStyle(each).contentVisibility === "auto")
        each.style.setProperty("content-visibility", "visible", "important")
"""  #: lays out what would wait until it is scrolled to
STEP_SECONDS = 0.1  #: wait after each scrolled window
QUIET_STEPS = 3  #: steps without requests after which a page has settled
COLOUR_SCALE = 0.25  #: scale of a picture that is used for colours only
REPLACED = frozenset(  #: elements with content of their own, not text
    "img svg canvas video iframe frame object embed".split()
)
MAX_PICTURE_WIDTH = 16_000  #: pixels


@dataclass(slots=True)
class Capture:
    """The tree, picture and images of a page as the browser drew it."""

    tree: Snapshot = field(init=False)
    area: Area = field(init=False)
    shift: float = 0.0  #: pixels left of the area that no one can scroll to
    picture: bytes = b""
    scale: float = 1.0
    images: dict[str, bytes] = field(default_factory=dict)  #: image files by address
    notes: list[str] = field(default_factory=list)
    missing_styles: int = 0  #: style sheets that could not be loaded


class Visit:
    """One document in a browser that is running."""

    def __init__(self, document: Document, options: RenderOptions, loader: ResourceLoader) -> None:
        self._document, self._options, self._loader = document, options, loader
        self._api = import_playwright()
        self._capture, self._pool = Capture(), ThreadPoolExecutor(LOAD_THREADS)
        self._served, self._left = False, asyncio.Event()
        self._pending, self._refused = 0, list[PageError]()

    async def capture(self, browser: Any) -> Capture:
        """Load and measure the page, then close it."""
        try:
            return await self._open_and_measure(browser)
        finally:
            self._pool.shutdown(wait=False, cancel_futures=True)

    async def _open_and_measure(self, browser: Any) -> Capture:
        size = {"width": self._options.width, "height": self._options.height}
        context = await browser.new_context(
            viewport=size,
            java_script_enabled=self._document.scripts,
            service_workers="block",
            accept_downloads=False,
            reduced_motion="reduce",
        )
        await context.route("**/*", self._serve)
        tab = await context.new_page()
        context.on("page", self._close)
        try:
            await self._load(tab)
            await self._measure(await context.new_cdp_session(tab))
        except PageError:  # the page's fault, not the browser's
            await context.close()
            raise
        await context.close()
        if self._capture.missing_styles:
            self._capture.notes.append(missing_styles_note(self._capture.missing_styles))
        if self._refused:
            missing, first = len(self._refused), self._refused[0]
            self._capture.notes.append(
                f"{missing:,} requested resources are missing; first {first}"
            )
        return self._capture

    async def _close(self, tab: Any) -> None:
        """Close a window that the page opened."""
        with contextlib.suppress(self._api.Error):
            await tab.close()

    # -- loading ------------------------------------------------------------------------------

    async def _load(self, tab: Any) -> None:
        """Load the page, or as much of it as comes in time."""
        seconds = self._options.timeout * LOAD_RATIO
        loading = asyncio.create_task(tab.goto(self._document.address, timeout=0))
        leaving = asyncio.create_task(self._left.wait())
        both = asyncio.FIRST_COMPLETED
        try:
            async with asyncio.timeout(seconds):
                await asyncio.wait({loading, leaving}, return_when=both)
                await (loading if loading.done() else self._settle())
        except TimeoutError:
            if not self._served:
                raise
            self._capture.notes.append(f"not all of the page had loaded after {seconds:g} s")
        finally:
            for task in (loading, leaving):
                task.cancel()
            await asyncio.gather(loading, leaving, return_exceptions=True)
        await self._scroll(tab)
        await asyncio.sleep(self._options.wait)

    async def _settle(self) -> None:
        """Wait for an end of requests, since a page kept from leaving never reports it loaded."""
        quiet = 0
        while quiet < QUIET_STEPS:
            await asyncio.sleep(STEP_SECONDS)
            quiet = 0 if self._pending else quiet + 1

    async def _scroll(self, tab: Any) -> None:
        """Scroll down a window at a time."""
        for _ in range(self._options.scroll):
            if not await tab.evaluate(SCROLL_DOWN):
                break
            await asyncio.sleep(STEP_SECONDS)

    async def _serve(self, route: Any) -> None:
        """Serve one request of the page."""
        self._pending += 1
        with contextlib.suppress(self._api.Error):  # the page may be gone by now
            await (self._navigate if self._is_navigation(route.request) else self._fulfill)(route)
        self._pending -= 1

    def _is_navigation(self, request: Any) -> bool:
        """Whether a request is for another page in place of this one, or in a new window."""
        try:
            return request.is_navigation_request() and request.frame.parent_frame is None
        except self._api.Error:  # the window is not there yet
            return True

    async def _navigate(self, route: Any) -> None:
        """Serve the page itself; later navigation is blocked."""
        if self._served:
            self._capture.notes.append(
                f"the page leads on to {route.request.url}; it was not followed"
            )
            self._left.set()
            await route.abort("aborted")
            return
        self._served = True
        html = self._document.html.encode("utf-8", "replace")
        await route.fulfill(body=html, content_type="text/html; charset=utf-8")

    async def _fulfill(self, route: Any) -> None:
        request, loop = route.request, asyncio.get_running_loop()
        if request.method != "GET":
            await route.abort("blockedbyclient")
            return
        accept = request.headers.get("accept", "*/*")
        try:
            resource = await loop.run_in_executor(self._pool, self._loader.get, request.url, accept)
        except PageError as error:
            self._refused.append(error)
            self._capture.missing_styles += request.resource_type == "stylesheet"
            await route.abort("blockedbyclient")
            return
        body = resource.body
        if request.resource_type == "image":
            self._capture.images[request.url] = body
        if request.resource_type == "stylesheet" and resource.url != request.url:
            body = f'@import "{resource.url}";'.encode()  # else its relative links would be wrong
        await route.fulfill(status=resource.status, headers=resource.headers, body=body)

    # -- measuring ----------------------------------------------------------------------------

    async def _measure(self, session: Any) -> None:
        counters = await session.send("Memory.getDOMCounters")
        if counters["nodes"] > MAX_NODES:
            why = f"more than {MAX_NODES:,} nodes; too many to draw"
            raise RenderFailed(self._document.source, why)
        await session.send("Runtime.evaluate", {"expression": TO_TOP})
        await self._take_snapshot(session)
        if "auto" in self._capture.tree.style("content-visibility")[0]:
            await session.send("Runtime.evaluate", {"expression": DRAW_ALL})
            await self._take_snapshot(session)
        self._check_address()
        if self._options.picture or self._needs_picture():
            await self._take_picture(session)

    async def _take_snapshot(self, session: Any) -> None:
        """Read the whole tree and its layout."""
        metrics = await session.send("Page.getLayoutMetrics")
        result = await session.send(
            "DOMSnapshot.captureSnapshot", {"computedStyles": STYLES, "includePaintOrder": True}
        )
        scripts = self._document.scripts
        tree = Snapshot(result["strings"], result["documents"][0], tuple(STYLES), scripts)
        self._capture.tree, self._capture.area = tree, area_of(tree, metrics)
        window = metrics["cssLayoutViewport"]["pageX"]
        self._capture.shift = self._capture.area[0] + window - tree.document["scrollOffsetX"]

    def _check_address(self) -> None:
        """Refuse a page that navigated away while it was measured."""
        address = self._capture.tree.text(self._capture.tree.document["documentURL"])
        if not address.startswith(("http://", "https://")):
            why = f"it left for {address}; turn scripts off to see it"
            raise RenderFailed(self._document.source, why)

    def _needs_picture(self) -> bool:
        """Whether the colours of some element can only be read from a picture."""
        tree = self._capture.tree
        names = {tree.text(number).lower() for number in set(tree.nodes["nodeName"])} & REPLACED
        images = map(tree.text, tree.nodes["currentSourceURL"]["value"])
        return bool(names - {"img"}) or not all(map(self._is_bitmap, images))

    def _is_bitmap(self, url: str) -> bool:
        """Whether the file of an image is there, and no SVG."""
        if url.startswith("data:"):
            return not url.startswith("data:image/svg")
        return not self._capture.images.get(url, b"<").lstrip().startswith(b"<")

    async def _take_picture(self, session: Any) -> None:
        """Take a picture up to the height of the options; a small one if only colours need it."""
        wanted, capture = self._options.picture, self._capture
        _, _, width, whole = capture.area
        height = min(whole, self._options.picture_height)
        capture.scale = 1.0 if wanted else COLOUR_SCALE
        if wanted and height < whole:
            capture.notes.append(f"the picture ends {height:,} pixels down the page")
        width = min(width, MAX_PICTURE_WIDTH)
        clip = {"x": capture.shift, "y": 0, "width": width, "height": height}
        clip["scale"] = capture.scale
        settings = {"format": "png", "captureBeyondViewport": True, "optimizeForSpeed": True}
        try:
            result = await session.send("Page.captureScreenshot", settings | {"clip": clip})
        except self._api.Error as error:
            capture.notes.append(f"there is no picture: {first_line(error)}")
            return
        capture.picture = base64.b64decode(result["data"])
