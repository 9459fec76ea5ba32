"""Words of class names and ids, and their weights: the twin of `pagelet.models.lexicon`.

Letters beyond ASCII are made small by Python itself, which knows them all.
"""

from libc.string cimport memcmp, memset

cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(object text, Py_ssize_t* size) except NULL
    const char* PyBytes_AsString(object data) except NULL

cdef enum:
    MAX_VALUE_BYTES = 400  # bytes of a value that are read, as many as characters in ASCII
    MOST_PHRASE_CHARS = 48  # of a text that is looked up among phrases
    MOST_SPACED_CHARS = 192  # of such a text with all its white space


cdef struct Entry:
    const char* word
    Py_ssize_t size
    Py_ssize_t row  # in the weights
    uint64_t bits  # its hash


cdef struct WordKey:
    uint64_t head  # the first eight bytes of a word; it has no zeros
    uint64_t tail  # the next eight
    int32_t size


cdef struct WordEntry:
    uint64_t head  # these three are those of its key
    uint64_t tail
    const char* word
    int32_t size
    int32_t row  # in the weights


cdef inline void extend_key(WordKey* key, unsigned char code) noexcept nogil:
    """Add a byte to a word."""
    if key.size < 8:
        key.head |= <uint64_t> code << (8 * key.size)
    elif key.size < 16:
        key.tail |= <uint64_t> code << (8 * (key.size - 8))
    key.size += 1


cdef inline uint64_t hash_word(const WordKey* key) noexcept nogil:
    cdef uint64_t bits = (key.head ^ key.tail * HASH_FACTOR ^ <uint64_t> key.size << 56)
    bits *= 0x9E3779B97F4A7C15ULL
    return bits ^ (bits >> 32)


cdef inline unsigned char mark_of(uint64_t bits) noexcept nogil:
    """A byte of a hash, which is not 0."""
    return <unsigned char> (bits >> 24) | 1


@cython.final
cdef class LexiconWords:
    """Weights of the words of some attributes, found by hashing."""

    cdef Memory memory
    cdef tuple words  # keeps the bytes alive
    cdef WordEntry* entries
    cdef unsigned char* marks  # a byte for each slot, 0 for a free one: these stay in the cache
    cdef size_t slots
    cdef const double[:, ::1] weights

    def __cinit__(self, tuple words, const Py_ssize_t[::1] rows, const double[:, ::1] weights):
        """Words in lower case as bytes, and the row of each in the weights."""
        cdef size_t slot
        cdef Py_ssize_t at
        cdef WordKey key
        self.words, self.weights, self.memory, self.slots = words, weights, Memory(2), 16
        if len(words) != rows.shape[0]:
            raise ValueError("a word has one row of weights")
        while self.slots < 3 * <size_t> len(words):
            self.slots *= 2
        self.entries = <WordEntry*> self.memory.take(self.slots, sizeof(WordEntry))
        self.marks = <unsigned char*> self.memory.take(self.slots, 1)
        for at, word in enumerate(words):
            if not 0 <= rows[at] < weights.shape[0]:
                raise ValueError("a word has no weights")
            make_key(&key, <const unsigned char*> PyBytes_AsString(word), len(word))
            slot = self._find(PyBytes_AsString(word), &key)
            self.entries[slot] = WordEntry(
                key.head, key.tail, PyBytes_AsString(word), key.size, <int32_t> rows[at])
            self.marks[slot] = mark_of(hash_word(&key))

    cdef inline size_t _find(self, const char* word, const WordKey* key) noexcept:
        """The slot of a word, or the free one where it would be."""
        cdef uint64_t bits = hash_word(key)
        cdef size_t slot = bits & (self.slots - 1)
        cdef unsigned char mark = mark_of(bits)
        while self.marks[slot] and not (
                self.marks[slot] == mark and self._holds(&self.entries[slot], word, key)):
            slot = (slot + 1) & (self.slots - 1)
        return slot

    cdef inline bint _holds(
        self, const WordEntry* entry, const char* word, const WordKey* key
    ) noexcept:
        """Whether an entry is that of a word; what keys do not hold is compared too."""
        return (entry.head == key.head and entry.tail == key.tail
                and entry.size == key.size and (
                    key.size <= 16 or memcmp(entry.word + 16, word + 16, key.size - 16) == 0))

    def weigh(self, tuple values, double[:, ::1] sums):
        """Add the weights of the words of each value to its row of sums.

        Returns the places of values with lone surrogates, whose sums are left alone.
        """
        if sums.shape[0] != len(values) or sums.shape[1] != self.weights.shape[1]:
            raise ValueError("sums of another shape than values and weights")
        return self.add_weights(values, &sums[0, 0]) if len(values) and sums.shape[1] else []

    cdef list add_weights(self, object values, double* sums):
        """The same for values that can be iterated over, sums of one value side by side."""
        cdef Py_ssize_t at = 0, size
        cdef const char* text
        cdef list others = []
        for value in values:
            try:
                text = PyUnicode_AsUTF8AndSize(value, &size)
            except UnicodeEncodeError:  # a lone surrogate
                text = NULL
            if text == NULL:
                others.append(at)
            elif not self._weigh(text, size, sums + at * self.weights.shape[1]):
                self._weigh_wide(<const unsigned char*> text, size,
                                 sums + at * self.weights.shape[1])
            at += 1
        return others

    cdef list weigh_strings(self, ByteStrings values, double* sums):
        """The same for strings of bytes."""
        cdef Py_ssize_t at, size
        cdef const unsigned char* text
        cdef list others = []
        for at in range(values.count):
            text = values.at(at, &size)
            if self._weigh(<const char*> text, size, sums + at * self.weights.shape[1]):
                continue
            if has_surrogate(text, size):
                others.append(at)
            else:
                self._weigh_wide(text, size, sums + at * self.weights.shape[1])
        return others

    cdef bint _weigh(self, const char* text, Py_ssize_t size, double* sums) noexcept:
        """Split a value into words, capitals after small letters too; false beyond ASCII."""
        cdef char word[MAX_VALUE_BYTES]
        cdef Py_ssize_t at, read = min(size, <Py_ssize_t> MAX_VALUE_BYTES)
        cdef unsigned char code, before = 0, beyond = 0
        cdef WordKey key
        memset(&key, 0, sizeof(WordKey))
        for at in range(read):
            beyond |= text[at]
        if beyond & 0x80:
            return False
        for at in range(read):
            code = text[at]
            if not c"a" <= code | 0x20 <= c"z" or (
                    code <= c"Z" and c"a" <= before <= c"z"):
                if key.size:
                    self._add(word, &key, sums)
                    memset(&key, 0, sizeof(WordKey))
            if c"a" <= code | 0x20 <= c"z":
                word[key.size] = code | 0x20
                extend_key(&key, code | 0x20)
            before = code
        if key.size:
            self._add(word, &key, sums)
        return True

    cdef int _weigh_wide(self, const unsigned char* text, Py_ssize_t size, double* sums) except -1:
        """The same for a value with letters beyond ASCII, which are words of their own."""
        cdef const unsigned char* at = text
        cdef const unsigned char* first
        cdef const unsigned char* end = text + size
        cdef Py_ssize_t chars = 0
        while at < end and chars < MAX_VALUE_BYTES:
            next_code(&at)
            chars += 1
        end, at = at, text
        while at < end:
            first = at
            while at < end and at[0] < 128:
                at += 1
            self._weigh(<const char*> first, at - first, sums)
            first = at
            while at < end and at[0] >= 128:
                at += 1
            if at > first:
                self._weigh_letters(PyUnicode_FromStringAndSize(<const char*> first, at - first),
                                    sums)
        return 0

    cdef int _weigh_letters(self, str letters, double* sums) except -1:
        cdef Py_ssize_t size
        cdef const char* text
        cdef WordKey key
        for word in letters.lower().split():
            text = PyUnicode_AsUTF8AndSize(word, &size)
            make_key(&key, <const unsigned char*> text, size)
            self._add(text, &key, sums)
        return 0

    cdef void _add(self, const char* word, const WordKey* key, double* sums) noexcept:
        cdef Py_ssize_t kind
        cdef size_t slot = self._find(word, key)
        if self.marks[slot]:
            for kind in range(self.weights.shape[1]):
                sums[kind] += self.weights[self.entries[slot].row, kind]


cdef void make_key(WordKey* key, const unsigned char* word, Py_ssize_t size) noexcept:
    """The key of a word."""
    cdef Py_ssize_t at
    memset(key, 0, sizeof(WordKey))
    for at in range(size):
        extend_key(key, word[at])


def add_to_rows(
    const double[:, ::1] sums, const Py_ssize_t[::1] rows, const Py_ssize_t[::1] number,
    double[:, ::1] total,
):
    """Add the sums of values to the rows that have them; total has a line per kind."""
    cdef Py_ssize_t at, kind
    if rows.shape[0] != number.shape[0] or total.shape[0] != sums.shape[1]:
        raise ValueError("rows, values and sums do not fit together")
    for at in range(rows.shape[0]):
        if not (0 <= rows[at] < total.shape[1] and 0 <= number[at] < sums.shape[0]):
            raise IndexError("a row or a value that does not exist")
        for kind in range(sums.shape[1]):
            total[kind, rows[at]] += sums[number[at], kind]


@cython.final
cdef class PhraseTable:
    """Numbers of phrases, found by hashing; no phrase has the number 0."""

    cdef Memory memory
    cdef tuple phrases  # keeps the bytes alive
    cdef Entry* entries
    cdef size_t slots

    def __cinit__(self, tuple phrases not None, const int64_t[::1] numbers):
        cdef size_t slot
        cdef Py_ssize_t at
        cdef uint64_t bits
        self.phrases, self.memory, self.slots = phrases, Memory(1), 16
        if len(phrases) != numbers.shape[0]:
            raise ValueError("one number for each phrase")
        while self.slots < 3 * <size_t> len(phrases):
            self.slots *= 2
        self.entries = <Entry*> self.memory.take(self.slots, sizeof(Entry))
        for at, phrase in enumerate(phrases):
            bits = hash_bytes(<const unsigned char*> PyBytes_AsString(phrase), len(phrase))
            slot = self._find(PyBytes_AsString(phrase), len(phrase), bits)
            self.entries[slot] = Entry(
                PyBytes_AsString(phrase), len(phrase), <Py_ssize_t> numbers[at], bits)

    cdef size_t _find(self, const char* phrase, Py_ssize_t size, uint64_t bits) noexcept:
        cdef size_t slot = bits & (self.slots - 1)
        while self.entries[slot].word != NULL and not (
                self.entries[slot].bits == bits and self.entries[slot].size == size
                and memcmp(self.entries[slot].word, phrase, size) == 0):
            slot = (slot + 1) & (self.slots - 1)
        return slot

    cdef int64_t find(self, const char* phrase, Py_ssize_t size) noexcept:
        """The number of a phrase; 0 for others."""
        return self.entries[
            self._find(phrase, size, hash_bytes(<const unsigned char*> phrase, size))].row


cdef inline bint is_mark(unsigned char code) noexcept nogil:
    """Whether a character does not change what a text means; those of ASCII alone."""
    return (code == c" " or code == c":" or code == c"." or code == c"," or code == c";"
            or code == c"!" or code == c"?" or code == c"*" or code == c"|" or code == c"("
            or code == c")" or code == c"[" or code == c"]" or code == c"{" or code == c"}"
            or code == c'"' or code == c"'" or code == c"&" or code == c"+" or code == c"-")


cdef int64_t find_spaced_phrase(
    PhraseTable phrases, const unsigned char* text, Py_ssize_t size
) noexcept:
    """The number of a text in ASCII, its white space folded; 0 for a long one."""
    cdef char folded[MOST_PHRASE_CHARS + 1]
    cdef Py_ssize_t at, length = 0
    cdef bint apart = False
    if size > MOST_SPACED_CHARS:
        return 0
    for at in range(size):
        if is_space(text[at]):
            apart = length > 0
            continue
        if length + apart >= MOST_PHRASE_CHARS:
            return 0
        if apart:
            folded[length] = 32
            length += 1
        folded[length] = text[at]
        length += 1
        apart = False
    return find_phrase(phrases, folded, length)


cdef int64_t find_phrase(PhraseTable phrases, const char* text, Py_ssize_t size) noexcept:
    """The number of a text, or else of its first two words, or of the first one."""
    cdef const char* first = text
    cdef const char* last = text + size
    cdef const char* one
    cdef const char* two
    cdef int64_t found
    while first < last and is_mark(first[0]):
        first += 1
    while first < last and is_mark((last - 1)[0]):
        last -= 1
    found = phrases.find(first, last - first)
    if found == 0:
        found = phrases.find(text, size)
    if found:
        return found
    one = first
    while one < last and one[0] != 32:
        one += 1
    if one == last:
        return 0
    two = one + 1
    while two < last and two[0] != 32:
        two += 1
    found = phrases.find(first, two - first)
    if found:
        return found
    while first < one and is_mark(first[0]):
        first += 1
    while first < one and is_mark((one - 1)[0]):
        one -= 1
    return phrases.find(first, one - first)
