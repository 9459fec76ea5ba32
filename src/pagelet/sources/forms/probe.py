"""Probing a search form: fill it in, send it politely, keep the answers, go on with new words.

Every run over the same folder makes the same decisions. What was sent before is answered
from the folder, so a run that was stopped goes on where it was. docs/probe.md says the rest.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice, product
from pathlib import Path
from time import perf_counter
from typing import Any

from pagelet.errors import BudgetSpent, OptionError, PageError
from pagelet.page.html import parse
from pagelet.page.table import Page
from pagelet.sources.forms import Form, read_forms
from pagelet.sources.forms.filling import Filled, FormFiller
from pagelet.sources.forms.harvest import Harvest, next_page
from pagelet.sources.forms.journal import Journal, Row, digest
from pagelet.sources.http.loader import Fetched, Loader, Request

# -- What a probe may be told, and the fillings that follow from a user's own values ----------


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


# -- Probing a search form: fill it in, send it politely, keep the answers, go on with new words


SCHEMA = 1  #: version of probe.json and of the lines of submissions.jsonl
FORM_PAGE, ABOUT = "form.html", "probe.json"
UNKNOWN = "\ufffd"  #: what stands for bytes that the charset cannot have


@dataclass(slots=True)
class Told:
    """A line of the journal, as it is told while a probe runs."""

    row: Row
    kept: bool  #: from an earlier run, and not sent again


def probe(url: str, folder: Path, loader: Loader, options: ProbeOptions) -> Iterator[Told]:
    """Probe the search form of a page; yields every submission, those of earlier runs first."""
    journal = Journal(folder)
    page, charset = _form_page(url, loader, journal)
    filler = filler_of(page, charset, options)
    run = Probe(page, filler, (loader, journal), options)
    _write_about(journal, run.filler.form)
    yield from run.run()


def dry_run(url: str, loader: Loader, options: ProbeOptions) -> Iterator[Filled]:
    """What would be sent first: a user's own values, else the first word of the form page."""
    found = loader.load(url)
    page = parse_fetched(found)
    filler = filler_of(page, found.charset, options)
    own = islice(fillings(filler, options), options.submissions)
    count = 0
    for count, filling in enumerate(own, 1):  # noqa: B007 - counted for what follows
        yield filler.fill(filling)
    if options.harvests and count < options.submissions:
        harvest = Harvest()
        harvest.begin(page)
        term, target = harvest.best(frozenset()), filler.form.query_field
        if term and target:
            yield filler.fill({**fixed(filler, options), target.name: term})


# -- the form ------------------------------------------------------------------------------


def choose(page: Page, name: str) -> Form:
    """The form of a name, else the one that most likely searches and may be sent."""
    forms = read_forms(page)
    if name:
        for number, form in enumerate(forms, 1):
            known = (form.name, page.attributes_of(form.row).get("id"), str(number), form.path)
            if name in known:
                return form
        names = ", ".join(form.name or str(at) for at, form in enumerate(forms, 1)) or "no form"
        raise OptionError("form_name", name, f"no such form; the page has {names}")
    allowed = [form for form in forms if not form.refused]
    if not allowed:
        raise PageError(page.url or "the page", _none_allowed(forms))
    return max(allowed, key=lambda form: form.search)  # the first of equals


def _none_allowed(forms: tuple[Form, ...]) -> str:
    if not forms:
        return "there is no form on it; give the page with the search form"
    whys = "; ".join(
        f"form {form.name or at}: {', '.join(form.refused)}" for at, form in enumerate(forms, 1)
    )
    return f"no form on it may be sent ({whys}); name one with --form-name to send it all the same"


def filler_of(page: Page, charset: str | None, options: ProbeOptions) -> FormFiller:
    """The filler of the form that is chosen on a page."""
    form = choose(page, options.form_name)
    return FormFiller(form, named=bool(options.form_name), charset=charset)


def parse_fetched(found: Fetched) -> Page:
    """The page that a server answered with."""
    return parse(found.body, url=found.url, charset=found.charset)


def _form_page(url: str, loader: Loader, journal: Journal) -> tuple[Page, str | None]:
    """The form page and its charset, from the folder when an earlier run kept it."""
    about, body = _about(journal), journal.read(FORM_PAGE)
    if about and body is not None:
        if about["url"] != url:
            why = f"holds a probe of {about['url']}; give another folder"
            raise OptionError("output", str(journal.folder), why)
        charset = about["charset"]
        return parse(body, url=about["final_url"], charset=charset), charset
    found = loader.load(url)
    journal.write(FORM_PAGE, found.body)
    told = {"schema": SCHEMA, "url": url, "final_url": found.url, "charset": found.charset}
    journal.write(ABOUT, json.dumps(told).encode())
    return parse_fetched(found), found.charset


def _about(journal: Journal) -> dict[str, Any] | None:
    try:
        told = json.loads(journal.read(ABOUT) or b"null")
    except ValueError:
        return None
    known = isinstance(told, dict) and {"url", "final_url", "charset"} <= told.keys()
    return told if known else None


def _write_about(journal: Journal, form: Form) -> None:
    told = {**(_about(journal) or {}), "form": form.to_dict()}
    journal.write(ABOUT, (json.dumps(told, ensure_ascii=False, indent=2) + "\n").encode())


# -- the run -------------------------------------------------------------------------------


class Probe:
    """One run over one form."""

    def __init__(
        self, page: Page, filler: FormFiller, ways: tuple[Loader, Journal], options: ProbeOptions
    ) -> None:
        self.filler, self.options = filler, options
        self._loader, self._journal = ways
        self._harvest = Harvest()
        self._harvest.begin(page)
        self._sent: set[str] = set()
        self._asked: set[str] = set()  # words sent so far
        self._failed = 0  # in a row, in this run

    def run(self) -> Iterator[Told]:
        """Send a user's own values, then words from the results."""
        for filling in fillings(self.filler, self.options):
            if self._enough():
                return
            yield from self._submit(filling, "own")
        if self.options.harvests:
            yield from self._harvested()

    def _enough(self) -> bool:
        full = len(self._sent) >= self.options.submissions
        return full or self._failed >= self.options.failures

    def _harvested(self) -> Iterator[Told]:
        """Ask for the best word not asked for yet, until the results bring nothing new."""
        target, common = self.filler.form.query_field, fixed(self.filler, self.options)
        poor = 0
        while target and poor < self.options.patience and not self._enough():
            if (term := self._harvest.best(self._asked)) is None:
                return
            new = 0
            for told in self._submit({**common, target.name: term}, "harvested"):
                new += told.row["new"]
                yield told
            poor = 0 if new >= self.options.min_new else poor + 1

    def _submit(self, filling: dict[str, str], origin: str) -> Iterator[Told]:
        """Send one filling, and follow the pages of its result."""
        filled = self.filler.fill(filling)
        name = digest(filled.request)
        if name in self._sent:  # two fillings that say the same
            return
        self._sent.add(name)
        self._asked |= {text.casefold() for values in filled.values.values() for text in values}
        said: Row = {
            "origin": origin,
            "labels": dict(filled.labels),
            "values": {field: list(values) for field, values in filled.values.items()},
        }
        told, page = self._answer(filled.request, {**said, "page_of": None})
        yield told
        if not told.kept:
            self._failed = self._failed + 1 if told.row["error"] else 0
        first, seen = told.row["number"], {filled.request.url}
        for at in range(1, self.options.paging + 1):
            target = next_page(page, at, self._kept(filled), seen) if page is not None else None
            if target is None:
                return
            seen.add(target)
            more = {**said, "origin": "paging", "page_of": first}
            told, page = self._answer(Request(target), more)
            yield told

    def _kept(self, filled: Filled) -> frozenset[str]:
        """What an address of a further result page must still say."""
        if filled.request.method != "GET":
            return frozenset()
        return frozenset(text for values in filled.values.values() for text in values)

    def _answer(self, request: Request, said: Row) -> tuple[Told, Page | None]:
        """The line and the page of a request, from the folder or from the server."""
        row = self._journal.find(request)
        if row is None or (row["error"] and self.options.again):
            return self._load(request, said)
        body = self._journal.body(row)
        page = None
        if body is not None:
            page = parse(body, url=row["final_url"], charset=row["charset"])
            self._harvest.add(page)
        return Told(row, kept=True), page

    def _load(self, request: Request, said: Row) -> tuple[Told, Page | None]:
        """Ask the server, and write down what it answered or what went wrong."""
        start, time = perf_counter(), datetime.now(UTC).isoformat(timespec="seconds")
        page, got, body = None, dict(NOTHING), None
        try:
            found = self._loader.load(request)
            page, body = parse_fetched(found), found.body
            got |= self._got(found, page)
        except BudgetSpent:  # nothing was sent: this is for the next run
            raise
        except PageError as error:
            got |= {"error": type(error).__name__, "message": str(error)}
            got["status"] = getattr(error, "status", None)
        row: Row = {
            "schema": SCHEMA, "request": digest(request), **said, "method": request.method,
            "url": request.url, "body": (request.body or b"").decode("utf-8", "replace") or None,
            **got, "seconds": round(perf_counter() - start, 3), "time": time,
        }  # fmt: skip
        return Told(self._journal.add(row, body), kept=False), page

    def _got(self, found: Fetched, page: Page) -> Row:
        brought = self._harvest.add(page)
        return {
            "status": found.status, "final_url": found.url, "charset": found.charset,
            "undecodable": (page.source or "").count(UNKNOWN), "bytes": len(found.body),
            "texts": brought.texts, "new": brought.new,
        }  # fmt: skip


#: What a line says of an answer that never came.
NOTHING: Row = {
    "status": None, "final_url": None, "charset": None, "undecodable": 0, "bytes": 0,
    "texts": 0, "new": 0, "error": None, "message": None,
}  # fmt: skip
