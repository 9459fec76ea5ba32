"""The description of the API for people, and what the service writes to its log."""

import time

from playwright.sync_api import expect

from tests.barriers import check_schemes
from tests.server.browsing import Explorer
from tests.server.serving import serving


def test_the_api_is_described_in_sentences(explorer, service):
    """Nothing comes from another host, which the fixture checks."""
    with service.client() as client:
        paths = client.get("/openapi.json").json()["paths"]
    operations = [operation for verbs in paths.values() for operation in verbs.values()]
    for operation in operations:
        about = operation.get("description") or operation["summary"]
        assert about[0].isupper(), about
        assert about.rstrip().endswith("."), about
        assert "partial" not in about
    shown = explorer(color_scheme="dark", viewport={"width": 390, "height": 800})
    shown.tab.goto(f"{service.url}/docs")
    expect(shown.tab.locator("section h2")).to_have_count(len(operations))
    content = shown.tab.locator("section", has_text="POST /v1/content").first
    expect(content).to_contain_text("Finds the main content")
    expect(content.locator("tbody tr").first).to_contain_text("html")
    untold = (
        "rows => rows.filter(row => !row.lastElementChild.textContent).map(row => row.innerText)"
    )
    assert shown.tab.locator(".wide tbody tr").evaluate_all(untold) == []
    check_examples(dict(zip(read(shown, "h2"), read(shown, "pre"), strict=True)))
    check_schemes(shown.tab)
    wide = shown.tab.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390


def read(shown: Explorer, part: str) -> list[str]:
    """The texts of a part of every section."""
    return [text.strip() for text in shown.tab.locator(f"section {part}").all_text_contents()]


def check_examples(examples: dict[str, str]) -> None:
    """Commands have a value for each part of the path, and send what the address takes."""
    assert not any("{" in command.split("-d")[0] for command in examples.values())
    assert examples["POST /annotate/api/projects"].endswith("""-d '{"name":"harbour"}'""")
    assert "1/marks" in (marking := examples["POST /annotate/api/pages/{page}/marks"])
    assert marking.endswith("""-d '{"annotator":"Ann","kind":"menu","rows":[1]}'""")
    assert "@pages.jsonl" in examples["POST /v1/content/batch"]
    assert "/gold?annotator=" in examples["GET /annotate/api/projects/{project}/gold"]


def test_requests_are_logged_for_those_who_ask(service, tmp_path):
    with service.client() as client:
        for path in ("/", "/static/shared/controls.css", "/health"):
            client.get(path)
    wait_for_line(service.log, "/health 200")
    assert not any("/static/" in line or " GET / 200" in line for line in service.log)
    flags = ("--no-render", "--workers", "1")
    with serving(tmp_path, *flags, verbose=False) as quiet, quiet.client() as client:
        client.get("/health")
        client.get("/no-such-address")
    assert quiet.log == []


def wait_for_line(log: list[str], words: str) -> None:
    for _ in range(15_000):
        if any(words in line for line in list(log)):
            return
        time.sleep(0.02)
    raise AssertionError(words)
