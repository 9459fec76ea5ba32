"""Kinds of marks: plain ones, those with a role, and fields of records.

A kind with a role is written `GROUP:ROLE`, such as `links:footer`; a field `field:NAME`. Whether a
page was looked through is recorded for groups, not for single roles.
"""

import re

from pagelet.errors import OptionError
from pagelet.wording import must_be_one_of

SEGMENT, TEMPLATE, SLOT = "segment", "template", "slot"
LINKS, BLOCK, RECORD, FIELD = "links", "block", "record", "field"
SEPARATOR = ":"  #: between a group and its role
#: Kinds without roles, and their meaning.
PLAIN = {
    "menu": "the main menu",
    "content": "main content",
    "noise": "neither content nor part of a record",
    "clutter": "link lists and text advertisements",
    TEMPLATE: "what all pages of the site share",
    SLOT: "the page's own part: what belongs to this page only",
    SEGMENT: "one visual block",
    RECORD: "one of several similar items: a product, a result, a post",
}
#: Groups of kinds with roles, and their meaning.
GROUPS = {
    LINKS: "a group of links, by what it is for",
    BLOCK: "a block of text, by its role",
    FIELD: "a part of a record, by its name",
}
#: The roles of each group with a fixed list, and their meaning.
ROLES = {
    LINKS: {
        "menu": "the site's main menu, a copy or a part of it",
        "section": "other navigation of the site or of a section",
        "utility": "log in, cart, search, language, actions on a post",
        "footer": "footer navigation, imprint, privacy, terms",
        "breadcrumb": "the way from the front page to this page",
        "pagination": "page numbers, previous, next, load more",
        "toc": "links to parts of this very page, tabs, letters",
        "tags": "tags, topics or categories of this item",
        "related": "teasers of other items: related, latest, popular",
        "social": "share and follow",
        "ads": "advertising, sponsored links, newsletter boxes",
        "byline": "author, date, source, counts of this item",
        "content": "what the page is there for: items, products, results",
        "mixed": "a wrapper of links of several roles",
    },
    BLOCK: {
        "title": "the title of the page's text",
        "byline": "author, date, place",
        "body": "running text",
        "heading": "a heading within the text",
        "caption": "the caption of a picture or table",
        "list": "an entry of a list",
        "table": "a cell of a table",
        "code": "program text, preformatted",
        "quote": "quoted text",
        "comment": "what readers wrote below the text",
        "related": "teasers of other items",
        "advertisement": "advertising",
        "notice": "cookies, newsletters, copyright, hints",
        "navigation": "menus, page numbers and other ways through the site",
    },
}
#: Names that are offered for fields; any other can be given.
FIELD_NAMES = ("title", "price", "date", "author", "description", "image", "link", "rating")
FIELD_NAME = re.compile(r"[a-z][a-z0-9_]{0,29}")
#: Kinds that can be looked for on a page; slot counts as template, and fields as part of records.
LOOKED_FOR = (*(kind for kind in PLAIN if kind != SLOT), LINKS, BLOCK)


def split_kind(kind: str) -> tuple[str, str]:
    """The group of a kind and its role; the role of a plain kind is empty."""
    group, _, role = kind.partition(SEPARATOR)
    return group, role


def group_of(kind: str) -> str:
    """The group of a kind, or the plain kind itself; slots count as template."""
    group, _ = split_kind(kind)
    return TEMPLATE if group == SLOT else group


def check_kind(kind: str) -> None:
    """Raise OptionError unless a mark can be of this kind."""
    group, role = split_kind(kind)
    if group == FIELD:
        if not FIELD_NAME.fullmatch(role):
            why = "name a field with small letters, digits and _, such as field:price"
            raise OptionError("kind", kind[:80], why)
        return
    if group in ROLES:
        if role not in ROLES[group]:
            names = [f"{group}{SEPARATOR}{name}" for name in ROLES[group]]
            raise OptionError("kind", kind[:80], must_be_one_of(names))
        return
    if kind not in PLAIN:
        raise OptionError("kind", kind[:80], must_be_one_of((*PLAIN, *GROUPS)))
