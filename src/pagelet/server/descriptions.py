"""Descriptions of the service: its methods for forms, its requests as OpenAPI 3.1."""

from collections.abc import Iterable
from typing import Any

from pagelet.methods import METHODS, Method
from pagelet.methods.registry import OptionField, remote_options
from pagelet.server.bodies import FILE_FIELD, TEXT_FIELDS
from pagelet.server.requests import (
    MAX_BOXES,
    MAX_SITE_PAGES,
    RequestModel,
    inspect_model,
    list_formats,
    method_model,
)
from pagelet.server.settings import Settings
from pagelet.server.work import can_draw

SCHEMAS = "#/components/schemas/"
TYPES = {bool: "boolean", int: "integer", float: "number", str: "string"}
#: Fields of a request, by the inputs of methods.
INPUT_FIELDS = {
    "page": "html",
    "boxes": "layout",
    "site": "site",
    "template": "site",
    "query": "query",
}
STATUSES = {
    "400": "the body cannot be read",
    "401": "the token is missing or wrong",
    "403": "the origin or the address is not allowed",
    "408": "the body did not arrive in time",
    "413": "the body or the page is too large",
    "415": "the content type is not supported",
    "421": "the Host is not a name of the service",
    "422": "a field or an option is wrong, or the page cannot be processed",
    "429": "too many requests are waiting",
    "500": "internal error",
    "503": "the request took too long, or no worker is available",
}
ERROR = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("error", "message", "request")},
    "required": ["error", "message"],
}
WHY = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "effect": {"type": "number"}},
    "required": ["text", "effect"],
}
PAGELET = {
    "type": "object",
    "properties": {
        "kind": {"type": "string"},
        "path": {"type": ["string", "null"]},
        "paths": {"type": "array", "items": {"type": "string"}},
        "box": {"type": "array", "items": {"type": "number"}},
        "score": {"type": "number"},
        "text": {"type": "string"},
        "links": {"type": "array", "items": {"type": "object"}},
        "reason": {"type": "object"},
        "why": {"type": "array", "items": {"$ref": f"{SCHEMAS}Why"}},
    },
    "required": ["kind", "path", "score", "text", "links", "reason", "why"],
}
ANSWER = {
    "type": "object",
    "properties": {
        "schema": {"const": 1},
        "url": {"type": ["string", "null"]},
        "method": {"type": "string"},
        "profile": {"type": "string"},
        "pagelets": {"type": "array", "items": {"$ref": f"{SCHEMAS}Pagelet"}},
    },
    "required": ["schema", "url", "method", "profile", "pagelets"],
}
INSPECTED = {
    "type": "object",
    "properties": {
        "schema": {"const": 1},
        "title": {"type": ["string", "null"]},
        "methods": {"type": "object", "additionalProperties": {"$ref": f"{SCHEMAS}Answer"}},
        "drawing": {"type": "string"},
        "rows": {"type": "object"},
    },
    "required": ["schema", "url", "title", "methods", "kinds", "drawing", "rows"],
}
OWN_SCHEMAS = {
    "Error": ERROR,
    "Why": WHY,
    "Pagelet": PAGELET,
    "Answer": ANSWER,
    "Inspected": INSPECTED,
}


def describe_service(settings: Settings) -> dict[str, Any]:
    """The methods with their options, and the limits of the service."""
    return {
        "methods": [describe_method(method) for method in METHODS.values()],
        "fetch": settings.allow_fetch,
        "render": can_draw(settings),
        "limits": {
            "bytes": settings.max_bytes,
            "nodes": settings.max_nodes,
            "seconds": settings.timeout,
            "site": MAX_SITE_PAGES,
            "boxes": MAX_BOXES,
        },
    }


def describe_method(method: Method) -> dict[str, Any]:
    """The JSON form of a method."""
    fields = remote_options(method.options)
    return {
        "name": method.name,
        "summary": method.summary,
        "paper": method.paper,
        "kinds": list(method.kinds),
        "likely": method.likely,
        "needs": _list_fields(method.needs),
        "uses": _list_fields(method.uses),
        "formats": list(list_formats(method)),
        "profiles": {
            name: {field.name: _plain(getattr(profile.options, field.name)) for field in fields}
            for name, profile in method.profiles.items()
        },
        "options": [describe_option(field) for field in fields],
    }


def _list_fields(inputs: Iterable[str]) -> list[str]:
    """The fields of a request for some inputs; inputs that no request can hold have none."""
    return list(dict.fromkeys(INPUT_FIELDS[name] for name in inputs if name in INPUT_FIELDS))


def describe_option(field: OptionField) -> dict[str, Any]:
    """The JSON form of an option."""
    kind = "choice" if field.choices else "strings" if field.repeatable else TYPES[field.type]
    return {
        "name": field.name,
        "type": kind,
        "default": _plain(field.default),
        "help": field.help,
        "applies_to": field.applies_to,
        "low": field.low,
        "high": field.high,
        "choices": list(field.choices),
    }


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


# -- OpenAPI ----------------------------------------------------------------------------------


def describe_operation(
    model: type[RequestModel], answer: str, formats: tuple[str, ...] = ("json",)
) -> Any:
    """The OpenAPI operation of a request about one page."""
    form = {"$ref": SCHEMAS + model.__name__}
    content = {"application/json": {"schema": {"$ref": SCHEMAS + answer}}}
    if {"text", "html", "markdown"} & {*formats}:
        content |= {f"text/{kind}": {"schema": {"type": "string"}} for kind in _text_types(formats)}
    if "tei" in formats:
        content["application/tei+xml"] = {"schema": {"type": "string"}}
    return {
        "parameters": [_parameter(name) for name in ("url", "profile", "format", "options")],
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {"schema": form},
                "text/html": {"schema": {"type": "string"}},
                "multipart/form-data": {"schema": _upload(model)},
            },
        },
        "responses": {
            "200": {"description": "the result", "content": content},
            **describe_errors(),
        },
    }


def _text_types(formats: tuple[str, ...]) -> list[str]:
    names = {"text": "plain", "markdown": "markdown", "html": "html", "page": "html", "csv": "csv"}
    return list(dict.fromkeys(names[each] for each in formats if each in names))


def describe_batch(model: type[RequestModel]) -> Any:
    """The OpenAPI operation of a batch: one JSON object per line."""
    lines = {"application/x-ndjson": {"schema": {"type": "string"}}}
    about = f"one {model.__name__} per line"
    return {
        "requestBody": {"required": True, "description": about, "content": lines},
        "responses": {
            "200": {"description": "one answer per line", "content": lines},
            **describe_errors(),
        },
    }


def describe_errors() -> dict[int | str, dict[str, Any]]:
    """The OpenAPI responses of all errors."""
    content = {"application/json": {"schema": {"$ref": f"{SCHEMAS}Error"}}}
    return {
        status: {"description": about, "content": content} for status, about in STATUSES.items()
    }


def _parameter(name: str) -> dict[str, Any]:
    about = f"{name} of a page sent as bytes" + (", as JSON" if name == "options" else "")
    return {"name": name, "in": "query", "schema": {"type": "string"}, "description": about}


def _upload(model: type[RequestModel]) -> dict[str, Any]:
    """A form with the page as a file; its other fields are plain text, or JSON as text."""
    plain = (*TEXT_FIELDS, "html")
    fields: dict[str, Any] = {FILE_FIELD: {"type": "string", "format": "binary"}}
    for name in model.model_fields:
        media = {} if name in plain else {"contentMediaType": "application/json"}
        fields[name] = {"type": "string", **media}
    return {"type": "object", "properties": fields, "required": [FILE_FIELD]}


def list_schemas() -> dict[str, Any]:
    """The schemas of all models, by name."""
    schemas: dict[str, Any] = dict(OWN_SCHEMAS)
    for model in (*map(method_model, METHODS), inspect_model()):
        schema = model.model_json_schema(ref_template=SCHEMAS + "{model}")
        schemas |= schema.pop("$defs", {})
        schemas[model.__name__] = schema
    return schemas
