"""Checksums of class names and ids, without states and counters.

The twin of `class_checksums` in `pagelet.page.signatures` and of the names of places in
`pagelet.methods.template.table`.
"""

from libc.string cimport memcmp

cdef struct ClassName:
    const unsigned char* text
    Py_ssize_t size


def sum_names(tuple values not None, Py_ssize_t most, uint64_t[::1] sums, *, bint stripped):
    """The checksum of the names in each value, in alphabetical order, and one; 0 without a name.

    So many characters of a value are read. With `stripped`, hyphens and underscores at the ends of
    names are left out. Returns the places of the values that are left to Python.
    """
    cdef Py_ssize_t at, size, count
    cdef Memory memory = Memory(2)
    cdef unsigned char* small = <unsigned char*> memory.take(most, 1)
    cdef ClassName* names = <ClassName*> memory.take(most, sizeof(ClassName))
    cdef const char* data
    cdef str value
    cdef list others = []
    if len(values) != sums.shape[0]:
        raise ValueError("one checksum for each value")
    for at in range(len(values)):
        value = values[at]
        if not value.isascii():
            others.append(at)
            continue
        data = PyUnicode_AsUTF8AndSize(value, &size)
        size = _drop_states(<const unsigned char*> data, min(size, most), small)
        if size < 0:
            others.append(at)
            continue
        count = _split_names(small, size, stripped, names)
        sums[at] = _sum_sorted(names, count) + 1 if count else 0
    return others


def hash_names(
    WantedAttributes wanted not None, Py_ssize_t name, Py_ssize_t most, uint64_t factor, sum_other,
    uint64_t[::1] hashes,
):
    """Add the checksum of the names in the values of an attribute, times a factor, to each row.

    Values are read as by `sum_names`, with `stripped`; those left to Python are given to
    `sum_other`.
    """
    cdef ByteStrings values = wanted.settled(name)
    cdef Py_ssize_t at, size, used
    cdef const unsigned char* text
    cdef Memory memory = Memory(3)
    cdef unsigned char* small = <unsigned char*> memory.take(most, 1)
    cdef ClassName* names = <ClassName*> memory.take(most, sizeof(ClassName))
    cdef uint64_t* sums
    wanted.check_rows(hashes.shape[0])
    if values is None:
        return
    sums = <uint64_t*> memory.take(values.count, sizeof(uint64_t))
    for at in range(values.count):
        text = values.at(at, &size)
        used = _drop_states(text, min(size, most), small) if is_plain(text, size) else -1
        if used < 0:
            sums[at] = sum_other(values.value(at))
        else:
            sums[at] = _sum_sorted(names, _split_names(small, used, True, names))
    for at in range(wanted.rows[name].used):
        hashes[wanted.rows[name].values[at]] += sums[wanted.number[name].values[at]] * factor


cdef Py_ssize_t _drop_states(
    const unsigned char* text, Py_ssize_t size, unsigned char* small
) noexcept nogil:
    """Copy a text in small letters, without states and counters; -1 if it has a NUL."""
    cdef Py_ssize_t at, used = 0, length
    for at in range(size):
        if text[at] == 0:
            return -1
        small[at] = small_byte(text[at])
    at = 0
    while at < size:  # what is kept is never longer than what was read
        length = _state_length(small + at, size - at)
        if length:
            at += length
        else:
            small[used] = small[at]
            used += 1
            at += 1
    return used


cdef inline bint _begins(
    const unsigned char* text, Py_ssize_t size, const char* word, Py_ssize_t length
) noexcept nogil:
    return size >= length and memcmp(text, word, length) == 0


cdef Py_ssize_t _state_length(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    """The length of the state or counter that a text begins with; 0 without one."""
    cdef Py_ssize_t digits = 0
    while digits < size and c"0" <= text[digits] <= c"9":
        digits += 1
    if digits:
        return digits
    if text[0] == c"a":
        return 6 if _begins(text, size, b"active", 6) else 0
    if text[0] == c"c":
        return 7 if _begins(text, size, b"current", 7) else 0
    if text[0] == c"s":
        return 8 if _begins(text, size, b"selected", 8) else 0
    if text[0] == c"o":
        if _begins(text, size, b"open", 4):
            return 4 if size == 4 or not _is_letter(text[4]) else 0
        return 3 if _begins(text, size, b"odd", 3) else 0
    if text[0] == c"f":
        return 5 if _begins(text, size, b"first", 5) else 0
    if text[0] == c"l":
        return 4 if _begins(text, size, b"last", 4) else 0
    return 4 if _begins(text, size, b"even", 4) else 0


cdef inline bint _is_letter(unsigned char code) noexcept nogil:
    """Whether a small letter, a digit or an underscore."""
    return c"a" <= code <= c"z" or c"0" <= code <= c"9" or code == c"_"


cdef Py_ssize_t _split_names(
    const unsigned char* text, Py_ssize_t size, bint stripped, ClassName* names
) noexcept nogil:
    """Split a text at white space; returns the number of names."""
    cdef Py_ssize_t at = 0, first, last, count = 0
    while at < size:
        while at < size and is_space(text[at]):
            at += 1
        first = at
        while at < size and not is_space(text[at]):
            at += 1
        last = at
        while stripped and first < last and (text[first] == c"-" or text[first] == c"_"):
            first += 1
        while stripped and first < last and (text[last - 1] == c"-" or text[last - 1] == c"_"):
            last -= 1
        if first < last:
            names[count].text, names[count].size = text + first, last - first
            count += 1
    return count


cdef uint32_t _sum_sorted(ClassName* names, Py_ssize_t count) noexcept nogil:
    """The checksum of names in alphabetical order, with a space between two of them."""
    cdef Py_ssize_t at, to, place
    cdef ClassName name
    cdef uint32_t checksum = 0xFFFFFFFFU
    for at in range(1, count):
        name, to = names[at], at
        while to and _is_before(name, names[to - 1]):
            names[to] = names[to - 1]
            to -= 1
        names[to] = name
    for at in range(count):
        if at:
            checksum = add_byte(checksum, 32)
        for place in range(names[at].size):
            checksum = add_byte(checksum, names[at].text[place])
    return ~checksum


cdef inline bint _is_before(ClassName one, ClassName other) noexcept nogil:
    cdef int order = memcmp(one.text, other.text, min(one.size, other.size))
    return order < 0 or (order == 0 and one.size < other.size)
