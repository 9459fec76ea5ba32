"""Words of texts by number, the twin of `page_words` in `pagelet.page.query`."""

cdef extern from "Python.h":
    char* PyByteArray_AsString(object data) except NULL


def number_words(list texts not None, split, Py_ssize_t most):
    """Every different word with its number, and the numbers of all words, 0 after each text.

    At most so many characters of a text are read. `split` gives the words of all texts with
    letters beyond ASCII, one text after the other, with the end of a text behind each. The first
    word is the end of a text.
    """
    cdef ByteStrings known = ByteStrings()
    cdef IntBuffer order = IntBuffer()
    cdef bytearray room = bytearray(1024)
    cdef Py_ssize_t size, at
    cdef const char* data
    cdef str text
    cdef list short = [each if len(each) <= most else each[:most] for each in texts]
    cdef list simple = [_is_simple(each) for each in short]
    cdef list others = [each for at, each in enumerate(short) if not simple[at]]
    words = iter(split(others) if others else ())
    known.add(b"\0", 1)
    for at, text in enumerate(short):
        if simple[at]:
            data = PyUnicode_AsUTF8AndSize(text, &size)
            if size > len(room):
                room = bytearray(2 * size)
            _number_simple(data, size, PyByteArray_AsString(room), known, order)
        else:
            for word in words:
                if word == "\0":
                    break
                order.push(<int32_t> known.add_str(word))
        order.push(0)
    return {known.value(at): at for at in range(known.count)}, order


cdef bint _is_simple(str text) except -1:
    """Whether a text is in ASCII, but for characters that separate words."""
    cdef Py_ssize_t size
    cdef const unsigned char* at
    cdef const unsigned char* end
    if text.isascii():
        return True
    try:
        at = <const unsigned char*> PyUnicode_AsUTF8AndSize(text, &size)
    except UnicodeEncodeError:
        return False
    end = at + size
    while at < end:
        if at[0] < 128:
            at += 1
        elif not _separates(next_code(&at)):
            return False
    return True


cdef inline bint _separates(unsigned int code) noexcept nogil:
    """Whether a character beyond ASCII is no part of a word and changes nothing around it."""
    if code < 0x2010:
        return (0xA0 <= code <= 0xA7 or code == 0xA9 or 0xAB <= code <= 0xAE or code == 0xB0
                or code == 0xB1 or code == 0xB6 or code == 0xB7 or code == 0xBB or code == 0xD7)
    return (code <= 0x2016 or 0x2018 <= code <= 0x2023 or code == 0x2026 or code == 0x2027
            or code == 0x2039 or code == 0x203A or code == 0x20AC or 0x2190 <= code <= 0x21FF
            or 0x2500 <= code <= 0x26FF)


cdef int _number_simple(
    const char* data, Py_ssize_t size, char* small, ByteStrings known, IntBuffer order
) except -1:
    """Letters, digits and underscores, two or more, in small letters; all else separates."""
    cdef Py_ssize_t at, length = 0
    cdef char code
    for at in range(size + 1):
        code = data[at] if at < size else 0
        if c"A" <= code <= c"Z":
            small[length] = code | 0x20
            length += 1
        elif c"a" <= code <= c"z" or c"0" <= code <= c"9" or code == c"_":
            small[length] = code
            length += 1
        else:
            if length > 1:
                order.push(<int32_t> known.add(<const unsigned char*> small, length))
            length = 0
    return 0
