"""The sample site on a server of this machine, under a name of its own."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler
from pathlib import Path

from tests.places import SITE
from tests.sources.loopback import Loopback, running

HOST = "garden.example"  #: name that the processes of a test resolve to this machine

#: a module that Python imports when it starts; it stands for a line in /etc/hosts
HOSTS = f"""
import socket

resolve = socket.getaddrinfo

def getaddrinfo(host, *rest, **named):
    return resolve("127.0.0.1" if host == {HOST!r} else host, *rest, **named)

socket.getaddrinfo = getaddrinfo
"""


class Handler(SimpleHTTPRequestHandler):
    """Sends files, and remembers what was asked for."""

    server: "FileServer"

    def log_request(self, *args: object) -> None:
        self.server.requests.append(self.path)

    def log_message(self, *args: object) -> None:
        pass


class FileServer(Loopback):
    """A server of files."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(partial(Handler, directory=folder))  # type: ignore[arg-type]

    @property
    def place(self) -> str:
        return f"{HOST}:{self.server_port}"


@contextmanager
def serve_files(folder: Path = SITE) -> Iterator[FileServer]:
    """A server of the files of a folder."""
    with running(FileServer(folder)) as server:
        yield server


def environment(folder: Path) -> dict[str, str]:
    """The environment of a process that knows the server by its name; a module goes to `folder`."""
    (folder / "sitecustomize.py").write_text(HOSTS, encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.endswith("_proxy")}
    paths = [str(folder), *filter(None, [kept.get("PYTHONPATH")])]
    return {**kept, "PYTHONPATH": os.pathsep.join(paths)}
