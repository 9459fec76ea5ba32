"""Addresses of hyperlinks, the twin of `pagelet.methods.links.targets`."""

cdef enum:
    SLUG_MARKS = 3  # hyphens in the last part of a path that is made of a title
    DEEP_SLASHES = 2  # slashes in a long path
    SCHEME_CHARS = 8  # characters in which the scheme of an address ends


cdef struct Part:
    const char* text
    Py_ssize_t size


def read_addresses(
    list addresses not None, bytes here not None, tuple flags not None, read,
    Py_ssize_t[::1] numbers, int64_t[::1] own, int64_t[::1] seen,
):
    """Fill in the number of the host of each address, what it is, and what it is seen from here.

    `here` is the path of the page, `flags` are the bits of what an address can be. `read` tells the
    same of an address that is not in ASCII. Returns the hosts by number.
    """
    cdef dict hosts = {}
    cdef Py_ssize_t at, size
    cdef Part page, path
    cdef const char* data
    cdef str address
    cdef AddressBits bits = AddressBits(flags)
    page.text, page.size = PyBytes_AsString(here), len(here)
    if not len(addresses) == numbers.shape[0] == own.shape[0] == seen.shape[0]:
        raise ValueError("three numbers for each address")
    for at in range(len(addresses)):
        address = addresses[at]
        if not address.isascii():
            host, own[at], seen[at] = read(address)
        else:
            data = PyUnicode_AsUTF8AndSize(address, &size)
            host = _read_host(data, size)
            if host == "#":
                own[at], seen[at] = bits.of_no_page(data, size), 0
            else:
                path = _find_path(data, size)
                own[at] = bits.of_path(path, memchr(data, c"?", size) != NULL)
                seen[at] = bits.seen_from(
                    page, path, memchr(data, c"?", size) != NULL, memchr(data, c"#", size) != NULL)
        numbers[at] = hosts.setdefault(host, len(hosts))
    return list(hosts)


cdef inline Py_ssize_t _find(const char* text, Py_ssize_t size, char code) noexcept nogil:
    """The first place of a character; the size where there is none."""
    cdef const char* found = <const char*> memchr(text, code, size) if size else NULL
    return found - text if found != NULL else size


cdef Py_ssize_t _after_slashes(const char* text, Py_ssize_t size) noexcept nogil:
    """The place behind the first two slashes in a row; -1 where there are none."""
    cdef Py_ssize_t at
    for at in range(size - 1):
        if text[at] == c"/" and text[at + 1] == c"/":
            return at + 2
    return -1


cdef inline bint _starts(
    const char* text, Py_ssize_t size, const char* word, Py_ssize_t length
) noexcept nogil:
    return size >= length and memcmp(text, word, length) == 0


cdef str _read_host(const char* text, Py_ssize_t size):
    """The host in small letters, without www; empty for a relative address, # for no page."""
    cdef Py_ssize_t first
    if (
        _starts(text, size, b"http:", 5) or _starts(text, size, b"https:", 6)
        or _starts(text, size, b"//", 2) or _starts(text, size, b"HTTP", 4)
    ):
        first = _after_slashes(text, size)
        if first < 0:
            return ""
        text, size = text + first, size - first
        size = _find(text, size, c"/")
        size = _find(text, size, c"?")
        return PyUnicode_FromStringAndSize(text, size).lower().removeprefix("www.")
    if size == 0 or text[0] == c"#":
        return "#"
    size = _find(text, size, c"/")
    size = _find(text, size, c"?")
    return "#" if _find(text, size, c":") < size else ""


cdef Part _find_path(const char* text, Py_ssize_t size) noexcept nogil:
    """The path without its first and last slashes."""
    cdef Part path
    cdef Py_ssize_t first = _after_slashes(text, min(size, <Py_ssize_t> SCHEME_CHARS))
    if first >= 0:
        first = min(first + _find(text + first, size - first, c"/") + 1, size)
        text, size = text + first, size - first
    size = _find(text, size, c"#")
    size = _find(text, size, c"?")
    while size and text[0] == c"/":
        text += 1
        size -= 1
    while size and text[size - 1] == c"/":
        size -= 1
    path.text, path.size = text, size
    return path


@cython.final
cdef class AddressBits:
    """The bits of what an address can be."""

    cdef int64_t action, fragment, contact, home, above, section, query, slug, deep

    def __init__(self, tuple flags):
        (self.action, self.fragment, self.contact, self.home, self.above, self.section,
         self.query, self.slug, self.deep) = flags

    cdef int64_t of_no_page(self, const char* text, Py_ssize_t size):
        """What an address is that leads to no page."""
        if size and text[0] == c"#":
            top = size == 4 and memcmp(text, b"#top", 4) == 0
            return self.fragment if size > 1 and not top else self.action
        start = text[:min(size, <Py_ssize_t> 7)].lower()
        return self.contact if start.startswith((b"mailto:", b"tel:", b"sms:")) else self.action

    cdef int64_t of_path(self, Part path, bint query):
        """What an address is by its path, and whether it has a query."""
        cdef Py_ssize_t at, slashes = 0, marks = 0
        for at in range(path.size):
            if path.text[at] == c"/":
                slashes += 1
                marks = 0
            marks += path.text[at] == c"-" or path.text[at] == c"_"
        return (
            (self.query if query else 0) | (self.slug if marks >= SLUG_MARKS else 0)
            | (self.deep if slashes >= DEEP_SLASHES else 0)
        )

    cdef int64_t seen_from(self, Part page, Part path, bint query, bint fragment):
        """Whether an address of this site is its front page, above the page, or beside it."""
        cdef Py_ssize_t first
        if path.size == 0:
            return 0 if query else self.home
        if page.size == 0:
            return 0
        if _starts(page.text, page.size, path.text, path.size):
            if page.size == path.size:
                return self.fragment if fragment else self.above
            if page.text[path.size] == c"/":
                return self.above
        first = _find(page.text, page.size, c"/")
        if first + 1 >= page.size or _find(path.text, path.size, c"/") != first:
            return 0
        return self.section if memcmp(page.text, path.text, first) == 0 else 0


# -- words of addresses ------------------------------------------------------------------------

cdef enum:
    MAX_ADDRESS_BYTES = 160  # bytes of an address that are read
    MAX_NUMBER_DIGITS = 5  # digits of a number that stands alone


cdef struct AddressWord:
    const char* word
    Py_ssize_t size
    int64_t kinds
    uint64_t bits  # its hash


@cython.final
cdef class AddressWords:
    """What the words of addresses speak for, the twin of `address_bits` in `vocabulary.py`."""

    cdef Memory memory
    cdef tuple words  # keeps the bytes alive
    cdef AddressWord* entries
    cdef size_t slots
    cdef int64_t numbered, dated

    def __cinit__(
        self, tuple words not None, const int64_t[::1] kinds, int64_t numbered, int64_t dated
    ):
        """Words in small letters as bytes, the kinds of each, and those of numbers and dates."""
        cdef Py_ssize_t at
        cdef uint64_t bits
        self.words, self.memory, self.slots = words, Memory(1), 16
        self.numbered, self.dated = numbered, dated
        if len(words) != kinds.shape[0]:
            raise ValueError("kinds for each word")
        while self.slots < 4 * <size_t> len(words):
            self.slots *= 2
        self.entries = <AddressWord*> self.memory.take(self.slots, sizeof(AddressWord))
        for at, word in enumerate(words):
            bits = hash_bytes(<const unsigned char*> PyBytes_AsString(word), len(word))
            self.entries[self._find(PyBytes_AsString(word), len(word), bits)] = AddressWord(
                PyBytes_AsString(word), len(word), kinds[at], bits)

    cdef size_t _find(self, const char* word, Py_ssize_t size, uint64_t bits) noexcept nogil:
        """The slot of a word, or the free one where it would be."""
        cdef size_t slot = bits & (self.slots - 1)
        while self.entries[slot].word != NULL and not (
                self.entries[slot].bits == bits and self.entries[slot].size == size
                and memcmp(self.entries[slot].word, word, size) == 0):
            slot = (slot + 1) & (self.slots - 1)
        return slot

    def find_kinds(self, list addresses not None, int64_t[::1] kinds):
        """Fill in the kinds of each address; returns the places of those that are left out.

        Left out are addresses beyond ASCII or with NUL, which are read in another way.
        """
        cdef Py_ssize_t at, size
        cdef const char* text
        cdef str address
        cdef list others = []
        if len(addresses) != kinds.shape[0]:
            raise ValueError("kinds for each address")
        for at in range(len(addresses)):
            address = addresses[at]
            if not address.isascii():
                others.append(at)
                continue
            text = PyUnicode_AsUTF8AndSize(address, &size)
            if size and memchr(text, 0, size) != NULL:
                others.append(at)
            else:
                size = min(size, <Py_ssize_t> MAX_ADDRESS_BYTES)
                kinds[at] = self._read_words(text, size) | self._read_numbers(text, size)
        return others

    cdef int64_t _read_words(self, const char* text, Py_ssize_t size) noexcept nogil:
        """The kinds of all words, which are made of letters."""
        cdef char word[MAX_ADDRESS_BYTES]
        cdef Py_ssize_t at, length = 0
        cdef unsigned char code
        cdef int64_t kinds = 0
        cdef uint64_t bits = HASH_START
        for at in range(size + 1):
            code = text[at] | 0x20 if at < size else 0
            if c"a" <= code <= c"z":
                word[length] = code
                length += 1
                bits = (bits ^ code) * HASH_FACTOR
            elif length:
                kinds |= self.entries[self._find(word, length, finish_hash(bits))].kinds
                length, bits = 0, HASH_START
        return kinds

    cdef int64_t _read_numbers(self, const char* text, Py_ssize_t size) noexcept nogil:
        """Whether numbers stand alone in an address, and whether a date does."""
        cdef Py_ssize_t at, digits
        cdef int64_t kinds = 0
        for at in range(size - 1):
            if text[at] == c"/" or text[at] == c"=" or text[at] == c"-":
                digits = _count_digits(text + at + 1, size - at - 1)
                if 1 <= digits <= MAX_NUMBER_DIGITS and _is_among(
                        text, at + 1 + digits, size, b"/?&#"):
                    kinds |= self.numbered
                if text[at] == c"/" and digits == 4 and _is_dated(text + at + 1, size - at - 1):
                    kinds |= self.dated
        return kinds


cdef inline Py_ssize_t _count_digits(const char* text, Py_ssize_t size) noexcept nogil:
    """The number of digits that a text begins with."""
    cdef Py_ssize_t count = 0
    while count < size and c"0" <= text[count] <= c"9":
        count += 1
    return count


cdef inline bint _is_among(
    const char* text, Py_ssize_t at, Py_ssize_t size, const char* codes
) noexcept nogil:
    """Whether a text ends at a place, or has one of four characters there."""
    return at >= size or memchr(codes, text[at], 4) != NULL


cdef inline bint _is_dated(const char* text, Py_ssize_t size) noexcept nogil:
    """Whether a text begins with a year of four digits and a month behind it."""
    cdef Py_ssize_t digits
    if memcmp(text, b"19", 2) != 0 and memcmp(text, b"20", 2) != 0:
        return False
    if size < 6 or (text[4] != c"/" and text[4] != c"-"):
        return False
    digits = _count_digits(text + 5, size - 5)
    return 1 <= digits <= 2 and _is_among(text, 5 + digits, size, b"/---")
