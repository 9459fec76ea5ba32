"""What a listing of blocks shows: folded texts of parts, labels of links, names around blocks."""

cdef int fold_into(
    Buffer out, Py_ssize_t start, const unsigned char* text, Py_ssize_t size, bint* spaced
) except -1:
    """Add a text with white space folded; none stands at the start of what is written."""
    cdef const unsigned char* end = text + size
    cdef const unsigned char* before
    cdef unsigned int code
    out.reserve(size + 1)
    while text < end:
        before = text
        code = next_code(&text)
        if is_space(code):
            spaced[0] = True
            continue
        if spaced[0] and out.used > start:
            out.data[out.used] = 32
            out.used += 1
        spaced[0] = False
        out.data[out.used] = before[0]
        out.used += 1
        before += 1
        while before < text:
            out.data[out.used] = before[0]
            out.used += 1
            before += 1
    return 0


def fold_parts(
    texts not None, const Py_ssize_t[::1] places, const unsigned char[::1] gaps,
    const Py_ssize_t[::1] bounds,
):
    """The folded text of each part; a part ends where the next one begins, the last at the end.

    `gaps` stand between neighbouring texts; 0 leaves them joined. UnicodeEncodeError for a lone
    surrogate.
    """
    cdef PageTexts read = texts_of(texts)
    cdef Buffer out = Buffer()
    cdef Py_ssize_t part, at, end, size
    cdef const unsigned char* text
    cdef bint spaced
    cdef list folded = []
    if places.shape[0] and gaps.shape[0] + 1 != places.shape[0]:
        raise ValueError("one gap between two texts")
    for part in range(bounds.shape[0]):
        end = bounds[part + 1] if part + 1 < bounds.shape[0] else places.shape[0]
        if not 0 <= bounds[part] <= end <= places.shape[0]:
            raise IndexError("parts that are not in order")
        out.used, spaced = 0, False
        for at in range(bounds[part], end):
            spaced = spaced or (at > bounds[part] and gaps[at - 1] != JOINED_GAP)
            text = read.utf8(places[at], &size)
            fold_into(out, 0, text, size, &spaced)
        folded.append(decode_bytes(out.data, out.used) if out.used else "")
    return folded


def inner_texts(
    texts not None, const int32_t[::1] tag, const int32_t[::1] size, counted,
    const Py_ssize_t[::1] ordinal, list rows not None,
):
    """The counted text below each of some rows, folded, pieces joined by one space.

    Empty for a row that is not counted itself. UnicodeEncodeError for a lone surrogate.
    """
    cdef const unsigned char[::1] is_counted = counted.view("u1")
    cdef PageTexts read = texts_of(texts)
    cdef Buffer out = Buffer()
    cdef Py_ssize_t row, at, chars, length = tag.shape[0]
    cdef const unsigned char* text
    cdef bint spaced
    cdef list found = []
    if not size.shape[0] == is_counted.shape[0] == ordinal.shape[0] == length:
        raise ValueError("the columns of a page do not fit together")
    for row in rows:
        if not 0 <= row < length or not 0 < size[row] <= length - row:
            raise IndexError("a row that does not exist")
        out.used = 0
        for at in range(row, row + size[row] if is_counted[row] else row):
            if tag[at] == 0 and is_counted[at]:
                spaced = True
                text = read.utf8(ordinal[at], &chars)
                fold_into(out, 0, text, chars, &spaced)
        found.append(decode_bytes(out.data, out.used) if out.used else "")
    return found


def mark_above(const int32_t[::1] parent, const Py_ssize_t[::1] rows, unsigned char[::1] marked):
    """Mark some rows and all above them; each is a row behind its parent."""
    cdef Py_ssize_t at, row, length = parent.shape[0]
    if marked.shape[0] != length:
        raise ValueError("one mark for each row")
    for at in range(rows.shape[0]):
        row = rows[at]
        if not -1 <= row < length:
            raise IndexError("a row that does not exist")
        while row >= 0 and not marked[row]:
            marked[row] = 1
            if parent[row] >= row:
                raise ValueError("a row before its parent")
            row = parent[row]


def values_at(WantedAttributes wanted not None, tuple names not None, marked not None):
    """Marked rows that have some attributes, the number of each value, and the values.

    Rows come attribute by attribute; equal values of one attribute have one number.
    """
    cdef const unsigned char[::1] is_marked = marked.view("u1")
    cdef IntBuffer rows = IntBuffer(), numbers = IntBuffer()
    cdef ByteStrings values
    cdef Py_ssize_t at, row, name
    cdef Memory memory
    cdef int32_t* place  # of each value among those that are used, less one
    cdef list used = []
    wanted.check_rows(is_marked.shape[0])
    for name in names:
        values = wanted.settled(name)
        if values is None:
            continue
        memory = Memory(1)
        place = <int32_t*> memory.take(values.count, sizeof(int32_t))
        for at in range(wanted.rows[name].used):
            row = wanted.rows[name].values[at]
            if not is_marked[row]:
                continue
            if place[wanted.number[name].values[at]] == 0:
                used.append(values.value(wanted.number[name].values[at]))
                place[wanted.number[name].values[at]] = <int32_t> len(used)
            rows.push(<int32_t> row)
            numbers.push(place[wanted.number[name].values[at]] - 1)
    return rows, numbers, used
