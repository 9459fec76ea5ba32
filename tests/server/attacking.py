"""Clients that do harm: requests that never end, answers that nobody reads, clients that leave."""

import json
import re
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager

from tests.server.serving import Service


def connect(service: Service, source: str = "127.0.0.1") -> socket.socket:
    """A connection from an address of this machine."""
    return socket.create_connection(
        ("127.0.0.1", service.port), timeout=300, source_address=(source, 0)
    )


def connect_deaf(service: Service) -> socket.socket:
    """A connection that takes in next to nothing unless it is read."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(300)
    connection.connect(("127.0.0.1", service.port))
    return connection


def head(service: Service, path: str, length: int, kind: str = "application/json") -> bytes:
    """The head of a POST request; a negative length stands for chunks."""
    framing = f"content-length: {length}" if length >= 0 else "transfer-encoding: chunked"
    lines = f"POST {path} HTTP/1.1", f"host: 127.0.0.1:{service.port}", f"content-type: {kind}"
    return "\r\n".join((*lines, framing, "", "")).encode()


def request(service: Service, path: str, form: object) -> bytes:
    """A whole POST request."""
    body = json.dumps(form).encode()
    return head(service, path, len(body)) + body


def read_all(connection: socket.socket) -> bytes:
    """All that arrives until the service closes the connection."""
    pieces = []
    try:
        while piece := connection.recv(65536):
            pieces.append(piece)
    except ConnectionResetError:
        pass
    return b"".join(pieces)


@contextmanager
def connections(service: Service, count: int, source: str) -> Iterator[list[socket.socket]]:
    """Many connections from one address, which are closed at the end."""
    opened: list[socket.socket] = []
    try:
        opened.extend(connect(service, source) for _ in range(count))
        yield opened
    finally:
        for each in opened:
            each.close()


def metric(service: Service, name: str) -> float:
    """The value of a metric."""
    with service.client() as client:
        text = client.get("/metrics").text
    found = re.search(rf"(?m)^pagelet_{re.escape(name)} (\S+)$", text)
    return float(found[1]) if found else 0.0


def status(connection: socket.socket) -> int:
    """The status of the next answer at a connection."""
    with closing(connection.makefile("rb")) as file:
        return int(file.readline().split()[1])
