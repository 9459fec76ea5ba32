"""What a script of JSON-LD names, found without reading it as JSON.

The twins are the patterns in `pagelet.metadata.structured`.
"""

cdef enum:
    MOST_NAME_CHARS = 300  # of a name; an escaped character is one


cdef const unsigned char* skip_spaces(const unsigned char* at, const unsigned char* end) noexcept:
    cdef const unsigned char* behind = at
    while at < end and is_space(next_code(&behind)):
        at = behind
    return at


cdef const unsigned char* find_value(const unsigned char* at, const unsigned char* end) noexcept:
    """Where the value of a key begins, behind which its name ends; NULL where there is none."""
    at = skip_spaces(at, end)
    if at == end or at[0] != c":":
        return NULL
    at = skip_spaces(at + 1, end)
    if at == end:
        return NULL
    return at


cdef inline bint starts_with(
    const unsigned char* at, const unsigned char* end, const char* word, Py_ssize_t size
) noexcept nogil:
    return end - at >= size and memcmp(at, word, size) == 0


@cython.final
cdef class ScriptReader:
    """The types and the names of the things of one script."""

    cdef readonly list types  # as written
    cdef readonly list names  # as written
    cdef readonly bint whole  # whether these are all types

    def __cinit__(self, str script not None):
        """UnicodeEncodeError for a lone surrogate, which UTF-8 lacks."""
        cdef Py_ssize_t size, named = 0, read = 0
        cdef const unsigned char* at = <const unsigned char*> PyUnicode_AsUTF8AndSize(script, &size)
        cdef const unsigned char* first = at
        cdef const unsigned char* end = at + size
        cdef const unsigned char* type_end = at
        cdef const unsigned char* name_end = at
        cdef const unsigned char* counted = at
        self.types, self.names, self.whole = [], [], True
        while at < end:
            at = <const unsigned char*> memchr(at, c'"', end - at)
            if at == NULL:
                break
            if starts_with(at, end, b'"@type"', 7):
                if at >= counted:
                    named, counted = named + 1, at + 7
                if at >= type_end and self._add_types(at + 7, end, &type_end):
                    read += 1
            elif at >= name_end and starts_with(at, end, b'"name"', 6):
                self._add_name(at + 6, end, &name_end)
            elif at >= name_end and starts_with(at, end, b'"headline"', 10):
                self._add_name(at + 10, end, &name_end)
            at += 1
        self.whole = self.whole and named == read and not self._hides_letters(first, end)

    cdef bint _add_types(
        self, const unsigned char* at, const unsigned char* end, const unsigned char** behind
    ) except -1:
        """Add the string, or the strings of a list, that a type is."""
        cdef const unsigned char* last
        at = find_value(at, end)
        if at == NULL:
            return False
        if at[0] == c'"':
            last = <const unsigned char*> memchr(at + 1, c'"', end - at - 1)
            if last == NULL:
                return False
            self.types.append(decode_bytes(at + 1, last - at - 1))
            behind[0] = last + 1
            return True
        if at[0] != c"[":
            return False
        last = at + 1
        while last < end and last[0] != c"[" and last[0] != c"]" and last[0] != c"{" and (
                last[0] != c"}"):
            last += 1
        if last == end or last[0] != c"]":
            return False
        self._add_quoted(at + 1, last)
        behind[0] = last + 1
        return True

    cdef int _add_quoted(self, const unsigned char* at, const unsigned char* end) except -1:
        """Add the strings of a list; one that is cut at a bracket means that not all are known."""
        cdef const unsigned char* last
        if at == end:
            self.types.append("")
        while at < end:
            at = <const unsigned char*> memchr(at, c'"', end - at)
            if at == NULL:
                return 0
            last = <const unsigned char*> memchr(at + 1, c'"', end - at - 1)
            if last == NULL:
                self.whole = False
                return 0
            self.types.append(decode_bytes(at + 1, last - at - 1))
            at = last + 1
        return 0

    cdef int _add_name(
        self, const unsigned char* at, const unsigned char* end, const unsigned char** behind
    ) except -1:
        """Add the string that is a name."""
        cdef const unsigned char* first
        cdef Py_ssize_t chars = 0
        at = find_value(at, end)
        if at == NULL or at[0] != c'"':
            return 0
        at += 1
        first = at
        while at < end and at[0] != c'"':
            if at[0] == c"\\":
                at += 1
                if at == end or at[0] == c"\n":
                    return 0
            next_code(&at)
            chars += 1
            if chars > MOST_NAME_CHARS:
                return 0
        if at < end and chars:
            self.names.append(decode_bytes(first, at - first))
            behind[0] = at + 1
        return 0

    cdef bint _hides_letters(self, const unsigned char* at, const unsigned char* end) noexcept:
        """Whether a letter or sign of ASCII is escaped, which may hide a type."""
        while at < end:
            at = <const unsigned char*> memchr(at, c"\\", end - at)
            if at == NULL:
                return False
            if starts_with(at, end, b"\\u00", 4) and end - at > 4 and c"4" <= at[4] <= c"7":
                return True
            at += 1
        return False
