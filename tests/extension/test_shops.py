"""What takes longer: the linter of Firefox's shop, and Firefox itself with the extension in it."""

import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from scripts.pack_extension import pack

from tests.extension import firefox
from tests.extension.driving import ACTIONS, EXTENSION, TOKEN, Pages
from tests.extension.test_actions import FOUND

pytestmark = pytest.mark.soak
NAME = json.loads((EXTENSION / "manifest.json").read_text("utf-8"))["browser_specific_settings"]
ESCAPE = "\ue00c"  #: as drivers of browsers call the key
PACKED = {
    "KEY_FIREFOX_ANDROID_UNSUPPORTED_BY_MIN_VERSION",  # says that no data is collected; from 142 on
    "UNSUPPORTED_API",  # chrome.dom is looked for before it is used
}
UNPACKED = PACKED | {"BACKGROUND_SERVICE_WORKER_IGNORED"}  # Firefox reads `scripts` beside it
NEWS = "return document.querySelector('#news.done, #news.problem')?.textContent"
PAIR = """const by = (id) => document.getElementById(id);
by("address").value = arguments[0]; by("token").value = arguments[1];
document.querySelector("#service button").click();"""


@pytest.mark.parametrize("packed", [False, True])
def test_the_linter_finds_no_error(packed: bool, tmp_path: Path) -> None:
    source = EXTENSION
    if packed:
        source = tmp_path / "packed.zip"
        pack("firefox", source)
    assert shutil.which("npx"), "npx is missing: install the package npm"
    command = ["npx", "--yes", "web-ext@10", "lint", "--output", "json", "--self-hosted"]
    command += ["--source-dir", str(source), "--ignore-files", "store/**"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    told = json.loads(done.stdout[done.stdout.index("{") :])
    assert told["errors"] == []
    assert {warning["code"] for warning in told["warnings"]} == (PACKED if packed else UNPACKED)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[firefox.Marionette]:
    with firefox.running(tmp_path_factory.mktemp("firefox")) as started:
        started.ask("Addon:Install", path=str(EXTENSION), temporary=True)
        yield started


@pytest.fixture
def base(session: firefox.Marionette) -> str:
    ask = f"return WebExtensionPolicy.getByID('{NAME['gecko']['id']}').mozExtensionHostname"
    return f"moz-extension://{session.privileged(ask)}"


@pytest.mark.parametrize("action", ACTIONS)
def test_each_action_in_firefox(
    action: str, session: firefox.Marionette, base: str, site: Pages, service: str
) -> None:
    url = f"{site.url}/news/wall-repair.html?{action}"
    page = session.open(url)
    before = session.run("return document.documentElement.outerHTML")
    popup = session.open(f"{base}/popup.html")
    find = "return browser.tabs.query({}).then((all) => all.find((t) => t.url === arguments[0]).id)"
    session.ask("WebDriver:Navigate", url=f"{base}/popup.html?tab={session.run(find, url)}")
    session.wait("return document.body.dataset.ready")
    session.run(PAIR, service, TOKEN)
    assert session.wait(NEWS) == "Connected. The service accepts the token."
    session.run("document.querySelector(`[data-action=${arguments[0]}]`).click()", action)
    assert session.wait(NEWS) == FOUND[action]
    session.turn_to(page)
    assert session.run("return document.querySelectorAll('pagelet-overlay').length") == 1
    press = [{"type": kind, "value": ESCAPE} for kind in ("keyDown", "keyUp")]
    keys = {"type": "key", "id": "keys", "actions": press}
    session.ask("WebDriver:PerformActions", actions=[keys])
    assert session.run("return document.documentElement.outerHTML") == before
    session.turn_to(popup)
    known = set(session.ask("WebDriver:GetWindowHandles"))
    session.run("document.querySelector('#open').click()")
    session.turn_to(new_window(session, known))
    assert session.wait("return document.querySelector('#views button')?.textContent")


def new_window(session: firefox.Marionette, known: set[str]) -> str:
    ends = time.monotonic() + firefox.SECONDS
    while time.monotonic() < ends:
        for handle in set(session.ask("WebDriver:GetWindowHandles")) - known:
            return str(handle)
        time.sleep(0.05)
    raise TimeoutError("no window was opened")
