"""White space folded in many texts, the twin of `fold_each` in `pagelet.page.words`."""


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
