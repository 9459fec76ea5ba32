"""One attribute of a page by its name, the twin of `Page.attribute` for pages that ask for few."""


def find_attribute(const int32_t[::1] tag, tuple attrs not None, str name not None):
    """The values of an attribute by row; one without a value has the empty string."""
    cdef Py_ssize_t row, element = 0, elements = len(attrs), at
    cdef dict found = {}
    cdef tuple pairs
    cdef object pair, value
    for row in range(tag.shape[0]):
        if tag[row] == 0:  # a text
            continue
        if element == elements:
            raise ValueError("more elements than there are attributes of elements")
        pairs = <tuple?> attrs[element]
        element += 1
        for at in range(PyTuple_Size(pairs)):
            pair = <object> PyTuple_GetItem(pairs, at)
            if <object> PyTuple_GetItem(pair, 0) == name:
                value = <object> PyTuple_GetItem(pair, 1)
                found[row] = "" if value is None else value
    if element != elements:
        raise ValueError("fewer elements than there are attributes of elements")
    return found
