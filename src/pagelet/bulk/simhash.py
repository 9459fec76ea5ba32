"""A fingerprint of a text that is nearly the same for nearly the same texts.

SimHash (Charikar 2002) over all runs of three words: each run votes with the bits of its own hash,
and a bit of the fingerprint is what the majority says. Texts whose fingerprints differ in few bits
are copies of each other.
"""

import re
from collections import Counter
from hashlib import blake2b

import numpy as np

BITS = 64
RUN_WORDS = 3  #: words of a run
WORD = re.compile(r"\w+")


def simhash(text: str) -> int | None:
    """The fingerprint of a text; None for a text without words."""
    words = WORD.findall(text.casefold())
    if not words:
        return None
    last = max(len(words) - RUN_WORDS + 1, 1)
    runs = Counter(" ".join(words[at : at + RUN_WORDS]) for at in range(last))
    hashes = b"".join(
        blake2b(run.encode("utf-8", "replace"), digest_size=8).digest() for run in runs
    )
    bits = np.unpackbits(np.frombuffer(hashes, np.uint8)).reshape(-1, BITS).astype(np.int64)
    votes = np.array(list(runs.values()), np.int64)
    majority = 2 * (votes @ bits) > votes.sum()
    return int.from_bytes(np.packbits(majority).tobytes(), "big")
