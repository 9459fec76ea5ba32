"""Addresses of hyperlinks in their usual form, joined with the address of the page.

The twins are `absolute_address` for JSON and `pagelet.write.media.link_address` for HTML.
"""

cdef enum:
    # forms of addresses
    ODD_ADDRESS = 0
    WHOLE_ADDRESS = 1
    PATH_ADDRESS = 2  # on the host of the page
    RELATIVE_ADDRESS = 3  # which stays as it is where there is no base


@cython.final
cdef class HrefWriter:
    """Writes where hyperlinks lead; addresses in an unusual form are left to Python."""

    cdef WantedAttributes wanted
    cdef bytes origin  # what stands before a path, or None where that is not enough

    def __cinit__(self, WantedAttributes wanted not None, bytes origin):
        self.wanted, self.origin = wanted, origin

    cdef bint find(
        self, Py_ssize_t row, const unsigned char** text, Py_ssize_t* size, int* form
    ) except -1:
        """Where the address of a row is written, and its form; false where it is left to Python."""
        cdef ByteStrings values = self.wanted.settled(HREF)
        cdef Py_ssize_t number = self.wanted.number_at(HREF, row)
        if number < 0:
            return False
        text[0] = values.at(number, size)
        form[0] = form_of_address(text[0], size[0])
        if form[0] == RELATIVE_ADDRESS:
            return self.origin is not None and len(self.origin) == 0
        return form[0] == WHOLE_ADDRESS or (form[0] == PATH_ADDRESS and self.origin is not None)

    cdef int put_origin(self, Buffer out, int form) except -1:
        if form == PATH_ADDRESS:
            put_bytes(out, PyBytes_AsString(self.origin), len(self.origin))
        return 0

    cdef bint put_json(self, Buffer out, Py_ssize_t row) except -1:
        """Add the address of a row as JSON, which no character of it needs an escape in."""
        cdef const unsigned char* text
        cdef Py_ssize_t size
        cdef int form
        if not self.find(row, &text, &size, &form):
            return False
        put_bytes(out, b'"', 1)
        self.put_origin(out, form)
        put_bytes(out, <const char*> text, size)
        put_bytes(out, b'"', 1)
        return True

    cdef bint put_attribute(self, Buffer out, Py_ssize_t row) except -1:
        """Add the address of a row as an attribute in HTML."""
        cdef const unsigned char* text
        cdef Py_ssize_t size, at, first = 0
        cdef int form
        if not self.find(row, &text, &size, &form):
            return False
        put_bytes(out, b' href="', 7)
        self.put_origin(out, form)
        for at in range(size):
            if text[at] == c"&" or text[at] == c"'":
                put_bytes(out, <const char*> text + first, at - first)
                if text[at] == c"&":
                    put_bytes(out, b"&amp;", 5)
                else:
                    put_bytes(out, b"&#x27;", 6)
                first = at + 1
        put_bytes(out, <const char*> text + first, size - first)
        put_bytes(out, b'"', 1)
        return True


cdef int form_of_address(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    """The form of an address; one that is not relative is odd where PLAIN does not match it."""
    cdef Py_ssize_t at = 0, first
    cdef int form = PATH_ADDRESS
    if _begins(text, size, b"http://", 7) or _begins(text, size, b"https://", 8):
        first = at = 8 if text[4] == c"s" else 7
        while at < size and (
                c"a" <= text[at] <= c"z" or _is_digit(text[at]) or text[at] in (c".", c"-")):
            at += 1
        if at == first:
            return ODD_ADDRESS
        form = WHOLE_ADDRESS
    elif size == 0 or text[0] != c"/":
        return RELATIVE_ADDRESS if _is_relative(text, size) else ODD_ADDRESS
    while at < size and text[at] == c"/":
        at += 1
        first = at
        while at < size and (_is_sign(text[at]) or (
                text[at] == c"." and at > first and at + 1 < size and _is_sign(text[at + 1]))):
            at += 1
        if at == first:
            break
    if at < size and text[at] == c"?":
        at = _after_signs(text, at + 1, size)
    if at < size and text[at] == c"#":
        at = _after_signs(text, at + 1, size)
    return form if at == size else ODD_ADDRESS


cdef bint _is_relative(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    """Whether an address is of plain characters, has no scheme and nothing that looks like one."""
    cdef Py_ssize_t at
    for at in range(size):
        if text[at] in (c":", c"@") or not (
                _is_sign(text[at]) or memchr(b"#;./?", text[at], 5) != NULL):
            return False
    return size > 0


cdef inline bint _is_sign(unsigned char code) noexcept nogil:
    """Whether a character of a path stays as it is when addresses are joined."""
    return c"a" <= code | 0x20 <= c"z" or _is_digit(code) or code == c"_" or memchr(b"~%+,:@()!*'=&$-", code, 15) != NULL


cdef Py_ssize_t _after_signs(
    const unsigned char* text, Py_ssize_t first, Py_ssize_t size
) noexcept nogil:
    """The place behind a query or fragment that stays as it is; beyond the end for an empty one."""
    cdef Py_ssize_t at = first
    while at < size and (_is_sign(text[at]) or memchr(b";./?", text[at], 4) != NULL):
        at += 1
    return at if at > first else size + 1
