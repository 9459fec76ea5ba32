"""Words of texts by number, the twin of `page_words` in `pagelet.page.query`."""

cdef extern from "Python.h":
    char* PyByteArray_AsString(object data) except NULL
    object PyUnicode_FromStringAndSize(const char* text, Py_ssize_t size)


def number_words(list texts not None, split, Py_ssize_t most):
    """Every different word with its number, and the numbers of all words, 0 after each text.

    At most so many characters of a text are read. `split` gives the words of a text that is not
    in ASCII. The first word is the end of a text.
    """
    cdef dict numbers = {"\0": 0}
    cdef IntBuffer order = IntBuffer()
    cdef bytearray room = bytearray(1024)
    cdef Py_ssize_t size
    cdef const char* data
    cdef str text
    for each in texts:
        text = each if len(each) <= most else each[:most]
        if text.isascii():
            data = PyUnicode_AsUTF8AndSize(text, &size)
            if size > len(room):
                room = bytearray(2 * size)
            _number_ascii(data, size, PyByteArray_AsString(room), numbers, order)
        else:
            for word in split(text):
                _number_word(word, numbers, order)
        order.push(0)
    return numbers, order


cdef int _number_ascii(
    const char* data, Py_ssize_t size, char* small, dict numbers, IntBuffer order
) except -1:
    """Letters, digits and underscores, two or more, in small letters."""
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
                _number_word(PyUnicode_FromStringAndSize(small, length), numbers, order)
            length = 0
    return 0


cdef int _number_word(object word, dict numbers, IntBuffer order) except -1:
    cdef PyObject* known = PyDict_GetItemWithError(numbers, word)
    if known != NULL:
        return order.push(<int32_t> PyLong_AsSsize_t(<object> known))
    order.push(<int32_t> len(numbers))
    return PyDict_SetItem(numbers, word, PyLong_FromSsize_t(len(numbers)))
