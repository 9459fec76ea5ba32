"""Result pages written by hand: a menu, a list of records that repeat the query, a footer."""

import csv

ADJECTIVES = "red blue early late tall small round old sweet hardy".split()
PLANTS = "tomato bean kale onion leek carrot pea squash turnip radish".split()


def records(site: int, query: str, count: int = 8) -> list[tuple[str, str, str]]:
    """Title, price and description of each record."""
    found = []
    for at in range(count):
        name = f"{ADJECTIVES[(site + at) % 10]} {query} number {site}{at}"
        text = f"A {PLANTS[at % 10]} of the {ADJECTIVES[at % 10]} kind; grown near {query} in {at}."
        found.append((name.capitalize(), f"${site + at}.50 each", text))
    return found


def html_of(site: int, query: str) -> str:
    """A page whose class names differ from site to site."""
    kind = ("result", "item", "hit", "entry")[site % 4]
    menu = "".join(f"<li><a href=/{word}>{word}</a></li>" for word in PLANTS)
    rows = "".join(
        f"<div class={kind}><h3 class=title><a href=/r/{at}>{title}</a></h3>"
        f"<span class=price>{price}</span><p class=description>{text}</p>"
        f"<a class=more href=/r/{at}>More</a></div>"
        for at, (title, price, text) in enumerate(records(site, query))
    )
    return (
        f"<html><head><title>{query} - site {site}</title></head><body>"
        f"<ul class=menu>{menu}</ul><form><input type=text name=q></form>"
        f"<h1>Results for {query}</h1><div id=results>{rows}</div>"
        f"<div class=footer><p>All rights reserved.</p><ul>{menu}</ul></div></body></html>"
    )


def write_results(folder, sites: int = 6, queries=("tomato", "bean soup")) -> None:
    """The folders of labelled result pages, as the records corpus has them."""
    for site in range(sites):
        for at, query in enumerate(queries, 1):
            here = folder / "1-Plants" / f"{site + 1}-Site{site}.example"
            here = here / f"{at}-{query.replace(' ', '_')}-keyword"
            here.mkdir(parents=True)
            (here / "page.html").write_text(html_of(site, query))
            with (here / "records.csv").open("w", newline="") as file:
                csv.writer(file).writerows(records(site, query))
