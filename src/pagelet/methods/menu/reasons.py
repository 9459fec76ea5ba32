"""Measures of menus in words, for people who ask why an element is the menu."""

from collections.abc import Mapping
from typing import Any

from pagelet.methods.links.reasons import LABEL_PHRASES, NAME_WORDS, name_phrases
from pagelet.methods.links.reasons import PHRASES as LINK_PHRASES
from pagelet.methods.menu.features import HINTS
from pagelet.methods.phrases import (
    Phrases,
    describe,
    family,
    flag,
    flags,
    graded,
    line,
    measure,
    place_on_page,
)

#: What tags, class names and ids hint at.
HINT_WORDS = {
    "nav": "a navigation element",
    "for": "named like a menu",
    "against": "named like another list, such as a footer, share buttons or a search",
    "main": "named main, top or header",
    "hidden": "hidden",
}
#: What a menu may hold, in words; {} is the number.
COUNTS = {
    "lists": "{:.0f} lists in it",
    "items": "{:.0f} list items or cells in it",
    "tables": "{:.0f} tables in it",
    "images": "{:.0f} pictures in it",
    "inputs": "{:.0f} form fields or buttons in it",
    "headings": "{:.0f} headings in it",
    "home": "{:.0f} links to the front page by their label",
    "page_nodes": "{:,.0f} nodes on the page",
    "page_items": "{:,.0f} list items on the page",
    "page_tables": "{:.0f} tables on the page",
    "alike": "{:.0f} elements of its kind as deep in the page",
}
#: Shares in words; {} is the share.
SHARES = {
    "no_text": "{:.0%} of the links have no text",
    "pictures": "{:.0%} of the links hold a picture",
    "internal": "{:.0%} of the links lead to this site",
    "repeated": "{:.0%} of the links occurred before",
    "same_place": "{:.0%} of the links lie where the one before them does",
    "link_char_ratio": "{:.0%} of its text is linked",
    "nodes_after": "{:.0%} of the page comes after it",
    "parent_chars": "{:.0%} of the text of the element around it",
    "parent_links": "{:.0%} of the links of the element around it",
    "parent_nodes": "{:.0%} of the nodes of the element around it",
    "heir_links": "its largest part has {:.0%} of its links",
    "heir_nodes": "its largest part has {:.0%} of its nodes",
    "outer_links": "{:.0%} of the links of the next larger element",
    "outer_nodes": "{:.0%} of the nodes of the next larger element",
    "prose_share_in": "{:.0%} of the prose lies in it",
}
#: Words for every measure of the default profile, by its name.
PHRASES: Phrases = {
    **LINK_PHRASES,
    **LABEL_PHRASES,
    **{name: measure(text) for name, text in (COUNTS | SHARES).items()},
    "label_short": LINK_PHRASES["label_short"],
    "label_missing": LINK_PHRASES["label_missing"],
    **dict.fromkeys(("link_share_before", "char_share_before", "nodes_before"), place_on_page),
    "links_before": graded(
        (12, "few links stand before it"),
        (60, "links stand before it"),
        last="many links stand before it",
    ),
    **dict.fromkeys(
        ("chars_before", "plain_before"),
        graded(
            (600, "little text stands before it"),
            (3000, "text stands before it"),
            last="much text stands before it",
        ),
    ),
    "before_middle": graded((0, "reaches into the main text"), last="before the main text"),
    "is_item": flag("a list item", "no list item"),
    "is_list": flag("a list", "no list by its tag"),
    "in_list": flag("inside a list", "not inside a list"),
    **flags("said_", "{}", "not {}", {name: HINT_WORDS[name] for name in HINTS}),
    **flags(
        *("said_in_", "inside an element that is {}", "not inside an element that is {}"),
        {name: HINT_WORDS[name] for name in HINTS},
    ),
    **flags(
        *("said_below_", "something in it is {}", "nothing in it is {}"),
        {name: HINT_WORDS[name] for name in HINTS[:3]},
    ),
    "said_parent_for": flag("its parent is named like a menu", "its parent is not named so"),
    "said_in_header": flag("inside a header", "not inside a header"),
    "said_in_footer": flag("inside a footer", "not inside a footer"),
    **name_phrases("own_name_", "its class or id", "no class or id of it"),
    **family(
        "link_name_",
        "{1:.0%} of the names of its links speak of {0}",
        "no name of its links speaks of {0}",
        NAME_WORDS,
    ),
}

#: Words for the paper's properties, each between 0 and 1.
PAPER_PHRASES: Phrases = {
    "amplitude": lambda value: f"{1 / max(1 - value, 1e-9):.0f} children side by side",
    "link_ratio": measure("{:.0%} of the nodes in it are links"),
    "text_ratio": graded(
        (0.5, "much of the page's text outside links lies in it"),
        (0.9, "some of the page's text outside links lies in it"),
        last="hardly any text outside links",
    ),
    "ul_ratio": flag("a list (ul)", "no list (ul)"),
    "representative": flag("named menu or nav", "not named menu or nav"),
    "position": lambda value: f"begins after {1 - value:.0%} of the page",
}
#: Rules that select the paper's candidates; {0} is the weight, {1} the threshold.
RULE_WORDS = {
    "absolute": "weight {0:.2f}, most of its parts are candidates: over {1:.2f}",
    "relative": "weight {0:.2f}; nothing is over {1:.2f}, so the heaviest were compared",
    "heaviest": "weight {0:.2f}, the heaviest; no candidate has parts that are heavy enough",
}


def explain_weight(reason: Mapping[str, Any], options: Any) -> list[dict[str, Any]]:
    """The properties by their part in the weight, and how the weight made it a candidate."""
    threshold = options.candidate_threshold
    parts = [
        line(describe(PAPER_PHRASES, name, reason[name]), _weight(options, name) * reason[name])
        for name in PAPER_PHRASES
    ]
    rule = RULE_WORDS[reason["candidates"]]
    if reason["candidates"] == "absolute" and reason["weight"] > threshold:
        rule = "weight {0:.2f}, over the threshold of {1:.2f}"
    parts.append(line(rule.format(reason["weight"], threshold), reason["weight"] - threshold))
    return sorted(parts, key=lambda each: -abs(each["effect"]))


def _weight(options: Any, name: str) -> float:
    return float(getattr(options, f"{name}_weight"))
