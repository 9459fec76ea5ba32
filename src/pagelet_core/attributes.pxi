"""Attributes by name, the twin of `Page.attribute` in `pagelet.page.table`."""

cdef extern from "Python.h":
    int PyDict_SetItem(object mapping, object key, object value) except -1
    PyObject* PyTuple_GetItem(object values, Py_ssize_t at) except NULL
    Py_ssize_t PyTuple_Size(object values) except -1


def index_attributes(const int32_t[::1] tag, attrs not None):
    """Every attribute by name, then by row; one without a value has the empty string."""
    cdef Py_ssize_t row, element = 0, elements = len(attrs), at, count
    cdef dict index = {}
    cdef tuple pairs
    for row in range(tag.shape[0]):
        if tag[row] == 0:  # a text
            continue
        if element == elements:
            raise ValueError("more elements than there are attributes of elements")
        pairs = pairs_at(attrs, element)
        element += 1
        count = PyTuple_Size(pairs)
        if count:
            number = PyLong_FromSsize_t(row)
            for at in range(count):
                _add_pair(index, number, <object> PyTuple_GetItem(pairs, at))
    if element != elements:
        raise ValueError("fewer elements than there are attributes of elements")
    return index


cdef int _add_pair(dict index, object row, object pair) except -1:
    cdef object name = <object> PyTuple_GetItem(pair, 0)
    cdef object value = <object> PyTuple_GetItem(pair, 1)
    cdef PyObject* rows = PyDict_GetItemWithError(index, name)
    cdef dict made
    if value is None:
        value = ""
    if rows != NULL:
        return PyDict_SetItem(<object> rows, row, value)
    made = {row: value}
    return PyDict_SetItem(index, name, made)
