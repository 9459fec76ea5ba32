"""The application: the methods over HTTP, and the pages to look, tune and annotate."""

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
from pagelet.server.describing import schemas
from pagelet.server.guards import Guard
from pagelet.server.metrics import Metrics
from pagelet.server.pages import FOLDERS, PAGES, StaticPage, add_static
from pagelet.server.pool import RequestQueue
from pagelet.server.refusals import Refusal, refusal_of
from pagelet.server.routes import add_methods, add_own
from pagelet.server.settings import Settings

NAMES = {404: "NotFound", 405: "MethodNotAllowed"}


@dataclass(frozen=True, slots=True)
class Plugin:
    """A part of the service that is passed in from above."""

    make_router: Callable[[Settings, RequestQueue], APIRouter]
    pages: Mapping[str, StaticPage]  #: pages by address
    folders: Mapping[str, Path]  #: folders of files below /static


def create_app(settings: Settings, plugins: Sequence[Plugin] = ()) -> FastAPI:
    """Create the service: methods, explorer, and plugins."""
    pool, metrics = RequestQueue(settings), Metrics()

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        await pool.start()
        yield
        await pool.close()

    app = FastAPI(
        title="pagelet",
        version=version("pagelet"),
        summary="Says what every part of a web page is.",
        lifespan=lifespan,
        docs_url=None,  # their scripts are on other hosts
        redoc_url=None,
        openapi_url="/openapi.json",
    )
    app.state.settings, app.state.pool, app.state.metrics = settings, pool, metrics
    app.state.stopping = lambda: pool.closed
    add_methods(app, pool)
    add_own(app, settings, pool, metrics)
    pages, folders = PAGES, FOLDERS
    for plugin in plugins:
        app.include_router(plugin.make_router(settings, pool))
        pages, folders = {**pages, **plugin.pages}, {**folders, **plugin.folders}
    add_static(app, pages, folders)
    add_refusals(app)
    app.add_middleware(Guard, settings=settings, metrics=metrics, pages=frozenset(pages))
    app.openapi = partial(openapi, app.openapi)  # type: ignore[method-assign] # as FastAPI says
    return app


def openapi(usual: Any) -> dict[str, Any]:
    """The description, with the models of all requests."""
    found: dict[str, Any] = usual()
    found.setdefault("components", {}).setdefault("schemas", {}).update(schemas())
    return found


# -- refusals ---------------------------------------------------------------------------------


def add_refusals(app: FastAPI) -> None:
    """Everything that goes wrong is told in the same form."""

    async def refused(request: Request, error: Exception) -> Response:
        refusal = refusal_for(error)
        app.state.metrics.refused[refusal.error] += 1
        reply = refusal.reply(request.state.request_id)
        return Response(reply.body, reply.status, headers=reply.headers)

    for kind in (PageletError, Refusal, HTTPException, RequestValidationError):
        app.add_exception_handler(kind, refused)


def refusal_for(error: Exception) -> Refusal:
    """Any error that is expected as a refusal."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, PageletError):
        return refusal_of(error)
    if isinstance(error, HTTPException):
        name = NAMES.get(error.status_code, "BadRequest")
        return Refusal(error.status_code, name, str(error.detail))
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(map(str, first["loc"]))
    return Refusal(422, "OptionError", f"{where}: {first['msg']}")
