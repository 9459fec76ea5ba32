"""`pagelet forms`: the forms of a page, their fields and labels, and which one searches."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.text import Text

from pagelet.cli import inputs
from pagelet.cli.batch import ResultWriter, answer_pages
from pagelet.cli.loading import loader_for, loading_parameters
from pagelet.cli.options import changed, with_parameters
from pagelet.cli.output import console, print_result
from pagelet.cli.pages import InputFileOption, NamedPage, OutputOption, PagesArgument, name_pages
from pagelet.cli.streams import Written, format_for
from pagelet.sources import load_by
from pagelet.sources.forms import Form, forms_form, read_forms
from pagelet.sources.forms.fields import BUTTONS, Field, Option
from pagelet.sources.options import Limits

SHOWN = 6  #: options of a field in a listing
UNSEEN = 8  #: hidden fields in a listing
CUT = 40  #: characters of a value or an option in a listing
LINE = 100  #: characters of an address in a listing
WIDEST = 24  #: characters of the widest name that the columns make room for

EXAMPLES = "pagelet forms https://example.org/search\npagelet forms page.html --explain"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("forms", epilog=EXAMPLES)(with_parameters(forms, loading_parameters()))


def forms(
    pages: PagesArgument = None,
    *,
    input_file: InputFileOption = None,
    output: OutputOption = None,
    format: inputs.PagesFormatOption = None,
    explain: Annotated[
        bool, typer.Option("--explain", "-e", help="Print where labels and scores come from.")
    ] = False,
    url: inputs.UrlOption = None,
    **arguments: Any,
) -> None:
    """The forms of a page, their fields and labels, and which one searches."""
    named = name_pages(pages, input_file)
    chosen = format or format_for(output, inputs.FORMATS)
    coloured = chosen == "text" and not named.several and output is None
    limits = changed(Limits(), arguments)
    show = partial(console().print, soft_wrap=not explain) if coloured else print_result
    writer = ResultWriter(format=chosen, to=output, nothing="no forms", show=show)
    with loader_for(named, arguments) as loader:

        def answer(page: NamedPage) -> Written:
            read = load_by(loader, page.source, url=url, limits=limits)
            if chosen != "text":
                return Written(form=forms_form(read))
            text = "\n".join(list_forms(read_forms(read), explain=explain))
            return Written(text if coloured else Text.from_markup(text).plain)

        answer_pages(named, writer, answer)


def list_forms(found: Iterable[Form], *, explain: bool) -> Iterator[str]:
    """The lines about some forms, with markup for a terminal."""
    for number, form in enumerate(found, 1):
        yield from list_form(number, form, explain=explain)


def list_form(number: int, form: Form, *, explain: bool) -> Iterator[str]:
    """What a form is and where it sends, then a line for each field."""
    name = f" {form.name}" if form.name else ""
    kind = "search form" if form.searches else "form"
    where = form.action if len(form.action) <= LINE else form.action[: LINE - 1] + "…"
    where = where or "(no address; --url says where the page came from)"
    yield (f"[bold]{number}{escape(name)}[/bold]  {kind} {form.search:.2f}  "
           f"{form.method.upper()} {escape(where)}")  # fmt: skip
    yield f"  [dim]{escape(form.path)}[/dim]"
    shown = [one for one in form.fields if not one.hidden]
    width = min(max((len(_name(one)) for one in shown), default=0), WIDEST)
    for one in shown:
        yield _list_field(one, width, query=one == form.query_field, explain=explain)
    if unseen := [one for one in form.fields if one.hidden]:
        pairs = ", ".join(f"{_name(one)}={_cut(one.value)}" for one in unseen[:UNSEEN])
        pairs += f" and {len(unseen) - UNSEEN} more" if len(unseen) > UNSEEN else ""
        yield f"  [dim]unseen: {escape(pairs)}[/dim]"
    if form.refused:
        yield f"  [yellow]not sent unless named:[/yellow] {escape('; '.join(form.refused))}"
    if explain:
        reasons = ", ".join(f"{name} {weight:+g}" for name, weight in form.reasons.items())
        yield f"  [dim]score: {escape(reasons)}[/dim]"


def _list_field(one: Field, width: int, *, query: bool, explain: bool) -> str:
    name = f"{_name(one):<{width}}"
    label = f'"{one.label}"' if one.label else ""
    source = f" [dim]({one.label_from})[/dim]" if explain and one.label_from else ""
    caption = f"{escape(label)}{source}" if label else ""
    parts = [caption, escape(_contents(one)), _notes(one, query=query)]
    rest = "  ".join(filter(None, parts))
    return f"  {escape(name)}  {one.type:<8}  {rest}".rstrip()


def _name(one: Field) -> str:
    return one.name or "-"


def _contents(one: Field) -> str:
    """The options, else the value that is there."""
    if one.options and not (one.type in ("checkbox", "radio") and len(one.options) == 1):
        shown = ", ".join(_option(option) for option in one.options[:SHOWN])
        more = len(one.options) - SHOWN
        return shown + (f" and {more} more" if more > 0 else "")
    has_text = one.value and one.type not in (*BUTTONS, "checkbox", "radio")
    return f"= {_cut(one.value)}" if has_text else ""


def _option(option: Option) -> str:
    """What is sent, and what people read where that is something else."""
    named = option.value and option.text not in ("", option.value)
    text = f"{option.value} ({option.text})" if named else option.value or option.text
    return _cut(text or "(empty)") + ("*" if option.selected else "")


def _notes(one: Field, *, query: bool) -> str:
    words = [name for name in ("required", "disabled", "multiple") if getattr(one, name)]
    if len(one.options) == 1 and one.options[0].selected and one.type != "select":
        words.append("checked")
    notes = [f"[dim]{word}[/dim]" for word in words]
    return ", ".join((["[green]query[/green]"] if query else []) + notes)


def _cut(text: str) -> str:
    folded = " ".join(text.split())
    return folded if len(folded) <= CUT else folded[: CUT - 1] + "…"
