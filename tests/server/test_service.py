"""The service over HTTP: the same answers as the commands, in every form of request."""

import json
import socket
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pagelet.cli import app
from pagelet.methods import METHODS
from pagelet.methods.registry import option_fields
from tests import hostile

SITE = Path("examples/site")
PAGE = SITE / "news/wall-repair.html"
URL = "https://seeds.example/news/wall-repair.html"
OTHERS = [path for path in sorted((SITE / "news").glob("*.html")) if path != PAGE]
ALONE = [name for name, method in METHODS.items() if method.needs == ("page",)]


def page(**more) -> dict[str, object]:
    return {"html": PAGE.read_text(), "url": URL, **more}


def written(*arguments: str) -> str:
    told = CliRunner().invoke(app, list(arguments))
    assert told.exit_code == 0, told.output
    return told.stdout


def command(*arguments: str) -> dict[str, object]:
    """The answer of a command, without the encoding of the file: a service is sent text."""
    answer = json.loads(written(*arguments, "--format", "json"))
    assert answer.pop("charset") == "utf-8"
    return answer


@pytest.mark.parametrize(
    ("name", "profile"), [(name, profile) for name in ALONE for profile in METHODS[name].profiles]
)
def test_the_same_answer_as_the_command(service, name, profile):
    told = service.post(f"/v1/{name}", page(profile=profile))
    assert told.status_code == 200
    assert told.json() == command(name, str(PAGE), "--url", URL, "--profile", profile)


def test_a_method_without_the_profile_of_all_answers_by_its_default(service):
    told = service.post("/v1/inspect", page(profile="paper", methods=["menu", "links"])).json()
    assert {name: each["profile"] for name, each in told["methods"].items()} == {
        "menu": "paper",
        "links": "default",
    }
    refused = service.post("/v1/inspect", page(profile="mine"))
    assert refused.status_code == 422
    assert "must be default, paper or 2016" in refused.text


def test_options_are_those_of_the_command(service):
    told = service.post("/v1/menu", page(options={"min_score": 1, "share_penalty": 1}))
    assert told.json()["pagelets"] == []
    asked = service.post("/v1/clutter", page(options={"min_links": 3, "all": True}))
    assert asked.json() == command("clutter", str(PAGE), "--url", URL, "--min-links", "3", "--all")


def test_other_pages_of_the_site(service):
    others = [{"html": path.read_text(), "url": f"https://seeds.example/{path}"} for path in OTHERS]
    alone, told = (service.post("/v1/template", page(site=site)).json() for site in ([], others))
    assert "guess" not in told["template"]
    assert len(told["template"]["pages"]) > len(alone["template"]["pages"]) == 0


def test_words_that_were_searched_for(service):
    told = service.post("/v1/noise", page(query=["wall"])).json()
    assert "wall" in told["query"]["words"]


def test_the_bytes_of_a_page(service):
    with service.client() as client:
        sent = client.post(
            "/v1/content",
            params={"url": URL, "options": '{"favor": "recall"}'},
            content="<p>Это русский текст для проверки.".encode("windows-1251"),
            headers={"content-type": "text/html; charset=windows-1251"},
        )
    assert sent.json()["text"] == "Это русский текст для проверки."
    assert sent.json()["url"] == URL


def test_an_uploaded_file(service):
    with service.client() as client:
        sent = client.post(
            "/v1/menu",
            files={"file": ("page.html", PAGE.read_bytes())},
            data={"url": URL, "options": '{"min_score": 0.1}'},
        )
    answer = service.post("/v1/menu", page(options={"min_score": 0.1})).json()
    assert sent.json() == answer | {"charset": "utf-8"}  # bytes were decoded


@pytest.mark.parametrize(("format", "kind"), [("csv", "text/csv"), ("jsonl", "application/x-nd")])
def test_records_are_a_table(service, format, kind):
    found = SITE / "search-results-tomato.html"
    sent = {"html": found.read_text(), "url": URL, "format": format}
    answer = service.post("/v1/records", sent)
    assert answer.headers["content-type"].startswith(kind)
    assert len(answer.text.splitlines()) > 2
    said = written("records", str(found), "--url", URL, "--format", format)
    assert answer.text.strip() == said.strip()


@pytest.mark.parametrize(
    ("name", "format", "kind"),
    [
        ("content", "markdown", "text/markdown"),
        ("content", "text", "text/plain"),
        ("content", "csv", "text/csv"),
        ("content", "tei", "application/tei+xml"),
        ("menu", "html", "text/html"),
        ("noise", "html", "text/html"),
        ("template", "page", "text/html"),
    ],
)
def test_answers_as_text(service, name, format, kind):
    others = [{"html": path.read_text()} for path in OTHERS]
    site = {"site": others} if name == "template" else {}
    told = service.post(f"/v1/{name}", page(format=format, **site))
    assert told.headers["content-type"].startswith(kind)
    if kind == "text/html":
        assert told.headers["content-disposition"].startswith("attachment")
        assert told.headers["content-security-policy"].startswith("sandbox;")
    if name == "template":
        assert "Tomatoes in the fog" in told.text
        assert "By Tobias Wren" not in told.text
    else:
        said = written(name, str(PAGE), "--url", URL, "--format", format)
        assert told.text.strip() == said.strip()


# -- everything at once -----------------------------------------------------------------------


def test_inspect_tells_all_and_draws(service):
    told = service.post("/v1/inspect", page(query=["wall"])).json()
    assert list(told["methods"]) == ["content", "menu", "clutter", "links", "noise", "records"]
    assert told["title"].startswith("The west wall")
    kinds = {item["kind"] for one in told["methods"].values() for item in one["pagelets"]}
    assert kinds == {kind["name"] for kind in told["kinds"]}
    numbers = [number for one in told["methods"].values() for number in one["pagelets"]]
    menu = next(at for at, item in enumerate(numbers) if item["kind"] == "menu")
    above = zip(told["rows"]["parent"], told["rows"]["step"], strict=True)
    rows = dict(zip(told["rows"]["row"], above, strict=True))
    marked = [
        element for element in told["drawing"].split("<")
        if f'"{menu}"' in element or f" {menu} " in element or f'"{menu} ' in element
    ]  # fmt: skip
    row, steps = int(marked[0].split('data-row="')[1].split('"')[0]), []
    while row >= 0:
        row, step = rows[row]
        steps.append(step)
    assert "/" + "/".join(reversed(steps)) == numbers[menu]["path"]


def test_a_large_answer_is_brief_where_that_is_wanted(service):
    form = page(methods=["content", "menu"])
    whole, brief = (
        service.post("/v1/inspect", form | limit).json() for limit in ({"brief": 500}, {"brief": 1})
    )
    content, short = whole["methods"]["content"], brief["methods"]["content"]
    assert len(content["pagelets"]) > 1
    left_out = {"links", "reason", "why"}
    for given, least in zip(content["pagelets"], short["pagelets"], strict=True):
        assert least == {name: value for name, value in given.items() if name not in left_out}
    assert content.keys() - short.keys() == {"text", "markdown"}
    assert (short["brief"], "brief" in content) == (True, False)
    assert brief["methods"]["menu"] == whole["methods"]["menu"]  # one pagelet
    assert 'data-pagelet="' in whole["drawing"]
    assert 'data-pagelet="' not in brief["drawing"]
    assert "data-row" in brief["drawing"]


def test_inspect_takes_options_by_method(service):
    form = page(
        methods=["menu", "clutter"], profiles={"clutter": "paper"},
        options={"menu": {"min_score": 1, "share_penalty": 1}},
    )  # fmt: skip
    told = service.post("/v1/inspect", form).json()["methods"]
    assert list(told) == ["menu", "clutter"]
    assert told["menu"]["pagelets"] == []
    assert told["clutter"]["profile"] == "paper"


HOSTILE = """<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=//evil">
<link rel="stylesheet" href="//evil.example/a.css"><script>alert(1)</script>
<body onload="alert(2)"><img src="https://evil.example/p.png" onerror="alert(3)">
<a href="javascript:alert(4)" data-row="999" data-pagelet="999">x</a>
<form action="https://evil.example/"><input formaction="//evil"></form>
<iframe srcdoc="<script>alert(5)</script>"></iframe><style>p{background:url(//evil.example/b)}
@import "//evil.example/c";</style><p style="background:url('https://evil.example/d')">p</p>"""


def test_a_drawing_can_do_nothing(service):
    drawing = service.post("/v1/inspect", {"html": HOSTILE, "url": URL}).json()["drawing"]
    for word in ("<script", "alert", "onload", "onerror", "refresh", "evil.example/a", "srcdoc",
                 "evil.example/b", "evil.example/c", "evil.example/d", "evil.example/p",
                 "formaction", "<base", "<iframe", "stylesheet"):  # fmt: skip
        assert word not in drawing.lower(), word
    assert "999" not in drawing


# -- many pages -------------------------------------------------------------------------------


def test_a_batch_answers_line_by_line(service):
    lines = [
        json.dumps(page(id="first")), "", "no json",
        json.dumps({"html": "<p>x", "options": {"min_score": 7}, "id": {"any": 1}}),
        json.dumps({"html": PAGE.read_text(), "format": "html"}),
    ]  # fmt: skip
    with service.client() as client:
        sent = client.post(
            "/v1/menu/batch", content="\n".join(lines),
            headers={"content-type": "application/x-ndjson"},
        )  # fmt: skip
    told = [json.loads(line) for line in sent.text.splitlines()]
    assert [(line["line"], line["status"]) for line in told] == [
        (0, 200),
        (1, 400),
        (2, 422),
        (3, 200),
    ]
    assert told[0]["id"] == "first"
    assert told[0]["answer"] == service.post("/v1/menu", page()).json()
    assert (told[2]["id"], told[2]["error"]) == ({"any": 1}, "OptionError")
    assert told[3]["answer"].startswith("<!")


def test_a_batch_is_answered_while_it_is_sent(service):
    """The second line is sent only once the first is answered."""
    head = (
        f"POST /v1/clutter/batch HTTP/1.1\r\nHost: 127.0.0.1:{service.port}\r\n"
        "Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", service.port), 30) as line:
        answers = line.makefile("rb")
        line.sendall(head.encode())
        for number in range(3):
            sent = json.dumps({"html": "<p>one", "id": number}).encode() + b"\n"
            line.sendall(b"%x\r\n%s\r\n" % (len(sent), sent))
            while not (read := answers.readline()).startswith(b"{"):
                assert read
            assert json.loads(read)["id"] == number
        line.sendall(b"0\r\n\r\n")
        assert answers.readline() == b"\r\n"
        assert answers.readline() == b"0\r\n"


# -- what the service tells of itself ---------------------------------------------------------


def test_the_methods_with_their_options(service):
    with service.client() as client:
        told = client.get("/v1/methods").json()
    assert [method["name"] for method in told["methods"]] == list(METHODS)
    menu = next(method for method in told["methods"] if method["name"] == "menu")
    fields = [field.name for field in option_fields(METHODS["menu"].options)]
    local = ("model", "explain")
    assert [option["name"] for option in menu["options"]] == [n for n in fields if n not in local]
    score = menu["options"][0]
    assert (score["type"], score["low"], score["high"]) == ("number", 0, 1)
    assert menu["profiles"]["paper"]["candidate_threshold"] == 0.85
    assert told["fetch"] is False


def test_methods_name_the_fields_of_their_requests(service):
    with service.client() as client:
        told = client.get("/v1/methods").json()["methods"]
        schemas = client.get("/openapi.json").json()
    for method in told:
        form = schemas["components"]["schemas"][f"{method['name'].capitalize()}Request"]
        assert {*method["needs"], *method["uses"]} <= {*form["properties"]}
        operation = schemas["paths"][f"/v1/{method['name']}"]["post"]
        upload = operation["requestBody"]["content"]["multipart/form-data"]["schema"]
        assert {*upload["properties"]} == {"file", *form["properties"]}


def test_a_page_without_title_has_none(service):
    assert service.post("/v1/inspect", {"html": "<p>x", "methods": []}).json()["title"] is None


def test_the_description_lists_options_with_limits(service):
    with service.client() as client:
        told = client.get("/openapi.json").json()
    assert told["openapi"].startswith("3.1")
    options = told["components"]["schemas"]["MenuOptions"]["properties"]
    assert (options["min_score"]["minimum"], options["min_score"]["maximum"]) == (0, 1)
    about = "minimum score of a menu; below it, the page has none (default profile)"
    assert options["min_score"]["description"] == about
    assert "model" not in options
    assert set(told["components"]["schemas"]["ContentRequest"]["properties"]["format"]["enum"]) == {
        "json", "text", "markdown", "html", "json-compact", "csv", "tei",
    }  # fmt: skip


def test_counts_are_exposed(service):
    service.post("/v1/menu", {"html": "<p>x"})
    service.post("/v1/menu", {"html": 7})
    with service.client() as client:
        lines = client.get("/metrics").text.splitlines()
    values = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    assert int(values['pagelet_requests_total{route="/v1/menu",status="200"}']) >= 1
    assert int(values['pagelet_refused_total{error="OptionError"}']) >= 1
    whole = values['pagelet_request_seconds_count{route="/v1/menu"}']
    assert values['pagelet_request_seconds_bucket{route="/v1/menu",le="+Inf"}'] == whole
    assert values["pagelet_requests_waiting"] == "0"


# -- any page ---------------------------------------------------------------------------------

#: those that are not large: the large ones are in the soak
SMALL = ["empty str", "frameset", "NUL", "svg, mathml, template", "duplicate ids", "deep menus"]


def _strict(word: str) -> object:
    raise AssertionError(f"{word} is no JSON")


@pytest.mark.parametrize("name", SMALL)
def test_hostile_pages_are_answered(service, name):
    source = hostile.SOURCES[name]()
    for method in (*ALONE, "inspect"):
        told = service.post(f"/v1/{method}", {"html": source})
        assert told.status_code == 200, (method, told.text[:200])
        json.loads(told.text, parse_constant=_strict)


def test_halves_of_signs_are_replaced(service):
    with service.client() as client:
        sent = client.post(
            "/v1/content", content=b'{"html": "<p>one \\ud800 two and three words"}',
            headers={"content-type": "application/json"},
        )  # fmt: skip
    assert sent.json()["text"] == "one ? two and three words"
