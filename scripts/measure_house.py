"""Print figures of the source tree: python scripts/measure_house.py [CHECKOUT] [CHECKOUT].

Sizes of files and functions, small modules with one importer, prefixes that files of a folder
share, class names that exist twice, and words that say nothing as names. With one checkout, this
one by default, the names follow; with two, the figures stand side by side.
"""

import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import median, quantiles

WORDS = ("said", "told", "asked", "known", "found", "heard")
MAX_FRAGMENT_LINES = 100
FAMILY_FILES = 3  #: files of one folder with one prefix that make a family
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """One file, read and parsed."""

    name: str  #: as it is imported
    path: Path
    text: str
    tree: ast.Module

    @property
    def is_package(self) -> bool:
        """Whether the file stands for its folder."""
        return self.path.name == "__init__.py"

    @property
    def lines(self) -> int:
        """Lines of the file."""
        return len(self.text.splitlines())

    def nodes(self, *kinds: type[ast.AST]) -> Iterator[ast.AST]:
        """All nodes of some kinds."""
        return (node for node in ast.walk(self.tree) if isinstance(node, kinds))


@dataclass(frozen=True)
class House:
    """The package src/pagelet of a checkout."""

    root: Path

    @cached_property
    def modules(self) -> list[Module]:
        """All files, parsed."""
        return [read_module(path, self.root / "src") for path in self.paths]

    @property
    def paths(self) -> list[Path]:
        """All Python files of the package."""
        return sorted((self.root / "src" / "pagelet").rglob("*.py"))

    @cached_property
    def body_lines(self) -> list[int]:
        """Lines of each function, the shortest first."""
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        return sorted(body_lines(node) for module in self.modules for node in module.nodes(*kinds))

    @cached_property
    def fragments(self) -> list[str]:
        """Small modules that exactly one other module imports."""
        importers = self.importers
        return [
            module.name
            for module in self.modules
            if not module.is_package
            and module.lines <= MAX_FRAGMENT_LINES
            and len(importers[module.name]) == 1
        ]

    @cached_property
    def importers(self) -> dict[str, set[str]]:
        """Modules that import each module."""
        names = {module.name for module in self.modules}
        result = defaultdict(set)
        for module in self.modules:
            for name in imported_names(module):
                if name in names and name != module.name:
                    result[name].add(module.name)
        return result

    @cached_property
    def families(self) -> list[str]:
        """Prefixes that several files of one folder share."""
        prefixes = Counter(
            (path.parent, path.stem.partition("_")[0])
            for path in self.paths
            if "_" in path.stem.strip("_")
        )
        return [
            f"{folder.relative_to(self.root / 'src' / 'pagelet')}/{prefix}_ ({count})"
            for (folder, prefix), count in prefixes.items()
            if count >= FAMILY_FILES
        ]

    @cached_property
    def repeated_classes(self) -> list[str]:
        """Class names that exist more than once."""
        names = Counter(
            node.name
            for module in self.modules
            for node in module.nodes(ast.ClassDef)
            if isinstance(node, ast.ClassDef)
        )
        return [f"{name} ({count})" for name, count in names.most_common() if count > 1]

    @cached_property
    def words(self) -> Counter[str]:
        """Whole words of code, comments and docstrings."""
        pattern = re.compile(rf"\b({'|'.join(WORDS)})\b", re.IGNORECASE)
        return Counter(
            word.lower() for module in self.modules for word in pattern.findall(module.text)
        )

    @cached_property
    def word_names(self) -> list[str]:
        """Names of modules, classes, functions, parameters, fields and constants with a word."""
        return [
            f"{module.name.removeprefix('pagelet.')}:{name}"
            for module in self.modules
            for name in defined_names(module)
            if set(parts_of(name)) & set(WORDS)
        ]


def read_module(path: Path, source: Path) -> Module:
    """Read a file below the folder of the sources."""
    text = path.read_text(encoding="utf-8")
    name = ".".join(path.relative_to(source).with_suffix("").parts)
    return Module(name.removesuffix(".__init__"), path, text, ast.parse(text))


def body_lines(function: ast.AST) -> int:
    """Lines of a function without its head and its docstring."""
    assert isinstance(function, Function)
    documented = ast.get_docstring(function) is not None
    statements = function.body[1:] if documented else function.body
    return (function.end_lineno or 0) - statements[0].lineno + 1 if statements else 0


def imported_names(module: Module) -> Iterator[str]:
    """Modules that a module may import; an imported name may be a module too."""
    for node in module.nodes(ast.Import, ast.ImportFrom):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = module.name.split(".")
                kept = len(parts) - node.level + module.is_package
                base = ".".join([*parts[:kept], *filter(None, [node.module])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def defined_names(module: Module) -> Iterator[str]:
    """Names that a module defines for its readers; local variables are left out."""
    yield module.path.stem
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ClassDef | Function):
            yield node.name
        if isinstance(node, ast.arg):
            yield node.arg
        if isinstance(node, ast.ClassDef | ast.Module):
            yield from assigned_names(node.body)


def assigned_names(body: list[ast.stmt]) -> Iterator[str]:
    """Names that the statements of a class or module assign: fields and constants."""
    for statement in body:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        yield from (target.id for target in targets if isinstance(target, ast.Name))


def parts_of(name: str) -> list[str]:
    """Words of an identifier, by underscores and capitals."""
    return [part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]


def figures(house: House) -> dict[str, str]:
    """Every figure by its name."""
    functions = house.body_lines
    return {
        "files": f"{len(house.modules):,}",
        "lines": f"{sum(module.lines for module in house.modules):,}",
        "longest file, lines": f"{max(module.lines for module in house.modules):,}",
        "functions": f"{len(functions):,}",
        "lines of a function, median": f"{median(functions):g}",
        "lines of a function, 90 %": f"{quantiles(functions, n=10)[-1]:g}",
        "longest function, lines": f"{functions[-1]}",
        f"modules of at most {MAX_FRAGMENT_LINES} lines with one importer": str(
            len(house.fragments)
        ),
        f"prefixes shared by {FAMILY_FILES} files of a folder": str(len(house.families)),
        "class names that exist more than once": str(len(house.repeated_classes)),
        **{f"the word {word}": f"{house.words[word]:,}" for word in WORDS},
        "names made of these words": f"{len(house.word_names):,}",
    }


def lists(house: House) -> dict[str, list[str]]:
    """The names behind the figures."""
    return {
        "class names that exist more than once": house.repeated_classes,
        "prefixes": house.families,
        "one importer": house.fragments,
        "names made of these words": house.word_names,
    }


def main(paths: list[str]) -> None:
    """Print the table, and for one checkout the names behind the figures."""
    houses = [House(Path(path)) for path in paths or [str(Path(__file__).parents[1])]]
    columns = [figures(house) for house in houses]
    if len(houses) > 1:
        print(f"{'':58}" + "".join(f"{head:>10}" for head in ("before", "after")))
    for name in columns[0]:
        print(f"{name:58}" + "".join(f"{column[name]:>10}" for column in columns))
    if len(houses) == 1:
        for title, names in lists(houses[0]).items():
            print(f"\n{title}: {', '.join(names) or 'none'}")


if __name__ == "__main__":
    main(sys.argv[1:])
