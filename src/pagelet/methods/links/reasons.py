"""Features of link groups in words, for people who ask why a group has its role."""

from pagelet.methods.links.groups import TARGETS
from pagelet.methods.links.vocabulary import ADDRESS_KINDS, ALL_KINDS, NAME_KINDS

#: What kinds of labels, headings and texts mean.
TEXT_WORDS = {
    "home": "the front page",
    "account": "log in, account or cart",
    "legal": "privacy, terms or imprint",
    "company": "about, contact or help",
    "turn": "next and previous",
    "more": "read more",
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
#: Measures in words; {} is the value.
MEASURES = {
    "links": "{:.0f} links",
    "link_share": "{:.0%} of the page's links",
    "links_before": "{:.0%} of the links stand before it",
    "label_chars": "labels of {:.0f} characters",
    "label_missing": "{:.0%} of the links have no text",
    "label_picture": "{:.0%} of the links hold a picture",
    "label_short": "{:.0%} of the labels are short",
    "label_long": "{:.0%} of the labels are sentences",
    "link_text": "{:.0%} of its text is linked",
    "plain_per_link": "{:.0f} characters outside links for each link",
    "text_before": "{:.0%} of the text stands before it",
    "place": "begins after {:.0%} of the page",
    "after_core": "stands after the main text: {:.0f}",
    "in_core": "stands in the main text: {:.0f}",
    "after_heading": "stands after the main heading: {:.0f}",
    "rows_from_heading": "{:.0f} rows from the main heading",
    "same_parent": "{:.0%} of the links have the same parent as the one before",
    "repeated_after": "{:.0%} of the links occur again below",
    "repeated_before": "{:.0%} of the links occurred before",
    "siblings": "{:.0f} elements like it side by side",
    "same_path": "{:.0f} elements with the same path",
    "page_links": "{:.0f} links on the page",
}
assert set(TEXT_WORDS) == set(ALL_KINDS)
assert set(TARGET_WORDS) == set(TARGETS)


NAME_WORDS = {kind: kind for kind in NAME_KINDS}
ADDRESS_WORDS = {kind: kind for kind in ADDRESS_KINDS}
#: Families of features by their prefix: the words, {0} for the subject and {1} for the value.
FAMILIES: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("labels_", "{1:.0f} labels speak of {0}", TEXT_WORDS),
    ("label_", "{1:.0%} of the labels speak of {0}", TEXT_WORDS),
    ("to_", "{1:.0%} of the links lead {0}", TARGET_WORDS),
    ("address_", "{1:.0%} of the addresses name a {0}", ADDRESS_WORDS),
    ("heading_", "the heading speaks of {0}: {1:.0f}", TEXT_WORDS),
    ("own_name_", "its class or id speaks of {0}: {1:.0f}", NAME_WORDS),
    ("near_name_", "a class or id just above speaks of {0}: {1:.0f}", NAME_WORDS),
    ("in_name_", "a class or id above speaks of {0}: {1:.0f}", NAME_WORDS),
    ("in_", "inside {0}: {1:.0f}", {}),
)


def describe(name: str, value: float) -> str:
    """A feature and its value in words."""
    if name in MEASURES:
        return MEASURES[name].format(value)
    for before, sentence, words in FAMILIES:
        kind = name.removeprefix(before)
        if kind != name and (kind in words or not words):
            return sentence.format(words.get(kind, kind), value)
    return f"{name.replace('_', ' ')}: {value:.3g}"
