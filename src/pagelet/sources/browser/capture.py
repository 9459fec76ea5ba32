"""One page in the browser: loaded, measured with a single call, and photographed."""

import asyncio
import base64
import contextlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from pagelet.errors import PageError, RenderFailed
from pagelet.sources.browser.document import Document
from pagelet.sources.browser.options import RenderOptions
from pagelet.sources.browser.process import first_line, playwright_api
from pagelet.sources.browser.snapshot import Area, Snapshot, area_of
from pagelet.sources.browser.web import Answers

STYLES = (
    "display visibility opacity color background-color background-image font-size font-weight"
    " position transform overflow-x overflow-y clip clip-path content-visibility writing-mode"
    " border-left-width border-top-width border-right-width border-bottom-width"
    " border-left-color border-top-color border-right-color border-bottom-color"
).split()
NODES = 2_000_000  #: most nodes of a page that are looked at
THREADS = 6  #: things a page may load at once
LOADING = 0.6  #: part of the time that may pass before a page is taken as it is
SCROLL_DOWN = "() => { const from = scrollY; scrollBy(0, innerHeight); return scrollY > from }"
TO_TOP = "scrollTo({left: 0, top: 0, behavior: 'instant'})"
DRAW_ALL = """
for (const each of document.querySelectorAll("*"))
    if (getComputedStyle(each).contentVisibility === "auto")
        each.style.setProperty("content-visibility", "visible", "important")
"""  #: lays out what is put off until it is scrolled to
STEP = 0.1  #: seconds for each window that is scrolled
SETTLED = 3  #: steps in which nothing is asked for
SMALL = 0.25  #: scale of a picture that only tells colours
APART = frozenset("img svg canvas video iframe frame object embed".split())  #: have no font
WIDEST = 16_000  #: pixels of a picture from left to right


@dataclass(slots=True)
class Capture:
    """What the browser told of a page."""

    tree: Snapshot = field(init=False)
    area: Area = field(init=False)
    shift: float = 0.0  #: pixels left of the area that pictures could show but people do not see
    picture: bytes = b""
    scale: float = 1.0
    images: dict[str, bytes] = field(default_factory=dict)  #: bodies by address
    notes: list[str] = field(default_factory=list)


class Visit:
    """One document in a browser that is running."""

    def __init__(self, document: Document, options: RenderOptions, answers: Answers) -> None:
        self._document, self._options, self._answers = document, options, answers
        self._api = playwright_api()
        self._found, self._pool = Capture(), ThreadPoolExecutor(THREADS)
        self._shown, self._left = False, asyncio.Event()
        self._asking, self._refused = 0, list[PageError]()

    async def capture(self, browser: Any) -> Capture:
        """Load the page and measure it, and leave nothing behind."""
        try:
            return await self._captured(browser)
        finally:
            self._pool.shutdown(wait=False, cancel_futures=True)

    async def _captured(self, browser: Any) -> Capture:
        size = {"width": self._options.width, "height": self._options.height}
        context = await browser.new_context(
            viewport=size,
            java_script_enabled=self._document.scripts,
            service_workers="block",
            accept_downloads=False,
            reduced_motion="reduce",
        )
        await context.route("**/*", self._answer)
        tab = await context.new_page()
        context.on("page", self._close)
        try:
            await self._load(tab)
            await self._measure(await context.new_cdp_session(tab))
        except PageError:  # the page's fault, not the browser's
            await context.close()
            raise
        await context.close()
        if self._refused:
            missing, first = len(self._refused), self._refused[0]
            self._found.notes.append(f"{missing:,} things it asked for are missing; first {first}")
        return self._found

    async def _close(self, tab: Any) -> None:
        """Close a window that the page opened."""
        with contextlib.suppress(self._api.Error):
            await tab.close()

    # -- loading ------------------------------------------------------------------------------

    async def _load(self, tab: Any) -> None:
        """Load the page, or as much of it as comes in time."""
        seconds = self._options.timeout * LOADING
        loading = asyncio.create_task(tab.goto(self._document.address, timeout=0))
        leaving = asyncio.create_task(self._left.wait())
        both = asyncio.FIRST_COMPLETED
        try:
            async with asyncio.timeout(seconds):
                await asyncio.wait({loading, leaving}, return_when=both)
                await (loading if loading.done() else self._settle())
        except TimeoutError:
            if not self._shown:
                raise
            self._found.notes.append(f"not all of the page had loaded after {seconds:g} s")
        finally:
            for task in (loading, leaving):
                task.cancel()
            await asyncio.gather(loading, leaving, return_exceptions=True)
        await self._scroll(tab)
        await asyncio.sleep(self._options.wait)

    async def _settle(self) -> None:
        """Wait until nothing is asked for; a page kept from leaving never says it has loaded."""
        quiet = 0
        while quiet < SETTLED:
            await asyncio.sleep(STEP)
            quiet = 0 if self._asking else quiet + 1

    async def _scroll(self, tab: Any) -> None:
        """Scroll down a window at a time."""
        for _ in range(self._options.scroll):
            if not await tab.evaluate(SCROLL_DOWN):
                break
            await asyncio.sleep(STEP)

    async def _answer(self, route: Any) -> None:
        """Answer one request of the page."""
        self._asking += 1
        with contextlib.suppress(self._api.Error):  # the page may be gone by now
            await (self._go if self._leads_on(route.request) else self._hand_over)(route)
        self._asking -= 1

    def _leads_on(self, asked: Any) -> bool:
        """Whether a request is for another page in place of this one, or in a new window."""
        try:
            return asked.is_navigation_request() and asked.frame.parent_frame is None
        except self._api.Error:  # the window is not there yet
            return True

    async def _go(self, route: Any) -> None:
        """Show the page; wherever it wants to go then, it stays."""
        if self._shown:
            self._found.notes.append(
                f"the page leads on to {route.request.url}; it was not followed"
            )
            self._left.set()
            await route.abort("aborted")
            return
        self._shown = True
        html = self._document.html.encode("utf-8", "replace")
        await route.fulfill(body=html, content_type="text/html; charset=utf-8")

    async def _hand_over(self, route: Any) -> None:
        asked, loop = route.request, asyncio.get_running_loop()
        if asked.method != "GET":
            await route.abort("blockedbyclient")
            return
        accept = asked.headers.get("accept", "*/*")
        try:
            answer = await loop.run_in_executor(self._pool, self._answers.get, asked.url, accept)
        except PageError as error:
            self._refused.append(error)
            await route.abort("blockedbyclient")
            return
        body = answer.body
        if asked.resource_type == "image":
            self._found.images[asked.url] = body
        if asked.resource_type == "stylesheet" and answer.url != asked.url:
            body = f'@import "{answer.url}";'.encode()  # else its own links would lead astray
        await route.fulfill(status=answer.status, headers=answer.headers, body=body)

    # -- measuring ----------------------------------------------------------------------------

    async def _measure(self, session: Any) -> None:
        counted = await session.send("Memory.getDOMCounters")
        if counted["nodes"] > NODES:
            why = f"more than {NODES:,} nodes; too many to draw"
            raise RenderFailed(self._document.source, why)
        await session.send("Runtime.evaluate", {"expression": TO_TOP})
        await self._look(session)
        if "auto" in self._found.tree.style("content-visibility")[0]:
            await session.send("Runtime.evaluate", {"expression": DRAW_ALL})
            await self._look(session)
        self._check()
        if self._options.picture or self._lacking():
            await self._photograph(session)

    async def _look(self, session: Any) -> None:
        """Take down the whole tree and where everything is."""
        metrics = await session.send("Page.getLayoutMetrics")
        asked = {"computedStyles": STYLES, "includePaintOrder": True}
        told = await session.send("DOMSnapshot.captureSnapshot", asked)
        scripts = self._document.scripts
        tree = Snapshot(told["strings"], told["documents"][0], tuple(STYLES), scripts)
        self._found.tree, self._found.area = tree, area_of(tree, metrics)
        window = metrics["cssLayoutViewport"]["pageX"]
        self._found.shift = self._found.area[0] + window - tree.document["scrollOffsetX"]

    def _check(self) -> None:
        """Refuse a page that went away while it was looked at."""
        address = self._found.tree.text(self._found.tree.document["documentURL"])
        if not address.startswith(("http://", "https://")):
            why = f"it left for {address}; turn scripts off to see it"
            raise RenderFailed(self._document.source, why)

    def _lacking(self) -> bool:
        """Whether there is something whose colour only a picture can tell."""
        tree = self._found.tree
        names = {tree.text(number).lower() for number in set(tree.nodes["nodeName"])} & APART
        shown = map(tree.text, tree.nodes["currentSourceURL"]["value"])
        return bool(names - {"img"}) or not all(map(self._readable, shown))

    def _readable(self, url: str) -> bool:
        """Whether there are bytes of an image, and no drawing instructions."""
        if url.startswith("data:"):
            return not url.startswith("data:image/svg")
        return not self._found.images.get(url, b"<").lstrip().startswith(b"<")

    async def _photograph(self, session: Any) -> None:
        """Take a picture, as far down as asked; a small one when only colours need it."""
        wanted, found = self._options.picture, self._found
        _, _, width, whole = found.area
        height, found.scale = min(whole, self._options.picture_height), 1.0 if wanted else SMALL
        if wanted and height < whole:
            found.notes.append(f"the picture ends {height:,} pixels down the page")
        clip = {"x": found.shift, "y": 0, "width": min(width, WIDEST), "height": height}
        told = {"format": "png", "captureBeyondViewport": True, "optimizeForSpeed": True}
        told["clip"] = clip | {"scale": found.scale}
        try:
            answer = await session.send("Page.captureScreenshot", told)
        except self._api.Error as error:
            found.notes.append(f"there is no picture: {first_line(error)}")
            return
        found.picture = base64.b64decode(answer["data"])
