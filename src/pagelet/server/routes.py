"""HTTP routes of the methods, and the routes that describe the service."""

import asyncio
import json
import logging
from collections.abc import Coroutine
from functools import partial
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import PlainTextResponse

from pagelet.errors import PageletError
from pagelet.methods import METHODS
from pagelet.server.bodies import BODY_TYPES, Job, read_body, to_batch_line
from pagelet.server.descriptions import (
    describe_batch,
    describe_errors,
    describe_operation,
    describe_service,
)
from pagelet.server.errors import HttpError, Reply, http_error, json_bytes
from pagelet.server.guards import internal_error
from pagelet.server.metrics import CONTENT_TYPE, Metrics
from pagelet.server.queue import TRACEBACK, RequestQueue
from pagelet.server.requests import inspect_model, list_formats, method_model
from pagelet.server.settings import Settings
from pagelet.server.work import reply_to

NDJSON = "application/x-ndjson"
INSPECT_ABOUT = (
    "Runs several methods on one page and draws it. The answer has the result of each method and"
    " the page as a drawing without scripts, in which every element carries its row."
)

log = logging.getLogger("pagelet.server")


def add_methods(app: FastAPI, pool: RequestQueue) -> None:
    """Add routes for each method, for its batches, and for all methods at once."""
    for name, method in METHODS.items():
        model = method_model(name)
        extra = describe_operation(model, "Answer", list_formats(method))
        about = f"Finds {method.summary}."
        _post(app, f"/v1/{name}", partial(answer_page, pool, name), about, extra)
        batch = partial(answer_batch, pool, name)
        many = f"Runs {name} on many pages, one JSON object per line, and answers line by line."
        _post(app, f"/v1/{name}/batch", batch, many, describe_batch(model))
    extra = describe_operation(inspect_model(), "Inspected")
    _post(app, "/v1/inspect", partial(answer_page, pool, "inspect"), INSPECT_ABOUT, extra)


def _post(app: FastAPI, path: str, run: Any, about: str, extra: Any) -> None:
    name = path.removeprefix("/v1/").replace("/", "_")
    summary, _, more = about.partition(". ")
    app.post(
        path, summary=f"{summary.rstrip('.')}.", description=more or about, openapi_extra=extra,
        operation_id=name, response_model=None,
    )(run)  # fmt: skip


def add_status(app: FastAPI, settings: Settings, pool: RequestQueue, metrics: Metrics) -> None:
    """Add the routes that describe the service: methods, health, metrics."""

    @app.get(
        "/v1/methods",
        summary="Lists the methods with their profiles and options, and the limits of the service.",
        responses=describe_errors(),
    )
    def list_methods() -> dict[str, Any]:
        return describe_service(settings)

    @app.get("/health", summary="Tells that the service works, and its version.")
    async def check_health() -> dict[str, Any]:
        return {"status": "ok", "version": app.version, "waiting": pool.admission.inside}

    @app.get(
        "/metrics", summary="Gives counts and times of requests in the format of Prometheus.",
        responses=describe_errors(), response_class=PlainTextResponse,
    )  # fmt: skip
    async def show_metrics() -> Response:
        waiting, held = pool.admission.inside, pool.admission.held_bytes
        text = metrics.write_text(requests_waiting=waiting, held_bytes=held)
        return Response(text, headers={"content-type": CONTENT_TYPE})


# -- one page ---------------------------------------------------------------------------------


async def answer_page(pool: RequestQueue, name: str, request: Request) -> Response:
    """Answer a request about one page."""
    kind = request.headers.get("content-type", "")
    check_content_type(kind, BODY_TYPES)
    job = Job(name, await read_body(request), kind, tuple(request.query_params.items()))
    client = request.state.client
    with pool.admission.place(client):
        reply = await pool.run(reply_to, job, client)
    request_id = request.state.request_id
    if reply.status != 200:
        form = json.loads(check_reply(reply, request_id).body) | {"request": request_id}
        request.app.state.metrics.refused[form["error"]] += 1
        return Response(json_bytes(form), reply.status, headers=reply.headers)
    return Response(reply.body, reply.status, headers=reply.headers)


def check_content_type(kind: str, supported: tuple[str, ...]) -> None:
    """Raise HttpError for a content type that is not supported."""
    if kind.partition(";")[0].strip().lower() not in supported:
        raise HttpError(415, "UnknownBody", f"the content type is none of {', '.join(supported)}")


def check_reply(reply: Reply, request_id: str) -> Reply:
    """The reply of a worker; a traceback is logged, and raises HttpError."""
    if reply.kind != TRACEBACK:
        return reply
    log.error("%s internal error\n%s", request_id, reply.body.decode("utf-8", "replace"))
    raise internal_error()


# -- many pages -------------------------------------------------------------------------------


async def answer_batch(pool: RequestQueue, name: str, request: Request) -> Response:
    """Answer a batch line by line, while it is still being sent."""
    check_content_type(request.headers.get("content-type", ""), (NDJSON,))
    return BatchResponse(pool, name, request)


class BatchResponse(Response):
    """A response that is sent while the request is read; starlette's would read the request too.

    A batch has no place in the queue: its lines are in it while they are worked on, and a limited
    number of them at a time.
    """

    def __init__(self, pool: RequestQueue, name: str, request: Request) -> None:
        super().__init__(headers={"content-type": NDJSON})
        del self.headers["content-length"]
        self.pool, self.name, self.state = pool, name, request.state
        self.tasks: asyncio.Queue[asyncio.Task[bytes] | None] = asyncio.Queue()  #: in order
        self.slots = asyncio.Semaphore(pool.settings.worker_count + 1)  #: lines at a time
        self.pending: set[asyncio.Task[Any]] = set()  #: everything to be ended with the batch

    async def __call__(self, _scope: Any, _receive: Any, send: Any) -> None:
        """Send the answers to the lines as they become ready."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        seconds = self.pool.settings.batch_timeout
        try:
            async with asyncio.timeout(seconds):
                await self._answer_lines(send)
        except TimeoutError:
            why = f"the batch took more than {seconds:g} s; send the other lines in another one"
            await send(_error_line(HttpError(408, "TooSlow", why)))
        except HttpError as error:
            await send(_error_line(error))
        finally:
            for task in self.pending:
                task.cancel()
            await asyncio.gather(*self.pending, return_exceptions=True)
        await send({"type": "http.response.body", "body": b""})

    async def _answer_lines(self, send: Any) -> None:
        """Send the answers in order; lines are processed while others are read."""
        reading = self._start(self._read_lines())
        while (task := await self.tasks.get()) is not None:
            await send({"type": "http.response.body", "body": await task, "more_body": True})
            self.slots.release()
        await reading

    def _start(self, work: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
        task = asyncio.create_task(work)
        self.pending.add(task)
        task.add_done_callback(self._end)
        return task

    def _end(self, task: "asyncio.Task[Any]") -> None:
        self.pending.discard(task)
        if not task.cancelled():
            task.exception()  # seen, should nobody wait for it

    async def _read_lines(self) -> None:
        """Start work on the lines as they arrive."""
        number = 0
        try:
            async for line, size in self.state.intake.read_lines():
                await self.slots.acquire()
                task = self._start(self._answer(Job(self.name, line, line=number), size))
                self.tasks.put_nowait(task)
                number += 1
        finally:
            self.tasks.put_nowait(None)

    async def _answer(self, job: Job, size: int) -> bytes:
        """The answer to one line, errors included."""
        client = self.state.client
        try:
            with self.pool.admission.count():
                reply = await self.pool.run(reply_to, job, client)
            return check_reply(reply, self.state.request_id).body
        except HttpError as error:
            reply = error.reply()
        except PageletError as error:
            reply = http_error(error).reply()
        finally:
            self.state.intake.held.remove(size)
        return to_batch_line({"line": job.line}, reply)


def _error_line(error: HttpError) -> dict[str, Any]:
    """The last line of a batch that ends early, as a message to the client."""
    body = json_bytes({"status": error.status, **error.to_dict()}) + b"\n"
    return {"type": "http.response.body", "body": body, "more_body": True}
