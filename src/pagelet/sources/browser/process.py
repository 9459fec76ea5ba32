"""One Chromium process, driven from a thread of its own, that never outlives its program.

Playwright's calls wait for the page, and a page may never respond. So they run in another thread,
and at the time-out the whole process group is killed.
"""

import asyncio
import atexit
import contextlib
import os
import shutil
import signal
import threading
from collections.abc import Coroutine
from concurrent.futures import TimeoutError as FutureTimeout
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakSet

from pagelet.errors import BrowserMissing, MissingExtra

T = TypeVar("T")

START_SECONDS = 60.0  #: time a browser may take to start
PROFILE_FLAG = "--user-data-dir="
GRACE_SECONDS = 5.0  #: time beyond a time-out in which its error is reported
STOP_SECONDS = 5.0  #: time a browser may take to end by itself
#: no access to the network: a proxy that cannot be resolved, for loopback too, and no DNS
NO_NETWORK_FLAGS = (
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
    *NO_NETWORK_FLAGS,
)

_running: "WeakSet[Chromium]" = WeakSet()


class BrowserLost(Exception):
    """The browser process has ended."""


class Chromium:
    """A running browser."""

    def __init__(self, path: str, *, sandbox: bool = True) -> None:
        self.browser: Any = None
        self.pages = 0
        self._playwright: Any = None
        self.group, self._profile = 0, ""
        self._api = import_playwright()
        self._loop, self._lost = asyncio.new_event_loop(), asyncio.Event()
        self._thread = threading.Thread(target=self._run_loop, name="pagelet-browser", daemon=True)
        self._thread.start()
        _running.add(self)
        try:
            self.call(self._start(path, sandbox=sandbox and not _is_root()), START_SECONDS)
        except BaseException as error:
            self.close()
            if isinstance(error, self._api.Error | TimeoutError):
                why = f"{path} did not start: {first_line(error)}"
                raise BrowserMissing(why) from error
            raise

    def call(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        """Run a coroutine in the browser's thread; TimeoutError when it takes too long."""
        waiting = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return waiting.result(seconds)
        except FutureTimeout:
            waiting.cancel()
            raise TimeoutError from None

    def draw(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        """Run a coroutine that needs the browser; BrowserLost when the browser ends first."""
        return self.call(self._unless_lost(work, seconds), seconds + GRACE_SECONDS)

    async def _unless_lost(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        """Watch for the end of the browser, since some calls of Playwright then wait for ever."""
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
        """Whether the browser is connected."""
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
            self.call(self._stop(), STOP_SECONDS)
        self.kill()
        with contextlib.suppress(Exception):
            self.call(self._stop_playwright(), STOP_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(STOP_SECONDS)
        if self._profile:  # Playwright removes it, unless something is still written there
            shutil.rmtree(self._profile, ignore_errors=True)
        _running.discard(self)

    def _run_loop(self) -> None:
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
        info = await session.send("SystemInfo.getProcessInfo")
        self.group = next(each["id"] for each in info["processInfo"] if each["type"] == "browser")
        self._profile = _profile_of(self.group)
        await session.detach()

    async def _stop(self) -> None:
        if self.browser is not None:
            await self.browser.close()

    async def _stop_playwright(self) -> None:
        """End Playwright's own process and cancel its tasks."""
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
    """Kill a process and its group, unless that is the group of this program."""
    if not hasattr(os, "killpg"):
        os.kill(process, signal.SIGTERM)
    elif (group := os.getpgid(process)) == os.getpgid(0):
        os.kill(process, signal.SIGKILL)
    else:
        os.killpg(group, signal.SIGKILL)


def _profile_of(process: int) -> str:
    """The profile folder of a browser, where the system has /proc; else empty."""
    try:
        arguments = Path(f"/proc/{process}/cmdline").read_text(encoding="utf-8").split("\0")
    except (OSError, ValueError):
        return ""
    flags = (each for each in arguments if each.startswith(PROFILE_FLAG))
    return next(flags, "").removeprefix(PROFILE_FLAG)


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def import_playwright() -> Any:
    """The module `playwright.async_api`, which comes with the extra `browser`."""
    try:
        from playwright import async_api  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtra("browser", "drawing pages") from error
    return async_api


def first_line(error: BaseException) -> str:
    """The message of an error, without the log that Playwright adds."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
