"""Places among siblings of the same tag, the twin of `pagelet.page.paths`."""


def number_siblings(
    const int32_t[::1] tag, const int32_t[::1] parent,
    const int32_t[::1] blank_row, const int32_t[::1] blank_parent,
    int64_t[::1] place, alone,
):
    """The place of each row among its siblings of the same tag, from 1 on, and whether it has none.

    Blank texts are counted; each stands before a row. Returns false, and has numbered nothing, if
    they are not in order, or too many siblings fall on one place of the table.
    """
    cdef Py_ssize_t rows = tag.shape[0], blanks = blank_row.shape[0], row, blank = 0, at = 0
    cdef unsigned char[::1] single = alone.view("u1")
    cdef Memory memory = Memory(4)
    cdef uint64_t* keys = <uint64_t*> memory.take(rows + blanks, sizeof(uint64_t))
    cdef Py_ssize_t* first = <Py_ssize_t*> memory.take(rows + blanks, sizeof(Py_ssize_t))
    cdef Py_ssize_t* before = <Py_ssize_t*> memory.take(rows + blanks, sizeof(Py_ssize_t))
    cdef Py_ssize_t* count = <Py_ssize_t*> memory.take(rows + blanks, sizeof(Py_ssize_t))
    if not rows == parent.shape[0] == place.shape[0] == single.shape[0]:
        raise ValueError("the columns of a page do not fit together")
    if blanks != blank_parent.shape[0]:
        raise ValueError("a parent for each blank text")
    for row in range(rows + 1):
        while blank < blanks and blank_row[blank] <= row:
            keys[at] = _sibling_key(blank_parent[blank], 0)
            if blank and blank_row[blank - 1] > blank_row[blank]:
                return False
            blank += 1
            at += 1
        if row < rows:
            keys[at] = _sibling_key(parent[row], tag[row])
            place[row] = at
            at += 1
    if blank < blanks or not find_places(keys, at, first, before):
        return False
    for row in range(at):
        count[first[row]] += 1
    for row in range(rows):
        at = place[row]
        place[row], single[row] = before[at] + 1, count[first[at]] == 1
    return True


cdef inline uint64_t _sibling_key(int32_t parent, int32_t tag) noexcept nogil:
    return (<uint64_t> <uint32_t> parent << 32) | <uint32_t> tag
