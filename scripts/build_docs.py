"""Build the documentation site from docs/ into build/docs; a warning is an error.

The pages of docs/ are plain Markdown that reads well on a forge too. They are copied to
build/docs-source, where links lead to pages of the site, docs/README.md is the start page with the
navigation, and the Python reference is added; Sphinx does the rest. The sections of docs/README.md
are the navigation: a page is listed under the heading that links to it first.
"""

import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from os.path import normpath, relpath
from pathlib import Path, PurePosixPath

import pagelet

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
BUILD = ROOT / "build"
INDEX = "docs/README.md"
REFERENCE = "python-reference"  #: the page that is made of docstrings
INTERNAL = {"Pagelets": "find, more"}  #: members of public classes that are no concern of users
TYPES = ("Source", "SiteSource", "QuerySource", "TemplateSource")  #: names in its signatures

#: Pages outside docs/ and their names on the site; what else lies outside is no page.
OUTSIDE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
}
FENCE = re.compile(r"^(?P<indent> *)```.*?^(?P=indent)```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?P<sign>!?)\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^)\s]+)\)")
#: Addresses of other hosts that a browser would load by itself, by kind of file; links are none.
LOADS = {
    ".html": re.compile(
        r"<(?:script|link|img|iframe|source)\b[^>]*(?:src|href)=\"(?:https?:)?//[^>]*>"
    ),
    ".css": re.compile(r"(?:@import|url\()[\s\"']*(?:https?:)?//[^)\s;]*"),
}
HEADING = re.compile(r"^## (?P<title>.+)$", re.MULTILINE)


# -- pages and links ----------------------------------------------------------------------


def site_name(path: str) -> str | None:
    """Where a file of the repository, named from its root, is on the site; None if it is not."""
    if path in OUTSIDE:
        return OUTSIDE[path]
    place = PurePosixPath(path)
    if place.parts[0] != "docs":
        return None
    below = place.relative_to("docs")
    return str(below.with_name("index.md") if below.name == "README.md" else below)


def pages() -> list[str]:
    """Every page of the site as a file of the repository, named from its root."""
    below = (path.relative_to(ROOT).as_posix() for path in DOCS.rglob("*.md"))
    return sorted([*below, *(path for path in OUTSIDE if path != "README.md")])


def page_text(path: str) -> str:
    """A page as it is copied: its links lead to where the other pages are on the site."""
    text = (ROOT / path).read_text(encoding="utf-8")
    return "".join(
        part if is_code else LINK.sub(lambda link: _moved(link, path), part)
        for part, is_code in split_code(text)
    )


def split_code(text: str) -> Iterator[tuple[str, bool]]:
    """The text in pieces, each with whether it is a fenced block."""
    last = 0
    for block in FENCE.finditer(text):
        yield text[last : block.start()], False
        yield block[0], True
        last = block.end()
    yield text[last:], False


def _moved(link: re.Match[str], path: str) -> str:
    """A link as it stands on the site; of a file that is no page only the text is left."""
    name, _, anchor = link["target"].partition("#")
    if not name or "://" in name or name.startswith("mailto:"):
        return link[0]
    there = site_name(normpath(PurePosixPath(path).parent / name))
    if there is None:
        return link["text"]
    start = PurePosixPath(site_name(path) or "").parent
    target = PurePosixPath(relpath(there, start)).as_posix()
    return f"{link['sign']}[{link['text']}]({target}{'#' if anchor else ''}{anchor})"


# -- navigation ---------------------------------------------------------------------------


def navigation() -> dict[str, list[tuple[str, str]]]:
    """Title and name of every page that the index links to, by the heading it stands under."""
    text = FENCE.sub("", (ROOT / INDEX).read_text(encoding="utf-8"))
    seen: set[str] = set()
    sections: dict[str, list[tuple[str, str]]] = {}
    titles = list(HEADING.finditer(text))
    ends = [*(title.start() for title in titles[1:]), len(text)]
    for title, end in zip(titles, ends, strict=True):
        entries = list(_entries(text[title.end() : end], seen))
        if entries:
            sections[title["title"]] = entries
    return sections


def _entries(text: str, seen: set[str]) -> Iterator[tuple[str, str]]:
    for link in LINK.finditer(text):
        name = link["target"].partition("#")[0]
        there = None if "://" in name else site_name(normpath(PurePosixPath("docs") / name))
        if there and there.endswith(".md") and there != "index.md" and there not in seen:
            seen.add(there)
            yield link["text"], there.removesuffix(".md")
            if there == "python.md":
                yield "Python reference", REFERENCE


def toctrees() -> str:
    """The navigation as Sphinx reads it."""
    return "".join(
        f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n"
        + "".join(f"{title} <{name}>\n" for title, name in entries)
        + "```\n"
        for caption, entries in navigation().items()
    )


def folder_toctree(path: str) -> str:
    """The navigation below a page that is the index of its folder."""
    names = sorted(each.stem for each in (ROOT / path).parent.glob("*.md"))
    lines = "".join(f"{name}\n" for name in names if name != "README")
    return f"\n```{{toctree}}\n:hidden:\n\n{lines}```\n"


# -- Python reference ---------------------------------------------------------------------


def python_reference() -> str:
    """A page that asks Sphinx for the docstrings of every public name."""
    functions = [name for name in pagelet.__all__ if name[0].islower()]
    options = [name for name in pagelet.__all__ if name.endswith("Options")]
    errors = [name for name in pagelet.__all__ if name.endswith("Error")]
    apart = {*functions, *options, *errors, "METHODS"}
    classes = [name for name in pagelet.__all__ if name not in apart]
    sections = {
        "Functions": [f".. autofunction:: pagelet.{name}\n" for name in functions],
        "What functions take": [f".. autodata:: pagelet.api.{name}\n" for name in TYPES],
        "Results and inputs": [_class(name) for name in classes],
        "Options": [_options(name) for name in options],
        "Errors": [f".. autoexception:: pagelet.{name}\n" for name in errors],
        "Registry": [".. autodata:: pagelet.METHODS\n   :no-value:\n"],
    }
    parts = [f"{title}\n{'-' * len(title)}\n\n" + "\n".join(sections[title]) for title in sections]
    return REFERENCE_HEAD + "\n".join(parts)


def _class(name: str) -> str:
    left_out = f"   :exclude-members: {INTERNAL[name]}\n" if name in INTERNAL else ""
    return f".. autoclass:: pagelet.{name}\n   :members:\n   :undoc-members:\n{left_out}"


def _options(name: str) -> str:
    """The options of a method, with a link to the page that explains each."""
    method = name.removesuffix("Options").lower()
    page = f"methods/{method}" if method in pagelet.METHODS else "rendering"
    return f".. autoclass:: pagelet.{name}\n\n   What each one does: :doc:`{page}`.\n"


REFERENCE_HEAD = """\
Python reference
================

Every public name of ``pagelet``, from its docstring.
:doc:`python` introduces the functions and shows how they are called.

"""


# -- building -----------------------------------------------------------------------------


def copy_pages(folder: Path) -> None:
    """Write what Sphinx reads into an empty folder."""
    for path in pages():
        target = folder / (site_name(path) or "")
        target.parent.mkdir(parents=True, exist_ok=True)
        is_folder = path.endswith("/README.md") and path != INDEX
        below = toctrees() if path == INDEX else folder_toctree(path) if is_folder else ""
        target.write_text(page_text(path) + below, encoding="utf-8")
    (folder / f"{REFERENCE}.rst").write_text(python_reference(), encoding="utf-8")
    shutil.copytree(DOCS / "pictures", folder / "pictures")


def build(folder: Path = BUILD, *, builder: str = "html") -> int:
    """Build the site below a folder; 0 if there was no warning and nothing is loaded from afar."""
    from sphinx.cmd.build import main as sphinx  # noqa: PLC0415 - the rest needs no Sphinx

    copy, site, trees = (folder / name for name in ("docs-source", "docs", "docs-trees"))
    for place in (copy, site, trees):
        shutil.rmtree(place, ignore_errors=True)
    copy.mkdir(parents=True)
    copy_pages(copy)
    settings = ["-b", builder, "-W", "-q", "-c", str(DOCS), "-d", str(trees)]
    code = sphinx([*settings, str(copy), str(site)])
    foreign = list(foreign_files(site))
    for line in foreign:
        print(f"loaded from another host: {line}", file=sys.stderr)
    return code or int(bool(foreign))


def foreign_files(site: Path) -> Iterator[str]:
    """What the pages and styles of the built site would load from another host."""
    for path in sorted(site.rglob("*")):
        if path.suffix in LOADS:
            for found in LOADS[path.suffix].findall(path.read_text(encoding="utf-8")):
                yield f"{path.relative_to(site)}: {found}"


def main() -> None:
    """Build the site, or with `--check` only look for warnings, which is faster."""
    if "--check" in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            sys.exit(build(Path(folder), builder="dummy"))
    code = build()
    if code == 0:
        print(f"built {(BUILD / 'docs').relative_to(ROOT)}/index.html")
    sys.exit(code)


if __name__ == "__main__":
    main()
