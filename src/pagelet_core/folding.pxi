"""White space folded in many texts, and texts without marks.

The twins are `fold_each` in `pagelet.page.words` and `key_of` in `pagelet.metadata.lookup`.
"""

cdef enum:
    SHORT_KEY_BYTES = 256  # of a key that needs no memory of its own


def fold_each(list texts not None):
    """The texts with white space folded; one that has none to fold is not copied."""
    cdef str text
    return [fold_text(text) for text in texts]


cdef str fold_text(str text):
    """A text with white space folded; one that has none to fold is not copied."""
    cdef Py_ssize_t size
    cdef const char* data
    if text.isascii():
        data = PyUnicode_AsUTF8AndSize(text, &size)
        if _is_folded(<const unsigned char*> data, size):
            return text
    return " ".join(text.split())


cdef bint _is_folded(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    """Whether a text has no white space but single spaces between words."""
    cdef Py_ssize_t at
    cdef bint space = True
    if size == 0:
        return True
    for at in range(size):
        if is_space(text[at]):
            if space or text[at] != 32:
                return False
            space = True
        else:
            space = False
    return not space


def key_of(str text not None):
    """The letters and digits of a text alone, in small letters."""
    cdef unsigned char short_key[SHORT_KEY_BYTES]
    cdef unsigned char* key = short_key
    cdef unsigned char code
    cdef Py_ssize_t at, size, used = 0
    cdef const unsigned char* written
    cdef Buffer long_key
    if not text.isascii():
        return "".join(filter(str.isalnum, text.casefold()))
    written = <const unsigned char*> PyUnicode_AsUTF8AndSize(text, &size)
    if size > SHORT_KEY_BYTES:
        long_key = Buffer()
        long_key.reserve(size)
        key = long_key.data
    for at in range(size):
        code = small_byte(written[at])
        if c"a" <= code <= c"z" or c"0" <= code <= c"9":
            key[used] = code
            used += 1
    return decode_bytes(key, used)
