"""Words and beginnings that texts are searched for, all in one pass."""

cdef enum:
    MOST_WORDS = 64  # words that are searched for, a bit each


cdef class Phrases:
    """Words to search for, or beginnings of texts, in small letters."""

    cdef tuple words  # keeps the bytes alive
    cdef const unsigned char* word[256]
    cdef Py_ssize_t size[256]
    cdef Py_ssize_t count
    cdef unsigned char pairs[8192]  # a bit for each pair of bytes that one begins with
    cdef short heads[256]  # for each byte the first phrase that begins with it, from 1 on
    cdef short following[256]  # for each phrase the next one with the same first byte

    def __cinit__(self, tuple words):
        cdef Py_ssize_t at
        cdef unsigned int pair
        if len(words) > 256 or any([len(word) < 2 for word in words]):
            raise ValueError("at most 256 phrases of two bytes or more")
        self.words, self.count = words, len(words)
        for at in range(self.count):
            self.word[at] = <const unsigned char*> PyBytes_AsString(words[at])
            self.size[at] = len(words[at])
            pair = self.word[at][0] << 8 | self.word[at][1]
            self.pairs[pair >> 3] |= 1 << (pair & 7)
        for at in range(self.count - 1, -1, -1):
            self.following[at] = self.heads[self.word[at][0]]
            self.heads[self.word[at][0]] = <short> (at + 1)

    cdef bint begin(self, const unsigned char* text, Py_ssize_t size) noexcept nogil:
        """Whether a text begins with one of the phrases."""
        cdef Py_ssize_t at
        if size < 2 or not self._may_begin(text):
            return False
        at = self.heads[text[0]] - 1
        while at >= 0:
            if self.size[at] <= size and memcmp(text, self.word[at], self.size[at]) == 0:
                return True
            at = self.following[at] - 1
        return False

    cdef inline bint _may_begin(self, const unsigned char* text) noexcept nogil:
        cdef unsigned int pair = text[0] << 8 | text[1]
        return self.pairs[pair >> 3] >> (pair & 7) & 1

    def find_in(self, tuple values):
        """The places of values that hold one of the words, which are in ASCII, in any letters.

        A value with a lone surrogate, which UTF-8 lacks, is taken to hold one.
        """
        cdef Py_ssize_t place
        places = []
        for place in range(len(values)):
            if self._look_into(values[place]) != 0:
                places.append(place)
        return places

    def find_each(self, tuple values, uint64_t[::1] bits):
        """The words that each value holds, as bits; all bits where `find_in` would guess."""
        cdef Py_ssize_t place
        if bits.shape[0] != len(values) or self.count > 64:
            raise ValueError("64 bits for each value")
        for place in range(len(values)):
            bits[place] = self._look_into(values[place])

    cdef uint64_t _look_into(self, str value):
        cdef Py_ssize_t size
        cdef const unsigned char* text
        try:
            text = <const unsigned char*> PyUnicode_AsUTF8AndSize(value, &size)
        except UnicodeEncodeError:
            return ~<uint64_t> 0
        return self.look_into(text, size)

    cdef uint64_t look_into(self, const unsigned char* text, Py_ssize_t size) noexcept nogil:
        """The words that a text in any letters holds, as bits; all bits if it is long."""
        cdef Py_ssize_t at
        cdef unsigned char small[512]
        if size > 512:  # so long ones are rare
            return ~<uint64_t> 0
        for at in range(size):
            small[at] = small_byte(text[at])
        return self.find(small, size)

    cdef uint64_t find(self, const unsigned char* text, Py_ssize_t size) noexcept nogil:
        """The words that a text holds, as bits."""
        cdef Py_ssize_t at, word
        cdef uint64_t found = 0
        for at in range(size - 1):
            if self._may_begin(text + at):
                word = self.heads[text[at]] - 1
                while word >= 0:
                    if self.size[word] <= size - at and not found >> (word & 63) & 1 and (
                            memcmp(text + at, self.word[word], self.size[word]) == 0):
                        found |= <uint64_t> 1 << (word & 63)
                    word = self.following[word] - 1
        return found


cdef uint64_t hash_bytes(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    cdef uint64_t bits = HASH_START
    cdef Py_ssize_t at
    for at in range(size):
        bits = (bits ^ text[at]) * HASH_FACTOR
    return finish_hash(bits)
