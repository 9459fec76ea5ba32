"""Checksums (CRC-32) of texts and of attributes, the twin of `pagelet.methods.template.leaves`."""

cdef uint32_t CHECKSUMS[256]  # of single bytes


cdef void _fill_checksums() noexcept nogil:
    cdef uint32_t code, bits
    cdef int step
    for code in range(256):
        bits = code
        for step in range(8):
            bits = bits >> 1 ^ (0xEDB88320U if bits & 1 else 0)
        CHECKSUMS[code] = bits


_fill_checksums()


cdef inline uint32_t add_byte(uint32_t checksum, unsigned char code) noexcept nogil:
    return CHECKSUMS[(checksum ^ code) & 255] ^ checksum >> 8


cdef uint32_t add_folded(
    uint32_t checksum, const unsigned char* text, const unsigned char* end
) noexcept nogil:
    """Add a text to a checksum, white space folded."""
    cdef const unsigned char* begin
    cdef bint between = False, within = False
    while text < end:
        begin = text
        if is_space(next_code(&text)):
            between = within
            continue
        if between:
            checksum = add_byte(checksum, 32)
        between, within = False, True
        while begin < text:
            checksum = add_byte(checksum, begin[0])
            begin += 1
    return checksum


cdef bytes _encode(str text, Py_ssize_t most):
    """The beginning of a text in UTF-8; a question mark for a lone surrogate."""
    return (text if len(text) <= most else text[:most]).encode("utf-8", "replace")


def sum_texts(
    texts not None, const Py_ssize_t[::1] places, Py_ssize_t most, uint64_t[::1] sums
):
    """The checksum of the texts at some places, white space folded.

    At most so many characters of a text are read.
    """
    cdef PageTexts all = texts_of(texts)
    cdef Py_ssize_t at, size
    cdef bytes data
    cdef const unsigned char* text
    if places.shape[0] != sums.shape[0]:
        raise ValueError("one checksum for each text")
    for at in range(places.shape[0]):
        if not 0 <= places[at] < all.count:
            raise IndexError("a text that does not exist")
        if all.given is None:
            text = all.utf8(places[at], &size)
        if all.given is not None or size > most:
            data = _encode(all.text(places[at]), most)
            text, size = <const unsigned char*> PyBytes_AsString(data), len(data)
        sums[at] = ~add_folded(0xFFFFFFFFU, text, text + size) & 0xFFFFFFFFU


def sum_attributes(
    attrs not None, const Py_ssize_t[::1] places, dict names not None, Py_ssize_t most,
    uint64_t[::1] sums,
):
    """The checksum of the values of some attributes, joined by bars, for the elements at places.

    `attrs` are the attributes of each element, as pairs; `names` has the place of each name among
    the values, from 0 on.
    """
    cdef Py_ssize_t at
    cdef tuple pairs
    cdef list values
    cdef uint64_t none = _sum_values([""] * len(names), most)
    if places.shape[0] != sums.shape[0]:
        raise ValueError("one checksum for each element")
    for at in range(places.shape[0]):
        if not 0 <= places[at] < len(attrs):
            raise IndexError("an element that does not exist")
        values = None
        pairs = pairs_at(attrs, places[at])
        for name, value in pairs:
            if name in names:
                if values is None:
                    values = [""] * len(names)
                values[<Py_ssize_t> names[name]] = value or ""
        sums[at] = none if values is None else _sum_values(values, most)


cdef uint64_t _sum_values(list values, Py_ssize_t most) except? 0:
    cdef uint32_t checksum = 0xFFFFFFFFU
    cdef Py_ssize_t at, place
    cdef bytes data
    cdef const char* text
    for at in range(len(values)):
        if at:
            checksum = add_byte(checksum, c"|")
        data = _encode(values[at], most)
        text = PyBytes_AsString(data)
        for place in range(len(data)):
            checksum = add_byte(checksum, text[place])
    return ~checksum & 0xFFFFFFFFU
