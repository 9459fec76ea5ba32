"""`make bench`: the cost of a page, beside peers; methods by stage; growth; hostile pages."""

import argparse
from importlib import import_module

from pagelet.lab.data import data_folder

#: Methods by themselves, and many pages at once: modules of this package.
PARTS = ("content", "methods", "noise", "segments", "template", "bulk", "explorer", "speed")
#: Parts with pages of their own.
FIXED = ("growth", "hostile")
ALL_PAGES = 1_000_000  #: more pages than any corpus has


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--pages", type=int, default=300, help="most pages to time, 300 by default; 0 for all"
    )
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
    for name in (*PARTS, *FIXED):  # a part imports what only it needs
        if name in wanted:
            run = import_module(f"bench.{name}").run
            run(limit) if name in PARTS else run()


main()
