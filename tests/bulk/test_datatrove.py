"""Real datatrove pipelines: pages in, content out, host by host across ranks."""

import json
import time
from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from datatrove.data import Document
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter

from pagelet import extract
from pagelet.bulk import datatrove as steps
from pagelet.bulk.batches import PAGE_COLUMNS
from pagelet.bulk.datatrove import GatherByHost, PageletExtractor, ScatterByHost
from pagelet.bulk.options import BulkOptions
from tests import hostile
from tests.methods.sites import NAMES, html_of

HOSTS = ("one.example", "two.example", "three.example")


def run(folder: Path, *pipeline: Any, tasks: int = 1) -> Any:
    """Run a pipeline rank by rank in this process, and give back its counts."""
    executor = LocalPipelineExecutor(
        list(pipeline), tasks=tasks, workers=1, logging_dir=str(folder), skip_completed=False
    )
    return executor.run()


def counts(stats: Any, name: str) -> dict[str, int]:
    """What a step counted."""
    (found,) = (step for step in stats.stats if name in step.name)
    return {key: int(value.total) for key, value in found.stats.items()}


def jsonl(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def pages(tmp_path) -> Path:
    """Pages of three hosts, mixed, in two files."""
    folder = tmp_path / "pages"
    folder.mkdir()
    for part in (0, 1):
        with (folder / f"{part}.jsonl").open("w") as file:
            for name in NAMES[part::2]:
                for host in HOSTS:
                    url = f"https://{host}/{name}.html"
                    line = {"text": html_of(name), "id": url, "url": url, "date": "2026-01-01"}
                    file.write(json.dumps(line) + "\n")
    return folder


def test_content_of_every_page(pages, tmp_path):
    out = JsonlWriter(str(tmp_path / "out"), "${rank}.jsonl", compression=None)
    stats = run(tmp_path / "log", JsonlReader(str(pages)), PageletExtractor(), out)
    found = {line["id"]: line for line in jsonl(tmp_path / "out" / "00000.jsonl")}
    assert len(found) == len(HOSTS) * len(NAMES)
    for host in HOSTS:
        for name in NAMES:
            url = f"https://{host}/{name}.html"
            assert found[url]["text"] == extract(html_of(name), url)
            told = found[url]["metadata"]
            assert told["date"] == "2026-01-01"  # what the reader said is kept
            assert set(PAGE_COLUMNS) - {"text"} <= set(told)
    assert counts(stats, "pagelet")["forwarded"] == len(found)


def test_pages_of_a_host_come_together_and_help(pages, tmp_path):
    groups = str(tmp_path / "groups")
    run(tmp_path / "log1", JsonlReader(str(pages)), ScatterByHost(groups, 5), tasks=2)
    out = JsonlWriter(str(tmp_path / "out"), "${rank}.jsonl", compression=None)
    pipeline = (GatherByHost(groups, 5), PageletExtractor(sample=5), out)
    stats = run(tmp_path / "log2", *pipeline, tasks=2)
    ranks = [jsonl(path) for path in sorted((tmp_path / "out").iterdir())]
    hosts = [[line["metadata"]["url"].split("/")[2] for line in lines] for lines in ranks]
    runs = [host for lines in hosts for host, _ in groupby(lines)]
    assert sorted(runs) == sorted(HOSTS)  # each in one rank, in one piece
    urls = Counter(line["id"] for lines in ranks for line in lines)
    assert len(urls) == len(HOSTS) * len(NAMES)
    assert set(urls.values()) == {1}
    assert counts(stats, "pagelet")["hosts_learned"] == len(HOSTS)
    shares = [line["metadata"]["template_share"] for lines in ranks for line in lines]
    assert all(0 < share < 1 for share in shares)


def documents(*htmls: str, host: str = HOSTS[0]) -> list[Document]:
    return [
        Document(html, str(at), metadata={"url": f"https://{host}/{at}"})
        for at, html in enumerate(htmls)
    ]


def test_markdown_and_other_columns():
    options = BulkOptions(columns=("markdown", "title"))
    (found,) = PageletExtractor(options).run(documents(html_of("index")))
    assert found.text == extract(html_of("index"), "https://one.example/0", format="markdown")
    assert set(found.metadata) == {"url", "title"}


def test_a_page_without_content_is_left_out():
    step = PageletExtractor()
    assert not list(step.run(documents("", "<nav><a href=/>Home</a></nav>")))
    assert step.stats["dropped"].total == 2


def slow(html: str, url: str | None, options: BulkOptions) -> dict[str, Any]:
    if html == "slow":
        time.sleep(600)
    if html == "dead":
        raise SystemExit
    return {"text": html}


def test_pages_that_run_over_their_time_or_end_the_process(monkeypatch):
    monkeypatch.setattr(steps, "page_row", slow)
    step = PageletExtractor(timeout=5.0)
    found = step.run(documents("a", "slow", "b", "dead", "c"))
    assert [document.text for document in found] == ["a", "b", "c"]
    assert step.stats["timeout"].total == 1
    assert step.stats["broken_process"].total == 1
    assert step.stats["total"].total == 5


def unlucky(*_: object) -> None:
    raise SystemExit


def test_a_host_that_cannot_be_learned_is_extracted_all_the_same(monkeypatch):
    monkeypatch.setattr(steps, "learn_host", unlucky)
    monkeypatch.setattr(steps, "page_row", slow)
    step = PageletExtractor(timeout=60.0, sample=4)
    assert [found.text for found in step.run(documents(*"abcdef"))] == list("abcdef")
    assert step.stats["hosts_unlearned"].total == 1


def test_hostile_pages():
    names = ("nested divs", "random markup", "NUL", "svg, mathml, template")
    sources = [hostile.source(name) for name in names]
    found = PageletExtractor(sample=4).run(documents(*sources, html_of("index")))
    assert "About index" in list(found)[-1].text
