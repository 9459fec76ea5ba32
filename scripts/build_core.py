"""Build the compiled core from src/pagelet_core into src/pagelet, where Python finds it.

    python scripts/build_core.py              build it where its sources have changed
    python scripts/build_core.py --sanitize   with the checks of AddressSanitizer and UBSan

`pip install` calls the same function (hatch_build.py). It needs a C compiler and Cython.
"""

import argparse
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "pagelet_core"
PACKAGE = ROOT / "src" / "pagelet"
#: The oldest Python that the module can be loaded by; it keeps to the stable ABI of that one.
LIMITED_API = ("Py_LIMITED_API", "0x030B0000")
#: Multiplications and additions stay apart: the answers are those of numpy, bit for bit.
FLAGS = {"unix": ["-O3", "-ffp-contract=off", "-g0"], "msvc": ["/O2", "/fp:precise"]}
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-O1", "-g"]
#: Allocations of the core that pass through failing.c in the build with sanitizers.
WRAP = ["-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc"]


class CoreNotBuilt(Exception):
    """The compiled core cannot be built here."""


def module_path(folder: Path = PACKAGE) -> Path:
    """Where the built module stands."""
    return folder / ("_core.pyd" if sys.platform == "win32" else "_core.abi3.so")


def is_current(module: Path) -> bool:
    """Whether the module is newer than all that it is made of."""
    sources = [*SOURCES.iterdir(), Path(__file__)]
    return module.exists() and module.stat().st_mtime > max(
        source.stat().st_mtime for source in sources
    )


def build_core(folder: Path = PACKAGE, *, sanitize: bool = False) -> Path:
    """Build the module if it is not current; CoreNotBuilt if that is impossible."""
    module = module_path(folder)
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        raise CoreNotBuilt("a Python without the global lock takes the Python core")
    if sanitize or not is_current(module):
        module.unlink(missing_ok=True)
        try:
            _compile(module, sanitize=sanitize)
        except (Exception, SystemExit) as error:
            raise CoreNotBuilt(f"{type(error).__name__}: {error}") from error
    return module


def _compile(module: Path, *, sanitize: bool) -> None:
    from Cython.Build import cythonize  # noqa: PLC0415 - only builds need it
    from setuptools import Distribution, Extension  # noqa: PLC0415

    flags = FLAGS["msvc" if sys.platform == "win32" else "unix"]
    extension = Extension(
        "_core",
        [str(SOURCES / name) for name in ("_core.pyx", "failing.c")[: 1 + sanitize]],
        define_macros=[LIMITED_API],
        include_dirs=[str(SOURCES)],
        extra_compile_args=flags + SANITIZE * sanitize,
        extra_link_args=(SANITIZE + WRAP) * sanitize,
        py_limited_api=True,
    )
    with tempfile.TemporaryDirectory() as scratch:
        made = cythonize([extension], build_dir=scratch, force=True, quiet=True)
        command = Distribution({"ext_modules": made}).get_command_obj("build_ext")
        command.build_lib, command.build_temp = str(module.parent), scratch
        command.ensure_finalized()
        command.run()


def main() -> None:
    """Build, and print where the module stands."""
    parser = argparse.ArgumentParser(description="Build the compiled core in place.")
    parser.add_argument("--sanitize", action="store_true", help="check every access to memory")
    parser.add_argument("--folder", type=Path, default=PACKAGE, help="where the module is put")
    arguments = parser.parse_args()
    try:
        print(build_core(arguments.folder, sanitize=arguments.sanitize))
    except CoreNotBuilt as error:
        sys.exit(f"no compiled core: {error}; the Python core gives the same answers, slower")


if __name__ == "__main__":
    main()
