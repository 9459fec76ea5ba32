"""A page as the parser is given it: scripts and comments cut out, character references masked.

Most bytes of many pages are scripts and styles, which nobody reads, and which the parser would copy
and write out again. Their texts are replaced by numbers, and read from the source when somebody
asks. Tags are found as the tokenizer of HTML finds them. Where the parser would not let it (as in
SVG, which takes scripts for markup), or where that is in doubt, nothing more is cut out.
"""

cdef enum:
    CUT = 0xFE  # begins the number of a text that was cut out; UTF-8 never has this byte
    MIN_CUT_BYTES = 32  # of a text that is worth it
    # what is open while tags are read
    IN_SELECT = 1
    IN_TITLE = 2  # that of SVG, which holds HTML
    # kinds of tags for the mask
    TEXT_TAG = 1  # holds nothing but text
    CUT_TAG = 2  # whose text is cut out
    STOP_TAG = 4  # beyond which nothing is cut out
    SVG_TAG = 8  # MathML is rare, and stops the mask
    SELECT_TAG = 16
    TITLE_TAG = 32
    NEUTRAL_TAG = 64  # may stand in SVG as in HTML


cdef class SourceMask:
    """The bytes of a page, and what was cut out of them."""

    cdef readonly bytes source
    cdef TagTable tags
    cdef bytes roles  # what each tag means to the mask
    cdef Span* cuts
    cdef Py_ssize_t count
    cdef Py_ssize_t room
    cdef Buffer masked
    cdef const unsigned char* flushed  # up to where the source was copied
    cdef const unsigned char* end
    cdef unsigned char begins[1024]  # a mark for the first two letters of tags with a role
    cdef bint wide  # whether there is a character beyond Latin-1
    cdef bint spaced  # whether a text has a reference to white space
    cdef int depth  # of SVG
    cdef int state

    def __cinit__(self, bytes source not None, TagTable tags not None, bytes roles not None):
        """`roles` are what tags mean here, by number."""
        self.source, self.tags, self.roles, self.masked = source, tags, roles, Buffer()
        if len(roles) != tags.names.count:
            raise ValueError("one role for each tag")
        cdef Py_ssize_t at
        cdef const unsigned char* name
        for at in range(1, tags.names.count):
            name = tags.names.data.data + tags.names.spans[at].first
            if roles[at] and tags.names.spans[at].size > 1:
                self.begins[(name[0] & 31) << 5 | (name[1] & 31)] = 1

    def __dealloc__(self):
        free(self.cuts)

    def mask(self):
        """The page as a str of bytes; None if it must be decoded before.

        That is so where it is no valid UTF-8, or has characters or references that matter to a
        parser: references to white space do, in texts.
        """
        cdef Py_ssize_t size = PyBytes_Size(self.source)
        cdef const unsigned char* text = <const unsigned char*> PyBytes_AsString(self.source)
        if self.flushed != NULL:
            raise ValueError("a page is masked once")
        self.flushed, self.end = text, text + size
        if not is_utf8(text, self.end, &self.wide) or memchr(text, 27, size) != NULL or (
                memchr(text, 0, size) != NULL):
            return None
        self.masked.reserve_exactly(size)
        self._cut_out(text)
        if self.spaced:
            return None
        self._flush(self.end)
        return PyUnicode_DecodeLatin1(<const char*> self.masked.data, self.masked.used, NULL)

    cdef void _flush(self, const unsigned char* until) noexcept:
        """Copy the source up to a place; it is never longer than what was cut out before it."""
        mask_bytes(self.flushed, self.masked.data + self.masked.used, until - self.flushed)
        self.masked.used += until - self.flushed
        self.flushed = until

    cdef int _cut_out(self, const unsigned char* at) except -1:
        """Cut out the texts of scripts, and comments, as far as tags can be found."""
        cdef const unsigned char* text = at
        while at != NULL and not self.spaced:
            at = <const unsigned char*> memchr(at, c"<", self.end - at)
            if at == NULL or self.end - at < 4:
                break
            if not is_markup(at[1]):
                at += 1
                continue
            self.spaced = is_spaced(text, at)
            text = at
            at = self._read_markup(at)
            if at != NULL:
                text = at
        self.spaced = self.spaced or is_spaced(text, self.end)
        return 0

    cdef const unsigned char* _read_markup(self, const unsigned char* at) except? NULL:
        """Read a tag or a comment; gives the place behind it, or NULL if nothing more is cut out."""
        if at[1] == c"/":
            return self._read_end(at + 2)
        if at[1] != c"!" and at[1] != c"?":
            return self._read_start(at + 1)
        if at[1] == c"!" and at[2] == c"-" and at[3] == c"-":
            return self._cut_comment(at + 4)
        if self.depth and at[2] == c"[":  # a CDATA section
            return NULL
        return <const unsigned char*> memchr(at, c">", self.end - at)

    cdef int _role(self, const unsigned char* name, const unsigned char** behind) noexcept:
        """What a tag means here, and where its name ends."""
        cdef unsigned char small[16]
        cdef const unsigned char* at = name
        cdef Py_ssize_t number, size
        while at < self.end and not ends_name(at[0]) and at[0] != c">":
            if at - name < 16:
                small[at - name] = at[0] | 32 if c"A" <= at[0] <= c"Z" else at[0]
            at += 1
        behind[0] = at
        size = at - name
        if not self.depth and (size < 2 or not self.begins[(name[0] & 31) << 5 | (name[1] & 31)]):
            return 0  # as most tags
        if size > 16:
            return NEUTRAL_TAG
        number = self.tags.names.find(small, size)
        if number >= 0:
            return self.roles[number]
        return STOP_TAG if self.depth and holds_html(small, size) else NEUTRAL_TAG

    cdef const unsigned char* _read_start(self, const unsigned char* name) except? NULL:
        """Read a start tag and, where nothing else can follow, the text behind it."""
        cdef const unsigned char* at
        cdef const unsigned char* last
        cdef int role = self._role(name, &at)
        cdef Py_ssize_t size = at - name
        cdef bint closed = False
        at = skip_tag(at, self.end, &closed)
        if at == NULL or role & STOP_TAG:
            return NULL
        if self.depth:
            return at if self._may_follow(role, closed) else NULL
        if role & SVG_TAG:
            self.depth = not closed
        if role & SELECT_TAG:
            self.state |= IN_SELECT
        if not role & TEXT_TAG:
            return at
        if self.state & IN_SELECT and not role & CUT_TAG:
            return NULL
        last = find_end(at, self.end, name, size)  # NULL for a script that may hold another one
        if last != NULL and role & CUT_TAG:
            self._cut_text(at, last)
        elif last != NULL:
            self.spaced = self.spaced or is_spaced(at, last)
        return last

    cdef bint _may_follow(self, int role, bint closed) noexcept:
        """Whether a start tag in SVG belongs to it; false where HTML may begin."""
        if not role & NEUTRAL_TAG or (self.state & IN_TITLE and role & (TEXT_TAG | SVG_TAG)):
            return False
        if not closed:
            self.depth += role & SVG_TAG != 0
            self.state |= IN_TITLE if role & TITLE_TAG else 0
        return True

    cdef const unsigned char* _read_end(self, const unsigned char* name) except? NULL:
        """Read an end tag."""
        cdef const unsigned char* at
        cdef int role
        cdef bint closed = False
        if not c"a" <= name[0] | 32 <= c"z":
            return <const unsigned char*> memchr(name, c">", self.end - name)
        role = self._role(name, &at)
        if self.depth:
            if not role & NEUTRAL_TAG:
                return NULL
            self.depth -= role & SVG_TAG != 0
        if role & SELECT_TAG:
            self.state &= ~IN_SELECT
        if role & TITLE_TAG:
            self.state &= ~IN_TITLE
        return skip_tag(at, self.end, &closed)

    cdef const unsigned char* _cut_comment(self, const unsigned char* first) noexcept:
        """Cut out a comment; gives the place behind it, or NULL if it has no end."""
        cdef const unsigned char* at = first
        if at[0] == c">" or (at[0] == c"-" and self.end - at > 1 and at[1] == c">"):
            return at + 1 + (at[0] == c"-")
        while True:
            at = <const unsigned char*> memchr(at, c">", self.end - at)
            if at == NULL:
                return NULL
            if (at - 1)[0] == c"-" and (at - 2)[0] == c"-" and at - 2 >= first:
                break
            if at - 3 >= first and (at - 1)[0] == c"!" and (at - 2)[0] == c"-" and (
                    (at - 3)[0] == c"-"):
                return at + 1
            at += 1
        self._flush(first)
        self.flushed = at - 2
        return at + 1

    cdef int _cut_text(self, const unsigned char* first, const unsigned char* last) except -1:
        """Cut out the text of a script or style, unless it is short or may be blank."""
        cdef void* grown
        cdef const unsigned char* seen = first
        if last - first < MIN_CUT_BYTES:
            return 0
        while seen < last and not 33 <= seen[0] <= 126:
            seen += 1
        if seen == last:
            return 0
        if self.count == self.room:
            grown = realloc(self.cuts, (2 * self.room + 32) * sizeof(Span))
            if grown == NULL:
                raise MemoryError
            self.cuts, self.room = <Span*> grown, 2 * self.room + 32
        self.cuts[self.count].first = first - (self.end - PyBytes_Size(self.source))
        self.cuts[self.count].size = last - first
        self._flush(first)
        self.flushed = last
        self.masked.used += write_number(self.count, self.masked.data + self.masked.used)
        self.count += 1
        return 0

    cdef Py_ssize_t find_cut(self, const unsigned char* text, Py_ssize_t size) noexcept:
        """The number of the text that was cut out where this one stands, or -1."""
        cdef Py_ssize_t at, number = 0
        if size < 2 or size > 12 or text[0] != CUT:
            return -1
        for at in range(1, size):
            number = number * 10 + (text[at] - c"0")
        return number if 0 <= number < self.count else -1


cdef int write_number(Py_ssize_t number, unsigned char* to) noexcept:
    """Write the number of a text that was cut out; gives the bytes that it takes."""
    cdef unsigned char digits[20]
    cdef int size = 0, at
    while number or size == 0:
        digits[size] = <unsigned char> (c"0" + number % 10)
        number //= 10
        size += 1
    to[0] = CUT
    for at in range(size):
        to[at + 1] = digits[size - 1 - at]
    return size + 1


cdef inline bint is_markup(unsigned char byte) noexcept nogil:
    """Whether a tag or comment begins with this byte behind `<`."""
    return c"a" <= byte | 32 <= c"z" or byte == c"/" or byte == c"!" or byte == c"?"


cdef inline bint is_separator(unsigned char byte) noexcept nogil:
    """Whether HTML takes a byte for white space in a tag."""
    return byte == 32 or byte == 9 or byte == 10 or byte == 12 or byte == 13


cdef bint holds_html(const unsigned char* name, Py_ssize_t size) noexcept nogil:
    """Whether an element of SVG may hold HTML, given its name in small letters."""
    return (size == 13 and memcmp(name, b"foreignobject", 13) == 0
            or size == 4 and memcmp(name, b"desc", 4) == 0)


cdef const unsigned char* skip_tag(
    const unsigned char* at, const unsigned char* end, bint* closed
) noexcept nogil:
    """The place behind a tag, given where its name ends; NULL if it does not end.

    It is closed if a slash stands before its end.
    """
    cdef unsigned char quote
    while at < end:
        if at[0] == c">":
            return at + 1
        closed[0] = at[0] == c"/"
        if closed[0] or is_separator(at[0]):
            at += 1
            continue
        at += 1  # a name may begin with `=`
        while at < end and not is_separator(at[0]) and (
                at[0] != c"/" and at[0] != c">" and at[0] != c"="):
            at += 1
        while at < end and is_separator(at[0]):
            at += 1
        if at == end or at[0] != c"=":
            continue
        at += 1
        while at < end and is_separator(at[0]):
            at += 1
        if at == end:
            return NULL
        quote = at[0]
        if quote == c'"' or quote == c"'":
            at = <const unsigned char*> memchr(at + 1, quote, end - at - 1)
            if at == NULL:
                return NULL
            at += 1
            continue
        while at < end and not is_separator(at[0]) and at[0] != c">":
            at += 1
    return NULL


cdef const unsigned char* find_end(
    const unsigned char* at, const unsigned char* end, const unsigned char* name, Py_ssize_t size
) noexcept nogil:
    """Where the end tag of an element begins that holds nothing but text.

    NULL if it has none, or if a script begins in a comment in it, which must end before.
    """
    cdef Py_ssize_t letter
    cdef bint commented = False
    while True:
        at = <const unsigned char*> memchr(at, c"<", end - at)
        if at == NULL or end - at < size + 3:
            return NULL
        if at[1] == c"/" and (ends_name(at[size + 2]) or at[size + 2] == c">"):
            letter = 0
            while letter < size and at[letter + 2] | 32 == name[letter] | 32:
                letter += 1
            if letter == size:
                return at
        if at[1] == c"!":
            commented = True
        elif commented and at[1] | 32 == c"s" and at[2] | 32 == c"c":
            return NULL
        at += 1
