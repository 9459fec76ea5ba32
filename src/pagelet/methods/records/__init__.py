"""The records of a result page as a table with named columns."""

from pagelet.methods.records.answer import (
    answer,
    summarise,
    write_csv,
    write_jsonl,
    write_parquet,
    write_text,
)
from pagelet.methods.records.options import RecordsOptions
from pagelet.methods.records.ranking import find_records, model_of
from pagelet.methods.records.table import build_table
from pagelet.methods.registry import Evidence, Method, Profile
from pagelet.page.table import Page
from pagelet.pagelets import Pagelets


def _run(page: Page, options: RecordsOptions, evidence: Evidence) -> Pagelets:
    model = model_of(options.model, evidence.files)
    pages = [page, *evidence.pages]
    found = [find_records(each, model, options.min_score) for each in pages]
    return answer(page, options, build_table(pages, found), model)


RECORDS = Method(
    name="records",
    summary="the records of a result page as a table with named columns",
    paper="our own; see docs/methods/records.md",
    profiles={"default": Profile(_run, RecordsOptions(), "our values")},
    examples=(
        "pagelet records results.html --format csv > records.csv",
        "pagelet records results/ --format jsonl",
    ),
    kinds=("record",),
    uses=("site", "template"),
    formats=("text", "json", "csv", "jsonl", "html"),
    writers={"text": write_text, "csv": write_csv, "jsonl": write_jsonl},
    binary={"parquet": write_parquet},
    notes=summarise,
)
