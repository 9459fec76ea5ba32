"""Plain text, the twin of `pagelet.write.text`: gaps between texts, and folded white space."""

cdef enum:
    JOINED_GAP = 0
    SPACE_GAP = 1
    CELL_GAP = 4


def find_gaps(
    const int32_t[::1] tag, const int32_t[::1] chars, const int32_t[::1] size,
    const int32_t[::1] blanks, const Py_ssize_t[::1] rows, const unsigned char[::1] effects,
    list styled, unsigned char[::1] gaps,
):
    """The strongest gap between each of the rows and the next.

    `effects` are the gaps that tags make, by number; the last one stands for all above. `styled`
    are pairs: a row, and a gap that its own style makes.
    """
    cdef Py_ssize_t at, row, length = tag.shape[0], last = effects.shape[0] - 1
    cdef Memory memory = Memory(2)
    cdef unsigned char* code = <unsigned char*> memory.take(length + 1, 1)
    cdef unsigned char* effect = <unsigned char*> memory.take(length + 1, 1)
    if not chars.shape[0] == size.shape[0] == length or gaps.shape[0] + 1 != rows.shape[0]:
        raise ValueError("the columns of a page do not fit together")
    for at in range(rows.shape[0]):
        if not (rows[at - 1] if at else -1) < rows[at] < length:
            raise IndexError("rows that are no rows, or not in order")
    for row in range(length):
        if tag[row] < 0 or not 0 < size[row] <= length - row:
            raise ValueError("a row that is broken")
        code[row] = effects[min(<Py_ssize_t> tag[row], last)]
    for each, strength in styled:
        if not 0 <= each < length:
            raise IndexError("a row that does not exist")
        code[<Py_ssize_t> each] = max(code[<Py_ssize_t> each], <unsigned char> strength)
    for row in range(length):
        effect[row] = SPACE_GAP if chars[row] > 0 else code[row]
    for at in range(rows.shape[0]):
        effect[rows[at]] = JOINED_GAP
    for at in range(blanks.shape[0]):
        if not 0 <= blanks[at] <= length:
            raise IndexError("a row that does not exist")
        effect[blanks[at]] = max(effect[blanks[at]], <unsigned char> SPACE_GAP)
    for row in range(length):
        if code[row]:
            effect[row + size[row]] = max(effect[row + size[row]], code[row])
    cdef unsigned char strongest
    for at in range(gaps.shape[0]):
        strongest = JOINED_GAP
        for row in range(rows[at] + 1, rows[at + 1] + 1):
            strongest = max(strongest, effect[row])
        gaps[at] = strongest


def fold_texts(list texts, const unsigned char[::1] gaps):
    """Join texts by the gaps between them, white space folded, one line per block.

    Characters that serve as placeholders in the twin are replaced, as there. UnicodeEncodeError
    for a lone surrogate.
    """
    if gaps.shape[0] + 1 != len(texts):
        raise ValueError("one gap between two texts")
    return fold_pieces(
        PageTexts(tuple(texts)), NULL, len(texts), &gaps[0] if gaps.shape[0] else NULL)


cdef str fold_pieces(
    PageTexts texts, const Py_ssize_t* places, Py_ssize_t count, const unsigned char* gaps
):
    """Join texts by their places; without those, the first so many."""
    cdef Py_ssize_t at, size
    cdef Buffer out = Buffer()
    cdef const unsigned char* text
    cdef const unsigned char* end
    cdef const unsigned char* before
    cdef unsigned char pending = 0  # what parts the next word from the one before
    cdef unsigned int code
    for at in range(count):
        if at and gaps[at - 1] != JOINED_GAP and pending in (0, 32):
            pending = 32 if gaps[at - 1] == SPACE_GAP else 9 if gaps[at - 1] == CELL_GAP else 10
        text = texts.utf8(at if places == NULL else places[at], &size)
        end = text + size
        out.reserve(3 * size + 1)
        while text < end:
            before = text
            code = next_code(&text)
            if is_space(code):
                if pending == 0:
                    pending = 32
                continue
            if pending:
                if out.used:
                    out.data[out.used] = pending
                    out.used += 1
                pending = 0
            if code < 3:
                memcpy(out.data + out.used, b"\xef\xbf\xbd", 3)
                out.used += 3
            elif code < 128:
                out.data[out.used] = code
                out.used += 1
            else:
                memcpy(out.data + out.used, before, text - before)
                out.used += text - before
    return PyUnicode_FromStringAndSize(<const char*> out.data, out.used) if out.used else ""
