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


@cython.final
cdef class TypeWords:
    """The words of a model of page types, by row, and the weights of each."""

    cdef PhraseTable words  # one more than the row of each
    cdef const int32_t[::1] counted  # tags that are counted
    cdef const int32_t[:, ::1] count_rows  # for each the row of each logarithm, or -1
    cdef tuple steps  # for each measure its steps, in rising order
    cdef const int32_t[:, ::1] step_rows  # for each the row of each number of steps, or -1
    cdef const double[:, ::1] weights  # a row per word, a column per type
    cdef const double[::1] bias

    def __cinit__(
        self, PhraseTable words not None, const int32_t[::1] counted,
        const int32_t[:, ::1] count_rows, tuple steps not None, const int32_t[:, ::1] step_rows,
        const double[:, ::1] weights, const double[::1] bias,
    ):
        if count_rows.shape[0] != counted.shape[0] or step_rows.shape[0] != len(steps) or (
                count_rows.shape[1] < 1):
            raise ValueError("one line of rows for each tag and for each measure")
        if any([len(each) >= step_rows.shape[1] for each in steps]):
            raise ValueError("one row for each number of steps")
        if len(words.phrases) != weights.shape[0] or weights.shape[1] != bias.shape[0]:
            raise ValueError("one row of weights for each word")
        self.words, self.counted, self.count_rows = words, counted, count_rows
        self.steps, self.step_rows, self.weights, self.bias = steps, step_rows, weights, bias

    def score(
        self, WantedAttributes wanted not None, const int32_t[::1] tag, Py_ssize_t body,
        list totals not None, list more not None, split, double[::1] score,
    ):
        """Fill the score of each type, less the highest one.

        Read are the classes of the first element and of body, what `meta` elements say, counts of
        tags, the measures (`totals`) and `more` words. `split` makes words of values that are not
        in ASCII or long, given what they are and the value.
        """
        cdef Memory scratch = Memory(1)
        cdef Py_ssize_t rows = self.weights.shape[0]
        cdef unsigned char* found = <unsigned char*> scratch.take(rows, 1)
        cdef list left = []
        if score.shape[0] != self.bias.shape[0]:
            raise ValueError("one score for each type")
        if tag.shape[0]:
            self._read_root(wanted, 0, found, left)
        if 0 < body < tag.shape[0]:
            self._read_root(wanted, body, found, left)
        self._read_properties(wanted, found, left)
        self._read_makers(wanted, found, left)
        self._count_tags(tag, found)
        self._count_steps(totals, found)
        for kind, value in left:
            self._look_up_all(split(kind, value), found)
        self._look_up_all(more, found)
        self._add_up(found, score)

    cdef void _add_up(self, const unsigned char* found, double[::1] score) noexcept:
        """Add the weights of the words that were found, one after the other."""
        cdef Py_ssize_t row, kind
        cdef double highest = 0
        for kind in range(score.shape[0]):
            score[kind] = 0
        for row in range(self.weights.shape[0]):
            if found[row]:
                for kind in range(score.shape[0]):
                    score[kind] += self.weights[row, kind]
        for kind in range(score.shape[0]):
            score[kind] += self.bias[kind]
            highest = score[kind] if kind == 0 else max(highest, score[kind])
        for kind in range(score.shape[0]):
            score[kind] -= highest

    cdef void _look_up(
        self, const char* word, Py_ssize_t size, unsigned char* found
    ) noexcept:
        cdef int64_t row = self.words.find(word, size)
        if row:
            found[row - 1] = 1

    cdef int _look_up_all(self, words, unsigned char* found) except -1:
        cdef bytes utf8
        for word in words:
            utf8 = word.encode("utf-8", "surrogatepass")
            self._look_up(PyBytes_AsString(utf8), len(utf8), found)
        return 0

    cdef int _read_root(
        self, WantedAttributes wanted, Py_ssize_t row, unsigned char* found, list left
    ) except -1:
        """Look up the words of the class and of the id of a row."""
        self._read_words(wanted, CLASS, row, "body", -1, found, left)
        return self._read_words(wanted, ID_ATTRIBUTE, row, "body", -1, found, left)

    cdef int _read_words(
        self, WantedAttributes wanted, Py_ssize_t name, Py_ssize_t row, str kind, Py_ssize_t most,
        unsigned char* found, list left,
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
                    self._look_up(word, PREFIX_BYTES + letters, found)
                    most -= 1
                letters = 0
            if code:
                word[PREFIX_BYTES + letters] = code
                letters += 1
        return 0

    cdef int _read_properties(
        self, WantedAttributes wanted, unsigned char* found, list left
    ) except -1:
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
            self._look_up(word, PREFIX_BYTES + size, found)
        return 0

    cdef int _read_makers(
        self, WantedAttributes wanted, unsigned char* found, list left
    ) except -1:
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
                                     MAKER_WORDS, found, left)
        return 0

    cdef int _count_tags(self, const int32_t[::1] tag, unsigned char* found) except -1:
        """Look up the logarithms of the counts of tags, which are numbered below 1,000."""
        cdef int32_t counts[1000]
        cdef Py_ssize_t at, place, count, most = self.count_rows.shape[1] - 1
        memset(counts, 0, sizeof(counts))
        for at in range(tag.shape[0]):
            if 0 <= tag[at] < 1000:
                counts[tag[at]] += 1
        for at in range(self.counted.shape[0]):
            if not 0 <= self.counted[at] < 1000:
                raise IndexError("a tag that does not exist")
            count, place = counts[self.counted[at]] + 1, -1
            while count:
                count >>= 1
                place += 1
            self._note(self.count_rows[at, min(place, most)], found)
        return 0

    cdef int _note(self, Py_ssize_t row, unsigned char* found) except -1:
        """Mark a row, unless it is below 0."""
        if row >= self.weights.shape[0]:
            raise IndexError("a row that does not exist")
        if row >= 0:
            found[row] = 1
        return 0

    cdef int _count_steps(self, list totals, unsigned char* found) except -1:
        """Look up how many steps each measure exceeds."""
        cdef Py_ssize_t at, place
        cdef double total
        if len(totals) != len(self.steps):
            raise ValueError("one total for each measure")
        for at in range(len(totals)):
            place, total = 0, totals[at]
            for step in self.steps[at]:
                place += <double> step < total
            self._note(self.step_rows[at, place], found)
        return 0


def divide_by_sum(double[::1] values):
    """Divide values by their sum, added up one after the other."""
    cdef Py_ssize_t at
    cdef double total = 0
    for at in range(values.shape[0]):
        total += values[at]
    for at in range(values.shape[0]):
        values[at] /= total
