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


def sum_contents(
    const Py_ssize_t[::1] rows, const int32_t[::1] tag, texts not None,
    WantedAttributes wanted not None, tuple names not None, tuple blank not None, Py_ssize_t most,
    uint64_t[::1] sums,
):
    """The checksum of each row: of a text, white space folded, or of some attributes of an element.

    The values of those attributes, given by number, are joined by bars; elements with a blank tag
    have 1. Rows are in order. At most so many characters of a text or a value are read.
    """
    cdef PageTexts all = texts_of(texts)
    cdef Py_ssize_t at, row = 0, text = 0, count = len(names)
    cdef Memory memory = Memory(1)
    cdef Py_ssize_t* numbers = <Py_ssize_t*> memory.take(count, sizeof(Py_ssize_t))
    if rows.shape[0] != sums.shape[0]:
        raise ValueError("one checksum for each row")
    for at in range(count):
        numbers[at] = names[at]
        wanted.settled(numbers[at])
    for at in range(rows.shape[0]):
        if not row <= rows[at] < tag.shape[0]:
            raise IndexError("a row that does not exist, or not in order")
        while row < rows[at]:
            text += tag[row] == 0
            row += 1
        if tag[row] == 0:
            sums[at] = _sum_text(all, text, most)
        else:
            sums[at] = 1 if tag[row] in blank else _sum_values(
                wanted, row, numbers, count, most)


cdef uint64_t _sum_text(PageTexts texts, Py_ssize_t place, Py_ssize_t most) except? 0:
    """The checksum of a text, white space folded."""
    cdef Py_ssize_t size = 0
    cdef bytes data
    cdef const unsigned char* text = NULL
    if not 0 <= place < texts.count:
        raise IndexError("a text that does not exist")
    if texts.given is None:
        text = texts.utf8(place, &size)
    if texts.given is not None or size > most:
        data = _encode(texts.text(place), most)
        text, size = <const unsigned char*> PyBytes_AsString(data), len(data)
    return ~add_folded(0xFFFFFFFFU, text, text + size) & 0xFFFFFFFFU


cdef uint64_t _sum_values(
    WantedAttributes wanted, Py_ssize_t row, const Py_ssize_t* names, Py_ssize_t count,
    Py_ssize_t most,
) except? 0:
    """The checksum of the values of some settled attributes of a row, joined by bars."""
    cdef uint32_t checksum = 0xFFFFFFFFU
    cdef Py_ssize_t at, number
    for at in range(count):
        if at:
            checksum = add_byte(checksum, c"|")
        number = wanted.number_at(names[at], row)
        if number >= 0:
            checksum = _add_value(checksum, wanted.values[names[at]], number, most)
    return ~checksum & 0xFFFFFFFFU


cdef uint32_t _add_value(
    uint32_t checksum, ByteStrings values, Py_ssize_t number, Py_ssize_t most
) except? 0:
    """Add the beginning of a value to a checksum."""
    cdef Py_ssize_t size, place
    cdef const unsigned char* text = values.at(number, &size)
    cdef bytes data
    if size > most or has_surrogate(text, size):
        data = _encode(values.value(number), most)
        text, size = <const unsigned char*> PyBytes_AsString(data), len(data)
    for place in range(size):
        checksum = add_byte(checksum, text[place])
    return checksum
