"""How a page is drawn: the options, and the Chromium to use."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pagelet.errors import BrowserMissing
from pagelet.sources.http.addresses import parse_host_port
from pagelet.sources.options import check_options, option

BROWSER_VARIABLE = "PAGELET_BROWSER"  #: environment variable that names the browser
PROGRAM_NAMES = (
    "chromium chromium-browser google-chrome google-chrome-stable chrome microsoft-edge"
    " headless_shell"
).split()
PROGRAM_PATHS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
)  #: usual paths on systems without a search path


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderOptions:
    """How a page is drawn."""

    width: int = option("Width of the window, in pixels.", 1280, 16, 10_000)
    height: int = option("Height of the window, in pixels.", 900, 16, 10_000)
    javascript: Literal["auto", "on", "off"] = option(
        "Whether scripts run; auto: only for a URL.", "auto"
    )
    network: Literal["auto", "on", "off"] = option(
        "Whether the page may load resources; auto: only for a URL.", "auto"
    )
    folder: str = option(
        "Folder with the images and styles of a file; its own folder if empty.", ""
    )
    expose_folder: bool = option(
        "Allow scripts and network together for a local page: it can then send the files of its"
        " folder to any host.",
        default=False,
    )
    wait: float = option("Seconds to wait once the page has loaded.", 0.0, 0)
    scroll: int = option("Windows to scroll down first, so that lazy images load.", 0, 0, 200)
    timeout: float = option("Seconds for the whole page.", 30.0, 0.1)
    picture: bool = option("Take a picture of the page.", default=False)
    picture_height: int = option("Greatest height of the picture, in pixels.", 16_000, 1, 16_000)
    browser: str = option(
        f"Chromium to use; by default ${BROWSER_VARIABLE}, else the first one installed.", ""
    )
    sandbox: bool = option("Draw in the sandbox of the browser; root has none.", default=True)
    allow_private: tuple[str, ...] = option("HOST:PORT whose address may be private.", ())

    def __post_init__(self) -> None:
        check_options(self)
        for text in self.allow_private:
            parse_host_port(text)


def find_browser(name: str = "") -> str:
    """The browser by name, by environment variable, or the first on the search path."""
    if wanted := name or os.environ.get(BROWSER_VARIABLE):
        if path := shutil.which(wanted):
            return path
        raise BrowserMissing(f"there is no program {wanted!r}")
    installed = filter(os.path.exists, PROGRAM_PATHS)
    for path in (*map(shutil.which, PROGRAM_NAMES), *installed, _playwright_browser()):
        if path:
            return path
    raise BrowserMissing("no Chromium was found")


def _playwright_browser() -> str | None:
    """The newest Chromium that Playwright has installed for itself."""
    folder = os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache/ms-playwright"
    installed = Path(folder)
    programs = (
        *installed.glob("chromium-*/chrome-*/chrome"),
        *installed.glob("chromium*/*/headless_shell"),
    )
    newest = sorted(programs, key=lambda path: path.stat().st_mtime)
    return str(newest[-1]) if newest else None
