"""The table of hyperlinks and groups of them, the twin of `pagelet.methods.links`."""


def number_links(dict hrefs not None, const Py_ssize_t[::1] rows, Py_ssize_t[::1] numbers):
    """Fill in the number of the address of each row; returns the different ones, stripped."""
    cdef Py_ssize_t at
    cdef dict number = {}
    if rows.shape[0] != numbers.shape[0]:
        raise ValueError("one number for each row")
    for at in range(rows.shape[0]):
        address = (<str?> hrefs[rows[at]]).strip()
        numbers[at] = number.setdefault(address, len(number))
    return list(number)


def join_labels(
    texts, const int32_t[::1] tag, const unsigned char[::1] linked,
    const unsigned char[::1] counted, const Py_ssize_t[::1] links,
):
    """For each link the texts behind it that lie in links, joined and white space folded.

    The rows of links are in order. UnicodeEncodeError for a lone surrogate.
    """
    cdef Py_ssize_t row, size, at = -1, place = 0, rows = tag.shape[0], count = links.shape[0]
    cdef PageTexts read = texts_of(texts)
    cdef Buffer out = Buffer()
    cdef const unsigned char* text
    cdef bint spaced
    cdef list labels = [""] * count
    if not rows == linked.shape[0] == counted.shape[0]:
        raise ValueError("columns of one page")
    for row in range(rows):
        if at + 1 < count and links[at + 1] <= row:
            if links[at + 1] < row:
                raise ValueError("links that are not in order")
            if out.used:
                labels[at] = decode_bytes(out.data, out.used)
                out.used = 0
            at += 1
        if tag[row] == 0:
            if at >= 0 and linked[row] and counted[row]:
                spaced = True
                text = read.utf8(place, &size)
                fold_into(out, text, size, &spaced)
            place += 1
    if out.used:
        labels[at] = decode_bytes(out.data, out.used)
    return labels


def hold_pictures(
    const unsigned char[::1] pictures, const int32_t[::1] size, const Py_ssize_t[::1] links,
    unsigned char[::1] holding,
):
    """Mark the links that hold a row that is a picture."""
    cdef Py_ssize_t row, at, rows = pictures.shape[0]
    cdef Memory memory = Memory(1)
    cdef Py_ssize_t* before = <Py_ssize_t*> memory.take(rows + 1, sizeof(Py_ssize_t))
    if rows != size.shape[0] or links.shape[0] != holding.shape[0]:
        raise ValueError("columns of one page, and a mark for each link")
    for row in range(rows):
        before[row + 1] = before[row] + (pictures[row] != 0)
    for at in range(links.shape[0]):
        row = _check_place(links[at], rows)
        holding[at] = before[_check_place(row + size[row], rows + 1)] > before[row]


def count_alike(
    const Py_ssize_t[::1] of_links, const Py_ssize_t[::1] first, const Py_ssize_t[::1] last,
    const Py_ssize_t[::1] role, double[::1] counts,
):
    """Count the links of each group that have the role of the group."""
    cdef Py_ssize_t groups = role.shape[0]
    if not groups == first.shape[0] == last.shape[0] == counts.shape[0]:
        raise ValueError("a role and a range of links for each group")
    if groups:
        count_own_role(
            &of_links[0], of_links.shape[0], &first[0], &last[0], &role[0], groups, &counts[0])


cdef int count_own_role(
    const Py_ssize_t* of_links, Py_ssize_t links, const Py_ssize_t* first, const Py_ssize_t* last,
    const Py_ssize_t* role, Py_ssize_t groups, double* counts,
) except -1:
    """The same, role by role."""
    cdef Py_ssize_t at, each, most = 0
    cdef Memory memory = Memory(1)
    cdef Py_ssize_t* sums = <Py_ssize_t*> memory.take(links + 1, sizeof(Py_ssize_t))
    for at in range(groups):
        if not (0 <= first[at] <= last[at] <= links and 0 <= role[at] < MOST_ROLES):
            raise ValueError("a group of links, or a role, that does not exist")
        most = max(most, role[at] + 1)
    for each in range(most):
        for at in range(links):
            sums[at + 1] = sums[at] + (of_links[at] == each)
        for at in range(groups):
            if role[at] == each:
                counts[at] = sums[last[at]] - sums[first[at]]
    return 0


cdef enum:
    MOST_ROLES = 64


cdef struct SizedRole:
    double size  # links of a group; 0 for no group
    Py_ssize_t role


cdef struct LargestGroups:
    SizedRole first
    SizedRole second  # the largest of another role than the first


def mark_parted(
    const double[::1] count, const Py_ssize_t[::1] role, const Py_ssize_t[::1] within,
    const unsigned char[::1] chosen, double overlap, unsigned char[::1] parted,
):
    """Mark the groups that overlap enough with a chosen group of another role inside them."""
    cdef Py_ssize_t at, outer, groups = count.shape[0]
    cdef double size
    cdef SizedRole own
    cdef Memory memory = Memory(1)
    cdef LargestGroups* largest
    if not (groups == role.shape[0] == within.shape[0] == chosen.shape[0] == parted.shape[0]):
        raise ValueError("as many values of each kind as there are groups")
    largest = <LargestGroups*> memory.take(groups, sizeof(LargestGroups))
    for at in range(groups):
        largest[at].first.role = largest[at].second.role = -1
    for at in range(groups - 1, -1, -1):
        size = largest[at].first.size
        if largest[at].first.role == role[at]:
            size = largest[at].second.size
        parted[at] = 2 * size > overlap * (size + count[at])
        outer = within[at]
        if not -1 <= outer < at:
            raise ValueError("a group lies in one that does not stand before it")
        if outer >= 0:
            _keep_largest(&largest[outer], largest[at].first)
            _keep_largest(&largest[outer], largest[at].second)
            if chosen[at]:
                own.size, own.role = count[at], role[at]
                _keep_largest(&largest[outer], own)


cdef inline bint _is_larger(SizedRole one, SizedRole other) noexcept nogil:
    return one.size > other.size or (one.size == other.size and one.role > other.role)


cdef void _keep_largest(LargestGroups* two, SizedRole new) noexcept nogil:
    """Keep the largest group, and the largest of another role than that."""
    if new.size == 0:
        return
    if new.role == two.first.role:
        if _is_larger(new, two.first):
            two.first = new
    elif _is_larger(new, two.first):
        two.second = two.first
        two.first = new
    elif _is_larger(new, two.second):
        two.second = new
