"""Texts of rows as people read them, what stands around a heading, and meta elements.

The twins are in `pagelet.metadata.shown` and `pagelet.metadata.lookup`.
"""


cdef enum:
    MOST_META_BYTES = 64  # of a name of a meta element


@cython.final
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

    def read_around(
        self, Py_ssize_t heading, others not None, tuple most not None, Py_ssize_t long_chars,
        Py_ssize_t chars,
    ):
        """The texts that people see behind a row, then before it, the nearest first.

        Rows, beginnings of so many characters, and places from the row on, below 0 before it.
        `most` says how many texts behind it, how many long ones among them, how many before it.
        Texts of others have places, but are left out.
        """
        cdef const unsigned char[::1] left_out = others.view("u1")
        cdef Py_ssize_t row, behind, long_texts, ahead, place = 0
        cdef list rows = [], places = []
        if left_out.shape[0] != self.tag.shape[0]:
            raise ValueError("the columns of a page do not fit together")
        behind, long_texts, ahead = most
        for row in range(self._end(heading), self.tag.shape[0]):
            if place == behind or long_texts == 0:
                break
            if self.tag[row] == 0 and self.counted[row]:
                place += 1
                long_texts -= self.chars[row] >= long_chars
                if not left_out[row]:
                    rows.append(row)
                    places.append(place)
        place = 0
        for row in range(heading - 1, -1, -1):
            if place == -ahead:
                break
            if self.tag[row] == 0 and self.counted[row]:
                place -= 1
                if not left_out[row]:
                    rows.append(row)
                    places.append(place)
        return rows, self.read_texts(rows, chars), places

    def find_keyed(
        self, bytes key not None, Py_ssize_t least, Py_ssize_t most, Py_ssize_t texts
    ):
        """Rows of texts of so many characters whose letters and digits may be these, in order.

        Texts beyond ASCII may; the first one in ASCII that does is the last. Only so many texts of
        that length are looked at. UnicodeEncodeError for a lone surrogate.
        """
        cdef Py_ssize_t row, size
        cdef const unsigned char* text
        cdef const unsigned char* wanted = <const unsigned char*> PyBytes_AsString(key)
        cdef list found = []
        if not key:
            raise ValueError("a key of one byte or more")
        for row in range(self.tag.shape[0]):
            if self.tag[row] or not self.counted[row] or not least <= self.chars[row] <= most:
                continue
            if texts == 0:
                break
            texts -= 1
            text = self.texts.utf8(self.place[row], &size)
            if is_plain(text, size):
                if _has_key(text, size, wanted, len(key)):
                    found.append(row)
                    break
            elif _may_have_key(text, size, wanted[0]):
                found.append(row)
        return found

    def find_followed(
        self, marks not None, Py_ssize_t texts, Py_ssize_t least, Py_ssize_t long_chars
    ):
        """The first row with a marked tag behind which so many of some texts are long, or -1."""
        cdef const unsigned char[::1] marked = marks.view("u1")
        cdef Py_ssize_t row, after, until, rows = self.tag.shape[0], count = 0
        cdef Memory memory = Memory(2)
        cdef int32_t* before = <int32_t*> memory.take(rows + 1, sizeof(int32_t))
        cdef int32_t* long_before = <int32_t*> memory.take(rows + 1, sizeof(int32_t))
        for row in range(rows):
            before[row] = <int32_t> count
            if self.tag[row] == 0 and self.counted[row]:
                long_before[count + 1] = long_before[count] + (self.chars[row] >= long_chars)
                count += 1
        before[rows] = <int32_t> count
        for row in range(rows):
            if _has_marked(self.tag, row, row + 1, marked):
                after = before[self._end(row)]
                until = min(after + texts, count)
                if long_before[until] - long_before[after] >= least:
                    return row
        return -1

    def find_parts(self, list rows not None, Py_ssize_t wrappers):
        """The children of each row, or of the only element in it, so many elements deep."""
        cdef Py_ssize_t row
        return [self._parts(row, wrappers) for row in rows]

    cdef list _parts(self, Py_ssize_t row, Py_ssize_t wrappers):
        cdef Py_ssize_t child, end
        cdef list parts
        for _ in range(wrappers):
            parts, child, end = [], row + 1, self._end(row)
            while child < end:
                parts.append(child)
                child = self._end(child)
            if len(parts) != 1 or self.tag[row + 1] == 0:
                return parts
            row += 1
        return []

    def read_inner(
        self, Py_ssize_t row, Py_ssize_t most, Py_ssize_t most_each, Py_ssize_t chars
    ):
        """The beginnings of the short texts below a row; none where it has more characters."""
        cdef Py_ssize_t at, every = 0, end = self._end(row)
        for at in range(row, end):
            every += self.chars[at]
        if every > most:
            return []
        return self.read_texts(
            [at for at in range(row, end) if self.tag[at] == 0 and self.chars[at] <= most_each],
            chars)

    cdef Py_ssize_t _end(self, Py_ssize_t row) except -1:
        """The first row behind a subtree."""
        if not 0 <= row < self.tag.shape[0] or not 0 < self.size[row] <= self.tag.shape[0] - row:
            raise IndexError("a row that does not exist")
        return row + self.size[row]

    cdef str _text(self, Py_ssize_t row):
        if not 0 <= row < self.tag.shape[0]:
            raise IndexError("a row that does not exist")
        return self.texts.text(self.place[row]) if self.tag[row] == 0 else ""

    cdef str _short(self, Py_ssize_t row, Py_ssize_t most):
        cdef Py_ssize_t at, end = self._end(row), chars = 0
        cdef list pieces = []
        if end - row > most:
            return ""
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


cdef bint _has_key(
    const unsigned char* text, Py_ssize_t size, const unsigned char* key, Py_ssize_t length
) noexcept nogil:
    """Whether these are the letters and digits of a text in ASCII, in small letters."""
    cdef Py_ssize_t at, same = 0
    cdef unsigned char code
    for at in range(size):
        code = small_byte(text[at])
        if c"a" <= code <= c"z" or _is_digit(code):
            if same == length or code != key[same]:
                return False
            same += 1
    return same == length


cdef bint _may_have_key(
    const unsigned char* text, Py_ssize_t size, unsigned char first
) noexcept nogil:
    """Whether a text does not begin with another letter or digit of ASCII than a key."""
    cdef unsigned char code
    while size and _is_blank(text[0]):
        text, size = text + 1, size - 1
    code = small_byte(text[0]) if size else 0
    return code == first or not (_is_digit(code) or c"a" <= code <= c"z")


def find_tagged(const int32_t[::1] tag, marks not None, Py_ssize_t most):
    """The first rows that have a marked tag."""
    cdef const unsigned char[::1] marked = marks.view("u1")
    cdef Py_ssize_t row, last = marked.shape[0] - 1
    cdef list found = []
    if last < 0:
        raise ValueError("a mark for all other tags")
    for row in range(tag.shape[0]):
        if tag[row] < 0:
            raise ValueError("a row that is broken")
        if marked[min(<Py_ssize_t> tag[row], last)]:
            if len(found) == most:
                break
            found.append(row)
    return found


def find_within(
    const int32_t[::1] parent, const int32_t[::1] tag, list rows not None, Py_ssize_t levels,
    int32_t wanted,
):
    """Which of some rows have a tag among so many elements around them, by their places."""
    cdef Py_ssize_t at, row, level
    cdef list found = []
    if parent.shape[0] != tag.shape[0]:
        raise ValueError("the columns of a page do not fit together")
    for at in range(len(rows)):
        row = rows[at]
        if not 0 <= row < parent.shape[0]:
            raise IndexError("a row that does not exist")
        for level in range(levels):
            row = parent[row]
            if not 0 <= row < parent.shape[0]:
                break
            if tag[row] == wanted:
                found.append(at)
                break
    return found


def find_inside(const int32_t[::1] size, list marked not None, list rows not None):
    """Whether each of some rows is marked, or below a marked one."""
    cdef Py_ssize_t at, mark, row
    cdef list inside = [False] * len(rows)
    for mark in marked:
        if not 0 <= mark < size.shape[0]:
            raise IndexError("a row that does not exist")
        for at in range(len(rows)):
            row = rows[at]
            if mark <= row < mark + size[mark]:
                inside[at] = True
    return inside


def find_similar_items(
    tuple columns not None, Py_ssize_t row, Py_ssize_t body, tuple most not None, marks not None
):
    """Elements around a row that have a marked tag in them, each with a sibling of its tag.

    `most` says how many elements around it, how many rows in one, and how deep the end of the
    sibling before it may be. Only siblings next to an element are looked at.
    """
    cdef const int32_t[::1] tag, size, parent
    cdef const unsigned char[::1] marked = marks.view("u1")
    cdef Py_ssize_t levels, most_rows, depth, level, other, rows
    cdef list found = []
    tag, size, parent = columns
    levels, most_rows, depth = most
    rows = tag.shape[0]
    if not rows == size.shape[0] == parent.shape[0]:
        raise ValueError("the columns of a page do not fit together")
    if not 0 <= row < rows:
        raise IndexError("a row that does not exist")
    for level in range(levels):
        row = parent[row]
        if row <= body or not 0 <= row < rows or size[row] > most_rows:
            break
        if not 0 < size[row] <= rows - row:
            raise IndexError("a row that does not exist")
        if not _has_marked(tag, row, row + size[row], marked):
            continue
        other = row + size[row]
        if other < rows and parent[other] == parent[row] and tag[other] == tag[row]:
            found.append((row, other))
        other = _sibling_before(parent, row, depth)
        if other >= 0 and tag[other] == tag[row]:
            found.append((row, other))
    return found


cdef bint _has_marked(
    const int32_t[::1] tag, Py_ssize_t first, Py_ssize_t end, const unsigned char[::1] marked
) noexcept nogil:
    """Whether one of some rows has a marked tag."""
    cdef Py_ssize_t row
    for row in range(first, end):
        if 0 <= tag[row] < marked.shape[0] and marked[tag[row]]:
            return True
    return False


cdef Py_ssize_t _sibling_before(
    const int32_t[::1] parent, Py_ssize_t row, Py_ssize_t depth
) noexcept nogil:
    """The sibling before a row, if its last row is not deeper than that below it; else -1."""
    cdef Py_ssize_t above = parent[row], level
    row -= 1
    for level in range(depth):
        if row <= above or not 0 <= row < parent.shape[0]:
            return -1
        if parent[row] == above:
            return row
        row = parent[row]
    return -1


@cython.final
cdef class MetaNames:
    """Names of meta elements that are read, in small letters of ASCII."""

    cdef PhraseTable table
    cdef tuple names

    def __cinit__(self, PhraseTable table not None):
        """Names numbered from 1 on."""
        cdef Py_ssize_t at, count = len(table.phrases)
        if any([not name.isascii() or len(name) > MOST_META_BYTES for name in table.phrases]):
            raise ValueError("short names in ASCII")
        if any([not 0 <= table.entries[at].row <= count for at in range(<Py_ssize_t> table.slots)]):
            raise ValueError("names are numbered from 1 on")
        self.table, self.names = table, tuple([name.decode() for name in table.phrases])

    def read_contents(
        self, WantedAttributes wanted not None, const int32_t[::1] tag, int32_t meta,
        tuple attributes not None, unescape not None,
    ):
        """What the meta elements say, white space folded, by their names.

        The first attribute holds what they say, the others hold names. What has an ampersand is
        given to `unescape` first.
        """
        cdef Py_ssize_t row, attribute, content = attributes[0]
        cdef str text
        cdef dict found = {}
        for attribute in attributes:
            wanted.settled(attribute)
        for row in range(tag.shape[0]):
            if tag[row] != meta or wanted.number_at(content, row) < 0:
                continue
            text = None
            for attribute in attributes[1:]:
                name = self._name(wanted, attribute, row)
                if name is None:
                    continue
                if text is None:
                    text = wanted.value_at(content, row)
                    text = fold_text(unescape(text) if "&" in text else text)
                if text and name in found:
                    (<list> found[name]).append(text)
                elif text:
                    found[name] = [text]
        return found

    cdef object _name(self, WantedAttributes wanted, Py_ssize_t attribute, Py_ssize_t row):
        """The name that an attribute of a row holds; None for one that is not read."""
        cdef Py_ssize_t size, number = wanted.number_at(attribute, row)
        cdef ByteStrings values
        cdef const unsigned char* text
        cdef unsigned char small[MOST_META_BYTES]
        if number < 0:
            return None
        values = wanted.values[attribute]
        text = values.at(number, &size)
        if not is_plain(text, size):
            name = values.value(number).strip().lower()
            return name if name in self.names else None
        while size and _is_blank(text[0]):
            text, size = text + 1, size - 1
        while size and _is_blank(text[size - 1]):
            size -= 1
        if size > MOST_META_BYTES:
            return None
        copy_small(text, size, small)
        number = self.table.find(<const char*> small, size)
        return self.names[number - 1] if number else None
