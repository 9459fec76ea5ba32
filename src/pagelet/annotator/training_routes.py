"""HTTP routes of trainings and models, below /annotate/api."""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from fastapi import Path as InPath
from fastapi.concurrency import run_in_threadpool
from pydantic import Field

from pagelet.annotator.database import Database
from pagelet.annotator.jobs import JobClient
from pagelet.annotator.models import ModelShelf
from pagelet.annotator.store import AnnotationStore
from pagelet.annotator.training import TRAINABLE, Training, TrainingQueue
from pagelet.annotator.transfer import list_all_files
from pagelet.errors import OptionError
from pagelet.server.errors import HttpError
from pagelet.server.queue import RequestQueue
from pagelet.server.requests import RequestModel
from pagelet.wording import must_be_one_of

API = "/annotate/api"
Id = Annotated[int, InPath(ge=1, le=2**53)]


class TrainingRequest(RequestModel):
    """A method that is to learn from the marks of an annotator."""

    annotator: Annotated[str, Field(min_length=1, max_length=100)] = Field(
        description="whose marks are learned from", examples=["Ann"]
    )
    method: str = Field(description="the method to train", examples=["menu"])
    all_projects: bool = Field(
        default=True, description="whether other projects are learned from too"
    )
    corpora: bool = Field(
        default=False, description="whether corpora in $PAGELET_DATA are learned from too"
    )


class UsedModel(RequestModel):
    """Whether a project uses a model."""

    used: bool = Field(description="whether it is used; else the shipped one")


def add_training(
    routes: APIRouter, store: AnnotationStore, queue: RequestQueue, trainings: TrainingQueue
) -> None:
    """Add the routes of trainings and models."""
    _add_trainings(routes, store, queue, trainings)
    _add_models(routes, store)


def _add_trainings(
    routes: APIRouter, store: AnnotationStore, queue: RequestQueue, trainings: TrainingQueue
) -> None:
    @routes.post(API + "/projects/{project}/train")
    async def train(request: Request, project: Id, form: TrainingRequest) -> dict[str, Any]:
        """Score and train a method on the annotator's marks, in a process of its own."""
        if form.method not in TRAINABLE:
            raise OptionError("method", form.method[:80], must_be_one_of(TRAINABLE))
        database = store.database
        await run_in_threadpool(database.project_name, project)
        listed = [number for number, *_ in await run_in_threadpool(database.list_projects)]
        client = JobClient(store, queue, request.state)
        chosen = listed if form.all_projects else [project]
        golds = {number: await client.gold(number, form.annotator) for number in chosen}
        golds = {number: gold for number, gold in golds.items() if gold["pages"]}
        if not golds:
            why = f"{form.annotator} has marked nothing yet; mark some pages first"
            raise HttpError(409, "NoLabels", why)
        files = list_all_files(database, golds)
        started = await run_in_threadpool(_start, trainings, database, project, form, files)
        return started.describe()

    @routes.get(API + "/projects/{project}/training")
    def show_training(project: Id) -> dict[str, Any]:
        """The last training of a project, its models, and the methods that can be trained."""
        store.database.project_name(project)
        last = trainings.last(project)
        return {
            "training": last.describe() if last else None,
            "models": ModelShelf(store.database).list_models(project),
            "methods": list(TRAINABLE),
            "corpora": Path(os.environ.get("PAGELET_DATA", "data")).is_dir(),
        }

    @routes.delete(API + "/trainings/{training}")
    def cancel_training(training: Id) -> dict[str, Any]:
        """Cancel a training; its process is ended."""
        found = trainings.find(training)
        found.stop()
        return found.describe()


def _start(
    trainings: TrainingQueue,
    database: Database,
    project: int,
    form: TrainingRequest,
    files: Iterator[tuple[str, bytes]],
) -> Training:
    """Start a training whose model is compared with the one that the project uses."""
    shelf = ModelShelf(database)
    return trainings.start(
        project,
        form.method,
        corpora=form.corpora,
        files=files,
        keep=partial(shelf.add, project, form.method),
        present=shelf.used_model(project, form.method),
    )


def _add_models(routes: APIRouter, store: AnnotationStore) -> None:
    @routes.put(API + "/models/{model}")
    def use_model(model: Id, form: UsedModel) -> dict[str, Any]:
        """Use a model for suggestions in its project, or the shipped one again."""
        ModelShelf(store.database).set_used(model, used=form.used)
        return {"id": model, "used": form.used}

    @routes.get(API + "/models/{model}/file")
    def download_model(model: Id) -> Response:
        """The model as the npz file that `--model` takes."""
        method, body = ModelShelf(store.database).read(model)
        headers = {"content-disposition": f'attachment; filename="{method}.npz"'}
        return Response(body, media_type="application/octet-stream", headers=headers)

    @routes.delete(API + "/models/{model}")
    def delete_model(model: Id) -> dict[str, Any]:
        """Delete a model."""
        ModelShelf(store.database).delete(model)
        return {"id": model}
