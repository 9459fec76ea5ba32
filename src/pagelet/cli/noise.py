"""`pagelet noise`: what is known of the query, and records as text, JSON rows or HTML."""

import json
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from pagelet.analysis import analyse
from pagelet.cli.options import Parameter
from pagelet.cli.output import console, write, write_item, write_reason
from pagelet.methods.noise import found_records
from pagelet.methods.noise.records import records_html
from pagelet.page.query import NO_QUERY, Query
from pagelet.page.table import Page
from pagelet.pagelets import Pagelets
from pagelet.sources import load
from pagelet.sources.forms.query import form_query, read_submissions

PANEL = "What was asked"
WORDS = 5  #: of the query that are told
ASKED = ("query", "form", "submissions")  #: parameters that say it
QueryOption = Annotated[
    list[str] | None,
    typer.Option(
        "--query", "-q", metavar="TERMS", rich_help_panel=PANEL,
        help="What was typed into the form; may be said several times.",
    ),
]  # fmt: skip
FormOption = Annotated[
    str | None,
    typer.Option(
        "--form", metavar="PAGE", rich_help_panel=PANEL,
        help="The page with the form: a file or URL; its labels are evidence too.",
    ),
]  # fmt: skip
SubmissionsOption = Annotated[
    Path | None,
    typer.Option(
        "--submissions", metavar="FILE", rich_help_panel=PANEL,
        help="submissions.jsonl as `pagelet probe` writes it.",
    ),
]  # fmt: skip
RecordsOption = Annotated[
    bool, typer.Option("--records", help="Answer the records that are left, not every element.")
]


def query_parameters() -> list[Parameter]:
    """The parameters that only this command has."""
    kinds = {
        "query": (QueryOption, None),
        "form": (FormOption, None),
        "submissions": (SubmissionsOption, None),
        "records": (RecordsOption, False),
    }
    return [
        Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for name, (kind, default) in kinds.items()
    ]


def read_query(
    query: list[str] | None = None, form: str | None = None, submissions: Path | None = None
) -> Query:
    """What a user said of the query, all of it together."""
    found = Query.of(query or ())
    found |= form_query(load(form)) if form else NO_QUERY
    return found | (read_submissions(submissions) if submissions else NO_QUERY)


def answer_noise(page: Page, format: str, profile: str, asked: Query, said: dict[str, Any]) -> None:
    """Write what is noise and what is content, or the records alone."""
    records = said.pop("records", False)
    found = analyse(page, "noise", profile=profile, query=asked, **said)
    if records or format == "html":
        write_records(found, format)
    elif format == "text":
        write_elements(found, explain=bool(said.get("explain")))
    else:
        write(found, format, explain=False)
    if format == "text":
        console(error=True).print(escape(summary(found)))


def write_elements(found: Pagelets, *, explain: bool) -> None:
    """Write one line an element with text, its reason below if asked."""
    for item in found:
        write_item(item, f"{item.score:.2f}".rjust(6 + len("content") - len(item.kind)))
        if explain:
            write_reason(item)


def write_records(found: Pagelets, format: str) -> None:
    """Write the records: JSON one object a line, text a paragraph each, or HTML."""
    if format == "html":
        print(records_html(found.page, found_records(found)))
    elif format == "json":
        for record in found.extra["records"]:
            print(json.dumps(record, ensure_ascii=False))
    elif found.extra["records"]:
        fields = (record["fields"].values() for record in found.extra["records"])
        print("\n\n".join(map("\n".join, fields)))


def summary(found: Pagelets) -> str:
    """One line: how much is content, how many records it is, how much the query helped."""
    kinds = Counter(item.kind for item in found)
    records = len(found.extra["records"])
    parts = [
        f"{kinds['content']} content, {kinds['noise']} noise",
        f"{records} record{'s' * (records != 1)}" if records else "no records",
    ]
    if (told := found.extra.get("query")) is not None:
        shown = ", ".join(told["words"][:WORDS]) + ", …" * (len(told["words"]) > WORDS)
        parts.append(
            f"query {shown}: {told['matches']} matches changed {told['changed']} answers,"
            f" probabilities by {told['mean_change']:.3f} on average"
        )
    elif found.profile == "default":
        parts.append("no query; --query says what was searched for")
    return "; ".join(parts)
