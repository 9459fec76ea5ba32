"""Probing a search form: fill it in, submit it politely, keep the responses, try new words.

Every run over the same folder makes the same decisions. Responses to earlier requests come from
the folder, so a run that was stopped continues where it was. See docs/probe.md.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice, product
from pathlib import Path
from time import perf_counter
from typing import Any

from pagelet.errors import BudgetSpent, OptionError, PageError
from pagelet.page.addresses import strip_credentials
from pagelet.page.html import parse
from pagelet.page.table import Page
from pagelet.sources.forms import Form, read_forms
from pagelet.sources.forms.filling import FilledForm, FormFiller
from pagelet.sources.forms.results import TermPool, next_page
from pagelet.sources.forms.submissions import Row, SubmissionLog, request_digest
from pagelet.sources.http.loader import Fetched, HttpRequest, Loader
from pagelet.sources.lock import FolderLock
from pagelet.sources.options import check_options, option
from pagelet.wording import describe_os_error

#: Finds the rows of links that lead from one result page to another.
PagingFinder = Callable[[Page], Set[int]]


def no_paging(_page: Page) -> Set[int]:
    """No such links are known."""
    return frozenset()


#: Finds the texts of the records of a result page, given the values that were searched for.
RecordFinder = Callable[[Page, Iterable[str]], Sequence[str]]


@dataclass(frozen=True, slots=True)
class PageReaders:
    """What a probe is told about result pages; it decides nothing about them itself."""

    find_paging: PagingFinder = no_paging
    find_records: RecordFinder | None = None  #: None where records are not known


NO_READERS = PageReaders()


# -- options, and the values they give ---------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeOptions:
    """Values to submit, and when to stop."""

    value: tuple[str, ...] = option("Value of a field, by its name or label: FIELD=TEXT.", ())
    values: str = option("File with one query per line; or CSV, whose header names the fields.", "")
    each: tuple[str, ...] = option("Field of which every option is tried.", ())
    form_name: str = option("Form to submit, by name, id, number or path, of whatever kind.", "")
    harvest: bool = option(
        "Continue with words from the results; always on when no value is given.", default=False
    )
    submissions: int = option("Greatest number of submissions, including earlier runs.", 50, 0)
    paging: int = option("Further result pages to follow after each submission.", 0, 0)
    min_new: int = option("New texts below which a result without known records is poor.", 3, 0)
    patience: int = option("Poor results in a row after which harvesting stops.", 5, 1)
    failures: int = option("Failed submissions in a row after which the probe stops.", 5, 1)
    again: bool = option("Send failed requests of an earlier run again.", default=False)

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def harvests(self) -> bool:
        """Whether words of the results become queries."""
        return self.harvest or not (self.value or self.values or self.each)


Filling = dict[str, str]


def list_fillings(filler: FormFiller, options: ProbeOptions) -> Iterator[Filling]:
    """Every combination of the values in the options; none when there are none."""
    lists = _values(filler, options)
    rows = list(_read_values(filler, options)) if options.values else [{}]
    if not lists and not options.values:
        return
    for row in rows:
        for chosen in product(*lists.values()):
            yield {**dict(zip(lists, chosen, strict=True)), **row}


def first_values(filler: FormFiller, options: ProbeOptions) -> Filling:
    """The first value of each field, which all harvested submissions share."""
    return {name: values[0] for name, values in _values(filler, options).items()}


def _values(filler: FormFiller, options: ProbeOptions) -> Mapping[str, list[str]]:
    """The values of each field in the options, by name."""
    lists: dict[str, list[str]] = {}
    for value in options.value:
        name, equals, text = value.partition("=")
        if not equals:
            raise OptionError("value", value, "write FIELD=TEXT")
        lists.setdefault(filler.field(name.strip()).name, []).append(text)
    for name in options.each:
        lists[filler.field(name).name] = filler.choices(name)
    return {name: list(dict.fromkeys(values)) for name, values in lists.items()}


def _read_values(filler: FormFiller, options: ProbeOptions) -> Iterator[Filling]:
    """The fillings in a file; single values are for the query field."""
    path = Path(options.values)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        readable = not isinstance(error, UnicodeError)
        why = describe_os_error(error) if readable else "not UTF-8 text"
        raise OptionError("values", str(path), why) from error
    if path.suffix.lower() == ".csv":
        for row in csv.DictReader(io.StringIO(text)):
            yield {filler.field(name).name: value for name, value in row.items() if name and value}
        return
    target = filler.form.query_field
    if target is None:
        raise OptionError("values", str(path), "the form has no text field; give CSV with a header")
    for line in dict.fromkeys(text.splitlines()):
        if line.strip():
            yield {target.name: line.strip()}


# -- probing -----------------------------------------------------------------------------------

SCHEMA = 1  #: version of probe.json and of the lines of submissions.jsonl
FORM_PAGE, PROBE_FILE = "form.html", "probe.json"
REPLACEMENT = "\ufffd"  #: character for bytes that cannot be decoded


@dataclass(slots=True)
class Submission:
    """A submission as a probe reports it."""

    row: Row
    kept: bool  #: whether it is from an earlier run, and was not sent again


def probe(
    url: str,
    folder: Path,
    loader: Loader,
    options: ProbeOptions,
    readers: PageReaders = NO_READERS,
) -> Iterator[Submission]:
    """Probe the search form of a page; yields every submission, those of earlier runs first."""
    with closing(FolderLock(folder)):
        log = SubmissionLog(folder)
        page, charset = _load_form_page(loader.take_credentials(url), loader, log)
        filler = choose_filler(page, charset, options)
        run = ProbeRun(page, filler, (loader, log), options, readers)
        _write_form(log, run.filler.form)
        yield from run.run()


def dry_run(
    url: str, loader: Loader, options: ProbeOptions, readers: PageReaders = NO_READERS
) -> Iterator[FilledForm]:
    """The first requests of a probe: the given values, else the first that would be harvested."""
    response = loader.load(url)
    page = parse_response(response, loader)
    filler = choose_filler(page, response.charset, options)
    own = islice(list_fillings(filler, options), options.submissions)
    count = 0
    for count, filling in enumerate(own, 1):  # noqa: B007 - counted for what follows
        yield filler.fill(filling)
    if options.harvests and count < options.submissions:
        terms = TermPool()
        terms.add_form_page(page)
        target = filler.form.query_field
        blank = readers.find_records is not None and not count
        term = "" if blank else terms.best(frozenset())
        if term is not None and target:
            yield filler.fill({**first_values(filler, options), target.name: term})


# -- the form ------------------------------------------------------------------------------


def choose_form(page: Page, name: str) -> Form:
    """The form of a name, else the most likely search form that may be sent."""
    forms = read_forms(page)
    if name:
        for number, form in enumerate(forms, 1):
            names = (form.name, page.attributes_of(form.row).get("id"), str(number), form.path)
            if name in names:
                return form
        listed = ", ".join(form.name or str(at) for at, form in enumerate(forms, 1)) or "no form"
        raise OptionError("form_name", name, f"no such form; the page has {listed}")
    allowed = [form for form in forms if not form.refused]
    if not allowed:
        raise PageError(page.url or "the page", _none_allowed(forms))
    return max(allowed, key=lambda form: form.search)  # the first of equals


def _none_allowed(forms: tuple[Form, ...]) -> str:
    if not forms:
        return "there is no form on it; give the page with the search form"
    reasons = "; ".join(
        f"form {form.name or at}: {', '.join(form.refused)}" for at, form in enumerate(forms, 1)
    )
    return f"no form on it may be sent ({reasons}); name one with --form-name to send it anyway"


def choose_filler(page: Page, charset: str | None, options: ProbeOptions) -> FormFiller:
    """The filler of the form to probe."""
    form = choose_form(page, options.form_name)
    return FormFiller(form, named=bool(options.form_name), charset=charset)


def parse_response(response: Fetched, loader: Loader) -> Page:
    """The page in a response."""
    most, charset = loader.limits.max_nodes, response.charset
    return parse(response.body, url=response.url, charset=charset, max_nodes=most)


def _load_form_page(url: str, loader: Loader, log: SubmissionLog) -> tuple[Page, str | None]:
    """The form page and its charset, from the folder when an earlier run kept it."""
    about, body = _read_about(log), log.read(FORM_PAGE)
    if about and body is not None:
        if strip_credentials(about["url"]) != url:
            why = f"holds a probe of {about['url']}; give another folder"
            raise OptionError("output", str(log.folder), why)
        charset = about["charset"]
        return parse(body, url=about["final_url"], charset=charset), charset
    response = loader.load(url)
    log.write(FORM_PAGE, response.body)
    about = {"schema": SCHEMA, "url": url, "final_url": response.url, "charset": response.charset}
    log.write(PROBE_FILE, json.dumps(about).encode())
    return parse_response(response, loader), response.charset


def _read_about(log: SubmissionLog) -> dict[str, Any] | None:
    try:
        about = json.loads(log.read(PROBE_FILE) or b"null")
    except (ValueError, RecursionError):
        return None
    is_whole = isinstance(about, dict) and {"url", "final_url", "charset"} <= about.keys()
    return about if is_whole else None


def _write_form(log: SubmissionLog, form: Form) -> None:
    about = {**(_read_about(log) or {}), "form": form.to_dict()}
    log.write(PROBE_FILE, (json.dumps(about, ensure_ascii=False, indent=2) + "\n").encode())


# -- the run -------------------------------------------------------------------------------


class ProbeRun:
    """One run over one form."""

    def __init__(
        self,
        page: Page,
        filler: FormFiller,
        access: tuple[Loader, SubmissionLog],
        options: ProbeOptions,
        readers: PageReaders = NO_READERS,
    ) -> None:
        self.filler, self.options = filler, options
        self._readers = readers
        self._loader, self._log = access
        self._terms = TermPool()
        self._terms.add_form_page(page)
        self._sent: set[str] = set()
        self._used_words: set[str] = set()
        self._failed = 0  # in a row, in this run

    def run(self) -> Iterator[Submission]:
        """Submit the given values, then words from the results."""
        for filling in list_fillings(self.filler, self.options):
            if self._enough():
                return
            yield from self._submit(filling, "own")
        if self.options.harvests:
            yield from self._harvest()

    def _enough(self) -> bool:
        full = len(self._sent) >= self.options.submissions
        return full or self._failed >= self.options.failures

    def _harvest(self) -> Iterator[Submission]:
        """Submit the best unused word, until the results have nothing new.

        Where records can be told, a search for nothing comes first: many databases show all or
        much of what they have, and the words of a form page often find no record at all.
        """
        target, common = self.filler.form.query_field, first_values(self.filler, self.options)
        poor, blank = 0, self._readers.find_records is not None and not self._sent
        while target and poor < self.options.patience and not self._enough():
            term = "" if blank else self._terms.best(self._used_words)
            blank = False
            if term is None:
                return
            brought = []
            for submission in self._submit({**common, target.name: term}, "harvested"):
                brought.append(submission.row)
                yield submission
            poor = 0 if self._is_rich(brought) else poor + 1

    def _is_rich(self, rows: Sequence[Row]) -> bool:
        """Whether a submission with its further pages brought enough: a record, or some texts."""
        if self._readers.find_records is not None:
            return any(row.get("new_records") for row in rows)
        return sum(int(row["new"]) for row in rows) >= self.options.min_new

    def _submit(self, filling: dict[str, str], origin: str) -> Iterator[Submission]:
        """Submit one filling, and follow the pages of its result."""
        filled = self.filler.fill(filling)
        name = request_digest(filled.request)
        if name in self._sent:  # two fillings with the same request
            return
        self._sent.add(name)
        self._used_words |= {
            text.casefold() for values in filled.values.values() for text in values
        }
        fields: Row = {
            "origin": origin,
            "labels": dict(filled.labels),
            "values": {field: list(values) for field, values in filled.values.items()},
        }
        submission, page = self._result(filled.request, {**fields, "page_of": None})
        yield submission
        if not submission.kept:
            self._failed = self._failed + 1 if submission.row["error"] else 0
        first, seen = submission.row["number"], {filled.request.url}
        for at in range(1, self.options.paging + 1):
            if page is None:
                return
            query, paging = self._query(filled), self._readers.find_paging(page)
            if (target := next_page(page, at, query, seen, paging)) is None:
                return
            seen.add(target)
            more = {**fields, "origin": "paging", "page_of": first}
            submission, page = self._result(HttpRequest(target), more)
            yield submission

    def _query(self, filled: FilledForm) -> frozenset[str]:
        """The words that the address of a further result page must have."""
        if filled.request.method != "GET":
            return frozenset()
        return frozenset(text for values in filled.values.values() for text in values)

    def _result(self, request: HttpRequest, fields: Row) -> tuple[Submission, Page | None]:
        """The row and the page of a request, from the folder or from the server."""
        row = self._log.find(request)
        if row is None or (row["error"] and self.options.again):
            return self._load(request, fields)
        body = self._log.body(row)
        page = None
        if body is not None:
            page = parse(body, url=row["final_url"], charset=row["charset"])
            self._terms.add(page, self._records(page, row["values"]))
        return Submission(row, kept=True), page

    def _records(self, page: Page, values: Mapping[str, Iterable[str]]) -> Sequence[str] | None:
        if self._readers.find_records is None:
            return None
        return self._readers.find_records(page, [text for each in values.values() for text in each])

    def _load(self, request: HttpRequest, fields: Row) -> tuple[Submission, Page | None]:
        """Send a request, and log its response or error."""
        start, time = perf_counter(), datetime.now(UTC).isoformat(timespec="seconds")
        page, outcome, body = None, dict(NO_RESPONSE), None
        try:
            response = self._loader.load(request)
            page, body = parse_response(response, self._loader), response.body
            outcome |= self._outcome(response, page, fields)
        except BudgetSpent:  # nothing was sent: this is for the next run
            raise
        except PageError as error:
            outcome |= {"error": type(error).__name__, "message": str(error)}
            outcome["status"] = getattr(error, "status", None)
        row: Row = {
            "schema": SCHEMA, "request": request_digest(request), **fields,
            "method": request.method,
            "url": request.url, "body": (request.body or b"").decode("utf-8", "replace") or None,
            **outcome, "seconds": round(perf_counter() - start, 3), "time": time,
        }  # fmt: skip
        return Submission(self._log.add(row, body), kept=False), page

    def _outcome(self, response: Fetched, page: Page, fields: Row) -> Row:
        counts = self._terms.add(page, self._records(page, fields["values"]))
        return {
            "status": response.status, "final_url": response.url,
            "charset": page.charset or response.charset,
            "undecodable": (page.source or "").count(REPLACEMENT), "bytes": len(response.body),
            "texts": counts.texts, "new": counts.new,
            "records": counts.records, "new_records": counts.new_records,
        }  # fmt: skip


#: fields of a submission without a response
NO_RESPONSE: Row = {
    "status": None, "final_url": None, "charset": None, "undecodable": 0, "bytes": 0,
    "texts": 0, "new": 0, "records": 0, "new_records": 0, "error": None, "message": None,
}  # fmt: skip
