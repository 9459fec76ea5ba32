"""Character references (`&amp;`), read from the bytes of a source that is not decoded.

References to common characters are read here; the rest, as those without a semicolon, are left to
functions in Python, which ask the parser.
"""

cdef extern from "Python.h":
    Py_ssize_t PyBytes_Size(object data) except -1

cdef enum:
    MAX_REFERENCE_BYTES = 34  # of a name with its semicolon


cdef bint is_utf8(const unsigned char* at, const unsigned char* end, bint* wide) noexcept nogil:
    """Whether bytes are valid UTF-8, and wide if they have a character beyond Latin-1."""
    cdef unsigned int lead = 0, code, highest = 0
    while at < end:
        lead = at[0]
        if lead < 0x80:
            while end - at >= 64 and is_plain(at, 64):
                at += 64
            while at < end and at[0] < 0x80:
                at += 1
            continue
        highest = max(highest, lead)
        if 0xC2 <= lead < 0xE0:
            if end - at < 2 or at[1] & 0xC0 != 0x80:
                return False
            at += 2
        elif 0xE0 <= lead < 0xF0:
            if end - at < 3 or at[1] & 0xC0 != 0x80 or at[2] & 0xC0 != 0x80:
                return False
            code = (lead & 0x0F) << 12 | (at[1] & 0x3F) << 6
            if code < 0x800 or 0xD800 <= code < 0xE000:
                return False
            at += 3
        elif 0xF0 <= lead < 0xF5:
            if end - at < 4 or at[1] & 0xC0 != 0x80 or at[2] & 0xC0 != 0x80 or (
                    at[3] & 0xC0 != 0x80):
                return False
            code = (lead & 0x07) << 18 | (at[1] & 0x3F) << 12
            if not 0x10000 <= code < 0x110000:
                return False
            at += 4
        else:
            return False
    wide[0] = highest >= 0xC4
    return True


cdef const unsigned char* read_number(
    const unsigned char* at, const unsigned char* end, unsigned int* code
) noexcept nogil:
    """The place behind the digits of `#38` or `#x26`, and their number; 0 without digits."""
    cdef unsigned int digit, base = 10
    code[0] = 0
    at += 1
    if at < end and at[0] | 32 == c"x":
        base = 16
        at += 1
    while at < end:
        if c"0" <= at[0] <= c"9":
            digit = at[0] - c"0"
        elif base == 16 and c"a" <= at[0] | 32 <= c"f":
            digit = (at[0] | 32) - c"a" + 10
        else:
            break
        code[0] = min(code[0] * base + digit, <unsigned int> 0x110000)
        at += 1
    return at


@cython.final
cdef class References:
    """Reads character references, and line ends as the parser makes them."""

    cdef ByteStrings names  # with their semicolons
    cdef ByteStrings meanings
    cdef Numbers meaning  # for each name the number of its meaning
    cdef object read_text  # reads a text with other references
    cdef object read_value  # the same for the value of an attribute

    def __cinit__(self, dict names not None, read_text, read_value):
        """Names with their semicolons and what they mean; functions that read rarer references."""
        self.names, self.meanings = ByteStrings(), ByteStrings()
        self.read_text, self.read_value = read_text, read_value
        for name, meaning in names.items():
            if self.names.add_str(name) != self.meaning.used:
                raise ValueError("a name that comes twice")
            push_number(&self.meaning, <int32_t> self.meanings.add_str(meaning))

    def __dealloc__(self):
        free(self.meaning.values)

    cdef int read(
        self, const unsigned char* at, const unsigned char* end, Buffer into, bint is_value
    ) except -1:
        """Add what a text, or the value of an attribute, means to a buffer."""
        cdef Py_ssize_t start = into.used
        cdef const unsigned char* first = at
        into.reserve(end - at + 4)
        while at < end:
            if at[0] == c"&":
                at = self._read_reference(at + 1, end, into, is_value)
            elif at[0] == 13:
                at += 1 + (at + 1 < end and at[1] == 10)
                into.data[into.used] = 10
                into.used += 1
            else:
                into.data[into.used] = at[0]
                into.used += 1
                at += 1
            if at == NULL:
                into.used = start
                return self._read_slowly(first, end, into, is_value)
            into.reserve(end - at + 8)
        return 0

    cdef const unsigned char* _read_reference(
        self, const unsigned char* at, const unsigned char* end, Buffer into, bint is_value
    ) except? NULL:
        """Add what follows `&`, and give the place behind it; NULL for rare references.

        In a value, what stands before `=` is the name of a parameter and no reference.
        """
        cdef const unsigned char* last = at
        cdef unsigned int code
        cdef Py_ssize_t number, size
        cdef const unsigned char* meaning
        if at < end and at[0] == c"#":
            last = read_number(at, end, &code)
            if last == end or last[0] != c";" or not (
                    32 <= code < 127 or 160 <= code < 0xD800 or 0xE000 <= code < 0xFDD0):
                return NULL
            add_code(into, code)
            return last + 1
        while last < end and (c"a" <= last[0] | 32 <= c"z" or c"0" <= last[0] <= c"9"):
            last += 1
        if last == at or (is_value and last < end and last[0] == c"="):  # no reference
            into.data[into.used] = c"&"
            into.used += 1
            return at
        if last == end or last[0] != c";" or last - at >= MAX_REFERENCE_BYTES:
            return NULL
        number = self.names.find(at, last + 1 - at)
        if number < 0:
            return NULL
        meaning = self.meanings.at(self.meaning.values[number], &size)
        into.reserve(size + (end - at))
        memcpy(into.data + into.used, meaning, size)
        into.used += size
        return last + 1

    cdef int _read_slowly(
        self, const unsigned char* at, const unsigned char* end, Buffer into, bint is_value
    ) except -1:
        """The same by a function in Python, which knows all references."""
        cdef Py_ssize_t size
        cdef const char* utf8
        written = decode_bytes(at, end - at)
        meant = (self.read_value if is_value else self.read_text)(written)
        utf8 = PyUnicode_AsUTF8AndSize(meant, &size)
        into.reserve(size)
        memcpy(into.data + into.used, utf8, size)
        into.used += size
        return 0


cdef void add_code(Buffer into, unsigned int code) noexcept:
    """Add a character below U+10000 in UTF-8; there is room for it."""
    cdef unsigned char* to = into.data + into.used
    if code < 0x80:
        to[0] = code
        into.used += 1
    elif code < 0x800:
        to[0], to[1] = 0xC0 | code >> 6, 0x80 | (code & 0x3F)
        into.used += 2
    else:
        to[0], to[1], to[2] = 0xE0 | code >> 12, 0x80 | (code >> 6 & 0x3F), 0x80 | (code & 0x3F)
        into.used += 3


cdef bint is_escaped(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    """Whether a text holds a reference or a line end that is not normalised."""
    return memchr(text, c"&", size) != NULL or memchr(text, 13, size) != NULL


@cython.final
cdef class EscapedValues:
    """Values of attributes in a source that hardly anybody asks for."""

    cdef bytes source  # keeps the memory alive in which the values lie
    cdef References references
    cdef Span* spans
    cdef Py_ssize_t count
    cdef Py_ssize_t room

    def __cinit__(self, bytes source not None, References references not None):
        self.source, self.references = source, references

    def __dealloc__(self):
        free(self.spans)

    cdef Py_ssize_t add(self, Py_ssize_t first, Py_ssize_t size) except -1:
        """Note where a value lies, and give its place among the others."""
        if self.count == self.room:
            self.spans = <Span*> grow_items(self.spans, &self.room, sizeof(Span))
        self.spans[self.count].first, self.spans[self.count].size = first, size
        self.count += 1
        return self.count - 1

    cdef int read(self, Numbers* numbers, ByteStrings values) except -1:
        """Read all values, and replace their places by their numbers."""
        cdef const unsigned char* text = <const unsigned char*> PyBytes_AsString(self.source)
        cdef Py_ssize_t at
        cdef Buffer scratch = Buffer()
        for at in range(numbers.used):
            numbers.values[at] = <int32_t> add_value(
                text + self.spans[numbers.values[at]].first,
                self.spans[numbers.values[at]].size, values, self.references, scratch)
        return 0


cdef Py_ssize_t add_value(
    const unsigned char* text, Py_ssize_t size, ByteStrings values, References references,
    Buffer scratch,
) except -1:
    """The number of the value that is written here."""
    if not is_escaped(text, size):
        return values.add(text, size)
    scratch.used = 0
    references.read(text, text + size, scratch, True)
    return values.add(scratch.data, scratch.used)
