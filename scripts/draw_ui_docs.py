"""Make the pictures of explorer and report in docs/pictures: a sample page, looked at in Chromium.

Each picture is a function that is given a tab at the start of the explorer, or with the report.
Pictures are scaled down and get a palette, so that the repository stays small.
"""

import io
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from pagelet.page.html import parse
from pagelet.report.assets import LocalAssets
from pagelet.report.drawing import draw
from pagelet.report.palette import KIND_LOOKS, ROLE_COLOURS, rgb
from pagelet.sources.browser.options import find_browser

ROOT = Path(__file__).parents[1]
SITE = ROOT / "examples" / "site"
PICTURES = ROOT / "docs" / "pictures"
COLOURS = 160
MOST = 150_000  #: bytes of a picture
STILL = "*, ::before, ::after { animation: none !important; transition: none !important }"


@dataclass(frozen=True)
class Shot:
    """A picture of the docs."""

    name: str
    act: Callable[[Page], None]
    size: tuple[int, int] = (1280, 800)  #: of the window, in pixels
    width: int = 960  #: of the picture
    dark: bool = False
    start: str = "/"  #: what the tab opens: a path of the service, or the report


def whole(name: str) -> str:
    """A page of the sample site with its style and its pictures in it."""
    file = SITE / name
    return draw(parse(file.read_bytes()), [], LocalAssets(file.parent), "")


def opened(tab: Page) -> None:
    """The explorer with the home page of the sample site."""
    tab.fill("#html", whole("index.html"))
    tab.get_by_role("button", name="Analyse HTML").click()
    expect(tab.locator("#status")).to_contain_text("done in")
    tab.frame_locator("#one").locator("pagelet-overlays").wait_for(state="attached")


def why(tab: Page) -> None:
    """One region, and what would have changed the decision."""
    opened(tab)
    tab.locator("#list li:visible button").nth(1).click()
    tab.get_by_role("button", name="Always drop this").click()
    expect(tab.locator("#detail .effect")).to_contain_text("removes")
    tab.locator("#detail").evaluate("detail => detail.scrollTo(0, 0)")


def compared(tab: Page) -> None:
    """Two profiles side by side."""
    opened(tab)
    tab.select_option("#compare", "content:paper")
    expect(tab.locator("#agreement")).to_contain_text("in both")


def segmented(tab: Page) -> None:
    """Segments with their slider."""
    opened(tab)
    with tab.expect_response("**/v1/segments"):
        tab.click("#method-segments")
    expect(tab.locator("#list li").first).to_contain_text("segment")


def answered(tab: Page) -> None:
    """The content as Markdown."""
    opened(tab)
    tab.click("#tab-markdown")
    expect(tab.locator("#answer pre")).to_contain_text("#")


def overview(tab: Page) -> None:
    """Content, menu and clutter together."""
    opened(tab)
    tab.click("#method-all")
    expect(tab.locator("#legend")).to_contain_text("menu")


def reported(tab: Page) -> None:
    """The report with one part chosen, and why it was found."""
    tab.frame_locator("#drawing").locator("pagelet-overlays").wait_for(state="attached")
    tab.locator("#list li:visible", has_text="clutter").nth(1).locator("button").click()
    expect(tab.locator("#list .reason")).to_contain_text("likely clutter")


REPORT = "report"
WANTED = (
    Shot(REPORT, reported, start=REPORT),
    Shot("explorer", overview),
    Shot("explorer-answer", answered),
    Shot("explorer-why", why),
    Shot("explorer-compare", compared),
    Shot("explorer-segments", segmented, dark=True),
    Shot("explorer-phone", opened, size=(390, 780), width=390),
)


def main() -> None:
    """Write every picture, or those that are named."""
    names = set(sys.argv[1:])
    with served() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        for shot in WANTED:
            if not names or shot.name in names:
                path = PICTURES / f"{shot.name}.png"
                path.write_bytes(small(taken(browser, url, shot), shot.width))
                print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")
        browser.close()


@contextmanager
def served() -> Iterator[str]:
    """The service on a port that is free."""
    command = [str(Path(sys.executable).parent / "pagelet"), "serve", "--port", "0"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=quiet, text=True) as process:  # noqa: S603
        assert process.stdout is not None
        said = process.stdout.readline()
        try:
            yield re.findall(r"http://[^/\s]+", said)[0]
        finally:
            process.terminate()


def written_report() -> str:
    """The report of the home page of the sample site, as `pagelet inspect` writes it."""
    program = str(Path(sys.executable).parent / "pagelet")
    command = [program, "inspect", str(SITE / "index.html"), "--output", "-"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603


def taken(browser: Browser, url: str, shot: Shot) -> bytes:
    """What a window shows."""
    size = {"width": shot.size[0], "height": shot.size[1]}
    tab = browser.new_page(
        viewport={"width": size["width"], "height": size["height"]},
        color_scheme="dark" if shot.dark else "light",
        reduced_motion="reduce",
    )
    if shot.start == REPORT:
        tab.set_content(written_report())
    else:
        tab.goto(url + shot.start)
        expect(tab.locator("#methods [role=tab]").first).to_be_attached()
    shot.act(tab)
    tab.mouse.move(0, 0)
    tab.wait_for_timeout(400)  # the frame scrolls and measures
    picture = tab.screenshot(style=STILL)
    tab.close()
    return picture


def small(png: bytes, width: int) -> bytes:
    """The same picture in few bytes."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    height = round(picture.height * width / picture.width)
    out = io.BytesIO()
    sized = picture.resize((width, height), Image.Resampling.LANCZOS)
    in_few_colours(sized, COLOURS).save(out, "PNG", optimize=True)
    if len(out.getvalue()) > MOST:
        raise SystemExit(f"a picture has {len(out.getvalue()):,} bytes; {MOST:,} is the most")
    return out.getvalue()


def in_few_colours(picture: Image.Image, count: int) -> Image.Image:
    """The picture in its most frequent colours, and those of kinds and roles as they are."""
    colours = {each.colour for each in KIND_LOOKS.values()} | set(ROLE_COLOURS.values())
    own = [part for colour in sorted(colours) for part in rgb(colour)]
    frequent = picture.quantize(count, dither=Image.Dither.NONE).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette((own + frequent)[: 3 * 256])
    return picture.quantize(palette=palette, dither=Image.Dither.NONE)


if __name__ == "__main__":
    main()
