"""Texts in which metadata may be written; Python reads them more closely.

The twins are the same searches without these: what is left out would not match there.
"""


def find_numbered(texts not None, Py_ssize_t least, Py_ssize_t most):
    """Texts of so many characters that may hold a date with slashes or dashes, as 6/5/2024."""
    cdef PageTexts page = texts_of(texts)
    cdef Py_ssize_t at, size
    cdef const unsigned char* text
    found = []
    for at in range(page.count):
        text = _short_text(page, at, most, &size)
        if text != NULL and size >= least and _may_be_dated(text, size):
            found.append(page.text(at))
    return [each for each in found if least <= len(each) <= most]


def find_begun(texts not None, Py_ssize_t most, Phrases words not None):
    """Texts of at most so many characters that may begin with one of some words in ASCII."""
    cdef PageTexts page = texts_of(texts)
    cdef Py_ssize_t at, size
    cdef const unsigned char* text
    found = []
    for at in range(page.count):
        text = _short_text(page, at, most, &size)
        while text != NULL and size and _is_blank(text[0]):
            text, size = text + 1, size - 1
        if text != NULL and _may_begin_with(text, size, words):
            found.append(page.text(at))
    return [each for each in found if len(each) <= most]


cdef bint _may_begin_with(const unsigned char* text, Py_ssize_t size, Phrases words) noexcept:
    """Whether a text begins with a word in any letters, or goes beyond ASCII where one would be."""
    cdef unsigned char small[16]
    cdef Py_ssize_t at, length = min(size, 16)
    for at in range(length):
        if text[at] > 127:
            return True
        small[at] = text[at] | ((c"A" <= text[at] <= c"Z") << 5)
    return words.begin(small, length)


def find_starting(texts not None, const Py_ssize_t[::1] places, Py_UCS4 letter):
    """Which of some texts may begin with a small letter or a digit: not with another of ASCII."""
    cdef PageTexts page = texts_of(texts)
    cdef Py_ssize_t at, size
    cdef const unsigned char* text
    cdef unsigned char code
    found = []
    for at in range(places.shape[0]):
        text = page.utf8(places[at], &size)
        while size and _is_blank(text[0]):
            text, size = text + 1, size - 1
        code = text[0] | ((c"A" <= text[0] <= c"Z") << 5) if size else 0
        if code == letter or not (_is_digit(code) or c"a" <= code <= c"z"):
            found.append(at)
    return found


def find_holding(texts not None, Py_ssize_t last, Py_ssize_t most, bytes word not None):
    """Which of so many last texts have fewer characters than that, and hold a word."""
    cdef PageTexts page = texts_of(texts)
    cdef Py_ssize_t at, size
    cdef const unsigned char* text
    cdef const unsigned char* wanted = <const unsigned char*> PyBytes_AsString(word)
    if page.given is not None:  # searching a str is faster than making it UTF-8
        letters = word.decode()
        return [each for each in page.given[-last:] if len(each) < most and letters in each]
    found = []
    for at in range(max(page.count - last, 0), page.count):
        text = _short_text(page, at, most, &size)
        if text != NULL and find_bytes(text, size, wanted, len(word)) != NULL:
            found.append(page.text(at))
    return [each for each in found if len(each) < most]


cdef inline const unsigned char* _short_text(
    PageTexts page, Py_ssize_t at, Py_ssize_t most, Py_ssize_t* size
) except? NULL:
    """A text that may have at most so many characters, or NULL."""
    cdef const unsigned char* text
    size[0] = 0
    if page.given is not None and len(<str> page.given[at]) > most:  # need not be made UTF-8
        return NULL
    if page.given is None and page.spans[at].size < -8 * most:  # cut out; line ends may shrink
        return NULL
    text = page.utf8(at, size)
    return text if size[0] <= 4 * most else NULL


cdef bint _may_be_dated(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    """Whether a slash or dash is between two digits, or is anywhere in a text beyond ASCII."""
    cdef Py_ssize_t at
    cdef bint wide = False, marked = False
    for at in range(size):
        if text[at] > 127:
            wide = True
        elif text[at] == c"/" or text[at] == c"-":
            marked = True
            if 0 < at < size - 1 and _is_digit(text[at - 1]) and _is_digit(text[at + 1]):
                return True
    return wide and marked


cdef inline bint _is_digit(unsigned char code) noexcept nogil:
    return c"0" <= code <= c"9"


cdef inline bint _is_blank(unsigned char code) noexcept nogil:
    """Whether Python takes a byte of ASCII for white space."""
    return code == 32 or 9 <= code <= 13 or 28 <= code <= 31
