"""The answers of the extension fit a phone, whatever fonts are installed."""

import pytest

from tests.chromium import FONTS, PATIENCE, find_chromium, font_environment
from tests.extension.driving import ACTIONS, FLAGS, KEEP, TOKEN, Chromium
from tests.test_phone import SIZE, check

#: All actions share their views: the second set of fonts looks at the widest.
SHOWN = dict(zip(FONTS, (tuple(ACTIONS), ("content", "template")), strict=True))


@pytest.mark.parametrize("fonts", FONTS)
def test_answers_of_the_extension(fonts, service, site, playwright, tmp_path):
    context = playwright.chromium.launch_persistent_context(
        tmp_path,
        executable_path=find_chromium(),
        headless=False,
        args=list(FLAGS),
        env=font_environment(fonts),
    )
    context.set_default_timeout(PATIENCE)
    chromium = Chromium(context)
    popup = chromium.popup(chromium.open(f"{site.url}/news/wall-repair.html"))
    popup.tab.evaluate(KEEP, {"address": service, "token": TOKEN})
    for action in SHOWN[fonts]:
        popup.press(action)
        with context.expect_page() as opened:
            popup.tab.click("#open")
        tab = opened.value
        tab.set_viewport_size(SIZE)
        tab.wait_for_selector("#views button")
        for view in tab.locator("#views button").all():
            view.click()
            check(tab)
    context.close()
