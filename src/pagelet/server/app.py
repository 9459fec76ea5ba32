"""The application: the methods over HTTP, the explorer, and plugins such as the annotator."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from pagelet.errors import PageletError
from pagelet.server.descriptions import list_schemas
from pagelet.server.errors import HttpError, http_error
from pagelet.server.guards import Guard
from pagelet.server.metrics import Metrics
from pagelet.server.pages import FOLDERS, PAGES, StaticPage, add_static
from pagelet.server.queue import RequestQueue
from pagelet.server.routes import add_methods, add_status
from pagelet.server.settings import Settings
from pagelet.server.validation import explain

ERROR_NAMES = {404: "NotFound", 405: "MethodNotAllowed"}
#: What to do about errors that starlette only names.
ADVICE = {
    404: "there is no such address; /v1/methods lists the methods, /openapi.json every address",
    405: "the address does not take this HTTP method; /openapi.json lists those it takes",
}


@dataclass(frozen=True, slots=True)
class Plugin:
    """A part of the service that is passed in from above."""

    make_router: Callable[[Settings, RequestQueue], APIRouter]
    pages: Mapping[str, StaticPage]  #: pages by address
    folders: Mapping[str, Path]  #: folders of files below /static
    worker_modules: tuple[str, ...] = ()  #: modules that its jobs need in a worker


def create_app(settings: Settings, plugins: Sequence[Plugin] = ()) -> FastAPI:
    """Create the service: methods, explorer, and plugins."""
    modules = [name for plugin in plugins for name in plugin.worker_modules]
    pool, metrics = RequestQueue(settings, modules), Metrics()

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        await pool.start()
        yield
        await pool.close()

    app = FastAPI(
        title="pagelet",
        version=version("pagelet"),
        summary="Identifies every part of a web page.",
        lifespan=lifespan,
        docs_url=None,  # their scripts are on other hosts
        redoc_url=None,
        openapi_url="/openapi.json",
    )
    app.state.settings, app.state.pool, app.state.metrics = settings, pool, metrics
    app.state.stopping = lambda: pool.closed
    add_methods(app, pool)
    add_status(app, settings, pool, metrics)
    pages, folders = PAGES, FOLDERS
    for plugin in plugins:
        app.include_router(plugin.make_router(settings, pool))
        pages, folders = {**pages, **plugin.pages}, {**folders, **plugin.folders}
    add_static(app, pages, folders)
    add_error_handlers(app)
    app.add_middleware(Guard, admission=pool.admission, metrics=metrics, pages=frozenset(pages))
    app.openapi = partial(openapi, app.openapi)  # type: ignore[method-assign] # documented by FastAPI
    return app


def openapi(describe: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The OpenAPI description, with the models of all requests."""
    description = describe()
    description.setdefault("components", {}).setdefault("schemas", {}).update(list_schemas())
    return description


def add_error_handlers(app: FastAPI) -> None:
    """Answer every error in the same form."""

    async def answer_error(request: Request, error: Exception) -> Response:
        converted = to_http_error(error)
        app.state.metrics.refused[converted.error] += 1
        reply = converted.reply(request.state.request_id)
        return Response(reply.body, reply.status, headers=reply.headers)

    for kind in (PageletError, HttpError, HTTPException, RequestValidationError):
        app.add_exception_handler(kind, answer_error)


def to_http_error(error: Exception) -> HttpError:
    """Convert an error of the library, of starlette or of FastAPI."""
    if isinstance(error, HttpError):
        return error
    if isinstance(error, PageletError):
        return http_error(error)
    if isinstance(error, HTTPException):
        if isinstance(error.__cause__, HttpError):  # FastAPI wraps what is raised in a body
            return error.__cause__
        name = ERROR_NAMES.get(error.status_code, "BadRequest")
        return HttpError(error.status_code, name, ADVICE.get(error.status_code, str(error.detail)))
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    return HttpError(422, "OptionError", f"{'.'.join(map(str, first['loc']))}: {explain(first)}")
