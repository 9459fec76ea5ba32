"""HTTP routes of the annotator, below /annotate/api, and the plugin that adds them."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
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

from pagelet.annotator.jobs import Action, JobClient
from pagelet.annotator.kinds import FIELD_NAMES, GROUPS, LOOKED_FOR, PLAIN, ROLES
from pagelet.annotator.marks import MAJORITY, MAX_ELEMENTS
from pagelet.annotator.names import rename_in_folder, safe_name
from pagelet.annotator.review import ReviewLog
from pagelet.annotator.store import AnnotationStore
from pagelet.annotator.suggestions import list_suggestions
from pagelet.annotator.training import TrainingQueue
from pagelet.annotator.training_routes import add_training
from pagelet.annotator.transfer import add_upload, list_files, write_archive
from pagelet.server.app import Plugin
from pagelet.server.bodies import read_body
from pagelet.server.pages import StaticPage
from pagelet.server.queue import RequestQueue
from pagelet.server.requests import RequestModel
from pagelet.server.settings import Settings

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
BINARY_BODY = {"requestBody": {"content": {"application/octet-stream": {}}, "required": True}}
MAX_MEMORY_BYTES = 16_000_000  #: size up to which an archive is held in memory
CHUNK_BYTES = 1 << 16


# -- request bodies ---------------------------------------------------------------------------


Id = Annotated[int, InPath(ge=1, le=2**53)]
NAME_PATTERN = r"^\S(?:[^\x00-\x1f\x7f]*\S)?$"  #: no control characters, no blanks at the ends
Name = Annotated[str, Field(min_length=1, max_length=100, pattern=NAME_PATTERN)]
AnnotatorName = Annotated[str, Query(min_length=1, max_length=100, pattern=NAME_PATTERN)]
Row = Annotated[int, Field(ge=0, le=2**31)]
MarkedRows = Annotated[
    list[Row],
    Field(min_length=1, max_length=MAX_ELEMENTS, description="`data-row` of its elements"),
]
Ids = Annotated[list[Annotated[int, Field(ge=1, le=2**53)]], Field(max_length=10_000)]
Kind = Annotated[str, Field(description="a kind, or KIND:ROLE", examples=["menu"])]


class NewProject(RequestModel):
    """A project by name."""

    name: Name = Field(description="name of the project", examples=["harbour"])


class NewName(RequestModel):
    """Another name of a project or page."""

    name: Name = Field(description="the new name", examples=["harbour"])


class ByAnnotator(RequestModel):
    """A request of an annotator."""

    annotator: Name = Field(description="who marks the page", examples=["Ann"])


class NewMark(ByAnnotator):
    """A mark: its kind and the rows of its elements."""

    kind: Kind
    rows: MarkedRows


class MovedMark(ByAnnotator):
    """New rows of a mark."""

    rows: MarkedRows


class ChosenMarks(ByAnnotator):
    """Marks by id."""

    ids: Ids = Field(description="ids of the marks")


class SuggestionRequest(ByAnnotator):
    """A method that is to propose marks."""

    method: str = Field(description="a method, or METHOD:PART", examples=["menu"])


class SpreadRequest(ByAnnotator):
    """Pages that marks are carried to; without any, all pages of the same template."""

    pages: Ids | None = Field(None, description="ids of the pages")


class LookedKind(ByAnnotator):
    """Whether a kind was looked for."""

    kind: Kind
    looked: bool = Field(description="whether it was looked for")


class FinishedPage(ByAnnotator):
    """Whether an annotator has finished a page."""

    done: bool = Field(description="whether the page is finished")


class DecidedMark(ByAnnotator):
    """What was decided on a mark that annotators disagree about."""

    kind: Kind
    rows: MarkedRows
    kept: bool | None = Field(None, description="whether it is kept; null takes a decision back")


# -- routes -----------------------------------------------------------------------------------


def make_router(settings: Settings, queue: RequestQueue) -> APIRouter:
    """The routes of the annotator; whatever reads a page runs in a worker process."""
    store, trainings = AnnotationStore(settings), TrainingQueue()

    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[None]:
        yield
        await run_in_threadpool(trainings.close)
        await run_in_threadpool(store.close)

    routes = APIRouter(lifespan=lifespan, tags=["annotator"])
    _add_projects(routes, store)
    _add_names(routes, store)
    _add_deleting(routes, store)
    _add_pages(routes, store, queue)
    _add_files(routes, store)
    _add_marks(routes, store, queue)
    _add_review(routes, store, queue)
    _add_proposals(routes, store, queue)
    _add_exports(routes, store, queue)
    _add_rendered_exports(routes, store, queue)
    add_training(routes, store, queue, trainings)
    return routes


def _add_projects(routes: APIRouter, store: AnnotationStore) -> None:
    @routes.get(f"{API}/kinds")
    def list_kinds() -> dict[str, Any]:
        """The kinds of marks, their roles, and what can be suggested."""
        return {
            "kinds": PLAIN,
            "groups": GROUPS,
            "roles": ROLES,
            "fields": FIELD_NAMES,
            "looked_for": LOOKED_FOR,
            "suggestions": list_suggestions(),
            "everybody": MAJORITY,
        }

    @routes.get(f"{API}/projects")
    def list_projects() -> list[dict[str, Any]]:
        """All projects."""
        store.database.purge()
        rows = store.database.list_projects()
        return [{"id": number, "name": name, "pages": pages} for number, name, pages in rows]

    @routes.post(f"{API}/projects")
    def create_project(form: NewProject) -> dict[str, Any]:
        """Create a project, or look it up by name."""
        return {"id": store.database.ensure_project(form.name), "name": form.name}


def _add_names(routes: APIRouter, store: AnnotationStore) -> None:
    @routes.put(API + "/projects/{project}")
    def rename_project(project: Id, form: NewName) -> dict[str, Any]:
        """Rename a project."""
        store.database.rename("projects", project, form.name)
        return {"id": project, "name": form.name}

    @routes.put(API + "/pages/{page}")
    def rename_page(page: Id, form: NewName) -> dict[str, Any]:
        """Rename a page; it stays in its folder, since its addresses are relative to it."""
        name = rename_in_folder(store.database.page(page).name, form.name)
        store.database.rename("pages", page, name)
        return {"id": page, "name": name}


def _add_deleting(routes: APIRouter, store: AnnotationStore) -> None:
    @routes.delete(API + "/projects/{project}")
    def delete_project(project: Id) -> dict[str, Any]:
        """Delete a project with its pages and their marks; it can be restored for a week."""
        store.database.set_deleted("projects", project, deleted=True)
        return {"id": project}

    @routes.post(API + "/projects/{project}/restore")
    def restore_project(project: Id) -> dict[str, Any]:
        """Restore a project that was deleted."""
        store.database.set_deleted("projects", project, deleted=False)
        return {"id": project}

    @routes.delete(API + "/pages/{page}")
    def delete_page(page: Id) -> dict[str, Any]:
        """Delete a page and all its marks; it can be restored for a week."""
        store.database.set_deleted("pages", page, deleted=True)
        return {"id": page}

    @routes.post(API + "/pages/{page}/restore")
    def restore_page(page: Id) -> dict[str, Any]:
        """Restore a page that was deleted."""
        store.database.set_deleted("pages", page, deleted=False)
        return {"id": page}


def _add_pages(routes: APIRouter, store: AnnotationStore, queue: RequestQueue) -> None:
    @routes.get(API + "/projects/{project}/pages")
    def list_pages(project: Id, annotator: AnnotatorName) -> dict[str, Any]:
        """The pages of a project, with the number of an annotator's marks on each."""
        name = store.database.project_name(project)
        pages = ReviewLog(store.database).list_pages(project, annotator)
        annotators = store.database.list_annotators(project)
        return {"name": name, "pages": pages, "annotators": annotators}

    @routes.post(API + "/projects/{project}/pages", openapi_extra=BINARY_BODY)
    async def upload_file(
        request: Request,
        project: Id,
        name: Annotated[str, Query(max_length=1000)],
        url: Annotated[str | None, Query(max_length=20_000)] = None,
    ) -> dict[str, Any]:
        """Add the body as a page or as a file that pages use, by the ending of its name."""
        body = await read_body(request)
        await run_in_threadpool(store.database.project_name, project)
        page = await run_in_threadpool(add_upload, store.database, project, name, body, url)
        return {"id": page or None, "name": name}

    @routes.get(API + "/pages/{page}")
    async def show_page(request: Request, page: Id, annotator: AnnotatorName) -> Any:
        """The marks of an annotator on a page."""
        return await _client(store, queue, request).ask("show", page, annotator)

    @routes.get(API + "/pages/{page}/drawing")
    async def draw_page(request: Request, page: Id) -> Any:
        """The page as inert HTML; `data-row` holds the row of each element."""
        return await _client(store, queue, request).ask("draw", page, "")


def _add_files(routes: APIRouter, store: AnnotationStore) -> None:
    @routes.get(API + "/projects/{project}/files")
    def list_files(project: Id) -> list[dict[str, Any]]:
        """The files that pages of a project use, and their bytes in the database."""
        store.database.project_name(project)
        files = store.database.list_files(project)
        return [{"name": name, "bytes": size} for name, size in files]

    @routes.delete(API + "/projects/{project}/files")
    def delete_file(project: Id, name: Annotated[str, Query(max_length=1000)]) -> dict[str, Any]:
        """Delete a file that pages of a project use."""
        store.database.delete_file(project, safe_name(name))
        return {"name": name}


def _client(store: AnnotationStore, queue: RequestQueue, request: Request) -> JobClient:
    """Runs jobs for a request."""
    return JobClient(store, queue, request.state)


def _changer(
    store: AnnotationStore, queue: RequestQueue
) -> Callable[[Request, int, ByAnnotator, Action], Awaitable[Any]]:
    """A function that has a page changed as a form says, and returns the page's new state."""

    async def change(request: Request, page: int, form: ByAnnotator, action: Action) -> Any:
        fields = form.model_dump(exclude={"annotator"})
        client = _client(store, queue, request)
        return await client.ask(action, page, form.annotator, **fields)

    return change


def _add_marks(routes: APIRouter, store: AnnotationStore, queue: RequestQueue) -> None:
    change = _changer(store, queue)

    @routes.post(API + "/pages/{page}/marks")
    async def add_mark(request: Request, page: Id, form: NewMark) -> Any:
        """Add a mark; a segment that overlaps another is an error (409)."""
        return await change(request, page, form, "add")

    @routes.put(API + "/pages/{page}/marks/{mark}")
    async def move_mark(request: Request, page: Id, mark: Id, form: MovedMark) -> Any:
        """Move a mark to other elements."""
        client = _client(store, queue, request)
        return await client.ask("move", page, form.annotator, mark=mark, rows=form.rows)

    @routes.post(API + "/pages/{page}/delete")
    async def delete_marks(request: Request, page: Id, form: ChosenMarks) -> Any:
        """Delete marks, or reject proposed ones."""
        return await change(request, page, form, "delete")

    @routes.post(API + "/pages/{page}/accept")
    async def accept_marks(request: Request, page: Id, form: ChosenMarks) -> Any:
        """Accept proposed marks as the annotator's own."""
        return await change(request, page, form, "accept")

    @routes.post(API + "/pages/{page}/step/{way}")
    async def step(
        request: Request, page: Id, way: Literal["undo", "redo"], form: ByAnnotator
    ) -> Any:
        """Undo the last change, or redo it."""
        return await _client(store, queue, request).ask("step", page, form.annotator, way=way)


def _add_review(routes: APIRouter, store: AnnotationStore, queue: RequestQueue) -> None:
    change = _changer(store, queue)

    @routes.post(API + "/pages/{page}/looked")
    async def set_looked(request: Request, page: Id, form: LookedKind) -> Any:
        """Record whether a kind was looked for; if so, no mark means that there is none."""
        return await change(request, page, form, "look")

    @routes.post(API + "/pages/{page}/finish")
    async def set_done(request: Request, page: Id, form: FinishedPage) -> Any:
        """Record whether the annotator has finished the page."""
        return await change(request, page, form, "finish")

    @routes.post(API + "/pages/{page}/decide")
    async def decide(request: Request, page: Id, form: DecidedMark) -> Any:
        """Decide whether a mark that annotators disagree about is kept in majority labels."""
        return await change(request, page, form, "decide")


def _add_proposals(routes: APIRouter, store: AnnotationStore, queue: RequestQueue) -> None:
    @routes.post(API + "/pages/{page}/suggest")
    async def suggest(request: Request, page: Id, form: SuggestionRequest) -> dict[str, Any]:
        """Propose marks with a method."""
        client = _client(store, queue, request)
        new = await client.suggest(page, form.annotator, form.method)
        return {"new": new, **await client.ask("show", page, form.annotator)}

    @routes.post(API + "/pages/{page}/spread")
    async def spread(request: Request, page: Id, form: SpreadRequest) -> dict[str, Any]:
        """Carry the annotator's marks to other pages of the project."""
        client = _client(store, queue, request)
        return {"pages": await client.spread(page, form.annotator, form.pages)}

    @routes.get(API + "/pages/{page}/agreement")
    async def compare_annotators(request: Request, page: Id) -> Any:
        """Agreement of the annotators of a page: kappa, for segments the adjusted Rand index."""
        return await _client(store, queue, request).ask("compare", page, "")


def _add_exports(routes: APIRouter, store: AnnotationStore, queue: RequestQueue) -> None:
    @routes.get(API + "/projects/{project}/gold")
    async def export_gold(request: Request, project: Id, annotator: AnnotatorName) -> Response:
        """The gold JSON without the pages."""
        return JSONResponse(await _client(store, queue, request).gold(project, annotator))

    @routes.get(API + "/projects/{project}/export")
    async def export_archive(request: Request, project: Id, annotator: AnnotatorName) -> Response:
        """A ZIP archive that `pagelet evaluate` and `pagelet train` read, once unpacked."""
        gold = await _client(store, queue, request).gold(project, annotator)
        out = SpooledTemporaryFile(MAX_MEMORY_BYTES)  # noqa: SIM115 - closed once it is sent
        files = list_files(store.database, project, gold)
        await run_in_threadpool(write_archive, out, files)
        headers = _download("gold.zip")
        return StreamingResponse(_read_chunks(out), media_type="application/zip", headers=headers)


def _add_rendered_exports(routes: APIRouter, store: AnnotationStore, queue: RequestQueue) -> None:
    @routes.get(API + "/pages/{page}/rectangles")
    async def export_rectangles(request: Request, page: Id, annotator: AnnotatorName) -> Response:
        """The bounding boxes of the marks of a page, one line per mark."""
        client = _client(store, queue, request)
        reply = await client.run("rectangles", page, annotator)
        return Response(reply.body, media_type=reply.kind, headers=_download("rectangles.txt"))

    @routes.get(API + "/pages/{page}/picture")
    async def export_picture(request: Request, page: Id, annotator: AnnotatorName) -> Response:
        """The page with its marks drawn over it."""
        client = _client(store, queue, request)
        reply = await client.run("picture", page, annotator)
        return Response(reply.body, media_type=reply.kind, headers=_download("marks.png"))


def _read_chunks(out: IO[bytes]) -> Iterator[bytes]:
    """Yield a file from its beginning, then close it."""
    with out:
        out.seek(0)
        while chunk := out.read(CHUNK_BYTES):
            yield chunk


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
    worker_modules=("pagelet.annotator.jobs",),
)
