"""A site changes while its template is known: small changes are learned, a new design is noticed.

python examples/template_over_time.py
"""

import re
from collections.abc import Callable
from pathlib import Path

import pagelet

SITE = Path(__file__).parent / "site"
NAMES = ("index", "news/index", "news/wall-repair", "news/fog-tomatoes", "guides/germination-test")
NEW_DESIGN = """<!DOCTYPE html><html lang="en"><title>Skerrow</title><body>
<div class="bar"><a href="/">Start</a><a href="/seeds">Seeds</a><a href="/us">Us</a></div>
<section class="story">{}</section>
<div class="end"><a href="/post">Write to us</a><a href="/small-print">Small print</a></div>"""


def unchanged(html: str) -> str:
    return html


def with_entry(html: str) -> str:
    """The menu has one more entry."""
    entry = '<li><a href="/swap.html">Swap day</a></li>'
    return html.replace("Open day</a></li>\n    </ul>", f"Open day</a></li>{entry}</ul>")


def redesigned(html: str) -> str:
    """The same words in another page."""
    return NEW_DESIGN.format(re.search(r"<main.*?>(.*)</main>", html, re.DOTALL)[1])


CAPTURES = {"2025-11": unchanged, "2026-01": with_entry, "2026-03": redesigned}


def capture(change: Callable[[str], str]) -> list[pagelet.Page]:
    """The pages as they were at one time."""
    files = {name: (SITE / f"{name}.html").read_text(encoding="utf-8") for name in NAMES}
    return [
        pagelet.parse(change(html), url=f"https://seeds.example/{name}.html")
        for name, html in files.items()
    ]


def main() -> None:
    template, labels = pagelet.LearnedTemplate({}), set()
    for date, change in CAPTURES.items():
        pages = capture(change)
        answers = [pagelet.detect_template(page, template=template) for page in pages]
        fitting = sum(answer.extra["template"]["fits"] for answer in answers)
        print(f"{date}  {fitting} of {len(pages)} pages fit what is known")
        if fitting < len(pages) / 2:
            template = pagelet.LearnedTemplate({})  # a new design: begin anew
        template = template.with_pages(pages)
        story = pagelet.detect_template(pages[2], template=template).extra["template"]
        print(f"         {template.learned} pages learned; own words below {story['holder']}")
        menu = pagelet.detect_menu(pages[2], template=template)
        now = {link.text for each in menu for link in each.links}
        print(f"         {len(now)} entries in the menu, new: {sorted(now - labels)[:3]}")
        labels = now


if __name__ == "__main__":
    main()
