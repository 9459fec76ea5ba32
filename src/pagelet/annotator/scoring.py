"""Scores of a trained model beside the present one: pages to hold out, and the rows that count.

The tables are those that `pagelet evaluate --format json` prints.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from pagelet.labels import FILE, has_kind, list_exports
from pagelet.wording import count_of

HELD_OUT = 4  #: one of so many pages is held out where sites are too few for folds
NEW, PRESENT = "new", "present"  #: names of the files of both models, without ending
MODEL_WORDS = {NEW: "new model", PRESENT: "present model"}
#: Name of the row of models that have not seen the site, where it does not contain `unseen`.
UNSEEN_ROWS = {"content": "pagelet"}

Table = dict[str, Any]  #: title, rows and notes
Scores = dict[str, Any]  #: tables, and how the new model compares with the present one


def read_shipped(method: str) -> bytes:
    """The file of the model that comes with pagelet for a method."""
    return (files(f"pagelet.methods.{method}") / f"{method}.npz").read_bytes()


# -- pages to hold out ------------------------------------------------------------------------


def hold_out(labels: Path, kind: str, root: Path) -> tuple[Path, Path, str]:
    """Labels without some pages, those pages, and how many they are; no folders of a single page.

    The pages themselves stay where they are.
    """
    rest, held, counts = root / "rest", root / "held", [0, 0]
    for export in list_exports(labels):
        form = json.loads((export / FILE).read_bytes())
        pages = {name: each for name, each in form["pages"].items() if has_kind(each, kind)}
        chosen = sorted(pages)[::HELD_OUT] if len(pages) > 1 else []
        for target, wanted in ((rest, False), (held, True)):
            part = {name: pages[name] for name in pages if (name in chosen) == wanted}
            _write_part(target / export.name, export, {**form, "pages": part})
        counts[0] += len(chosen)
        counts[1] += len(pages)
    some = f"{counts[0]:,} of {count_of(counts[1], 'page')}"
    return rest, held, some if counts[0] else ""


def _write_part(target: Path, export: Path, form: Mapping[str, Any]) -> None:
    """The JSON of some pages, beside a link to the folder of all."""
    target.mkdir(parents=True)
    (target / FILE).write_text(json.dumps(form), encoding="utf-8")
    (target / form["folder"]).symlink_to(export / form["folder"])


# -- tables -----------------------------------------------------------------------------------


def read_tables(text: str) -> list[Table]:
    """The tables, each with title, rows and notes; models are called new and present."""
    try:
        form = json.loads(text)
    except ValueError:
        return []
    tables = [form] if "rows" in form else form.get("tables", list(form.values()))
    return [_in_words(each) for each in tables if isinstance(each, dict) and "rows" in each]


def _in_words(table: Table) -> Table:
    """A table without files and flags, which a reader of the annotator does not know."""
    rows = [
        {name: _rename(cell) if isinstance(cell, str) else cell for name, cell in row.items()}
        for row in table["rows"]
    ]
    notes = [_rename(note) for note in table.get("notes", ()) if "--" not in note]
    return {**table, "rows": rows, "notes": notes}


def _rename(text: str) -> str:
    for name, words in MODEL_WORDS.items():
        text = text.replace(f"default, {name}.npz", words).replace(f"{name}.npz", words)
    return text


def join_tables(runs: Sequence[Sequence[Table]]) -> list[Table]:
    """The tables of the first run; the first one also has the rows that only other runs have."""
    if not all(runs):
        return []
    (first, *rest), *others = runs
    rows, column = list(first["rows"]), next(iter(first["rows"][0]))
    for tables in others:
        present = {row[column] for row in rows}
        rows += [row for row in tables[0]["rows"] if row[column] not in present]
    return [{**first, "rows": rows}, *rest]


def compare(method: str, tables: Sequence[Table], how: str) -> Scores:
    """The tables, and from the first one the rows of the new and of the present model."""
    if not tables or not tables[0]["rows"]:
        return {"tables": list(tables)}
    rows = tables[0]["rows"]
    column = next(iter(rows[0]))
    chosen = [next(_rows_of(name, method, column, rows), None) for name in (NEW, PRESENT)]
    if None in chosen:
        return {"tables": list(tables)}
    named = [
        {**row, column: words}
        for row, words in zip(chosen, MODEL_WORDS.values(), strict=True)
        if row
    ]
    return {"tables": list(tables), "comparison": {"how": how, "rows": named}}


def _rows_of(name: str, method: str, column: str, rows: Sequence[Table]) -> Iterator[Table]:
    """The rows of the new or of the present model, the one that counts first."""
    yield from (row for row in rows if row[column] == MODEL_WORDS[name])
    if name == NEW:
        unseen = UNSEEN_ROWS.get(method)
        yield from (row for row in rows if row[column] == unseen)
        yield from (row for row in rows if not unseen and "unseen" in str(row[column]))
    else:
        yield from (row for row in rows if "shipped" in str(row[column]))
