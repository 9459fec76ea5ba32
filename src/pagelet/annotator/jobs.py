"""Annotator jobs that run in a worker process, and the client that stores their results."""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any, Literal

import numpy as np
from fastapi.concurrency import run_in_threadpool

from pagelet.annotator.kinds import split_kind
from pagelet.annotator.marks import SPREAD, SUGGESTION, Mark, StoredPage
from pagelet.annotator.models import ModelShelf
from pagelet.annotator.readings import ReadingLog
from pagelet.annotator.review import ReviewLog
from pagelet.annotator.spread import map_pages, spread_marks
from pagelet.annotator.store import AnnotationStore, PageCache
from pagelet.annotator.suggestions import split_suggestion, suggest_marks
from pagelet.annotator.transfer import make_gold, page_labels
from pagelet.arrays import Floats
from pagelet.context import Context
from pagelet.errors import NO_VALUE, NoSuchNode, OptionError
from pagelet.methods.segments.geometry.partition import segments_of
from pagelet.page.layout import Rendering, boxes_of
from pagelet.report.picture import draw_png
from pagelet.server.errors import HttpError, Reply, json_bytes, reply_or_error
from pagelet.server.queue import RequestQueue
from pagelet.server.routes import check_reply
from pagelet.server.work import LOAD_SHARE, NeedsBrowser, WorkerContext, can_draw
from pagelet.sources.browser.options import RenderOptions

Action = Literal[
    "show", "add", "move", "delete", "accept", "step", "look", "finish", "decide", "compare",
    "draw", "label",
    "suggest", "spread", "rectangles", "picture",
]  # fmt: skip
PAGES = PageCache()  #: parsed pages of this worker process
MAX_SITE_PAGES = 20  #: other pages of the project that a method is given
OF_SITE = ("site", "template")  #: inputs that are made from the other pages
HEADING = "number\tkind\tleft\ttop\tright\tbottom\tpath"


@dataclass(frozen=True, slots=True)
class AnnotatorJob:
    """A job for one page of the annotator's database."""

    name: str  #: name of the page, for messages
    action: Action
    page: int
    annotator: str
    method: str = ""  #: method that makes suggestions
    target: int = 0  #: page that marks are carried to
    change: Mapping[str, Any] = field(default_factory=dict)  #: what is changed

    @property
    def owner(self) -> tuple[int, str]:
        """The page and the annotator whose marks they are."""
        return self.page, self.annotator


def run_job(job: AnnotatorJob, context: WorkerContext) -> Reply:
    """The reply to a job; errors are replies too."""
    with closing(AnnotationStore(context.settings, PAGES)) as store:
        run = ACTIONS[job.action]
        memory = context.settings.memory
        return reply_or_error(lambda: run(job, store, context), job.name, memory)


def _describe(job: AnnotatorJob, store: AnnotationStore, _: WorkerContext) -> Reply:
    """Change the marks of a page, if anything is to be changed, and describe them."""
    store.page(job.page)  # a page that takes too long or too much memory fails before the change
    if job.action in CHANGES:
        CHANGES[job.action](store, job)
    return Reply(200, json_bytes(store.describe_page(job.page, job.annotator)))


#: What each action changes.
CHANGES: dict[str, Callable[[AnnotationStore, AnnotatorJob], object]] = {
    "add": lambda store, job: store.add_mark(*job.owner, job.change["kind"], job.change["rows"]),
    "move": lambda store, job: store.move_mark(*job.owner, job.change["mark"], job.change["rows"]),
    "delete": lambda store, job: store.database.change_marks(*job.owner, delete=job.change["ids"]),
    "accept": lambda store, job: store.accept_marks(*job.owner, job.change["ids"]),
    "step": lambda store, job: store.database.step(*job.owner, job.change["way"]),
    "look": lambda store, job: store.set_looked(*job.owner, **job.change),
    "finish": lambda store, job: ReviewLog(store.database).set_done(*job.owner, **job.change),
    "decide": lambda store, job: store.decide(*job.owner, **job.change),
}


def _compare(job: AnnotatorJob, store: AnnotationStore, _: WorkerContext) -> Reply:
    """Agreement of the annotators of a page."""
    return Reply(200, json_bytes(store.compare_annotators(job.page)))


def _draw(job: AnnotatorJob, store: AnnotationStore, _: WorkerContext) -> Reply:
    """The page as inert HTML."""
    return Reply(200, json_bytes({"drawing": store.draw_page(job.page)}))


def _label(job: AnnotatorJob, store: AnnotationStore, _: WorkerContext) -> Reply:
    """The page as one of the gold JSON."""
    labels = page_labels(store, store.database.page(job.page), job.annotator)
    return Reply(200, json_bytes(labels))


def _suggest(job: AnnotatorJob, store: AnnotationStore, context: WorkerContext) -> Reply:
    """Marks that a method proposes, and the names of the other pages that it was given."""
    method, _ = split_suggestion(job.method)
    project = store.database.page(job.page).project
    others = store.other_pages(job.page)[:MAX_SITE_PAGES] if method.takes(*OF_SITE) else []
    site = [store.page(other.id) for other in others]
    rendering = _render(job, store, context) if "boxes" in method.needs else None
    model = ModelShelf(store.database).used_model(project, method.name)
    around = Context(store.page(job.page), site, rendering=rendering)
    marks = suggest_marks(around, job.method, model)
    form = {"marks": [mark.to_dict() for mark in marks], "read": [other.name for other in others]}
    return Reply(200, json_bytes(form))


def _spread(job: AnnotatorJob, store: AnnotationStore, _: WorkerContext) -> Reply:
    """The annotator's marks carried to another page, and how well they agree with those there."""
    marks = store.database.list_marks(job.page, job.annotator)
    mapped = map_pages(store.page(job.page), store.page(job.target))
    carried, missed = spread_marks(mapped, [mark for mark in marks if mark.by_person])
    form = {
        "alike": round(mapped.alike, 4),
        "carried": [mark.to_dict() for mark in carried],
        "missed": [{"kind": mark.kind, "paths": mark.paths} for mark in missed],
        "agreement": store.compare_carried(job.target, job.annotator, carried),
    }
    return Reply(200, json_bytes(form))


def _rectangles(job: AnnotatorJob, store: AnnotationStore, context: WorkerContext) -> Reply:
    """The bounding boxes of marks, one line per mark."""
    marks, _ = store.reviewed_marks(store.database.page(job.page), job.annotator)
    text = write_rectangles(_render(job, store, context), marks)
    return Reply(200, text.encode(), "text/plain; charset=utf-8")


def _picture(job: AnnotatorJob, store: AnnotationStore, context: WorkerContext) -> Reply:
    """The page with its marks drawn over it."""
    marks, _ = store.reviewed_marks(store.database.page(job.page), job.annotator)
    rendering = _render(job, store, context, picture=True)
    return Reply(200, draw_marks(rendering, marks), "image/png")


def _render(
    job: AnnotatorJob, store: AnnotationStore, context: WorkerContext, *, picture: bool = False
) -> Rendering:
    """The page as the browser of the service draws it, without scripts and network."""
    if not can_draw(context.settings):
        raise OptionError("render", NO_VALUE, "this service draws no pages")
    if not context.draws:
        raise NeedsBrowser
    page = replace(store.page(job.page), url=None)
    with store.project_folder(job.page) as (root, name):
        options = RenderOptions(
            javascript="off",
            network="off",
            folder=str(root),
            timeout=context.settings.timeout * LOAD_SHARE,
            picture=picture,
        )
        rendering: Rendering = context.browser.render(page, options, place=name)
        return rendering


ACTIONS: dict[str, Callable[[AnnotatorJob, AnnotationStore, WorkerContext], Reply]] = {
    **dict.fromkeys(("show", *CHANGES), _describe),
    "compare": _compare,
    "draw": _draw,
    "label": _label,
    "suggest": _suggest,
    "spread": _spread,
    "rectangles": _rectangles,
    "picture": _picture,
}


# -- marks on a rendered page -----------------------------------------------------------------


def write_rectangles(rendering: Rendering, marks: Sequence[Mark]) -> str:
    """One line per mark: number, kind, edges in whole pixels, paths."""
    drawn, boxes = place_marks(rendering, marks)
    edges = boxes.round().astype(int).tolist()
    lines = [
        "\t".join((str(number), mark.kind, *map(str, box), " ".join(mark.paths)))
        for number, (mark, box) in enumerate(zip(drawn, edges, strict=True), 1)
    ]
    return "\n".join((HEADING, *lines)) + "\n"


def draw_marks(rendering: Rendering, marks: Sequence[Mark]) -> bytes:
    """A PNG of the page with its marks, numbered as by write_rectangles."""
    drawn, edges = place_marks(rendering, marks)
    size = (rendering.layout.page_width, rendering.layout.page_height)
    boxes = boxes_of(edges, page=size)
    names = [role or group for group, role in (split_kind(mark.kind) for mark in drawn)]
    return draw_png(rendering, segments_of(boxes, np.arange(len(boxes))), names)


def place_marks(rendering: Rendering, marks: Sequence[Mark]) -> tuple[list[Mark], Floats]:
    """The visible marks from top to bottom, then left to right, and their bounding boxes."""
    boxes = [(mark, box) for mark in marks if (box := _bounding_box(rendering, mark)) is not None]
    boxes.sort(key=lambda pair: (pair[1][1], pair[1][0]))
    edges = np.array([box for _, box in boxes], np.float64).reshape(-1, 4)
    return [mark for mark, _ in boxes], edges


def _bounding_box(rendering: Rendering, mark: Mark) -> tuple[float, ...] | None:
    """Left, top, right and bottom of a mark; None if nothing of it is drawn."""
    page, layout = rendering.page, rendering.layout
    try:
        rows = np.array([page.row(path) for path in mark.paths], np.int32)
    except NoSuchNode:  # the browser's tree may differ
        return None
    inner = np.flatnonzero(page.inside(rows) & layout.drawn)
    if not len(inner):
        return None
    edges = layout.edges[inner]
    return (*edges[:, :2].min(axis=0).tolist(), *edges[:, 2:].max(axis=0).tolist())


MIN_ALIKE = 0.3  #: share of rows in common from which on pages have the same template
PAGE_ERRORS = ("OverTime", "WorkerCrashed")  #: errors of one page, not of the service
MAX_PAGE_ERRORS = 3  #: pages that may fail before spreading is given up


@dataclass(frozen=True, slots=True)
class JobClient:
    """Runs jobs for one request to the annotator."""

    store: AnnotationStore
    queue: RequestQueue
    state: Any  #: state of the request: its id and its client

    async def run(
        self, action: Action, page: int, annotator: str, method: str = "", **change: Any
    ) -> Reply:
        """Run a job for one page."""
        stored = await run_in_threadpool(self.store.database.page, page)
        job = AnnotatorJob(stored.name, action, page, annotator, method, change=change)
        with self.queue.admission.place(self.state.client):
            return await self._run(job)

    async def ask(self, action: Action, page: int, annotator: str, **change: Any) -> Any:
        """The JSON that a job answers with."""
        return json.loads((await self.run(action, page, annotator, **change)).body)

    async def gold(self, project: int, annotator: str) -> dict[str, Any]:
        """The gold JSON of a project; each page is a job of its own."""
        database, labels = self.store.database, {}
        await run_in_threadpool(database.project_name, project)
        with self.queue.admission.place(self.state.client):
            for page in await run_in_threadpool(database.list_pages, project):
                reply = await self._run(AnnotatorJob(page.name, "label", page.id, annotator))
                labels[page.id] = json.loads(reply.body)
        return await run_in_threadpool(make_gold, database, project, annotator, labels)

    async def _run(self, job: AnnotatorJob) -> Reply:
        """The reply to a job; HttpError if it fails."""
        reply = await self.queue.run(run_job, job, self.state.client)
        check_reply(reply, self.state.request_id)
        if reply.status != 200:
            form = json.loads(reply.body)
            raise HttpError(reply.status, form["error"], form["message"], reply.retry)
        return reply

    async def suggest(self, page: int, annotator: str, method: str) -> int:
        """Store the marks that a method proposes; return the number of new ones."""
        reply = json.loads((await self.run("suggest", page, annotator, method)).body)
        marks = [Mark.from_dict(form) for form in reply["marks"]]
        source, log = f"{SUGGESTION}{method}", ReadingLog(self.store.database)
        await run_in_threadpool(log.record, page, annotator, method, reply["read"])
        return await run_in_threadpool(self.store.set_proposals, page, annotator, source, marks)

    async def spread(
        self, page: int, annotator: str, targets: Sequence[int] | None
    ) -> list[dict[str, Any]]:
        """Carry marks to other pages of the project: to the targets, or to those with the template.

        Reports for each page how alike it is, which marks were carried and missed, and how well
        they agree with the annotator's marks there; or why the page failed.
        """
        reports, errors = [], 0
        with self.queue.admission.place(self.state.client):
            for other in await run_in_threadpool(self.store.other_pages, page, targets):
                report = {"id": other.id, "name": other.name}
                try:
                    report |= await self._spread_to(
                        other, page, annotator, any_template=targets is not None
                    )
                except HttpError as error:
                    errors += 1
                    if error.error not in PAGE_ERRORS or errors >= MAX_PAGE_ERRORS:
                        raise
                    report["problem"] = error.message
                reports.append(report)
        return reports

    async def _spread_to(
        self, other: StoredPage, page: int, annotator: str, *, any_template: bool
    ) -> dict[str, Any]:
        """Carry marks to one page, if it has the same template or `any_template` is allowed."""
        job = AnnotatorJob(other.name, "spread", page, annotator, target=other.id)
        report = json.loads((await self._run(job)).body)
        if not any_template and report["alike"] < MIN_ALIKE:
            return {"alike": report["alike"]}
        marks = [Mark.from_dict(form) for form in report["carried"]]
        new = await run_in_threadpool(self.store.set_proposals, other.id, annotator, SPREAD, marks)
        sure = round(fmean([mark.sure or 0 for mark in marks] or [0]), 4)
        return {**report, "new": new, "carried": len(marks), "sure": sure}
