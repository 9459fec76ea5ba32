"""HTML that runs nothing: what leaves pagelet as a document, or as the drawing of a page.

turbohtml's Sanitizer is not used: it keeps only allowed tags and CSS properties, which loses the
look of a page. Active content is removed here, and a content security policy is the second line of
defence: no script of the page runs, however the browser parses the markup.
"""

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from turbohtml import Comment, Document, Element, Namespace

from pagelet.page.html import parse_dom
from pagelet.page.table import SHADOW_ATTRIBUTE
from pagelet.write.css import clean_css

WAS_MARK = "data-pagelet-was"  #: tag of an element before it was replaced

ANIMATION_TAGS = ("set", "animate", "animatecolor", "animatemotion", "animatetransform")
REMOVED_TAGS = {"script", "base", "noembed", "noframes", *ANIMATION_TAGS}
EMBEDDED_TAGS = {"iframe", "frame", "object", "embed", "applet", "portal", "fencedframe"}
PICTURE_ATTRIBUTES = {
    "src": ("img", "input"),
    "href": ("image", "feimage"),
    "xlink:href": ("image", "feimage"),
}
REMOVED_ATTRIBUTES = {
    *("nonce", "integrity", "crossorigin", "referrerpolicy", "http-equiv", "is"),
    *("ping", "attributionsrc", "manifest", "action", "formaction", "target", "download"),
    *("srcdoc", "imagesrcset", "autofocus", "accesskey", "xml:base"),
}
#: Attributes that may hold an address, since no browser loads it.
ADDRESS_ATTRIBUTES = {
    *("title", "alt", "value", "placeholder", "label", "content", "cite", "class", "id"),
    *("itemtype", "itemid", "typeof", "vocab", "prefix", "property", "resource", "about"),
    *("summary", "datetime", "xmlns"),
}
ADDRESS_PREFIXES = ("data-", "aria-", "xmlns:")
#: Attributes of SVG whose values are CSS.
STYLE_ATTRIBUTES = {
    *("clip-path", "color-profile", "cursor", "fill", "filter", "marker", "marker-end"),
    *("marker-mid", "marker-start", "mask", "stroke"),
}
SCRIPT_URL = re.compile(
    r"(?i)[\x00-\x20]*(?:"
    + "|".join(r"[\t\n\r]*".join(scheme) for scheme in ("javascript", "vbscript"))
    + r")[\t\n\r]*:"
)
#: An address with a host, once what browsers remove is removed; they need no slash after http:.
WEB_ADDRESS = re.compile(r"(?i)(?:https?|wss?|ftp|file):|[a-z][a-z0-9+.-]*://|[/\\]{2}")
SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
INVISIBLE = dict.fromkeys((9, 10, 13))  #: characters that browsers remove from addresses
CONTROLS = "".join(map(chr, range(33)))  #: characters that browsers strip from the ends
LOADED_SCHEMES = ("http", "https", "data")
DOCUMENT_POLICY = (
    "script-src 'none'; object-src 'none'; frame-src 'none'; form-action 'none'; base-uri 'none'"
)


class References(Protocol):
    """Decides what a document refers to in place of the references of its page."""

    def rewrite_picture(self, reference: str) -> str | None:
        """The reference of a picture; None to leave it out."""

    def rewrite_srcset(self, candidates: str) -> str | None:
        """The candidates for a picture; None to leave them out."""

    def rewrite_css(self, text: str) -> str:
        """A style sheet, style attribute or value with other references."""

    def make_sheet(self, href: str, media: str) -> Element | None:
        """The element for a linked style sheet; None to leave it out."""


class WebReferences:
    """Keeps references to pictures, fonts and styles on the web, and relative ones."""

    def rewrite_picture(self, reference: str) -> str | None:
        """Keep the reference."""
        return keep_address(reference)

    def rewrite_srcset(self, candidates: str) -> str | None:
        """Keep the candidates if all of them may be kept."""
        parts = [part.split() for part in re.split(r",\s+", candidates) if part.strip()]
        kept = [[keep_address(part[0]), *part[1:]] for part in parts if part]
        if not kept or any(part[0] is None for part in kept):
            return None
        return ", ".join(" ".join(filter(None, part)) for part in kept)

    def rewrite_css(self, text: str) -> str:
        """Keep the style, as far as it is understood."""
        return clean_css(text, self)

    def make_sheet(self, href: str, media: str) -> Element | None:
        """A link without any other attributes."""
        address = keep_address(href)
        if address is None:
            return None
        return Element("link", {"rel": "stylesheet", "href": address, "media": media})

    def rewrite_url(self, reference: str) -> str | None:
        """Keep the address of a style sheet's picture or font."""
        return keep_address(reference)

    def rewrite_import(self, reference: str, media: str) -> str:
        """Keep an import."""
        address = keep_address(reference)
        if address is None:
            return ""
        quoted = re.sub(r'["\\\n<]', lambda sign: f"\\{ord(sign[0]):x} ", address)
        return f'@import url("{quoted}"){" " if media else ""}{media};'


def keep_address(reference: str) -> str | None:
    """An address from which pictures and styles may be loaded; None for any other.

    Without a scheme a host is one of the web: in a file it would be a host of the local network.
    """
    address = reference.strip(CONTROLS).translate(INVISIBLE)
    if address[:2].replace("\\", "/") == "//":
        return f"https:{address}"
    scheme = SCHEME.match(address)
    return address if scheme is None or scheme[1].lower() in LOADED_SCHEMES else None


def make_inert(html: str, url: str | None = None) -> str:
    """Write a document again without what runs, sends or navigates; addresses become absolute."""
    document = parse_dom(html)
    _resolve(document, url)
    cleaning = Cleaning(WebReferences(), placeholders=False)
    for node in list(document.descendants):
        if isinstance(node, Comment):
            node.data = ""
        elif isinstance(node, Element):
            cleaning.clean(node)
    for meta in document.select("meta[charset]"):
        meta.extract()
    for head in document.select("head")[:1]:
        policy = {"http-equiv": "Content-Security-Policy", "content": DOCUMENT_POLICY}
        head.insert(0, Element("meta", policy))
        head.insert(0, Element("meta", {"charset": "utf-8"}))
    return document.serialize()


def _resolve(document: Document, url: str | None) -> None:
    """Make addresses absolute where the page or its `base` says against what."""
    base = document.base_url(url or "")
    if base.lower().startswith(("http://", "https://")):
        with suppress(ValueError):  # no address at all: links stay as they are written
            document.resolve_links(base)


@dataclass(frozen=True, slots=True)
class Cleaning:
    """Makes elements inert, one at a time."""

    references: References
    placeholders: bool = True
    #: whether a template replaces a removed element, so that :nth-child and paths still match

    def clean(self, element: Element) -> None:
        """Make an element inert, or replace it by something inert."""
        tag = element.tag.lower()
        if tag == "noscript" and (not self.placeholders or _in_head(element)):
            element.unwrap()  # a page without scripts: what is in it applies
        elif tag in REMOVED_TAGS or tag == "noscript" or (tag == "meta" and _is_active(element)):
            self._remove(element)
        elif tag == "link":
            self._clean_link(element)
        elif tag in EMBEDDED_TAGS:
            self._replace_by_box(element)
        else:
            self._clean_attributes(element, tag)
            if (
                tag == "style"
                and (css := self.references.rewrite_css(element.text)) != element.text
            ):
                element.text = css
            elif tag == "plaintext":
                element.tag = "pre"  # no tag ends a plaintext element
                self._note(element, tag)

    def _note(self, element: Element, was: str) -> None:
        """Write down what an element was, for paths."""
        if self.placeholders:
            element.attrs[WAS_MARK] = was

    def _remove(self, element: Element) -> None:
        if self.placeholders:
            element.replace_with(Element("template", {WAS_MARK: element.tag.lower()}))
        else:
            element.extract()

    def _clean_link(self, link: Element) -> None:
        """Keep only style sheets, including those that a script would enable."""
        rel = (link.attr("rel") or "").lower().split()
        preloaded = "preload" in rel and (link.attr("as") or "").lower() == "style"
        sheet = None
        if ("stylesheet" in rel or preloaded) and "alternate" not in rel:
            media = link.attr("media") or ""
            deferred = "onload" in link.attrs and media.strip().lower() == "print"
            sheet = self.references.make_sheet(link.attr("href") or "", "" if deferred else media)
        if sheet is None:
            self._remove(link)
        else:
            self._note(sheet, "link")
            link.replace_with(sheet)

    def _replace_by_box(self, element: Element) -> None:
        """Replace an embedded document by an empty box of its size."""
        sizes = ((name, (element.attr(name) or "").strip()) for name in ("width", "height"))
        units = (
            f"{name}:{size}{'px' * size.isdecimal()};" for name, size in sizes if _is_length(size)
        )
        style = "display:inline-block;background:rgba(128,128,128,.15);" + "".join(units)
        style += self.references.rewrite_css(element.attr("style") or "")
        kept = {name: element.attr(name) or "" for name in ("class", "id") if name in element.attrs}
        element.clear()
        element.attrs.clear()
        was, element.tag = element.tag.lower(), "span"
        element.attrs.update({**kept, "style": style})
        self._note(element, was)

    def _clean_attributes(self, element: Element, tag: str) -> None:
        attrs = element.attrs
        if tag == "img" and "src" not in attrs and "srcset" in attrs:
            attrs["src"] = (element.attr("srcset") or "").strip().partition(" ")[0]
        foreign = element.namespace != Namespace.HTML
        for name, value in list(attrs.items()):
            old = value if isinstance(value, str) else element.attr(name) or ""  # a list of classes
            new = self._clean_value(tag, name.lower(), old, foreign=foreign)
            if new is None:
                del attrs[name]
            elif new != old:
                attrs[name] = new
        if SHADOW_ATTRIBUTE in attrs:
            attrs["shadowrootmode"] = "open"

    def _clean_value(self, tag: str, name: str, value: str, *, foreign: bool) -> str | None:
        """The value of an attribute; None to remove it."""
        if name.startswith("on") or name in REMOVED_ATTRIBUTES or SCRIPT_URL.match(value):
            return None
        if name == "style" or name in STYLE_ATTRIBUTES or (foreign and _may_refer(name, value)):
            return self.references.rewrite_css(value)
        return self._clean_reference(tag, name, value)

    def _clean_reference(self, tag: str, name: str, value: str) -> str | None:
        if tag in PICTURE_ATTRIBUTES.get(name, ()) or name in ("poster", "background"):
            return self.references.rewrite_picture(value)
        if name == "srcset":
            return self.references.rewrite_srcset(value)
        if name in ("href", "xlink:href"):
            return value if tag in ("a", "area") or value.startswith("#") else None
        return None if name == "src" or _is_stray_address(name, value) else value


def _in_head(element: Element) -> bool:
    return isinstance(element.parent, Element) and element.parent.tag == "head"


def _is_active(meta: Element) -> bool:
    return "http-equiv" in meta.attrs or (meta.attr("name") or "").strip().lower() == "referrer"


def _is_length(size: str) -> bool:
    return re.fullmatch(r"[0-9]{1,5}%?", size) is not None


def _is_stray_address(name: str, value: str) -> bool:
    address = value.strip(CONTROLS).translate(INVISIBLE)
    return WEB_ADDRESS.match(address) is not None and not _may_hold_address(name)


def _may_hold_address(name: str) -> bool:
    return name in ADDRESS_ATTRIBUTES or name.startswith(ADDRESS_PREFIXES)


def _may_refer(name: str, value: str) -> bool:
    """Whether an attribute of SVG has a value in which CSS may refer to something."""
    return "(" in value and not _may_hold_address(name)
