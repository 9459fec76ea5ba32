"""Sums over structural blocks and elements of clutter, the twin of `pagelet.methods.clutter`."""


def attach_counts(
    const int32_t[::1] tag, const int32_t[::1] size, const int32_t[::1] chars,
    const unsigned char[::1] counted, const unsigned char[::1] link, const int32_t[::1] anchors,
    const Py_ssize_t[::1] blocks, const Py_ssize_t[::1] owner, double[:, ::1] counts,
):
    """Count what is attached to each block; `owner` is the block of each row, -1 outside.

    Four lines: hyperlinks with text, other elements with text, characters in links, characters.
    """
    cdef Py_ssize_t row, at, block, rows = tag.shape[0]
    cdef Memory memory = Memory(3)
    cdef int64_t* before = <int64_t*> memory.take(rows + 1, sizeof(int64_t))
    cdef unsigned char* anchor = <unsigned char*> memory.take(rows, 1)
    cdef unsigned char* structural = <unsigned char*> memory.take(rows, 1)
    if not (rows == size.shape[0] == chars.shape[0] == counted.shape[0] == link.shape[0]
            == owner.shape[0]) or counts.shape[0] != 4 or counts.shape[1] != blocks.shape[0]:
        raise ValueError("columns of one page, and four counts for each block")
    _mark_rows(anchors, anchor, rows)
    for at in range(blocks.shape[0]):
        structural[_check_place(blocks[at], rows)] = 1
    counts[:, :] = 0
    for row in range(rows):
        before[row + 1] = before[row] + (chars[row] if counted[row] else 0)
    for row in range(rows):
        block = owner[row]
        if block < 0:
            continue
        _check_place(block, blocks.shape[0])
        if before[_check_place(row + size[row], rows + 1)] > before[row]:
            counts[0, block] += anchor[row] and counted[row]
            counts[1, block] += tag[row] != 0 and counted[row] and not structural[row]
        if counted[row]:
            counts[2, block] += chars[row] if link[row] else 0
            counts[3, block] += chars[row]


cdef inline Py_ssize_t _check_place(Py_ssize_t at, Py_ssize_t places) except -1:
    if not 0 <= at < places:
        raise ValueError("a place that does not exist")
    return at


cdef int _mark_rows(const int32_t[::1] some, unsigned char* marked, Py_ssize_t rows) except -1:
    cdef Py_ssize_t at
    for at in range(some.shape[0]):
        marked[_check_place(some[at], rows)] = 1
    return 0


def fade_sums(
    const double[:, ::1] values, const Py_ssize_t[::1] parent, double decay, Py_ssize_t reach,
    double[:, ::1] faded,
):
    """Add to each block the values of the blocks below it, less 1 - decay for each level.

    Returns false, and has summed nothing, if a block does not stand behind its parent.
    """
    cdef Py_ssize_t at, line, blocks = parent.shape[0]
    cdef Memory memory = Memory(4)
    cdef Py_ssize_t* end = <Py_ssize_t*> memory.take(blocks, sizeof(Py_ssize_t))
    cdef Py_ssize_t* level = <Py_ssize_t*> memory.take(blocks, sizeof(Py_ssize_t))
    cdef Py_ssize_t* path = <Py_ssize_t*> memory.take(blocks, sizeof(Py_ssize_t))
    cdef Py_ssize_t* far = <Py_ssize_t*> memory.take(blocks, sizeof(Py_ssize_t))
    if not (values.shape[0] == faded.shape[0] and values.shape[1] == faded.shape[1] == blocks):
        raise ValueError("a sum for each value, and a value for each block")
    for at in range(blocks):
        if not -1 <= parent[at] < at:
            return False
        level[at] = level[parent[at]] + 1 if parent[at] >= 0 else 0
        path[level[at]] = at
        far[at] = path[level[at] - reach] if level[at] >= reach else -1
    for at in range(blocks - 1, -1, -1):
        end[at] = max(end[at], at + 1)
        if parent[at] >= 0:
            end[parent[at]] = max(end[parent[at]], end[at])
    for line in range(values.shape[0]):
        if blocks:
            _fade_line(&values[line, 0], end, level, far, blocks, decay, reach, &faded[line, 0])
    return True


cdef int _fade_line(
    const double* values, const Py_ssize_t* end, const Py_ssize_t* level, const Py_ssize_t* far,
    Py_ssize_t blocks, double decay, Py_ssize_t reach, double* faded,
) except -1:
    """One quantity; blocks too far below are counted where their reach ends, and given back."""
    cdef Py_ssize_t at
    cdef double fading, given_back
    cdef bint any_far = False
    cdef Memory memory = Memory(5)
    cdef double* near = <double*> memory.take(blocks + 1, sizeof(double))
    cdef double* near_level = <double*> memory.take(blocks + 1, sizeof(double))
    cdef double* beyond = <double*> memory.take(blocks, sizeof(double))
    cdef double* lost = <double*> memory.take(blocks + 1, sizeof(double))
    cdef double* lost_level = <double*> memory.take(blocks + 1, sizeof(double))
    for at in range(blocks):
        near[at + 1] = near[at] + values[at]
        near_level[at + 1] = near_level[at] + values[at] * level[at]
        if far[at] >= 0:
            beyond[far[at]] += values[at]
            any_far = True
    for at in range(blocks):
        lost[at + 1] = lost[at] + beyond[at]
        lost_level[at + 1] = lost_level[at] + beyond[at] * level[at]
    for at in range(blocks):
        fading = 1 + decay * level[at]
        faded[at] = (
            fading * (near[end[at]] - near[at]) - decay * (near_level[end[at]] - near_level[at]))
        if any_far:
            given_back = (
                (fading - decay * reach) * (lost[end[at]] - lost[at])
                - decay * (lost_level[end[at]] - lost_level[at]))
            faded[at] -= given_back
    return 0


def sum_light(
    const int32_t[::1] size, const int32_t[::1] chars, const unsigned char[::1] counted,
    const unsigned char[::1] link, const unsigned char[::1] barred, const Py_ssize_t[::1] owner,
    const Py_ssize_t[::1] rows, double[:, ::1] sums,
):
    """Sums over the subtrees of some rows; `owner` is -1 outside clutter.

    Four lines: all counted characters, those outside clutter, those of them in links, and barred
    rows outside clutter.
    """
    if sums.shape[0] != 4 or sums.shape[1] != rows.shape[0]:
        raise ValueError("four sums for each row")
    if rows.shape[0]:
        add_up_light(size, chars, counted, link, barred, owner, rows, &sums[0, 0])


cdef int add_up_light(
    const int32_t[::1] size, const int32_t[::1] chars, const unsigned char[::1] counted,
    const unsigned char[::1] link, const unsigned char[::1] barred, const Py_ssize_t[::1] owner,
    const Py_ssize_t[::1] rows, double* sums,
) except -1:
    """The same, the lines one behind the other."""
    cdef Py_ssize_t row, at, end, line, whole = size.shape[0], count = rows.shape[0]
    cdef Memory memory = Memory(1)
    cdef int64_t* before = <int64_t*> memory.take(4 * (whole + 1), sizeof(int64_t))
    cdef int64_t own
    if not (whole == chars.shape[0] == counted.shape[0] == link.shape[0] == barred.shape[0]
            == owner.shape[0]):
        raise ValueError("columns of one page")
    for row in range(whole):
        own, at = chars[row] if counted[row] else 0, 4 * row
        before[at + 4] = before[at] + own
        before[at + 5] = before[at + 1] + (own if owner[row] < 0 else 0)
        before[at + 6] = before[at + 2] + (own if owner[row] < 0 and link[row] else 0)
        before[at + 7] = before[at + 3] + (owner[row] < 0 and counted[row] and barred[row])
    for at in range(count):
        row = _check_place(rows[at], whole)
        end = _check_place(row + size[row], whole + 1)
        for line in range(4):
            sums[line * count + at] = before[4 * end + line] - before[4 * row + line]
    return 0
