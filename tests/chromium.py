"""A real browser, on a network that notices whatever leaves it."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread

import pytest
from playwright.sync_api import Browser, sync_playwright

CHROMIUM = shutil.which("chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]


class Network:
    """Stands in for the whole internet, and keeps what is sent to it.

    The tools of the browser are not asked, since they miss requests of a sandboxed frame.
    """

    def __init__(self) -> None:
        sent: list[bytes] = []

        class Keep(StreamRequestHandler):
            timeout = 5

            def handle(self) -> None:
                sent.append(self.connection.recv(4096))

        self.sent = sent
        self.server = ThreadingTCPServer(("127.0.0.1", 0), Keep)
        self.port = self.server.server_address[1]
        Thread(target=self.server.serve_forever, daemon=True).start()

    def asked(self, host: str) -> bool:
        """Whether a host was asked for anything; its name is readable in HTTP and in TLS."""
        return any(host.encode() in message for message in self.sent)

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@contextmanager
def noticing() -> Iterator[Network]:
    """A network, for as long as it is needed."""
    started = Network()
    try:
        yield started
    finally:
        started.close()


@contextmanager
def browsing(network: Network, *, own: str = "") -> Iterator[Browser]:
    """A browser for which every host is the network, but for one of its own."""
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    hosts = f"MAP * 127.0.0.1:{network.port}" + (f",EXCLUDE {own}" if own else "")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=CHROMIUM, args=[*FLAGS, f"--host-resolver-rules={hosts}"]
        )
        yield started
        started.close()
