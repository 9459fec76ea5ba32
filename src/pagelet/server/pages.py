"""Static files of the service: its pages by address, and the folders below /static."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.responses import FileResponse
from starlette.exceptions import HTTPException

STATIC = Path(str(files("pagelet.server"))) / "static"
FILE = re.compile(r"/static/(?P<folder>[a-z]+)/(?P<name>[a-z0-9_-]+\.(?:css|html|js))")
TYPES = {".js": "text/javascript"}
#: headers of the frame a page is drawn in: its own styles and pictures, our scripts, no network
FRAME_HEADERS = {
    "content-security-policy": "sandbox allow-scripts; default-src 'none'; script-src 'self';"
    " style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none';"
    " base-uri 'none'; frame-ancestors 'self'",
    "x-frame-options": "SAMEORIGIN",
    "cross-origin-resource-policy": "same-origin",
}


@dataclass(frozen=True, slots=True)
class StaticPage:
    """An HTML file with an address of its own."""

    file: Path
    headers: Mapping[str, str] = field(default_factory=dict)  #: headers instead of the usual ones


#: pages by address
PAGES = {
    "/": StaticPage(STATIC / "explorer" / "index.html"),
    "/docs": StaticPage(STATIC / "docs" / "index.html"),
    "/frame": StaticPage(STATIC / "shared" / "frame.html", FRAME_HEADERS),
}
#: folders below /static; report and explorer share their look
FOLDERS = {
    "docs": STATIC / "docs",
    "explorer": STATIC / "explorer",
    "shared": STATIC / "shared",
    "report": Path(str(files("pagelet.report"))),
}


def add_static(app: FastAPI, pages: Mapping[str, StaticPage], folders: Mapping[str, Path]) -> None:
    """Serve the pages, and the files that lie directly in the folders."""

    async def send_page(request: Request) -> Response:
        page = pages[request.url.path]
        return FileResponse(page.file, headers=dict(page.headers))

    async def send_file(request: Request) -> Response:
        match = FILE.fullmatch(request.url.path)
        file = (
            folders[match["folder"]] / match["name"]
            if match and match["folder"] in folders
            else None
        )
        if file is None or not file.is_file():
            raise HTTPException(404)
        return FileResponse(file, media_type=TYPES.get(file.suffix))

    for address in pages:
        app.add_route(address, send_page, include_in_schema=False)
    app.add_route("/static/{folder}/{name}", send_file, include_in_schema=False)
