"""What every measure of text blocks is called in words."""

from pagelet.methods.content.features import MISSING, NEIGHBOURS, WINDOWS
from pagelet.methods.content.model import LEXICON_KINDS, TYPES
from pagelet.methods.content.structure import CORE_SHARES, HOLDER_FEATURES, LEVELS, OUTER
from pagelet.methods.phrases import (
    PLACE_WORDS,
    Phrase,
    Phrases,
    distance,
    flag,
    flags,
    graded,
    length,
    link_share,
    measure,
    place_on_page,
    sentences,
)
from pagelet.page.words import STOP, UPPER


def _own() -> dict[str, Phrase]:
    """The text of a block."""
    size = graded(
        (3, "very short"),
        (10, "short"),
        (30, "a sentence or two long"),
        last="as long as a paragraph",
    )
    full = sentences("it", 0)
    return {
        "words": size,
        "chars": lambda value: size(value / 6),
        "chars_per_word": graded(
            (3.5, "short words"), (7, "words of usual length"), last="long words"
        ),
        "link_density": graded(
            (0.02, "no links in it"),
            (0.2, "few links in it"),
            (0.5, "many links in it"),
            last="mostly links",
        ),
        "digits": graded((0.01, "no digits"), (0.1, "few digits"), last="many digits"),
        "capitals": graded((0.06, "few capitals"), last="many capitals"),
        **dict.fromkeys(("stops", "stop_count"), full),
        **dict.fromkeys(("commas", "comma_count"), graded((0, "no commas"), last="commas in it")),
        "signs": graded(
            (0.01, "no special signs"), (0.05, "few special signs"), last="many special signs"
        ),
        "money": graded((0, "no prices"), last="a price in it"),
        "last_kind": lambda value: (
            "ends with a full stop" if value == STOP else "does not end with a full stop"
        ),
        "first_kind": lambda value: (
            "begins with a capital" if value == UPPER else "does not begin with a capital"
        ),
        "texts": graded((1, "one piece of text"), last="several pieces of text"),
        "copies": graded((1, "its text occurs once"), last="its text occurs {:.0f} times"),
    }


def _statements() -> dict[str, Phrase]:
    """What the page states about itself."""
    return {
        "told": flag("also in the page's structured data", "not in the page's structured data"),
        "page_told": measure("{:.0%} of the page's text is in its structured data"),
        "telling": graded((0, "no text in structured data"), last="the structured data has text"),
        "title": flag("the title of the page", "not the title of the page"),
        "since_title": graded(
            (-1, "no title above it"), *_below("the title"), last="far below the title"
        ),
        "since_first_title": graded(
            (-1, "above the title"), *_below("the title"), last="the title is not in the text"
        ),
        "since_h1": graded(
            (-MISSING, "no main heading on the page"),
            (-1, "above the main heading"),
            (40, "below the main heading"),
            last="far below the main heading",
        ),
        "h1_before": graded((0, "above the main heading"), last="below the main heading"),
        "cookies": flag("speaks of cookies", "does not speak of cookies"),
        "cookies_near": graded((0, "no cookie notice near it"), last="near a cookie notice"),
        "rights": flag("has a copyright sign", "no copyright sign"),
        "articles_before": graded(
            (0, "before any article element"),
            (1, "in or after the first article element"),
            last="in or after a later article element",
        ),
        "page_articles": graded(
            (0, "no article elements on the page"),
            last="{:.0f} article elements on the page",
        ),
    }


def _announced() -> dict[str, Phrase]:
    """What headings, lines and threads announce."""
    return {
        "named": flag("named in the page's structured data", "not named in its structured data"),
        "title_levels": graded(
            (-1, "no title in the text"),
            (2, "close to the title"),
            last="in another part than the title",
        ),
        "title_share": measure("shares {:.0%} of the page's text with the title"),
        "title_articles": distance(
            "in an article element before the title",
            "in an article element behind that of the title",
            "in the article element of the title",
        ),
        "heading_links": link_share("the heading above it"),
        "notices": flag("speaks of a newsletter, rights or the like", "no notice"),
        "see_also": flag("a line that leads to other pages", "no line that leads to other pages"),
        "see_also_before": flag(
            "below a line that leads to other pages", "not below a line that leads to other pages"
        ),
        **flags("under_", "under a heading of {}", "not under a heading of {}", HEADING_WORDS),
        "in_thread": flag("in a thread of comments", "in no thread of comments"),
        "since_thread": graded((-1, "not behind the comments"), last="behind the comments"),
        "page_thread": measure("{:.0%} of the page's text is comments"),
    }


#: What headings announce, in words.
HEADING_WORDS = {
    "related": "other pages",
    "promotion": "newsletters, advertising or sharing",
    "company": "the company or the author",
    "lists": "tags, archives or contents",
}


def _below(what: str) -> list[tuple[float, str]]:
    return [(5, f"just below {what}"), (40, f"below {what}"), (MISSING - 1, f"far below {what}")]


def _levels() -> dict[str, Phrase]:
    """The elements around a block, the near ones and the far ones."""
    phrases: dict[str, Phrase] = {}
    for level in range(LEVELS):
        around = "the element around it" if level < LEVELS // 2 else "the larger part around it"
        phrases |= {f"up{level}_{name}": each for name, each in _part(around).items()}
    return phrases


def _part(subject: str) -> dict[str, Phrase]:
    """What a part of the page holds."""
    return {
        "words": graded(
            (20, f"{subject} has little text"),
            (150, f"{subject} has some text"),
            last=f"{subject} has much text",
        ),
        "share": graded(
            (0.1, f"{subject} has little of the page's text"),
            (0.5, f"{subject} has some of the page's text"),
            last=f"{subject} has most of the page's text",
        ),
        "links": link_share(subject),
        "blocks": graded(
            (1, f"nothing else in {subject}"),
            (10, f"few blocks in {subject}"),
            last=f"many blocks in {subject}",
        ),
        "mean": graded(
            (6, f"short pieces in {subject}"),
            (15, f"pieces of some length in {subject}"),
            last=f"paragraphs in {subject}",
        ),
        "stops": sentences(subject, 0.02),
        "paragraphs": graded(
            (0.1, f"no paragraphs in {subject}"),
            (0.6, f"some paragraphs in {subject}"),
            last=f"paragraphs in {subject}",
        ),
        "pictures": graded((0, f"no pictures in {subject}"), last=f"pictures in {subject}"),
        "controls": graded(
            (0, f"no buttons or fields in {subject}"), last=f"buttons or fields in {subject}"
        ),
        "place": graded(
            (0.1, f"at the beginning of {subject}"),
            (0.7, f"in the middle of {subject}"),
            last=f"towards the end of {subject}",
        ),
    }


def _alike() -> dict[str, Phrase]:
    """Blocks that look alike, and the items of lists."""
    group = _part("what looks like it")
    listed = graded((2, "no alike elements beside it"), last="one of {:.0f} alike elements")
    phrases = {f"group_{name}": group[name] for name in ("words", "links", "mean", "share")}
    phrases |= {
        "group_blocks": graded((1, "nothing looks like it"), last="{:.0f} blocks look like it"),
        "group_span": graded(
            (0.3, "what looks like it stands together"),
            last="what looks like it is all over the page",
        ),
        "siblings": listed,
        "most_siblings": listed,
    }
    for kind, subject in (("item", "its list item"), ("record", "the entry it belongs to")):
        part = _part(subject)
        names = ("blocks", "words", "links", "pictures", "controls")
        phrases |= {f"{kind}_{name}": part[name] for name in names}
        phrases[f"{kind}_count"] = graded((0, "in no list"), last="in a list of {:.0f} entries")
    return phrases


def _core() -> dict[str, Phrase]:
    """The smallest elements with most of the running text; to people they are one."""
    phrases: dict[str, Phrase] = {}
    core = "the part with the running text"
    for share in CORE_SHARES:
        name = f"core{round(share * 100)}"
        phrases[name] = flag(f"inside {core}", f"outside {core}")
        phrases[f"{name}_share"] = measure(core + " has {:.0%} of all text")
        phrases[f"{name}_place"] = graded(
            (-1e-9, f"outside {core}"), (1, f"inside {core}"), last=f"outside {core}"
        )
    return phrases


HOLDER_WORDS = {
    1: "a paragraph",
    2: "a list item",
    3: "a table cell",
    4: "a plain block",
    5: "a main heading",
    6: "a heading of level 2",
    7: "a heading of level 3",
    8: "a small heading",
    9: "a term of a description list",
    10: "a text of a description list",
    11: "preformatted text",
    12: "a caption",
    13: "text of a section",
    14: "a label",
    15: "a choice",
    16: "a quotation",
}  #: numbers of HOLDERS in words


def _kind_of(subject: str) -> Phrase:
    return lambda value: f"{subject} is {HOLDER_WORDS.get(round(value), 'some other text')}"


def _neighbours() -> dict[str, Phrase]:
    """The blocks before and after, windows around a block, and its heading."""
    phrases: dict[str, Phrase] = {}
    for side in NEIGHBOURS:
        subject = f"the text {'before' if side.startswith('before') else 'after'} it"
        phrases |= {
            f"{side}_words": length(subject),
            f"{side}_links": link_share(subject),
            f"{side}_stops": sentences(subject, 0),
            f"{side}_tag": _kind_of(subject),
            f"{side}_depth": distance(
                f"{subject} lies higher", f"{subject} lies deeper", f"{subject} lies as deep"
            ),
        }
    near = _part("the text around it")
    for width in WINDOWS:
        phrases |= {f"window{width}_{name}": near[name] for name in ("mean", "links", "stops")}
    return phrases | {
        "section_words": length("the text under its heading"),
        "section_links": link_share("the text under its heading"),
        "since_heading": graded(
            (-1, "no heading above it"), (3, "just below a heading"), last="far below a heading"
        ),
        "heading": lambda value: f"under {HOLDER_WORDS.get(round(value), 'no heading')}",
        "until_heading": graded((3, "just above a heading"), last="no heading follows soon"),
        **dict.fromkeys(
            ("since_long", "until_long"),
            graded((0, "running text"), (4, "close to running text"), last="far from running text"),
        ),
    }


def _page() -> dict[str, Phrase]:
    """The place of a block, and the page as a whole."""
    page = _part("the page")
    return {
        **dict.fromkeys(("place", "words_before"), place_on_page),
        "blocks_before": graded((10, "few blocks above it"), last="many blocks above it"),
        "blocks_after": graded((10, "few blocks below it"), last="many blocks below it"),
        "depth": graded((6, "not deep in the page"), last="deep in the page"),
        "page_words": graded(
            (200, "the page has little text"),
            (1500, "the page has some text"),
            last="the page has much text",
        ),
        "page_plain": graded(
            (200, "the page has little text outside links"), last="the page has text outside links"
        ),
        "page_long": graded(
            (0.3, "the page has few paragraphs"), last="the page is mostly paragraphs"
        ),
        "page_blocks": graded((60, "few blocks on the page"), last="many blocks on the page"),
        "page_money": graded((0.001, "no prices on the page"), last="prices on the page"),
        **{f"page_{name}": page[name] for name in ("links", "mean", "paragraphs", "stops")},
        "bare": flag("the article alone is wanted", "all kinds of content are wanted"),
    }


def _type_phrase(name: str) -> Phrase:
    page = f"{'an' if name[0] in 'aeiou' else 'a'} {name} page"
    return graded((0.1, f"not {page}"), (0.6, f"perhaps {page}"), last=page)


def _names() -> dict[str, Phrase]:
    """Weights of the class names and ids above a block and its neighbours."""
    phrases: dict[str, Phrase] = {}
    for at in range(LEXICON_KINDS):
        for side, subject in NAMED.items():
            phrases[f"lexicon{at}{side}"] = distance(
                f"{subject}named like what is left out",
                f"{subject}named like content",
                f"{subject}without telling names",
            )
    return phrases


#: Suffixes of the features of names, and whose names they are.
NAMED = {"": "", "_before": "the text before it is ", "_after": "the text after it is "}

#: What may lie inside a block.
INNER_WORDS = {
    "a": "links",
    "strong": "bold words",
    "em": "stressed words",
    "span": "spans",
    "button": "buttons",
    "label": "labels",
    "time": "times or dates",
    "small": "small print",
    "code": "code",
}

#: Words for every measure, by its name.
PHRASES: Phrases = {
    **_own(),
    **_statements(),
    **_announced(),
    **flags("in_", "in {}", "not in {}", {name: PLACE_WORDS[name] for name in OUTER}),
    **flags("has_", "{} in it", "no {} in it", INNER_WORDS),
    **flags("is_", "{}", "not {}", {name: PLACE_WORDS[name] for name in HOLDER_FEATURES}),
    **_levels(),
    **_alike(),
    **_core(),
    **_neighbours(),
    **_page(),
    **_names(),
    **{f"type_{name}": _type_phrase(name) for name in TYPES},
}
