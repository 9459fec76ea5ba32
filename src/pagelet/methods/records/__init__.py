"""The records of a result page as a table with named columns."""

from collections.abc import Sequence
from typing import Any

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
from pagelet.methods.records.schema import RecordSchema, apply_schema, learn_schema
from pagelet.methods.records.table import build_table
from pagelet.methods.registry import Evidence, Method, Profile
from pagelet.page.table import Page
from pagelet.pagelets import Pagelets


def _run(page: Page, options: RecordsOptions, evidence: Evidence) -> Pagelets:
    model = model_of(options.model, evidence.files)
    if form := evidence.parts.get("records"):
        schema = RecordSchema.of_dict(form)
        return answer(page, options, apply_schema(page, schema, model, options.min_score), model)
    pages = [page, *evidence.pages]
    found = [find_records(each, model, options.min_score) for each in pages]
    return answer(page, options, build_table(pages, found), model)


def _learn(pages: Sequence[Page], options: RecordsOptions, evidence: Evidence) -> dict[str, Any]:
    """The schema of the records of several pages of a site."""
    model = model_of(options.model, evidence.files)
    one = {"auto": None, "one": True, "several": False}[options.per_page]
    return learn_schema(pages, model, min_score=options.min_score, whole_page=one).to_dict()


RECORDS = Method(
    name="records",
    summary="the records of a result page as a table with named columns",
    paper="our own; see docs/methods/records.md",
    profiles={"default": Profile(_run, RecordsOptions(), "our values")},
    examples=(
        "pagelet records results.html --format csv",
        "pagelet records results/ -o records.csv",
    ),
    kinds=("record",),
    likely="a record",
    uses=("site", "template"),
    formats=("text", "json", "csv", "jsonl", "html"),
    writers={"text": write_text, "csv": write_csv, "jsonl": write_jsonl},
    binary={"parquet": write_parquet},
    notes=summarise,
    learn=_learn,
)
