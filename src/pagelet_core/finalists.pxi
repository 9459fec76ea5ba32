"""Evidence for the few candidates that may be the menu, the twin of `pagelet.methods.menu`."""


def describe_links(
    const int64_t[::1] labels, const Py_ssize_t[::1] earliest, const Py_ssize_t[::1] latest,
    const Py_ssize_t[::1] first, const Py_ssize_t[::1] last, int kinds, int64_t most_spaces,
    double[:, ::1] lines,
):
    """Fill shares of the links of each finalist: kinds and spaces of labels, repeated addresses.

    The spaces of a label stand above its kinds; an address is repeated before or after.
    """
    cdef Py_ssize_t at, link, links = labels.shape[0]
    cdef int kind
    cdef int64_t bits
    if not (links == earliest.shape[0] == latest.shape[0] and 0 < kinds < 48
            and first.shape[0] == last.shape[0] == lines.shape[1]
            and lines.shape[0] == kinds + 3):
        raise ValueError("columns of the links of one page, and a line for each share")
    lines[:, :] = 0
    for at in range(first.shape[0]):
        if not 0 <= first[at] < last[at] <= links:
            raise ValueError("links that do not exist")
        for link in range(first[at], last[at]):
            bits = labels[link] & ((1LL << kinds) - 1)
            kind = 0
            while bits:
                lines[kind, at] += bits & 1
                bits >>= 1
                kind += 1
            lines[kinds, at] += labels[link] >> kinds & most_spaces
            lines[kinds + 1, at] += earliest[link] < first[at]
            lines[kinds + 2, at] += latest[link] >= last[at]
        for kind in range(kinds + 3):
            lines[kind, at] /= last[at] - first[at]


def place_finalists(
    const int32_t[::1] tag, const int32_t[::1] chars, const unsigned char[::1] counted,
    const unsigned char[::1] link, int heading_tag, Py_ssize_t most_chars, Py_ssize_t far,
    const Py_ssize_t[::1] rows, const Py_ssize_t[::1] ends, double[:, ::1] lines,
):
    """Fill where finalists lie from the main heading and from the prose, seven lines."""
    cdef Py_ssize_t row, at, heading = -1, middle = 0, before, inside, whole
    cdef Py_ssize_t length = tag.shape[0]
    cdef Memory memory = Memory(2)
    cdef Py_ssize_t* sums = <Py_ssize_t*> memory.take(length + 1, sizeof(Py_ssize_t))
    cdef Py_ssize_t* following = <Py_ssize_t*> memory.take(length + 1, sizeof(Py_ssize_t))
    if not (length == chars.shape[0] == counted.shape[0] == link.shape[0]
            and rows.shape[0] == ends.shape[0] == lines.shape[1] and lines.shape[0] == 7):
        raise ValueError("columns of one page, and seven lines")
    for row in range(length):
        if heading < 0 and tag[row] == heading_tag:
            heading = row
        sums[row + 1] = sums[row]
        if chars[row] > most_chars and counted[row] and not link[row]:
            sums[row + 1] += chars[row]
    following[length] = length + far
    for row in range(length - 1, -1, -1):
        following[row] = row if sums[row + 1] > sums[row] else following[row + 1]
    whole = max(sums[length], 1)
    while middle < length and 2 * sums[middle] < sums[length]:
        middle += 1
    for at in range(rows.shape[0]):
        row = _check_place(rows[at], length)
        _check_place(ends[at], length + 1)
        before, inside = sums[row], sums[ends[at]] - sums[row]
        lines[0, at], lines[1, at] = <double> before / whole, <double> inside / whole
        lines[2, at] = middle - ends[at]
        lines[3, at] = min(following[ends[at]] - ends[at], far)
        lines[4, at] = min(max(row - heading, -far), far) if heading >= 0 else 0
        lines[5, at] = row < heading < ends[at]
        lines[6, at] = heading < 0


def relate_finalists(
    const int32_t[::1] tag, const int32_t[::1] size, const int32_t[::1] parent,
    const int32_t[::1] depth, const Py_ssize_t[::1] rows, const Py_ssize_t[::1] first,
    const Py_ssize_t[::1] last, const Py_ssize_t[::1] chosen, double[:, ::1] lines,
):
    """Fill how finalists compare with candidates of their shape, and with what has more links.

    Three lines: candidates of the same depth, tag and tag of the parent; shares of links and of
    rows of the nearest element around that has more links, 0 where there is none.
    """
    cdef Py_ssize_t at, each, row, above, place, length = tag.shape[0], count = rows.shape[0]
    cdef Memory memory = Memory(2)
    cdef Py_ssize_t* links = <Py_ssize_t*> memory.take(length, sizeof(Py_ssize_t))
    cdef Py_ssize_t* outer = <Py_ssize_t*> memory.take(count, sizeof(Py_ssize_t))
    if not (length == size.shape[0] == parent.shape[0] == depth.shape[0]
            and count == first.shape[0] == last.shape[0]
            and chosen.shape[0] == lines.shape[1] and lines.shape[0] == 3):
        raise ValueError("columns of one page, and three lines")
    for at in range(count):
        links[_check_place(rows[at], length)] = last[at] - first[at]
        above = parent[rows[at]]
        if not -1 <= above < rows[at]:
            raise ValueError("rows that are no tree")
        outer[at] = max(above, 0)
    for at in range(chosen.shape[0]):
        place = _check_place(chosen[at], count)
        row, lines[0, at] = rows[place], 0
        for each in range(count):
            lines[0, at] += (
                depth[rows[each]] == depth[row] and tag[rows[each]] == tag[row]
                and tag[outer[each]] == tag[outer[place]])
        above = parent[row]
        while above >= 0 and links[above] == links[row]:
            if parent[above] >= above:
                raise ValueError("rows that are no tree")
            above = parent[above]
        lines[1, at] = lines[2, at] = 0
        if above >= 0 and links[above]:
            lines[1, at] = <double> links[row] / links[above]
            lines[2, at] = <double> size[row] / size[above]
