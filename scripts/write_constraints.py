"""Write constraints.txt: the version of every package that is installed for pagelet.

`make test` and the other targets install these versions and no others, so that a release of
somebody else breaks nothing here. To move on, upgrade packages in .venv, run the tests, and run
this script with .venv's Python.
"""

import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
FILE = ROOT / "constraints.txt"
LEFT_OUT = ("pip",)  #: some package needs it, but it is the one that installs
HEAD = "# Written by scripts/write_constraints.py; see there.\n"


def declared() -> Iterator[Requirement]:
    """All requirements of pyproject.toml: of the package, its extras, and the groups."""
    form = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = form["project"]
    lists = [project["dependencies"], *project["optional-dependencies"].values()]
    for written in (*lists, *form["dependency-groups"].values()):
        yield from map(Requirement, written)


def installed() -> dict[str, str]:
    """The version of each package that the requirements lead to, by its name."""
    versions: dict[str, str] = {}
    seen: set[tuple[str, str]] = set()
    waiting = list(declared())
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        for extra in ("", *wanted.extras):
            if (name, extra) not in seen:
                seen.add((name, extra))
                waiting += _needs(name, extra, versions)
    return versions


def _needs(name: str, extra: str, versions: dict[str, str]) -> Iterator[Requirement]:
    """What a package needs here; its version is noted. A package that is missing needs nothing."""
    try:
        package = distribution(name)
    except PackageNotFoundError:
        return
    if name not in LEFT_OUT:
        versions[name] = package.version
    for written in package.requires or ():
        need = Requirement(written)
        if need.marker is None or need.marker.evaluate({"extra": extra}):
            yield need


def write() -> str:
    """The text of the file."""
    return HEAD + "".join(f"{name}=={version}\n" for name, version in sorted(installed().items()))


if __name__ == "__main__":
    FILE.write_text(write(), encoding="utf-8")
    print(f"wrote {FILE.relative_to(ROOT)}")
