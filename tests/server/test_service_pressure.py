"""Clients that are slow, greedy or gone: what they cost the service, and everybody else."""

import json
import os
import signal
import threading
import time
from collections.abc import Iterator

import httpx
import pytest

from pagelet.server.admission import client_key
from tests.server.attacking import (
    connect,
    connect_deaf,
    connections,
    head,
    metric,
    read_all,
    request,
    status,
)
from tests.server.serving import Service, serving
from tests.server.test_service_limits import busy, workers

GOOD = {"html": "<nav><ul><li><a href=/a>one</a><li><a href=/b>two</a></ul></nav>"}
LARGE = {"html": "x" * 100_000}
NDJSON = "application/x-ndjson"
BYTES = 5_000_000  #: limit of a request
MANY = 6  #: requests of this size that one address may have in memory
OTHER = "127.0.0.9"  #: address of a client that does harm


@pytest.fixture(scope="module")
def hasty(tmp_path_factory) -> Iterator[Service]:
    """Clients have a second to send something, and two for a batch; work takes its time."""
    times = ["--head-timeout", "1", "--body-timeout", "1", "--batch-timeout", "2"]
    folder = tmp_path_factory.mktemp("hasty")
    with serving(folder, "--workers", "1", *times, "--timeout", "600") as running:
        assert running.post("/v1/menu", GOOD).status_code == 200
        yield running


@pytest.fixture(scope="module")
def patient(tmp_path_factory) -> Iterator[Service]:
    """Few connections, few bytes, and all the time there is."""
    limits = [
        "--connections",
        "20",
        "--max-bytes",
        str(BYTES),
        "--held-bytes",
        str(2 * MANY * BYTES),
    ]
    times = ["--head-timeout", "600", "--body-timeout", "600", "--timeout", "600"]
    folder = tmp_path_factory.mktemp("patient")
    with serving(folder, "--workers", "1", *limits, *times, "--queue-timeout", "600") as running:
        assert running.post("/v1/menu", GOOD).status_code == 200
        yield running


def wait_for(condition) -> None:
    """Wait until something is so."""
    for _ in range(1_200):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError("it never came to that")


# -- time -------------------------------------------------------------------------------------


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nx: "], ids=["nothing", "half a head"])
def test_heads_that_never_end(hasty, sent):
    with connect(hasty) as connection:
        connection.sendall(sent)
        assert read_all(connection) == b""


def test_a_head_that_never_ends_after_a_request(hasty):
    with connect(hasty) as connection:
        connection.sendall(request(hasty, "/v1/menu", GOOD) + b"GET / HTTP/1.1\r\n")
        answer = read_all(connection)
    assert answer.startswith(b"HTTP/1.1 200")
    assert answer.count(b"HTTP/1.1 ") == 1


def test_a_connection_with_one_quick_request_after_another_stays(hasty):
    with httpx.Client(base_url=hasty.url, trust_env=False, timeout=600) as client:
        name = 'connections_closed_total{reason="unfinished head"}'
        before = metric(hasty, name)
        for _ in range(16):
            assert client.get("/health").status_code == 200
            time.sleep(0.1)
        assert metric(hasty, name) == before


@pytest.mark.parametrize(
    "path", ["/v1/menu", "/annotate/api/projects", "/annotate/api/projects/1/pages?name=a.html"]
)
def test_bodies_that_never_end(hasty, path):
    with connect(hasty) as connection:
        connection.sendall(head(hasty, path, 100) + b"{")
        answer = read_all(connection)
    assert answer.startswith(b"HTTP/1.1 408")
    assert b'"error": "TooSlow", "message": "the body did not arrive in 1 s"' in answer


def test_lines_that_trickle(hasty):
    with connect(hasty) as connection:
        connection.sendall(head(hasty, "/v1/menu/batch", -1, NDJSON) + b'9\r\n{"html":"\r\n')
        answer = read_all(connection)
    assert b'"status": 408, "error": "TooSlow", "message": "the body did not arrive' in answer


def test_a_batch_that_never_ends(hasty):
    line = json.dumps(GOOD).encode() + b"\n"
    chunk = b"%x\r\n%s\r\n" % (len(line), line)
    with connect(hasty) as connection:
        connection.sendall(head(hasty, "/v1/menu/batch", -1, NDJSON))
        sending = threading.Thread(target=send_forever, args=(connection, chunk))
        sending.start()
        answer = read_all(connection)
    sending.join()
    assert b'"line": 0, "status": 200' in answer
    assert b"the batch took more than 2 s; send the other lines in another one" in answer


def send_forever(connection, chunk: bytes) -> None:
    try:
        while True:
            connection.sendall(chunk)
            time.sleep(0.1)
    except OSError:  # the service has closed it
        return


def test_an_answer_that_is_never_read(hasty):
    page = {"html": "<p>" + "words " * 1_000_000}
    with connect_deaf(hasty) as connection:
        connection.sendall(request(hasty, "/v1/inspect", page))
        reason = 'connections_closed_total{reason="unread answer"}'
        wait_for(lambda: metric(hasty, reason) == 1)
        assert metric(hasty, "held_bytes") == 0


# -- clients that leave -----------------------------------------------------------------------


def stop_workers(service: Service) -> list[int]:
    """Have the workers stand still: whatever they are given takes for ever."""
    stopped = workers(service)
    for worker in stopped:
        os.kill(worker, signal.SIGSTOP)
    return stopped


def test_the_work_for_a_client_that_left_is_ended(patient):
    (worker,) = stop_workers(patient)
    with connect(patient, OTHER) as connection:
        connection.sendall(request(patient, "/v1/menu", GOOD))
        busy(patient)
    assert patient.post("/v1/menu", GOOD).status_code == 200
    assert worker not in workers(patient)


def test_requests_of_clients_that_left_are_dropped_from_the_queue(patient):
    stop_workers(patient)
    with connections(patient, MANY, OTHER) as opened:
        for each in opened:
            each.sendall(request(patient, "/v1/menu", LARGE))
        wait_for(lambda: metric(patient, "requests_waiting") == MANY)
        assert metric(patient, "held_bytes") > MANY * len(LARGE["html"])
    wait_for(lambda: metric(patient, "requests_waiting") == 0)
    assert patient.post("/v1/menu", GOOD).status_code == 200
    assert metric(patient, "held_bytes") == 0


def test_a_batch_whose_client_left_is_ended(patient):
    (worker,) = stop_workers(patient)
    line = json.dumps(GOOD).encode() + b"\n"
    with connect(patient, OTHER) as connection:
        connection.sendall(head(patient, "/v1/menu/batch", 10**9, NDJSON) + line * 2)
        wait_for(lambda: metric(patient, "requests_waiting") == 2)
    wait_for(lambda: metric(patient, "requests_waiting") == 0)
    assert patient.post("/v1/menu", GOOD).status_code == 200
    assert worker not in workers(patient)


def test_a_batch_whose_client_left_behind_unread_lines_is_ended(patient):
    """The service does not read on while lines wait, so it does not see the end either."""
    stop_workers(patient)
    line = json.dumps({"html": "x" * 100_000}).encode() + b"\n"
    with connect(patient, OTHER) as connection:
        connection.sendall(head(patient, "/v1/menu/batch", 10**9, NDJSON) + line * 20)
        wait_for(lambda: metric(patient, "requests_waiting") == 2)
    wait_for(lambda: metric(patient, "requests_waiting") == 0)
    assert patient.post("/v1/menu", GOOD).status_code == 200


def test_clients_that_leave_are_no_errors(patient):
    stop_workers(patient)
    for sent in (
        head(patient, "/v1/menu", 100) + b"{",
        head(patient, "/v1/menu/batch", 100, NDJSON) + b"{",
        head(patient, "/annotate/api/projects", 100) + b"{",
        request(patient, "/v1/menu", GOOD),
    ):
        before = "".join(patient.log).count(" 499 ")
        with connect(patient, OTHER) as connection:
            connection.sendall(sent)
            wait_for(lambda: metric(patient, "requests_in_flight") == 2)
        wait_for(lambda before=before: "".join(patient.log).count(" 499 ") > before)
    log = "".join(patient.log)
    assert "ERROR" not in log
    assert "Traceback" not in log
    assert 'status="499"' in httpx.get(f"{patient.url}/metrics", trust_env=False).text


# -- shares -----------------------------------------------------------------------------------


def test_one_address_cannot_take_all_connections(patient):
    with connections(patient, 30, OTHER) as opened:
        refused = [status(each) for each in opened[10:]]
        assert patient.post("/v1/menu", GOOD).status_code == 200
        opened[0].sendall(request(patient, "/v1/menu", GOOD))
        assert status(opened[0]) == 200
    assert set(refused) == {429}


def test_one_address_cannot_take_all_memory(patient):
    """Bodies that are not complete count too."""
    with connections(patient, MANY + 1, OTHER) as opened:
        for each in opened[:MANY]:
            each.sendall(head(patient, "/v1/menu", BYTES) + b" " * (BYTES - 1))
        wait_for(lambda: metric(patient, "held_bytes") == MANY * (BYTES - 1))
        opened[MANY].sendall(head(patient, "/v1/menu", BYTES) + b" " * (BYTES - 1))
        assert status(opened[MANY]) == 429
        assert patient.post("/v1/menu", {"html": "x" * (BYTES // 2)}).status_code == 200
    wait_for(lambda: metric(patient, "held_bytes") == 0)


def test_a_form_of_the_annotator_has_the_limit_of_bytes_too(patient):
    told = patient.post("/annotate/api/projects", {"name": "x" * BYTES})
    assert (told.status_code, told.json()["error"]) == (413, "PageTooLarge")


def test_one_address_cannot_fill_the_queue(tmp_path):
    """Two addresses take all places; the last request of one makes room for a third address."""
    with serving(tmp_path, "--workers", "1", "--waiting", "8", "--timeout", "600") as service:
        assert service.post("/v1/menu", GOOD).status_code == 200
        (worker,) = stop_workers(service)
        with connections(service, 5, OTHER) as some, connections(service, 4, "127.0.0.8") as more:
            for at, each in enumerate((*some, *more), 1):
                each.sendall(request(service, "/v1/menu", GOOD))
                wait_for(lambda at=at: metric(service, "requests_waiting") == at)
            with connect(service) as third, connect(service, OTHER) as sixth:
                sixth.sendall(request(service, "/v1/menu", GOOD))
                assert status(sixth) == 429
                third.sendall(request(service, "/v1/menu", GOOD))
                assert status(some[4]) == 429
                os.kill(worker, signal.SIGCONT)
                assert status(third) == 200
            assert [status(each) for each in (*some[:4], *more)] == [200] * 8


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
    ],
)
def test_addresses_of_one_client(address, key):
    assert client_key(address) == key
