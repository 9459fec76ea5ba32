"""Pages through the build of the compiled core that checks every access to memory.

python -m tests.soak.sanitized MODULE pages|failures

The module is that of `scripts/build_core.py --sanitize`; the sanitizer's library must be loaded
first (LD_PRELOAD), and it ends the process where it finds an error.
"""

import ctypes
import importlib.util
import random
import sys
from collections.abc import Iterator
from pathlib import Path

MAX_DATA_PAGES = 400  #: pages of the data that are read
FUZZED_PAGES = 300
MAX_FUZZED_BYTES = 60_000


def load_core(module: str) -> None:
    """Put the module where pagelet looks for its compiled core."""
    spec = importlib.util.spec_from_file_location("pagelet._core", module)
    sys.modules["pagelet._core"] = loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)


def written() -> list[bytes]:
    """Pages that are in the repository."""
    paths = [*Path("tests/pages").glob("*/page.html"), *Path("examples").rglob("*.html")]
    return [path.read_bytes() for path in sorted(paths)]


def pages() -> Iterator[str | bytes]:
    """The hostile battery but for its largest pages, written, fuzzed and stored pages."""
    from tests import hostile  # noqa: PLC0415 - pagelet is imported after its core

    large = ("50 MB of text", "5 MB of class", "5 MB in one name")
    yield from (hostile.source(name) for name in hostile.SOURCES if name not in large)
    yield from written()
    yield from fuzzed()
    stored = sorted(Path("data").glob("*/html/*.html"))
    step = max(len(stored) // MAX_DATA_PAGES, 1)
    yield from (path.read_bytes() for path in stored[::step])


def fuzzed() -> Iterator[bytes]:
    """Written pages with bytes changed, pieces cut out, doubled and swapped."""
    draw, sources = random.Random(23), written()
    for _ in range(FUZZED_PAGES):
        data = bytearray(draw.choice(sources)[:MAX_FUZZED_BYTES])
        for _ in range(draw.randint(1, 12)):
            first = draw.randrange(len(data))
            piece = data[first : first + draw.randint(0, 200)]
            at = draw.randrange(len(data))
            data[at : at + draw.choice((0, len(piece)))] = draw.choice(
                (piece, draw.randbytes(3), b"", "漢\u2028\U0001f600é".encode())
            )
        yield bytes(data)


def read_pages() -> int:
    """Run everything that the core has a part in over all pages; the number of pages."""
    from pagelet import METHODS, PageletError, analyse, core, extract, parse  # noqa: PLC0415

    assert core.compiled
    methods = [name for name, method in METHODS.items() if method.needs == ("page",)]
    number = 0
    for number, source in enumerate(pages(), 1):
        try:
            extract(source)
            page = parse(source)
            if len(page) < 30_000:
                for method in methods:
                    analyse(page, method)
        except PageletError as error:
            print(f"page {number}: {error}", file=sys.stderr)
    return number


def fail_allocations(module: str) -> int:
    """Let each allocation of one page fail in turn; the number of failures that were raised."""
    from pagelet import core, extract, parse  # noqa: PLC0415

    fail_after = ctypes.CDLL(module).fail_allocation_after
    source = written()[0].decode() + "é漢" * 2_000 + "<x-y a=1>z" * 40
    expected = extract(source)
    failures = 0
    for run in (extract, parse):
        for count in range(100_000):
            fail_after(count)
            try:
                answer = run(source)
            except MemoryError:
                failures += 1
                continue
            finally:
                left = fail_after(-1)
            assert left >= 0, f"allocation {count} failed unnoticed"
            assert run is parse or answer == expected
            break
    assert core.compiled
    assert extract(source) == expected
    return failures


if __name__ == "__main__":
    load_core(sys.argv[1])
    print(read_pages() if sys.argv[2] == "pages" else fail_allocations(sys.argv[1]))
