"""Texts of rows as people read them, what stands around a heading, and meta elements.

The twins are in `pagelet.metadata.shown` and `pagelet.metadata.lookup`.
"""


cdef class ShownTexts:
    """The texts of a page by row; white space is folded."""

    cdef Memory memory
    cdef PageTexts texts
    cdef const int32_t[::1] tag
    cdef const int32_t[::1] size
    cdef const int32_t[::1] chars
    cdef const unsigned char[::1] counted
    cdef int32_t* place  # how many texts are before each row

    def __cinit__(
        self, const int32_t[::1] tag, const int32_t[::1] size, const int32_t[::1] chars,
        counted not None, texts not None,
    ):
        cdef Py_ssize_t row, rows = tag.shape[0]
        cdef int32_t before = 0
        self.texts, self.memory = texts_of(texts), Memory(1)
        self.tag, self.size, self.chars, self.counted = tag, size, chars, counted.view("u1")
        if not rows == size.shape[0] == chars.shape[0] == self.counted.shape[0]:
            raise ValueError("the columns of a page do not fit together")
        self.place = <int32_t*> self.memory.take(rows, sizeof(int32_t))
        for row in range(rows):
            self.place[row] = before
            before += tag[row] == 0
        if before != self.texts.count:
            raise ValueError("one text for each row of text")

    def read_short(self, list rows not None, Py_ssize_t most):
        """The text of each row; empty where it has more rows or characters than that."""
        cdef Py_ssize_t row
        return [self._short(row, most) for row in rows]

    def read_texts(self, list rows not None, Py_ssize_t most):
        """The beginning of the text that each row is, so many characters before folding."""
        cdef Py_ssize_t row
        return [fold_text(self._text(row)[:most]) for row in rows]

    cdef str _text(self, Py_ssize_t row):
        if not 0 <= row < self.tag.shape[0]:
            raise IndexError("a row that does not exist")
        return self.texts.text(self.place[row]) if self.tag[row] == 0 else ""

    cdef str _short(self, Py_ssize_t row, Py_ssize_t most):
        cdef Py_ssize_t at, end, chars = 0
        cdef list pieces = []
        if not 0 <= row < self.tag.shape[0] or not 0 < self.size[row] <= self.tag.shape[0] - row:
            raise IndexError("a row that does not exist")
        if self.size[row] > most:
            return ""
        end = row + self.size[row]
        for at in range(row, end):
            chars += self.chars[at]
        if chars > most:
            return ""
        for at in range(row, end):
            if self.tag[at] == 0 and self.counted[at]:
                pieces.append(fold_text(self.texts.text(self.place[at])))
        return <str> pieces[0] if len(pieces) == 1 else " ".join(pieces)


def mark_others(
    tuple columns not None, list comments not None, list others not None, tuple tags not None,
    Py_ssize_t heading, within not None,
):
    """Mark rows of comments, of others and of two tags, with all below them.

    None of them holds the heading; others and tags do not hold half of the characters.
    """
    cdef const int32_t[::1] tag, size, chars
    cdef unsigned char[::1] marked = within.view("u1")
    cdef Py_ssize_t row, until = 0, rows = marked.shape[0]
    cdef int32_t first, second
    cdef Memory memory = Memory(1)
    cdef int64_t* sums
    tag, size, chars = columns
    first, second = tags
    if not rows == tag.shape[0] == size.shape[0] == chars.shape[0]:
        raise ValueError("the columns of a page do not fit together")
    sums = <int64_t*> memory.take(rows + 1, sizeof(int64_t))
    for row in range(rows):
        sums[row + 1] = sums[row] + chars[row]
        marked[row] = tag[row] == first or tag[row] == second
    for row in others:
        if not 0 <= row < rows:
            raise IndexError("a row that does not exist")
        marked[row] = 1
    for row in range(rows):
        if not 0 < size[row] <= rows - row:
            raise IndexError("a row that does not exist")
        if marked[row] and 2 * (sums[row + size[row]] - sums[row]) >= sums[rows]:
            marked[row] = 0
    for row in comments:
        if not 0 <= row < rows:
            raise IndexError("a row that does not exist")
        marked[row] = 1
    for row in range(rows):
        if marked[row] and not row <= heading < row + size[row]:
            until = max(until, row + size[row])
        marked[row] = row < until


def read_metas(
    WantedAttributes wanted not None, const int32_t[::1] tag, int32_t meta, Py_ssize_t content,
    tuple names not None,
):
    """What each meta element with a content says, and what it is called by some attributes."""
    cdef Py_ssize_t row, name
    cdef list found = [], called
    wanted.settled(content)
    for row in range(tag.shape[0]):
        if tag[row] != meta or wanted.number_at(content, row) < 0:
            continue
        called = []
        for name in names:
            wanted.settled(name)
            if wanted.number_at(name, row) >= 0:
                called.append(wanted.value_at(name, row))
        if called:
            found.append((wanted.value_at(content, row), called))
    return found
