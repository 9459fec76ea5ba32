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

#: Methods by themselves, and many pages at once.
PARTS = {
    "content": content,
    "methods": methods,
    "noise": noise,
    "segments": segments,
    "template": template,
    "bulk": bulk,
    "explorer": explorer,
}
ALL_PAGES = 1_000_000  #: more pages than any corpus has


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=300, help="most pages to time; 0 for all")
    parser.add_argument("--only", choices=tuple(PARTS), help="only this part")
    parser.add_argument("--skip-hostile", action="store_true", help="leave the hostile pages out")
    arguments = parser.parse_args()
    for name, part in PARTS.items():
        if arguments.only in (None, name):
            part.run(arguments.pages or ALL_PAGES)
    if arguments.only:
        return
    speed.run(arguments.pages or ALL_PAGES)
    growth.run()
    if not arguments.skip_hostile:
        hostile.run()


main()
