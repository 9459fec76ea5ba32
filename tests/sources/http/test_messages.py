"""Packed bodies: the same bytes however they are cut, and never many at once."""

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.errors import Unreachable
from pagelet.sources.http.messages import STEP_BYTES, decode

URL = "http://example.org/"


def bare(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


PACKERS = {"gzip": gzip.compress, "x-gzip": gzip.compress, "deflate": zlib.compress}


def cut(data: bytes, size: int) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]


def whole(chunks: list[bytes], encoding: str) -> bytes:
    return b"".join(decode(chunks, encoding, URL))


@pytest.mark.parametrize("name", [*PACKERS, "GZip ", "bare"])
@given(data=st.binary(max_size=300), size=st.integers(1, 50))
def test_what_was_packed_comes_out(name, data, size):
    pack = bare if name == "bare" else PACKERS[name.strip().lower()]
    encoding = "deflate" if name == "bare" else name
    assert whole(cut(pack(data), size), encoding) == data


@pytest.mark.parametrize("encoding", ["", "identity", "Identity"])
def test_a_plain_body_is_left_alone(encoding):
    assert whole([b"a", b"b"], encoding) == b"ab"


@pytest.mark.parametrize("name", PACKERS)
@pytest.mark.parametrize("length", [STEP_BYTES - 1, STEP_BYTES, STEP_BYTES + 1, 40 * STEP_BYTES])
def test_never_more_than_a_step_at_once(name, length):
    pieces = list(decode([PACKERS[name](bytes(length))], name, URL))
    assert sum(map(len, pieces)) == length
    assert max(map(len, pieces)) <= STEP_BYTES


def test_what_is_held_back_at_the_end_of_the_input_comes_out():
    for length in range(STEP_BYTES - 10, STEP_BYTES + 600):
        assert len(whole([bare(bytes(length))], "deflate")) == length


def test_a_bomb_is_unpacked_only_as_far_as_somebody_reads():
    pieces = decode([gzip.compress(bytes(20_000_000))], "gzip", URL)
    assert len(next(pieces)) == STEP_BYTES


@given(st.lists(st.binary(max_size=50), min_size=1, max_size=5), st.integers(1, 50))
def test_members_one_behind_the_other(members, size):
    packed = b"".join(map(gzip.compress, members))
    assert whole(cut(packed, size), "gzip") == b"".join(members)


@pytest.mark.parametrize("size", [1, 1000])
def test_padding_behind_the_last_member_is_left_out(size):
    assert whole(cut(gzip.compress(b"text") + bytes(10), size), "gzip") == b"text"


def test_nothing_packed_is_nothing():
    assert whole([], "gzip") == b""


@pytest.mark.parametrize("name", PACKERS)
def test_a_packed_body_that_is_cut_short_is_said(name):
    with pytest.raises(Unreachable, match="cut short"):
        whole([PACKERS[name](b"some text")[:-1]], name)


@pytest.mark.parametrize("name", PACKERS)
def test_a_broken_body_is_said(name):
    with pytest.raises(Unreachable, match="damaged"):
        whole([b"<html>no packed body at all</html>"], name)


@pytest.mark.parametrize("name", ["br", "zstd", "gzip, gzip", "nonsense"])
def test_other_encodings_are_refused(name):
    with pytest.raises(Unreachable, match="not requested"):
        whole([b"x"], name)
