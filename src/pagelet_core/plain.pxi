"""Kept texts as plain text, and gaps between rows, the twin of `pagelet.write.text`."""

from libc.string cimport strchr

cdef enum:
    # bits of tags, above those of their gaps
    GAP_BITS = 7
    PREFORMATTED_BIT = 8
    SCRIPT_BIT = 16
    WHOLE_BIT = 32
    BREAK_GAP = 2
    LINE_GAP = 3
    ROW_GAP = 5
    # how two texts that touch are seen
    TOGETHER = 0
    APART = 1
    UNSURE = 2


cdef inline bint is_word_letter(unsigned char code) noexcept nogil:
    """Whether a letter or a digit; those of ASCII alone."""
    return c"a" <= code | 0x20 <= c"z" or c"0" <= code <= c"9"


cdef inline bint ends_word(unsigned char code) noexcept nogil:
    """Whether a word of its own may begin after a character."""
    return is_word_letter(code) or (code and strchr(":.,;!?)]}%\"'", code) != NULL)


cdef inline bint begins_word(unsigned char code) noexcept nogil:
    """Whether a word of its own may begin with a character."""
    return is_word_letter(code) or (code and strchr("([{$#@\"", code) != NULL)


@cython.final
cdef class PlainWriter:
    """The columns of a page while some of its texts are written."""

    cdef const int32_t[::1] tag
    cdef const int32_t[::1] chars
    cdef const int32_t[::1] size
    cdef const int32_t[::1] parent
    cdef const int32_t[::1] blanks
    cdef const unsigned char[::1] bits_of
    cdef Py_ssize_t length
    cdef Memory memory
    cdef unsigned char* bits
    cdef unsigned char* whole  # whether pieces inside a row belong together
    cdef Py_ssize_t* rows  # that are kept
    cdef Py_ssize_t count
    cdef PageTexts texts
    cdef Py_ssize_t* places  # of their texts

    def __cinit__(self, tuple columns not None, const unsigned char[::1] bits_of):
        """Columns: tags, characters, sizes, parents, rows that follow blank texts."""
        cdef Py_ssize_t row
        self.tag, self.chars, self.size, self.parent, self.blanks = columns
        self.bits_of, self.length, self.memory = bits_of, self.tag.shape[0], Memory(4)
        if not (self.chars.shape[0] == self.size.shape[0] == self.parent.shape[0] == self.length
                and bits_of.shape[0]):
            raise ValueError("the columns of a page do not fit together")
        self.bits = <unsigned char*> self.memory.take(self.length + 1, 1)
        for row in range(self.length):
            if self.tag[row] < 0 or not 0 < self.size[row] <= self.length - row or not (
                    -1 <= self.parent[row] < row):
                raise ValueError("a row that is broken")
            self.bits[row] = bits_of[min(<Py_ssize_t> self.tag[row], bits_of.shape[0] - 1)]

    def write(self, const unsigned char[::1] kept, texts not None, list styled, apart,
              const unsigned char[::1] found):
        """The text of the kept rows; None where some are preformatted, or scripts.

        `styled` are pairs: a row, and a gap that its own style makes. `apart` is asked whether two
        rows in neighbouring elements are seen apart. Neither matters where the gaps are `found`
        already, by `find_gaps`. UnicodeEncodeError for a lone surrogate.
        """
        if kept.shape[0] != self.length:
            raise ValueError("one mark for each row")
        if not self._keep(kept, texts_of(texts)):
            return None
        if self.count == 0:
            return ""
        cdef Memory scratch = Memory(1)
        cdef unsigned char* gaps = <unsigned char*> scratch.take(self.count, 1)
        if found is None:
            self._find_gaps(styled, gaps)
            self._part_neighbours(apart, gaps)
        elif found.shape[0] + 1 != self.count:
            raise ValueError("one gap between two rows")
        elif self.count > 1:
            memcpy(gaps, &found[0], self.count - 1)
        self._break_rows(gaps)
        return fold_pieces(self.texts, self.places, self.count, gaps)

    def find_gaps(self, const Py_ssize_t[::1] rows, texts not None, list styled, apart,
                  unsigned char[::1] gaps):
        """The strongest gap between each of some rows and the next; `write` has the rest."""
        cdef Py_ssize_t at, row, text = 0, whole_end = 0
        if gaps.shape[0] + 1 != rows.shape[0]:
            raise ValueError("one gap between two rows")
        self._make_room(texts_of(texts))
        for row in range(self.length):
            if self.bits[row] & WHOLE_BIT:
                whole_end = max(whole_end, row + self.size[row])
            self.whole[row] = row < whole_end
            if self.count < rows.shape[0] and rows[self.count] == row:
                self.rows[self.count] = row
                self.places[self.count] = text if self.tag[row] == 0 else -1
                self.count += 1
            text += self.tag[row] == 0
        if self.count != rows.shape[0]:
            raise IndexError("rows that are no rows, or not in order")
        self._find_gaps(styled, &gaps[0] if gaps.shape[0] else NULL)
        self._part_neighbours(apart, &gaps[0] if gaps.shape[0] else NULL)

    cdef int _make_room(self, PageTexts texts) except -1:
        """Take memory for the rows, of which there are none so far."""
        self.rows = <Py_ssize_t*> self.memory.take(self.length, sizeof(Py_ssize_t))
        self.whole = <unsigned char*> self.memory.take(self.length, 1)
        self.places = <Py_ssize_t*> self.memory.take(self.length, sizeof(Py_ssize_t))
        self.count, self.texts = 0, texts
        return 0

    cdef bint _keep(self, const unsigned char[::1] kept, PageTexts texts) except -1:
        """Note the kept rows and their texts; false where some need more than folding."""
        cdef Py_ssize_t row, text = 0, whole_end = 0, special_end = 0
        self._make_room(texts)
        for row in range(self.length):
            if self.bits[row] & (PREFORMATTED_BIT | SCRIPT_BIT):
                special_end = max(special_end, row + self.size[row])
            if self.bits[row] & WHOLE_BIT:
                whole_end = max(whole_end, row + self.size[row])
            self.whole[row] = row < whole_end
            if self.tag[row] != 0:
                continue
            if kept[row]:
                if row < special_end:
                    return False
                self.rows[self.count], self.places[self.count] = row, text
                self.count += 1
            text += 1
        return True

    cdef int _find_gaps(self, list styled, unsigned char* gaps) except -1:
        """The strongest gap between each of the rows and the next."""
        cdef Py_ssize_t row, at
        cdef Memory scratch = Memory(1)
        cdef unsigned char* effect = <unsigned char*> scratch.take(self.length + 1, 1)
        cdef unsigned char code, strongest
        for row in range(self.length):
            self.bits[row] &= GAP_BITS
        for each, strength in styled:
            if not 0 <= each < self.length:
                raise IndexError("a row that does not exist")
            self.bits[<Py_ssize_t> each] = max(
                self.bits[<Py_ssize_t> each], <unsigned char> strength)
        for row in range(self.length):
            effect[row] = SPACE_GAP if self.chars[row] > 0 else self.bits[row]
        for at in range(self.count):
            effect[self.rows[at]] = JOINED_GAP
        for at in range(self.blanks.shape[0]):
            if not 0 <= self.blanks[at] <= self.length:
                raise IndexError("a row that does not exist")
            effect[self.blanks[at]] = max(effect[self.blanks[at]], <unsigned char> SPACE_GAP)
        for row in range(self.length):
            code = self.bits[row]
            if code and code > effect[row + self.size[row]]:
                effect[row + self.size[row]] = code
        for at in range(self.count - 1):
            strongest = JOINED_GAP
            for row in range(self.rows[at] + 1, self.rows[at + 1] + 1):
                strongest = max(strongest, effect[row])
            gaps[at] = strongest
        return 0

    cdef int _part_neighbours(self, apart, unsigned char* gaps) except -1:
        """Part texts that touch, in elements of their own, where they are seen apart."""
        cdef Py_ssize_t at, one, other, above, beyond
        cdef int seen
        for at in range(self.count - 1):
            if gaps[at] != JOINED_GAP:
                continue
            if self.places[at] < 0 or self.places[at + 1] < 0:
                continue  # no texts
            one, other = self.rows[at], self.rows[at + 1]
            above, beyond = self.parent[one], self.parent[other]
            if above < 0 or above == beyond or beyond <= one or (
                    above + self.size[above] > other):
                continue
            if self.whole[one] or self.whole[other]:
                continue
            seen = self._seen_apart(at)
            if seen == APART or (seen == UNSURE and apart(one, other)):
                gaps[at] = SPACE_GAP
        return 0

    cdef int _seen_apart(self, Py_ssize_t at) except -1:
        """Whether a text and the next one are seen apart, by their ends, where these are in ASCII.

        Unsure where these are not, or where the looks of their elements decide.
        """
        cdef Py_ssize_t size, length
        cdef const unsigned char* one = self.texts.utf8(self.places[at], &size)
        cdef const unsigned char* other
        cdef unsigned char last, first, before = 0, after = 0
        last = one[size - 1] if size else 128
        before = one[size - 2] if size > 1 else c" "
        other = self.texts.utf8(self.places[at + 1], &length)
        first, after = other[0] if length else 128, other[1] if length > 1 else c" "
        if last >= 128 or first >= 128 or before >= 128 or after >= 128:
            return UNSURE
        if not ends_word(last) or not begins_word(first):
            return TOGETHER
        if is_space(before) or (last == c"." and not c"A" <= first <= c"Z"):
            return TOGETHER
        if (c"a" <= last <= c"z" and c"a" <= first <= c"z") or is_space(after):
            return UNSURE
        return APART

    cdef void _break_rows(self, unsigned char* gaps) noexcept:
        """Give the cells of a table row lines of their own if one of them has several."""
        cdef Py_ssize_t first = 0, at, cell
        cdef bint broken = False, cells = False
        for at in range(self.count):
            if at < self.count - 1 and gaps[at] != ROW_GAP:
                broken = broken or gaps[at] == LINE_GAP or gaps[at] == BREAK_GAP
                cells = cells or gaps[at] == CELL_GAP
                continue
            if broken and cells:
                for cell in range(first, at):
                    if gaps[cell] == CELL_GAP:
                        gaps[cell] = LINE_GAP
            first, broken, cells = at + 1, False, False
