"""What is wrong with a request, in the words of the other interfaces instead of pydantic's."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from pagelet.errors import NO_VALUE, OptionError
from pagelet.methods import METHODS
from pagelet.methods.registry import option_fields, remote_refusal
from pagelet.server.errors import HttpError
from pagelet.wording import count_of, must_be_a, must_lie

MAX_QUOTED_CHARS = 60  #: characters of a wrong value in a message
#: Types that a value must have, by pydantic's name of the fault.
TYPES: dict[str, type] = {
    "bool_type": bool,
    "int_type": int,
    "int_from_float": int,
    "float_type": float,
    "finite_number": float,
    "string_type": str,
    "list_type": list,
    "tuple_type": list,
    "dict_type": dict,
    "model_type": dict,
}
OTHER_FAULTS = {"missing": "is required", "extra_forbidden": "no such field"}


def convert_error(error: ValidationError, subject: str) -> Exception:
    """The error for a body that was refused; the subject is a method, or inspect."""
    first = error.errors(include_url=False)[0]
    if first["type"] == "json_invalid":
        return HttpError(
            400,
            "BadRequest",
            f"the body is not valid JSON: {first['msg'].removeprefix('Invalid JSON: ')}",
        )
    if not first["loc"]:
        return HttpError(422, "OptionError", "the body must be a JSON object")
    return OptionError(
        ".".join(map(str, first["loc"])),
        _quote(first["input"]),
        _explain_option(first, subject) or _explain_extra(first, subject) or explain(first),
    )


def explain(fault: Mapping[str, Any]) -> str:
    """What a value must be, from one entry of pydantic's list of faults."""
    kind, limits = fault["type"], fault.get("ctx", {})
    if kind in TYPES:
        return must_be_a(TYPES[kind])
    if kind in ("greater_than_equal", "less_than_equal"):
        return must_lie(limits.get("ge"), limits.get("le"))
    if kind == "literal_error":
        return f"must be {limits['expected'].replace(chr(39), '')}"
    if kind in ("too_long", "string_too_long", "too_short", "string_too_short"):
        return _explain_length(limits, "character" if kind.startswith("string") else "item")
    return OTHER_FAULTS.get(kind) or str(fault["msg"])


def _explain_length(limits: Mapping[str, Any], noun: str) -> str:
    if (most := limits.get("max_length")) is not None:
        return f"must have at most {count_of(most, noun)}"
    return f"must have at least {count_of(limits['min_length'], noun)}"


def _explain_option(fault: Mapping[str, Any], subject: str) -> str:
    """Why an option is refused; empty if the fault is another one."""
    section, *path = map(str, fault["loc"])
    path = [subject, *path] if subject in METHODS else path  # inspect has several methods
    if section != "options" or len(path) != 2 or path[0] not in METHODS:
        return ""
    method, name = METHODS[path[0]], path[1]
    if why := remote_refusal(method, name):
        return why
    fields = {each.name: each for each in option_fields(method.options)}
    try:
        fields[name].check(fault["input"])
    except OptionError as error:
        return error.why
    return ""


def _explain_extra(fault: Mapping[str, Any], subject: str) -> str:
    """Why a field of the request is refused; empty if the fault is another one."""
    if fault["type"] != "extra_forbidden" or len(fault["loc"]) > 1 or not subject:
        return ""
    name = fault["loc"][0]
    if subject in METHODS and METHODS[subject].has_option(name):
        return f"give it as options.{name}"
    return f"{subject} takes no {name}"


def _quote(value: Any) -> Any:
    """A short plain value, or no value."""
    if not isinstance(value, str | int | float | None):
        return NO_VALUE
    text = str(value)
    return value if len(text) <= MAX_QUOTED_CHARS else text[: MAX_QUOTED_CHARS - 1] + "…"
