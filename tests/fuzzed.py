"""Pages that are broken at random: bytes, tags, attributes and texts in the wrong places."""

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

SAMPLES = sorted(Path("examples/site").rglob("*.html"))
GOLDEN = sorted((Path(__file__).parent / "pages").glob("*/page.html"))
NAMES = ("p div span a b i em li ul ol td tr table h1 h2 h3 article main nav footer aside form pre"
         " select option button label svg math template noscript script style br sup sub dl dt dd"
         " figure figcaption blockquote x-own title base").split()  # fmt: skip
ATTRIBUTES = (
    *(' class="comments"', ' class="MainNav itemÉ"', " hidden", ' style="display:none"'),
    *(' style="display: block"', ' href="/x?y#z"', ' href="http://u:p@[::1"', " id='respond'"),
    *(' aria-hidden="true"', ' shadowrootmode="open"', ' itemprop="author"', ' role="main"'),
)
TEXTS = (
    *(
        "",
        " ",
        "\u00a0",
        "\u3000",
        "\x1c",
        "\x85",
        "&#0;",
        "&#xD800;",
        "\ufffd",
        "İ",
        "Σς",
        "ß",
        "😀",
    ),
    *("漢字仮名", "قط", "Read more: this", "We use cookies.", "© 2024", "12 comments", "1,234.5 $"),
    *("Some words that make a sentence, and more of them.", "x" * 400, "é" * 310, "a\tb\nc  d"),
)
SCRIPT = (
    '<script type="application/ld+json">{"@type":"Article","headline":"Some words that make",'
    '"articleBody":"Some words that make a sentence, and more of them."}</script>'
)


def break_page(chance: random.Random, page: bytes) -> bytes:
    """A page with some of its bytes replaced, cut out or doubled, and other things put in."""
    broken = bytearray(page)
    for _ in range(chance.randint(1, 40)):
        at = chance.randrange(len(broken) + 1)
        kind = chance.random()
        if kind < 0.3:
            broken[at : at + chance.randint(0, 40)] = chance.randbytes(chance.randint(0, 8))
        elif kind < 0.5:
            part = broken[at : at + chance.randint(0, 600)]
            broken[at:at] = part * chance.randint(1, 4)
        else:
            broken[at:at] = _invent(chance).encode("utf-8", "replace")
    return bytes(broken)


def _invent(chance: random.Random) -> str:
    """Markup and text that fit nowhere."""
    name = chance.choice(NAMES)
    text = chance.choice(TEXTS) * chance.randint(1, 3)
    more = "".join(chance.choices(ATTRIBUTES, k=chance.randint(0, 3)))
    forms = (f"<{name}{more}>{text}", f"<{name}{more}>{text}</{name}>", f"</{name}>", text, SCRIPT)
    return chance.choice(forms)


def broken_page(seed: int, number: int) -> bytes:
    """One of the broken pages of a seed, which can be made again by itself."""
    chance = random.Random(f"{seed}/{number}")
    return break_page(chance, chance.choice(_whole_pages()))


def broken_pages(seed: int, count: int) -> Iterator[bytes]:
    """So many broken pages, the same ones for the same seed."""
    return (broken_page(seed, number) for number in range(count))


@cache
def _whole_pages() -> list[bytes]:
    return [path.read_bytes() for path in (*SAMPLES, *GOLDEN)]
