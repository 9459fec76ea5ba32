"""The annotator in this process, and the sample site in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fastapi.testclient import TestClient

from pagelet.annotator.database import Database
from pagelet.annotator.routes import ANNOTATOR, API
from pagelet.annotator.transfer import add_folder
from pagelet.server.app import create_app
from pagelet.server.settings import Settings

SITE = Path("examples/site")
STORY = "news/fog-tomatoes.html"
#: pages of the sample site that look like the story
LIKE = (
    *("news/wall-repair.html", "guides/germination-test.html", "ar/index.html"),
    *("index.html", "shop/index.html"),
)


class Annotator:
    """Somebody who marks pages."""

    def __init__(self, client: TestClient, name: str = "ann") -> None:
        self.client, self.name = client, name

    def get(self, path: str, **query):
        return self.client.get(API + path, params={"annotator": self.name, **query})

    def post(self, path: str, **form):
        return self.client.post(API + path, json={"annotator": self.name, **form})

    def put(self, path: str, **form):
        return self.client.put(API + path, json={"annotator": self.name, **form})

    def upload(self, project: int, name: str, body: bytes, **query):
        path = f"{API}/projects/{project}/pages"
        return self.client.post(path, params={"name": name, **query}, content=body)

    def project(self, name: str) -> int:
        return self.client.post(f"{API}/projects", json={"name": name}).json()["id"]


@contextmanager
def annotating(database: Path, **settings) -> Iterator[TestClient]:
    """A client of a service in this process."""
    app = create_app(Settings(database=database, workers=1, **settings), [ANNOTATOR])
    with TestClient(app, base_url="http://127.0.0.1") as client:
        yield client


def with_sample(database: Path, name: str = "sample") -> dict[str, int]:
    """A database with the sample site in it: the number of each page."""
    database = Database(database)
    project = database.ensure_project(name)
    add_folder(database, project, SITE)
    found = {page.name: page.id for page in database.list_pages(project)}
    database.close()
    return found
