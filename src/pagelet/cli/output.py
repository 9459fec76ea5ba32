"""Pagelets as people or programs read them."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress, TaskID

from pagelet.errors import OptionError
from pagelet.page.dom import page_of_rows
from pagelet.pagelets import Pagelet, Pagelets

SHOWN = 70  #: characters of a pagelet's text in a listing


def console(*, error: bool = False) -> Console:
    """A console that colours on a terminal and stays plain in a pipe."""
    return Console(stderr=error, highlight=False, soft_wrap=True, emoji=False)


def write_file(path: Path, text: str) -> None:
    """Write a file a user named."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise OptionError("output", str(path), error.strerror or str(error)) from error


def write(found: Pagelets, format: str, *, explain: bool) -> None:
    """Write an answer to standard output."""
    if format == "json":
        print(found.to_json(indent=2))
    elif format == "html":
        print(page_of_rows(found.page, [row for item in found for row in item.rows]))
    elif found.method == "menu":
        write_menu(found, explain=explain)
    else:
        write_list(found, explain=explain)


def write_menu(found: Pagelets, *, explain: bool) -> None:
    """Write a menu as an indented list of labels and links."""
    out = console()
    for menu in found:
        out.print(f"[bold]menu[/bold] {menu.score:.2f}  [dim]{escape(str(menu.path))}[/dim]")
        for depth, label, href in _flat(found.extra.get("tree", [])):
            out.print(f"{'  ' * (depth + 1)}{escape(label)}  [dim]{escape(href)}[/dim]")
        if explain:
            write_reason(menu)
    if not found:
        out.print("no menu")


def _flat(tree: Iterable[dict[str, Any]]) -> Iterable[tuple[int, str, str]]:
    stack = [(0, node) for node in reversed(list(tree))]
    while stack:
        depth, node = stack.pop()
        yield depth, node["text"] or "(no words)", node["href"] or ""
        stack += [(depth + 1, child) for child in reversed(node["children"])]


def write_list(found: Pagelets, *, explain: bool) -> None:
    """Write one line a pagelet: kind, score, path, the beginning of its text."""
    out = console()
    for item in found:
        write_item(item, f"{item.score:g}")
        if explain:
            write_reason(item)
    if not found:
        out.print(f"no {found.method}")


def write_item(item: Pagelet, score: str) -> None:
    """Write one line: kind, score, path, the beginning of the text."""
    where = item.path or f"{item.paths[0]} and {len(item.rows) - 1} more"
    whole = item.text
    text = whole if len(whole) <= SHOWN else whole[: SHOWN - 1] + "…"
    console().print(f"[bold]{item.kind}[/bold] {score}  [dim]{escape(where)}[/dim]  {escape(text)}")


def write_reason(item: Pagelet) -> None:
    """Write the measures that decided."""
    out = console()
    for name, value in item.reason.items():
        said = f"{value:.3f}" if isinstance(value, float) else json.dumps(value, ensure_ascii=False)
        out.print(f"    {name.replace('_', ' '):<24}{escape(said)}")


# -- How far long work is, on standard error: lines, and a bar where it is a terminal ---------


Told = tuple[Callable[[str], None], Callable[[str, int, int], None]]


@contextmanager
def progress() -> Iterator[Told]:
    """Two functions: one prints a line, one moves the bar of what is being done."""
    with Progress(console=console(error=True), transient=True) as bars:
        tasks: dict[str, TaskID] = {}

        def say(line: str) -> None:
            bars.console.print(f"[dim]{escape(line)}[/dim]")

        def each(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(what)
            bars.update(tasks[what], completed=done, total=total)

        yield say, each
