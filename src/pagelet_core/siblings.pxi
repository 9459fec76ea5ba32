"""Places among siblings of the same tag, the twin of `pagelet.page.paths`."""

cdef enum:
    MOST_TAGS = 65536  # tag numbers of a page beyond the number of its rows


def number_siblings(
    const int32_t[::1] tag, const int32_t[::1] parent,
    const int32_t[::1] blank_row, const int32_t[::1] blank_parent,
    int64_t[::1] place, alone,
):
    """The place of each row among its siblings of the same tag, from 1 on, and whether it has none.

    Blank texts are counted; each stands before a row. Returns false, and has numbered nothing of
    use, if they are not in order, or a row has a parent or a tag that no page has.
    """
    cdef Py_ssize_t rows = tag.shape[0]
    cdef unsigned char[::1] single = alone.view("u1")
    if not rows == parent.shape[0] == place.shape[0] == single.shape[0]:
        raise ValueError("the columns of a page do not fit together")
    if blank_row.shape[0] != blank_parent.shape[0]:
        raise ValueError("a parent for each blank text")
    return _number_texts(tag, parent, blank_row, blank_parent, place, single) and _number_elements(
        tag, parent, place, single)


cdef bint _number_texts(
    const int32_t[::1] tag, const int32_t[::1] parent,
    const int32_t[::1] blank_row, const int32_t[::1] blank_parent,
    int64_t[::1] place, unsigned char[::1] single,
) except -1:
    """Number the text rows; those of one parent are counted as they come."""
    cdef Py_ssize_t rows = tag.shape[0], blanks = blank_row.shape[0], row, blank = 0
    cdef Memory memory = Memory(1)
    cdef int32_t* texts = <int32_t*> memory.take(rows + 1, sizeof(int32_t))  # the first: no parent
    for row in range(rows + 1):
        while blank < blanks and blank_row[blank] <= row:
            if blank and blank_row[blank - 1] > blank_row[blank]:
                return False
            if not -1 <= blank_parent[blank] < rows:
                return False
            texts[blank_parent[blank] + 1] += 1
            blank += 1
        if row < rows and not -1 <= parent[row] < rows:
            return False
        if row < rows and tag[row] == 0:
            texts[parent[row] + 1] += 1
            place[row] = texts[parent[row] + 1]
    for row in range(rows):
        single[row] = texts[parent[row] + 1] == 1
    return blank == blanks


cdef bint _number_elements(
    const int32_t[::1] tag, const int32_t[::1] parent, int64_t[::1] place,
    unsigned char[::1] single,
) except -1:
    """Number the elements, whose parents exist, the children of one parent after the other."""
    cdef Py_ssize_t rows = tag.shape[0], row, above
    cdef int32_t most = 0
    for row in range(rows):
        if not 0 <= tag[row] < rows + MOST_TAGS:
            return False
        most = max(most, tag[row])
    cdef Memory memory = Memory(4)
    cdef int32_t* child = <int32_t*> memory.take(rows + 1, sizeof(int32_t))
    cdef int32_t* sibling = <int32_t*> memory.take(rows, sizeof(int32_t))
    cdef int32_t* count = <int32_t*> memory.take(<size_t> most + 1, sizeof(int32_t))
    cdef int32_t* counted = <int32_t*> memory.take(<size_t> most + 1, sizeof(int32_t))
    for row in range(rows - 1, -1, -1):
        if tag[row] != 0:  # first children and next siblings are one more than their rows
            sibling[row] = child[parent[row] + 1]
            child[parent[row] + 1] = <int32_t> row + 1
    for above in range(rows + 1):
        row = child[above] - 1
        while row >= 0:
            if counted[tag[row]] != above + 1:  # counted for another parent
                count[tag[row]], counted[tag[row]] = 0, <int32_t> above + 1
            count[tag[row]] += 1
            place[row], row = count[tag[row]], sibling[row] - 1
        row = child[above] - 1
        while row >= 0:
            single[row], row = count[tag[row]] == 1, sibling[row] - 1
    return True
