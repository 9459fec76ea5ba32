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
