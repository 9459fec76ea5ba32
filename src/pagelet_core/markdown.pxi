"""Markdown of blocks that hold nothing but plain lines, as the renderer writes it.

Paragraphs, headings and lists of lines, of texts without a sign of Markdown and plain links.
"""

#: Signs of ASCII that mean nothing in Markdown wherever they stand, but for some at the start of a
#: line; and those that addresses are written with as they are.
cdef const char* UNMARKED = " \"$%'(),-./:;?@+^{|}="
cdef const char* OF_ADDRESSES = "!#$%'*+,-./:;=?@_~"


cdef bint may_begin(const unsigned char* at, const unsigned char* end) noexcept nogil:
    """Whether a line that begins so is neither an item nor a rule, and without a sign."""
    cdef const unsigned char* first = at
    if at < end and strchr("-+=", at[0]) != NULL:
        return False
    if starts_with(at, end, "\xef\xbb\xbf", 3) or starts_with(at, end, "&gt;", 4):
        return False
    while at < end and _is_digit(at[0]):
        at += 1
    return at == first or at == end or not (at[0] == c"." or at[0] == c")")


@cython.final
cdef class PlainBlock:
    """Reads a block of clean HTML, and writes its Markdown as long as it is plain."""

    cdef Buffer out
    cdef const unsigned char* at
    cdef const unsigned char* end
    cdef bint unmarked[256]  # by byte
    cdef bint of_address[256]

    def __cinit__(self):
        cdef int code
        self.out = Buffer()
        for code in range(1, 256):
            self.unmarked[code] = code >= 0x80 or is_word_letter(code) or (
                strchr(UNMARKED, code) != NULL)
            self.of_address[code] = is_word_letter(code) or strchr(OF_ADDRESSES, code) != NULL

    cdef bint write(self, const unsigned char* text, Py_ssize_t size) except -1:
        """Write the Markdown of a block; false where it is not plain."""
        cdef int level
        self.at, self.end, self.out.used = text, text + size, 0
        if self.skip("<p>", 3):
            return may_begin(self.at, self.end) and self.line() and self.ends("</p>", 4)
        if self.skip("<ul>", 4):
            return self.items(0) and self.ends("</ul>", 5)
        if self.skip("<ol>", 4):
            return self.items(1) and self.ends("</ol>", 5)
        if not (size > 4 and text[0] == c"<" and text[1] == c"h" and text[3] == c">"):
            return False
        level = text[2] - c"0"
        if not 1 <= level <= 6:
            return False
        self.at += 4
        self.out.reserve(level + 1)
        memset(self.out.data, c"#", level)
        self.out.data[level] = 32
        self.out.used = level + 1
        return self.line() and self.skip("</h", 3) and self.end - self.at == 2

    cdef bint skip(self, const char* sought, Py_ssize_t size) noexcept:
        """Go behind what stands here, if it does; whether it does."""
        if not starts_with(self.at, self.end, sought, size):
            return False
        self.at += size
        return True

    cdef bint ends(self, const char* sought, Py_ssize_t size) noexcept:
        return self.skip(sought, size) and self.at == self.end

    cdef bint items(self, uint64_t number) except -1:
        """Write the items of a list, numbered or not; false where one is more than a line."""
        cdef bint numbered = number > 0, first = True
        while self.skip("<li>", 4):
            if not first:
                self.put(10)
            if numbered:
                put_number(self.out, number)
                self.put(c".")
                number += 1
            else:
                self.put(c"-")
            self.put(32)
            first = False
            if not (may_begin(self.at, self.end) and self.line() and self.skip("</li>", 5)):
                return False
        return not first

    cdef bint line(self) except -1:
        """Write a line up to the end of its block; false where it is empty or not plain."""
        cdef const unsigned char* first = self.at
        cdef const unsigned char* begin
        while self.at < self.end:
            begin = self.at
            while self.at < self.end and self.unmarked[self.at[0]]:
                self.at += 1
            put_bytes(self.out, <const char*> begin, self.at - begin)
            if starts_with(self.at, self.end, "</", 2):
                return self.at > first
            if not (self.mark() or self.link()):
                return False
        return False

    cdef bint mark(self) except -1:
        """Write a character that is plain only beside some others."""
        cdef unsigned char after
        if self.skip("&gt;", 4):
            return self.put(c">")
        if self.skip("&amp; ", 6):
            return self.put(c"&") and self.put(32)
        if self.end - self.at < 2 or self.at[0] != c"!":
            return False
        after = self.at[1]
        if after == c"<" and self.at + 2 < self.end and self.at[2] == c"a":
            return False  # it would be a picture
        self.at += 1
        return self.put(c"!")

    cdef bint link(self) except -1:
        """Write a link of one plain line to a plain address, which it does not show itself."""
        cdef const unsigned char* address
        cdef const unsigned char* text
        cdef Py_ssize_t size
        if not self.skip('<a href="', 9):
            return False
        address = self.at
        while self.at < self.end and self.of_address[self.at[0]]:
            self.at += 1
        size = self.at - address
        if size == 0 or not self.skip('">', 2) or starts_with(self.at, self.end, " ", 1):
            return False
        text = self.at
        self.put(c"[")
        while self.at < self.end and self.unmarked[self.at[0]]:
            self.at += 1
        if self.at == text or (self.at - 1)[0] == 32:
            return False
        if self.at - text == size and memcmp(text, address, size) == 0:
            return False
        put_bytes(self.out, <const char*> text, self.at - text)
        if not self.skip("</a>", 4):
            return False
        put_bytes(self.out, "](", 2)
        put_bytes(self.out, <const char*> address, size)
        return self.put(c")")

    cdef bint put(self, unsigned char code) except -1:
        cdef char byte = code
        put_bytes(self.out, &byte, 1)
        return True


cdef inline bint is_line(const unsigned char* at, const unsigned char* end) noexcept nogil:
    """Whether a paragraph, a heading or a rule begins here, or nothing does."""
    return at == end or starts_with(at, end, "<p>", 3) or starts_with(at, end, "<h", 2)


cdef str join_blocks(
    const unsigned char* html, const int32_t* begin, Py_ssize_t count, Py_ssize_t size, render
):
    """Clean HTML as Markdown, given where its blocks begin.

    `render` writes those that are not plain, and what parts them from those before and behind. It
    writes lists too that are not between lines, as it sets neighbouring ones apart.
    """
    cdef Buffer out = Buffer()
    cdef PlainBlock block = PlainBlock()
    cdef const unsigned char* end = html + size
    cdef Py_ssize_t at, first, last, left = 0  # where what is left to the renderer begins
    cdef bint line = True, after_line
    for at in range(count):
        first, last = begin[at], begin[at + 1] if at + 1 < count else size
        after_line, line = line, is_line(html + first, end)
        if not line and not (after_line and is_line(html + last, end)):
            continue
        if not block.write(html + first, last - first):
            continue
        if left < first:
            put_text(out, render(decode_bytes(html + left, first - left)))
        elif out.used:
            put_bytes(out, "\n\n", 2)
        put_bytes(out, <const char*> block.out.data, block.out.used)
        left = last
    if left < size:
        put_text(out, render(decode_bytes(html + left, size - left)))
    return decode_bytes(out.data, out.used) if out.used else ""
