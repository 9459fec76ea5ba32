"""Kinds of the words in class names, ids and labels, the twin of `methods.vocabulary.NameTable`."""

cdef enum:
    SHORT_WORD_BYTES = 16  # bytes of a word that may be remembered here
    MET_WORDS = 4096  # words that are remembered, each in the place that its letters tell


cdef struct MetWord:
    uint64_t letters[2]  # zeros behind the last one
    int64_t kinds


@cython.final
cdef class NameKinds:
    """A table of the kinds of words as bits, and the words that were last looked up in it."""

    cdef object table
    cdef Memory memory
    cdef MetWord* met

    def __cinit__(self, table not None):
        self.table, self.memory = table, Memory(1)
        self.met = <MetWord*> self.memory.take(MET_WORDS, sizeof(MetWord))

    def join(self, list values not None, int64_t[::1] kinds):
        """Fill in the kinds of the words of each value together.

        Returns the places of values beyond ASCII, which are left out.
        """
        cdef Py_ssize_t at, size
        cdef const char* text
        cdef str value
        cdef list others = []
        if len(values) != kinds.shape[0]:
            raise ValueError("kinds for each value")
        for at in range(len(values)):
            value = values[at]
            if value.isascii():
                text = PyUnicode_AsUTF8AndSize(value, &size)
                kinds[at] = self._of_name(<const unsigned char*> text, size)
            else:
                others.append(at)
        return others

    def mark(
        self, WantedAttributes wanted not None, tuple names not None,
        const unsigned char[::1] marked, int64_t[::1] kinds, read,
    ):
        """Add the kinds of the values of some attributes to those of the marked rows.

        `read` gives the kinds of a value beyond ASCII.
        """
        cdef ByteStrings values
        cdef Numbers* rows
        cdef Memory memory
        cdef int64_t* known  # kinds of each value that was read, and one more
        cdef Py_ssize_t at, row, number, name
        wanted.check_rows(marked.shape[0])
        if kinds.shape[0] != marked.shape[0]:
            raise ValueError("kinds for each row")
        for name in names:
            values = wanted.settled(name)
            if values is None:
                continue
            memory = Memory(1)
            rows = &wanted.rows[name]
            known = <int64_t*> memory.take(values.count, sizeof(int64_t))
            for at in range(rows.used):
                row, number = rows.values[at], wanted.number[name].values[at]
                if not marked[row]:
                    continue
                if known[number] == 0:
                    known[number] = 1 + self._of_value(values, number, read)
                kinds[row] |= known[number] - 1

    cdef int64_t _of_value(self, ByteStrings values, Py_ssize_t number, read) except? -1:
        cdef Py_ssize_t size
        cdef const unsigned char* text = values.at(number, &size)
        return self._of_name(text, size) if is_plain(text, size) else read(values.value(number))

    cdef int64_t _of_name(self, const unsigned char* text, Py_ssize_t size) except? -1:
        """The kinds of all words of a name in ASCII; a capital after a small letter begins one."""
        cdef unsigned char word[MAX_VALUE_BYTES]
        cdef Py_ssize_t at = 0, length
        cdef int64_t kinds = 0
        size = min(size, <Py_ssize_t> MAX_VALUE_BYTES)
        while at < size:
            length = 0
            while at < size and c"a" <= text[at] | 0x20 <= c"z" and not (
                    length and text[at] <= c"Z" and text[at - 1] >= c"a"):
                word[length] = text[at] | 0x20
                length += 1
                at += 1
            if length:
                kinds |= self._of_word(word, length)
            else:
                at += 1
        return kinds

    cdef int64_t _of_word(self, const unsigned char* word, Py_ssize_t size) except? -1:
        cdef uint64_t letters[2]
        cdef MetWord* met
        if size > SHORT_WORD_BYTES:
            return self.table[decode_bytes(word, size)]
        memset(letters, 0, sizeof(letters))
        memcpy(letters, word, size)
        met = &self.met[spread_bits(letters[0] ^ letters[1] * HASH_FACTOR) % MET_WORDS]
        if met.letters[0] != letters[0] or met.letters[1] != letters[1]:
            met.kinds = self.table[decode_bytes(word, size)]
            memcpy(met.letters, letters, sizeof(letters))
        return met.kinds
