"""The annotator's client of the worker processes: runs jobs and stores their results."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from fastapi.concurrency import run_in_threadpool

from pagelet.annotator.jobs import Action, AnnotatorJob, run_job
from pagelet.annotator.marks import SPREAD, SUGGESTION, Mark, StoredPage
from pagelet.annotator.store import AnnotationStore
from pagelet.server.errors import HttpError, Reply
from pagelet.server.queue import RequestQueue
from pagelet.server.routes import check_reply

MIN_ALIKE = 0.3  #: share of rows in common from which on pages have the same template
PAGE_ERRORS = ("OverTime", "WorkerCrashed")  #: errors of one page, not of the service
MAX_PAGE_ERRORS = 3  #: pages that may fail before spreading is given up


@dataclass(frozen=True, slots=True)
class JobClient:
    """Runs jobs for one request to the annotator."""

    store: AnnotationStore
    queue: RequestQueue
    request_id: str

    async def run(self, action: Action, page: int, annotator: str, method: str = "") -> Reply:
        """Run a job for one page."""
        stored = await run_in_threadpool(self.store.database.page, page)
        with self.queue.place(0):
            return await self._run(AnnotatorJob(stored.name, action, page, annotator, method))

    async def _run(self, job: AnnotatorJob) -> Reply:
        """The reply to a job; HttpError if it fails."""
        reply = check_reply(await self.queue.run(run_job, job), self.request_id)
        if reply.status != 200:
            form = json.loads(reply.body)
            raise HttpError(reply.status, form["error"], form["message"], reply.retry)
        return reply

    async def suggest(self, page: int, annotator: str, method: str) -> int:
        """Store the marks that a method proposes; return the number of new ones."""
        reply = await self.run("suggest", page, annotator, method)
        marks = [Mark.from_dict(form) for form in json.loads(reply.body)]
        source = f"{SUGGESTION}{method}"
        return await run_in_threadpool(self.store.set_proposals, page, annotator, source, marks)

    async def spread(
        self, page: int, annotator: str, targets: Sequence[int] | None
    ) -> list[dict[str, Any]]:
        """Carry marks to other pages of the project: to the targets, or to those with the template.

        Reports for each page how alike it is, which marks were carried and missed, and how well
        they agree with the annotator's marks there; or why the page failed.
        """
        reports, errors = [], 0
        with self.queue.place(0):
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
