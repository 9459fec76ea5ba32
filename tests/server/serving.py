"""The service as a process of its own, on a port that is free."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

PROGRAM = str(Path(sys.executable).parent / "pagelet")
TOKEN = "a-token-for-the-tests-of-the-service"
QUIET = dict.fromkeys(("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "")


@dataclass(eq=False)
class Service:
    """A service that runs."""

    process: "subprocess.Popen[str]"
    url: str  #: with no slash at its end
    token: str = TOKEN
    log: list[str] = field(default_factory=list)

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def client(self, **more) -> httpx.Client:
        return httpx.Client(base_url=self.url, trust_env=False, timeout=300, **more)

    def post(self, path: str, form: object, **more) -> httpx.Response:
        with self.client() as client:
            return client.post(path, json=form, **more)


@contextmanager
def serving(
    folder: Path, *flags: str, verbose: bool = True, **environment: str
) -> Iterator[Service]:
    """Run `pagelet serve` with flags; what it logs is kept."""
    command = [PROGRAM, "serve", *(["--verbose"] * verbose), "--port", "0", "--token", TOKEN]
    process = subprocess.Popen(
        [*command, "--database", str(folder / "marks.sqlite"), *flags],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | QUIET | {"XDG_CONFIG_HOME": str(folder)} | environment,
    )
    service = Service(process, "")
    reading = threading.Thread(target=_keep, args=(process, service.log), daemon=True)
    try:
        reading.start()
        said = process.stdout.readline()
        found = re.search(r"http://\S+?:\d+", said)
        assert found, said + "".join(service.log)
        service.url = found[0]
        yield service
    finally:
        process.terminate()
        try:
            process.wait(300)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        reading.join(5)
        process.stdout.close()
        process.stderr.close()


def _keep(process: "subprocess.Popen[str]", log: list[str]) -> None:
    log.extend(iter(process.stderr.readline, ""))
