"""`pagelet urls`: the pages a site announces in robots.txt, sitemaps and feeds."""

import csv
import json
import sys
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal

import typer

from pagelet.cli.loading import check_address, loading_parameters, open_loader
from pagelet.cli.options import Flag, changed, flag_parameters, with_parameters
from pagelet.cli.output import print_result, report
from pagelet.sources.announced import Announced, UrlFilter, UrlOptions, list_urls
from pagelet.wording import count_of

FILTERS = {
    "path": Flag("Pages whose path matches a pattern, such as '/news/*' (repeatable).", "PATTERN"),
    "since": Flag("Pages of this day or later; those without a date are left out.", "YYYY-MM-DD"),
    "until": Flag("Pages of this day or earlier.", "YYYY-MM-DD"),
    "language": Flag("Pages in a language, such as de; those that state none are left out.", "TAG"),
}
EXAMPLES = (
    "pagelet urls https://example.org --path '/news/*' --since 2026-01-01",
    "pagelet urls https://example.org | pagelet content --input-file - -o texts/",
)
CSV_FIELDS = ("url", "date", "language", "title", "source")

SiteArgument = Annotated[
    str,
    typer.Argument(metavar="SITE", help="A page of the site, or a sitemap or feed: its address."),
]
UrlsFormat = Annotated[
    Literal["text", "jsonl", "csv"],
    typer.Option("--format", "-f", help="Output format.", metavar="text|jsonl|csv"),
]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    extra = [
        *flag_parameters(UrlFilter, "Filters", FILTERS),
        *flag_parameters(UrlOptions, "Sources", {}),
        *loading_parameters(budgets=True),
    ]
    app.command("urls", epilog="\n".join(EXAMPLES))(with_parameters(urls, extra))


def urls(site: SiteArgument, *, format: UrlsFormat = "text", **options: Any) -> None:
    """The pages that a site announces: in robots.txt, sitemaps and feeds.

    Each address is printed once, as soon as it is read. `pagelet content --input-file -` reads
    such a list.
    """
    wanted, how = changed(UrlFilter(), options), changed(UrlOptions(), options)
    with open_loader(options) as loader:
        WRITERS[format](_count(list_urls(check_address(site), loader, wanted, how, report)))


def _count(pages: Iterable[Announced]) -> Iterator[Announced]:
    """The pages as they come; their number is reported at the end."""
    listed = 0
    for page in pages:
        listed += 1
        yield page
    none = "; the site announces none in robots.txt, sitemaps or feeds, or none that is wanted"
    report(f"{count_of(listed, 'page')}{'' if listed else none}")


def _write_lines(pages: Iterable[Announced]) -> None:
    for page in pages:
        print_result(page.url)


def _write_json_lines(pages: Iterable[Announced]) -> None:
    for page in pages:
        print_result(json.dumps(page.to_dict(), ensure_ascii=False))


def _write_csv(pages: Iterable[Announced]) -> None:
    writer = csv.DictWriter(sys.stdout, CSV_FIELDS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(page.to_dict() for page in pages)


WRITERS = {"text": _write_lines, "jsonl": _write_json_lines, "csv": _write_csv}
