"""Characters of texts in UTF-8: white space, kinds, small letters; bytes that grow."""

from libc.stdlib cimport malloc, realloc
from libc.string cimport memcpy, memset

cdef extern from "Python.h":
    object PyUnicode_FromStringAndSize(const char* text, Py_ssize_t size)

cdef enum:
    KINDS = 8  # kinds of characters
    FIRST_COUNTED = 2  # kinds from this one on are counted


cdef inline bint is_space(unsigned int code) noexcept nogil:
    """Whether Python takes a character for white space."""
    if code < 128:
        return code == 32 or 9 <= code <= 13 or 28 <= code <= 31
    return (code == 0x85 or code == 0xA0 or code == 0x1680 or 0x2000 <= code <= 0x200A
            or code == 0x2028 or code == 0x2029 or code == 0x202F or code == 0x205F
            or code == 0x3000)


cdef inline bint is_word_byte(unsigned char code) noexcept nogil:
    """Whether a byte of UTF-8 is neither white space nor may begin any, or a placeholder."""
    return 32 < code and (code < 0x80 or (
        code != 0xC2 and code != 0xEF and not 0xE1 <= code <= 0xE3))


cdef inline const unsigned char* after_words(
    const unsigned char* text, const unsigned char* end
) noexcept nogil:
    """Where words end that a text begins with, as far as one space stands between two of them."""
    while text < end and (is_word_byte(text[0]) or (
            text[0] == 32 and text + 1 < end and is_word_byte(text[1]))):
        text += 1
    return text


cdef inline unsigned int next_code(const unsigned char** at) noexcept nogil:
    """The character at a place in valid UTF-8, which moves on behind it."""
    cdef const unsigned char* text = at[0]
    cdef unsigned int lead = text[0]
    if lead < 0x80:
        at[0] += 1
        return lead
    if lead < 0xE0:
        at[0] += 2
        return (lead & 0x1F) << 6 | (text[1] & 0x3F)
    if lead < 0xF0:
        at[0] += 3
        return (lead & 0x0F) << 12 | (text[1] & 0x3F) << 6 | (text[2] & 0x3F)
    at[0] += 4
    return ((lead & 0x07) << 18 | (text[1] & 0x3F) << 12 | (text[2] & 0x3F) << 6
            | (text[3] & 0x3F))


cdef void strip_spaces(const unsigned char** first, const unsigned char** last) noexcept nogil:
    """Move the ends of a text past the white space there."""
    cdef const unsigned char* at = first[0]
    cdef const unsigned char* begin
    while first[0] < last[0] and is_space(next_code(&at)):
        first[0] = at
    while first[0] < last[0]:
        at = last[0] - 1
        while at[0] & 0xC0 == 0x80:
            at -= 1
        begin = at
        if not is_space(next_code(&at)):
            return
        last[0] = begin


cdef inline unsigned char find_kind(
    const unsigned char** at, const unsigned char* kind_of
) noexcept nogil:
    """The kind of the character at a place, which moves on behind it."""
    cdef unsigned int code = next_code(at)
    return kind_of[code if code < 0x10000 else 0x10000] & (KINDS - 1)


cdef bint is_plain(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    """Whether a text is in ASCII."""
    cdef Py_ssize_t at
    cdef unsigned char every = 0
    for at in range(size):
        every |= text[at]
    return every < 128


cdef uint64_t hash_quickly(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    """A hash for tables that are gone with the call: eight bytes at a time."""
    cdef uint64_t bits = <uint64_t> size * HASH_FACTOR, part
    cdef uint32_t first = 0, last = 0
    cdef const unsigned char* end = text + size
    if size >= 8:
        while end - text > 8:
            memcpy(&part, text, 8)
            bits = (bits ^ part) * 0x9E3779B97F4A7C15ULL
            bits ^= bits >> 29
            text += 8
        memcpy(&part, end - 8, 8)  # some bytes may be read again
    elif size >= 4:
        memcpy(&first, text, 4)
        memcpy(&last, end - 4, 4)
        part = <uint64_t> first << 32 | last
    else:
        part = 0
        while text < end:
            part = part << 8 | text[0]
            text += 1
    bits = (bits ^ part) * 0x9E3779B97F4A7C15ULL
    return bits ^ (bits >> 32)


cdef unsigned char count_kinds(
    const unsigned char* at, const unsigned char* end, const unsigned char* kind_of,
    Py_ssize_t* tally, bint plain,
) noexcept nogil:
    """Count the kinds of all characters of a text; returns that of the last one."""
    cdef unsigned char kind = 0
    if plain:
        while at < end:
            kind = kind_of[at[0]]
            if kind >= FIRST_COUNTED:
                tally[kind] += 1
            at += 1
        return kind
    while at < end:
        kind = kind_of[at[0]] if at[0] < 128 else 0
        if at[0] < 128:
            at += 1
        else:
            kind = find_kind(&at, kind_of)
        if kind >= FIRST_COUNTED:
            tally[kind] += 1
    return kind


cdef const unsigned char* find_bytes(
    const unsigned char* text, Py_ssize_t size, const unsigned char* word, Py_ssize_t length
) noexcept nogil:
    """Where a word begins in a text, or NULL."""
    cdef const unsigned char* end
    if size < length:
        return NULL
    end = text + (size - length + 1)
    while text < end:
        text = <const unsigned char*> memchr(text, word[0], end - text)
        if text == NULL or memcmp(text, word, length) == 0:
            return text
        text += 1
    return NULL


cdef inline unsigned char small_byte(unsigned char byte) noexcept nogil:
    """A byte, or the small letter of a capital one of ASCII."""
    return byte | ((c"A" <= byte <= c"Z") << 5)


cdef inline void copy_small(
    const unsigned char* text, Py_ssize_t size, unsigned char* small
) noexcept nogil:
    """Copy a text with small letters for the capitals of ASCII."""
    cdef Py_ssize_t at
    for at in range(size):
        small[at] = small_byte(text[at])


cdef bint lower_common(unsigned char* text, Py_ssize_t size) noexcept nogil:
    """Make the letters beyond ASCII of a text small; false if it has others than the usual ones.

    Those are Latin-1, Cyrillic, punctuation, kana and ideographs, whose small letters are as long.
    """
    cdef unsigned char* at = text
    cdef unsigned char* end = text + size
    while at < end:
        if at[0] < 0x80:
            at += 1
        elif at[0] == 0xC2 or at[0] == 0xD1 and at[1] < 0xA0:
            at += 2
        elif at[0] == 0xC3:
            at[1] |= (at[1] <= 0x9E and at[1] != 0x97) << 5
            at += 2
        elif at[0] == 0xD0:
            if at[1] < 0x90:
                at[0], at[1] = 0xD1, at[1] + 0x10
            elif at[1] < 0xA0:
                at[1] += 0x20
            elif at[1] < 0xB0:
                at[0], at[1] = 0xD1, at[1] - 0x20
            at += 2
        elif 0xE3 <= at[0] <= 0xE9 or at[0] == 0xE2 and at[1] == 0x80:
            at += 3
        else:
            return False
    return True


cdef struct Span:
    Py_ssize_t first
    Py_ssize_t size


cdef Py_ssize_t fold_small(str text, Buffer folded) except -1:
    """Add a text in small letters, its words apart by single spaces; returns how many there are.

    UnicodeEncodeError for a lone surrogate.
    """
    cdef Py_ssize_t size, words = 0
    cdef const unsigned char* at = <const unsigned char*> PyUnicode_AsUTF8AndSize(text, &size)
    cdef const unsigned char* before
    cdef const unsigned char* end
    cdef Buffer small = Buffer()
    cdef bint apart = True
    small.reserve(size)
    copy_small(at, size, small.data)
    at = small.data
    if not is_plain(at, size) and not lower_common(small.data, size):
        text = text.lower()
        at = <const unsigned char*> PyUnicode_AsUTF8AndSize(text, &size)
    end = at + size
    folded.reserve(size)
    while at < end:
        before = at
        if is_space(next_code(&at)):
            apart = True
            continue
        if apart:
            if words:
                folded.data[folded.used] = 32
                folded.used += 1
            words, apart = words + 1, False
        while before < at:
            folded.data[folded.used] = before[0]
            folded.used += 1
            before += 1
    return words


cdef inline bint ends_line(unsigned int code) noexcept nogil:
    """Whether a character ends a line, as Python sees it; all of them are white space."""
    return (10 <= code <= 13 or 0x1C <= code <= 0x1E or code == 0x85 or code == 0x2028
            or code == 0x2029)


def fold_lines(str text not None):
    """A text whose white space is folded, line by line, without empty lines.

    UnicodeEncodeError for a lone surrogate.
    """
    cdef Py_ssize_t size
    cdef const unsigned char* at = <const unsigned char*> PyUnicode_AsUTF8AndSize(text, &size)
    cdef const unsigned char* before
    cdef const unsigned char* end = at + size
    cdef Buffer folded = Buffer()
    cdef unsigned int code
    cdef unsigned char gap = 0
    folded.reserve(size)
    while at < end:
        before = at
        code = next_code(&at)
        if is_space(code):
            gap = 10 if gap == 10 or ends_line(code) else 32
            continue
        if gap and folded.used:
            folded.data[folded.used] = gap
            folded.used += 1
        gap = 0
        while before < at:
            folded.data[folded.used] = before[0]
            folded.used += 1
            before += 1
    return PyUnicode_FromStringAndSize(<const char*> folded.data, folded.used)


@cython.final
cdef class Buffer:
    """Bytes that grow."""

    cdef unsigned char* data
    cdef Py_ssize_t used
    cdef Py_ssize_t room

    def __dealloc__(self):
        free(self.data)

    cdef inline int reserve(self, Py_ssize_t more) except -1:
        """Make room for so many bytes more, and for others to come."""
        if self.used + more > self.room:
            self.reserve_exactly(2 * (self.used + more) + 256)
        return 0

    cdef int reserve_exactly(self, Py_ssize_t room) except -1:
        """Make room for so many bytes in all, which are not fewer than there are."""
        cdef void* grown = realloc(self.data, room if room else 1)
        if grown == NULL:
            raise MemoryError
        self.data, self.room = <unsigned char*> grown, room
        return 0
