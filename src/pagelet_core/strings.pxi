"""Different strings of bytes by number, and the texts of a page; most are never made a str."""

cdef extern from "Python.h":
    object PyUnicode_DecodeUTF8(const char* text, Py_ssize_t size, const char* errors)


cdef str decode_bytes(const unsigned char* text, Py_ssize_t size):
    """A text in UTF-8 as a str; lone surrogates are kept."""
    return PyUnicode_DecodeUTF8(<const char*> text, size, "surrogatepass")


cdef bint has_surrogate(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    """Whether a text has a lone surrogate, which UTF-8 lacks."""
    cdef Py_ssize_t at
    for at in range(size - 1):
        if text[at] == 0xED and text[at + 1] >= 0xA0:
            return True
    return False


@cython.final
cdef class ByteStrings:
    """Strings of bytes, numbered in the order in which they came, equal ones alike."""

    cdef Buffer data
    cdef Span* spans
    cdef Py_ssize_t count
    cdef Py_ssize_t room
    cdef int32_t* slots  # one more than the number of the string in each slot, or 0
    cdef size_t mask  # the number of slots, less one

    def __cinit__(self):
        self.data = Buffer()
        self._grow(64)

    def __dealloc__(self):
        free(self.spans)
        free(self.slots)

    cdef int _grow(self, size_t slots) except -1:
        """Make room for half as many strings as there are slots."""
        cdef void* spans = realloc(self.spans, slots // 2 * sizeof(Span))
        cdef void* table
        cdef Py_ssize_t at
        if spans == NULL:
            raise MemoryError
        self.spans, self.room = <Span*> spans, slots // 2
        table = calloc(slots, sizeof(int32_t))
        if table == NULL:
            raise MemoryError
        free(self.slots)
        self.slots, self.mask = <int32_t*> table, slots - 1
        for at in range(self.count):
            self.slots[self._slot(self.data.data + self.spans[at].first, self.spans[at].size)] = (
                <int32_t> at + 1)
        return 0

    cdef size_t _slot(self, const unsigned char* text, Py_ssize_t size) noexcept:
        """The slot of a string, or the empty one in which it belongs."""
        cdef size_t slot = hash_quickly(text, size) & self.mask
        cdef Span* known
        while self.slots[slot]:
            known = &self.spans[self.slots[slot] - 1]
            if known.size == size and memcmp(self.data.data + known.first, text, size) == 0:
                break
            slot = (slot + 1) & self.mask
        return slot

    cdef Py_ssize_t find(self, const unsigned char* text, Py_ssize_t size) noexcept:
        """The number of a string, or -1."""
        return self.slots[self._slot(text, size)] - 1

    cdef Py_ssize_t add(self, const unsigned char* text, Py_ssize_t size) except -1:
        """The number of a string, a new one if it has not come before."""
        cdef size_t slot = self._slot(text, size)
        if self.slots[slot]:
            return self.slots[slot] - 1
        if self.count == self.room:
            self._grow(2 * (self.mask + 1))
            slot = self._slot(text, size)
        self.data.reserve(size + 1)  # never without memory, not even for the empty string
        memcpy(self.data.data + self.data.used, text, size)
        self.spans[self.count].first, self.spans[self.count].size = self.data.used, size
        self.data.used += size
        self.count += 1
        self.slots[slot] = <int32_t> self.count
        return self.count - 1

    cdef Py_ssize_t add_str(self, str text) except -1:
        """The number of a str; one with a lone surrogate, which UTF-8 lacks, costs a copy."""
        cdef Py_ssize_t size
        cdef const char* utf8
        try:
            utf8 = PyUnicode_AsUTF8AndSize(text, &size)
        except UnicodeEncodeError:
            passed = text.encode("utf-8", "surrogatepass")
            return self.add(<const unsigned char*> PyBytes_AsString(passed), len(passed))
        return self.add(<const unsigned char*> utf8, size)

    cdef inline const unsigned char* at(self, Py_ssize_t number, Py_ssize_t* size) noexcept:
        """The bytes of a string, valid until another one is added."""
        size[0] = self.spans[number].size
        return self.data.data + self.spans[number].first

    cdef str value(self, Py_ssize_t number):
        """A string as a str."""
        return decode_bytes(
            self.data.data + self.spans[number].first, self.spans[number].size)


cdef int add_normalised(
    Buffer into, const unsigned char* at, const unsigned char* end
) except -1:
    """Add a text with line ends as the parser makes them."""
    into.reserve(end - at)
    while at < end:
        if at[0] != 13:
            into.data[into.used] = at[0]
            into.used += 1
        elif at + 1 == end or at[1] != 10:
            into.data[into.used] = 10
            into.used += 1
        at += 1
    return 0


@cython.final
cdef class PageTexts:
    """The texts of a page as a sequence: a tuple, or places in memory that are read on demand."""

    cdef tuple given  # texts that are str, or None
    cdef list made  # texts that were read so far, or None; the rest of them is None
    cdef bytes source  # that holds most texts
    cdef const unsigned char* data  # of the source
    cdef Buffer more  # texts that are nowhere as they are
    # Places in the source; those below 0 are in `more`, counted down from -1. In texts of a size
    # below 0, which hardly anybody reads, line ends are not normalised yet.
    cdef Span* spans
    cdef Py_ssize_t count
    cdef Py_ssize_t room

    def __cinit__(self, tuple given=None):
        """Texts that are str; without any, they are added one by one."""
        self.given, self.count = given, len(given) if given is not None else 0
        self.more = Buffer()

    def __dealloc__(self):
        free(self.spans)

    cdef int add(self, Py_ssize_t first, Py_ssize_t size) except -1:
        """Add a text by its place."""
        if self.count == self.room:
            self.spans = <Span*> grow_items(self.spans, &self.room, sizeof(Span))
        self.spans[self.count].first, self.spans[self.count].size = first, size
        self.count += 1
        return 0

    cdef const unsigned char* utf8(self, Py_ssize_t place, Py_ssize_t* size) except NULL:
        """A text in UTF-8; UnicodeEncodeError for a lone surrogate."""
        cdef Span* span
        if not 0 <= place < self.count:
            raise IndexError("a text that does not exist")
        if self.given is not None:
            return <const unsigned char*> PyUnicode_AsUTF8AndSize(
                <object> PyTuple_GetItem(self.given, place), size)
        span = &self.spans[place]
        if span.size < 0:
            self._restore(span)
        size[0] = span.size
        return self.data + span.first if span.first >= 0 else self.more.data - span.first - 1

    cdef int _restore(self, Span* span) except -1:
        """Copy a text with line ends as the parser makes them."""
        cdef const unsigned char* at = self.data + span.first
        cdef Py_ssize_t size = -span.size
        span.size = size
        if memchr(at, 13, size) != NULL:
            span.first = -self.more.used - 1
            add_normalised(self.more, at, at + size)
            span.size = self.more.used + span.first + 1
        return 0

    cdef str text(self, Py_ssize_t place):
        """A text as a str, made once."""
        cdef Py_ssize_t size
        cdef const unsigned char* text
        if self.given is not None:
            return self.given[place]
        text = self.utf8(place, &size)
        if self.made is None:
            self.made = [None] * self.count
        if self.made[place] is None:
            self.made[place] = decode_bytes(text, size)
        return self.made[place]

    def __len__(self):
        return self.count

    def __getitem__(self, place):
        cdef Py_ssize_t at
        if isinstance(place, slice):
            return tuple([self.text(each) for each in range(*place.indices(self.count))])
        at = place
        at += self.count if at < 0 else 0
        if not 0 <= at < self.count:
            raise IndexError("a text that does not exist")
        return self.text(at)

    def __iter__(self):
        return iter(self[:])

    def __eq__(self, other):
        return self[:] == other[:] if isinstance(other, (tuple, PageTexts)) else NotImplemented

    def __repr__(self):
        return repr(self[:])


cdef PageTexts texts_of(texts):
    """The texts of a page as kernels read them."""
    return texts if isinstance(texts, PageTexts) else PageTexts(texts)
