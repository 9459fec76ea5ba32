"""Who may ask: hosts, origins, tokens; and what every answer carries."""

import os
import re
import time

import pytest

from pagelet.annotator.routes import ANNOTATOR
from pagelet.errors import OptionError
from pagelet.server.errors import HttpError
from pagelet.server.guards import IncomingRequest, check_access
from pagelet.server.pages import PAGES
from pagelet.server.run import startup_message
from pagelet.server.settings import Settings, is_loopback, load_token
from tests.server.serving import TOKEN

PAGE = {"html": "<p>words"}
BEARER = {"authorization": f"Bearer {TOKEN}"}
EXTENSION = {"origin": "chrome-extension://abcdefghijklmnopabcdefghijklmnop"}


def asked(service, **headers: str) -> int:
    own = {"host": f"127.0.0.1:{service.port}"}
    return service.post("/v1/menu", PAGE, headers=own | headers).status_code


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200),
        ("localhost", 200),
        ("LOCALHOST:9", 200),
        ("[::1]:80", 200),
        ("evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("localhost.evil.example", 421),
        ("10.0.0.1", 421),
        ("2130706433", 421),
        ("[::1", 421),
        ("", 421),
    ],
)
def test_hosts(service, host, status):
    assert asked(service, host=host) == status


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://127.0.0.1:{port}", 200),
        ("http://localhost:{port}", 403),
        ("http://127.0.0.1:1", 403),
        ("https://evil.example", 403),
        ("null", 403),
        ("", 403),
        ("chrome-extension://abc", 401),
        ("moz-extension://abc", 401),
    ],
)
def test_origins(service, origin, status):
    assert asked(service, origin=origin.format(port=service.port)) == status


@pytest.mark.parametrize(("site", "status"), [("same-origin", 200), ("none", 200),
                                              ("cross-site", 403), ("same-site", 403)])  # fmt: skip
def test_what_a_browser_says_of_the_site(service, site, status):
    assert asked(service, **{"sec-fetch-site": site}) == status


def test_a_token_lets_an_extension_in_but_no_page(service):
    cross = {"sec-fetch-site": "cross-site"}
    assert asked(service, **EXTENSION, **BEARER, **cross) == 200
    assert asked(service, **cross, **BEARER) == 200
    assert asked(service, origin="https://evil.example", **BEARER) == 403
    assert asked(service, authorization="Bearer wrong") == 401
    assert asked(service, **EXTENSION, authorization="Basic " + TOKEN) == 401


def test_only_an_extension_may_read_across(service):
    for origin, read in ((EXTENSION["origin"], True), ("https://evil.example", False)):
        told = service.post("/v1/menu", PAGE, headers={"origin": origin, **BEARER})
        assert (told.headers.get("access-control-allow-origin") == origin) is read
    with service.client() as client:
        leave = client.options(
            "/v1/menu", headers={**EXTENSION, "access-control-request-method": "POST"}
        )
        assert leave.status_code == 204
        assert "authorization" in leave.headers["access-control-allow-headers"]
        page = {"origin": "https://evil.example", "access-control-request-method": "POST"}
        assert client.options("/v1/menu", headers=page).status_code == 403


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "a/b"])
def test_bodies_that_any_page_could_send_are_not_read(service, kind):
    with service.client() as client:
        told = client.post("/v1/menu", content=b'{"html": ""}', headers={"content-type": kind})
    assert (told.status_code, told.json()["error"]) == (415, "UnknownBody")


def test_every_answer_is_guarded(service):
    with service.client() as client:
        answers = [
            client.get("/health"), client.get("/"), client.get("/nothing"), client.get("/v1/menu"),
            client.get("/health", headers={"host": "evil.example"}), client.get("/../etc/passwd"),
            client.post("/v1/menu", json=PAGE), client.post("/v1/menu", json={"html": 1}),
            client.get("/frame"), client.get("/static/shared/frame.html"),
        ]  # fmt: skip
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe-eval" not in policy
        assert ("unsafe-inline" in policy) == (answer.request.url.path == "/frame")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        framed = "SAMEORIGIN" if answer.request.url.path == "/frame" else "DENY"
        assert answer.headers["x-frame-options"] == framed
        assert answer.headers["x-request-id"]
        if answer.status_code >= 400:
            assert answer.json()["request"] == answer.headers["x-request-id"]


def test_a_frame_has_an_origin_of_its_own(service):
    with service.client() as client:
        policy = client.get("/frame").headers["content-security-policy"]
    assert policy.startswith("sandbox allow-scripts;")
    assert "allow-same-origin" not in policy


def logged(service, *words: str) -> bool:
    """Whether a line with all words is logged before long: the log is read beside the tests."""
    for _ in range(15_000):
        if any(all(word in line for word in words) for line in list(service.log)):
            return True
        time.sleep(0.02)
    return False


def test_request_ids_are_in_answers_and_in_the_log(service):
    with service.client() as client:
        for sent, kept in (("my-id_7", True), ("two words", False), ("x" * 65, False)):
            told = client.get("/health", headers={"x-request-id": sent})
            own = told.headers["x-request-id"]
            assert (own == sent) is kept
            assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", own)
            assert logged(service, own, "/health 200")


# -- off loopback -----------------------------------------------------------------------------


def call(path: str = "/v1/menu", method: str = "POST", **headers: str) -> IncomingRequest:
    sent = {"host": "192.0.2.7:8707", **headers}
    pairs = [(name.encode(), value.encode()) for name, value in sent.items()]
    return IncomingRequest.from_scope(
        {"method": method, "path": path, "headers": pairs}, {**PAGES, **ANNOTATOR.pages}
    )


def test_other_machines_need_the_token():
    open_to_all = Settings(host="0.0.0.0", token=TOKEN)
    for path in ("/v1/menu", "/annotate/api/projects", "/metrics", "/v1/methods"):
        with pytest.raises(HttpError, match="TokenNeeded"):
            check_access(call(path, "GET"), open_to_all)
        check_access(call(path, "GET", **BEARER), open_to_all)
    for path in ("/", "/annotate", "/static/explorer/main.js", "/health"):
        check_access(call(path, "GET"), open_to_all)
    with pytest.raises(HttpError, match="UnknownHost"):
        check_access(call(host="service.example", **BEARER), open_to_all)
    named = Settings(host="0.0.0.0", token=TOKEN, hosts=("Service.example",))
    check_access(call(host="service.example", **BEARER), named)


def test_no_service_for_other_machines_without_a_token():
    for host in ("0.0.0.0", "::", "192.0.2.7", "name.example"):
        with pytest.raises(OptionError, match="token"):
            Settings(host=host)
    with pytest.raises(OptionError, match="token"):
        Settings(require_token=True)
    with pytest.raises(OptionError, match="token"):
        Settings(token="short")


def test_the_token_is_told_where_no_server_is_sent_it():
    said = startup_message(Settings(host="::", token=TOKEN), 8707)
    assert said == f"pagelet is at http://[::]:8707/#token={TOKEN}"
    assert f"token {TOKEN}" in startup_message(Settings(token=TOKEN), 8707)


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("[::1]", True), ("localhost", True),
     ("0.0.0.0", False), ("::", False), ("10.0.0.1", False), ("a.example", False)],
)  # fmt: skip
def test_loopback(host, loopback):
    assert is_loopback(host) is loopback


def test_the_token_is_kept_where_only_its_owner_reads_it(tmp_path):
    path = tmp_path / "folder" / "token"
    made = load_token(path)
    assert len(made) >= 32
    assert load_token(path) == made
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    os.chmod(path, 0o644)
    with pytest.raises(OptionError, match="chmod 600"):
        load_token(path)
    with pytest.raises(OptionError):
        load_token(tmp_path)
