"""Small sites written by hand: a menu, a footer, and content that differs from page to page."""

from pagelet import Page, parse

HOST = "https://small.example"
NAMES = ("index", "news/one", "news/two", "about/us", "shop/tea", "shop/jam", "help/faq")


def menu(active: str = "", names: tuple[str, ...] = NAMES) -> str:
    items = (
        f"<li class='{'active' if name == active else ''}'><a href='/{name}.html'>{name}</a></li>"
        for name in names
    )
    return f"<ul class=menu>{''.join(items)}</ul>"


def words(seed: int, count: int = 12) -> str:
    return " ".join(f"word{(seed * 37 + at * at) % 997}" for at in range(count))


def prose(seed: int, paragraphs: int = 5) -> str:
    return "".join(f"<p>{words(seed * 10 + at)}</p>" for at in range(paragraphs))


def html_of(name: str, *, holder: str = "div class=story", paragraphs: int = 5) -> str:
    """A page of the site."""
    seed = sum(map(ord, name))
    tag = holder.split(maxsplit=1)[0]
    return (
        f"<title>{name}</title><body><div class=top><img src=logo.png><b>The site</b></div>"
        f"<div class=side>{menu(name)}</div>"
        f"<{holder}><h1>About {name}</h1>{prose(seed, paragraphs)}</{tag}>"
        f"<div class=foot><p>All rights reserved</p><a href='/help/faq.html'>Help</a></div></body>"
    )


def page_of(name: str, **more) -> Page:
    return parse(html_of(name, **more), url=f"{HOST}/{name}.html")


def site_of(names: tuple[str, ...] = NAMES, **more) -> list[Page]:
    return [page_of(name, **more) for name in names]


def shop_pages(count: int) -> list[str]:
    """Pages of a site in the layout of its shop."""
    return [html_of(f"shop{at}") for at in range(count)]


def board_pages(count: int) -> list[str]:
    """Pages of the same site in the layout of its board: the same header, all else elsewhere."""
    return [
        f"<body><div class=top><img src=logo.png><b>The site</b></div><table class=board><tr>"
        f"<td class=tools>{''.join(f'<i>Tool {tool}</i>' for tool in range(6))}</td>"
        f"<td class=post><h1>About board{at}</h1>{prose(at + 50)}</td></tr></table>"
        for at in range(count)
    ]


class Counting:
    """A site that tells which addresses were asked for."""

    def __init__(self, pages: list[Page], *, listed: bool = False) -> None:
        self.pages = {page.url: page for page in pages}
        self.asked: list[str] = []
        self.listed = listed

    def load(self, url: str) -> Page | None:
        self.asked.append(url)
        return self.pages.get(url)

    def addresses(self) -> tuple[str, ...]:
        return tuple(self.pages) if self.listed else ()
