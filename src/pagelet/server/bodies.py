"""The three forms in which a page is sent: JSON, the bytes of the page, a file of a form."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from dataclasses import dataclass, replace
from email.message import Message
from typing import Any

from pagelet.errors import PageTooLarge
from pagelet.server.refusals import Refusal, Reply, json_bytes, refusal_of
from pagelet.server.requests import Form, read

PLAIN = ("url", "profile", "format")  #: fields that are said as they are, outside of JSON
IN_QUERY = (*PLAIN, "options")  #: fields that a query string may say
FILE = "file"  #: the field of a form that holds the page
FIELDS = 40  #: most fields of a form
PAGE_TYPES = ("text/html", "application/xhtml+xml")
BODY_TYPES = ("application/json", *PAGE_TYPES, "multipart/form-data")


@dataclass(frozen=True, slots=True)
class Job:
    """A request as it came in."""

    name: str  #: of a method, or inspect
    body: bytes
    kind: str = "application/json"  #: the content type header
    query: tuple[tuple[str, str], ...] = ()
    line: int | None = None  #: its number in a batch


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that was read."""

    form: Any  #: of the model for what was asked
    data: bytes | None = None  #: the page, where it was sent as bytes
    charset: str | None = None  #: what the header said of them


def read_job(job: Job, model: type[Form]) -> Asked:
    """Read what was sent, whatever form it has."""
    header = Message()
    header["content-type"] = job.kind
    kind = header.get_content_type()
    if kind == "application/json":
        return Asked(read(model, tidied(job.body)))
    said = _spelled({name: text for name, text in job.query if name in IN_QUERY})
    if kind in PAGE_TYPES:
        charset = header.get_content_charset()
        return Asked(read(model, json_bytes(said)), job.body, charset)
    fields, data = asyncio.run(_parts(job))
    return Asked(read(model, json_bytes(said | _spelled(fields))), data)


def tidied(body: bytes) -> bytes:
    """JSON without halves of signs, which browsers write and no encoding can carry."""
    if b"\\ud" not in body and b"\\uD" not in body:
        return body
    try:
        return json_bytes(json.loads(body))
    except (ValueError, RecursionError):
        return body  # its reader tells what is wrong


def numbered(job: Job) -> tuple[Job, dict[str, Any]]:
    """A line of a batch without its id, and what the answer has of it."""
    told: dict[str, Any] = {"line": job.line}
    try:
        form = json.loads(job.body)
    except (ValueError, RecursionError):
        return job, told  # its reader tells what is wrong
    if not isinstance(form, dict) or "id" not in form:
        return job, told
    told["id"] = form.pop("id")
    return replace(job, body=json_bytes(form)), told


def as_line(told: Mapping[str, Any], reply: Reply) -> bytes:
    """An answer as a line of a batch."""
    form = {**told, "status": reply.status}
    if reply.status != 200:
        return json_bytes(form | json.loads(reply.body)) + b"\n"
    body = reply.body
    if not reply.kind.startswith("application/json"):
        body = json_bytes(body.decode("utf-8"))
    return json_bytes(form)[:-1] + b', "answer": ' + body + b"}\n"


def _spelled(texts: Mapping[str, str]) -> dict[str, Any]:
    """Fields that were sent as texts, as JSON has them."""
    fields: dict[str, Any] = {}
    for name, text in texts.items():
        if name in (*PLAIN, "html"):
            fields[name] = text
            continue
        try:
            fields[name] = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise Refusal(400, "BadRequest", f"field {name} is no JSON") from error
    return fields


async def _parts(job: Job) -> tuple[dict[str, str], bytes | None]:
    """The fields of a form, and the file among them."""
    from starlette.datastructures import Headers, UploadFile  # noqa: PLC0415 - an extra
    from starlette.formparsers import MultiPartException, MultiPartParser  # noqa: PLC0415

    async def stream() -> AsyncGenerator[bytes, None]:
        yield job.body
        yield b""

    parser = MultiPartParser(
        Headers({"content-type": job.kind}), stream(), max_files=1, max_fields=FIELDS,
        max_part_size=len(job.body) + 1,
    )  # fmt: skip
    fields, data = dict[str, str](), None
    try:
        form = await parser.parse()
        for name, value in form.multi_items():
            if not isinstance(value, UploadFile):
                fields[name] = value
            elif name == FILE:
                data = await value.read()
        await form.close()
    except (MultiPartException, KeyError, UnicodeError, LookupError) as error:
        raise Refusal(400, "BadRequest", "the body is no form that can be read") from error
    return fields, data


# -- Bodies of requests: read up to a limit, within a time ------------------------------------


DRAINED = 4  #: times the limit that is read and thrown away, so that the refusal is heard


async def read_body(request: Any, limit: int, seconds: float) -> bytes:
    """The whole body."""
    try:
        async with asyncio.timeout(seconds):
            return await _read(request, limit)
    except TimeoutError:
        raise Refusal(408, "TooSlow", f"the body did not arrive in {seconds:g} s") from None


async def _read(request: Any, limit: int) -> bytes:
    pieces, size = list[bytes](), 0
    async for piece in request.stream():
        size += len(piece)
        if size <= limit:
            pieces.append(piece)
        else:
            pieces.clear()
        if size > limit * DRAINED:
            break
    if size > limit:
        raise refusal_of(PageTooLarge("the request", limit))
    return b"".join(pieces)


async def lines_of(request: Any, limit: int, seconds: float) -> AsyncIterator[bytes]:
    """The lines of a body, blank ones left out, as they arrive; each up to a limit."""
    stream, held = request.stream(), bytearray()
    while (piece := await _next(stream, seconds)) is not None:
        looked = len(held)
        held += piece
        end = held.rfind(b"\n", looked)
        if end >= 0:
            for line in bytes(held[:end]).split(b"\n"):
                if within(line, limit).strip():
                    yield line
            del held[: end + 1]
        within(held, limit)
    if held.strip():
        yield bytes(held)


def within(line: bytes | bytearray, limit: int) -> bytes | bytearray:
    """The line, unless it is too long."""
    if len(line) > limit:
        raise refusal_of(PageTooLarge("a line", limit))
    return line


async def _next(stream: Any, seconds: float) -> bytes | None:
    try:
        async with asyncio.timeout(seconds):
            piece: bytes | None = await anext(stream, None)
    except TimeoutError:
        raise Refusal(408, "TooSlow", f"no line arrived in {seconds:g} s") from None
    return piece
