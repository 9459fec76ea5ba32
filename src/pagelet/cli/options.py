"""Command-line options made from the fields of an options dataclass."""

import dataclasses
import inspect
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import typer
from typer.core import TyperCommand, TyperOption

from pagelet.errors import OptionError
from pagelet.methods.registry import DEFAULT, Method, OptionField, option_fields
from pagelet.sources.files import read_file

Parameter = inspect.Parameter

INPUT_PANEL, OUTPUT_PANEL = "Input", "Output"
METHOD_PANEL, PAPER_PANEL = "Method", "Paper profile"
#: options that choose what is written, not what is decided
OUTPUT_OPTIONS = ("explain", "links", "images", "front_matter", "with_title", "all", "urls", "role",
                  "rest", "records", "tree")  # fmt: skip
SHORT = {"explain": ("-e",)}  #: options that have a letter too
METAVARS = {"keep": "SELECTOR", "drop": "SELECTOR"}


FORMAT_HELP = "Output format; default: that of the ending of --output, else {}."
JSON_LINES = "jsonl"  #: format that every command with JSON has
MIN_GROUPED = 10_000  #: numbers from which on thousands are set apart
FULL_HELP = "full_help"  #: mark of a context whose help is printed in full


def _print_full_help(context: Any, _parameter: Any, value: bool) -> None:  # noqa: FBT001 - as called
    if value:
        context.meta[FULL_HELP] = True
        typer.echo(context.get_help(), color=context.color)
        raise typer.Exit


class PlainCommand(TyperCommand):
    """A command with short help, whose usage line names its arguments without brackets."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        full = TyperOption(
            param_decls=["--help-all"], is_flag=True, is_eager=True, expose_value=False,
            callback=_print_full_help, help="Show every option in full and exit.",
        )  # fmt: skip
        self.params.append(full)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help: short, or in full where that was wanted."""
        if ctx.meta.get(FULL_HELP):
            super().format_help(ctx, formatter)
        else:
            from pagelet.cli.help import brief_help  # noqa: PLC0415 - few runs print help

            formatter.write(brief_help(self, ctx))

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The parts of the usage line."""
        pieces = super().collect_usage_pieces(ctx)
        return [piece.strip("{}").replace("[PAGE...]", "PAGE...") for piece in pieces]


class CommandGroup(typer.Typer):
    """Commands of ours, all of the plain kind."""

    def command(self, name: str | None = None, **settings: Any) -> Any:
        """A decorator that adds a command."""
        return super().command(name, **{"cls": PlainCommand, **settings})


def option_parameters(method: Method) -> list[Parameter]:
    """One keyword parameter per option; None means the value of the profile."""
    return [_parameter(field, method) for field in option_fields(method.options)]


def format_parameter(method: Method) -> Parameter:
    """The parameter that chooses one of a method's formats."""
    formats = list_formats(method)
    flag = typer.Option(
        "--format",
        "-f",
        help=FORMAT_HELP.format(formats[0]),
        metavar="|".join(formats),
        rich_help_panel=OUTPUT_PANEL,
        show_default=False,
    )
    kind = Annotated[Literal[formats] | None, flag]  # type: ignore[valid-type] # typer reads it
    return Parameter("format", Parameter.KEYWORD_ONLY, default=None, annotation=kind)


def list_formats(method: Method) -> tuple[str, ...]:
    """The formats of a method on the command line: JSON is also written as JSON Lines."""
    formats = [*method.formats, *method.binary]
    if "json" in formats and JSON_LINES not in formats:
        formats.insert(formats.index("json") + 1, JSON_LINES)
    return tuple(formats)


def raw_parameters(method: Method) -> list[Parameter]:
    """The flag for HTML as the page has it, if the method writes markup of the page."""
    if not method.raw_formats:
        return []
    names = " and ".join(method.raw_formats)
    text = f"Write {names} as the page has it, with its scripts and other active content."
    kind = Annotated[bool, typer.Option("--raw", help=text, rich_help_panel=OUTPUT_PANEL)]
    return [Parameter("raw", Parameter.KEYWORD_ONLY, default=False, annotation=kind)]


def _parameter(field: OptionField, method: Method) -> Parameter:
    flag = "--" + field.name.replace("_", "-")
    flags = f"{flag}/--no-{flag[2:]}" if field.type is bool else flag
    declared = typer.Option(
        flags,
        *SHORT.get(field.name, ()),
        help=_with_note(field.help, _defaults(field, method)),
        rich_help_panel=_panel(field),
        min=field.low,
        max=field.high,
        show_default=False,
        metavar=_metavar(field),
    )
    kind = list[str] if field.repeatable else str if field.choices else field.type
    return Parameter(
        field.name,
        Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[kind | None, declared],
    )


def _panel(field: OptionField) -> str:
    """The group of an option in the help."""
    if field.applies_to == "paper profile":
        return PAPER_PANEL
    return OUTPUT_PANEL if field.name in OUTPUT_OPTIONS else METHOD_PANEL


def _metavar(field: OptionField) -> str | None:
    if field.file:
        return "FILE"
    return "|".join(field.choices) if field.choices else METAVARS.get(field.name)


def _defaults(field: OptionField, method: Method) -> str:
    """Where an option acts, and its default in each profile."""
    parts = [field.applies_to] if field.applies_to else []
    values = {name: getattr(row.options, field.name) for name, row in method.profiles.items()}
    if field.repeatable:
        parts.append("repeatable")
    elif len(set(values.values())) == 1:
        parts += [f"default: {_shown(field.default)}"] if field.default != "" else []
    else:
        parts += [f"{name}: {_shown(value)}" for name, value in values.items()]
    return ", ".join(parts)


def sentence(text: str) -> str:
    """A help text as a sentence."""
    return f"{text[0].upper()}{text[1:].removesuffix('.')}."


def _with_note(help: str, note: str) -> str:
    """A help text, and behind it in brackets where it acts and its default."""
    return f"{sentence(help)} [dim]({note})[/dim]" if note else sentence(help)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def changes_of(method: Method, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The options a user set, by name."""
    names = [field.name for field in option_fields(method.options)]
    return {name: arguments[name] for name in names if arguments.get(name) is not None}


@dataclasses.dataclass(frozen=True, slots=True)
class SavedOptions:
    """Options of a method that were read from a file."""

    profile: str = DEFAULT
    changes: Mapping[str, Any] = dataclasses.field(default_factory=dict)


def read_options(method: Method, path: Path | None) -> SavedOptions:
    """The options in a JSON file: an object of them, or one with `profile` and `options`."""
    if path is None:
        return SavedOptions()
    text = read_file("options", path)
    try:
        form = json.loads(text)
    except ValueError as error:
        raise OptionError("options", str(path), f"not JSON: {error}") from error
    options = form.get("options", form) if isinstance(form, dict) else None
    if not isinstance(options, dict):
        why = "an object of options is needed, or one with profile and options"
        raise OptionError("options", str(path), why)
    if form is options:
        return SavedOptions(changes=options)
    if form.get("method", method.name) != method.name:
        why = f"these are options of {form['method']}, not of {method.name}"
        raise OptionError("options", str(path), why)
    return SavedOptions(str(form.get("profile", DEFAULT)), options)


def with_parameters(run: Callable[..., None], extra: list[Parameter]) -> Callable[..., None]:
    """Give a function that takes **options named parameters for typer to read.

    They replace parameters of the function that have the same name.
    """
    parameters = {
        parameter.name: parameter
        for parameter in inspect.signature(run).parameters.values()
        if parameter.kind is not Parameter.VAR_KEYWORD
    }
    parameters |= {parameter.name: parameter for parameter in extra}
    signature = inspect.Signature(list(parameters.values()))

    def command(**arguments: Any) -> None:
        run(**arguments)

    command.__signature__ = signature  # type: ignore[attr-defined] # what inspect reads first
    command.__doc__ = run.__doc__
    return command


# -- flags from the fields of a plain dataclass -----------------------------------------------


Chosen = TypeVar("Chosen")


@dataclasses.dataclass(frozen=True, slots=True)
class Flag:
    """What a field does not declare itself about its flag."""

    help: str = ""
    metavar: str | None = None
    low: float | None = None
    high: float | None = None
    name: str = ""  #: the flag, where it differs from the name of the field
    short: str = ""  #: a letter too, such as -p
    panel: str = ""  #: the group in the help, where it is not that of the other fields
    envvar: str | None = None  #: variable of the environment that holds the value


def flag_parameters(options: type, panel: str, flags: Mapping[str, Flag]) -> list[Parameter]:
    """One keyword parameter per field; a field without help is left out."""
    types = get_type_hints(options)
    return [
        _flag_parameter(field, types[field.name], panel, _flag(field, flags))
        for field in dataclasses.fields(options)
        if field.metadata or field.name in flags
    ]


def _flag(field: "dataclasses.Field[Any]", flags: Mapping[str, Flag]) -> Flag:
    """What the caller declares about a flag, then what the field does."""
    own, given = field.metadata, flags.get(field.name, Flag())
    return dataclasses.replace(
        given,
        help=given.help or own.get("help", ""),
        low=own.get("low") if given.low is None else given.low,
        high=own.get("high") if given.high is None else given.high,
    )


def _flag_parameter(
    field: "dataclasses.Field[Any]", kind: Any, panel: str, flag: Flag
) -> Parameter:
    name = flag.name or "--" + field.name.replace("_", "-")
    several = get_origin(kind) is tuple
    choices = "|".join(get_args(kind)) if get_origin(kind) is Literal else ""
    option = typer.Option(
        f"{name}/--no-{name[2:]}" if kind is bool else name,
        *([flag.short] if flag.short else []),
        help=_with_note(flag.help, _default(field.default)),
        rich_help_panel=flag.panel or panel,
        min=flag.low,
        max=flag.high,
        show_default=False,
        metavar=flag.metavar or choices or None,
        envvar=flag.envvar,
    )
    read = list[get_args(kind)[0]] if several else kind  # type: ignore[misc] # typer reads it
    return Parameter(
        field.name, Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[read | None, option]
    )


def _default(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, tuple):
        return "repeatable"
    if isinstance(value, bool):
        return f"default: {'yes' if value else 'no'}"
    if isinstance(value, str):
        return f"default: {value}" if value else ""
    if isinstance(value, int):
        return f"default: {value:,}" if value >= MIN_GROUPED else f"default: {value}"
    return f"default: {value:g}"


def changed(options: Chosen, arguments: Mapping[str, Any]) -> Chosen:
    """Options with the values that a user set."""
    names = [field.name for field in dataclasses.fields(options)]  # type: ignore[arg-type]
    given = {name: arguments[name] for name in names if arguments.get(name) is not None}
    frozen = {name: tuple(v) if isinstance(v, list) else v for name, v in given.items()}
    return dataclasses.replace(options, **frozen)  # type: ignore[type-var] # a dataclass
