"""The application: the methods over HTTP, and the pages to look, tune and annotate."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse
from starlette.exceptions import HTTPException

from pagelet.annotator.routes import router
from pagelet.errors import PageletError
from pagelet.server.describing import schemas
from pagelet.server.guards import FILE, Guard
from pagelet.server.metrics import Metrics
from pagelet.server.policies import OF_REPORT, PAGES, headers_of
from pagelet.server.pool import Pool
from pagelet.server.refusals import Refusal, refusal_of
from pagelet.server.routes import add_methods, add_own
from pagelet.server.settings import Settings

STATIC = Path(str(files("pagelet.server"))) / "static"
REPORT = Path(str(files("pagelet.report")))
TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}
NAMES = {404: "NotFound", 405: "MethodNotAllowed"}


def create_app(settings: Settings) -> FastAPI:
    """The whole service."""
    pool, metrics = Pool(settings), Metrics()

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
    app.include_router(router(settings, pool))
    add_static(app)
    add_refusals(app)
    app.add_middleware(Guard, settings=settings, metrics=metrics)
    app.openapi = partial(openapi, app.openapi)  # type: ignore[method-assign] # as FastAPI says
    return app


def openapi(usual: Any) -> dict[str, Any]:
    """The description, with the models of all requests."""
    found: dict[str, Any] = usual()
    found.setdefault("components", {}).setdefault("schemas", {}).update(schemas())
    return found


# -- files ------------------------------------------------------------------------------------


def add_static(app: FastAPI) -> None:
    """The pages of the service and the files they are made of."""
    for path in PAGES:
        app.add_route(path, page, include_in_schema=False)
    app.add_route("/{name}", page, include_in_schema=False)


async def page(request: Request) -> Response:
    """One file; only those that lie in the folder itself have an address."""
    path = request.url.path
    name = PAGES.get(path, path.removeprefix("/"))
    file = REPORT / OF_REPORT[name] if name in OF_REPORT else STATIC / name
    if FILE.fullmatch(f"/{name}") is None or not file.is_file():
        raise HTTPException(404)
    return FileResponse(file, media_type=TYPES.get(file.suffix))


# -- refusals ---------------------------------------------------------------------------------


def add_refusals(app: FastAPI) -> None:
    """Everything that goes wrong is told in the same form."""

    async def refused(request: Request, error: Exception) -> Response:
        refusal = refusal_for(error)
        app.state.metrics.refused[refusal.error] += 1
        reply = refusal.reply(request.state.request_id)
        return Response(reply.body, reply.status, headers=headers_of(reply))

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
