"""Work on pages that do what pages must not do, when their HTML says so."""

import ctypes
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from pagelet.bulk import row
from pagelet.bulk.engine import LocalEngine
from pagelet.bulk.inputs import InputPlan
from pagelet.bulk.options import BulkOptions
from pagelet.bulk.outputs import Dataset
from pagelet.bulk.row import PageWork
from pagelet.page.html import parse

FEW = ("id", "url", "text", "error", "reason", "seconds")
QUICK = BulkOptions(columns=FEW, chunk_records=4)


@dataclass(frozen=True)
class Unruly(PageWork):
    """The usual rows, but pages may misbehave where they are parsed."""

    folder: str = ""  #: where pages that misbehave once leave a note

    def rows(self, record):
        row.parse = self.parse
        return super().rows(record)

    def parse(self, body, **more):
        self.misbehave(body)
        return parse(body, **more)

    def misbehave(self, body):
        if not isinstance(body, bytes):
            return
        if b"[exit]" in body:
            os._exit(3)
        if b"[crash]" in body:
            ctypes.string_at(0)
        if b"[hang]" in body:
            time.sleep(3600)
        if b"[eat]" in body:
            bytearray(100_000_000_000)
        if b"[raise]" in body:
            raise RecursionError("too deep")
        if b"[killed once]" in body and self.first("killed"):
            os.kill(os.getpid(), signal.SIGKILL)

    def first(self, name):
        """Whether this is the first time."""
        note = Path(self.folder, name)
        if note.exists():
            return False
        note.touch()
        return True


def run(inputs, output, work, *, jobs=1, resume=False, stop=lambda: False):
    """Work on inputs; the data set is closed."""
    with Dataset(Path(output), work, resume=resume) as dataset:
        LocalEngine(jobs).run(InputPlan(tuple(map(str, inputs))), work, dataset, stop)
    return dataset
