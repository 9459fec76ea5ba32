"""The navigation of a site as a map: what its menus lead to, and what they do not.

python examples/navigation_map.py
"""

from pathlib import Path
from urllib.parse import urlsplit

import pagelet
from pagelet.sources.folder import FolderSite

SITE = FolderSite(Path(__file__).parent / "site")
START = "https://site.example/index.html"  # a folder is a site with this name


def read_menus() -> dict[str, list]:
    """The menu of every page as a tree, by the address of the page."""
    answers = {url: pagelet.detect_menu(SITE.load(url)) for url in SITE.addresses()}
    return {url: answer.to_dict()["tree"] for url, answer in answers.items()}


def addresses(entries: list) -> set[str]:
    """All addresses in a menu."""
    below = (addresses(entry["children"]) for entry in entries)
    return {entry["href"] for entry in entries}.union(*below)


def print_map(entries: list, reached: list[set[str]], indent: str = "") -> None:
    """An entry per line, with the number of pages whose menu leads there."""
    for entry in entries:
        pages = sum(entry["href"] in each for each in reached)
        print(f"{indent}{entry['text']}".ljust(34), f"from {pages} pages")
        print_map(entry["children"], reached, indent + "  ")


def main() -> None:
    menus = read_menus()
    reached = {url: addresses(menu) for url, menu in menus.items()}
    print_map(menus[START], list(reached.values()))
    print("\nmenus that lead to fewer pages")
    for url, found in reached.items():
        if len(found) < len(reached[START]):
            print(f"  {urlsplit(url).path}".ljust(34), len(found))
    print("\nin no menu")
    for url in sorted(menus.keys() - set().union(*reached.values())):
        print(f"  {urlsplit(url).path}")


if __name__ == "__main__":
    main()
