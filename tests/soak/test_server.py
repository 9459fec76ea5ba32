"""The service under load: many clients, good pages and hostile ones; ended while it works."""

import asyncio
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

from tests import hostile
from tests.server.serving import Service, serving
from tests.server.test_service_limits import workers

pytestmark = pytest.mark.soak

CLIENTS = 200
SECONDS = 30.0
GROWTH = 60_000_000  #: bytes by which the service itself may grow from the first third to the last
METHODS = ("content", "menu", "clutter", "noise", "inspect")
GOOD = [path.read_text() for path in sorted(Path("examples/site").rglob("*.html"))]
LARGE = {name: make() for name, make in hostile.SOURCES.items() if name not in hostile.SLOW}
JSON = {"content-type": "application/json"}


@dataclass
class Tally:
    """What the clients saw."""

    statuses: Counter[int] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    good: list[float] = field(default_factory=list)  #: seconds of good pages that were answered
    memory: list[tuple[float, int, int]] = field(default_factory=list)
    broken: Counter[str] = field(default_factory=Counter)


def bodies() -> tuple[list[bytes], list[bytes]]:
    """Requests with good pages, and with hostile ones."""
    good = [json.dumps({"html": html, "url": "https://a.example/"}).encode() for html in GOOD]
    bad = [
        json.dumps({"html": page if isinstance(page, str) else page.decode("latin-1")}).encode()
        for page in LARGE.values()
    ]
    return good, [*bad, b"{", b"\xff", b'{"html": 7}', b'{"html": "", "options": {"x": 1}}', b""]


class Line:
    """One connection that is kept; a client library would be slower than the service."""

    def __init__(self, port: int, source: str = "127.0.0.1") -> None:
        self.port, self.source, self.reader, self.writer = port, source, None, None

    async def post(self, path: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
        """The status, the headers and the body of the answer."""
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection(
                "127.0.0.1", self.port, local_addr=(self.source, 0)
            )
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self.writer.write(head.encode() + body)
        await self.writer.drain()
        said, *lines = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").splitlines()
        headers = dict(line.lower().split(": ", 1) for line in lines if line)
        answer = await self.reader.readexactly(int(headers["content-length"]))
        if headers.get("connection") == "close":
            self.close()
        return int(said.split()[1]), headers, answer

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()
            self.writer = None


async def ask(line: Line, tally: Tally, until: float, seed: int) -> None:
    """One client: most pages are good, some are hostile; it waits when it is told to."""
    chance = random.Random(seed)
    good, bad = bodies.made
    while time.monotonic() < until:
        kind = chance.random() < 0.97
        body, since = chance.choice(good if kind else bad), time.monotonic()
        try:
            status, headers, told = await line.post(f"/v1/{chance.choice(METHODS)}", body)
        except (OSError, EOFError) as error:
            tally.broken[type(error).__name__] += 1
            line.close()
            continue
        tally.statuses[status] += 1
        if status != 200:
            tally.errors[json.loads(told)["error"]] += 1
            await asyncio.sleep(int(headers.get("retry-after", 0)) * chance.random())
        elif kind:
            tally.good.append(time.monotonic() - since)
    line.close()


def resident(process: int) -> int:
    fields = Path(f"/proc/{process}/statm").read_text().split()
    return int(fields[1]) * 4096


async def watch(service: Service, tally: Tally, until: float) -> None:
    """Note how much memory the service and its workers have."""
    while time.monotonic() < until:
        own = resident(service.process.pid)
        try:
            hired = sum(map(resident, workers(service)))
        except OSError:  # one has just ended
            hired = 0
        tally.memory.append((time.monotonic(), own, hired))
        await asyncio.sleep(0.5)


async def storm(service: Service, seconds: float) -> Tally:
    tally, until = Tally(), time.monotonic() + seconds
    asking = [ask(Line(service.port), tally, until, seed) for seed in range(CLIENTS)]
    await asyncio.gather(watch(service, tally, until), *asking)
    return tally


def test_many_clients(tmp_path, capsys):
    bodies.made = bodies()
    with serving(tmp_path, "--timeout", "5") as service:
        tally = asyncio.run(storm(service, SECONDS))
        with service.client() as client:
            assert client.get("/health").json()["waiting"] == 0
    third = len(tally.memory) // 3
    first, last = (
        max(own for _, own, _ in part) for part in (tally.memory[:third], tally.memory[-third:])
    )
    with capsys.disabled():
        tell(tally, first, last)
    assert not tally.broken
    assert {status for status in tally.statuses if status >= 500} <= {503}
    assert tally.statuses[200] > CLIENTS
    assert last < first + GROWTH


def tell(tally: Tally, first: int, last: int) -> None:
    """Print what was measured."""
    times = sorted(tally.good)
    middle, late = statistics.median(times), times[int(len(times) * 0.95)]
    whole = sum(tally.statuses.values())
    hired = max(hired for _, _, hired in tally.memory)
    print(f"\n{CLIENTS} clients, {SECONDS:g} s: {whole} requests, {whole / SECONDS:.0f} a second;")
    print(f"{len(times)} good pages answered, {len(times) / SECONDS:.0f} a second;")
    print(f"median {middle:.2f} s, p95 {late:.2f} s; {dict(tally.statuses)} {dict(tally.errors)}")
    print(
        f"memory {first / 1e6:.0f} then {last / 1e6:.0f} MB, workers {hired / 1e6:.0f} MB at most"
    )


async def storm_and_end(service: Service) -> tuple[Counter[str], Counter[str]]:
    """What became of requests that were sent before the signal, and of those after it."""
    before, after = Counter[str](), Counter[str]()
    good, _ = bodies.made
    told, ended = asyncio.Event(), False

    async def one(client: httpx.AsyncClient, number: int) -> None:
        """Requests are sent one after the other until none is taken any more."""
        while True:
            asked, sent = ended, good[number % len(good)]
            tally = after if asked else before
            try:
                answer = await client.post("/v1/content", content=sent, headers=JSON)
            except httpx.ConnectError:
                (after if ended else before)["not taken"] += 1
                return
            except httpx.HTTPError as error:
                tally[type(error).__name__] += 1
                return
            tally[str(answer.status_code)] += 1
            told.set()

    async with httpx.AsyncClient(base_url=service.url, trust_env=False, timeout=60) as client:
        asking = [asyncio.create_task(one(client, number)) for number in range(50)]
        await told.wait()
        await asyncio.sleep(1)
        ended = True
        service.process.send_signal(signal.SIGTERM)
        await asyncio.gather(*asking)
    return before, after


def test_ended_while_it_works(tmp_path, capsys):
    bodies.made = bodies()
    with serving(tmp_path, "--client-share", "1") as service:
        before, after = asyncio.run(storm_and_end(service))
        code = service.process.wait(60)
    with capsys.disabled():
        print(f"\nsent before the signal: {dict(before)}; after it: {dict(after)}")
    assert code == 0
    assert set(before) <= {"200", "429"}
    assert before["200"] > 50
    assert set(after) <= {"200", "429", "503", "not taken", "RemoteProtocolError", "ReadError"}


# -- attackers beside honest clients ----------------------------------------------------------

HONEST = 50
MAX_RATIO = 3.0  #: of the p95 of honest clients under attack to that without
ATTACK_SECONDS = 15.0
ATTACKERS = Path("tests/soak/attackers.py")


async def be_honest(port: int, number: int, until: float, tally: Tally) -> None:
    """A client with an address of its own that sends one good page after another."""
    chance, line = random.Random(number), Line(port, f"127.0.1.{number + 1}")
    while time.monotonic() < until:
        since = time.monotonic()
        try:
            status, _, _ = await line.post(
                f"/v1/{chance.choice(METHODS)}", chance.choice(bodies.made[0])
            )
        except (OSError, EOFError) as error:
            tally.broken[type(error).__name__] += 1
            line.close()
            continue
        tally.statuses[status] += 1
        tally.good.append(time.monotonic() - since)
    line.close()


async def measure(service: Service) -> Tally:
    tally, until = Tally(), time.monotonic() + ATTACK_SECONDS
    clients = [be_honest(service.port, number, until, tally) for number in range(HONEST)]
    await asyncio.gather(watch(service, tally, until), *clients)
    return tally


def p95(tally: Tally) -> float:
    return sorted(tally.good)[int(len(tally.good) * 0.95)]


@pytest.mark.parametrize("attack", ["heads", "batches", "bodies", "leavers", "all"])
def test_honest_clients_beside_attackers(tmp_path, attack, capsys):
    """The limits of time are short, so that the attackers come back more often."""
    bodies.made = bodies()
    times = ["--head-timeout", "3", "--body-timeout", "3", "--batch-timeout", "10"]
    with serving(tmp_path, *times) as service:
        asyncio.run(measure(service))  # the first answers are slower
        quiet = asyncio.run(measure(service))
        command = [sys.executable, str(ATTACKERS), str(service.port), attack]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as attackers:
            try:
                attackers.stdout.readline()  # all have begun
                attacked = asyncio.run(measure(service))
            finally:
                attackers.terminate()
        after = asyncio.run(measure(service))
        log = "".join(service.log)
    quiet.good += after.good  # before and after, since other programs may be busy too
    ratio, memory = p95(attacked) / p95(quiet), max(own for _, own, _ in attacked.memory)
    with capsys.disabled():
        print(f"\n{attack}: p95 {p95(quiet):.2f} s, attacked {p95(attacked):.2f} s: x {ratio:.1f};")
        print(f"{len(quiet.good)} and {len(attacked.good)} answers; memory {memory / 1e6:.0f} MB")
        print(dict(attacked.statuses), dict(attacked.broken))
    assert not attacked.broken
    assert set(attacked.statuses) == {200}
    assert ratio <= MAX_RATIO
    assert memory < 700_000_000
    assert "ERROR" not in log


HOOKS = """
import json
import schemathesis

@schemathesis.serializer("application/x-ndjson")
def lines(ctx, value):
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", "replace")
"""
CHECKS = {
    "/v1|/health|/metrics": "not_a_server_error,status_code_conformance,content_type_conformance,"
    "response_schema_conformance",
    "/annotate": "not_a_server_error",
}


@pytest.mark.parametrize("paths", CHECKS)
def test_whatever_the_description_allows(tmp_path, paths, capsys):
    """Requests made from the OpenAPI description, right ones and wrong ones."""
    (tmp_path / "ndjson_hooks.py").write_text(HOOKS)
    with serving(tmp_path, "--timeout", "10") as service:
        told = subprocess.run(
            [
                str(Path(sys.executable).parent / "schemathesis"), "run",
                f"{service.url}/openapi.json", "--checks", CHECKS[paths], "--max-examples", "10",
                "--phases", "examples,coverage,fuzzing", "--include-path-regex", paths,
                "--generation-deterministic", "--suppress-health-check", "all",
            ],
            cwd=tmp_path, capture_output=True, text=True, check=False,
            env=os.environ | {"SCHEMATHESIS_HOOKS": "ndjson_hooks", "PYTHONPATH": str(tmp_path)},
        )  # fmt: skip
        log = "".join(service.log)
    with capsys.disabled():
        print(*told.stdout.splitlines()[-12:], sep="\n")
    assert told.returncode == 0, told.stdout[-8000:] + log[-2000:]
    assert "internal error" not in log
