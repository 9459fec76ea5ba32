"""HTTP routes of the methods, and the routes that describe the service."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import PlainTextResponse

from pagelet.errors import PageletError
from pagelet.methods import METHODS
from pagelet.server.bodies import BODY_TYPES, Job, read_body, read_lines, to_batch_line
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

log = logging.getLogger("pagelet.server")


def add_methods(app: FastAPI, pool: RequestQueue) -> None:
    """Add routes for each method, for its batches, and for all methods at once."""
    for name, method in METHODS.items():
        model = method_model(name)
        extra = describe_operation(model, "Answer", list_formats(method))
        _post(app, f"/v1/{name}", partial(answer_page, pool, name), method.summary, extra)
        batch = partial(answer_batch, pool, name)
        _post(app, f"/v1/{name}/batch", batch, f"{name} of many pages", describe_batch(model))
    extra = describe_operation(inspect_model(), "Inspected")
    _post(app, "/v1/inspect", partial(answer_page, pool, "inspect"), "everything at once", extra)


def _post(app: FastAPI, path: str, run: Any, summary: str, extra: Any) -> None:
    name = path.removeprefix("/v1/").replace("/", "_")
    app.post(path, summary=summary, openapi_extra=extra, operation_id=name, response_model=None)(
        run
    )


def add_status(app: FastAPI, settings: Settings, pool: RequestQueue, metrics: Metrics) -> None:
    """Add the routes that describe the service: methods, health, metrics."""

    @app.get("/v1/methods", summary="the methods and their options", responses=describe_errors())
    def list_methods() -> dict[str, Any]:
        return describe_service(settings)

    @app.get("/health", summary="whether the service works")
    async def check_health() -> dict[str, Any]:
        return {"status": "ok", "version": app.version, "waiting": pool.inside}

    @app.get(
        "/metrics", summary="counts and times", responses=describe_errors(),
        response_class=PlainTextResponse,
    )  # fmt: skip
    async def show_metrics() -> Response:
        text = metrics.write_text(requests_waiting=pool.inside, held_bytes=pool.held)
        return Response(text, headers={"content-type": CONTENT_TYPE})


# -- one page ---------------------------------------------------------------------------------


async def answer_page(pool: RequestQueue, name: str, request: Request) -> Response:
    """Answer a request about one page."""
    kind = request.headers.get("content-type", "")
    check_content_type(kind, BODY_TYPES)
    body = await read_body(request, pool.settings.max_bytes, pool.settings.timeout)
    with pool.place(len(body)):
        job = Job(name, body, kind, tuple(request.query_params.items()))
        reply = await pool.run(reply_to, job)
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
    return BatchResponse(pool, answer_lines(pool, name, request))


class BatchResponse(Response):
    """A response that is sent while the request is read; starlette's would read the request too."""

    def __init__(self, pool: RequestQueue, pieces: AsyncIterator[bytes]) -> None:
        super().__init__(headers={"content-type": NDJSON})
        del self.headers["content-length"]
        self.pool, self.pieces = pool, pieces

    async def __call__(self, _scope: Any, _receive: Any, send: Any) -> None:
        """Send the lines as they become ready."""
        with self.pool.place(0):
            start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
            await send(start)
            async for piece in self.pieces:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            await send({"type": "http.response.body", "body": b""})


async def answer_lines(pool: RequestQueue, name: str, request: Request) -> AsyncIterator[bytes]:
    """Yield the answers to the lines in order; lines are processed while others are read."""
    ready: asyncio.Queue[asyncio.Task[bytes] | None] = asyncio.Queue(pool.settings.worker_count)
    reading = asyncio.create_task(_read_lines(pool, name, request, ready))
    try:
        while (task := await ready.get()) is not None:
            yield await task
        await reading
    except HttpError as error:
        yield json_bytes({"status": error.status, **error.to_dict()}) + b"\n"
    finally:
        reading.cancel()


async def _read_lines(
    pool: RequestQueue,
    name: str,
    request: Request,
    ready: "asyncio.Queue[asyncio.Task[bytes] | None]",
) -> None:
    """Start work on the lines as they arrive."""
    number, request_id = 0, request.state.request_id
    try:
        async for line in read_lines(request, pool.settings.max_bytes, pool.settings.timeout):
            job = Job(name, line, line=number)
            await ready.put(asyncio.create_task(_answer_line(pool, job, request_id)))
            number += 1
    finally:
        await ready.put(None)


async def _answer_line(pool: RequestQueue, job: Job, request_id: str) -> bytes:
    """The answer to one line, errors included."""
    try:
        return check_reply(await pool.run(reply_to, job), request_id).body
    except HttpError as error:
        reply = error.reply()
    except PageletError as error:
        reply = http_error(error).reply()
    return to_batch_line({"line": job.line}, reply)
