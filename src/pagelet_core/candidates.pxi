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
        if _begins_otherwise(page, at, words):
            continue
        text = _short_text(page, at, most, &size)
        while text != NULL and size and _is_blank(text[0]):
            text, size = text + 1, size - 1
        if text != NULL and _may_begin_with(text, size, words):
            found.append(page.text(at))
    return [each for each in found if len(each) <= most]


cdef inline bint _begins_otherwise(PageTexts page, Py_ssize_t at, Phrases words) noexcept:
    """Whether a text that is in the source as it is begins with a letter that no word has there."""
    cdef const unsigned char* text
    cdef Py_ssize_t size
    if page.given is not None or page.spans[at].first < 0 or page.spans[at].size < 0:
        return False
    text, size = page.data + page.spans[at].first, page.spans[at].size
    while size and _is_blank(text[0]):
        text, size = text + 1, size - 1
    return size and text[0] < 128 and not words.heads[
        small_byte(text[0])]


cdef bint _may_begin_with(const unsigned char* text, Py_ssize_t size, Phrases words) noexcept:
    """Whether a text begins with a word in any letters, or goes beyond ASCII where one would be."""
    cdef unsigned char small[16]
    cdef Py_ssize_t at, length = min(size, 16)
    for at in range(length):
        if text[at] > 127:
            return True
        small[at] = small_byte(text[at])
    return words.begin(small, length)


def find_dated(list texts not None):
    """Which texts may hold a date: four digits in a row, or two apart by a mark.

    A text may if it holds digits beyond ASCII.
    """
    cdef Py_ssize_t at, size
    cdef const char* text
    cdef str each
    cdef list found = []
    for at in range(len(texts)):
        each = texts[at]
        try:
            text = PyUnicode_AsUTF8AndSize(each, &size)
        except UnicodeEncodeError:  # a lone surrogate
            found.append(at)
            continue
        if _may_hold_date(<const unsigned char*> text, size):
            found.append(at)
    return found


cdef bint _may_hold_date(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    """Whether `\d(?:\d{3}| ?[./|-] ?\d)` may match, each part of the text looked at once."""
    cdef Py_ssize_t at, digits = 0
    cdef unsigned char code
    cdef int marked = 0  # a digit, then: 1 a space, 2 a mark, 3 a mark and a space
    for at in range(size):
        code = text[at]
        if _is_digit(code):
            digits += 1
            if digits == 4 or marked >= 2:
                return True
            marked = 0
            continue
        if code >= 0xEA or 0xD9 <= code <= 0xE1:  # whose characters may be digits
            return True
        if digits and code == 32:
            marked = 1
        elif (digits or marked == 1) and (
                code == c"." or code == c"/" or code == c"|" or code == c"-"):
            marked = 2
        elif marked == 2 and code == 32:
            marked = 3
        else:
            marked = 0
        digits = 0
    return False


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
