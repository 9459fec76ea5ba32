"""What is done for the annotator in a process that may be ended: proposals, pages as drawn."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Literal

from pagelet.annotator.desk import Desk
from pagelet.annotator.export import picture, rectangles, said_of
from pagelet.annotator.proposals import spread, suggestions
from pagelet.annotator.spread import map_pages
from pagelet.errors import OptionError
from pagelet.page.layout import Rendering
from pagelet.server.errors import Reply, json_bytes, reply_or_error
from pagelet.server.work import SLACK, DrawnElsewhere, can_draw
from pagelet.server.work import Desk as Bench
from pagelet.sources.browser.options import RenderOptions

Do = Literal["suggest", "spread", "rectangles", "picture"]
SITE_PAGES = 20  #: other pages that are shown to a method


@dataclass(frozen=True, slots=True)
class Task:
    """Something that the annotator wants to know of a page of its database."""

    name: str  #: of the page, for messages
    do: Do
    page: int
    annotator: str
    method: str = ""  #: that suggests
    other: int = 0  #: the page that marks are carried to


def reply_to(task: Task, bench: Bench) -> Reply:
    """The answer to a task; whatever is wrong with it is an answer too."""
    with closing(Desk(bench.settings)) as desk:
        return reply_or_error(
            lambda: WORKS[task.do](task, desk, bench), task.name, bench.settings.memory
        )


def _suggest(task: Task, desk: Desk, bench: Bench) -> Reply:
    """Marks that a method proposes."""
    site = [desk.page(other.id) for other in desk.others(task.page)[:SITE_PAGES]]
    shown = _rendering(task, desk, bench) if task.method == "segments" else None
    found = suggestions(desk.page(task.page), task.method, site, shown)
    return Reply(200, json_bytes([mark.form() for mark in found]))


def _spread(task: Task, desk: Desk, _: Bench) -> Reply:
    """A person's marks on another page, and how well they agree with what was said of it."""
    marks = [mark for mark in desk.store.marks(task.page, task.annotator) if mark.by_person]
    mapped = map_pages(desk.page(task.page), desk.page(task.other))
    carried, missed = spread(mapped, marks)
    form = {
        "alike": round(mapped.alike, 4),
        "carried": [mark.form() for mark in carried],
        "missed": [{"kind": each.kind, "paths": each.paths} for each in missed],
        "agreement": desk.carried_well(task.other, task.annotator, carried),
    }
    return Reply(200, json_bytes(form))


def _rectangles(task: Task, desk: Desk, bench: Bench) -> Reply:
    """Where the marks of a page are, a line each."""
    marks, _ = said_of(desk, desk.store.page(task.page), task.annotator)
    text = rectangles(_rendering(task, desk, bench), marks)
    return Reply(200, text.encode(), "text/plain; charset=utf-8")


def _picture(task: Task, desk: Desk, bench: Bench) -> Reply:
    """The page with its marks drawn over it."""
    marks, _ = said_of(desk, desk.store.page(task.page), task.annotator)
    return Reply(200, picture(_rendering(task, desk, bench, picture=True), marks), "image/png")


def _rendering(task: Task, desk: Desk, bench: Bench, *, picture: bool = False) -> Rendering:
    """A page as the browser of the service shows it, scripts and network off."""
    if not can_draw(bench.settings):
        raise OptionError("render", None, "this service draws no pages")
    if not bench.draws:
        raise DrawnElsewhere
    page = replace(desk.page(task.page), url=None)
    with desk.folder(task.page) as (root, name):
        options = RenderOptions(
            javascript="off",
            network="off",
            folder=str(root),
            timeout=bench.settings.timeout * SLACK,
            picture=picture,
        )
        found: Rendering = bench.browser.render(page, options, place=name)
        return found


WORKS: dict[Do, Callable[[Task, Desk, Bench], Reply]] = {
    "suggest": _suggest,
    "spread": _spread,
    "rectangles": _rectangles,
    "picture": _picture,
}
