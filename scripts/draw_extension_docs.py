"""Make the pictures of the extension in docs/pictures: the real thing at work on the sample site.

Pictures get a palette, so that the repository stays small. Run it as `python -m`.
"""

import io
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright
from scripts.draw_ui_docs import in_few_colours
from tests.extension.driving import FLAGS, TOKEN, Chromium, Pages, serving
from tests.sources.loopback import running

from pagelet.sources.browser.options import find_browser

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
PAGE = "/news/wall-repair.html"
SIZE = {"width": 1000, "height": 640}
COLOURS = 128
POPUP = {"x": 0, "y": 0, "width": 300, "height": 440}
ANSWER = {"x": 0, "y": 0, "width": 1000, "height": 480}


def main() -> None:
    """Write the popup, the page with an answer over it, and the answer."""
    with (
        tempfile.TemporaryDirectory() as profile,
        serving() as service,
        running(Pages()) as site,
        sync_playwright() as playwright,
    ):
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=find_browser(""), headless=False, args=list(FLAGS),
            viewport=SIZE,
        )  # fmt: skip
        draw(Chromium(context), site, service)
        context.close()


def draw(chromium: Chromium, site: Pages, service: str) -> None:
    """Take the pictures, one after the other."""
    page = chromium.open(site.url + PAGE)
    popup = chromium.popup(page)
    popup.pair(service, TOKEN)
    popup.press("content")
    write("extension-popup", popup.tab.screenshot(clip=POPUP))
    page.bring_to_front()
    write("extension-content", page.screenshot())
    popup.tab.bring_to_front()
    popup.press("menu")
    with chromium.context.expect_page() as opened:
        popup.tab.click("#open")
    opened.value.wait_for_selector("#views button")
    write("extension-answer", opened.value.screenshot(clip=ANSWER))


def write(name: str, picture: bytes) -> None:
    """Write a picture with few colours."""
    path = PICTURES / f"{name}.png"
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    in_few_colours(image, COLOURS).save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
