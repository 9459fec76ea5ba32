"""The columns of a page from its tree as the parser writes it, which is faster than its calls.

HTML prescribes how a tree is written: values in double quotes, end tags for all elements but void
ones, escapes where they are needed. So all nodes are found again without a rule of parsing. What
such a text leaves open is left to the NodeCollector: `scan` is false then.
"""

from libc.string cimport strlen

cdef enum:
    # kinds of elements, by tag
    VOID_KIND = 1
    RAW_KIND = 2  # holds text that is not escaped
    TABLE_KIND = 4
    FOREIGN_KIND = 8  # begins SVG or MathML
    OPEN_ENDED_KIND = 16  # has no end that could be found
    INPUT_KIND = 32
    NEWLINE_KIND = 64  # a first newline is written twice
    STRICT_KIND = 128  # no place for an input
    # what rows are
    FOREIGN_ROW = 1
    HTML_BELOW = 2  # an element of SVG or MathML that holds HTML
    MATH_ROW = 4
    INPUT_BELOW = 8


cdef class TagTable:
    """Numbers and kinds of tags by name."""

    cdef ByteStrings names
    cdef bytes kinds

    def __cinit__(self, tuple names not None, bytes kinds not None):
        """Names in the order of their numbers, and a byte of kinds for each."""
        self.names, self.kinds = ByteStrings(), kinds
        if len(kinds) != len(names) or [self.names.add_str(name) for name in names] != list(
                range(len(names))):
            raise ValueError("one kind for each name, and each name once")


cdef inline bint is_name(const unsigned char* text, Py_ssize_t size, const char* name) noexcept:
    return <size_t> size == strlen(name) and memcmp(text, name, size) == 0


cdef class TreeScanner:
    """Reads the nodes of a written tree in document order."""

    cdef readonly IntBuffer tag
    cdef readonly IntBuffer size
    cdef readonly IntBuffer parent
    cdef readonly IntBuffer chars
    cdef readonly IntBuffer words
    cdef readonly IntBuffer foreign
    cdef readonly IntBuffer blank_row
    cdef readonly IntBuffer blank_parent
    cdef readonly PageTexts texts
    cdef readonly PageTexts blanks  # texts of nothing but white space
    cdef readonly WantedAttributes wanted
    cdef readonly Py_ssize_t nodes  # elements and attributes
    cdef ByteStrings custom_names
    cdef TagTable tags
    cdef References references
    cdef EscapedValues addresses
    cdef Buffer scratch
    cdef Buffer flags  # what each row is
    cdef Buffer opened  # names of the elements that are open, as spans of the tree
    cdef const uint8_t[::1] table
    cdef unsigned char* tree
    cdef const unsigned char* end
    cdef int32_t current  # row of the element that is open, or -1
    cdef int32_t script
    cdef int32_t style
    cdef Py_ssize_t max_nodes
    cdef object refuse
    cdef SourceMask mask  # what was cut out of the source

    def __cinit__(
        self, bytes tree not None, TagTable tags not None, References references not None,
        raw, table, limit, SourceMask mask not None,
    ):
        """The written tree of a source, which is changed where it masks what is not escaped.

        `raw` are the tags of scripts and styles; `limit` a number of nodes and what refuses more.
        """
        self.tag, self.size, self.parent = IntBuffer(), IntBuffer(), IntBuffer()
        self.chars, self.words, self.foreign = IntBuffer(), IntBuffer(), IntBuffer()
        self.blank_row, self.blank_parent = IntBuffer(), IntBuffer()
        self.texts, self.blanks = PageTexts(), PageTexts()
        self.wanted, self.custom_names = WantedAttributes(), ByteStrings()
        self.tags, self.references, self.mask = tags, references, mask
        self.addresses = EscapedValues(tree, references)
        self.scratch, self.flags, self.opened = Buffer(), Buffer(), Buffer()
        self.script, self.style = raw
        self.max_nodes, self.refuse = limit
        self.table, self.current = table, -1
        if self.table.shape[0] == 0:
            raise ValueError("the table of characters is empty")
        self.tree = <unsigned char*> PyBytes_AsString(tree)  # nobody else has it
        self.end = self.tree + PyBytes_Size(tree)
        self.texts.tree, self.texts.data, self.texts.source = tree, self.tree, mask.source
        self.blanks.tree, self.blanks.data, self.blanks.more = tree, self.tree, self.texts.more

    @property
    def custom(self):
        """Names that HTML lacks, in the order of their numbers."""
        cdef Py_ssize_t at
        return tuple([self.custom_names.value(at) for at in range(self.custom_names.count)])

    def scan(self):
        """Read all nodes; false if the tree cannot be told from its text."""
        cdef const unsigned char* at = self.tree
        if self.tag.used or self.end - self.tree > 0x7FFFFFFF:
            raise ValueError("a tree is read once, and has less than two gigabytes")
        while at < self.end:
            if at[0] != c"<":
                at = self._read_text(at)
            elif at[1] == c"/":
                at = self._close(at + 2)
            elif at[1] == c"!" or at[1] == c"?":
                at = self._skip(at + 1)
            else:
                at = self._open(at + 1)
            if at == NULL:
                return False
        self.wanted.addresses = self.addresses
        return self.current == -1

    def finish(self, int32_t body, int32_t frameset):
        """The row of the body or frameset, or -1."""
        cdef Py_ssize_t row = 0
        for column in (self.tag, self.size, self.parent, self.chars, self.words):
            (<IntBuffer> column).grow(self.tag.used)
        while row < self.tag.used:
            if self.parent.values[row] <= 0 and (
                    self.tag.values[row] == body or self.tag.values[row] == frameset):
                return row
            row += 1 if row == 0 else self.size.values[row]
        return -1

    # -- elements -------------------------------------------------------------------------------

    cdef const unsigned char* _open(self, const unsigned char* name) except? NULL:
        """Read a start tag, and the text of an element that holds nothing else."""
        cdef const unsigned char* at = name
        cdef int32_t row = <int32_t> self.tag.used
        cdef unsigned char kind, flags
        while at[0] != c">" and at[0] != c" ":
            if at[0] == MASKED or at == self.end:
                return NULL
            at += 1
        cdef Py_ssize_t size = at - name, number = self.tags.names.find(name, size)
        if number >= 0:
            kind = self.tags.kinds[number]
        elif is_name(name, size, "mglyph") or is_name(name, size, "malignmark"):
            return NULL  # the tree does not tell whether they are MathML
        else:
            kind, number = 0, self.tags.names.count + self.custom_names.add(name, size)
        flags = self._flags(name, size, kind)
        if flags & FOREIGN_ROW:
            self.foreign.push(row)
            kind = 0
        self._add_row(<int32_t> number, 0, 0, flags)
        if kind & OPEN_ENDED_KIND or (
                kind & (INPUT_KIND | TABLE_KIND) and self.mask.wide and self._is_misplaced(kind)):
            return NULL
        if at[0] == c" ":
            at = self._read_attributes(at, row, kind)
            if at == NULL:
                return NULL
        self.nodes += 1
        if self.nodes > self.max_nodes:
            self.refuse()
        at += 1
        if kind & VOID_KIND:
            return at
        self._push_name(name, size)
        self.current = row
        if kind & NEWLINE_KIND and at[0] == 10:
            at += 1
        return self._read_raw(at, name, size) if kind & RAW_KIND else at

    cdef bint _is_misplaced(self, unsigned char kind) noexcept:
        """Whether an input may have been put elsewhere, which the parser does in wide pages.

        It does not see that an input is hidden, and takes it out of a table. Such a table stands
        behind the input, or behind an element that holds it.
        """
        cdef int32_t row = self.current
        cdef int32_t tag = self.tag.values[row] if row >= 0 else 0
        if kind & TABLE_KIND:
            return row >= 0 and self.flags.data[row] & INPUT_BELOW
        while row >= 0 and not self.flags.data[row] & INPUT_BELOW:
            self.flags.data[row] |= INPUT_BELOW
            row = self.parent.values[row]
        return tag < len(self.tags.kinds) and self.tags.kinds[tag] & STRICT_KIND

    cdef int _push_name(self, const unsigned char* name, Py_ssize_t size) except -1:
        """Note the name of an element that its end tag must have."""
        cdef Span* span
        self.opened.reserve(sizeof(Span))
        span = <Span*> (self.opened.data + self.opened.used)
        span.first, span.size = name - self.tree, size
        self.opened.used += sizeof(Span)
        return 0

    cdef unsigned char _flags(
        self, const unsigned char* name, Py_ssize_t size, unsigned char kind
    ) noexcept:
        """Whether an element is of SVG or MathML, given the one that is open."""
        cdef unsigned char above = self.flags.data[self.current] if self.current >= 0 else 0
        cdef unsigned char math
        if not above & FOREIGN_ROW and not kind & FOREIGN_KIND:
            return 0
        if above & HTML_BELOW and not kind & FOREIGN_KIND:
            return 0
        if above & FOREIGN_ROW and not above & HTML_BELOW:
            math = above & MATH_ROW
            if math and is_name(name, size, "svg") and self._is_open("annotation-xml"):
                math = 0
        else:
            math = MATH_ROW if is_name(name, size, "math") else 0
        return FOREIGN_ROW | math | (HTML_BELOW if self._holds_html(name, size, math) else 0)

    cdef bint _is_open(self, const char* name) noexcept:
        """Whether the element that is open has this name."""
        cdef Span* span = <Span*> (self.opened.data + self.opened.used - sizeof(Span))
        return is_name(self.tree + span.first, span.size, name)

    cdef bint _holds_html(
        self, const unsigned char* name, Py_ssize_t size, unsigned char math
    ) noexcept:
        """Whether an element of SVG or MathML holds HTML."""
        if not math:
            return is_name(name, size, "foreignObject") or is_name(name, size, "desc") or (
                is_name(name, size, "title"))
        if size == 2:
            return name[0] == c"m" and (
                name[1] == c"i" or name[1] == c"o" or name[1] == c"n" or name[1] == c"s")
        return is_name(name, size, "mtext")

    cdef const unsigned char* _read_attributes(
        self, const unsigned char* at, int32_t row, unsigned char kind
    ) except? NULL:
        """Read the attributes of a row; gives the place of the `>` behind them."""
        cdef const unsigned char* name
        cdef const unsigned char* value
        cdef int wanted
        while at[0] == c" ":
            name = at + 1
            at = name + 1  # a name may begin with `=`
            while at < self.end and at[0] != c"=":
                at += 1
            value = at + 2
            if value > self.end or at[1] != c'"':
                return NULL
            wanted = number_wanted(<const char*> name, at - name)
            at = <const unsigned char*> memchr(value, c'"', self.end - value)
            if at == NULL:
                return NULL
            self.nodes += 1
            if wanted >= 0:
                if wanted == TYPE and kind & INPUT_KIND and memchr(value, MASKED, at - value) != NULL:
                    return NULL  # `hidden` by references
                self._keep(wanted, row, value, at - value)
            elif self.flags.data[row] & MATH_ROW and at - value > 8 and (
                    is_name(name, value - 2 - name, "encoding")):
                if memchr(value, MASKED, at - value) != NULL:
                    return NULL
                self._mark_annotation(row, value, at - value)
            at += 1
        return at if at[0] == c">" else NULL

    cdef int _mark_annotation(
        self, int32_t row, const unsigned char* encoding, Py_ssize_t size
    ) except -1:
        """Note that an annotation holds HTML if its encoding is that."""
        written = encoding[:size].lower()
        if self.tag.values[row] >= self.tags.names.count and written in (
                b"text/html", b"application/xhtml+xml"):
            if self.custom_names.value(
                    self.tag.values[row] - self.tags.names.count) == "annotation-xml":
                self.flags.data[row] |= HTML_BELOW
        return 0

    cdef int _keep(
        self, int wanted, int32_t row, const unsigned char* value, Py_ssize_t size
    ) except -1:
        """Keep an attribute."""
        if wanted == HREF:
            self.wanted.note(HREF, row, self.addresses.add(value - self.tree, size))
            return 0
        self.wanted.note(wanted, row, add_value(
            value, size, self.wanted.strings(wanted), self.references, self.scratch))
        return 0

    cdef const unsigned char* _close(self, const unsigned char* name) noexcept:
        """Read an end tag; NULL if it is not that of the element that is open."""
        cdef Span* span
        if self.current < 0:
            return NULL
        span = <Span*> (self.opened.data + self.opened.used - sizeof(Span))
        if self.end - name <= span.size or name[span.size] != c">" or (
                memcmp(name, self.tree + span.first, span.size) != 0):
            return NULL
        self.opened.used -= sizeof(Span)
        self.size.values[self.current] = <int32_t> self.tag.used - self.current
        self.current = self.parent.values[self.current]
        return name + span.size + 1

    cdef int _add_row(
        self, int32_t tag, int32_t chars, int32_t words, unsigned char flags
    ) except -1:
        self.tag.push(tag)
        self.size.push(1)
        self.parent.push(self.current)
        self.chars.push(chars)
        self.words.push(words)
        self.flags.reserve(1)
        self.flags.data[self.flags.used] = flags
        self.flags.used += 1
        return 0

    # -- texts ----------------------------------------------------------------------------------

    cdef const unsigned char* _skip(self, const unsigned char* at) noexcept:
        """Skip a comment, a doctype or a processing instruction."""
        if at[0] != c"!" or at[1] != c"-":
            at = <const unsigned char*> memchr(at, c">", self.end - at)
            return at + 1 if at != NULL else NULL
        at += 3
        while True:
            if at > self.end:
                return NULL
            at = <const unsigned char*> memchr(at, c">", self.end - at)
            if at == NULL:
                return NULL
            if (at - 1)[0] == c"-" and (at - 2)[0] == c"-":
                return at + 1
            at += 1

    cdef const unsigned char* _read_text(self, const unsigned char* first) except? NULL:
        """Read a text; gives the place behind it."""
        cdef const unsigned char* last = <const unsigned char*> memchr(
            first, c"<", self.end - first)
        if last == NULL:
            last = self.end
        if not is_escaped(first, last - first):
            self._add_text(first - self.tree, last - first, first)
            return last
        if self.current >= 0 and self.flags.data[self.current] & FOREIGN_ROW and (
                b"<![CDATA[" in self.mask.source):
            return NULL
        cdef Buffer more = self.texts.more
        cdef Py_ssize_t used = more.used
        self.references.read(first, last, more, False)
        self._add_text(-used - 1, more.used - used, more.data + used)
        return last

    cdef const unsigned char* _read_raw(
        self, const unsigned char* first, const unsigned char* name, Py_ssize_t size
    ) except? NULL:
        """Read the text of an element that holds nothing else; gives the place of its end tag.

        NULL for a script with `<!--` in which another one begins, which may end too.
        """
        cdef const unsigned char* last = first
        cdef bint script = self.tag.values[self.current] == self.script, commented = False
        while True:
            last = <const unsigned char*> memchr(last, c"<", self.end - last)
            if last == NULL or self.end - last < size + 3:
                return NULL
            if last[1] == c"/" and last[size + 2] == c">" and memcmp(last + 2, name, size) == 0:
                break
            if script and last[1] == c"!" and last[2] == c"-" and last[3] == c"-":
                commented = True
            if commented and last[1] | 32 == c"s" and last[2] | 32 == c"c" and (
                    last[3] | 32 == c"r"):
                return NULL
            last += 1
        if last > first:
            self._add_raw(first, last - first)
        return last

    cdef int _add_raw(self, const unsigned char* first, Py_ssize_t size) except -1:
        """Add a text that is not escaped; it is unmasked where it stands, or was cut out."""
        cdef Py_ssize_t cut = self.mask.find_cut(first, size)
        if cut >= 0:
            self._add_row(0, 0, 0, 0)
            return self.texts.add(self.mask.cuts[cut].first, -self.mask.cuts[cut].size)
        if memchr(first, MASKED, size) != NULL:
            unmask_bytes(self.tree + (first - self.tree), size)
        return self._add_text(first - self.tree, size, first)

    cdef int _add_text(
        self, Py_ssize_t place, Py_ssize_t size, const unsigned char* text
    ) except -1:
        """Add a text as a row, or as a blank."""
        cdef Measures found
        cdef bint blank
        cdef int32_t tag = self.tag.values[self.current] if self.current >= 0 else -1
        if tag == self.script or tag == self.style:
            found.chars = found.words = 0
            blank = is_white(text, size)
        else:
            found = measure_utf8(
                text, size, &self.table[0], <uint32_t> self.table.shape[0] - 1)
            blank = found.chars == 0
        if blank:
            self.blank_row.push(<int32_t> self.tag.used)
            self.blank_parent.push(self.current)
            return self.blanks.add(place, size)
        self._add_row(0, found.chars, found.words, 0)
        return self.texts.add(place, size)


cdef bint is_white(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    """Whether a text has nothing but white space."""
    cdef const unsigned char* at = text
    while at < text + size:
        if not is_space(next_code(&at)):
            return False
    return True
