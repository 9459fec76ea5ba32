"""Some attributes of a page by name, the twin of `Page.attribute` for pages that ask for few."""

from libc.string cimport memcmp

cdef enum:
    MAX_NAMES = 8


cdef struct AttributeName:
    const char* text
    Py_ssize_t size


def find_attributes(const int32_t[::1] tag, tuple attrs not None, tuple names not None):
    """For each name the values of the attribute by row; one without a value is empty."""
    cdef Py_ssize_t row, element = 0, elements = len(attrs), at, count = len(names)
    cdef AttributeName wanted[MAX_NAMES]
    cdef uint64_t sizes = 0
    cdef list found = [{} for _ in names]
    cdef tuple pairs
    if count > MAX_NAMES:
        raise ValueError("too many names of attributes")
    for at in range(count):
        wanted[at].text = PyUnicode_AsUTF8AndSize(names[at], &wanted[at].size)
        sizes |= 1ULL << (wanted[at].size & 63)
    for row in range(tag.shape[0]):
        if tag[row] == 0:  # a text
            continue
        if element == elements:
            raise ValueError("more elements than there are attributes of elements")
        pairs = <tuple?> attrs[element]
        element += 1
        for at in range(PyTuple_Size(pairs)):
            _find_name(<object> PyTuple_GetItem(pairs, at), wanted, count, sizes, row, found)
    if element != elements:
        raise ValueError("fewer elements than there are attributes of elements")
    return found


cdef int _find_name(
    object pair, const AttributeName* wanted, Py_ssize_t count, uint64_t sizes, Py_ssize_t row,
    list found,
) except -1:
    """Add the value of an attribute if its name is among the wanted ones."""
    cdef Py_ssize_t at, size
    cdef const char* own = PyUnicode_AsUTF8AndSize(<object> PyTuple_GetItem(pair, 0), &size)
    cdef object value
    if not sizes >> (size & 63) & 1:  # most names are longer or shorter
        return 0
    for at in range(count):
        if size == wanted[at].size and memcmp(own, wanted[at].text, <size_t> size) == 0:
            value = <object> PyTuple_GetItem(pair, 1)
            (<dict> found[at])[row] = "" if value is None else value
            return 0
    return 0
