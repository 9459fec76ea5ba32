"""Barriers that axe-core finds on our screens: all that it calls worse than minor."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page as Tab

GRAVE = ("moderate", "serious", "critical")
COLOUR_RULES = ["color-contrast", "link-in-text-block"]  #: of those that axe-core runs by itself
#: Our own document; drawn pages are what they are.
OURS = {"include": [["html"]], "exclude": [["iframe"]]}


def barriers(tab: Tab, *, colours_only: bool = False) -> list[tuple[str, list[str]]]:
    """Rules that a screen breaks, and the elements that break them."""
    # Copies of style sheets break the policy; what passes need not be described, at twice the cost.
    options: dict[str, object] = {"preload": False, "resultTypes": ["violations"]}
    if colours_only:
        options["runOnly"] = {"type": "rule", "values": COLOUR_RULES}
    found = Axe().run(tab, context=OURS, options=options).response["violations"]
    return [
        (each["id"], [node["html"][:120] for node in each["nodes"]])
        for each in found
        if each["impact"] in GRAVE
    ]


def check_schemes(tab: Tab) -> None:
    """No barrier in light and in dark, which differ in their colours alone."""
    tab.emulate_media(color_scheme="dark")
    assert barriers(tab, colours_only=True) == []
    tab.emulate_media(color_scheme="light")
    assert barriers(tab) == []
