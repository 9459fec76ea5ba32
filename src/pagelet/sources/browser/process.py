"""One Chromium, driven from a thread of its own, that never outlives whoever started it.

Playwright's calls wait for the page, and a page may never answer; so they run in another thread,
and when the time is up the whole group of processes is ended.
"""

import asyncio
import atexit
import contextlib
import os
import shutil
import signal
import threading
from collections.abc import Coroutine
from concurrent.futures import TimeoutError as TookTooLong
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakSet

from pagelet.errors import BrowserMissing, MissingExtra

T = TypeVar("T")

START = 60.0  #: seconds a browser may take to start
PROFILE = "--user-data-dir="  #: what names the folder that a browser writes in
GRACE = 5.0  #: seconds beyond those for some work in which its failure is told
STOP = 5.0  #: seconds it may take to end by itself
#: no way to the network: a proxy whose name has no address, for loopback too, and no names at all
CUT_OFF = (
    "--proxy-server=http://nowhere.invalid:9",
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--dns-prefetch-disable",
)
FLAGS = (
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--mute-audio",
    "--hide-scrollbars",
    "--font-render-hinting=none",
    *CUT_OFF,
)

_running: "WeakSet[Chromium]" = WeakSet()


class BrowserLost(Exception):
    """The browser is gone."""


class Chromium:
    """A browser that has been started."""

    def __init__(self, path: str, *, sandbox: bool = True) -> None:
        self.browser: Any = None
        self.pages = 0
        self._playwright: Any = None
        self.group, self._profile = 0, ""
        self._api = playwright_api()
        self._loop, self._lost = asyncio.new_event_loop(), asyncio.Event()
        self._thread = threading.Thread(target=self._work, name="pagelet-browser", daemon=True)
        self._thread.start()
        _running.add(self)
        try:
            self.call(self._start(path, sandbox=sandbox and not _is_root()), START)
        except BaseException as error:
            self.close()
            if isinstance(error, self._api.Error | TimeoutError):
                why = f"{path} did not start: {first_line(error)}"
                raise BrowserMissing(why) from error
            raise

    def call(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        """Do some work in the browser's thread; TimeoutError when it takes too long."""
        waiting = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return waiting.result(seconds)
        except TookTooLong:
            waiting.cancel()
            raise TimeoutError from None

    def draw(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        """Do some work that needs the browser; BrowserLost when that ends before it is done."""
        return self.call(self._unless_lost(work, seconds), seconds + GRACE)

    async def _unless_lost(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        """Some calls of Playwright wait for ever when the browser dies, so its end is watched."""
        working, losing = asyncio.create_task(work), asyncio.create_task(self._lost.wait())
        try:
            async with asyncio.timeout(seconds):
                await asyncio.wait({working, losing}, return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                raise BrowserLost
            return working.result()
        finally:
            working.cancel()
            losing.cancel()

    @property
    def alive(self) -> bool:
        """Whether the browser is there and answers."""
        return self.browser is not None and bool(self.browser.is_connected())

    def kill(self) -> None:
        """End the browser and all its processes at once."""
        if self.group:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                _kill(self.group)
            self.group = 0

    def close(self) -> None:
        """End the browser, by force if need be, and the thread that drove it."""
        if self._loop.is_closed():
            return
        with contextlib.suppress(Exception):
            self.call(self._stop(), STOP)
        self.kill()
        with contextlib.suppress(Exception):
            self.call(self._leave(), STOP)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(STOP)
        if self._profile:  # Playwright removes it, unless something is still written there
            shutil.rmtree(self._profile, ignore_errors=True)
        _running.discard(self)

    def _work(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        self._loop.close()

    async def _start(self, path: str, *, sandbox: bool) -> None:
        self._playwright = await self._api.async_playwright().start()
        self.browser = await self._playwright.chromium.launch(
            executable_path=path, args=list(FLAGS), chromium_sandbox=sandbox
        )
        self.browser.on("disconnected", lambda _: self._lost.set())
        session = await self.browser.new_browser_cdp_session()
        told = await session.send("SystemInfo.getProcessInfo")
        self.group = next(each["id"] for each in told["processInfo"] if each["type"] == "browser")
        self._profile = _profile_of(self.group)
        await session.detach()

    async def _stop(self) -> None:
        if self.browser is not None:
            await self.browser.close()

    async def _leave(self) -> None:
        """End Playwright's own process and whatever still waits."""
        if self._playwright is not None:
            await self._playwright.stop()
        waiting = asyncio.all_tasks() - {asyncio.current_task()}
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


@atexit.register
def _end_all() -> None:
    for chromium in list(_running):
        chromium.kill()
        chromium.close()


def _kill(process: int) -> None:
    """End a process and its group, unless that is our own group."""
    if not hasattr(os, "killpg"):
        os.kill(process, signal.SIGTERM)
    elif (group := os.getpgid(process)) == os.getpgid(0):
        os.kill(process, signal.SIGKILL)
    else:
        os.killpg(group, signal.SIGKILL)


def _profile_of(process: int) -> str:
    """The folder that a browser writes in, where the system tells; else empty."""
    try:
        told = Path(f"/proc/{process}/cmdline").read_text(encoding="utf-8").split("\0")
    except (OSError, ValueError):
        return ""
    return next((part.removeprefix(PROFILE) for part in told if part.startswith(PROFILE)), "")


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def playwright_api() -> Any:
    """The library that drives browsers; it comes with the extra `browser`."""
    try:
        from playwright import async_api  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtra("browser", "drawing pages") from error
    return async_api


def first_line(error: BaseException) -> str:
    """What an error says, without the log that Playwright adds."""
    said = str(error).strip().splitlines()
    return said[0] if said else type(error).__name__
