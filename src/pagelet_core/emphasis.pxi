"""Emphasis in Markdown, the twin of `write_emphasis` in `pagelet.write.markdown`."""

cdef enum:
    SIGN_BYTES = 3  # of a placeholder in UTF-8: 0xEF 0xB7, and a number from FIRST_SIGN on
    FIRST_SIGN = 0x90
    SIGNS = 10
    EMPHASIS_SIGNS = 6  # those before the signs of raised and lowered text


def write_emphasis(str text not None, tuple markers not None, tuple written not None, decide):
    """A text with Markdown, or `written` tags, in place of placeholders.

    Markers are numbers of opening placeholders and what is written for these. `decide` gives an
    emphasised text by its marker, itself, and what stands before and after it, where that takes
    more than ASCII. UnicodeEncodeError for a lone surrogate.
    """
    cdef Py_ssize_t size, at, first = 0
    cdef const char* data = PyUnicode_AsUTF8AndSize(text, &size)
    cdef Buffer read = Buffer(), out
    cdef int signs = _signs_in(<const unsigned char*> data, size)
    if signs == 0:
        return text
    if len(written) != SIGNS or any([not 0 <= number < SIGNS for number, _ in markers]):
        raise ValueError("what is written for each placeholder")
    put_bytes(read, data, size)
    for number, _ in markers:
        if signs >> <int> number & 1:
            read = _without_touching(read, number)
    for number, marker in markers:
        if signs >> <int> number & 1:
            read = _mark_emphasis(read, number, marker, decide)
    out = Buffer()
    at = next_sign(read.data, 0, read.used)
    while at < read.used:
        put_bytes(out, <const char*> read.data + first, at - first)
        put_text(out, written[sign_at(read.data + at)])
        first = at + SIGN_BYTES
        at = next_sign(read.data, first, read.used)
    put_bytes(out, <const char*> read.data + first, read.used - first)
    return decode_bytes(out.data, out.used) if out.used else ""


cdef inline int sign_at(const unsigned char* text) noexcept nogil:
    """The number of the placeholder at a place."""
    return text[2] - FIRST_SIGN


cdef inline bint is_sign(const unsigned char* text, const unsigned char* end) noexcept nogil:
    """Whether a placeholder is at a place."""
    return end - text >= SIGN_BYTES and text[0] == 0xEF and text[1] == 0xB7 and (
        FIRST_SIGN <= text[2] < FIRST_SIGN + SIGNS)


cdef Py_ssize_t next_sign(const unsigned char* text, Py_ssize_t at, Py_ssize_t size) noexcept nogil:
    """The place of the next placeholder, or the size."""
    cdef const void* found
    while at < size:
        found = memchr(text + at, 0xEF, size - at)
        if found == NULL:
            return size
        at = <const unsigned char*> found - text
        if is_sign(text + at, text + size):
            return at
        at += 1
    return size


cdef int _signs_in(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    """The placeholders in a text, a bit for each."""
    cdef int signs = 0
    cdef Py_ssize_t at = next_sign(text, 0, size)
    while at < size:
        signs |= 1 << sign_at(text + at)
        at = next_sign(text, at + SIGN_BYTES, size)
    return signs


cdef Buffer _without_touching(Buffer text, int opening):
    """A text without the ends of emphasis that touch the beginning of another one of its kind."""
    cdef Buffer out = Buffer()
    cdef const unsigned char* end = text.data + text.used
    cdef Py_ssize_t first = 0, at = next_sign(text.data, 0, text.used)
    while at < text.used:
        if sign_at(text.data + at) == opening + 1 and is_sign(text.data + at + SIGN_BYTES, end) and (
                sign_at(text.data + at + SIGN_BYTES) == opening):
            put_bytes(out, <const char*> text.data + first, at - first)
            at += SIGN_BYTES
            first = at + SIGN_BYTES
        at = next_sign(text.data, at + SIGN_BYTES, text.used)
    put_bytes(out, <const char*> text.data + first, text.used - first)
    return out


cdef Buffer _mark_emphasis(Buffer text, int opening, str marker, decide):
    """A text with the markers of one kind of emphasis, and no such emphasis inside another."""
    cdef Buffer out = Buffer()
    cdef Py_ssize_t first = 0, opened = -1, at = next_sign(text.data, 0, text.used)
    while at < text.used:
        if sign_at(text.data + at) == opening:
            opened = at
        elif opened >= 0 and sign_at(text.data + at) == opening + 1:
            put_bytes(out, <const char*> text.data + first, opened - first)
            _put_emphasised(out, text, opened, at, marker, decide)
            first, opened = at + SIGN_BYTES, -1
        at = next_sign(text.data, at + SIGN_BYTES, text.used)
    put_bytes(out, <const char*> text.data + first, text.used - first)
    return out


cdef int _put_emphasised(
    Buffer out, Buffer text, Py_ssize_t opened, Py_ssize_t closed, str marker, decide
) except -1:
    """Add what stands between two placeholders, with its markers."""
    cdef const unsigned char* body = text.data + opened + SIGN_BYTES
    cdef const unsigned char* end = text.data + closed  # of the body
    cdef const unsigned char* after = end + SIGN_BYTES
    cdef const unsigned char* before = text.data + opened
    cdef const unsigned char* last = text.data + text.used
    while before > text.data:
        before -= 1
        if before[0] & 0xC0 != 0x80:  # the first byte of a character
            break
    if (is_sign(before, text.data + opened) and _closes(before)) or (
            is_sign(after, last) and _opens(after)):
        return put_bytes(out, <const char*> body, end - body)
    if body < end and _flanks(body[0], before, text.data + opened) and (
            _flanks((end - 1)[0], after, last)):
        put_text(out, marker)
        put_bytes(out, <const char*> body, end - body)
        return put_text(out, marker)
    return put_text(out, decide(
        marker, decode_bytes(body, end - body),
        _character_at(before, text.data + opened),
        _character_at(after, last)))


cdef str _character_at(const unsigned char* text, const unsigned char* end):
    """The character at a place; empty at the end."""
    cdef const unsigned char* behind = text
    if text == end:
        return ""
    next_code(&behind)
    return decode_bytes(text, behind - text)


cdef inline bint _opens(const unsigned char* sign) noexcept nogil:
    return sign_at(sign) < EMPHASIS_SIGNS and sign_at(sign) % 2 == 0


cdef inline bint _closes(const unsigned char* sign) noexcept nogil:
    return sign_at(sign) < EMPHASIS_SIGNS and sign_at(sign) % 2 == 1


cdef inline bint _flanks(
    unsigned char code, const unsigned char* beside, const unsigned char* end
) noexcept nogil:
    """Whether a marker may stand between a character of ASCII and what is beside it."""
    if is_word_letter(code):
        return True
    return 32 < code < 127 and (beside == end or beside[0] == c" " or beside[0] == 10)
