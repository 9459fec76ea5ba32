"""The drawing: the page as inert HTML that keeps its look and carries the numbers of pagelets.

turbohtml's Sanitizer is not used: it keeps only allowed tags and CSS properties, which loses the
look of a page. Active content is removed here, and the report's content security policy is the
second line of defence: no script but ours runs, however the browser parses the markup.
"""

import re
from collections import defaultdict
from collections.abc import Sequence

from turbohtml import Comment, Element

from pagelet.page.dom import Dom, build_dom
from pagelet.page.table import SHADOW_ATTRIBUTE, Page
from pagelet.page.tags import TEXT
from pagelet.pagelets import Pagelets
from pagelet.report.assets import Assets

MARK = "data-pagelet"  #: numbers of the pagelets that begin at an element
ROW_MARK = "data-row"  #: row of an element, in drawings with rows
TEXT_MARK = "data-pagelet-text"  #: number:n for pagelets that begin at its n-th text, not blank
WAS_MARK = "data-pagelet-was"  #: tag of the element in the page, so that paths still lead to it

ANIMATION_TAGS = ("set", "animate", "animatecolor", "animatemotion", "animatetransform")
REMOVED_TAGS = {"script", "base", "noembed", "noframes", *ANIMATION_TAGS}
EMBEDDED_TAGS = {"iframe", "frame", "object", "embed", "applet", "portal", "fencedframe"}
PICTURE_ATTRIBUTES = {
    "src": ("img", "input"),
    "href": ("image", "feimage"),
    "xlink:href": ("image",),
}
REMOVED_ATTRIBUTES = {
    *("nonce", "integrity", "crossorigin", "referrerpolicy", "http-equiv", "is"),
    *("ping", "attributionsrc", "manifest", "formaction", "target", "download"),
    *("srcdoc", "imagesrcset", "autofocus", "accesskey", MARK, TEXT_MARK, WAS_MARK),
}
#: Elements whose name or id can shadow a property of the document or of a form.
SHADOWING_TAGS = {"form", "img", "input", "button", "select", "textarea", "output", "fieldset"}
#: Properties that the script of the frame reads.
READ_PROPERTIES = {
    *("childNodes", "dataset", "host", "parentNode", "shadowRoot"),
    *("checkVisibility", "getBoundingClientRect", "querySelectorAll", "scrollIntoView"),
}
SCRIPT_URL = re.compile(
    r"(?i)[\x00-\x20]*(?:"
    + "|".join(r"[\t\n\r]*".join(scheme) for scheme in ("javascript", "vbscript"))
    + r")[\t\n\r]*:"
)


def draw(
    page: Page, results: Sequence[Pagelets], assets: Assets, head: str, *, rows: bool = False
) -> str:
    """Write the HTML of the frame: `head`, then the page made inert and marked.

    With `rows`, every element carries its row.
    """
    own = build_dom(page)
    for node in own.document.descendants:
        if isinstance(node, Comment):
            node.data = ""  # kept, since it separates the texts around it
    for node in own.nodes:
        if isinstance(node, Element):
            _clean(node, assets)
    _mark_pagelets(page, own, results)
    if rows:
        _mark_rows(own)
    return head + own.document.serialize()


def _clean(element: Element, assets: Assets) -> None:
    """Make an element inert, or replace it by something inert."""
    tag = element.tag.lower()
    if tag == "noscript" and _in_head(element):
        element.unwrap()  # the drawing is a page without scripts: its style sheets apply
    elif tag in REMOVED_TAGS or tag == "noscript" or (tag == "meta" and _is_active_meta(element)):
        _replace_by_template(element)
    elif tag == "link":
        _clean_link(element, assets)
    elif tag in EMBEDDED_TAGS:
        _replace_by_box(element, assets)
    else:
        _clean_attributes(element, tag, assets)
        if tag == "style" and (css := assets.rewrite_css(element.text)) != element.text:
            element.text = css
        elif tag == "plaintext":
            element.tag = "pre"  # no tag ends a plaintext element
            element.attrs[WAS_MARK] = tag


def _in_head(element: Element) -> bool:
    return isinstance(element.parent, Element) and element.parent.tag == "head"


def _is_active_meta(meta: Element) -> bool:
    return "http-equiv" in meta.attrs or (meta.attr("name") or "").strip().lower() == "referrer"


def _replace_by_template(element: Element) -> None:
    """Replace an element by an empty template, so that :nth-child and the like still match."""
    element.replace_with(Element("template", {WAS_MARK: element.tag.lower()}))


def _clean_link(link: Element, assets: Assets) -> None:
    """Keep only style sheets, including those that a script would enable."""
    rel = (link.attr("rel") or "").lower().split()
    preloaded = "preload" in rel and (link.attr("as") or "").lower() == "style"
    sheet = None
    if ("stylesheet" in rel or preloaded) and "alternate" not in rel:
        media = link.attr("media") or ""
        deferred = "onload" in link.attrs and media.strip().lower() == "print"
        sheet = assets.make_sheet(link.attr("href") or "", "" if deferred else media)
    if sheet is None:
        _replace_by_template(link)
    else:
        sheet.attrs[WAS_MARK] = "link"
        link.replace_with(sheet)


def _replace_by_box(element: Element, assets: Assets) -> None:
    """Replace an embedded document by an empty box of its size."""
    sizes = ((name, (element.attr(name) or "").strip()) for name in ("width", "height"))
    units = (f"{name}:{size}{'px' * size.isdecimal()};" for name, size in sizes if _is_length(size))
    style = "display:inline-block;background:rgba(128,128,128,.15);" + "".join(units)
    style += assets.rewrite_css(element.attr("style") or "")
    kept = {name: element.attr(name) or "" for name in ("class", "id") if name in element.attrs}
    element.clear()
    element.attrs.clear()
    was, element.tag = element.tag.lower(), "span"
    element.attrs.update({**kept, "style": style, WAS_MARK: was})


def _is_length(size: str) -> bool:
    return re.fullmatch(r"[0-9]{1,5}%?", size) is not None


def _clean_attributes(element: Element, tag: str, assets: Assets) -> None:
    attrs = element.attrs
    if tag == "img" and "src" not in attrs and "srcset" in attrs:
        attrs["src"] = (element.attr("srcset") or "").strip().partition(" ")[0]
    for name in list(attrs):
        old = element.attr(name) or ""
        new = _clean_value(tag, name.lower(), old, assets)
        if new is None:
            del attrs[name]
        elif new != old:
            attrs[name] = new
    if SHADOW_ATTRIBUTE in attrs:
        attrs["shadowrootmode"] = "open"


def _is_removed(tag: str, name: str, value: str) -> bool:
    if name.startswith("on") or name in REMOVED_ATTRIBUTES or SCRIPT_URL.match(value):
        return True
    return tag in SHADOWING_TAGS and (name == "name" or (name == "id" and value in READ_PROPERTIES))


def _clean_value(tag: str, name: str, value: str, assets: Assets) -> str | None:
    """The value of an attribute in the drawing; None to remove it."""
    if _is_removed(tag, name, value):
        return None
    if name == "style":
        return assets.rewrite_css(value)
    if tag in PICTURE_ATTRIBUTES.get(name, ()) or name in ("poster", "background"):
        return assets.rewrite_picture(value)
    if name == "srcset":
        return assets.rewrite_srcset(value)
    if name in ("href", "xlink:href"):
        return value if tag in ("a", "area") or value.startswith("#") else None
    return None if name == "src" else value


def _mark_pagelets(page: Page, own: Dom, results: Sequence[Pagelets]) -> None:
    """Write the number of each pagelet on its top nodes."""
    marks: defaultdict[tuple[int, str], list[str]] = defaultdict(list)
    pagelets = (pagelet for result in results for pagelet in result)
    for number, pagelet in enumerate(pagelets):
        for row in pagelet.rows:
            if page.tag[row] != TEXT:
                marks[row, MARK].append(str(number))
            elif (parent := int(page.parent[row])) >= 0:
                marks[parent, TEXT_MARK].append(f"{number}:{_text_index(page, row)}")
    for (row, name), numbers in marks.items():
        node = own.nodes[row]
        assert isinstance(node, Element)
        node.attrs[name] = " ".join(numbers)


def _mark_rows(own: Dom) -> None:
    """Write the row of every element on it."""
    for row, node in enumerate(own.nodes):
        if isinstance(node, Element):
            node.attrs[ROW_MARK] = str(row)


def _text_index(page: Page, row: int) -> int:
    """The number of texts, not blank, before a text in its parent."""
    parent = int(page.parent[row])
    before = slice(parent + 1, row)
    return int(((page.parent[before] == parent) & (page.tag[before] == TEXT)).sum())
