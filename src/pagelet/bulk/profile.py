"""Where the time of a run goes: processor seconds by stage, summed over workers, and waits.

The stages of pages are measured in the workers, by the clock of their thread, and only where a
profile is wanted: other runs pay nothing. What the processes of the run took beyond them is a row
of its own: the start of workers, memory that is freed. An answer that several columns share, such
as the main content, is a stage of its own, so a column has only what it takes beyond its answers.
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from time import process_time, thread_time
from typing import Any

from pagelet.bulk.chunk import Finished
from pagelet.bulk.manifest import write_atomically
from pagelet.bulk.options import BulkOptions
from pagelet.bulk.records import Record
from pagelet.bulk.row import (
    COLUMN_MAKERS,
    MadeColumns,
    PageAnswers,
    PageWork,
    label_rows,
    list_columns,
    parse_record,
    record_rows,
)
from pagelet.page.table import Page

PROFILE_FILE = "_profile.json"  #: in the manifest
READ, PARSE, TABLE, WRITE, LEARN = "read", "parse", "table", "write", "learn templates"
OUTSIDE = "start of workers, rest"  #: what the processes took outside all stages
COLUMN = "column "  #: before the names of columns
#: answers that columns share, in the order of the profile
ANSWERS = ("content", "metadata", "template", "menu", "links", "clutter", "records")
MIN_SHARE = 0.001  #: share of the time that a stage needs for a row of the table
TABLES = ("labels",)  #: further tables that are made of answers


@dataclass(slots=True)
class StageClock:
    """Processor seconds of this thread by stage; a stage interrupts the one around it."""

    seconds: dict[str, float] = field(default_factory=dict)
    _stage: str = ""
    _since: float = 0.0

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Count the time of the context for a stage."""
        outer = self._switch(name)
        try:
            yield
        finally:
            self._switch(outer)

    def _switch(self, name: str) -> str:
        now, before = thread_time(), self._stage
        if before:
            self.seconds[before] = self.seconds.get(before, 0.0) + now - self._since
        self._stage, self._since = name, now
        return before

    def take(self) -> dict[str, float]:
        """The seconds since the last call."""
        taken, self.seconds = self.seconds, {}
        return taken


def _timed(name: str) -> "cached_property[Any]":
    """The answer of this name as a stage."""
    make = vars(PageAnswers)[name].func

    def answer(self: "TimedAnswers") -> Any:
        with self.clock.stage(name):
            return make(self)

    return cached_property(answer)


class TimedAnswers(PageAnswers):
    """Answers about a page, each of them a stage."""

    content, metadata, template, menu, links, clutter, records = map(_timed, ANSWERS)

    def __init__(self, page: Page, options: BulkOptions, clock: StageClock) -> None:
        super().__init__(page, options)
        self.clock = clock


@dataclass(frozen=True)
class ProfiledWork(PageWork):
    """The usual rows, with the time of each stage."""

    clock: StageClock = field(default_factory=StageClock, compare=False)

    def make(self, record: Record, options: BulkOptions) -> MadeColumns:
        """What is made of one page, stage by stage."""
        stage = self.clock.stage
        with stage(PARSE):
            page = parse_record(record, options)
        answers = TimedAnswers(page, options, self.clock)
        made = {}
        for name in list_columns(answers):
            with stage(f"{COLUMN}{name}"):
                made[name] = COLUMN_MAKERS[name](answers)
        more = {}
        if options.labels:
            with stage("labels"):
                more["labels"] = list(label_rows(record, answers))
        if options.records:
            with stage("records"):
                more["records"] = list(record_rows(record, answers))
        return MadeColumns(made, more, answers.notes)

    def take_stages(self) -> dict[str, float]:
        """Processor seconds by stage since the last call."""
        return self.clock.take()


@dataclass(slots=True)
class RunProfile:
    """Where the time of a run went."""

    stages: dict[str, float] = field(default_factory=dict)  #: processor seconds
    pages: int = 0
    blocked: float = 0.0  #: seconds in which workers waited for input or for the processor
    idle: float = 0.0  #: seconds in which workers had no chunk

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count the time of the context outside all stages, in this process and its workers.

        Workers on other machines are known by their stages alone.
        """
        began = _processor_seconds()
        try:
            yield
        finally:
            outside = _processor_seconds() - began - sum(self.stages.values())
            self._add(OUTSIDE, max(outside, 0.0))

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Count the time of the context, in the process that writes."""
        began = process_time()
        try:
            yield
        finally:
            self._add(WRITE, process_time() - began)

    def add(self, chunk: Finished) -> None:
        """Count a chunk."""
        result, cost = chunk.result, chunk.result.cost
        self._add(READ, cost.reading)
        for name, seconds in result.stages.items():
            self._add(name, seconds)
        self._add(TABLE, max(cost.working - sum(result.stages.values()), 0.0))
        self._wait(chunk)
        self.pages += result.records

    def add_learning(self, chunk: Finished) -> None:
        """Count a chunk of the first pass, which learns templates."""
        cost = chunk.result.cost
        self._add(READ, cost.reading)
        self._add(LEARN, cost.working)
        self._wait(chunk)

    def _wait(self, chunk: Finished) -> None:
        self.blocked += chunk.result.cost.blocked
        self.idle += chunk.result.cost.idle

    def _add(self, name: str, seconds: float) -> None:
        self.stages[name] = self.stages.get(name, 0.0) + seconds

    def ordered(self) -> dict[str, float]:
        """The stages in the order in which pages go through them."""
        columns = sorted(name for name in self.stages if name.startswith(COLUMN))
        order = (READ, LEARN, PARSE, *ANSWERS, *columns, *TABLES, TABLE, WRITE, OUTSIDE)
        return {name: self.stages[name] for name in order if name in self.stages}

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "pages": self.pages,
            "processor_seconds": _rounded(self.ordered()),
            "waiting_seconds": _rounded({"blocked": self.blocked, "idle": self.idle}),
        }

    def write(self, folder: Path) -> None:
        """Write the profile into the folder of a manifest."""
        write_atomically(folder / PROFILE_FILE, json.dumps(self.to_dict(), indent=1))

    def list_lines(self) -> list[str]:
        """The profile as a table: stage, seconds, share, milliseconds per page."""
        whole, pages = sum(self.stages.values()) or 1.0, max(self.pages, 1)
        shown = {name: each for name, each in self.ordered().items() if each / whole >= MIN_SHARE}
        rest = whole - sum(shown.values())
        lines = [f"{'processor time':<24} {'seconds':>9} {'share':>6} {'ms/page':>8}"]
        for name, seconds in (*shown.items(), ("stages under 0.1 %", rest), ("together", whole)):
            share, each = seconds / whole, 1000 * seconds / pages
            lines.append(f"{name:<24} {seconds:>9.3f} {share:>6.1%} {each:>8.3f}")
        return [
            *lines,
            f"workers waited {self.blocked:,.1f} s for input or the processor,"
            f" {self.idle:,.1f} s for work",
        ]


def _processor_seconds() -> float:
    """What this process has taken so far, and its workers that have ended."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def _rounded(seconds: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in seconds.items()}
