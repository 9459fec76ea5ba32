"""Flags made from the fields of a plain dataclass, such as the options of a probe."""

import dataclasses
import inspect
from collections.abc import Mapping
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import typer

Parameter = inspect.Parameter
Options = TypeVar("Options")


@dataclasses.dataclass(frozen=True, slots=True)
class Flag:
    """What the help says of a field that does not say it itself."""

    help: str
    metavar: str | None = None
    low: float | None = None


def flag_parameters(options: type, panel: str, said: Mapping[str, Flag]) -> list[Parameter]:
    """One keyword parameter a field; a field is left out when nothing is said of it."""
    types = get_type_hints(options)
    return [
        _parameter(field, types[field.name], panel, _flag(field, said))
        for field in dataclasses.fields(options)
        if field.metadata or field.name in said
    ]


def _flag(field: "dataclasses.Field[Any]", said: Mapping[str, Flag]) -> Flag:
    own = Flag(field.metadata.get("help", ""), low=field.metadata.get("low"))
    told = said.get(field.name, own)
    return Flag(told.help or own.help, told.metavar, own.low if told.low is None else told.low)


def _parameter(field: "dataclasses.Field[Any]", kind: Any, panel: str, flag: Flag) -> Parameter:
    name = "--" + field.name.replace("_", "-")
    several = get_origin(kind) is tuple
    option = typer.Option(
        f"{name}/--no-{name[2:]}" if kind is bool else name,
        help=f"{flag.help} [dim]({_default(field.default)})[/dim]",
        rich_help_panel=panel,
        min=flag.low,
        show_default=False,
        metavar=flag.metavar,
    )
    read = list[get_args(kind)[0]] if several else kind  # type: ignore[misc] # typer reads it
    return Parameter(
        field.name, Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[read | None, option]
    )


def _default(value: Any) -> str:
    if isinstance(value, tuple):
        return "may be said several times"
    if isinstance(value, bool):
        return f"default: {'yes' if value else 'no'}"
    if isinstance(value, str):
        return f"default: {value or 'none'}"
    return f"default: {value:,}" if isinstance(value, int) else f"default: {value:g}"


def options_from(options: type[Options], arguments: Mapping[str, Any]) -> Options:
    """The dataclass with the fields a user set."""
    names = [field.name for field in dataclasses.fields(options)]  # type: ignore[arg-type]
    given = {name: arguments[name] for name in names if arguments.get(name) is not None}
    plain = {name: tuple(said) if isinstance(said, list) else said for name, said in given.items()}
    return options(**plain)
