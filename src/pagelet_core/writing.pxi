"""Folded white space of plain text, the twin of `pagelet.write.text`."""

cdef enum:
    JOINED_GAP = 0
    SPACE_GAP = 1
    CELL_GAP = 4


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
                continue
            text = after_words(text, end)
            memcpy(out.data + out.used, before, text - before)
            out.used += text - before
    return PyUnicode_FromStringAndSize(<const char*> out.data, out.used) if out.used else ""
