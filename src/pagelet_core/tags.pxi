"""The tags of a source that may be copied, the twin of the patterns in `pagelet.page.expansion`.

A source is read as UTF-8. Characters are counted, not bytes; white space is that of ASCII, which
is all that separates attributes in HTML, where the patterns take any.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memchr, memcmp, memset

cdef extern from "Python.h":
    const char* PyBytes_AsString(object data) except NULL

cdef enum:
    MAX_NAME_CHARS = 200  # of an attribute that is short
    MAX_QUOTED_CHARS = 4000
    MAX_BARE_CHARS = 1000

#: The tags that are looked for: formatting, links, roots and templates, as numbered below.
NOTABLE_TAGS = (
    "", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
    "a", "body", "html", "template",
)

cdef enum:
    LAST_FORMATTING = 13
    LINK = 14
    BODY = 15
    HTML = 16
    TEMPLATE = 17
    TAG_KINDS = 18

cdef extern from *:
    """
    #define T1(a) ((uint64_t) (a))
    #define T2(a, b) (T1(a) << 8 | (b))
    #define T3(a, b, c) (T2(a, b) << 8 | (c))
    #define T4(a, b, c, d) (T3(a, b, c) << 8 | (d))
    #define T6(a, b, c, d, e, f) (T4(a, b, c, d) << 16 | T2(e, f))
    /* The number of a notable tag, given its letters in one number; 0 for any other. */
    static int number_tag(uint64_t letters) {
        switch (letters) {
            case T1('b'): return 1;
            case T3('b', 'i', 'g'): return 2;
            case T4('c', 'o', 'd', 'e'): return 3;
            case T2('e', 'm'): return 4;
            case T4('f', 'o', 'n', 't'): return 5;
            case T1('i'): return 6;
            case T4('n', 'o', 'b', 'r'): return 7;
            case T1('s'): return 8;
            case T4('s', 'm', 'a', 'l') << 8 | 'l': return 9;
            case T6('s', 't', 'r', 'i', 'k', 'e'): return 10;
            case T6('s', 't', 'r', 'o', 'n', 'g'): return 11;
            case T2('t', 't'): return 12;
            case T1('u'): return 13;
            case T1('a'): return 14;
            case T4('b', 'o', 'd', 'y'): return 15;
            case T4('h', 't', 'm', 'l'): return 16;
            case T6('t', 'e', 'm', 'p', 'l', 'a') << 16 | T2('t', 'e'): return 17;
            default: return 0;
        }
    }
    """
    int number_tag(uint64_t letters) noexcept nogil


cdef struct Source:
    const unsigned char* at
    const unsigned char* end
    const unsigned char* start  # of the tag that was read last
    Py_ssize_t tags  # characters that may begin a tag, so far


cdef inline bint is_blank(unsigned char byte) noexcept nogil:
    return byte == 32 or 9 <= byte <= 13 or 28 <= byte <= 31


cdef inline bint parts(unsigned char byte) noexcept nogil:
    """Whether a byte stands between attributes."""
    return byte == 47 or is_blank(byte)


cdef inline bint ends_name(unsigned char byte) noexcept nogil:
    """Whether HTML ends the name of a tag here; other white space does not."""
    return byte == 32 or byte == 47 or 9 <= byte <= 10 or 12 <= byte <= 13


cdef inline const unsigned char* _skip_parting(Source source) noexcept nogil:
    while source.at < source.end and parts(source.at[0]):
        source.at += 1
    return source.at


cdef inline const unsigned char* _skip_blank(Source source) noexcept nogil:
    while source.at < source.end and is_blank(source.at[0]):
        source.at += 1
    return source.at


cdef const unsigned char* _skip_quoted(Source source) noexcept nogil:
    """The place behind a quoted value; NULL if it is too long or not closed."""
    cdef unsigned char quote = source.at[0]
    cdef const unsigned char* near
    cdef int chars = 0
    source.at += 1
    near = <const unsigned char*> memchr(
        source.at, quote, min(<Py_ssize_t> MAX_QUOTED_CHARS, source.end - source.at)
    )
    if near != NULL:  # as it nearly always is
        return near + 1
    while source.at < source.end and source.at[0] != quote:
        chars += source.at[0] & 0xC0 != 0x80
        if chars > MAX_QUOTED_CHARS:
            return NULL
        source.at += 1
    return source.at + 1 if source.at < source.end else NULL


cdef const unsigned char* _skip_value(Source source) noexcept nogil:
    """The place behind `=` and a value, or where it was."""
    cdef const unsigned char* start = source.at
    cdef const unsigned char* behind
    cdef int chars = 0
    source.at = _skip_blank(source)
    if source.at == source.end or source.at[0] != 61:
        return start
    source.at += 1
    source.at = _skip_blank(source)
    if source.at < source.end and (source.at[0] == 34 or source.at[0] == 39):
        behind = _skip_quoted(source)
        return behind if behind != NULL else source.at
    while source.at < source.end and not (
            is_blank(source.at[0]) or source.at[0] == 62 or source.at[0] == 34
            or source.at[0] == 39):
        chars += source.at[0] & 0xC0 != 0x80
        if chars > MAX_BARE_CHARS:
            break
        source.at += 1
    return source.at


cdef const unsigned char* skip_attribute(Source source) noexcept nogil:
    """The place behind a short attribute and what stands before it, or where it was."""
    cdef const unsigned char* start = source.at
    cdef const unsigned char* name
    cdef int chars = 0
    source.at = name = _skip_parting(source)
    if name == start:
        return start
    while source.at < source.end and not (
            parts(source.at[0]) or source.at[0] == 62 or source.at[0] == 61):
        chars += source.at[0] & 0xC0 != 0x80
        if chars > MAX_NAME_CHARS:
            return source.at
        source.at += 1
    return _skip_value(source) if source.at > name else start


cdef const unsigned char* skip_attributes(Source source, int most, int* count) noexcept nogil:
    """The place behind as many short attributes as there are, up to so many."""
    cdef const unsigned char* behind
    count[0] = 0
    while count[0] < most:
        behind = skip_attribute(source)
        if behind == source.at:
            break
        source.at = behind
        count[0] += 1
    return source.at


cdef bint _has_few(Source source, int most) noexcept nogil:
    """Whether a tag ends behind at most so many short attributes."""
    cdef int count
    source.at = skip_attributes(source, most, &count)
    source.at = _skip_parting(source)
    return source.at < source.end and source.at[0] == 62


cdef int _read_tag(Source* source) noexcept nogil:
    """Move to the next notable tag, behind its name, and return its number; 0 at the end.

    The characters that may begin a tag on the way are counted in `source.tags`.
    """
    cdef uint64_t letters
    cdef unsigned char small
    cdef int tag
    while source.at < source.end:
        source.at = <const unsigned char*> memchr(source.at, 60, source.end - source.at)
        if source.at == NULL:
            source.at = source.end
            return 0
        source.tags += 1
        source.start = source.at
        source.at += 1
        letters = 0
        while source.at < source.end:
            small = source.at[0] | 32
            if not 97 <= small <= 122:
                break
            if letters >> 56:  # longer than any name that is looked for
                letters = 0
                break
            letters = letters << 8 | small
            source.at += 1
        tag = number_tag(letters)
        if tag and source.at < source.end and (
                parts(source.at[0]) or (source.at[0] == 62 and (tag == BODY or tag == HTML))):
            return tag
    return 0


cdef bint _is_rich(Source source, int tag, int few) noexcept nogil:
    """Whether a formatting tag or a link has more or longer attributes than is usual."""
    return tag <= LINK and ends_name(source.at[0]) and not _has_few(source, few)


def scan_tags(bytes utf8 not None, int few, int few_of_links):
    """How many tags there are at most, how often notable ones occur, and whether one is a root.

    They are counted by spelling. A tag with more or longer attributes than is usual is spelled with
    a space behind it. The third is whether a template may declare a shadow root.
    """
    cdef bint declared = False
    cdef Source source
    cdef Py_ssize_t counts[TAG_KINDS][2]
    cdef int tag, rich
    memset(counts, 0, sizeof(counts))
    _open_source(&source, utf8)
    while True:
        tag = _read_tag(&source)
        if tag == 0:
            break
        declared = declared or (tag == TEMPLATE and _declares_root(source))
        rich = _is_rich(source, tag, few_of_links if tag == LINK else few)
        if rich or tag != LINK:
            counts[tag][rich] += 1
    notable = {
        f"<{NOTABLE_TAGS[tag]}{' ' * rich}": counts[tag][rich]
        for tag in range(TAG_KINDS) for rich in range(2) if counts[tag][rich]
    }
    return source.tags, notable, declared


cdef bint _declares_root(Source source) noexcept nogil:
    """Whether a template has an attribute that declares a shadow root."""
    cdef const unsigned char* behind
    while True:
        behind = _skip_any_attribute(source)
        if behind == source.at:
            return False
        source.at = _skip_parting(source)
        if behind - source.at >= 14 and _is_root_name(source.at):
            return True
        source.at = behind


cdef bint _is_root_name(const unsigned char* at) noexcept nogil:
    """Whether a name is spelled as in `pagelet.page.expansion`: no others occur in practice."""
    return (memcmp(at, b"shadowrootmode", 14) == 0 or memcmp(at, b"shadowRootMode", 14) == 0
            or memcmp(at, b"SHADOWROOTMODE", 14) == 0)


cdef int _open_source(Source* source, bytes utf8) except -1:
    source.at = source.start = <const unsigned char*> PyBytes_AsString(utf8)
    source.end = source.at + len(utf8)
    source.tags = 0
    return 0


def count_rich_attributes(bytes utf8 not None, int few, int few_of_links):
    """The attributes of all tags that have many, or long ones."""
    cdef Source source, rest
    cdef const unsigned char* behind
    cdef Py_ssize_t attributes = 0
    cdef int tag
    _open_source(&source, utf8)
    while True:
        tag = _read_tag(&source)
        if tag == 0:
            return attributes
        if not _is_rich(source, tag, few_of_links if tag == LINK else few):
            continue
        rest = source
        while True:
            behind = _skip_any_attribute(rest)
            if behind == rest.at:
                break
            rest.at = behind
            attributes += 1


cdef const unsigned char* _skip_any_attribute(Source source) noexcept nogil:
    """The place behind an attribute of any length and what stands before it, or where it was."""
    cdef const unsigned char* start = source.at
    cdef const unsigned char* name
    cdef const unsigned char* quote
    source.at = _skip_parting(source)
    if source.at < source.end and source.at[0] == 61:
        source.at += 1
    name = source.at
    while source.at < source.end and not (
            parts(source.at[0]) or source.at[0] == 62 or source.at[0] == 61):
        source.at += 1
    if source.at == name:
        return start
    name = source.at
    source.at = _skip_blank(source)
    if source.at == source.end or source.at[0] != 61:
        return name
    source.at += 1
    source.at = _skip_blank(source)
    if source.at < source.end and (source.at[0] == 34 or source.at[0] == 39):
        quote = <const unsigned char*> memchr(
            source.at + 1, source.at[0], source.end - source.at - 1
        )
        return quote + 1 if quote != NULL else source.at
    while source.at < source.end and not (
            is_blank(source.at[0]) or source.at[0] == 62 or source.at[0] == 34
            or source.at[0] == 39):
        source.at += 1
    return source.at


def count_spelled(bytes utf8 not None, int few, int equal_tags):
    """The nodes of all formatting tags with few attributes, equal ones as often as they count."""
    cdef Source source
    cdef int tag, attributes
    cdef Py_ssize_t nodes = 0
    cdef dict times = {}
    _open_source(&source, utf8)
    while True:
        tag = _read_tag(&source)
        if tag == 0:
            return nodes
        if tag > LAST_FORMATTING:
            continue
        source.at = skip_attributes(source, few, &attributes)
        if attributes:
            spelled = source.start[:source.at - source.start]
            times[spelled] = seen = times.get(spelled, 0) + 1
            if seen <= equal_tags:
                nodes += 1 + attributes
