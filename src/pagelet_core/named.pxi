"""Some attributes of a page by name, the twin of `Page.attribute` for pages that ask for few."""

from libc.string cimport memcmp

cdef enum:
    MAX_NAMES = 8


cdef struct AttributeName:
    const char* text
    Py_ssize_t size


def find_attributes(const int32_t[::1] tag, attrs not None, tuple names not None):
    """For each name the values of the attribute by row; one without a value is empty."""
    cdef Py_ssize_t row, element = 0, elements = len(attrs), at, count = len(names)
    cdef AttributeName wanted[MAX_NAMES]
    cdef list found = [{} for _ in names]
    cdef PageAttributes written = attrs if isinstance(attrs, PageAttributes) else None
    if count > MAX_NAMES:
        raise ValueError("too many names of attributes")
    for at in range(count):
        wanted[at].text = PyUnicode_AsUTF8AndSize(names[at], &wanted[at].size)
    for row in range(tag.shape[0]):
        if tag[row] == 0:  # a text
            continue
        if element == elements:
            raise ValueError("more elements than there are attributes of elements")
        if written is None:
            find_in_pairs(<tuple?> attrs[element], row, wanted, count, found)
        else:
            written.find(element, row, wanted, count, found)
        element += 1
    if element != elements:
        raise ValueError("fewer elements than there are attributes of elements")
    return found


cdef int find_in_pairs(
    tuple pairs, Py_ssize_t row, const AttributeName* wanted, Py_ssize_t count, list found
) except -1:
    """Add the values of the attributes whose names are among the wanted ones, by row."""
    cdef Py_ssize_t at, name, size
    cdef const char* own
    cdef object pair, value
    for at in range(PyTuple_Size(pairs)):
        pair = <object> PyTuple_GetItem(pairs, at)
        own = PyUnicode_AsUTF8AndSize(<object> PyTuple_GetItem(pair, 0), &size)
        for name in range(count):
            if size == wanted[name].size and memcmp(own, wanted[name].text, <size_t> size) == 0:
                value = <object> PyTuple_GetItem(pair, 1)
                (<dict> found[name])[row] = "" if value is None else value
                break
    return 0
