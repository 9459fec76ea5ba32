"""Style sheets that refer only to what was allowed.

CSS is read by a tokenizer and written again from its tokens, so that escapes and comments hide
nothing. Only known functions and at-rules are written; a statement with anything else is dropped.
That no string can be an address then holds for every token by itself, however a browser
groups them: strings are addresses only in `@import`, `@namespace` and functions not on the list.
"""

import re
from collections.abc import Iterator
from typing import Any, Protocol

#: Functions whose arguments load nothing; addresses inside them are `url()` tokens, or none.
SAFE_FUNCTIONS = frozenset(
    # colours
    "rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark"
    # numbers
    " calc min max clamp round mod rem sin cos tan asin acos atan atan2 pow sqrt hypot log exp abs"
    " sign var env attr counter counters"
    # gradients
    " linear-gradient radial-gradient conic-gradient repeating-linear-gradient"
    " repeating-radial-gradient repeating-conic-gradient -webkit-gradient color-stop from to"
    " -webkit-linear-gradient -webkit-radial-gradient -webkit-repeating-linear-gradient"
    " -webkit-repeating-radial-gradient -moz-linear-gradient -moz-radial-gradient"
    " -o-linear-gradient -ms-linear-gradient"
    # movement and shape
    " cubic-bezier steps linear translate translatex translatey translatez translate3d rotate"
    " rotatex rotatey rotatez rotate3d scale scalex scaley scalez scale3d skew skewx skewy matrix"
    " matrix3d perspective circle ellipse inset polygon path rect xywh shape ray scroll view"
    # effects
    " blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia"
    # grids, anchors and fonts
    " minmax repeat fit-content anchor anchor-size format local tech symbols stylistic styleset"
    " character-variant swash ornaments annotation"
    # conditions
    " supports selector font-tech font-format style scroll-state layer not and or"
    # selectors
    " is where has matches any -webkit-any -moz-any nth-child nth-last-child nth-of-type"
    " nth-last-of-type nth-col nth-last-col lang dir host host-context slotted part cue highlight"
    " state current active-view-transition-type".split()
)
SAFE_AT_RULES = frozenset(
    "media supports layer container scope starting-style font-face font-feature-values"
    " font-palette-values counter-style page property position-try keyframes -webkit-keyframes"
    " -moz-keyframes -o-keyframes annotation character-variant historical-forms ornaments styleset"
    " stylistic swash".split()
)
BINDING_PROPERTIES = frozenset(("behavior", "-ms-behavior", "-moz-binding"))  #: they run scripts
BRACKETS = ("() block", "[] block")
BLANK = ("whitespace", "comment")
PLAIN_TOKENS = frozenset(
    (*BLANK, "ident", "hash", "string", "number", "percentage", "dimension", "unicode-range")
)
PLAIN_LITERALS = frozenset((*":,.>+~*=|&!/-<", "||", "~=", "|=", "^=", "$=", "*="))
HTML_COMMENTS = ("<!--", "-->")  #: around old style sheets; without effect
MAX_CSS_CHARS = 2_000_000  #: characters of one style sheet; a longer one is dropped
MAX_NESTING = 32  #: levels of blocks, brackets and functions; what is deeper is dropped
EMPTY_DATA_URL = "data:,"
#: Characters of a URL that can be written between quotes as they are.
PLAIN_URL = re.compile(r"[!#-&(-;=?-\[\]-~]*\Z")
#: A sign that could begin a tag when the text lies in a document; media queries compare with it.
TAG_OPENING = re.compile(r"<(?![\s=0-9])")
#: Without these signs nothing is loaded, since escapes make none of them, and no text is quoted.
NEEDS_TOKENS = re.compile(r"""[(@"'\\]|/\*""")
#: Rules without brackets, quotes, escapes, comments and at-signs.
PLAIN_RULES = re.compile(
    r"""(?:[^{}()\[\]@"'\\/;<]+\{[^{}()\[\]@"'\\/<]*(?:/(?!\*)[^{}()\[\]@"'\\/<]*)*\})+"""
)
BETWEEN_RULES = re.compile(r"(?:\s+|/\*.*?\*/)+", re.DOTALL)
#: Comments, strings and escapes, which hide other signs; brackets and semicolons.
MARKS = re.compile(
    r"""/\*.*?(?:\*/|\Z)|"(?:[^"\\\n]|\\.)*["\n]?|'(?:[^'\\\n]|\\.)*['\n]?|\\.|[{}()\[\];]""",
    re.DOTALL,
)
OPENING, CLOSING, ENDING = ("{", "(", "["), ("}", ")", "]"), ("}", ";")
SURROGATE = re.compile("[\ud800-\udfff]")


class StyleReferences(Protocol):
    """What the addresses in a style sheet become."""

    def rewrite_url(self, reference: str) -> str | None:
        """The address of a picture or font; None for none."""

    def rewrite_import(self, reference: str, media: str) -> str:
        """The text in place of an import; empty for none."""


def clean_css(css: str, references: StyleReferences) -> str:
    """Write a style sheet, a style attribute or a value again without what is unknown.

    The text stays as it is where nothing can be loaded and nothing changes what follows it.
    """
    if not NEEDS_TOKENS.search(css):
        return TAG_OPENING.sub(r"\\3c ", css)
    if len(css) > MAX_CSS_CHARS:
        return ""
    cleaner = _Cleaner(references)
    parts = (text if plain else _clean_part(text, cleaner) for text, plain in _split(css))
    written = "\n".join(filter(None, parts))
    return TAG_OPENING.sub(r"\\3c ", SURROGATE.sub("\N{REPLACEMENT CHARACTER}", written))


def _clean_part(css: str, cleaner: "_Cleaner") -> str:
    """Clean some statements; what is open at their end is closed or dropped."""
    from tinycss2 import parse_component_value_list  # noqa: PLC0415 - few pages are drawn

    try:
        nodes = parse_component_value_list(css)
    except ValueError:  # a number with thousands of digits
        return ""
    return "".join(cleaner.write(nodes, 0)).strip()


def _split(css: str) -> Iterator[tuple[str, bool]]:
    """Parts of a sheet, and whether a part is plain: most rules are, and tokens take time.

    No plain part can load or quote anything, and every other part is cleaned by itself. So
    it does no harm if a part ends where a browser sees no end of a rule.
    """
    at = start = 0  # of the next rule, and of the part with rules that are not plain
    while at < len(css):
        at = _end_of(BETWEEN_RULES.match(css, at), at)
        plain = PLAIN_RULES.match(css, at)
        if plain is None:
            at = _statement_end(css, at)
            continue
        yield css[start:at], False
        yield plain[0], True
        at = start = plain.end()
    yield css[start:], False


def _statement_end(css: str, start: int) -> int:
    """Where the rule or declaration at a place seems to end."""
    depth = 0
    for mark in MARKS.finditer(css, start):
        sign = mark[0]
        depth += (sign in OPENING) - (sign in CLOSING)
        if depth <= 0 and sign in ENDING:
            return mark.end()
    return len(css)


def _end_of(match: re.Match[str] | None, otherwise: int) -> int:
    return otherwise if match is None else match.end()


def list_css_references(css: str) -> list[str]:
    """The addresses of a style sheet, in order."""
    found = _Collector()
    clean_css(css, found)
    return found.references


class _Collector:
    """Collects the addresses that are met."""

    def __init__(self) -> None:
        self.references: list[str] = []

    def rewrite_url(self, reference: str) -> str | None:
        self.references.append(reference)
        return None

    def rewrite_import(self, reference: str, media: str) -> str:  # noqa: ARG002 - the protocol
        self.references.append(reference)
        return ""


class _Cleaner:
    """Writes statements whose tokens are all known."""

    def __init__(self, references: StyleReferences) -> None:
        self._references = references

    def write(self, nodes: list[Any], depth: int) -> Iterator[str]:
        """The statements of a sheet or block, without those that are dropped."""
        for statement, end in _statements(nodes):
            first = next((node for node in statement if node.type not in BLANK), None)
            if first is None:
                yield "" if end is None else self._end(end, depth)
            elif first.type == "at-keyword" and first.lower_value == "import":
                yield self._import(statement) if depth == 0 else ""
            elif (kept := self._vet_statement(statement, first, depth)) is not None:
                yield _serialize(kept)
                yield self._end(end, depth)

    def _end(self, end: Any, depth: int) -> str:
        """The semicolon or the block after the tokens of a statement."""
        if end is None or end.type == "literal":
            return "" if end is None else ";"
        inner = self.write(end.content, depth + 1) if depth < MAX_NESTING else ()
        return f"{{{''.join(inner)}}}"

    def _vet_statement(self, statement: list[Any], first: Any, depth: int) -> list[Any] | None:
        if first.type == "at-keyword":
            if first.lower_value not in SAFE_AT_RULES:
                return None
            rest = self._vet(statement[statement.index(first) + 1 :], depth)
            return None if rest is None else [first, *rest]
        if first.type == "ident" and first.lower_value in BINDING_PROPERTIES:
            return None
        return self._vet(statement, depth)

    def _vet(self, nodes: list[Any], depth: int) -> list[Any] | None:
        """The tokens with their addresses rewritten; None where one is not known."""
        if depth > MAX_NESTING:
            return None
        kept: list[Any] = []
        for node in nodes:
            if node.type == "literal" and node.value in HTML_COMMENTS:
                continue
            vetted = self._vet_token(node, depth)
            if vetted is None:
                return None
            kept.append(vetted)
        return kept

    def _vet_token(self, node: Any, depth: int) -> Any | None:
        if node.type == "url":
            return self._url(node.value)
        if node.type == "function":
            return self._vet_function(node, depth)
        if node.type in BRACKETS:
            inner = self._vet(node.content, depth + 1)
            node.content = inner
            return None if inner is None else node
        if node.type == "comment":
            node.value = ""
        known = node.type in PLAIN_TOKENS or (
            node.type == "literal" and node.value in PLAIN_LITERALS
        )
        return node if known else None

    def _vet_function(self, node: Any, depth: int) -> Any | None:
        if node.lower_name == "url":
            strings = [part for part in node.arguments if part.type not in BLANK]
            single = len(strings) == 1 and strings[0].type == "string"
            return self._url(strings[0].value) if single else None
        arguments = self._vet(node.arguments, depth + 1)
        if arguments is None or node.lower_name not in SAFE_FUNCTIONS:
            return None
        node.arguments = arguments
        return node

    def _url(self, reference: str) -> Any:
        """The token of an address; one that begins with # stays in the document."""
        from tinycss2.ast import URLToken  # noqa: PLC0415 - as above
        from tinycss2.serializer import serialize_string_value  # noqa: PLC0415

        own = reference.startswith("#")
        new = reference if own else self._references.rewrite_url(reference) or EMPTY_DATA_URL
        quoted = new if PLAIN_URL.match(new) else serialize_string_value(new)
        return URLToken(0, 0, new, f'url("{quoted}")')

    def _import(self, statement: list[Any]) -> str:
        """What an import becomes; conditions other than media are left out."""
        parts = [node for node in statement if node.type not in BLANK][1:]
        if not parts:
            return ""
        reference = _import_reference(parts[0])
        rest = statement[statement.index(parts[0]) + 1 :]
        media = self._vet([node for node in rest if not _is_layer(node)], 1)
        if reference is None or media is None:
            return ""
        return self._references.rewrite_import(reference, _serialize(media).strip())


def _statements(nodes: list[Any]) -> Iterator[tuple[list[Any], Any]]:
    """The tokens of each statement, with the semicolon or block that ends it; None at the end."""
    tokens: list[Any] = []
    for node in nodes:
        if node.type == "{} block" or (node.type == "literal" and node.value == ";"):
            yield tokens, node
            tokens = []
        else:
            tokens.append(node)
    yield tokens, None


def _import_reference(node: Any) -> str | None:
    if node.type in ("string", "url"):
        return str(node.value)
    if node.type == "function" and node.lower_name == "url":
        strings = [part.value for part in node.arguments if part.type == "string"]
        return strings[0] if len(strings) == 1 else None
    return None


def _is_layer(node: Any) -> bool:
    if node.type == "function":
        return bool(node.lower_name in ("layer", "supports"))
    return bool(node.type == "ident" and node.lower_value == "layer")


def _serialize(nodes: list[Any]) -> str:
    from tinycss2 import serialize  # noqa: PLC0415 - as above

    return str(serialize(nodes))
