"""How a page is drawn: what may be told, and which Chromium draws it."""

import os
import shutil
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pagelet.errors import BrowserMissing, OptionError
from pagelet.sources.http.addresses import parse_host_port

VARIABLE = "PAGELET_BROWSER"  #: of the environment; names the browser to use
NAMES = (
    "chromium chromium-browser google-chrome google-chrome-stable chrome microsoft-edge"
    " headless_shell"
).split()
INSTALLED = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
)  #: where systems without a search path for programs keep them


def _option(help: str, default: Any, low: float | None = None, high: float | None = None) -> Any:
    return field(default=default, metadata={"help": help, "low": low, "high": high})


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderOptions:
    """How a page is drawn."""

    width: int = _option("Width of the window, in pixels.", 1280, 16, 10_000)
    height: int = _option("Height of the window, in pixels.", 900, 16, 10_000)
    javascript: Literal["auto", "on", "off"] = _option(
        "Whether scripts run; auto: only those of a URL.", "auto"
    )
    network: Literal["auto", "on", "off"] = _option(
        "Whether the page may load things; auto: only a URL may.", "auto"
    )
    folder: str = _option("Where the images and styles of a file lie; its own folder if empty.", "")
    wait: float = _option("Seconds to wait once the page has loaded.", 0.0, 0)
    scroll: int = _option("Most windows to scroll down first, so that late images load.", 0, 0, 200)
    timeout: float = _option("Seconds for the whole page; then it is given up.", 30.0, 0.1)
    picture: bool = _option("Take a picture of the page.", default=False)
    picture_height: int = _option(
        "Most pixels of the picture from top to bottom.", 16_000, 1, 16_000
    )
    browser: str = _option(f"The Chromium to use; else ${VARIABLE}, else the one found.", "")
    sandbox: bool = _option("Draw in the sandbox of the browser; root has none.", default=True)
    allow_private: tuple[str, ...] = _option("HOST:PORT whose address may be private.", ())

    def __post_init__(self) -> None:
        for part in fields(self):
            value, low, high = getattr(self, part.name), part.metadata["low"], part.metadata["high"]
            if low is not None and not value >= low:
                raise OptionError(part.name, value, f"give at least {low:g}")
            if high is not None and value > high:
                raise OptionError(part.name, value, f"give at most {high:g}")
            if get_origin(part.type) is Literal and value not in get_args(part.type):
                raise OptionError(part.name, value, f"say {', '.join(get_args(part.type))}")
        for text in self.allow_private:
            parse_host_port(text)


def find_browser(said: str = "") -> str:
    """The program that draws: what the user says, the environment says, or the path holds."""
    for name in filter(None, (said, os.environ.get(VARIABLE))):
        if found := shutil.which(name):
            return found
        raise BrowserMissing(f"there is no program {name!r}")
    candidates = (*map(shutil.which, NAMES), *filter(os.path.exists, INSTALLED), _of_playwright())
    for found in candidates:
        if found:
            return found
    raise BrowserMissing("no Chromium was found")


def _of_playwright() -> str | None:
    """The newest Chromium that Playwright has installed for itself."""
    kept = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache/ms-playwright")
    programs = (*kept.glob("chromium-*/chrome-*/chrome"), *kept.glob("chromium*/*/headless_shell"))
    newest = sorted(programs, key=lambda path: path.stat().st_mtime)
    return str(newest[-1]) if newest else None
