"""`make bench`: what a page costs, beside the peers; how cost grows; what hostile pages cost."""

import argparse

from bench import growth, hostile, speed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=300, help="most pages to time")
    parser.add_argument("--skip-hostile", action="store_true", help="leave the hostile pages out")
    arguments = parser.parse_args()
    speed.run(arguments.pages)
    growth.run()
    if not arguments.skip_hostile:
        hostile.run()


main()
