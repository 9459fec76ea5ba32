"""`make bench`: the cost of a page, beside peers; methods by stage; growth; hostile pages."""

import argparse

from bench import (
    bulk,
    content,
    explorer,
    growth,
    hostile,
    methods,
    noise,
    segments,
    speed,
    template,
)
from pagelet.lab.data import data_folder

#: Methods by themselves, and many pages at once.
PARTS = {
    "content": content,
    "methods": methods,
    "noise": noise,
    "segments": segments,
    "template": template,
    "bulk": bulk,
    "explorer": explorer,
    "speed": speed,
}
#: Parts with pages of their own.
FIXED = {"growth": growth, "hostile": hostile}
ALL_PAGES = 1_000_000  #: more pages than any corpus has


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=300, help="most pages to time; 0 for all")
    parser.add_argument("--only", choices=(*PARTS, *FIXED), help="only this part")
    parser.add_argument("--skip-hostile", action="store_true", help="leave the hostile pages out")
    arguments = parser.parse_args()
    limit, wanted = arguments.pages or ALL_PAGES, {*PARTS, *FIXED}
    if arguments.only:
        wanted = {arguments.only}
    elif arguments.skip_hostile:
        wanted -= {"hostile"}
    if not data_folder().is_dir() and wanted & {*PARTS}:
        print(f"No data in {data_folder()}: the sample site is timed instead. Its pages are small,")
        print("and few: ratios say nothing about those in docs/figures.md.")
    for name, part in PARTS.items():
        if name in wanted:
            part.run(limit)
    for name, fixed in FIXED.items():
        if name in wanted:
            fixed.run()


main()
