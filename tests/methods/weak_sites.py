"""Six small sites of the kinds that templates are hardest on; what is a page's own is marked.

Marks are attributes that no method reads; `read_site` takes them out again. `python -m
tests.methods.weak_sites DIR` writes them as a labelled folder for `pagelet evaluate template`.
"""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np

from pagelet import Page, parse
from pagelet.arrays import Mask

HOST = "https://weak.example"
PAGES = 9  #: pages of a site
OWN = "data-own"  #: mark of an element whose children are the page's own
WHOLE = "data-whole"  #: mark of an element that is the page's own itself
MARKS = re.compile(rf" (?:{OWN}|{WHOLE})")
SYLLABLES = "ba de fi go lu ma ne po ri su ta ve wo xi ya zu".split()


def word(random: Random) -> str:
    return "".join(random.choice(SYLLABLES) for _ in range(random.randint(2, 4)))


def phrase(random: Random, least: int = 2, most: int = 6) -> str:
    return " ".join(word(random) for _ in range(random.randint(least, most)))


def sentence(random: Random) -> str:
    return f"{phrase(random, 6, 18).capitalize()}."


def prose(random: Random, paragraphs: int) -> str:
    return "".join(
        f"<p>{' '.join(sentence(random) for _ in range(random.randint(1, 4)))}</p>"
        for _ in range(paragraphs)
    )


def links(labels: list[str], start: int = 0) -> str:
    return "".join(
        f"<li><a href='/{(start + at) % PAGES}.html'>{label}</a></li>"
        for at, label in enumerate(labels)
    )


def fixed(seed: int, count: int) -> list[str]:
    """Labels that are the same on every page of a site."""
    random = Random(f"fixed {seed}")
    return [phrase(random, 1, 2) for _ in range(count)]


def framed(seed: int, inner: str) -> str:
    """A page with the header, the menu and the footer of its site."""
    labels = fixed(seed, 22)
    return (
        f"<!DOCTYPE html><title>{labels[0]}</title><body><div class=xl><b>{labels[0]}</b>"
        f"<form action=/s><input name=q><button>{labels[1]}</button></form>"
        f"<ul class=xm>{links(labels[2:11])}</ul></div>{inner}"
        f"<div class=xt><ul>{links(labels[11:19])}</ul><p>{labels[19]} {labels[20]}</p></div>"
    )


def forum(at: int) -> str:
    """Long threads of as many posts each: the same people, signatures, labels and buttons."""
    random, people = Random(f"forum {at}"), fixed(11, 9)
    tools = "".join(f"<a href='#{tool}'>{tool}</a>" for tool in fixed(12, 4))
    posts = ""
    for number in range(1, 21):
        who = random.choice(people)
        posts += (
            f"<div class=zn><div class=zo><a href=/u>{who}</a><i>{fixed(13, 1)[0]}</i>"
            f"<b>#{number}</b>"
            f"<span>Posts: {10 * len(who)}</span><span>Joined: {2000 + len(who)}</span></div>"
            f"<div class=zp>{prose(random, 1)}<p class=zr>-- {who} of {people[len(who) % 9]}</p>"
            f"<p class=zq>{tools}</p></div></div>"
        )
    return framed(
        1,
        f"<div class=yn {OWN}><h2>{phrase(random)}</h2><p><a href='?p=1'>1</a> <a href='?p=2'>2</a>"
        f"</p>{posts}</div>",
    )


def tables(at: int) -> str:
    """Wide reference tables: the same rows and columns, and mostly the same short values."""
    random, columns, lines = Random(f"table {at}"), fixed(21, 14), fixed(24, 25)
    values = ["yes"] * 7 + ["no"] * 2 + ["n/a"]
    rows = "".join(
        f"<tr><td>{line}</td>"
        + "".join(f"<td>{random.choice(values)}</td>" for _ in columns[1:])
        + "</tr>"
        for line in lines
    )
    head = "".join(f"<th>{label}</th>" for label in columns)
    return framed(
        2,
        f"<div class=yl><div class=ym><ul>{links(fixed(22, 30))}</ul></div><div class=yn {OWN}>"
        f"<h2>{phrase(random)}</h2><p>{sentence(random)}</p>"
        f"<table><tr>{head}</tr>{rows}</table><p>{fixed(23, 1)[0]}</p></div></div>",
    )


def long_list(at: int) -> str:
    """A long list that all pages have; one of its items is unfolded, another one on each page."""
    random, labels = Random(f"list {at}"), fixed(31, 120)
    notes = fixed(33, 3)
    items = "".join(
        f"<li><a href='/{place % PAGES}.html'>{label}</a><span>{notes[place % 3]}</span>"
        + (
            f"<div class=yo {OWN}><p>{sentence(random)}</p>"
            f"<p><b>{notes[0]}</b> {word(random)}</p></div>" * (place == 3 + 13 * at)
        )
        + "</li>"
        for place, label in enumerate(labels)
    )
    return framed(3, f"<div class=yl><h2>{fixed(32, 1)[0]}</h2><ul class=ym>{items}</ul></div>")


def wiki(at: int) -> str:
    """A side bar with fixed parts and one box that depends on the page."""
    random = Random(f"wiki {at}")
    near = "".join(
        f"<li><a href='/w/{word(random)}'>{phrase(random, 1, 3)}</a></li>"
        for _ in range(random.randint(5, 12))
    )
    sections = "".join(
        f"<h3>{phrase(random, 1, 3)}</h3>{prose(random, random.randint(1, 3))}"
        for _ in range(random.randint(2, 7))
    )
    tools = links(fixed(42, 9))
    return framed(
        4,
        f"<div class=yl><div class=ym><h4>{fixed(41, 1)[0]}</h4><ul>{tools}</ul></div>"
        f"<div class=yn><h4>{fixed(43, 1)[0]}</h4><ul class=yo {OWN}>{near}</ul></div>"
        f"<div class=yp><h4>{fixed(44, 1)[0]}</h4><ul>{links(fixed(45, 6))}</ul></div></div>"
        f"<div class=yq {OWN}><h2>{phrase(random)}</h2>{sections}</div>",
    )


def shop(at: int) -> str:
    """A grid of as many products: few prices, and the same labels and buttons in every card."""
    random, (buy, stock, ship) = Random(f"shop {at}"), fixed(51, 3)
    cards = "".join(
        f"<div class=zl><img src='/i/{word(random)}.jpg' alt=''><a href='/p/{card}'>"
        f"{phrase(random, 2, 4)}</a><span>{random.choice((9, 19, 49))}.99</span><em>{stock}</em>"
        f"<i>{ship}</i><button>{buy}</button></div>"
        for card in range(12)
    )
    facets = "".join(
        f"<h5>{label}</h5><ul>{links(fixed(53 + group, 7))}</ul>"
        for group, label in enumerate(fixed(52, 4))
    )
    return framed(
        5,
        f"<div class=yl><div class=ym>{facets}</div><div class=yn {OWN}><h2>{phrase(random)}</h2>"
        f"<p>{random.randint(30, 90)} items</p>{cards}</div></div>",
    )


def columns(at: int) -> str:
    """Two columns between fixed parts; the second depends on the page as much as the first."""
    random = Random(f"columns {at}")
    notes = "".join(
        f"<div class=zl><h4>{phrase(random, 1, 3)}</h4><p>{sentence(random)}</p></div>"
        for _ in range(random.randint(3, 6))
    )
    return framed(
        6,
        f"<div class=yl><div class=ym {OWN}><h2>{phrase(random)}</h2>"
        f"{prose(random, random.randint(4, 9))}</div><div class=yn><ul>{links(fixed(61, 12))}</ul>"
        f"<p>{fixed(62, 1)[0]}</p></div><div class=yo {OWN}>{notes}</div></div>",
    )


KINDS: dict[str, Callable[[int], str]] = {
    "forum": forum,
    "tables": tables,
    "list": long_list,
    "wiki": wiki,
    "shop": shop,
    "columns": columns,
}


def read_site(kind: str) -> list[tuple[Page, Mask]]:
    """The pages of a site without their marks, and the rows of each that are its own."""
    return [_read(KINDS[kind](at), f"{HOST}/{at}.html") for at in range(PAGES)]


def _read(html: str, url: str) -> tuple[Page, Mask]:
    marked, page = parse(html, url=url), parse(MARKS.sub("", html), url=url)
    own = np.zeros(len(page), np.bool_)
    for row in marked.attribute(OWN):
        own[row + 1 : page.end[row]] = True
    return page, own & page.counted


def write_sites(folder: Path) -> None:
    """Write all sites with `gold.json`, as `pagelet evaluate template` reads it."""
    gold: dict[str, object] = {}
    for kind in KINDS:
        for at, (page, own) in enumerate(read_site(kind)):
            name = f"{kind}/{at}.html"
            (folder / kind).mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(page.source or "", encoding="utf-8")
            tops = np.flatnonzero(own & ~own[page.parent])
            slots = [page.path(int(row)) for row in tops]
            gold[name] = {"site": kind, "template": {"slots": slots}}
    (folder / "gold.json").write_text(
        json.dumps({"schema": 1, "folder": ".", "pages": gold}, indent=1)
    )


if __name__ == "__main__":
    write_sites(Path(sys.argv[1]))
