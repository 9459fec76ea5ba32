"""Templates over a crawl without links: layouts in bounded memory, and what they are worth."""

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import process_time

from tests.methods.layout_pages import layout_html, layout_page

from pagelet import Page, parse
from pagelet.lab.template.scores import score_template
from pagelet.methods.template import find_by_learned
from pagelet.methods.template.learned import LearnedTemplate, learn

PAGES, LAYOUTS = 20_000, 200
MARKS = (5_000, 10_000, 15_000, PAGES)  #: pages after which memory is looked at
SCORED = 400  #: pages that were not learned and are scored
MEGABYTE = 1e6


def run(_limit: int) -> None:
    """Learn generated pages of one host in any order, and score pages that were not learned."""
    print(f"\ntemplates: {PAGES:,} generated pages of {LAYOUTS} layouts, one host, no links")
    start = process_time()
    template = learn(_pages())
    seconds = process_time() - start
    print(f"  learned {PAGES / seconds:9.1f} pages/CPU second, parsing and writing them included")
    kept = [len(layout.pages) for layout in template.layouts]
    print(f"  {len(kept)} layouts kept, {min(kept)} to {max(kept)} pages each")
    _score(template)


def _pages() -> Iterator[Page]:
    numbers = list(range(PAGES))
    Random(1).shuffle(numbers)
    for done, number in enumerate(numbers, 1):
        yield parse(layout_html(number % LAYOUTS, number))
        if done in MARKS:
            print(f"  after {done:6,} pages {_resident() / MEGABYTE:6.0f} MB resident")


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _score(template: LearnedTemplate) -> None:
    """Print F1, the share of pages that fit, and how far layouts are told apart."""
    scores, owners, start = [], Counter[tuple[int, int]](), process_time()
    cases = [(at % LAYOUTS, layout_page(at % LAYOUTS, PAGES + at)) for at in range(SCORED)]
    for layout, (page, own) in cases:
        found = find_by_learned(page, template)
        scores.append(score_template(page, found.shared, own).overlap.f1)
        owners[layout, int(found.facts.get("layout", 0))] += 1
    seconds = process_time() - start
    right = sum(max(count for (each, _), count in owners.items() if each == layout)
                for layout in range(LAYOUTS))  # fmt: skip
    distinct = len({found for _, found in owners if found})
    print(
        f"  applied {SCORED / seconds:9.1f} pages/CPU second; F1 {sum(scores) / SCORED:.3f};"
        f" {right / SCORED:.1%} of pages in the layout of their kind, {distinct} layouts used"
    )
