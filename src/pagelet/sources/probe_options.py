"""What a probe may be told, and the fillings that follow from a user's own values."""

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from pagelet.errors import OptionError
from pagelet.sources.filling import FormFiller


def _option(help: str, default: Any, low: float | None = None) -> Any:
    return field(default=default, metadata={"help": help, "low": low, "high": None})


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeOptions:
    """What to fill in, and when to stop."""

    value: tuple[str, ...] = _option("Fill a field, named or labelled so: FIELD=TEXT.", ())
    values: str = _option("One query a line; or CSV, whose head names the fields.", "")
    each: tuple[str, ...] = _option("Try every option of this field.", ())
    form_name: str = _option("The form to send, by name, id, number or path, whatever it is.", "")
    harvest: bool = _option(
        "Go on with words found in the results; always so when no value is given.", default=False
    )
    submissions: int = _option("Most submissions, those of earlier runs counted.", 50, 0)
    paging: int = _option("Further result pages to follow after each submission.", 0, 0)
    min_new: int = _option("A result with fewer new texts is a poor one.", 3, 0)
    patience: int = _option("Stop harvesting after so many poor results in a row.", 5, 1)
    failures: int = _option("Stop after so many submissions in a row that failed.", 5, 1)
    again: bool = _option("Send again what failed in an earlier run.", default=False)

    @property
    def harvests(self) -> bool:
        """Whether words are taken from the results."""
        return self.harvest or not (self.value or self.values or self.each)


Filling = dict[str, str]


def fillings(filler: FormFiller, options: ProbeOptions) -> Iterator[Filling]:
    """Every combination of a user's own values; none when there are none."""
    lists = _lists(filler, options)
    rows = list(_from_file(filler, options)) if options.values else [{}]
    if not lists and not options.values:
        return
    for row in rows:
        for chosen in product(*lists.values()):
            yield {**dict(zip(lists, chosen, strict=True)), **row}


def fixed(filler: FormFiller, options: ProbeOptions) -> Filling:
    """What harvested submissions have in common: the first value said for each field."""
    return {name: said[0] for name, said in _lists(filler, options).items()}


def _lists(filler: FormFiller, options: ProbeOptions) -> Mapping[str, list[str]]:
    """The values said for each field, by name."""
    found: dict[str, list[str]] = {}
    for said in options.value:
        name, equals, text = said.partition("=")
        if not equals:
            raise OptionError("value", said, "write FIELD=TEXT")
        found.setdefault(filler.field(name.strip()).name, []).append(text)
    for name in options.each:
        found[filler.field(name).name] = filler.choices(name)
    return {name: list(dict.fromkeys(said)) for name, said in found.items()}


def _from_file(filler: FormFiller, options: ProbeOptions) -> Iterator[Filling]:
    """The fillings in a file, those of one column for the query field."""
    path = Path(options.values)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "not UTF-8 text"
        raise OptionError("values", str(path), why) from error
    if path.suffix.lower() == ".csv":
        for row in csv.DictReader(io.StringIO(text)):
            yield {filler.field(name).name: said for name, said in row.items() if name and said}
        return
    target = filler.form.query_field
    if target is None:
        raise OptionError("values", str(path), "the form has no text field; give CSV with a head")
    for line in dict.fromkeys(text.splitlines()):
        if line.strip():
            yield {target.name: line.strip()}
