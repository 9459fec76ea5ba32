"""The tools, asked by a real client over standard input and output."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal
from mcp import ClientSession, MCPError, StdioServerParameters, stdio_client

from pagelet import METHODS, extract, parse
from pagelet.errors import OptionError
from pagelet.mcp.tools import Permission, call, cut, field_schema, input_schema
from pagelet.methods.registry import option_fields
from tests import hostile
from tests.methods.sites import HOST, NAMES, html_of
from tests.sources.test_site import framed
from tests.sources.unruly import forbidden, unruly

PAGE, URL = html_of("news/one"), f"{HOST}/news/one.html"
TOOLS = list(METHODS)
SITE = [{"html": html_of(name), "url": f"{HOST}/{name}.html"} for name in NAMES[2:6]]


class Client:
    """A client whose calls wait for their answers."""

    def __init__(self, portal: Any, session: ClientSession) -> None:
        self._portal, self.session = portal, session

    def tools(self) -> dict[str, Any]:
        return {tool.name: tool for tool in self._portal.call(self.session.list_tools).tools}

    def call(self, name: str, **arguments: Any) -> Any:
        return self._portal.call(self.session.call_tool, name, arguments)

    def text(self, name: str, **arguments: Any) -> str:
        answer = self.call(name, **arguments)
        assert not answer.is_error, answer.content
        (block,) = answer.content
        return block.text

    def error(self, name: str, **arguments: Any) -> str:
        answer = self.call(name, **arguments)
        assert answer.is_error
        assert answer.structured_content is None
        return answer.content[0].text


@contextmanager
def connected(*flags: str, log: Path) -> Iterator[Client]:
    """A client and the server it started."""
    said = ["-c", "from pagelet.cli import main; main()", "mcp", *flags]
    started = StdioServerParameters(command=sys.executable, args=said, env=dict(os.environ))
    with log.open("w") as errors, start_blocking_portal() as portal:
        streams = portal.wrap_async_context_manager(stdio_client(started, errlog=errors))
        with (
            streams as (read, write),
            portal.wrap_async_context_manager(ClientSession(read, write)) as session,
        ):
            portal.call(session.initialize)
            yield Client(portal, session)


@pytest.fixture(scope="module")
def client(tmp_path_factory) -> Iterator[Client]:
    with connected(log=tmp_path_factory.mktemp("mcp") / "log") as found:
        yield found


# -- what is offered --------------------------------------------------------------------------


def test_every_tool_is_listed_with_its_options(client):
    found = client.tools()
    assert list(found) == TOOLS
    for name, tool in found.items():
        assert tool.input_schema == input_schema(METHODS[name], fetch=False)
        assert tool.annotations.read_only_hint
        assert not tool.annotations.open_world_hint


@pytest.mark.parametrize("name", TOOLS)
def test_options_come_from_the_registry(name):
    found = input_schema(METHODS[name], fetch=False)["properties"]
    for field in option_fields(METHODS[name].options):
        assert (field.name in found) == (not field.file and not field.local)
        if field.name in found:
            assert found[field.name] == field_schema(field)


def test_an_option_as_schema():
    options = {field.name: field for field in option_fields(METHODS["template"].options)}
    assert field_schema(options["loads"]) == {
        "type": "integer", "default": 8, "description": "maximum pages of the site to load",
        "minimum": 1, "maximum": 1000,
    }  # fmt: skip
    options = {field.name: field for field in option_fields(METHODS["content"].options)}
    assert field_schema(options["favor"])["enum"] == ["balanced", "precision", "recall"]
    assert field_schema(options["keep"])["items"] == {"type": "string"}
    assert field_schema(options["links"])["type"] == "boolean"


def test_a_page_is_required_unless_it_may_be_loaded():
    assert input_schema(METHODS["menu"], fetch=False)["required"] == ["html"]
    assert "required" not in input_schema(METHODS["menu"], fetch=True)


# -- what is answered -------------------------------------------------------------------------


def test_content(client):
    assert client.text("content", html=PAGE, url=URL) == extract(PAGE, URL, format="markdown")
    assert client.text("content", html=PAGE, format="text") == extract(PAGE)
    dropped = client.text("content", html=PAGE, drop=["h1"], format="text")
    assert dropped == extract(PAGE, drop=["h1"]) != extract(PAGE)


def test_the_json_form(client):
    answer = client.call("content", html=PAGE, url=URL, format="json")
    assert answer.structured_content == json.loads(extract(PAGE, URL, format="json"))
    assert json.loads(answer.content[0].text) == answer.structured_content


def test_menu_and_clutter(client):
    found = client.call("menu", html=PAGE, url=URL).structured_content
    assert found["method"] == "menu"
    assert {link["href"] for link in found["pagelets"][0]["links"]} >= {
        URL,
        f"{HOST}/shop/tea.html",
    }
    paper = client.call("menu", html=PAGE, url=URL, profile="paper").structured_content
    assert paper["profile"] == "paper"
    assert client.call("clutter", html=PAGE).structured_content["method"] == "clutter"


def test_template(client):
    found = client.call("template", html=PAGE, url=URL, site=SITE, format="json")
    told = found.structured_content["template"]
    assert told["known"]
    assert set(told["pages"]) <= {page["url"] for page in SITE}
    own = client.text("template", html=PAGE, url=URL, site=SITE)
    assert "About news/one" in own
    assert "All rights reserved" not in own
    emptied = client.text("template", html=PAGE, url=URL, site=SITE, format="page")
    assert "All rights reserved" in emptied
    assert "About news/one" not in emptied


def test_segments_ask_the_network_for_nothing(client):
    with forbidden() as (place, visited):
        script = "<script>document.body.append('Scripted words that are seen')</script>"
        picture = f"<img src='http://{place}/a.png'><link rel=stylesheet href='http://{place}/'>"
        answer = client.call(
            "segments", html=PAGE + picture + script, url=f"http://{place}/", method="bcs"
        )
        assert not visited()
    found = answer.structured_content
    assert found["method"] == "segments"
    boxes = [item["box"] for item in found["pagelets"]]
    assert boxes
    assert all(right > left and bottom > top for left, top, right, bottom in boxes)
    texts = " ".join(item["text"] for item in found["pagelets"])
    assert "About news/one" in texts
    assert "Scripted" not in texts


@pytest.mark.parametrize("fetch", [False, True])
def test_a_given_page_is_drawn_without_network_and_scripts(fetch, monkeypatch):
    asked = []

    def render(source, options, limits):
        asked.append((source, options))
        raise OptionError("stop", "", "seen")

    monkeypatch.setattr("pagelet.sources.browser.render.render", render)
    for said in ({"html": PAGE, "url": URL}, {"url": URL}):
        with pytest.raises(OptionError, match="seen" if fetch or "html" in said else "--allow-"):
            call("segments", said, Permission(fetch=fetch))
    assert [(options.network, options.javascript) for _, options in asked] == [
        ("off", "off"), ("auto", "auto")
    ][: 1 + fetch]  # fmt: skip
    assert [source for source, _ in asked[1:]] == [URL] * fetch


def test_a_hostile_page_is_answered_and_the_next_one_too(client):
    for name in ("nested divs", "random markup", "lone surrogates", "NUL", "empty str"):
        source = hostile.source(name)
        assert isinstance(source, str)
        plain = source.encode("utf-8", "replace").decode()  # JSON carries no lone surrogate
        why = "the page has no text" if name == "empty str" else "all text was dropped"
        expected = cut(extract(plain), 0, 100_000) or f"no content: {why}"
        assert client.text("content", html=plain, format="text") == expected
        assert "pagelets" in client.call("menu", html=plain).structured_content
    assert client.text("content", html=PAGE)


LONG = "<article>" + "".join(f"<p>Sentence number {at} of many.</p>" for at in range(9000))


def test_a_long_answer_goes_on_where_it_was_cut(client):
    whole, start, parts = extract(LONG), 0, []
    while True:
        part = client.text("content", html=LONG, format="text", start=start)
        text, _, note = part.partition("\n\n[characters ")
        parts.append(text)
        if not note:
            break
        start = int(note.partition("start=")[2].rstrip("]"))
    assert len(parts) > 1
    assert "".join(parts) == whole


def test_a_long_json_form_is_refused(client):
    told = client.error("content", html=LONG, format="json")
    assert "start the server with more --max-chars" in told


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        (0, "abc\n\n[characters 0 to 3 of 7; go on with start=3]"),
        (3, "def\n\n[characters 3 to 6 of 7; go on with start=6]"),
        (6, "g"),
        (4, "efg"),
        (9, ""),
    ],
)
def test_cut(start, expected):
    assert cut("abcdefg", start, 3) == expected


# -- what is refused --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("content", {}, "OptionError: option html: give the page, as HTML"),
        ("content", {"html": 7}, "OptionError: option html = 7: must be a string"),
        ("content", {"html": "", "favor": "luck"}, "must be balanced, precision or recall"),
        ("content", {"html": "", "keep": "h1"}, "must be a list of strings"),
        ("content", {"html": "", "keep": ["h1["]}, "OptionError: option keep"),
        ("content", {"html": "", "format": "pdf"}, "must be markdown, text, html, json"),
        ("content", {"html": "", "start": -1}, "must be a whole number, 0 or more"),
        ("content", {"html": "", "start": True}, "must be a whole number, 0 or more"),
        ("content", {"html": "", "luck": 1}, "content has no such option"),
        ("content", {"html": "", "profile": "ours"}, "must be default or paper"),
        ("template", {"html": "", "loads": 0}, "must be between 1 and 1,000"),
        ("template", {"html": "", "site": "x"}, "must be a list of at most 50 objects"),
        ("template", {"html": "", "site": [{}] * 51}, "must be a list of at most 50 objects"),
        ("segments", {"html": "", "threshold": "much"}, "must be auto or a number between 0 and 1"),
        ("menu", {"html": "", "start": 1, "format": "text"}, "must be json"),
        ("content", {"html": "", "rules": "/etc/passwd"}, "a client may not name files"),
        ("content", {"html": "", "model": "x.npz"}, "a client may not name files"),
        ("template", {"html": "", "template": "x.json"}, "template has no such option"),
        ("menu", {"url": "https://small.example/"}, "start it with --allow-fetch"),
        ("menu", {"url": "/etc/passwd"}, "start it with --allow-fetch"),
    ],
)
def test_mistakes_are_told(client, name, arguments, told):
    assert told in client.error(name, **arguments)


def test_a_tool_that_is_not_there(client):
    with pytest.raises(MCPError, match="no tool 'noises'; there are content, menu"):
        client.call("noises", html=PAGE)


# -- loading ----------------------------------------------------------------------------------


def test_pages_are_loaded_where_that_is_allowed(tmp_path):
    with unruly() as site:
        for name in ("one", "two", "three", "four"):
            site.serve(f"/{name}.html", framed(f"What {name} says is its own"))
        flags = ("--allow-fetch", "--no-cache", "--delay", "0", "--allow-private", site.place)
        with connected(*flags, log=tmp_path / "log") as client:
            assert client.tools()["menu"].annotations.open_world_hint
            text = client.text("content", url=f"{site.url}/one.html", format="text")
            assert "What one says" in text
            found = client.call("template", url=f"{site.url}/one.html", format="json")
            told = found.structured_content["template"]
            assert told["known"]
            assert told["loads"] == 3
            drawn = client.call(
                "segments", url=f"{site.url}/one.html", method="bcs"
            ).structured_content
            assert any("What one says" in item["text"] for item in drawn["pagelets"])
            assert "UnsafeAddress" in client.error("segments", url="http://127.0.0.1:9/")
            assert "UnsafeAddress" in client.error("content", url="http://127.0.0.1:9/")
            assert "UnsafeAddress" in client.error("content", url="http://169.254.169.254/latest")
            assert "give an http or https address" in client.error("content", url="/etc/passwd")
            assert "UnsafeAddress" in client.error("content", url="file:///etc/passwd")


# -- the wire ---------------------------------------------------------------------------------


HELLO = {"protocolVersion": "2024-11-05", "capabilities": {},
         "clientInfo": {"name": "test", "version": "0"}}  # fmt: skip


@contextmanager
def started(*flags: str) -> Iterator["subprocess.Popen[str]"]:
    """A server that is spoken to in lines."""
    command = [sys.executable, "-c", "from pagelet.cli import main; main()", "mcp", *flags]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        send(process, 1, "initialize", HELLO)
        assert answer_to(process, 1)["result"]
        send(process, None, "notifications/initialized")
        yield process
        process.stdin.close()
        assert process.wait(300) == 0


def send(process, id: int | None, method: str, params: object = None) -> None:
    message = {"jsonrpc": "2.0", "method": method} | ({"id": id} if id else {})
    process.stdin.write(json.dumps(message | ({"params": params} if params else {})) + "\n")
    process.stdin.flush()


def send_call(process, id: int, html: str) -> None:
    arguments = {"html": html, "format": "text"}
    send(process, id, "tools/call", {"name": "content", "arguments": arguments})


def answer_to(process, id: int) -> Any:
    while True:
        answer = json.loads(process.stdout.readline())
        if answer.get("id") == id:
            return answer


def text_of(answer: Any) -> str:
    return answer["result"]["content"][0]["text"]


def stop_worker(process) -> int:
    """The worker of a server, made to stand still: whatever it is given takes for ever."""
    tasks = Path(f"/proc/{process.pid}/task").iterdir()
    (worker,) = {int(child) for task in tasks for child in (task / "children").read_text().split()}
    os.kill(worker, signal.SIGSTOP)
    return worker


def wait_until_gone(worker: int) -> None:
    for _ in range(30_000):
        if not Path(f"/proc/{worker}").exists():
            return
        time.sleep(0.01)
    raise AssertionError("the worker is left over")


def test_a_call_that_takes_too_long_is_ended():
    with started("--call-timeout", "5") as process:
        send_call(process, 2, PAGE)
        assert text_of(answer_to(process, 2)) == extract(parse(PAGE))
        worker = stop_worker(process)
        send_call(process, 3, PAGE)
        answer = answer_to(process, 3)
        assert answer["result"]["isError"]
        assert text_of(answer).startswith("OverTime: content: took more than 5 seconds")
        wait_until_gone(worker)
        send_call(process, 4, PAGE)
        assert text_of(answer_to(process, 4)) == extract(parse(PAGE))


def test_a_call_that_is_cancelled_is_ended():
    """A call that is cancelled before it begins leaves the worker alone; then another is sent."""
    with started("--call-timeout", "600") as process:
        send_call(process, 2, PAGE)
        answer_to(process, 2)
        worker, number = stop_worker(process), 2
        while Path(f"/proc/{worker}").exists():
            number += 1
            assert number < 300
            send_call(process, number, PAGE)
            time.sleep(0.2)
            send(process, None, "notifications/cancelled", {"requestId": number})
            time.sleep(0.5)
        send_call(process, number + 1, PAGE)
        assert text_of(answer_to(process, number + 1)) == extract(parse(PAGE))


def test_a_closed_input_ends_a_call():
    with started("--call-timeout", "600") as process:
        send_call(process, 2, PAGE)
        answer_to(process, 2)
        worker = stop_worker(process)
        send_call(process, 3, PAGE)
    wait_until_gone(worker)


def test_a_lone_surrogate_is_answered():
    with started() as process:
        send_call(process, 2, "<p>one \ud800 two")
        assert text_of(answer_to(process, 2)) == extract("<p>one ? two")


def test_output_is_the_protocol_and_nothing_else():
    hello = {"protocolVersion": "2024-11-05", "capabilities": {},
             "clientInfo": {"name": "test", "version": "0"}}  # fmt: skip
    asked = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call",
         "params": {"name": "content", "arguments": {"html": PAGE, "format": "text"}}},
    ]  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-c", "from pagelet.cli import main; main()", "mcp"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    for message in asked:
        process.stdin.write(json.dumps(message) + "\n")
        process.stdin.write("this is no JSON\n" if message.get("id") == 1 else "")
    process.stdin.flush()
    lines = []
    while not any(line.get("id") == 2 for line in lines):
        lines.append(json.loads(process.stdout.readline()))
    process.stdin.close()
    assert process.stdout.read() == ""
    assert process.wait(300) == 0
    process.stdout.close()
    assert all(line["jsonrpc"] == "2.0" for line in lines)
    (answer,) = (line for line in lines if line.get("id") == 2)
    assert answer["result"]["content"][0]["text"] == extract(parse(PAGE))
