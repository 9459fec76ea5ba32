"""Fingerprints of texts: near copies are near, others are far."""

import re
from hashlib import blake2b

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.bulk.simhash import simhash

STORY = " ".join(f"word{number % 37} stands {number} before the wall" for number in range(60))


def slow_simhash(text: str) -> int | None:
    """The definition, bit by bit."""
    words = re.findall(r"\w+", text.casefold())
    runs = [words[at : at + 3] for at in range(max(len(words) - 2, min(len(words), 1)))]
    hashes = [
        int.from_bytes(blake2b(" ".join(each).encode(), digest_size=8).digest(), "big")
        for each in runs
    ]
    if not hashes:
        return None
    votes = [sum(each >> bit & 1 for each in hashes) for bit in range(64)]
    return sum(1 << bit for bit in range(64) if 2 * votes[bit] > len(hashes))


def distance(one: str, other: str) -> int:
    return (simhash(one) ^ simhash(other)).bit_count()


@given(st.text("ab cß.", max_size=40))
def test_the_fast_way_is_the_slow_one(text):
    assert simhash(text) == slow_simhash(text)


def test_case_marks_and_spaces_do_not_matter():
    assert simhash("The Wall, again.") == simhash("the  wall again")


def test_near_copies_are_near_and_others_are_far():
    near = STORY.replace("word5 stands 5", "word5 stood 5")
    assert distance(STORY, near) <= 3
    assert distance(STORY, STORY[::-1]) > 16


@pytest.mark.parametrize("text", ["", "...", "\ud800"])
def test_without_words_there_is_none(text):
    assert simhash(text) in (None, slow_simhash(text.encode("utf-8", "replace").decode()))
