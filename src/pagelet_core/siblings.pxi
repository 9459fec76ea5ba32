"""The place of each row among its siblings of the same name, the twin of `pagelet.page.paths`."""

from libc.stdint cimport INT32_MAX


cdef struct Siblings:
    const int32_t* tag
    const int32_t* size
    const int32_t* blank_row
    int32_t* first_blank  # of each row plus one: its first blank text that was not counted, or -1
    int32_t* next_blank  # of each blank text: the next one with the same parent, or -1
    int32_t* counts  # of each name: the children met so far; 0 between two parents
    int64_t* place
    uint8_t* alone


cdef void count_blanks(Siblings* page, Py_ssize_t parent, Py_ssize_t before) noexcept nogil:
    """Count the blank texts of a parent that stand before a row."""
    cdef int32_t blank = page.first_blank[parent + 1]
    while blank >= 0 and page.blank_row[blank] <= before:
        page.counts[0] += 1
        blank = page.next_blank[blank]
    page.first_blank[parent + 1] = blank


cdef void number_children(
    Siblings* page, Py_ssize_t parent, Py_ssize_t first, Py_ssize_t end
) noexcept nogil:
    """Number the children of a row; texts have tag 0, and blank ones count as well."""
    cdef Py_ssize_t child = first
    while child < end:
        if page.tag[child] == 0:
            count_blanks(page, parent, child)
        page.counts[page.tag[child]] += 1
        page.place[child] = page.counts[page.tag[child]]
        child += page.size[child]
    count_blanks(page, parent, INT32_MAX)
    child = first
    while child < end:
        page.alone[child] = page.counts[page.tag[child]] == 1
        child += page.size[child]
    page.counts[0], child = 0, first
    while child < end:
        page.counts[page.tag[child]] = 0
        child += page.size[child]


def number_siblings(
    columns not None, blanks not None, Py_ssize_t names, int64_t[::1] place, uint8_t[::1] alone
):
    """Fill the places, and whether no sibling shares the name; False for blanks out of order.

    `columns` are the tags and sizes of the rows, `blanks` the row after each blank text and the
    row of its parent.
    """
    cdef const int32_t[::1] tag = columns[0], size = columns[1]
    cdef const int32_t[::1] blank_row = blanks[0], blank_parent = blanks[1]
    cdef Py_ssize_t rows = tag.shape[0], count = blank_row.shape[0], at
    cdef Siblings page
    _check_siblings(tag, size, names)
    if not rows == place.shape[0] == alone.shape[0] or count != blank_parent.shape[0]:
        raise ValueError("one entry for each row, and one parent for each blank text")
    for at in range(count):
        if not -1 <= blank_parent[at] < rows:
            raise ValueError("a blank text below a row that does not exist")
        if at and blank_row[at] < blank_row[at - 1]:
            return False
    if rows == 0:
        return True
    cdef Memory memory = Memory(3)
    page.first_blank = <int32_t*> memory.take(rows + 1, sizeof(int32_t))
    page.next_blank = <int32_t*> memory.take(count, sizeof(int32_t))
    page.counts = <int32_t*> memory.take(names, sizeof(int32_t))
    page.tag, page.size, page.place, page.alone = &tag[0], &size[0], &place[0], &alone[0]
    page.blank_row = &blank_row[0] if count else NULL
    for at in range(rows + 1):
        page.first_blank[at] = -1
    for at in range(count - 1, -1, -1):
        page.next_blank[at] = page.first_blank[blank_parent[at] + 1]
        page.first_blank[blank_parent[at] + 1] = <int32_t> at
    number_children(&page, -1, 0, rows)
    for at in range(rows):
        number_children(&page, at, at + 1, at + size[at])
    return True


cdef int _check_siblings(
    const int32_t[::1] tag, const int32_t[::1] size, Py_ssize_t names
) except -1:
    """Refuse rows whose names or sizes are none: they would lead out of the page."""
    cdef Py_ssize_t at
    if tag.shape[0] != size.shape[0]:
        raise ValueError("one size for each row")
    for at in range(tag.shape[0]):
        if not (0 <= tag[at] < names and 0 < size[at] <= tag.shape[0] - at):
            raise ValueError(f"row {at} has no such name or size")
    return 0
