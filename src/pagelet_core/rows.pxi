"""Rows in trees, the twin of `pagelet.page.tree`, and the different values of attributes."""

cdef extern from "Python.h":
    int PyDict_Next(object mapping, Py_ssize_t* at, PyObject** key, PyObject** value)
    Py_ssize_t PyLong_AsSsize_t(object number) except? -1


def find_nearest(const Py_ssize_t[::1] parent, marked, Py_ssize_t[::1] found):
    """The nearest marked node at or above each node, -1 where there is none.

    Returns false, and has found nothing, if a node does not stand behind its parent.
    """
    cdef const unsigned char[::1] mark = marked.view("u1")
    cdef Py_ssize_t node, above
    if not parent.shape[0] == mark.shape[0] == found.shape[0]:
        raise ValueError("one mark for each node")
    for node in range(parent.shape[0]):
        above = parent[node]
        if not -1 <= above < node:
            return False
        found[node] = node if mark[node] else found[above] if above >= 0 else -1
    return True


def or_path(const Py_ssize_t[::1] parent, const int64_t[::1] bits, int64_t[::1] joined):
    """The bits of each node and of all above it; false if a node is not behind its parent."""
    cdef Py_ssize_t node, above
    if not parent.shape[0] == bits.shape[0] == joined.shape[0]:
        raise ValueError("bits for each node")
    for node in range(parent.shape[0]):
        above = parent[node]
        if not -1 <= above < node:
            return False
        joined[node] = bits[node] | (joined[above] if above >= 0 else 0)
    return True


def number_values(dict values not None, Py_ssize_t[::1] rows, Py_ssize_t[::1] numbers):
    """Fill the rows of values and the number of each value; returns the different values."""
    cdef Py_ssize_t at = 0, place = 0
    cdef PyObject* row = NULL
    cdef PyObject* value = NULL
    cdef PyObject* known
    cdef dict number = {}
    if not rows.shape[0] == numbers.shape[0] == len(values):
        raise ValueError("a row and a number for each value")
    while PyDict_Next(values, &at, &row, &value):
        rows[place] = PyLong_AsSsize_t(<object> row)
        known = PyDict_GetItemWithError(number, <object> value)
        if known == NULL:
            numbers[place] = len(number)
            PyDict_SetItem(number, <object> value, PyLong_FromSsize_t(len(number)))
        else:
            numbers[place] = PyLong_AsSsize_t(<object> known)
        place += 1
    return tuple(number)
