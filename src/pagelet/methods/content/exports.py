"""The content in formats that other programs read: compact JSON, CSV, TEI."""

import csv
import io
from typing import Any

from pagelet.methods.content.answer import ContentAnswer
from pagelet.methods.content.options import ContentOptions
from pagelet.pagelets import SCHEMA, Pagelets

CSV_FIELDS = ("url", "title", "author", "date", "language", "site_name", "page_type",
              "confidence", "text")  # fmt: skip


def compact_form(result: Pagelets, _options: ContentOptions) -> dict[str, Any]:
    """Text, metadata and confidence, without the blocks."""
    answer: ContentAnswer = result.source
    facts = {name: value for name, value in answer.metadata.to_dict().items() if name != "sources"}
    form = {
        "schema": SCHEMA,
        "url": answer.page.url,
        "method": "content",
        "text": answer.text(),
        "metadata": {**facts, "page_type": answer.page_type},
        "confidence": answer.confidence,
    }
    return form | {"empty": answer.empty_reason} if answer.empty_reason else form


def write_csv(result: Pagelets, options: ContentOptions) -> str:
    """A header and one row: metadata, confidence and text."""
    form = compact_form(result, options)
    answer: ContentAnswer = result.source
    values = {**form["metadata"], **form, "author": answer.metadata.author}
    values["date"] = answer.metadata.date
    out = io.StringIO()
    writer = csv.DictWriter(out, CSV_FIELDS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerow(values)
    return out.getvalue().rstrip("\n")


def write_corpus(result: Pagelets, options: ContentOptions) -> str:
    """The content as a TEI document."""
    from importlib.metadata import version  # noqa: PLC0415 - few results are TEI

    from pagelet.write.tei import TeiHeader, write_tei  # noqa: PLC0415

    answer: ContentAnswer = result.source
    facts = answer.metadata
    header = TeiHeader(
        title=facts.title,
        authors=facts.authors,
        date=facts.date,
        url=answer.page.url or facts.canonical,
        publisher=facts.site_name or facts.host,
        language=facts.language,
        terms=(*facts.categories, *facts.tags),
        version=version("pagelet"),
    )
    return write_tei(answer.html(links=options.links, images=options.images), header)
