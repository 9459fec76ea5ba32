"""Request bodies, parsed from JSON, HTML or a multipart form."""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, replace
from email.message import Message
from typing import Any

from pagelet.server.errors import HttpError, Reply, json_bytes
from pagelet.server.requests import RequestModel, read_form

TEXT_FIELDS = ("url", "profile", "format")  #: fields that are plain text outside of JSON
QUERY_FIELDS = (*TEXT_FIELDS, "options")  #: fields that a query string may set
FILE_FIELD = "file"  #: field of a multipart form that holds the page
MAX_FIELDS = 40  #: fields of a multipart form
PAGE_TYPES = ("text/html", "application/xhtml+xml")
BODY_TYPES = ("application/json", *PAGE_TYPES, "multipart/form-data")


@dataclass(frozen=True, slots=True)
class Job:
    """A request as it was received."""

    name: str  #: name of a method, or inspect
    body: bytes
    kind: str = "application/json"  #: content type header
    query: tuple[tuple[str, str], ...] = ()
    line: int | None = None  #: line number in a batch


@dataclass(frozen=True, slots=True)
class ParsedJob:
    """The fields of a request."""

    form: Any  #: an instance of the request model
    data: bytes | None = None  #: the page, if it was sent as bytes
    charset: str | None = None  #: charset of the content type header


def read_job(job: Job, model: type[RequestModel]) -> ParsedJob:
    """Parse the body of a request according to its content type."""
    header = Message()
    header["content-type"] = job.kind
    kind = header.get_content_type()
    if kind == "application/json":
        return ParsedJob(read_form(model, replace_surrogates(job.body), job.name))
    query = _decode_fields({name: text for name, text in job.query if name in QUERY_FIELDS})
    if kind in PAGE_TYPES:
        return ParsedJob(
            read_form(model, json_bytes(query), job.name), job.body, header.get_content_charset()
        )
    fields, data = asyncio.run(_read_multipart(job))
    body = json_bytes(query | _decode_fields(fields))
    return ParsedJob(read_form(model, body, job.name), data)


def replace_surrogates(body: bytes) -> bytes:
    """Replace lone surrogates in JSON, which browsers write and UTF-8 cannot encode."""
    if b"\\ud" not in body and b"\\uD" not in body:
        return body
    try:
        return json_bytes(json.loads(body))
    except (ValueError, RecursionError):
        return body  # the parser reports what is wrong


def split_line_id(job: Job) -> tuple[Job, dict[str, Any]]:
    """A line of a batch without its id, and the fields that identify its answer."""
    fields: dict[str, Any] = {"line": job.line}
    try:
        form = json.loads(job.body)
    except (ValueError, RecursionError):
        return job, fields  # the parser reports what is wrong
    if not isinstance(form, dict) or "id" not in form:
        return job, fields
    fields["id"] = form.pop("id")
    return replace(job, body=json_bytes(form)), fields


def to_batch_line(fields: Mapping[str, Any], reply: Reply) -> bytes:
    """A reply as one line of a batch."""
    form = {**fields, "status": reply.status}
    if reply.status != 200:
        return json_bytes(form | json.loads(reply.body)) + b"\n"
    body = reply.body
    if not reply.kind.startswith("application/json"):
        body = json_bytes(body.decode("utf-8"))
    return json_bytes(form)[:-1] + b', "answer": ' + body + b"}\n"


def _decode_fields(texts: Mapping[str, str]) -> dict[str, Any]:
    """Fields that were sent as text; those that are not plain text are JSON."""
    fields: dict[str, Any] = {}
    for name, text in texts.items():
        if name in (*TEXT_FIELDS, "html"):
            fields[name] = text
            continue
        try:
            fields[name] = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise HttpError(400, "BadRequest", f"field {name} is not valid JSON") from error
    return fields


async def _read_multipart(job: Job) -> tuple[dict[str, str], bytes | None]:
    """The text fields of a multipart form, and the file among them."""
    from starlette.datastructures import Headers, UploadFile  # noqa: PLC0415 - an extra
    from starlette.formparsers import MultiPartException, MultiPartParser  # noqa: PLC0415

    async def stream() -> AsyncGenerator[bytes, None]:
        yield job.body
        yield b""

    parser = MultiPartParser(
        Headers({"content-type": job.kind}), stream(), max_files=1, max_fields=MAX_FIELDS,
        max_part_size=len(job.body) + 1,
    )  # fmt: skip
    fields, data = dict[str, str](), None
    try:
        form = await parser.parse()
        for name, value in form.multi_items():
            if not isinstance(value, UploadFile):
                fields[name] = value
            elif name == FILE_FIELD:
                data = await value.read()
        await form.close()
    except (MultiPartException, KeyError, UnicodeError, LookupError) as error:
        raise HttpError(400, "BadRequest", "the body is not a valid multipart form") from error
    return fields, data


# -- reading the stream -----------------------------------------------------------------------


async def read_body(request: Any) -> bytes:
    """The whole body; its limits are checked as it arrives."""
    body = bytearray()
    async for piece in request.stream():
        body += piece
    return bytes(body)
