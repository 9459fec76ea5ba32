"""`pagelet learn`: the template of a site, kept in a file for later pages."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from pagelet.cli import inputs
from pagelet.cli.inputs import SiteArguments, opened, site_problems
from pagelet.cli.loading import loading_parameters
from pagelet.cli.options import with_parameters
from pagelet.cli.output import Advance, console, progress, report, write_file
from pagelet.context import find_method, read_template
from pagelet.errors import OptionError
from pagelet.methods.registry import DEFAULT, Evidence
from pagelet.methods.template.layouts import relate_layouts
from pagelet.methods.template.learned import LearnedTemplate
from pagelet.methods.template.pages import (
    list_site_links,
    load_other_pages,
    normalize_address,
)
from pagelet.page.table import Page
from pagelet.sources.site import OpenSite
from pagelet.wording import count_of, join_names

MAX_SAMPLE_PAGES = 200  #: pages that the columns of records are learned from
FROM_LINKS = 20  #: default number of pages to learn where pages are found by links
MAX_LINKING_PAGES = 2000  #: pages whose links are remembered
MAX_LINKS = 200  #: links of a page that are remembered
RECORDS = "records"  #: method whose columns are learned too
MAX_COLUMNS_SHOWN = 20  #: learned columns that are named
MAX_GROUPS_SHOWN = 5  #: groups of unrelated pages whose sizes are reported

Where = Annotated[
    str, typer.Argument(metavar="SITE", help="Pages of one site: a folder, a WARC file, or a URL.")
]
Output = Annotated[Path, typer.Option("--output", "-o", help="Where to write the template (JSON).")]
Update = Annotated[
    bool, typer.Option("--update", help="Fold the pages into the template that is there already.")
]
Records = Annotated[
    bool,
    typer.Option(
        "--records", help="Learn the columns of its records too; best from result pages alone."
    ),
]
PerPage = Annotated[
    Literal["auto", "one", "several"],
    typer.Option(
        "--per-page",
        metavar="auto|one|several",
        help="Records on each page, with --records.",
    ),
]
Most = Annotated[
    int | None,
    typer.Option(
        "--pages",
        help="Learn only N pages, evenly spaced; default: all, or 20 for a URL.",
        min=1,
    ),
]

EXAMPLES = (
    "pagelet learn pages/ -o site.json\npagelet learn https://example.org -o site.json --pages 10"
    "\npagelet learn results/ -o shop.json --records"
)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("learn", epilog=EXAMPLES)(with_parameters(learn, loading_parameters()))


def learn(  # noqa: PLR0913 - what a command line takes
    site: Where,
    *,
    output: Output,
    update: Update = False,
    pages: Most = None,
    records: Records = False,
    per_page: PerPage = "auto",
    cache: inputs.CacheOption = None,
    no_cache: inputs.NoCacheOption = False,
    **arguments: Any,
) -> None:
    """Learn the template of a site from its pages and keep it in a file.

    The order of the pages does not matter, and a page learned twice counts once. Pages of several
    layouts give as many templates in one file, chosen per page. `pagelet
    template PAGE --template FILE` then needs no other page. For a URL, that page and the pages
    it links to are learned.
    """
    known = read_template(str(output)) if update and output.exists() else LearnedTemplate({})
    given = SiteArguments.of({**arguments, "site": site, "cache": cache, "no_cache": no_cache})
    with progress() as (say, advance), opened(site, given) as there:
        assert there is not None  # the site is given
        total = count_pages(there, pages)
        say(f"learning from {count_of(total, 'page')} of {site}{' at most' * there.on_the_web}")
        links = LearnedLinks()
        sample: list[Page] = []
        tracked = _tracked(_pages(site, there, pages), total, advance)
        read = _kept(tracked, sample if records else None)
        found = known.with_pages(read, links.add)
        if sample:
            say(f"learning the records of {count_of(len(sample), 'page')}")
            found = found.with_part(RECORDS, learn_records(sample, per_page))
    if not found.pages:
        problems = site_problems(there)
        why = f" ({problems})" if problems else ""
        raise OptionError("SITE", site, f"no pages here to learn from{why}")
    write_file(output, found.to_json())
    about = "about " * (found.learned > len(found.seen))
    layouts = f", {len(found.layouts)} layouts" * (len(found.layouts) > 1)
    console().print(
        f"template: {output}, {about}{count_of(found.learned, 'page')} learned,"
        f" {len(found.pages)} kept{layouts}"
    )
    if sample:
        console().print(describe_columns(found.parts[RECORDS]))
    warn_unrelated(found, links)


def learn_records(pages: Sequence[Page], per_page: str) -> Any:
    """What the records of some pages have in common, as it is kept with the template."""
    method = find_method(RECORDS)
    assert method.learn is not None  # its row has one
    return method.learn(pages, method.with_options(DEFAULT, {"per_page": per_page}), Evidence())


def describe_columns(schema: Mapping[str, Any]) -> str:
    """The columns that were learned, and whether each page is a record."""
    names = [str(column["name"]) for column in schema["columns"]]
    if not names:
        return "records: none on these pages, so no columns were learned"
    each = "one per page, " if schema["whole_page"] else ""
    more = f" and {len(names) - MAX_COLUMNS_SHOWN} more" if len(names) > MAX_COLUMNS_SHOWN else ""
    shown = f"{', '.join(names[:MAX_COLUMNS_SHOWN])}{more}"
    return f"records: {each}{count_of(len(names), 'column')}: {shown}"


@dataclass(eq=False)
class LearnedLinks:
    """Which of the pages that are learned link which, by name; of the first pages only."""

    names: dict[str, str] = field(default_factory=dict)  #: names by address
    addresses: dict[str, list[str]] = field(default_factory=dict)  #: links of each page

    def add(self, name: str, page: Page) -> None:
        """Remember a page."""
        if page.url and len(self.names) < MAX_LINKING_PAGES:
            self.names[normalize_address(page.url)] = name
            self.addresses[name] = [link.url for link in list_site_links(page)[:MAX_LINKS]]

    def pairs(self) -> Iterator[tuple[str, str]]:
        """The names of a page and of one that it links to."""
        for name, addresses in self.addresses.items():
            yield from ((name, self.names[url]) for url in addresses if url in self.names)


def warn_unrelated(found: LearnedTemplate, links: LearnedLinks) -> None:
    """Report pages that have nothing in common with the others: they are of another site."""
    groups = relate_layouts(found.layouts, links.pairs())
    if len(groups) < 2:
        return
    counts = sorted(
        (sum(len(found.layouts[at].pages) for at in group) for group in groups), reverse=True
    )
    shown = join_names([str(count) for count in counts[:MAX_GROUPS_SHOWN]])
    report(
        f"warning: these are {len(counts)} unrelated groups of pages ({shown} of those kept"
        f"{', …' * (len(counts) > MAX_GROUPS_SHOWN)}): they have neither structure nor words in"
        " common and do not link each other, so they are probably of different sites; learn each"
        " site by itself"
    )


def count_pages(site: OpenSite, most: int | None) -> int:
    """How many pages are learned at most."""
    known = len(site.addresses())
    return min(most or known, known) if known else most or FROM_LINKS


def _tracked(pages: Iterator[Page], total: int, advance: Advance) -> Iterator[Page]:
    """The pages, each counted as it is learned."""
    for done, page in enumerate(pages):
        advance("learning", done, total)
        yield page


def _kept(pages: Iterator[Page], sample: list[Page] | None) -> Iterator[Page]:
    """The pages, the first of them put into a sample."""
    for page in pages:
        if sample is not None and len(sample) < MAX_SAMPLE_PAGES:
            sample.append(page)
        yield page


def _pages(start: str, site: OpenSite, most: int | None) -> Iterator[Page]:
    """Pages that a site knows, evenly spaced; else the start and the pages it links."""
    if addresses := site.addresses():
        yield from _spaced(site, addresses, most)
    elif (page := site.load(start)) is not None:
        yield page
        yield from load_other_pages(page, site, (most or FROM_LINKS) - 1)


def _spaced(site: OpenSite, addresses: Sequence[str], most: int | None) -> Iterator[Page]:
    """So many pages at most, evenly spaced in the site's own order."""
    count = len(addresses) if most is None else min(most, len(addresses))
    for at in range(count):
        page = site.load(addresses[at * len(addresses) // count])
        if page is not None:
            yield page
