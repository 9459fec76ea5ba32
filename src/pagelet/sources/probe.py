"""Probing a search form: fill it in, send it politely, keep the answers, go on with new words.

Every run over the same folder makes the same decisions. What was sent before is answered
from the folder, so a run that was stopped goes on where it was. docs/probe.md says the rest.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any

from pagelet.columns.page import Page
from pagelet.errors import BudgetSpent, OptionError, PageError
from pagelet.parse.forms import Form, read_forms
from pagelet.parse.html import parse
from pagelet.sources.filling import Filled, FormFiller
from pagelet.sources.harvest import Harvest
from pagelet.sources.http import Fetched, Loader, Request
from pagelet.sources.journal import Journal, Row, digest
from pagelet.sources.paging import next_page
from pagelet.sources.probe_options import ProbeOptions, fillings, fixed

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
