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


def take_best(const int32_t[::1] parent, double[::1] best, Py_ssize_t[::1] who):
    """Put the best value at or above each row in its place, and whose it is; the outer of equals.

    The last value stands above all rows. Returns false, and has changed nothing, if a row is not
    behind its parent.
    """
    cdef Py_ssize_t row, above, rows = parent.shape[0]
    if not rows + 1 == best.shape[0] == who.shape[0]:
        raise ValueError("a value for each row, and one above them")
    for row in range(rows):
        if not -1 <= parent[row] < row:
            return False
    for row in range(rows):
        above = parent[row] if parent[row] >= 0 else rows
        if best[above] >= best[row]:
            best[row], who[row] = best[above], who[above]
    return True


def sum_subtrees(tuple columns not None, const int32_t[::1] size, double[:, ::1] sums):
    """The sums of columns over the subtree of each row, the row itself counted: a line each."""
    cdef Py_ssize_t row, line, rows = size.shape[0]
    cdef const double[::1] values
    cdef Memory memory = Memory(1)
    cdef double* prefix = <double*> memory.take(rows + 1, sizeof(double))
    if sums.shape[0] != len(columns) or sums.shape[1] != rows:
        raise ValueError("a line for each column")
    for row in range(rows):
        if not 0 < size[row] <= rows - row:
            raise ValueError("a row that is broken")
    for line in range(sums.shape[0]):
        values = columns[line]
        if values.shape[0] != rows:
            raise ValueError("a value for each row")
        for row in range(rows):
            prefix[row + 1] = prefix[row] + values[row]
        for row in range(rows):
            sums[line, row] = prefix[row + size[row]] - prefix[row]


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


def fill_ordinals(const int32_t[::1] tag, Py_ssize_t[::1] ordinal):
    """Fill in the place of each element among the elements, of each text among the texts."""
    cdef Py_ssize_t row, elements = 0
    if ordinal.shape[0] != tag.shape[0]:
        raise ValueError("one place for each row")
    for row in range(tag.shape[0]):
        ordinal[row] = elements if tag[row] else row - elements
        elements += tag[row] != 0
