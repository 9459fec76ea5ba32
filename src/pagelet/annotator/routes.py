"""The annotator's part of the service, below /annotate/api."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi import Path as InPath
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import Field

from pagelet.annotator.adding import add
from pagelet.annotator.desk import Desk
from pagelet.annotator.export import entries, gold, write_archive
from pagelet.annotator.job_client import Hired
from pagelet.annotator.marks import EVERYBODY, KINDS, MOST_PARTS
from pagelet.methods import METHODS
from pagelet.server.app import Plugin
from pagelet.server.bodies import read_body
from pagelet.server.pages import StaticPage
from pagelet.server.pool import RequestQueue
from pagelet.server.requests import Form
from pagelet.server.settings import Settings

# -- What may be asked of the annotator -------------------------------------------------------


Number = Annotated[int, InPath(ge=1, le=2**53)]
Plain = r"^\S(?:[^\x00-\x1f\x7f]*\S)?$"  #: a name without control characters or blanks around it
Name = Annotated[str, Field(min_length=1, max_length=100, pattern=Plain)]
Who = Annotated[str, Query(min_length=1, max_length=100, pattern=Plain)]
Row = Annotated[int, Field(ge=0, le=2**31)]
Rows = Annotated[list[Row], Field(min_length=1, max_length=MOST_PARTS)]
Ids = Annotated[list[Annotated[int, Field(ge=1, le=2**53)]], Field(max_length=10_000)]


class NewProject(Form):
    """A project by name."""

    name: Name


class Said(Form):
    """Who asks."""

    annotator: Name


class NewMark(Said):
    """A mark: elements by their rows."""

    kind: str
    rows: Rows


class Moved(Said):
    """Where a mark is put."""

    rows: Rows


class Chosen(Said):
    """Marks by their numbers."""

    ids: Ids


class Suggest(Said):
    """A method that is to suggest marks."""

    method: str


class Targets(Said):
    """Pages that marks are carried to; all of the same template if none are named."""

    pages: Ids | None = None


class Looked(Said):
    """A kind that was looked for."""

    kind: str
    looked: bool


# -- The annotator's part of the service, below /annotate/api ---------------------------------


API = "/annotate/api"
FRAME = "/annotate/frame"
STATIC = Path(str(files("pagelet.annotator"))) / "static"
#: headers of the frame that pages are drawn in: no script runs, nothing is loaded or sent
FRAME_HEADERS = {
    "content-security-policy": "sandbox allow-same-origin; default-src 'none'; style-src"
    " 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'; base-uri 'none';"
    " frame-ancestors 'self'",
    "x-frame-options": "SAMEORIGIN",
}
ANY_BODY = {"requestBody": {"content": {"application/octet-stream": {}}, "required": True}}
IN_MEMORY = 16_000_000  #: bytes of an archive that are held; larger ones go to disk
PIECE = 1 << 16


def make_router(settings: Settings, pool: RequestQueue) -> APIRouter:
    """The annotator's routes, on a desk of their own; what may take long is done by the pool."""
    desk = Desk(settings)

    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[None]:
        yield
        await run_in_threadpool(desk.close)

    routes = APIRouter(lifespan=lifespan, tags=["annotator"])
    _add_projects(routes, desk)
    _add_pages(routes, desk)
    _add_marks(routes, desk)
    _add_proposals(routes, desk, pool)
    _add_exports(routes, desk)
    _add_drawn(routes, desk, pool)
    return routes


def _add_projects(routes: APIRouter, desk: Desk) -> None:
    @routes.get(f"{API}/kinds")
    def kinds() -> dict[str, Any]:
        """The kinds of marks, and the methods that suggest some."""
        return {"kinds": KINDS, "methods": list(METHODS), "everybody": EVERYBODY}

    @routes.get(f"{API}/projects")
    def projects() -> list[dict[str, Any]]:
        """All projects."""
        found = desk.store.projects()
        return [{"id": at, "name": name, "pages": pages} for at, name, pages in found]

    @routes.post(f"{API}/projects")
    def project(form: NewProject) -> dict[str, Any]:
        """Make a project, or find it by name."""
        return {"id": desk.store.project(form.name), "name": form.name}


def _add_pages(routes: APIRouter, desk: Desk) -> None:
    @routes.get(API + "/projects/{project}/pages")
    def pages(project: Number, annotator: Who) -> dict[str, Any]:
        """The pages of a project, with what an annotator said of each, by count."""
        name = desk.store.project_name(project)
        listed = [
            _listed(desk, known.id, known.name, annotator) for known in desk.store.pages(project)
        ]
        return {"name": name, "pages": listed, "annotators": desk.store.annotators(project)}

    @routes.post(API + "/projects/{project}/pages", openapi_extra=ANY_BODY)
    async def upload(
        request: Request,
        project: Number,
        name: Annotated[str, Query(max_length=1000)],
        url: Annotated[str | None, Query(max_length=20_000)] = None,
    ) -> dict[str, Any]:
        """Keep the body as a page, or as something that pages show, by its name's ending."""
        settings = desk.settings
        body = await read_body(request, settings.max_bytes, settings.queue_timeout)
        await run_in_threadpool(desk.store.project_name, project)
        page = await run_in_threadpool(add, desk.store, project, name, body, url)
        return {"id": page or None, "name": name}

    @routes.get(API + "/pages/{page}")
    def page(page: Number, annotator: Who) -> dict[str, Any]:
        """The marks of an annotator on a page."""
        return desk.told(page, annotator)

    @routes.delete(API + "/pages/{page}")
    def drop(page: Number) -> dict[str, Any]:
        """Forget a page and all that was said of it."""
        desk.store.drop_page(page)
        return {"id": page}

    @routes.get(API + "/pages/{page}/drawing")
    def drawing(page: Number) -> dict[str, Any]:
        """The page as HTML that can do nothing; `data-row` at each element is its row."""
        return {"drawing": desk.drawing(page)}


def _listed(desk: Desk, page: int, name: str, annotator: str) -> dict[str, Any]:
    marks = desk.store.marks(page, annotator)
    made = sum(mark.by_person for mark in marks)
    return {"id": page, "name": name, "made": made, "proposed": len(marks) - made}


def _add_marks(routes: APIRouter, desk: Desk) -> None:
    @routes.post(API + "/pages/{page}/marks")
    def mark(page: Number, form: NewMark) -> dict[str, Any]:
        """Make a mark; a segment that overlaps another is refused (409)."""
        desk.mark(page, form.annotator, form.kind, form.rows)
        return desk.told(page, form.annotator)

    @routes.put(API + "/pages/{page}/marks/{mark}")
    def repair(page: Number, mark: Number, form: Moved) -> dict[str, Any]:
        """Put a mark elsewhere."""
        desk.repair(page, form.annotator, mark, form.rows)
        return desk.told(page, form.annotator)

    @routes.post(API + "/pages/{page}/delete")
    def delete(page: Number, form: Chosen) -> dict[str, Any]:
        """Delete marks, or reject what was proposed."""
        desk.store.change(page, form.annotator, drop=form.ids)
        return desk.told(page, form.annotator)

    @routes.post(API + "/pages/{page}/accept")
    def accept(page: Number, form: Chosen) -> dict[str, Any]:
        """Make what was proposed the annotator's own."""
        desk.accept(page, form.annotator, form.ids)
        return desk.told(page, form.annotator)

    @routes.post(API + "/pages/{page}/step/{way}")
    def step(page: Number, way: Literal["undo", "redo"], form: Said) -> dict[str, Any]:
        """Undo the last change, or do it again."""
        desk.store.step(page, form.annotator, way)
        return desk.told(page, form.annotator)

    @routes.post(API + "/pages/{page}/looked")
    def looked(page: Number, form: Looked) -> dict[str, Any]:
        """Say that a kind was looked for, so that no mark means that there is none."""
        desk.look(page, form.annotator, form.kind, looked=form.looked)
        return desk.told(page, form.annotator)


def _add_proposals(routes: APIRouter, desk: Desk, pool: RequestQueue) -> None:
    @routes.post(API + "/pages/{page}/suggest")
    async def suggest(request: Request, page: Number, form: Suggest) -> dict[str, Any]:
        """Let a method propose marks."""
        hired = Hired(desk, pool, request.state.request_id)
        new = await hired.suggest(page, form.annotator, form.method)
        return {"new": new, **await run_in_threadpool(desk.told, page, form.annotator)}

    @routes.post(API + "/pages/{page}/spread")
    async def spread(request: Request, page: Number, form: Targets) -> dict[str, Any]:
        """Carry the annotator's marks to other pages of the project."""
        hired = Hired(desk, pool, request.state.request_id)
        return {"pages": await hired.spread(page, form.annotator, form.pages)}

    @routes.get(API + "/pages/{page}/agreement")
    def agreement(page: Number) -> list[dict[str, Any]]:
        """How well the annotators of a page agree: kappa by kind, adjusted Rand for segments."""
        return desk.agreement(page)


def _add_exports(routes: APIRouter, desk: Desk) -> None:
    @routes.get(API + "/projects/{project}/gold")
    def labels(project: Number, annotator: Who) -> Response:
        """The gold JSON alone."""
        return JSONResponse(gold(desk, project, annotator))

    @routes.get(API + "/projects/{project}/export")
    def export(project: Number, annotator: Who) -> Response:
        """A ZIP archive that `pagelet evaluate` and `pagelet train` read, once unpacked."""
        out = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - closed when it has been sent
        write_archive(out, entries(desk, project, annotator))
        said = _download("gold.zip")
        return StreamingResponse(_pieces(out), media_type="application/zip", headers=said)


def _add_drawn(routes: APIRouter, desk: Desk, pool: RequestQueue) -> None:
    @routes.get(API + "/pages/{page}/rectangles")
    async def lines(request: Request, page: Number, annotator: Who) -> Response:
        """Where the marks of a page are, a line each."""
        hired = Hired(desk, pool, request.state.request_id)
        reply = await hired.of_page("rectangles", page, annotator)
        return Response(reply.body, media_type=reply.kind, headers=_download("rectangles.txt"))

    @routes.get(API + "/pages/{page}/picture")
    async def png(request: Request, page: Number, annotator: Who) -> Response:
        """The page with its marks drawn over it."""
        hired = Hired(desk, pool, request.state.request_id)
        reply = await hired.of_page("picture", page, annotator)
        return Response(reply.body, media_type=reply.kind, headers=_download("marks.png"))


def _pieces(out: IO[bytes]) -> Iterator[bytes]:
    """A file from its beginning, piece by piece; then it is closed."""
    with out:
        out.seek(0)
        while piece := out.read(PIECE):
            yield piece


def _download(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"'}


#: the annotator as a part of the service
ANNOTATOR = Plugin(
    make_router=make_router,
    pages={
        "/annotate": StaticPage(STATIC / "index.html"),
        FRAME: StaticPage(STATIC / "frame.html", FRAME_HEADERS),
    },
    folders={"annotator": STATIC},
)
