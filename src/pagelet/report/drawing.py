"""The page as HTML that looks like it, can do nothing, and carries the pagelets' numbers.

turbohtml's Sanitizer is not used: it keeps listed tags and CSS properties alone, which loses
the look of a page. What can act is taken out here, and the report's content security policy
stands behind: it lets no script but ours run, however the browser reads the markup.
"""

import re
from collections import defaultdict
from collections.abc import Sequence

from turbohtml import Comment, Element

from pagelet.page.dom import Dom, build_dom
from pagelet.page.table import SHADOW_ATTRIBUTE, Page
from pagelet.page.tags import TEXT
from pagelet.pagelets import Pagelets
from pagelet.report.sources import Sources

MARK = "data-pagelet"  #: numbers of the pagelets that begin at an element
ROW_MARK = "data-row"  #: row of every element, where that is asked for
TEXT_MARK = "data-pagelet-text"  #: number:n for those that begin at its n-th text that is not blank
WAS = "data-pagelet-was"  #: what an element was called in the page, so that paths still lead to it

ANIMATIONS = ("set", "animate", "animatecolor", "animatemotion", "animatetransform")
GONE = {"script", "base", "noembed", "noframes", *ANIMATIONS}
EMBEDDED = {"iframe", "frame", "object", "embed", "applet", "portal", "fencedframe"}
PICTURE_TAGS = {"src": ("img", "input"), "href": ("image", "feimage"), "xlink:href": ("image",)}
UNWANTED = {
    *("nonce", "integrity", "crossorigin", "referrerpolicy", "http-equiv", "is"),
    *("ping", "attributionsrc", "manifest", "formaction", "target", "download"),
    *("srcdoc", "imagesrcset", "autofocus", "accesskey", MARK, TEXT_MARK, WAS),
}
#: Elements whose name or id may stand for a property of the document or of a form, and the
#: properties that the frame's script reads.
NAMED = {"form", "img", "input", "button", "select", "textarea", "output", "fieldset"}
PROPERTIES = {
    *("childNodes", "dataset", "host", "parentNode", "shadowRoot"),
    *("checkVisibility", "getBoundingClientRect", "querySelectorAll", "scrollIntoView"),
}
SCRIPT_URL = re.compile(
    r"(?i)[\x00-\x20]*(?:"
    + "|".join(r"[\t\n\r]*".join(scheme) for scheme in ("javascript", "vbscript"))
    + r")[\t\n\r]*:"
)


def draw(
    page: Page, found: Sequence[Pagelets], sources: Sources, head: str, *, rows: bool = False
) -> str:
    """Write the HTML of the frame: `head` first, then the page made harmless and marked.

    With `rows`, every element says which row it is.
    """
    own = build_dom(page)
    for node in own.document.descendants:
        if isinstance(node, Comment):
            node.data = ""  # left in place, since it keeps the texts around it apart
    for node in own.nodes:
        if isinstance(node, Element):
            _clean(node, sources)
    _mark(page, own, found)
    if rows:
        _number(own)
    return head + own.document.serialize()


def _clean(element: Element, sources: Sources) -> None:
    """Make one element harmless, or put something harmless in its place."""
    tag = element.tag.lower()
    if tag == "noscript" and _in_head(element):
        element.unwrap()  # its style sheets are those of a page without scripts
    elif tag in GONE or tag == "noscript" or (tag == "meta" and _acts(element)):
        _blank(element)
    elif tag == "link":
        _link(element, sources)
    elif tag in EMBEDDED:
        _empty_box(element, sources)
    else:
        _clean_attributes(element, tag, sources)
        if tag == "style" and (css := sources.css(element.text)) != element.text:
            element.text = css
        elif tag == "plaintext":
            element.tag = "pre"  # nothing can end a plaintext element
            element.attrs[WAS] = tag


def _in_head(element: Element) -> bool:
    return isinstance(element.parent, Element) and element.parent.tag == "head"


def _acts(meta: Element) -> bool:
    return "http-equiv" in meta.attrs or (meta.attr("name") or "").strip().lower() == "referrer"


def _blank(element: Element) -> None:
    """Leave an empty template, so that :nth-child and the like still count right."""
    element.replace_with(Element("template", {WAS: element.tag.lower()}))


def _link(link: Element, sources: Sources) -> None:
    """Keep a style sheet, also one that a script would have switched on; nothing else."""
    rel = (link.attr("rel") or "").lower().split()
    preloaded = "preload" in rel and (link.attr("as") or "").lower() == "style"
    sheet = None
    if ("stylesheet" in rel or preloaded) and "alternate" not in rel:
        media = link.attr("media") or ""
        waits = "onload" in link.attrs and media.strip().lower() == "print"
        sheet = sources.sheet(link.attr("href") or "", "" if waits else media)
    if sheet is None:
        _blank(link)
    else:
        sheet.attrs[WAS] = "link"
        link.replace_with(sheet)


def _empty_box(element: Element, sources: Sources) -> None:
    """Keep the place of an embedded document, not the document."""
    sizes = ((name, (element.attr(name) or "").strip()) for name in ("width", "height"))
    units = (f"{name}:{size}{'px' * size.isdecimal()};" for name, size in sizes if _length(size))
    style = "display:inline-block;background:rgba(128,128,128,.15);" + "".join(units)
    style += sources.css(element.attr("style") or "")
    kept = {name: element.attr(name) or "" for name in ("class", "id") if name in element.attrs}
    element.clear()
    element.attrs.clear()
    was, element.tag = element.tag.lower(), "span"
    element.attrs.update({**kept, "style": style, WAS: was})


def _length(size: str) -> bool:
    return re.fullmatch(r"[0-9]{1,5}%?", size) is not None


def _clean_attributes(element: Element, tag: str, sources: Sources) -> None:
    attrs = element.attrs
    if tag == "img" and "src" not in attrs and "srcset" in attrs:
        attrs["src"] = (element.attr("srcset") or "").strip().partition(" ")[0]
    for name in list(attrs):
        old = element.attr(name) or ""
        new = _clean_value(tag, name.lower(), old, sources)
        if new is None:
            del attrs[name]
        elif new != old:
            attrs[name] = new
    if SHADOW_ATTRIBUTE in attrs:
        attrs["shadowrootmode"] = "open"


def _unwanted(tag: str, name: str, value: str) -> bool:
    if name.startswith("on") or name in UNWANTED or SCRIPT_URL.match(value):
        return True
    return tag in NAMED and (name == "name" or (name == "id" and value in PROPERTIES))


def _clean_value(tag: str, name: str, value: str, sources: Sources) -> str | None:
    """Say what an attribute may be in the drawing; None when it has to go."""
    if _unwanted(tag, name, value):
        return None
    if name == "style":
        return sources.css(value)
    if tag in PICTURE_TAGS.get(name, ()) or name in ("poster", "background"):
        return sources.picture(value)
    if name == "srcset":
        return sources.srcset(value)
    if name in ("href", "xlink:href"):
        return value if tag in ("a", "area") or value.startswith("#") else None
    return None if name == "src" else value


def _mark(page: Page, own: Dom, found: Sequence[Pagelets]) -> None:
    """Write the number of each pagelet on its top nodes."""
    marks: defaultdict[tuple[int, str], list[str]] = defaultdict(list)
    pagelets = (pagelet for one in found for pagelet in one)
    for number, pagelet in enumerate(pagelets):
        for row in pagelet.rows:
            if page.tag[row] != TEXT:
                marks[row, MARK].append(str(number))
            elif (parent := int(page.parent[row])) >= 0:
                marks[parent, TEXT_MARK].append(f"{number}:{_place(page, row)}")
    for (row, name), numbers in marks.items():
        node = own.nodes[row]
        assert isinstance(node, Element)
        node.attrs[name] = " ".join(numbers)


def _number(own: Dom) -> None:
    """Write its row on every element."""
    for row, node in enumerate(own.nodes):
        if isinstance(node, Element):
            node.attrs[ROW_MARK] = str(row)


def _place(page: Page, row: int) -> int:
    """How many texts that are not blank stand before a text in its parent."""
    parent = int(page.parent[row])
    before = slice(parent + 1, row)
    return int(((page.parent[before] == parent) & (page.tag[before] == TEXT)).sum())
