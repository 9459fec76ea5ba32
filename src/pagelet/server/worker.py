"""A worker process: does requests one after the other, until its pipe is closed."""

import gc
import signal
import traceback
from multiprocessing.connection import Connection

from pagelet.annotator.jobs import Task
from pagelet.annotator.jobs import reply_to as reply_to_task
from pagelet.bulk.worker import end_with, limit_memory
from pagelet.methods import METHODS
from pagelet.server.bodies import Job
from pagelet.server.refusals import Reply, json_bytes
from pagelet.server.work import Desk, DrawnElsewhere, reply_to

READY = "ready"
ELSEWHERE = "elsewhere"  #: said of a request that needs a browser
MISTAKE = "mistake"  #: stands for the content type of a trace, which is not sent to anybody
WARM_PAGE = "<title>a</title><ul><li><a href=/>b</a><li><a href=/c>c</a></ul><p>words of a page"


def main(pipe_file: int, parent: int) -> None:
    """Run a worker over the pipe it has inherited."""
    for each in (signal.SIGINT, signal.SIGTERM):  # whoever started it decides when to stop
        signal.signal(each, _deaf)
    end_with(parent)
    pipe = Connection(pipe_file)
    desk: Desk = pipe.recv()
    warm_up(desk)
    if not desk.draws:  # a browser reserves more than any limit
        limit_memory(desk.settings.memory)
    gc.collect()
    gc.freeze()  # what is here now stays; later collections need not look at it
    pipe.send(READY)
    try:
        while (job := pipe.recv()) is not None:
            pipe.send(done(job, desk))
    except (EOFError, BrokenPipeError):  # the service has ended
        pass
    finally:
        desk.close()


def _deaf(_signal: int, _frame: object) -> None:
    """Do nothing; unlike a signal that is ignored, this is not handed on to a browser."""


def warm_up(desk: Desk) -> None:
    """Load the models, which no request is to be charged for."""
    body = json_bytes({"html": WARM_PAGE})
    for name in METHODS:
        if "boxes" not in METHODS[name].needs:
            done(Job(name, body), desk)


def done(job: Job | Task, desk: Desk) -> Reply | str:
    """The answer to a request; a mistake of ours is one too, and its trace is logged above."""
    try:
        return reply_to_task(job, desk) if isinstance(job, Task) else reply_to(job, desk)
    except DrawnElsewhere:
        return ELSEWHERE
    except Exception:  # noqa: BLE001 - told to whoever runs the service
        return Reply(500, traceback.format_exc().encode("utf-8", "replace"), MISTAKE)
