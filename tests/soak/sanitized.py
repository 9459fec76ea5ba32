"""Pages through the build of the compiled core that checks every access to memory.

python -m tests.soak.sanitized MODULE pages SHARE/SHARES
python -m tests.soak.sanitized MODULE failures

The module is that of `scripts/build_core.py --sanitize`; the sanitizer's library must be loaded
first (LD_PRELOAD), and it ends the process where it finds an error. The page that was read last is
then the last line but those of the sanitizer.
"""

import ctypes
import importlib.util
import sys
from functools import partial

MAX_ROWS = 30_000  #: rows of a page from which on only its text is extracted
#: Hostile pages that only take long.
LARGE = ("50 MB of text", "5 MB of class", "5 MB in one name")
SEED, BROKEN = 41, 2_000


def load_core(module: str) -> None:
    """Put the module where pagelet looks for its compiled core."""
    spec = importlib.util.spec_from_file_location("pagelet._core", module)
    assert spec is not None
    assert spec.loader is not None
    sys.modules["pagelet._core"] = loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)


def read_pages(share: int, shares: int) -> int:
    """Run everything that the core has a part in over a share of all pages; how many there were.

    Pages are those of the hostile battery, of the data, and broken ones.
    """
    from tests import answers  # noqa: PLC0415 - pagelet is imported after its core

    battery = [page for page in answers.hostile_pages() if page.name not in LARGE]
    pages = [*battery, *answers.broken_pages(SEED, BROKEN), *answers.data_pages()]
    for page in pages[share::shares]:
        print(page, file=sys.stderr, flush=True)
        _ask_everything(page.source())
    return len(pages[share::shares])


def _ask_everything(source: object) -> None:
    from pagelet import METHODS, Page, PageletError, analyse, core, extract, parse  # noqa: PLC0415

    assert core.compiled
    methods = [name for name, method in METHODS.items() if method.needs == ("page",)]
    try:
        extract(source)
        page = source if isinstance(source, Page) else parse(source)
        if len(page) < MAX_ROWS:
            extract(page, format="markdown")
            for method in methods:
                analyse(page, method).to_json()
    except PageletError as error:
        print(f"  {error}", file=sys.stderr)


def fail_allocations(module: str) -> int:
    """Let each allocation of one page fail in turn; the number of failures that were raised."""
    from pagelet import core, extract, parse  # noqa: PLC0415
    from tests.fuzzed import GOLDEN  # noqa: PLC0415

    fail_after = ctypes.CDLL(module).fail_allocation_after
    source = GOLDEN[0].read_text() + "é漢" * 2_000 + "<x-y a=1>z" * 40
    expected = extract(source)
    failures = 0
    for run in (extract, parse, partial(extract, format="json")):
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
            assert run is not extract or answer == expected
            break
    assert core.compiled
    assert extract(source) == expected
    return failures


if __name__ == "__main__":
    load_core(sys.argv[1])
    if sys.argv[2] == "pages":
        print(read_pages(*map(int, sys.argv[3].split("/"))))
    else:
        print(fail_allocations(sys.argv[1]))
