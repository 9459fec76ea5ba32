"""Firefox, driven over its own wire: Marionette, of which a few lines are enough."""

import itertools
import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
SECONDS = 300  #: for the start and for each command
SETTINGS = {
    "marionette.port": 0,  # any that is free; it is written into the profile
    "xpinstall.signatures.required": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.update.auto": False,
    "network.proxy.type": 0,
}


class Marionette:
    """One session."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), SECONDS)
        self._numbers = itertools.count()
        self._read()
        self.ask("WebDriver:NewSession")

    def _read(self) -> Any:
        """One message: its length in bytes, a colon, JSON."""
        head = b""
        while not head.endswith(b":"):
            head += self._socket.recv(1)
        body = b""
        while len(body) < int(head[:-1]):
            body += self._socket.recv(65_536)
        return json.loads(body)

    def ask(self, name: str, **said: Any) -> Any:
        message = json.dumps([0, next(self._numbers), name, said]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self._read()
        if error:
            raise RuntimeError(f"{name}: {error['message']}")
        return result.get("value", result) if isinstance(result, dict) else result

    def privileged(self, script: str, *args: Any) -> Any:
        """Run a script as the browser itself."""
        self.ask("Marionette:SetContext", value="chrome")
        try:
            return self.ask("WebDriver:ExecuteScript", script=script, args=args)
        finally:
            self.ask("Marionette:SetContext", value="content")

    def run(self, script: str, *args: Any) -> Any:
        """Run a script in the page; a promise is waited for."""
        return self.ask("WebDriver:ExecuteScript", script=script, args=args)

    def open(self, url: str) -> str:
        """Open a tab; the name of its window."""
        handle: str = self.ask("WebDriver:NewWindow", type="tab", focus=True)["handle"]
        self.turn_to(handle)
        self.ask("WebDriver:Navigate", url=url)
        return handle

    def turn_to(self, handle: str) -> None:
        self.ask("WebDriver:SwitchToWindow", handle=handle, focus=True)

    def wait(self, script: str) -> Any:
        """Wait until a script in the page gives something."""
        ends = time.monotonic() + SECONDS
        while time.monotonic() < ends:
            if found := self.run(script):
                return found
            time.sleep(0.05)
        raise TimeoutError(script)

    def close(self) -> None:
        self._socket.close()


@contextmanager
def running(profile: Path) -> Iterator[Marionette]:
    """A Firefox with a profile of its own."""
    assert FIREFOX, "Firefox is missing: run sh scripts/browser firefox"
    lines = (
        f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in SETTINGS.items()
    )
    (profile / "user.js").write_text("\n".join(lines), encoding="utf-8")
    command = [FIREFOX, "--headless", "--marionette", "--remote-allow-system-access"]
    command += ["--no-remote", "--profile", str(profile)]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet) as process:
        try:
            session = Marionette(port_of(profile))
            yield session
            session.close()
        finally:
            process.terminate()


def port_of(profile: Path) -> int:
    file = profile / "MarionetteActivePort"
    ends = time.monotonic() + SECONDS
    while time.monotonic() < ends:
        if file.exists() and (said := file.read_text()):
            return int(said)
        time.sleep(0.05)
    raise TimeoutError("Firefox did not start")
