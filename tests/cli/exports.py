"""Fresh exports of the annotator, made by its own commands from pages of the sample site."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from typer.testing import CliRunner

from pagelet.annotator.database import Database
from pagelet.annotator.marks import Mark
from pagelet.cli import app

SAMPLE = Path("examples/site")
STORIES = ("news/fog-tomatoes.html", "news/wall-repair.html")
GUIDES = ("guides/germination-test.html", "ar/index.html")
#: what a person marks on a page of the sample site
MARKS = {
    "menu": ("/html/body/nav[1]/ul",),
    "content": ("/html/body/div[2]/main/article",),
    "clutter": ("/html/body/nav[1]", "/html/body/footer"),
    "slot": ("/html/body/div[2]/main",),
    "segment": ("/html/body/header", "/html/body/div[2]/main", "/html/body/footer"),
    "noise": ("/html/body/header",),
    "links:menu": ("/html/body/nav[1]/ul",),
    "links:footer": ("/html/body/footer",),
    "record": tuple(f"/html/body/nav[1]/ul/li[{at}]" for at in (1, 2, 3)),
}


def invoke(*words: object) -> str:
    """Run a command that must succeed."""
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == 0, (words, done.output, done.exception)
    return done.output


def make_export(
    folder: Path, projects: Mapping[str, Sequence[str]], kinds: Sequence[str] = tuple(MARKS)
) -> Path:
    """The labels of projects, each with some pages of the sample site, in a new folder."""
    database, labels = folder / "marks.sqlite", folder / "labels"
    for project, names in projects.items():
        for name in names:
            target = folder / project / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SAMPLE / name, target)
        invoke("annotate", "add", folder / project, "--database", database)
    store = Database(database)
    for number, _, _ in store.list_projects():
        for page in store.list_pages(number):
            marks = [Mark(kind, (path,)) for kind in kinds for path in MARKS[kind]]
            store.change_marks(page.id, "ann", add=marks)
    store.close()
    invoke("annotate", "export", *projects, "--database", database, "-o", labels)
    return labels


EXPORTS = {
    "page": {"seeds": STORIES[:1]},
    "site": {"seeds": STORIES},
    "sites": {"seeds": STORIES, "growers": GUIDES},
}
