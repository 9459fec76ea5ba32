"""Words and beginnings that texts are searched for, all in one pass."""

cdef enum:
    MOST_WORDS = 64  # words that are searched for, a bit each


@cython.final
cdef class Phrases:
    """Words to search for, or beginnings of texts, in small letters."""

    cdef tuple words  # keeps the bytes alive
    cdef const unsigned char* word[256]
    cdef Py_ssize_t size[256]
    cdef Py_ssize_t count
    cdef unsigned char begins[4096]  # bits of the first three bytes of words, five bits of each
    cdef short heads[256]  # for each byte the first phrase that begins with it, from 1 on
    cdef short following[256]  # for each phrase the next one with the same first byte

    def __cinit__(self, tuple words):
        cdef Py_ssize_t at
        if len(words) > 256 or any([len(word) < 2 for word in words]):
            raise ValueError("at most 256 phrases of two bytes or more")
        self.words, self.count = words, len(words)
        for at in range(self.count):
            self.word[at] = <const unsigned char*> PyBytes_AsString(words[at])
            self.size[at] = len(words[at])
            self._mark_begin(self.word[at], self.size[at])
        for at in range(self.count - 1, -1, -1):
            self.following[at] = self.heads[self.word[at][0]]
            self.heads[self.word[at][0]] = <short> (at + 1)

    cdef void _mark_begin(self, const unsigned char* word, Py_ssize_t size) noexcept:
        """Mark the beginning of a word; behind one of two bytes any third one may stand."""
        cdef unsigned char begin[3]
        cdef int third
        memcpy(begin, word, 2)
        for third in range(32):
            begin[2] = word[2] if size > 2 else <unsigned char> third
            mark_place(self.begins, place_of_begin(begin))

    cdef bint begin(self, const unsigned char* text, Py_ssize_t size) noexcept nogil:
        """Whether a text begins with one of the phrases."""
        cdef Py_ssize_t at
        if size < 2 or (size > 2 and not has_place(self.begins, place_of_begin(text))):
            return False
        at = self.heads[text[0]] - 1
        while at >= 0:
            if self.size[at] <= size and memcmp(text, self.word[at], self.size[at]) == 0:
                return True
            at = self.following[at] - 1
        return False

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
        cdef unsigned char small[512]
        if size > 512:  # so long ones are rare
            return ~<uint64_t> 0
        copy_small(text, size, small)
        return self.find(small, size)

    cdef uint64_t find(self, const unsigned char* text, Py_ssize_t size) noexcept nogil:
        """The words that a text holds, as bits."""
        cdef Py_ssize_t at
        cdef uint64_t found = 0
        for at in range(size - 2):
            if has_place(self.begins, place_of_begin(text + at)):
                found |= self._find_at(text + at, size - at, found)
        return found | self._find_at(text + size - 2, 2, found) if size > 1 else 0

    cdef bint is_in(self, const unsigned char* text, Py_ssize_t size) noexcept nogil:
        """Whether a text holds one of the words, in any letters of ASCII."""
        cdef Py_ssize_t at
        cdef unsigned int place = 0
        for at in range(size):
            place = (place << 5 | (text[at] & 31)) & 0x7FFF
            if at > 1 and has_place(self.begins, place) and (
                    self._begins_in_small(text + at - 2, size - at + 2)):
                return True
        return size > 1 and self._begins_in_small(text + size - 2, 2)

    cdef bint _begins_in_small(self, const unsigned char* text, Py_ssize_t size) noexcept nogil:
        """Whether a text, in small letters of ASCII, begins with one of the words."""
        cdef Py_ssize_t at, word = self.heads[small_byte(text[0])] - 1
        while word >= 0:
            at = 1
            if self.size[word] <= size:
                while at < self.size[word] and small_byte(text[at]) == self.word[word][at]:
                    at += 1
            if at == self.size[word]:
                return True
            word = self.following[word] - 1
        return False

    cdef uint64_t _find_at(
        self, const unsigned char* text, Py_ssize_t size, uint64_t found
    ) noexcept nogil:
        """The words that a text begins with, as bits; those that are found already left out."""
        cdef Py_ssize_t word = self.heads[text[0]] - 1
        cdef uint64_t bits = 0
        while word >= 0:
            if self.size[word] <= size and not found >> (word & 63) & 1 and (
                    memcmp(text, self.word[word], self.size[word]) == 0):
                bits |= <uint64_t> 1 << (word & 63)
            word = self.following[word] - 1
        return bits


cdef inline unsigned int place_of_begin(const unsigned char* word) noexcept nogil:
    """A number of 15 bits that three bytes of letters and few others share."""
    return (word[0] & 31) << 10 | (word[1] & 31) << 5 | (word[2] & 31)


cdef inline void mark_place(unsigned char* places, unsigned int place) noexcept nogil:
    places[place >> 3] |= 1 << (place & 7)


cdef inline bint has_place(const unsigned char* places, unsigned int place) noexcept nogil:
    return places[place >> 3] >> (place & 7) & 1


cdef uint64_t hash_bytes(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    cdef uint64_t bits = HASH_START
    cdef Py_ssize_t at
    for at in range(size):
        bits = (bits ^ text[at]) * HASH_FACTOR
    return finish_hash(bits)
