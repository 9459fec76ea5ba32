"""Words that tell the type of a page, looked up in a model.

The twin is `type_words` in `pagelet.methods.content.model`. Letters beyond ASCII are left to it.
"""

cdef enum:
    ID_ATTRIBUTE = 1
    NAME_ATTRIBUTE = 12
    PROPERTY_ATTRIBUTE = 13
    CONTENT_ATTRIBUTE = 14
    MOST_TYPE_BYTES = 600  # of a value that are read
    MOST_WORD_LETTERS = 20
    PREFIX_BYTES = 5  # of `body:`, `made:` and `meta:`
    MAKER_WORDS = 3  # of the name of a program that made the page


cdef class TypeWords:
    """The words of a model of page types, by row."""

    cdef PhraseTable words  # one more than the row of each
    cdef const int32_t[::1] counted  # tags that are counted
    cdef const int32_t[:, ::1] count_rows  # for each the row of each logarithm, or -1
    cdef tuple steps  # for each measure its steps, in rising order
    cdef const int32_t[:, ::1] step_rows  # for each the row of each number of steps, or -1

    def __cinit__(
        self, PhraseTable words not None, const int32_t[::1] counted,
        const int32_t[:, ::1] count_rows, tuple steps not None, const int32_t[:, ::1] step_rows,
    ):
        if count_rows.shape[0] != counted.shape[0] or step_rows.shape[0] != len(steps) or (
                count_rows.shape[1] < 1):
            raise ValueError("one line of rows for each tag and for each measure")
        if any([len(each) >= step_rows.shape[1] for each in steps]):
            raise ValueError("one row for each number of steps")
        self.words, self.counted, self.count_rows = words, counted, count_rows
        self.steps, self.step_rows = steps, step_rows

    def find_rows(
        self, WantedAttributes wanted not None, const int32_t[::1] tag, tuple roots not None,
        list totals not None,
    ):
        """The rows of the words of a page, and values left to Python: what they are, and the value.

        `roots` are the elements whose classes are read, and `totals` are the measures.
        """
        cdef list rows = [], left = []
        cdef Py_ssize_t root
        for root in roots:
            self._read_words(wanted, CLASS, root, "body", -1, rows, left)
            self._read_words(wanted, ID_ATTRIBUTE, root, "body", -1, rows, left)
        self._read_properties(wanted, rows, left)
        self._read_makers(wanted, rows, left)
        self._count_tags(tag, rows)
        self._count_steps(totals, rows)
        return rows, left

    cdef int _look_up(self, const char* word, Py_ssize_t size, list rows) except -1:
        cdef int64_t row = self.words.find(word, size)
        if row:
            rows.append(row - 1)
        return 0

    cdef int _read_words(
        self, WantedAttributes wanted, Py_ssize_t name, Py_ssize_t row, str kind, Py_ssize_t most,
        list rows, list left,
    ) except -1:
        """Look up the words of an attribute of a row; so many at most, unless that is below 0."""
        cdef ByteStrings values = wanted.settled(name)
        cdef Py_ssize_t number = wanted.number_at(name, row), size, at, letters = 0
        cdef const unsigned char* text
        cdef unsigned char code
        cdef char word[PREFIX_BYTES + MOST_WORD_LETTERS]
        if number < 0:
            return 0
        text = values.at(number, &size)
        size = min(size, <Py_ssize_t> MOST_TYPE_BYTES)
        if not is_plain(text, size):
            left.append((kind, values.value(number)))
            return 0
        memcpy(word, b"body:" if kind == "body" else b"made:", PREFIX_BYTES)
        for at in range(size + 1):
            code = text[at] | 0x20 if at < size else 0
            if not c"a" <= code <= c"z":
                code = 0
            if letters == MOST_WORD_LETTERS or (letters and not code):
                if letters > 1 and most:
                    self._look_up(word, PREFIX_BYTES + letters, rows)
                    most -= 1
                letters = 0
            if code:
                word[PREFIX_BYTES + letters] = code
                letters += 1
        return 0

    cdef int _read_properties(self, WantedAttributes wanted, list rows, list left) except -1:
        """Look up the properties of articles and of products."""
        cdef ByteStrings values = wanted.settled(PROPERTY_ATTRIBUTE)
        cdef Py_ssize_t at, size
        cdef const unsigned char* text
        cdef char word[PREFIX_BYTES + MOST_TYPE_BYTES]
        memcpy(word, b"meta:", PREFIX_BYTES)
        for at in range(values.count if values is not None else 0):
            text = values.at(at, &size)
            if size < 8 or (memcmp(text, b"article:", 8) != 0 and memcmp(text, b"product:", 8) != 0):
                continue
            if size > MOST_TYPE_BYTES:
                left.append(("meta", values.value(at)))
                continue
            memcpy(word + PREFIX_BYTES, text, size)
            self._look_up(word, PREFIX_BYTES + size, rows)
        return 0

    cdef int _read_makers(self, WantedAttributes wanted, list rows, list left) except -1:
        """Look up the first words of the names of the programs that made the page."""
        cdef ByteStrings names = wanted.settled(NAME_ATTRIBUTE)
        cdef Py_ssize_t at, number, size
        cdef const unsigned char* text
        cdef Numbers* named = &wanted.rows[NAME_ATTRIBUTE]
        for number in range(names.count if names is not None else 0):
            text = names.at(number, &size)
            if size != 9 or not holds_stem(text, size, b"generator"):
                continue
            for at in range(named.used):
                if wanted.number[NAME_ATTRIBUTE].values[at] == number:
                    self._read_words(wanted, CONTENT_ATTRIBUTE, named.values[at], "made",
                                     MAKER_WORDS, rows, left)
        return 0

    cdef int _count_tags(self, const int32_t[::1] tag, list rows) except -1:
        """Look up the logarithms of the counts of tags."""
        cdef Py_ssize_t at, place, most = self.count_rows.shape[1] - 1
        for at, count in enumerate(count_tags(tag, self.counted)):
            place = min(<Py_ssize_t> (count + 1).bit_length() - 1, most)
            if self.count_rows[at, place] >= 0:
                rows.append(self.count_rows[at, place])
        return 0

    cdef int _count_steps(self, list totals, list rows) except -1:
        """Look up how many steps each measure exceeds."""
        cdef Py_ssize_t at, place
        cdef double total
        if len(totals) != len(self.steps):
            raise ValueError("one total for each measure")
        for at in range(len(totals)):
            place, total = 0, totals[at]
            for step in self.steps[at]:
                place += <double> step < total
            if self.step_rows[at, place] >= 0:
                rows.append(self.step_rows[at, place])
        return 0
