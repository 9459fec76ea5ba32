"""JSON text, the twin of `json.dumps` with `ensure_ascii=False`."""

cdef enum:
    MAX_JSON_DEPTH = 64  # deeper forms are left to Python


@cython.final
cdef class JsonText:
    """JSON that is written already: `write_json` takes it as it is."""

    cdef Buffer out

    def __cinit__(self):
        self.out = Buffer()

    def __str__(self):
        return decode_bytes(self.out.data, self.out.used) if self.out.used else ""


def write_json(form):
    """A form of dicts, lists, texts and numbers as JSON; None where it has anything else.

    UnicodeEncodeError for a lone surrogate.
    """
    cdef Buffer out = Buffer()
    if not put_json(out, form, 0):
        return None
    return PyUnicode_FromStringAndSize(<const char*> out.data, out.used)


cdef bint put_json(Buffer out, form, int depth) except -1:
    """Add a form; false where it, or one in it, is not known."""
    kind = type(form)
    if kind is str:
        put_json_text(out, form)
    elif kind is dict:
        return depth < MAX_JSON_DEPTH and put_json_dict(out, form, depth)
    elif kind is list:
        return depth < MAX_JSON_DEPTH and put_json_list(out, form, depth)
    elif kind is JsonText:
        put_bytes(out, <const char*> (<JsonText> form).out.data, (<JsonText> form).out.used)
    elif form is None:
        put_bytes(out, b"null", 4)
    elif form is True:
        put_bytes(out, b"true", 4)
    elif form is False:
        put_bytes(out, b"false", 5)
    elif kind is int or (kind is float and form - form == 0):  # no infinity, and a number
        put_text(out, repr(form))
    else:
        return False
    return True


cdef bint put_json_dict(Buffer out, dict form, int depth) except -1:
    cdef PyObject* name = NULL
    cdef PyObject* value = NULL
    cdef Py_ssize_t at = 0
    cdef bint first = True
    put_bytes(out, b"{", 1)
    while PyDict_Next(form, &at, &name, &value):
        if type(<object> name) is not str:
            return False
        if not first:
            put_bytes(out, b", ", 2)
        first = False
        put_json_text(out, <str> name)
        put_bytes(out, b": ", 2)
        if not put_json(out, <object> value, depth + 1):
            return False
    put_bytes(out, b"}", 1)
    return True


cdef bint put_json_list(Buffer out, list form, int depth) except -1:
    cdef bint first = True
    put_bytes(out, b"[", 1)
    for value in form:
        if not first:
            put_bytes(out, b", ", 2)
        first = False
        if not put_json(out, value, depth + 1):
            return False
    put_bytes(out, b"]", 1)
    return True


cdef inline int put_bytes(Buffer out, const char* text, Py_ssize_t size) except -1:
    if size:
        out.reserve(size)
        memcpy(out.data + out.used, text, size)
        out.used += size
    return 0


cdef int put_text(Buffer out, str text) except -1:
    """Add a text as it is."""
    cdef Py_ssize_t size
    cdef const char* data = PyUnicode_AsUTF8AndSize(text, &size)
    return put_bytes(out, data, size)


cdef int put_number(Buffer out, uint64_t number) except -1:
    """Add a whole number."""
    cdef unsigned char digits[20]
    cdef int first = 20
    while first == 20 or number:
        first -= 1
        digits[first], number = <unsigned char> (c"0" + number % 10), number // 10
    return put_bytes(out, <const char*> digits + first, 20 - first)


cdef bint put_json_rounded(Buffer out, double number) except -1:
    """Add a number rounded to six decimals; false for one that is none.

    Those that have few digits, and are not nearly half way between two, are written at once.
    """
    cdef double scaled = number * 1e6
    cdef uint64_t digits, rest
    cdef double over
    cdef int at, last
    cdef unsigned char decimals[6]
    if not 100 <= scaled < 1e12:
        return put_json(out, round(number, 6), 0)
    digits = <uint64_t> scaled
    over = scaled - <double> digits
    if 0.499 < over < 0.501:
        return put_json(out, round(number, 6), 0)
    digits += over > 0.5
    put_number(out, digits // 1000000)
    rest = digits % 1000000
    for at in range(5, -1, -1):
        decimals[at], rest = <unsigned char> (c"0" + rest % 10), rest // 10
    last = 6
    while last > 1 and decimals[last - 1] == c"0":
        last -= 1
    put_bytes(out, b".", 1)
    put_bytes(out, <const char*> decimals, last)
    return True


cdef int put_json_text(Buffer out, str text) except -1:
    """Add a text in quotation marks, with the escapes that JSON asks for."""
    cdef Py_ssize_t size
    cdef const char* data = PyUnicode_AsUTF8AndSize(text, &size)
    return put_json_bytes(out, <const unsigned char*> data, size)


cdef int put_json_bytes(Buffer out, const unsigned char* data, Py_ssize_t size) except -1:
    """Add a text in UTF-8."""
    cdef Py_ssize_t at, first = 0
    put_bytes(out, b'"', 1)
    at = next_escape(data, 0, size)
    while at < size:
        put_bytes(out, <const char*> data + first, at - first)
        put_json_escape(out, data[at])
        first = at + 1
        at = next_escape(data, first, size)
    put_bytes(out, <const char*> data + first, size - first)
    return put_bytes(out, b'"', 1)


cdef inline bint needs_escape(unsigned char code) noexcept nogil:
    return (code < 32) | (code == c'"') | (code == c"\\")


cdef Py_ssize_t next_escape(
    const unsigned char* text, Py_ssize_t at, Py_ssize_t size
) noexcept nogil:
    """The next place of a character that is escaped, or the size; many are looked at together."""
    cdef int place
    cdef unsigned char escaped
    while at + 32 <= size:
        escaped = 0
        for place in range(32):
            escaped |= needs_escape(text[at + place])
        if escaped:
            break
        at += 32
    while at < size and not needs_escape(text[at]):
        at += 1
    return at


cdef int put_json_escape(Buffer out, unsigned char code) except -1:
    """Add the escape of a character."""
    cdef const char* short = strchr("\bb\tt\nn\ff\rr\"\"\\\\", code) if code else NULL
    out.reserve(6)
    out.data[out.used] = c"\\"
    if short != NULL:
        out.data[out.used + 1] = short[1]
        out.used += 2
        return 0
    memcpy(out.data + out.used + 1, b"u00", 3)
    out.data[out.used + 4] = c"0" + (code >> 4)
    out.data[out.used + 5] = b"0123456789abcdef"[code & 15]
    out.used += 6
    return 0
