"""An application as a process of its own on a free port of the loopback address."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

HOST = "127.0.0.1"
SECONDS_TO_START, SECONDS_TO_STOP = 300.0, 60.0


@dataclass(frozen=True)
class App:
    """A running search application: where its form is, the name of its search box, its rows."""

    name: str
    url: str
    form_page_url: str
    field: str
    rows: list[dict[str, str]]

    @property
    def address(self) -> str:
        return self.url.split("/")[2]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def run(folder: Path, *arguments: str, given: str = "") -> None:
    """Run a Python program of the application to its end; what it says is shown if it fails."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stdout


@contextmanager
def serving(folder: Path, url: str, *arguments: str) -> Iterator[None]:
    """Keep a Python program running until the block ends, from when it answers at the address."""
    with (
        (folder / "log.txt").open("w+") as log,
        subprocess.Popen(
            [sys.executable, *arguments],
            cwd=folder,
            stdin=subprocess.PIPE,  # pydoc ends with its standard input
            stdout=log,
            stderr=log,
            start_new_session=True,
        ) as process,
    ):
        try:
            wait_for(url, process, folder / "log.txt")
            yield
        finally:
            stop(process)


def wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < end and process.poll() is None:
        try:
            httpx.get(url, trust_env=False, timeout=SECONDS_TO_START).raise_for_status()
        except httpx.TransportError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError(f"{url} does not answer\n{log.read_text()}")


def stop(process: subprocess.Popen[bytes]) -> None:
    """End the process and all that it started."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(SECONDS_TO_STOP)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue
