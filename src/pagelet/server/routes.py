"""The addresses of the methods, and what the service tells of itself."""

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
from pagelet.server.bodies import BODY_TYPES, Job, as_line, lines_of, read_body
from pagelet.server.describing import batch_operation, described, operation, refusals
from pagelet.server.guards import mistake
from pagelet.server.metrics import KIND, Metrics
from pagelet.server.pool import RequestQueue
from pagelet.server.refusals import Refusal, Reply, json_bytes, refusal_of
from pagelet.server.requests import formats_of, inspect_model, method_model
from pagelet.server.settings import Settings
from pagelet.server.work import reply_to
from pagelet.server.worker import TRACEBACK

NDJSON = "application/x-ndjson"

log = logging.getLogger("pagelet.server")


def add_methods(app: FastAPI, pool: RequestQueue) -> None:
    """An address for each method, one for its batches, and one for all methods at once."""
    for name, method in METHODS.items():
        model = method_model(name)
        said = operation(model, "Answer", formats_of(method))
        _post(app, f"/v1/{name}", partial(answer, pool, name), method.summary, said)
        batch = partial(answer_batch, pool, name)
        _post(app, f"/v1/{name}/batch", batch, f"{name} of many pages", batch_operation(model))
    said = operation(inspect_model(), "Inspected")
    _post(app, "/v1/inspect", partial(answer, pool, "inspect"), "everything at once", said)


def _post(app: FastAPI, path: str, run: Any, summary: str, said: Any) -> None:
    name = path.removeprefix("/v1/").replace("/", "_")
    app.post(path, summary=summary, openapi_extra=said, operation_id=name, response_model=None)(run)


def add_own(app: FastAPI, settings: Settings, pool: RequestQueue, metrics: Metrics) -> None:
    """What the service tells of itself."""

    @app.get("/v1/methods", summary="the methods and their options", responses=refusals())
    def methods() -> dict[str, Any]:
        return described(settings)

    @app.get("/health", summary="whether the service works")
    async def health() -> dict[str, Any]:
        return {"status": "ok", "version": app.version, "waiting": pool.inside}

    @app.get(
        "/metrics", summary="counts and times", responses=refusals(),
        response_class=PlainTextResponse,
    )  # fmt: skip
    async def exposed() -> Response:
        text = metrics.text(requests_waiting=pool.inside, held_bytes=pool.held)
        return Response(text, headers={"content-type": KIND})


# -- one page ---------------------------------------------------------------------------------


async def answer(pool: RequestQueue, name: str, request: Request) -> Response:
    """Answer one request about one page."""
    kind = request.headers.get("content-type", "")
    check_kind(kind, BODY_TYPES)
    body = await read_body(request, pool.settings.max_bytes, pool.settings.timeout)
    with pool.place(len(body)):
        job = Job(name, body, kind, tuple(request.query_params.items()))
        reply = await pool.run(reply_to, job)
    request_id = request.state.request_id
    if reply.status != 200:
        form = json.loads(untraced(reply, request_id).body) | {"request": request_id}
        request.app.state.metrics.refused[form["error"]] += 1
        return Response(json_bytes(form), reply.status, headers=reply.headers)
    return Response(reply.body, reply.status, headers=reply.headers)


def check_kind(kind: str, known: tuple[str, ...]) -> None:
    """Refuse a body of a kind that is not read."""
    if kind.partition(";")[0].strip().lower() not in known:
        raise Refusal(415, "UnknownBody", f"the content type is none of {', '.join(known)}")


def untraced(reply: Reply, request_id: str) -> Reply:
    """The reply; the trace of a mistake goes to the log instead."""
    if reply.kind != TRACEBACK:
        return reply
    log.error("%s mistake\n%s", request_id, reply.body.decode("utf-8", "replace"))
    raise mistake()


# -- many pages -------------------------------------------------------------------------------


async def answer_batch(pool: RequestQueue, name: str, request: Request) -> Response:
    """Answer a batch, line by line, while it is still being sent."""
    check_kind(request.headers.get("content-type", ""), (NDJSON,))
    return Streamed(pool, answers(pool, name, request))


class Streamed(Response):
    """An answer that is sent while the request is read; starlette's own would read along."""

    def __init__(self, pool: RequestQueue, pieces: AsyncIterator[bytes]) -> None:
        super().__init__(headers={"content-type": NDJSON})
        del self.headers["content-length"]
        self.pool, self.pieces = pool, pieces

    async def __call__(self, _scope: Any, _receive: Any, send: Any) -> None:
        """Send the lines as they are made."""
        with self.pool.place(0):
            start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
            await send(start)
            async for piece in self.pieces:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            await send({"type": "http.response.body", "body": b""})


async def answers(pool: RequestQueue, name: str, request: Request) -> AsyncIterator[bytes]:
    """The answers to the lines, in their order; some lines are worked on while others are read."""
    ready: asyncio.Queue[asyncio.Task[bytes] | None] = asyncio.Queue(pool.settings.processes)
    reading = asyncio.create_task(_read_lines(pool, name, request, ready))
    try:
        while (task := await ready.get()) is not None:
            yield await task
        await reading
    except Refusal as refusal:
        yield json_bytes({"status": refusal.status, **refusal.form()}) + b"\n"
    finally:
        reading.cancel()


async def _read_lines(
    pool: RequestQueue,
    name: str,
    request: Request,
    ready: "asyncio.Queue[asyncio.Task[bytes] | None]",
) -> None:
    """Start work on the lines as they come."""
    number, request_id = 0, request.state.request_id
    try:
        async for line in lines_of(request, pool.settings.max_bytes, pool.settings.timeout):
            job = Job(name, line, line=number)
            await ready.put(asyncio.create_task(_line(pool, job, request_id)))
            number += 1
    finally:
        await ready.put(None)


async def _line(pool: RequestQueue, job: Job, request_id: str) -> bytes:
    """The answer to one line."""
    try:
        return untraced(await pool.run(reply_to, job), request_id).body
    except Refusal as refusal:
        refused = refusal
    except PageletError as error:
        refused = refusal_of(error)
    return as_line({"line": job.line}, refused.reply())
