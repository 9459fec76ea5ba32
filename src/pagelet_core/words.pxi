"""Characters and words of texts, the twin of `pagelet.page.words`.

The tables of characters are made there, and passed in. A text is read as code points, copied to
a buffer that belongs to the reader: the stable ABI shows no other form that costs no memory.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t

cdef extern from "Python.h":
    Py_ssize_t PyUnicode_GetLength(object text) except -1
    uint32_t* PyUnicode_AsUCS4(object text, uint32_t* buffer, Py_ssize_t room, int nul) except NULL

cdef extern from *:
    """
    #include "clones.h"
    #define IS_PLAIN_SPACE(c) ((c) == 32 || (unsigned char) ((c) - 9) < 5 \\
                               || (unsigned char) ((c) - 28) < 4)
    /* White space of a text in ASCII, and runs of other characters; false beyond ASCII.
       Counts are kept in bytes, so that the loop runs over many characters at once. */
    CLONED static int count_plain(const unsigned char *text, Py_ssize_t size, Py_ssize_t *spaces,
                                  Py_ssize_t *runs) {
        unsigned char every = 0;
        for (Py_ssize_t at = 0; at < size; at++)
            every |= text[at];
        if (every >= 128)
            return 0;
        *spaces = size > 0 && IS_PLAIN_SPACE(text[0]);
        *runs = size > 0 && !IS_PLAIN_SPACE(text[0]);
        for (Py_ssize_t first = 1; first < size; first += 255) {
            int length = size - first < 255 ? (int) (size - first) : 255;
            unsigned char space = 0, run = 0;
            for (int at = 0; at < length; at++) {
                unsigned char one = text[first + at], before = text[first + at - 1];
                unsigned char parts = IS_PLAIN_SPACE(one), parted = IS_PLAIN_SPACE(before);
                space += parts;
                run += parted & (parts ^ 1);
            }
            *spaces += space;
            *runs += run;
        }
        return 1;
    }
    """
    bint count_plain(
        const unsigned char* text, Py_ssize_t size, Py_ssize_t* spaces, Py_ssize_t* runs
    ) noexcept nogil

cdef enum:
    SPACE = 0
    LETTER = 1
    IDEOGRAPH = 2
    CHARACTER_KINDS = 8


cdef struct Measures:
    int32_t chars
    int32_t words


@cython.final
cdef class TextReader:
    """The code points of one text at a time."""

    cdef uint32_t* codes
    cdef Py_ssize_t length
    cdef Py_ssize_t room

    def __dealloc__(self):
        free(self.codes)

    cdef int read(self, str text) except -1:
        """Copy the code points of a text."""
        self.length = PyUnicode_GetLength(text)
        if self.length > self.room:
            self._grow(max(2 * self.length, <Py_ssize_t> 1024))
        if self.length:
            PyUnicode_AsUCS4(text, self.codes, self.room, 0)
        return 0

    cdef int _grow(self, Py_ssize_t room) except -1:
        codes = <uint32_t*> realloc(self.codes, room * sizeof(uint32_t))
        if codes == NULL:
            raise MemoryError
        self.codes, self.room = codes, room
        return 0


cdef Measures measure_text(TextReader text, const uint8_t* table, uint32_t last) noexcept nogil:
    """Characters once white space is folded, and words; `last` is the last place of the table."""
    cdef Py_ssize_t at, spaces = 0, runs = 0, words = 0
    cdef uint8_t kind, before = SPACE
    cdef Measures found
    for at in range(text.length):
        kind = table[min(text.codes[at], last)]
        spaces += kind == SPACE
        runs += (kind != SPACE) & (before == SPACE)
        words += (kind == IDEOGRAPH) | ((kind == LETTER) & (before != LETTER))
        before = kind
    found.chars = <int32_t> (text.length - spaces + max(runs - 1, 0))
    found.words = <int32_t> words
    return found


cdef Measures measure_utf8(
    const unsigned char* text, Py_ssize_t size, const uint8_t* table, uint32_t last
) noexcept nogil:
    """The same of a text in UTF-8."""
    cdef const unsigned char* at = text
    cdef const unsigned char* end = text + size
    cdef Py_ssize_t length = 0, spaces = 0, runs = 0, words = 0
    cdef uint8_t kind, before = SPACE
    cdef Measures found
    if count_plain(text, size, &spaces, &runs):
        found.chars, found.words = <int32_t> (size - spaces + max(runs - 1, 0)), <int32_t> runs
        return found
    while at < end:
        kind = table[min(<uint32_t> at[0], last)]
        if at[0] < 128:
            at += 1
        else:
            kind = table[min(<uint32_t> next_code(&at), last)]
        length += 1
        spaces += kind == SPACE
        runs += (kind != SPACE) & (before == SPACE)
        words += (kind == IDEOGRAPH) | ((kind == LETTER) & (before != LETTER))
        before = kind
    found.chars = <int32_t> (length - spaces + max(runs - 1, 0))
    found.words = <int32_t> words
    return found


def measure_texts(
    list texts not None, const uint8_t[::1] table, int64_t[::1] chars, int64_t[::1] words
):
    """Fill in the characters and words of each text."""
    cdef Py_ssize_t at
    cdef Measures found
    cdef TextReader reader = TextReader()
    if not len(texts) == chars.shape[0] == words.shape[0]:
        raise ValueError("one number of characters and one of words per text")
    if table.shape[0] == 0:
        raise ValueError("the table of characters is empty")
    for at in range(len(texts)):
        reader.read(texts[at])
        found = measure_text(reader, &table[0], <uint32_t> table.shape[0] - 1)
        chars[at], words[at] = found.chars, found.words


def count_kinds_in(
    str data not None, const Py_ssize_t[::1] first, const uint8_t[::1] table, double[:, ::1] counts
):
    """Count the characters of each kind from each place to the next, one line per kind.

    Kinds are counted down from the last one; those without a line are left out.
    """
    cdef TextReader reader = TextReader()
    cdef Py_ssize_t part, count = first.shape[0], at, last, kinds = counts.shape[0]
    cdef Py_ssize_t left_out = CHARACTER_KINDS - kinds
    cdef uint32_t final = <uint32_t> table.shape[0] - 1
    cdef uint8_t kind
    reader.read(data)
    if counts.shape[1] != count or left_out < 0 or table.shape[0] == 0:
        raise ValueError("the counts do not fit the parts, or there is no table")
    for part in range(count):
        last = first[part + 1] if part + 1 < count else reader.length
        if not 0 <= first[part] <= last <= reader.length:
            raise ValueError("the parts are not in order, or not in the text")
        for at in range(first[part], last):
            kind = table[min(reader.codes[at], final)]
            if left_out <= kind < CHARACTER_KINDS:
                counts[kind - left_out, part] += 1
