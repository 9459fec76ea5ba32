"""What the annotator leaves to worker processes, and what it keeps of their answers."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from fastapi.concurrency import run_in_threadpool

from pagelet.annotator.desk import Desk
from pagelet.annotator.jobs import Do, Task, reply_to
from pagelet.annotator.marks import SPREAD, SUGGESTION, Stored, mark_of
from pagelet.server.errors import HttpError, Reply
from pagelet.server.pool import RequestQueue
from pagelet.server.routes import check_reply

ALIKE = 0.3  #: share of rows in common from which on pages are said to have one template
COSTLY = ("OverTime", "WorkerCrashed")  #: refusals that speak of one page, not of the service
MOST_COSTLY = 3  #: pages that are given up before the whole of a spread is


@dataclass(frozen=True, slots=True)
class Hired:
    """The workers of the service, for one request of the annotator."""

    desk: Desk
    pool: RequestQueue
    request_id: str

    async def of_page(self, do: Do, page: int, annotator: str, method: str = "") -> Reply:
        """What a worker answers of one page alone."""
        known = await run_in_threadpool(self.desk.store.page, page)
        with self.pool.place(0):
            return await self._reply(Task(known.name, do, page, annotator, method))

    async def _reply(self, task: Task) -> Reply:
        """What a worker answers, if it does what was asked."""
        reply = check_reply(await self.pool.run(reply_to, task), self.request_id)
        if reply.status != 200:
            said = json.loads(reply.body)
            raise HttpError(reply.status, said["error"], said["message"], reply.retry)
        return reply

    async def suggest(self, page: int, annotator: str, method: str) -> int:
        """Let a method propose marks; how many."""
        reply = await self.of_page("suggest", page, annotator, method)
        marks = [mark_of(form) for form in json.loads(reply.body)]
        source = f"{SUGGESTION}{method}"
        return await run_in_threadpool(self.desk.propose, page, annotator, source, marks)

    async def spread(
        self, page: int, annotator: str, targets: Sequence[int] | None
    ) -> list[dict[str, Any]]:
        """Carry a person's marks to other pages of the project, of the same template if none said.

        For each page: how alike it is, what was carried and missed, and how well that agrees
        with what the annotator said of the page before; or why it was given up.
        """
        found, costly, every = [], 0, targets is not None
        with self.pool.place(0):
            for other in await run_in_threadpool(self.desk.others, page, targets):
                told = {"id": other.id, "name": other.name}
                try:
                    told |= await self._spread_to(other, page, annotator, every=every)
                except HttpError as refusal:
                    costly += 1
                    if refusal.error not in COSTLY or costly >= MOST_COSTLY:
                        raise
                    told["problem"] = refusal.message
                found.append(told)
        return found

    async def _spread_to(
        self, other: Stored, page: int, annotator: str, *, every: bool
    ) -> dict[str, Any]:
        """Carry marks to one page, if it has the same template or `every` page is meant."""
        reply = await self._reply(Task(other.name, "spread", page, annotator, other=other.id))
        said = json.loads(reply.body)
        if not every and said["alike"] < ALIKE:
            return {"alike": said["alike"]}
        marks = [mark_of(form) for form in said["carried"]]
        new = await run_in_threadpool(self.desk.propose, other.id, annotator, SPREAD, marks)
        sure = round(fmean([mark.sure or 0 for mark in marks] or [0]), 4)
        return {**said, "new": new, "carried": len(marks), "sure": sure}
