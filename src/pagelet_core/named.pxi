"""One attribute of a page by its name, the twin of `Page.attribute` for pages that ask for few."""

from libc.string cimport memcmp


def find_attribute(const int32_t[::1] tag, tuple attrs not None, str name not None):
    """The values of an attribute by row; one without a value has the empty string."""
    cdef Py_ssize_t row, element = 0, elements = len(attrs), at, size, length
    cdef const char* wanted = PyUnicode_AsUTF8AndSize(name, &length)
    cdef const char* own
    cdef dict found = {}
    cdef tuple pairs
    cdef PyObject* pair
    cdef object value
    for row in range(tag.shape[0]):
        if tag[row] == 0:  # a text
            continue
        if element == elements:
            raise ValueError("more elements than there are attributes of elements")
        pairs = <tuple?> attrs[element]
        element += 1
        for at in range(PyTuple_Size(pairs)):
            pair = PyTuple_GetItem(pairs, at)
            own = PyUnicode_AsUTF8AndSize(<object> PyTuple_GetItem(<object> pair, 0), &size)
            if size == length and memcmp(own, wanted, <size_t> size) == 0:
                value = <object> PyTuple_GetItem(<object> pair, 1)
                found[row] = "" if value is None else value
    if element != elements:
        raise ValueError("fewer elements than there are attributes of elements")
    return found
