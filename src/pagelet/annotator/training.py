"""Training on the marks of projects: `pagelet evaluate` and `pagelet train` as processes.

The labels are exported to a temporary folder, scored by folds, and learned from. The processes have
limits of time and memory, can be ended at any time, and end with the service. Nothing that a client
sends becomes a path or an argument but the name of a method from a fixed list.
"""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock, Thread, Timer
from time import monotonic
from typing import Any, Literal

from pagelet.annotator.scoring import (
    NEW,
    PRESENT,
    Scores,
    Table,
    compare,
    hold_out,
    join_tables,
    read_shipped,
    read_tables,
)
from pagelet.annotator.transfer import write_folder
from pagelet.labels import list_exports
from pagelet.processes import ONE_THREAD
from pagelet.server.errors import HttpError
from pagelet.terminal import escape_controls

TRAINABLE = ("menu", "links", "content", "noise", "records")  #: methods that learn from marks
#: Starts the command line in a process with limits, which ends with its parent.
PROGRAM = (
    "import sys; from pagelet.processes import end_with_parent, limit_memory;"
    " end_with_parent({parent}); limit_memory({memory});"
    " from pagelet.cli import main; main()"
)
COUNTED = re.compile(r": [\d,]+ of [\d,]+.*")  #: how far a task is, at the end of a line
UNFITTED = "scored without fitting"  #: in the line that says why there are no folds
ONE_SITE = "labels cover one site; at least two are needed to score unseen sites"
#: Advice for the command line, and what to do in the annotator instead.
ADVICE = re.compile("; export several projects together.*")
MARK_MORE = "; mark pages of another project too, and tick “all projects”"
MAX_SECONDS = 3600.0  #: time of a whole training
MAX_MEMORY_MB = 4000  #: memory of one process
MAX_LINES = 200  #: lines of progress that are kept
MAX_LINE_CHARS = 300
MAX_SCORE_BYTES = 1_000_000  #: scores that are read
MAX_KEPT = 20  #: finished trainings that are remembered

State = Literal["running", "done", "failed", "cancelled"]
Files = Iterator[tuple[str, bytes]]  #: names and contents


class TrainingCancelled(Exception):
    """A training was cancelled, or took too long."""


@dataclass(slots=True)
class Training:
    """One training, from the export of labels to the model."""

    id: int
    project: int
    method: str
    corpora: bool  #: whether corpora in $PAGELET_DATA are learned from too
    keep: Callable[[dict[str, Any], bytes], int]  #: stores scores and model
    present: bytes = b""  #: the model that the project uses; empty for the shipped one
    state: State = "running"
    step: str = "waiting"  #: what is being done
    lines: list[str] = field(default_factory=list)  #: what the processes report
    scores: dict[str, Any] = field(default_factory=dict)
    model: int = 0  #: id of the model, once it is stored
    problem: str = ""
    seconds: float = 0.0  #: time of a finished training
    start: float = field(default_factory=monotonic)
    _process: "subprocess.Popen[str] | None" = None
    _stopped: str = ""  #: why it was stopped
    _lock: Any = field(default_factory=Lock)

    def describe(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "id": self.id,
            "project": self.project,
            "method": self.method,
            "state": self.state,
            "step": self.step,
            "lines": self.lines[-MAX_LINES:],
            "scores": self.scores,
            "model": self.model,
            "problem": self.problem,
            "seconds": round(self.seconds or monotonic() - self.start, 1),
        }

    def stop(self, why: str = "cancelled") -> None:
        """End the training, and the process it waits for."""
        with self._lock:
            self._stopped = self._stopped or why
            process = self._process
        if process is not None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

    def run(self, files: Files) -> None:
        """Score, train and store the model; every end is noted."""
        timer = Timer(MAX_SECONDS, self.stop, [f"it took more than {MAX_SECONDS:.0f} s"])
        timer.daemon = True
        timer.start()
        try:
            with TemporaryDirectory(prefix="pagelet-train-") as folder:
                self._work(Path(folder), files)
            self._end("done")
        except TrainingCancelled:
            self.problem = "" if self._stopped == "cancelled" else f"Stopped: {self._stopped}."
            self._end("failed" if self.problem else "cancelled")
        except Exception as error:  # noqa: BLE001 - else it would run for ever
            self.problem = str(error)[:MAX_LINE_CHARS]
            self._end("failed")
        finally:
            timer.cancel()

    def _end(self, state: State) -> None:
        self.seconds = max(monotonic() - self.start, 0.1)
        self.state = state

    def _work(self, root: Path, files: Files) -> None:
        self.step = "exporting the labels"
        labels, model = root / "labels", root / "model.npz"
        write_folder(labels, files)
        (root / f"{PRESENT}.npz").write_bytes(self.present or read_shipped(self.method))
        self.scores = self._score_folds(root, labels)
        if "comparison" not in self.scores:
            self.scores |= self._score_held_out(root, labels)
        self.step = "fitting the model"
        self._train(root, labels, model)
        self.step = "storing the model"
        self.model = self.keep(self.scores, model.read_bytes())

    def _score_folds(self, root: Path, labels: Path) -> Scores:
        """Scores by models that have not seen the site of a page, or a note why there are none."""
        if len(list_exports(labels)) == 1 and not self.corpora:
            return {"note": ONE_SITE}
        self.step = "scoring on folds"
        code, tables = self._evaluate(root, labels, "--fit", "--model", f"{PRESENT}.npz")
        few = next((line for line in reversed(self.lines) if UNFITTED in line), "")
        note = few.replace(f": {UNFITTED}", "") if code == 0 else self._last_line()
        how = "Each site is answered by a new model that has not seen it."
        return {**compare(self.method, tables, how), "note": note}

    def _score_held_out(self, root: Path, labels: Path) -> Scores:
        """Scores on pages that are held out, of sites that the new model has seen."""
        rest, held, count = hold_out(labels, self.method, root)
        if not count:
            return {}
        self.step = f"scoring on {count}, held out"
        try:
            self._train(root, rest, root / f"{NEW}.npz")
        except ValueError:
            return {}  # it is reported when the model of all pages is fitted
        names = (NEW, PRESENT) if self.present else (NEW,)
        runs = [self._evaluate(root, held, "--model", f"{name}.npz")[1] for name in names]
        how = f"{count} were held out; the new model has seen others of their sites."
        return compare(self.method, join_tables(runs), how)

    def _evaluate(self, root: Path, labels: Path, *flags: str) -> tuple[int, list[Table]]:
        """The exit code and the tables of an evaluation."""
        arguments = (self.method, str(labels), *flags, "--format", "json")
        code, text = self._command(root, "evaluate", *arguments)
        return code, read_tables(text)

    def _train(self, root: Path, labels: Path, model: Path) -> None:
        code, _ = self._command(root, "train", self.method, str(labels), "--output", str(model))
        if code != 0 or not model.is_file():
            raise ValueError(self._last_line() or f"pagelet train ended with code {code}")

    def _last_line(self) -> str:
        last = self.lines[-1].removeprefix("pagelet: ") if self.lines else ""
        return ADVICE.sub(MARK_MORE, last)

    def _command(self, root: Path, *arguments: str) -> tuple[int, str]:
        """Run a command; its exit code, and what it printed."""
        output = root / "output"
        with output.open("wb") as out:
            process = self._start(root, arguments, out)
            with process:
                assert process.stderr is not None  # a pipe
                for line in process.stderr:
                    self._note(line, root)
        self._process = None
        if self._stopped:
            raise TrainingCancelled
        with output.open("rb") as out:
            return process.returncode, out.read(MAX_SCORE_BYTES).decode("utf-8", "replace")

    def _start(self, root: Path, arguments: Sequence[str], out: Any) -> "subprocess.Popen[str]":
        program = PROGRAM.format(parent=os.getpid(), memory=MAX_MEMORY_MB)
        paths = dict.fromkeys(path or os.getcwd() for path in sys.path)
        env = os.environ | ONE_THREAD | {"PYTHONPATH": os.pathsep.join(paths)}
        env["PAGELET_PROGRESS"] = "lines"
        if not self.corpora:
            env["PAGELET_DATA"] = str(root / "no-corpora")
        with self._lock:
            if self._stopped:
                raise TrainingCancelled
            self._process = subprocess.Popen(  # noqa: S603 - our own command
                [sys.executable, "-c", program, *arguments],
                stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE,
                env=env, cwd=root, process_group=0, text=True, errors="replace",
            )  # fmt: skip
            return self._process

    def _note(self, line: str, root: Path) -> None:
        """Keep a line of progress, without the path of the temporary folder."""
        text = escape_controls(line.strip().replace(f"{root}/", ""))[:MAX_LINE_CHARS]
        if self.lines and COUNTED.sub("", text) == COUNTED.sub("", self.lines[-1]) != text:
            self.lines[-1] = text  # the same task, a step further
        elif text:
            self.lines.append(text)
            del self.lines[:-MAX_LINES]


class TrainingQueue:
    """Runs one training at a time, in a thread of its own, and remembers the last ones."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._trainings: dict[int, Training] = {}
        self._lock = Lock()
        self._thread: Thread | None = None

    def start(
        self,
        project: int,
        method: str,
        *,
        corpora: bool,
        files: Files,
        keep: Callable[[dict[str, Any], bytes], int],
        present: bytes = b"",
    ) -> Training:
        """Start a training, unless another one runs."""
        with self._lock:
            if any(each.state == "running" for each in self._trainings.values()):
                why = "another training runs; wait for it, or cancel it"
                raise HttpError(409, "TrainingRuns", why)
            training = Training(next(self._numbers), project, method, corpora, keep, present)
            self._trainings[training.id] = training
            for old in list(self._trainings)[:-MAX_KEPT]:
                del self._trainings[old]
        self._thread = Thread(target=training.run, args=(files,), name="pagelet-training")
        self._thread.start()
        return training

    def find(self, id: int) -> Training:
        """A training by its id."""
        if id not in self._trainings:
            raise HttpError(404, "NotFound", f"there is no training {id}")
        return self._trainings[id]

    def last(self, project: int) -> Training | None:
        """The last training of a project."""
        own = [each for each in self._trainings.values() if each.project == project]
        return own[-1] if own else None

    def close(self) -> None:
        """End what runs, and wait until it has ended."""
        for training in self._trainings.values():
            training.stop("the service stopped")
        if self._thread is not None:
            self._thread.join()
