"""Sums over the rows of digests, the twin of `pagelet.methods.template.table`."""


def sum_leaves(const Py_ssize_t[::1] size, const double[::1] values, double[:, ::1] sums):
    """The number of leaves below each row, itself included, and the sum of their values."""
    cdef Py_ssize_t row, rows = size.shape[0], leaf = 0, end
    cdef Memory memory = Memory(2)
    cdef Py_ssize_t* leaves = <Py_ssize_t*> memory.take(rows + 1, sizeof(Py_ssize_t))
    cdef double* prefix = <double*> memory.take(rows + 1, sizeof(double))
    if sums.shape[0] != 2 or sums.shape[1] != rows:
        raise ValueError("two sums for each row")
    for row in range(rows):
        leaves[row + 1], prefix[row + 1] = leaves[row], prefix[row]
        if size[row] == 1:
            if leaf == values.shape[0]:
                raise ValueError("more leaves than values")
            leaves[row + 1] += 1
            prefix[row + 1] += values[leaf]
            leaf += 1
    for row in range(rows):
        end = row + size[row]
        if not row < end <= rows:
            raise ValueError("a row that is broken")
        sums[0, row] = leaves[end] - leaves[row]
        sums[1, row] = prefix[end] - prefix[row]


def find_parents(const Py_ssize_t[::1] size, Py_ssize_t[::1] parent):
    """The parent of each row, from the sizes of subtrees; -1 for a row that lies in none."""
    cdef Py_ssize_t row, above, rows = size.shape[0]
    if parent.shape[0] != rows:
        raise ValueError("one parent for each row")
    for row in range(rows):
        above = row - 1
        while above >= 0 and above + size[above] <= row:
            above = parent[above]
        parent[row] = above


def max_subtree(const int32_t[::1] parent, Py_ssize_t[::1] values):
    """Put the largest value of each subtree in the place of its root's.

    Returns false, and has changed nothing, if a row does not stand behind its parent.
    """
    cdef Py_ssize_t row, above
    if parent.shape[0] != values.shape[0]:
        raise ValueError("one value for each row")
    for row in range(parent.shape[0]):
        if not -1 <= parent[row] < row:
            return False
    for row in range(parent.shape[0] - 1, -1, -1):
        above = parent[row]
        if above >= 0 and values[above] < values[row]:
            values[above] = values[row]
    return True
