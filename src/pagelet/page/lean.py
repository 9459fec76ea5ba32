"""Pages whose texts and attributes stay in their source until somebody reads them.

Their trees are built by the compiled core (`construction.pxi`), from bytes that are not decoded. A
page that the core cannot be sure of is left to the parser, and becomes a Page as any other.
"""

from functools import cache, cached_property
from html.entities import html5
from typing import TYPE_CHECKING, Any

import numpy as np
import turbohtml

from pagelet import core
from pagelet.page.binary import check_bytes
from pagelet.page.builder import column_fields
from pagelet.page.expansion import (
    ADOPTED_NODES,
    BARRIERS,
    MAX_CELLS,
    check_expansion,
    scan_bytes,
)
from pagelet.page.table import Page
from pagelet.page.tags import NAMES
from pagelet.page.words import WORD_TABLE

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
#: Kinds of elements by the HTML standard, in the order of their bits in the compiled core.
ELEMENT_KINDS = (
    # void: has no end tag
    "area base basefont bgsound br col embed frame hr img input link meta param source track wbr",
    # special: ends what formatting elements and items of lists reach
    "address applet area article aside base basefont bgsound blockquote body br button caption"
    " center col colgroup dd details dir div dl dt embed fieldset figcaption figure footer form"
    " frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input li link listing"
    " main marquee menu meta nav noembed noframes noscript object ol p param plaintext pre script"
    " search section select source style summary table tbody td template textarea tfoot th thead"
    " title tr track ul wbr xmp",
    # ends a scope
    "applet caption html marquee object select table td template th",
    # formatting
    "a b big code em font i nobr s small strike strong tt u",
    # end tag may be missing
    "dd dt li optgroup option p rb rp rt rtc",
    # its start tag ends a paragraph
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure"
    " footer h1 h2 h3 h4 h5 h6 header hgroup listing main menu nav ol p pre search section summary"
    " ul",
    # its end tag ends all that is open in it
    "address article aside blockquote button center details dialog dir div dl fieldset figcaption"
    " figure footer header hgroup listing main menu nav ol pre search section select summary ul",
    # belongs into the head
    "base basefont bgsound link meta noframes script style template title",
    # holds text without character references
    "iframe noembed noframes script style xmp",
    # heading
    "h1 h2 h3 h4 h5 h6",
    # ends SVG
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li"
    " listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var",
    # part of a table
    "caption col colgroup tbody td tfoot th thead tr",
    # puts what does not belong into it before its table
    "table tbody tfoot thead tr",
    # group of rows
    "tbody tfoot thead",
    # cell
    "td th",
    # closed to formatting elements
    "applet marquee object",
    # beyond which end tags of formatting elements are not believed
    " ".join(BARRIERS.intersection(NAMES)),
    # holds nothing but text
    "iframe noembed noframes script style textarea title xmp",
)
#: Names of elements of SVG that have capitals; the parser writes them so.
SVG_NAMES = (
    "altGlyph", "altGlyphDef", "altGlyphItem", "animateColor", "animateMotion", "animateTransform",
    "clipPath", "feBlend", "feColorMatrix", "feComponentTransfer", "feComposite",
    "feConvolveMatrix", "feDiffuseLighting", "feDisplacementMap", "feDistantLight", "feDropShadow",
    "feFlood", "feFuncA", "feFuncB", "feFuncG", "feFuncR", "feGaussianBlur", "feImage", "feMerge",
    "feMergeNode", "feMorphology", "feOffset", "fePointLight", "feSpecularLighting", "feSpotLight",
    "feTile", "feTurbulence", "foreignObject", "glyphRef", "linearGradient", "radialGradient",
    "textPath",
)  # fmt: skip


#: Names of attributes of SVG that have capitals.
SVG_ATTRIBUTES = (
    "attributeName", "attributeType", "baseFrequency", "baseProfile", "calcMode", "clipPathUnits",
    "diffuseConstant", "edgeMode", "filterUnits", "glyphRef", "gradientTransform", "gradientUnits",
    "kernelMatrix", "kernelUnitLength", "keyPoints", "keySplines", "keyTimes", "lengthAdjust",
    "limitingConeAngle", "markerHeight", "markerUnits", "markerWidth", "maskContentUnits",
    "maskUnits", "numOctaves", "pathLength", "patternContentUnits", "patternTransform",
    "patternUnits", "pointsAtX", "pointsAtY", "pointsAtZ", "preserveAlpha", "preserveAspectRatio",
    "primitiveUnits", "refX", "refY", "repeatCount", "repeatDur", "requiredExtensions",
    "requiredFeatures", "specularConstant", "specularExponent", "spreadMethod", "startOffset",
    "stdDeviation", "stitchTiles", "surfaceScale", "systemLanguage", "tableValues", "targetX",
    "targetY", "textLength", "viewBox", "viewTarget", "xChannelSelector", "yChannelSelector",
    "zoomAndPan",
)  # fmt: skip


class LeanPage(Page):
    """A page that reads its texts and attributes from its source, each when somebody asks."""

    if not TYPE_CHECKING:

        @cached_property
        def source(self) -> str:
            """The HTML that was parsed."""
            return self.utf8.decode()

    def __reduce__(self) -> tuple[Any, ...]:
        """In another process it is a page as any other."""
        made = {"texts": tuple(self.texts), "attrs": tuple(self.attrs)}
        return _restore, (self.__getstate__() | made,)


def _restore(state: dict[str, Any]) -> Page:
    page = Page.__new__(Page)
    page.__setstate__(state)
    return page


def read_lean(html: str | bytes, url: str | None, max_nodes: int) -> LeanPage | None:
    """The page; None where it must be decoded, or the compiled core cannot be sure of its tree."""
    name = url or "the page"
    if isinstance(html, bytes):
        check_bytes(html, name)
    utf8 = _read_utf8(html)
    if utf8 is None:
        return None
    tree = make_tree(utf8, max_nodes)
    if not tree.build():
        return None
    if tree.may_expand:
        check_expansion(scan_bytes(utf8), max_nodes, name)
    columns = core.kernels.TreeColumns(tree, WORD_TABLE)
    page = LeanPage.__new__(LeanPage)
    page.__dict__.update(
        column_fields(columns), texts=columns.texts, attrs=columns.attrs, wanted=columns.wanted,
        blank_texts=columns.blanks, utf8=utf8, url=url,
        charset="utf-8" if isinstance(html, bytes) else None,
    )  # fmt: skip
    page.__post_init__()
    return page


def make_tree(utf8: bytes, max_nodes: int) -> "core.kernels.TreeConstructor":
    """What builds the tree of a source."""
    return core.kernels.TreeConstructor(
        utf8, _tags(), _references(), max_nodes, ADOPTED_NODES, MAX_CELLS
    )


def _read_utf8(html: str | bytes) -> bytes | None:
    """The bytes of a page; None where they must be looked at more closely."""
    if isinstance(html, bytes):
        return html.removeprefix(BYTE_ORDER_MARK)
    try:
        return None if html.startswith("\ufeff") else html.encode()
    except UnicodeEncodeError:  # a lone surrogate
        return None


@cache
def _tags() -> "core.kernels.TagTable":
    """Numbers and kinds of tags for the compiled core."""
    kinds = [set(names.split()) for names in ELEMENT_KINDS]
    bits = [sum((name in names) << bit for bit, names in enumerate(kinds)) for name in NAMES]
    barriers = BARRIERS.difference(NAMES)
    return core.kernels.TagTable(
        NAMES, np.array(bits, np.int32), SVG_NAMES, SVG_ATTRIBUTES, barriers
    )


@cache
def _references() -> "core.kernels.References":
    """What reads character references for the compiled core."""
    names = {name: meaning for name, meaning in html5.items() if name.endswith(";")}
    return core.kernels.References(names, _read_text, _read_value)


def _read_text(written: str) -> str:
    """What a text with character references means."""
    escaped = written.replace("<", "&lt;")
    element = turbohtml.parse(f"<p>{escaped}", positions=False).select_one("p")
    return element.text if element is not None else written


def _read_value(written: str) -> str:
    """What the value of an attribute means, in which some references are none."""
    quoted = written.replace('"', "&quot;")
    element = turbohtml.parse(f'<p title="{quoted}">', positions=False).select_one("p")
    return str(element.attr("title")) if element is not None else written
