"""Rows by words in their class names and ids: the twin of `pagelet.metadata.naming`.

Names beyond ASCII are left to Python, which knows all small letters.
"""

cdef enum:
    MOST_NAME_BYTES = 200  # bytes of a name that are read, as many as characters in ASCII
    SHORTEST_WORD = 3  # bytes
    NAME_PLACES = 4  # anywhere, first, last, at the beginning of a longer word


@cython.final
cdef class NameWords:
    """Words of names, and the patterns that have them, as bits."""

    cdef PhraseTable table
    cdef const uint64_t[:, ::1] patterns  # for each word, by where it stands
    cdef Py_ssize_t most_parts  # of a word, with hyphens between them
    cdef Py_ssize_t longest
    cdef list begun  # the numbers of the words that may go on
    cdef Phrases stems  # these words
    cdef unsigned char begins[4096]  # bits of the first three bytes of words, five bits of each
    cdef unsigned char looks[256]  # for each byte whether words end at it, or it is a capital

    def __cinit__(
        self, PhraseTable table not None, const uint64_t[:, ::1] patterns, Py_ssize_t most_parts
    ):
        """Words numbered from 1 on, the patterns of each, and the most parts of a word."""
        cdef Py_ssize_t at
        words = table.phrases
        if patterns.shape[0] != len(words) or patterns.shape[1] != NAME_PLACES:
            raise ValueError("patterns of each word for each place")
        if any([table.entries[at].row > len(words) for at in range(<Py_ssize_t> table.slots)]):
            raise ValueError("words are numbered from 1 on")
        self.table, self.patterns, self.most_parts = table, patterns, most_parts
        self.longest = max([len(word) for word in words], default=0)
        self.begun = [at for at in range(len(words)) if patterns[at, 3]]
        self.stems = Phrases(tuple([words[at] for at in self.begun]))
        for at in range(128):
            self.looks[at] = _parts_words(<unsigned char> at) or c"A" <= at <= c"Z"
        for word in words:
            if len(word) < SHORTEST_WORD:
                raise ValueError("words of three bytes or more")
            mark_place(
                self.begins, place_of_begin(<const unsigned char*> PyBytes_AsString(word)))

    cdef inline bint _may_begin(self, const unsigned char* text) noexcept nogil:
        """Whether a word may begin with the three bytes of a text, in any letters."""
        return has_place(self.begins, place_of_begin(text))

    def find_rows(
        self, WantedAttributes wanted not None, tuple attributes not None, Py_ssize_t count, read
    ):
        """For each pattern the rows that fit it by one of two attributes, in document order.

        `read` gives the bits of a name that is not in ASCII.
        """
        cdef Py_ssize_t first, second
        cdef Memory memory = Memory(2)
        cdef uint64_t* bits
        cdef uint64_t* more
        first, second = attributes
        bits = self._read_values(wanted, first, memory, read)
        more = self._read_values(wanted, second, memory, read)
        return _merge_rows(
            &wanted.rows[first], &wanted.number[first], bits,
            &wanted.rows[second], &wanted.number[second], more, [[] for _ in range(count)])

    cdef uint64_t* _read_values(
        self, WantedAttributes wanted, Py_ssize_t attribute, Memory memory, read
    ) except NULL:
        """The bits of every value of an attribute."""
        cdef ByteStrings values = wanted.settled(attribute)
        cdef Py_ssize_t at, size, count = values.count if values is not None else 0
        cdef uint64_t* bits = <uint64_t*> memory.take(count, sizeof(uint64_t))
        cdef const unsigned char* text
        for at in range(count):
            text = values.at(at, &size)
            if is_plain(text, size):
                bits[at] = self._find_words(text, min(size, MOST_NAME_BYTES))
            else:
                bits[at] = read(values.value(at))
        return bits

    cdef uint64_t _find_words(self, const unsigned char* text, Py_ssize_t size) except? 0:
        """The bits of a name in ASCII."""
        cdef unsigned char small[MOST_NAME_BYTES]
        cdef Py_ssize_t at
        cdef uint64_t bits = 0
        cdef bint made = False  # whether the name in small letters is there
        if size >= SHORTEST_WORD and self._may_begin(text):
            copy_small(text, size, small)
            made = True
            bits |= self._find_at(small, size, 0)
        for at in range(size - SHORTEST_WORD + 1):
            if not self.looks[text[at]]:
                continue
            if c"A" <= text[at] <= c"Z":
                if at and c"a" <= text[at - 1] <= c"z" and self._may_begin(text + at):
                    bits |= self._find_inner(text, size, at)
            elif at < size - SHORTEST_WORD and self._may_begin(text + at + 1):
                if not made:
                    copy_small(text, size, small)
                    made = True
                bits |= self._find_at(small, size, at + 1)
        return bits

    cdef uint64_t _find_at(self, const unsigned char* text, Py_ssize_t size, Py_ssize_t start):
        """The bits of the words that begin at a place."""
        cdef Py_ssize_t at, parts = 0, word
        cdef uint64_t bits = 0
        for at in range(start + 1, min(size, start + self.longest) + 1):
            if at < size and not _parts_words(text[at]):
                continue
            word = self.table.find(<const char*> text + start, at - start) - 1
            if word >= 0:
                bits |= self.patterns[word, 0]
                if start == 0 or _is_blank(text[start - 1]):
                    bits |= self.patterns[word, 1]
                if at == size or _is_blank(text[at]):
                    bits |= self.patterns[word, 2]
            parts += 1
            if parts == self.most_parts or (at < size and text[at] != c"-"):
                break
        if self.stems.begin(text + start, size - start):
            for word in self.begun:
                if _goes_on(text + start, size - start, self.table.phrases[word]):
                    bits |= self.patterns[word, 3]
        return bits

    cdef uint64_t _find_inner(self, const unsigned char* text, Py_ssize_t size, Py_ssize_t start):
        """The bits of the words with a capital that begin at a place."""
        cdef Py_ssize_t at, word
        cdef uint64_t bits = 0
        for at in range(start + 1, min(size, start + self.longest) + 1):
            if at == size or _parts_words(text[at]) or _is_digit(text[at]) or (
                    c"A" <= text[at] <= c"Z"):
                word = self.table.find(<const char*> text + start, at - start) - 1
                bits |= self.patterns[word, 0] if word >= 0 else 0
        return bits


cdef inline bint _parts_words(unsigned char code) noexcept nogil:
    """Whether words end at a byte of ASCII."""
    return code == c"-" or code == c"_" or _is_blank(code)


cdef bint _goes_on(const unsigned char* text, Py_ssize_t size, bytes begun) except -1:
    """Whether a text begins with a word of letters and digits that begins so."""
    cdef Py_ssize_t at
    if not _begins(text, size, PyBytes_AsString(begun), len(begun)):
        return False
    for at in range(len(begun), size):
        if _parts_words(text[at]):
            return True
        if not (_is_digit(text[at]) or c"a" <= text[at] <= c"z"):
            return False
    return True


cdef list _merge_rows(
    Numbers* rows, Numbers* number, const uint64_t* bits,
    Numbers* other_rows, Numbers* other_number, const uint64_t* other_bits, list found,
):
    """Add each row to the list of every pattern that it fits by one or the other attribute."""
    cdef Py_ssize_t one = 0, other = 0, pattern, count = len(found)
    cdef int32_t row
    cdef uint64_t fits
    while one < rows.used or other < other_rows.used:
        if other == other_rows.used or (
                one < rows.used and rows.values[one] <= other_rows.values[other]):
            row = rows.values[one]
        else:
            row = other_rows.values[other]
        fits = 0
        if one < rows.used and rows.values[one] == row:
            fits |= bits[number.values[one]]
            one += 1
        if other < other_rows.used and other_rows.values[other] == row:
            fits |= other_bits[other_number.values[other]]
            other += 1
        for pattern in range(count if fits else 0):
            if fits >> pattern & 1:
                (<list> found[pattern]).append(row)
    return found
