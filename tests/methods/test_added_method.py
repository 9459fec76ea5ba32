"""A method that is added to the registry appears in every interface without another edit."""

import ast
import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from scripts.write_docs import options_table

import pagelet
from pagelet import METHODS, Page, Pagelet, Pagelets, parse
from pagelet.cli import make_app
from pagelet.errors import OptionError
from pagelet.mcp.tools import Permission, call, input_schema
from pagelet.methods.registry import (
    Evidence,
    Method,
    Options,
    Profile,
    option,
    option_fields,
    remote_options,
    with_defaults,
)
from pagelet.server.app import create_app
from pagelet.server.bodies import Job
from pagelet.server.descriptions import describe_service
from pagelet.server.requests import option_model
from pagelet.server.settings import Settings
from pagelet.server.work import WorkerContext, reply_to
from tests.places import ROOT, SITE

HTML = "<title>t</title><p>hello"
INTERFACES = ("cli", "server", "mcp", "annotator", "report", "bulk", "api.py", "context.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class EchoOptions(Options):
    """Options of the added method."""

    loud: bool = option(default=False, help="answer in capital letters")
    words: str = option("", "file with words that are left out", file=True)


PaperEchoOptions = with_defaults("PaperEchoOptions", EchoOptions, "paper", loud=True)


def echo(page: Page, options: EchoOptions, evidence: Evidence) -> Pagelets:
    data = evidence.files.get(options.words, b"")
    items = (Pagelet(page, (page.body,), "echo", 1.0, {"left_out": len(data)}),)
    return Pagelets(page, "echo", options.profile, items)


def write_text(result: Pagelets, options: EchoOptions) -> str:
    return result[0].text.upper() if options.loud else result[0].text


ECHO = Method(
    name="echo",
    summary="the words of a page again",
    paper="nobody: nothing",
    profiles={
        "default": Profile(echo, EchoOptions(), "our values"),
        "paper": Profile(echo, PaperEchoOptions(), "the publication's values"),
    },
    kinds=("echo",),
    formats=("text", "json", "shout"),
    writers={"text": write_text, "shout": lambda result, _: f"{result[0].text}!"},
    notes=lambda result, _options, _format: [f"{len(result)} echo"],
)


@pytest.fixture(autouse=True)
def added(monkeypatch):
    monkeypatch.setitem(METHODS, "echo", ECHO)


def test_on_the_command_line(tmp_path, monkeypatch, capsys):
    page = tmp_path / "page.html"
    page.write_text(HTML)

    def run(*arguments: str) -> tuple[str, str]:
        with pytest.raises(SystemExit) as ended:
            make_app("echo")([*arguments])
        assert ended.value.code == 0
        return capsys.readouterr()

    assert run("echo", str(page), "--loud") == ("HELLO\n", "1 echo\n")
    assert run("echo", str(page), "--format", "shout") == ("hello!\n", "1 echo\n")
    assert json.loads(run("echo", str(page), "-f", "json")[0])["method"] == "echo"
    assert "the words of a page again" in run("echo", "--help")[0].replace("The words", "the words")


def ask(name: str, **form: object) -> tuple[int, str]:
    """The reply of the service to a request, as a worker makes it."""
    reply = reply_to(Job(name, json.dumps(form).encode()), WorkerContext(Settings()))
    return reply.status, reply.body.decode()


def test_over_http():
    described = {each["name"]: each for each in describe_service(Settings())["methods"]}
    assert [each["name"] for each in described["echo"]["options"]] == ["loud"]
    paths = create_app(Settings()).openapi()["paths"]
    assert {"/v1/echo", "/v1/echo/batch"} <= set(paths)
    assert ask("echo", html=HTML, options={"loud": True}, format="text") == (200, "HELLO")
    status, body = ask("echo", html=HTML, profile="paper")
    assert (status, json.loads(body)["profile"]) == (200, "paper")


def test_as_a_tool():
    assert set(input_schema(ECHO, fetch=False)["properties"]) == {"html", "url", "profile", "loud"}
    text, form = call("echo", {"html": HTML, "loud": True}, Permission())
    assert json.loads(text) == form
    assert form["pagelets"][0]["text"] == "hello"


def test_in_python_and_the_docs():
    assert pagelet.analyse(HTML, "echo", loud=True)[0].text == "hello"
    assert "| `--loud`, `--no-loud` | yes or no | no | yes | answer in capital letters |" in (
        options_table("echo")
    )


# -- options that name files --------------------------------------------------------------------


def test_a_file_is_read_for_local_callers_alone(tmp_path):
    words = tmp_path / "words.txt"
    words.write_text("abc")
    found = pagelet.analyse(HTML, "echo", words=str(words))
    assert found[0].reason == {"left_out": 3}
    assert "words" not in option_model("echo").model_fields
    assert ask("echo", html=HTML, options={"words": str(words)})[0] == 422
    with pytest.raises(OptionError, match="a client may not name files"):
        call("echo", {"html": HTML, "words": str(words)}, Permission())


def test_every_option_that_names_a_file_is_closed_to_the_network():
    files = {
        f"{name}.{field.name}"
        for name, method in METHODS.items()
        for field in option_fields(method.options)
        if field.file
    }
    trained = ("clutter", "content", "links", "menu", "noise", "records", "segments")
    models = {f"{name}.model" for name in trained}
    assert files == {"content.rules", "echo.words", *models}
    for method in METHODS.values():
        assert not [field.name for field in remote_options(method.options) if field.file]


# -- no interface asks for a method by name --------------------------------------------------------


def comparisons_with_methods(path: Path) -> list[str]:
    """Places where a name of a method is compared, or looked up in the registry."""
    names = set(METHODS) - {"echo"}
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        parts: list[ast.expr] = []
        if isinstance(node, ast.Compare) and not ast.unparse(node.left).endswith("kind"):
            parts = [node.left, *node.comparators]
        elif isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith("METHODS"):
            parts = [node.slice]
        elif isinstance(node, ast.MatchValue):
            parts = [node.value]
        constants = [each for part in parts for each in ast.walk(part)]
        named = [each for each in constants if isinstance(each, ast.Constant)]
        if any(each.value in names for each in named if isinstance(each.value, str)):
            found.append(f"{path.relative_to(ROOT)}:{node.lineno} {ast.unparse(node)}")
    return found


def test_no_interface_asks_for_a_method_by_name():
    source = ROOT / "src" / "pagelet"
    files = [
        file
        for name in INTERFACES
        for file in (source.joinpath(name).rglob("*.py") if "." not in name else [source / name])
    ]
    assert len(files) > 50
    assert [place for file in files for place in comparisons_with_methods(file)] == []


def test_a_comparison_would_be_found(tmp_path, monkeypatch):
    monkeypatch.setattr("tests.methods.test_added_method.ROOT", tmp_path)
    file = tmp_path / "interface.py"
    file.write_text('if method.name == "menu" or METHODS["content"] or name in ("noise", "x"): ...')
    assert len(comparisons_with_methods(file)) == 3


def test_the_sample_page_is_answered_by_every_method_that_can():
    from pagelet.context import Context  # noqa: PLC0415 - beside its use

    context = Context(parse((SITE / "index.html").read_bytes()))
    assert [method.name for method in context.runnable()] == [
        *("content", "menu", "clutter", "links", "records", "echo")
    ]
