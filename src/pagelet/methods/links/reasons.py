"""Features of link groups in words, for people who ask why a group has its role."""

from pagelet.methods.links.inputs import CONTEXT
from pagelet.methods.phrases import (
    PLACE_WORDS,
    Phrase,
    Phrases,
    distance,
    family,
    flag,
    flags,
    graded,
    line,
    measure,
    place_on_page,
)
from pagelet.methods.phrases import describe as describe_measure

#: What kinds of labels, headings and texts mean.
TEXT_WORDS = {
    "home": "the front page",
    "account": "log in, account or cart",
    "legal": "privacy, terms or imprint",
    "company": "about, contact or help",
    "turn": "next and previous",
    "more": "reading more",
    "share": "sharing and following",
    "act": "replying, printing or reporting",
    "skip": "skip links, menu buttons or search",
    "language": "languages and regions",
    "related": "related, latest or popular items",
    "tags": "tags and topics",
    "contents": "a table of contents",
    "here": "you are here",
    "by": "author and date",
    "archive": "archives and filters",
    "ad": "advertising",
    "letter": "newsletters and apps",
    "number": "numbers",
    "date": "dates",
    "counter": "counts",
    "name": "names of persons or things",
    "hash": "hashtags",
    "letters": "single letters",
}
TARGET_WORDS = {
    "action": "to no page at all",
    "fragment": "to parts of this page",
    "contact": "to e-mail addresses or telephones",
    "internal": "to this site",
    "social": "to social networks",
    "home": "to the front page",
    "above": "to pages above this one",
    "same_section": "to the same section",
    "query": "to addresses with a query",
    "slug": "to addresses made of titles",
    "deep": "to deep addresses",
}
NAME_WORDS = {
    "nav": "navigation",
    "main": "the main or top part",
    "sub": "a side bar or section",
    "utility": "tools and accounts",
    "footer": "a footer",
    "crumb": "breadcrumbs",
    "pager": "turning pages",
    "toc": "a table of contents or tabs",
    "tags": "tags and topics",
    "related": "related or latest items",
    "social": "sharing",
    "ads": "advertising or newsletters",
    "byline": "author and date",
    "content": "content",
    "comment": "comments",
    "mobile": "menus that open",
}
ADDRESS_WORDS = {
    "page": "page numbers",
    "tag": "tags or categories",
    "person": "authors or users",
    "account": "accounts or carts",
    "legal": "legal pages, contact or help",
    "share": "sharing or feeds",
    "act": "comments, votes or printing",
    "file": "files",
    "ad": "tracking or advertising",
    "listing": "searches or archives",
    "number": "numbers",
    "dated": "dates",
}
RELATION_WORDS = {
    "nofollow": "nofollow",
    "tag": "tags",
    "turn": "the next or previous page",
    "person": "authors",
    "opener": "noopener",
    "sponsored": "sponsored",
}
#: Landmarks that a group may lie in.
LANDMARK_WORDS = {name: PLACE_WORDS[name] for name in CONTEXT}
#: Measures in words; {} is the value.
MEASURES = {
    "links": "{:.0f} links",
    "link_share": "{:.0%} of the page's links",
    "page_links": "{:.0f} links on the page",
    "label_chars": "labels of {:.0f} characters",
    "label_spaces": "labels with {:.1f} spaces each",
    "label_missing": "{:.0%} of the links have no text",
    "label_picture": "{:.0%} of the links hold a picture",
    "label_short": "{:.0%} of the labels are short",
    "label_long": "{:.0%} of the labels are sentences",
    "label_capital": "{:.0%} of the labels begin with a capital",
    "label_run": "{:.0%} of the labels are the next number",
    "label_upper": "{:.0%} of the labels are in capitals",
    "has_target": "{:.0%} of the links open elsewhere",
    "has_aria-current": "{:.0%} of the links are marked as the current page",
    "has_title": "{:.0%} of the links have a title attribute",
    "host_changes": "{:.0%} of the links lead to another host than the one before",
    "repeated_before": "{:.0%} of the links occurred before",
    "repeated_after": "{:.0%} of the links occur again below",
    "same_parent": "{:.0%} of the links have the same parent as the one before",
    "same_depth": "{:.0%} of the links lie as deep as the one before",
    "link_text": "{:.0%} of its text is linked",
    "plain_per_link": "{:.0f} characters outside links for each link",
    "prose_per_link": "{:.0f} characters of prose for each link",
    "text_share": "{:.0%} of the page's text",
    "plain_share": "{:.0%} of the page's text outside links",
    "prose_before": "{:.0f} paragraphs of prose before it",
    "prose_after": "{:.0f} paragraphs of prose after it",
    "page_plain": "{:,.0f} characters outside links on the page",
    "page_prose": "{:,.0f} characters of prose on the page",
    "parent_text": "{:.0%} of the text of the element around it",
    "parent_plain": "{:,.0f} characters outside links beside it",
    "headings_in": "{:.0f} headings in it",
    "headings_before": "{:.0f} headings before it",
    "page_headings": "{:.0f} headings on the page",
    "nodes_per_link": "{:.0f} nodes for each link",
    "size_share": "{:.0%} of the page's nodes",
    "depth": "lies {:.0f} levels deep",
    "page_groups": "{:.0f} groups of links on the page",
    "outer_share": "{:.0%} of the links of the group around it",
    "inner_groups": "{:.0f} groups in it",
    "siblings": "{:.0f} elements like it side by side",
    "same_path": "{:.0f} elements with the same path",
    "same_groups": "{:.0f} groups with the same path",
}
#: What is counted for each link: one of it, and several.
PER_LINK = {
    "lists": ("list", "lists"),
    "items": ("list item or cell", "list items or cells"),
    "images": ("picture", "pictures"),
    "inputs": ("form field", "form fields"),
    "headings": ("heading", "headings"),
    "times": ("time or date", "times or dates"),
    "paragraphs": ("paragraph", "paragraphs"),
    "blocks": ("block", "blocks"),
    "separators": ("separator", "separators"),
    "texts_per_link": ("text outside links", "texts outside links"),
    "children_per_link": ("child element", "child elements"),
}
#: Signed distances in words: below 0, above 0, and 0; {} is the distance.
DISTANCES = {
    "above_core": (
        "{:.0f} levels deeper than the main text",
        "{:.0f} levels higher than the main text",
        "as deep as the main text",
    ),
    "rows_from_heading": (
        "{:,.0f} nodes before the main heading",
        "{:,.0f} nodes after the main heading",
        "no main heading, or in its place",
    ),
}
#: What holds or does not, in words for both.
FLAGS = {
    "in_core": ("in the main text", "not in the main text"),
    "after_core": ("after the main text", "not after the main text"),
    "after_heading": ("after the main heading", "not after the main heading"),
    "holds_heading": ("holds the main heading", "does not hold the main heading"),
    "heading_missing": ("the page has no main heading", "the page has a main heading"),
}


def _per_link(one: str, several: str) -> Phrase:
    """How many of something there are for each link."""
    return graded(
        (0, f"no {several}"),
        (0.6, f"fewer {several} than links"),
        (1.5, f"about one {one} for each link"),
        last=f"several {several} for each link",
    )


def _running_text(side: str) -> Phrase:
    """How far the running text is, in rows."""
    return graded(
        (0, "at the running text"),
        (30, f"just {side} running text"),
        (150, f"some way {side} running text"),
        last=f"far {side} any running text",
    )


#: Places and distances in words.
PLACES: dict[str, Phrase] = {
    **dict.fromkeys(("text_before", "plain_before", "links_before", "place"), place_on_page),
    "place_end": lambda value: place_on_page(1 - value),
    "prose_share_before": graded(
        (0.02, "before all running text"),
        (0.98, "within the running text"),
        last="after all running text",
    ),
    "prose_share_after": graded(
        (0.02, "after all running text"),
        (0.98, "within the running text"),
        last="before all running text",
    ),
    "rows_to_prose": _running_text("before"),
    "rows_from_prose": _running_text("after"),
    "label_std": graded(
        (0, "labels of one length"),
        (5, "labels of about one length"),
        (15, "labels of different lengths"),
        last="labels of very different lengths",
    ),
}
LABEL_PHRASES = family(
    "label_", "{1:.0%} of the labels speak of {0}", "no label speaks of {0}", TEXT_WORDS
)


def name_phrases(prefix: str, yes: str, no: str) -> dict[str, Phrase]:
    """Whether class names and ids speak of something."""
    return flags(prefix, f"{yes} speaks of {{}}", f"{no} speaks of {{}}", NAME_WORDS)


#: Words for every measure, by its name.
PHRASES: Phrases = {
    **{name: measure(text) for name, text in MEASURES.items()},
    **{name: _per_link(*words) for name, words in PER_LINK.items()},
    **PLACES,
    **{name: distance(*texts) for name, texts in DISTANCES.items()},
    **{name: flag(*texts) for name, texts in FLAGS.items()},
    **family("labels_", "{1:.0f} labels about {0}", "no label about {0}", TEXT_WORDS),
    **family("to_", "{1:.0%} of the links lead {0}", "no link leads {0}", TARGET_WORDS),
    **family(
        "address_",
        "{1:.0%} of the addresses speak of {0}",
        "no address speaks of {0}",
        ADDRESS_WORDS,
    ),
    **family(
        "rel_",
        "{1:.0%} of the links are marked with rel: {0}",
        "no link is marked with rel: {0}",
        RELATION_WORDS,
    ),
    **LABEL_PHRASES,
    **flags(
        *("heading_", "its heading speaks of {}", "its heading does not speak of {}", TEXT_WORDS)
    ),
    **name_phrases("own_name_", "its class or id", "no class or id of it"),
    **name_phrases("near_name_", "a class or id just above", "no class or id just above"),
    **name_phrases("in_name_", "a class or id above", "no class or id above"),
    **flags("in_", "inside {}", "not inside {}", LANDMARK_WORDS),
}


def describe(name: str, value: float) -> str:
    """A feature and its value in words."""
    return str(line(describe_measure(PHRASES, name, value), 0.0)["text"])
