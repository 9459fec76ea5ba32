"""The files of the extension: what it may do, what it says, and the archives for the shops."""

import hashlib
import json
import os
import re
import uuid
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest
from PIL import Image
from scripts.draw_icons import SIZES, icon
from scripts.pack_extension import UNREAD, contents, manifest_for, pack

from tests.cases import case
from tests.extension.driving import EXTENSION, PAGE_FILES

MANIFEST = json.loads((EXTENSION / "manifest.json").read_text("utf-8"))
MESSAGES = json.loads((EXTENSION / "_locales" / "en" / "messages.json").read_text("utf-8"))
SCRIPTS = {
    path.relative_to(EXTENSION).as_posix(): path.read_text("utf-8")
    for path in EXTENSION.rglob("*.js")
}
HTML = {path.name: path.read_text("utf-8") for path in EXTENSION.glob("*.html")}
STAGES = {"reading", "collecting", "waiting"}  #: stages of an action, shown in the popup


def test_it_may_do_no_more_than_it_needs() -> None:
    assert MANIFEST["permissions"] == ["activeTab", "scripting"]
    assert MANIFEST["host_permissions"] == ["http://127.0.0.1/*", "http://localhost/*"]
    for name in ("content_scripts", "web_accessible_resources", "externally_connectable"):
        assert name not in MANIFEST
    assert not any(name.startswith("optional") for name in MANIFEST)


def test_its_policy_lets_nothing_in() -> None:
    policy = MANIFEST["content_security_policy"]["extension_pages"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert rules["script-src"] == rules["style-src"] == rules["img-src"] == "'self'"
    assert rules["connect-src"] == "http://127.0.0.1:* http://localhost:*"


def test_no_code_is_made_or_fetched() -> None:
    made = r"\beval\s*\(|new Function|innerHTML|outerHTML|insertAdjacentHTML|document\.write"
    fetched = r"import\s*\(|importScripts|https://"
    for name, script in SCRIPTS.items():
        with case(name):
            assert not re.search(f"{made}|{fetched}", script)
            addresses = set(re.findall(r"http://[\w.]+", script))
            assert addresses <= {"http://127.0.0.1", "http://localhost", "http://www.w3.org"}


def test_pages_have_no_script_and_no_style_of_their_own() -> None:
    for html in HTML.values():
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=", html)


def test_every_message_is_there_and_none_is_idle() -> None:
    code = "\n".join([*SCRIPTS.values(), *HTML.values(), json.dumps(MANIFEST)])
    quoted = set(re.findall(r"[\"']([a-zA-Z]+)[\"']", code)) | STAGES
    used = set(re.findall(r"\bmessage\(\"(\w+)\"", code)) | set(re.findall(r"__MSG_(\w+)__", code))
    used |= set(re.findall(r"data-(?:text|title|label)=\"(\w+)\"", code))
    used |= set(re.findall(r"Problem\(\"(\w+)\"", code)) | set(
        re.findall(r"problem: \"(\w+)\"", code)
    )
    used |= STAGES
    assert used <= set(MESSAGES)
    assert set(MESSAGES) <= quoted | used


def test_shops_take_the_words() -> None:
    assert len(MESSAGES["name"]["message"]) <= 45
    assert len(MESSAGES["description"]["message"]) <= 132


def test_versions_are_one() -> None:
    assert MANIFEST["version"] == version("pagelet")


def test_the_files_for_pages_are_all_and_in_order() -> None:
    named = re.search(r"FILES = \[(.*?)\]", SCRIPTS["work.js"], re.DOTALL)[1]
    assert [f"page/{name}.js" for name in re.findall(r"\"(\w+)\"", named)] == PAGE_FILES
    assert {name for name in SCRIPTS if name.startswith("page/")} == set(PAGE_FILES)


@pytest.mark.parametrize("size", SIZES)
def test_icons_are_those_that_the_script_draws(size: int) -> None:
    with Image.open(EXTENSION / "icons" / f"{size}.png") as kept:
        assert kept.size == (size, size)
        assert kept.convert("RGBA").tobytes() == icon(size).tobytes()


@pytest.mark.parametrize("browser", UNREAD)
def test_archives_have_the_same_bytes_every_time(
    browser: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack(browser, tmp_path / "one.zip")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    old = os.umask(0o077)
    pack(browser, tmp_path / "other.zip")
    os.umask(old)
    one, other = (
        hashlib.sha256((tmp_path / n).read_bytes()).digest() for n in ("one.zip", "other.zip")
    )
    assert one == other
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        assert archive.namelist() == sorted(contents(browser)) == list(contents(browser))
        assert not any(name.startswith("store/") for name in archive.namelist())


def test_each_browser_gets_what_it_reads() -> None:
    chromium, firefox = manifest_for("chromium"), manifest_for("firefox")
    assert chromium["background"] == {"service_worker": "background.js", "type": "module"}
    assert firefox["background"] == {"scripts": ["background.js"], "type": "module"}
    assert "browser_specific_settings" not in chromium
    assert firefox["browser_specific_settings"]["gecko"]["id"]


def test_its_name_in_firefox_claims_no_domain() -> None:
    """A UUID in braces; the other form, `name@domain`, is for owners of the domain."""
    name = MANIFEST["browser_specific_settings"]["gecko"]["id"]
    assert name == f"{{{uuid.UUID(name)}}}"
