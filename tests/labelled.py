"""Folders of labelled pages written by hand: menus in links, content in paragraphs."""

import json

WORDS = "river bridge council winter harbour street window garden letter morning".split()
KINDS = ("article", "forum")


def prose(seed: int, paragraphs: int = 8) -> list[str]:
    """Paragraphs of whole sentences, different for each seed."""
    picked = [WORDS[(seed + at) % len(WORDS)] for at in range(paragraphs)]
    return [
        f"On day {seed} of the {word}, number {at}, nobody in the town wanted to wait, and the "
        f"people near the {word} said that it was late enough. They went home, and it rained."
        for at, word in enumerate(picked)
    ]


def html_of(seed: int, mark: str = "") -> str:
    """A page with a menu, an article and a footer."""
    items = "".join(f"<li><a href=/{word}>{word} {seed}</a></li>" for word in WORDS)
    body = "".join(f"<p>{text}</p>" for text in prose(seed))
    return (
        f"<html><head><title>Page {seed}</title></head><body><nav class=menu><ul>{items}</ul></nav>"
        f"<article class=story {mark}>{body}</article>"
        f"<div class=footer><ul>{items}</ul><p>All rights reserved.</p></div></body></html>"
    )


def write_labelled(folder, pages: int = 20, domains: int = 10, **more):
    """Ground-truth JSON beside html/, pages of some domains in turn."""
    for part in ("html", "ground-truth"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    for seed in range(pages):
        name = f"{seed:03}"
        (folder / "html" / f"{name}.html").write_text(html_of(seed))
        label = {
            "url": f"https://site{seed % domains}.example/{name}",
            "page_type": KINDS[seed % len(KINDS)],
            "main_content": "\n".join(prose(seed)),
            **more,
        }
        (folder / "ground-truth" / f"{name}.json").write_text(json.dumps(label))
    return folder


def write_marked(folder, pages: int = 20, sites: int = 10):
    """Pages whose content is marked in the HTML, a folder a site."""
    for seed in range(pages):
        site = folder / f"site{seed % sites}"
        site.mkdir(parents=True, exist_ok=True)
        (site / f"{seed}.html").write_text(html_of(seed, "data-pagelet=content"))
    return folder
