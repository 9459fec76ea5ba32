"""Clean HTML as a TEI document (Text Encoding Initiative, P5), for corpora.

The documents are valid by the schema of TEI corpora, which is small: headings become
`ab type="header"`, since `head` may only begin a division, and tables become lists of rows. An
element without a counterpart keeps its text. The events of the parser are written out at once.
"""

import re
from dataclasses import dataclass
from html.parser import HTMLParser
from xml.sax.saxutils import escape, quoteattr

NAMESPACE = "http://www.tei-c.org/ns/1.0"
LINE = ""  #: name of a paragraph that the HTML has not
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
#: what each block becomes: the start and the end
BLOCKS = {
    **{name: (f'<ab type="header" rend="{name}">', "</ab>") for name in HEADINGS},
    "p": ("<p>", "</p>"),
    **{name: (f'<list rend="{name}">', "</list>") for name in ("ul", "ol", "dl", "table")},
    "li": ("<item>", "</item>"),
    **{name: (f'<item rend="{name}">', "</item>") for name in ("dt", "dd", "th", "td")},
    "caption": ("<head>", "</head>"),
    "tr": ('<item rend="tr"><list rend="tr">', "</list></item>"),
    "blockquote": ("<quote>", "</quote>"),
    "pre": ('<ab type="code">', "</ab>"),
    "figcaption": ('<ab type="caption">', "</ab>"),
}
#: blocks in which no text may stand
LISTS = ("ul", "ol", "dl", "table", "tr")
#: what each element within a line becomes
INLINE = {
    **dict.fromkeys(("b", "strong"), ('<hi rend="#b">', "</hi>")),
    **dict.fromkeys(("i", "em"), ('<hi rend="#i">', "</hi>")),
    **{name: (f'<hi rend="#{name}">', "</hi>") for name in ("sub", "sup", "code")},
    **dict.fromkeys(("s", "del"), ("<del>", "</del>")),
}
VOID = ("hr", "wbr", "col", "br", "img")
#: characters that no XML document may have
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class TeiHeader:
    """What the header of a document states."""

    title: str | None = None
    authors: tuple[str, ...] = ()
    date: str | None = None  #: ISO 8601
    url: str | None = None
    publisher: str | None = None
    language: str | None = None  #: BCP 47
    terms: tuple[str, ...] = ()  #: categories and keywords
    version: str = ""  #: version of pagelet


def write_tei(html: str, header: TeiHeader) -> str:
    """A TEI document of clean HTML."""
    body = TeiBodyWriter()
    body.feed(html)
    body.close()
    language = f" xml:lang={quoteattr(_clean(header.language))}" if header.language else ""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<TEI xmlns="{NAMESPACE}">\n{_write_header(header)}\n'
        f'<text{language}>\n<body>\n<div type="entry">\n{body.text() or "<p/>"}\n</div>\n'
        "</body>\n</text>\n</TEI>"
    )


def _clean(text: str | None) -> str:
    return NOT_XML.sub("", text or "")


def _text(text: str | None) -> str:
    return escape(_clean(text))


def _write_header(header: TeiHeader) -> str:
    authors = "".join(f"<author>{_text(name)}</author>" for name in header.authors)
    title = _text(header.title) or _text(header.url)
    day = f"<date when={quoteattr(header.date)}>{_text(header.date)}</date>" if header.date else ""
    pointer = f"<ptr target={quoteattr(_clean(header.url))}/>" if header.url else ""
    publisher = f"<publisher>{_text(header.publisher)}</publisher>" if header.publisher else ""
    terms = "".join(f"<term>{_text(term)}</term>" for term in header.terms)
    about = f"<textClass><keywords>{terms}</keywords></textClass>" if terms else ""
    creation = f"<creation>{day}</creation>" if day else ""
    profile = f"<profileDesc>{creation}{about}</profileDesc>\n" if creation or about else ""
    return (
        "<teiHeader>\n<fileDesc>\n"
        f'<titleStmt><title type="main">{title}</title>{authors}</titleStmt>\n'
        "<publicationStmt><p>extracted from a web page</p></publicationStmt>\n"
        f"<sourceDesc><bibl><title>{title}</title>{authors}{publisher}{day}{pointer}</bibl>"
        "</sourceDesc>\n</fileDesc>\n"
        f'<encodingDesc><appInfo><application version="{_text(header.version)}" ident="pagelet">'
        f"<label>pagelet</label></application></appInfo></encodingDesc>\n{profile}</teiHeader>"
    )


@dataclass(frozen=True, slots=True)
class _OpenElement:
    name: str
    end: str
    holds_text: bool


class TeiBodyWriter(HTMLParser):
    """Writes the elements of clean HTML as those of TEI."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.open_elements: list[_OpenElement] = []

    def text(self) -> str:
        """What was written."""
        return "".join(self.parts).strip()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Write the start of an element."""
        values = {name: value or "" for name, value in attrs}
        if tag in BLOCKS:
            self._end_line()
            self._open(tag, *BLOCKS[tag], holds_text=tag not in LISTS)
        elif tag == "a" and values.get("href"):
            self._begin_line()
            self._open(tag, f"<ref target={quoteattr(_clean(values['href']))}>", "</ref>")
        elif tag in INLINE:
            self._begin_line()
            self._open(tag, *INLINE[tag])
        elif tag == "br" and self._in_line():
            self.parts.append("<lb/>")
        elif tag == "img" and values.get("src"):
            self._begin_line()
            self.parts.append(_write_picture(values))
        elif tag not in VOID:
            self._open(tag, "", "", holds_text=self._in_line())

    def _open(self, name: str, start: str, end: str, *, holds_text: bool = True) -> None:
        self.parts.append(start)
        self.open_elements.append(_OpenElement(name, end, holds_text))

    def _in_line(self) -> bool:
        return bool(self.open_elements) and self.open_elements[-1].holds_text

    def _begin_line(self) -> None:
        """Open a paragraph where text may not stand by itself."""
        if not self._in_line():
            is_list = bool(self.open_elements) and self.open_elements[-1].name in LISTS
            self._open(LINE, *(("<item>", "</item>") if is_list else ("<p>", "</p>")))

    def _end_line(self) -> None:
        """End the paragraph that text opened."""
        if self.open_elements and self.open_elements[-1].name == LINE:
            self.parts.append(self.open_elements.pop().end)

    def handle_endtag(self, tag: str) -> None:
        """Write the end of an element, and those of elements that were left open in it."""
        if any(each.name == tag for each in self.open_elements):
            while (closed := self.open_elements.pop()).name != tag:
                self.parts.append(closed.end)
            self.parts.append(closed.end)

    def handle_data(self, data: str) -> None:
        """Write text."""
        if not data.isspace():
            self._begin_line()
        self.parts.append(_text(data))

    def close(self) -> None:
        """End everything that is open."""
        super().close()
        self.parts.extend(each.end for each in reversed(self.open_elements))
        self.open_elements.clear()


def _write_picture(values: dict[str, str]) -> str:
    """A picture with its alternative text."""
    described = f"<desc>{_text(values['alt'])}</desc>" if values.get("alt") else ""
    return f"<graphic url={quoteattr(_clean(values['src']))}>{described}</graphic>"
