"""Whose request is next."""

import asyncio

import pytest

from pagelet.server.errors import HttpError
from pagelet.server.turns import Turns

SECONDS = {"a": 1.0, "b": 1.0, "c": 1.0, "s": 3.5}  #: time of a request, by client


def order(slots: int, arrivals: str, ended: str) -> str:
    """The clients in the order of their turns; `ended` names those whose request is done."""

    async def run() -> str:
        turns, taken = Turns(slots), []

        async def take(client: str) -> None:
            await turns.take(client, 300)
            taken.append(client)

        tasks = []
        for client in arrivals:
            tasks.append(asyncio.create_task(take(client)))
            await asyncio.sleep(0)
        for client in ended:
            await asyncio.sleep(0)
            turns.release(client, SECONDS[client])
        for _ in range(5):
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return "".join(taken)

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("slots", "arrivals", "ended", "expected"),
    [
        pytest.param(1, "aaa", "aa", "aaa", id="one client: in order"),
        pytest.param(1, "aaaab", "aba", "abaa", id="another does not wait for all"),
        pytest.param(1, "aabbcc", "abca", "abcab", id="in turn"),
        pytest.param(2, "aaab", "a", "aab", id="who has nothing running is next"),
        pytest.param(3, "aaabb", "aa", "aaabb", id="even twice"),
        pytest.param(1, "ssabaaab", "sababaa", "sababaas", id="who takes long waits"),
    ],
)
def test_order(slots, arrivals, ended, expected):
    assert order(slots, arrivals, ended) == expected


def test_who_waits_too_long_is_sent_away_and_takes_no_slot():
    async def run() -> None:
        turns = Turns(1)
        await turns.take("a", 300)
        with pytest.raises(HttpError) as caught:
            await turns.take("b", 0)
        assert (caught.value.status, caught.value.error) == (503, "Waited")
        turns.release("a")
        assert (turns.free, turns.waiting, turns.running) == (1, {}, {})

    asyncio.run(run())


def test_who_leaves_while_the_slot_is_assigned_gives_it_back():
    async def run() -> None:
        turns = Turns(1)
        await turns.take("a", 300)
        waiting = asyncio.create_task(turns.take("b", 300))
        await asyncio.sleep(0)
        turns.release("a")
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert (turns.free, turns.waiting, turns.running) == (1, {}, {})

    asyncio.run(run())


def test_the_last_request_of_the_client_with_the_most_makes_room():
    async def run() -> None:
        turns, error = Turns(1), HttpError(429, "Busy", "")
        await turns.take("a", 300)
        waiting = [asyncio.create_task(turns.take(client, 300)) for client in "aaabb"]
        await asyncio.sleep(0)
        assert not turns.push_out(2, error)
        assert turns.push_out(1, error)
        await asyncio.sleep(0)
        assert [task.done() for task in waiting] == [False, False, True, False, False]
        assert waiting[2].exception() is error
        assert turns.push_out(0, error)
        assert not turns.push_out(1, error)
        turns.release("a", 1.0)
        await asyncio.sleep(0)
        assert [task.done() for task in waiting] == [False, True, True, True, False]
        for task in waiting:
            task.cancel()

    asyncio.run(run())
