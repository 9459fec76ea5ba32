"""Characters and words of texts, the twin of `pagelet.page.words`.

The tables of characters are made there, and passed in. A text is read as code points, copied to
a buffer that belongs to the reader: the stable ABI shows no other form that costs no memory.
"""

from libc.stdint cimport uint8_t, uint32_t

cdef extern from "Python.h":
    Py_ssize_t PyUnicode_GetLength(object text) except -1
    uint32_t* PyUnicode_AsUCS4(object text, uint32_t* buffer, Py_ssize_t room, int nul) except NULL

cdef enum:
    SPACE = 0
    LETTER = 1
    IDEOGRAPH = 2


cdef struct Measures:
    int32_t chars
    int32_t words


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
