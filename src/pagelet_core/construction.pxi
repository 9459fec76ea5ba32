"""The tree of a page by the rules of the HTML standard, straight from the bytes of its source.

This is "tree construction" without what no method reads or few pages have. What it leaves out is
in doubt: framesets, MathML, `plaintext`, scripts in comments of scripts, CDATA sections and the
like. Such pages are left to the parser, which has the last word on what the tree of a page is.
"""

cdef enum:
    STEPS_PER_NODE = 64  # through the stacks; a page that takes more is made to be slow
    FREE_STEPS = 1000000
    MAX_DEPTH = 500  # of open elements; the parser itself goes down to 512


@cython.final
cdef class TreeConstructor(TableRules):
    """Builds the tree of a page."""

    cdef References references
    cdef CopyCounter copies
    cdef Py_ssize_t max_nodes
    cdef int32_t raw_in_svg  # name of an element that the parser's tokenizer alone takes for text

    def __cinit__(
        self, bytes source, TagTable tags not None, References references not None,
        Py_ssize_t max_nodes, Py_ssize_t adopted_nodes, Py_ssize_t max_cells,
    ):
        """The source in UTF-8, and limits: the most elements and attributes that a tree may have.

        The others are those of `pagelet.page.expansion`.
        """
        self.tags, self.references, self.max_nodes = tags, references, max_nodes
        self.kinds, self.custom = &tags.kinds[0], ByteStrings()
        self.copies = CopyCounter(adopted_nodes, max_cells)
        self.head = self.form = NOWHERE

    def build(self):
        """Build the tree; false if the page is left to the parser."""
        cdef Py_ssize_t size = self.end - self.text
        if self.node_count != 1 or size > 0x7FFFFFFF:
            raise ValueError("a tree is built once, of less than two gigabytes")
        if not is_utf8(self.text, self.end, &self.wide) or memchr(self.text, 27, size) != NULL or (
                memchr(self.text, 0, size) != NULL):
            return False
        self._read_source()
        return not self.doubtful and self._finish()

    @property
    def may_expand(self):
        """Whether the parser might copy more nodes than a tree may have."""
        return bool(self.copies.unclear or self.copies.copies > self.max_nodes)

    cdef int _read_source(self) except -1:
        cdef const unsigned char* at = self.text
        cdef const unsigned char* markup
        while at < self.end and not self.doubtful:
            markup = find_markup(at, self.end)
            if markup > at:
                self.copies.text(at, markup - at)
                self._text(at, markup)
                self.skips_newline = False
            if markup == self.end:
                break
            at = self._read_markup(markup)
            self.doubt(self.made > self.max_nodes or self.stack.used > MAX_DEPTH or (
                self.steps > FREE_STEPS + STEPS_PER_NODE * self.node_count))
        return 0

    cdef const unsigned char* _read_markup(self, const unsigned char* at) except NULL:
        """Read a tag or comment; gives the place behind it."""
        cdef const unsigned char* first = at
        self.skips_newline = False
        if c"a" <= at[1] | 32 <= c"z":
            return self._read_start(at + 1)
        if at[1] == c"/":
            return self._read_end(at + 2)
        if at[1] == c"!" and self.end - at > 3 and at[2] == c"-" and at[3] == c"-":
            at = skip_comment(at + 4, self.end)
        elif at[1] == c"!" and self.end - at > 8 and at[2] | 32 == c"d" and at[3] | 32 == c"o":
            return self._read_doctype(at)
        else:
            self.doubt(at[1] == c"!" and at[2] == c"[" and (
                self.nodes[self.current()].flags & FOREIGN) != 0)
            at = skip_bogus(at + 1, self.end)
        self.copies.text(first + 2, at - first - 2)
        self._comment()
        return at

    cdef int _comment(self) except -1:
        """Note a comment, which parts the texts around it."""
        if self.stack.used and (
                self.mode != AFTER_BODY or self.nodes[self.current()].flags & FOREIGN):
            self.append(self.current(), self.add_node(COMMENT_NODE))
        return 0

    cdef const unsigned char* _read_doctype(self, const unsigned char* at) noexcept:
        """Read a doctype, which matters only before everything else."""
        cdef const unsigned char* name = at + 9
        cdef const unsigned char* last = skip_bogus(at, self.end)
        if self.mode != INITIAL:
            self.doubt(not is_folded(at + 2, "doctype", 7))
            return last
        self.mode = BEFORE_HTML
        while name < last and is_separator(name[0]):
            name += 1
        if not is_folded(at + 2, "doctype", 7) or last - name < 5:
            self.quirks = UNCLEAR
        elif not is_folded(name, "html", 4):
            self.quirks = QUIRKS
        else:
            self.quirks = STANDARD if name[4] == c">" else UNCLEAR
        return last

    # -- texts ----------------------------------------------------------------------------------

    cdef int _text(self, const unsigned char* at, const unsigned char* last) except -1:
        """Read a text up to the next markup."""
        cdef Py_ssize_t place, size
        place = self._decode(at, last, &size)
        if self.skips_newline and size and self.place(place)[0] == 10:
            place, size = move_place(place, 1), size - 1
            if size == 0:
                return self.reopen()  # as the parser does
        if self.nodes[self.current()].flags & (FOREIGN | HTML_INSIDE) == FOREIGN:
            return self.write(place, size)
        while size > 0 and self._text_in_mode(&place, &size):
            pass
        return 0

    cdef Py_ssize_t _decode(
        self, const unsigned char* at, const unsigned char* last, Py_ssize_t* size
    ) except? -1:
        """The place and size of what a text means."""
        cdef Py_ssize_t used = self.more.used
        if not is_escaped(at, last - at):
            size[0] = last - at
            return at - self.text
        self.references.read(at, last, self.more, False)
        size[0] = self.more.used - used
        return -used - 1

    cdef bint _text_in_mode(self, Py_ssize_t* place, Py_ssize_t* size) except -1:
        """Insert a text, or what of it belongs here; true if something is left of it."""
        cdef const unsigned char* text = self.place(place[0])
        cdef Py_ssize_t blank = 0
        if self.mode == IN_BODY or self.mode == IN_CELL or self.mode == IN_CAPTION or (
                self.mode == IN_TEMPLATE):
            self._text_in_body(place[0], size[0])
            return False
        while blank < size[0] and is_separator(text[blank]):
            blank += 1
        if self.mode == AFTER_BODY:
            self.mode = IN_BODY if blank < size[0] else AFTER_BODY
            self._text_in_body(place[0], size[0])
            return False
        if self.mode >= IN_TABLE and self.mode != IN_COLUMN_GROUP:
            self._text_in_table(place[0], size[0], blank == size[0])
            return False
        if self.mode == IN_HEAD_NOSCRIPT and blank < size[0]:
            self._advance()  # with all of the text, as the parser does
            return True
        if blank and self.mode >= IN_HEAD:
            self.write(place[0], blank)
        place[0], size[0] = move_place(place[0], blank), size[0] - blank
        if size[0] == 0:
            return False
        if self.mode != IN_COLUMN_GROUP:
            self._advance()
        else:
            self._close_columns()
        return True

    cdef int _text_in_body(self, Py_ssize_t place, Py_ssize_t size) except -1:
        self.reopen()
        return self.write(place, size)

    cdef int _text_in_table(self, Py_ssize_t place, Py_ssize_t size, bint blank) except -1:
        """Insert a text in a table, or before it unless it is blank."""
        if blank and self.kind(self.current()) & FOSTERING_KIND:
            return self.write(place, size)
        self.fostering = True
        self._text_in_body(place, size)
        self.fostering = False
        return 0

    cdef const unsigned char* _read_raw(self, const unsigned char* at, int32_t name) except NULL:
        """Open an element that holds nothing but text, and read it through its end tag."""
        cdef const unsigned char* last = find_raw_end(
            at, self.end, TAG_NAMES[name], &self.doubtful)
        cdef Py_ssize_t place = at - self.text, size = last - at
        if not self.kinds[name] & RAW_KIND:
            place = self._decode(at, last, &size)
            if self.skips_newline and size and self.place(place)[0] == 10:
                place, size = move_place(place, 1), size - 1
        elif name != TAG_script and name != TAG_style and memchr(at, 13, size) != NULL:
            place = -self.more.used - 1
            add_normalised(self.more, at, last)
            size = self.more.used + place + 1
        self.skips_newline = False
        self.copies.text(at, last - at)
        self.copies.unclear = self.copies.unclear or last == self.end
        if size:
            self.add_text(self.current(), NOWHERE, place, size)
        self.pop()
        if last == self.end:
            return last
        self.copies.end(name, self.kinds[name])
        last = self.skip_rest(last + 2 + strlen(TAG_NAMES[name]))
        if last == NULL:
            self.doubtful = True
            return self.end
        return last

    # -- tags -----------------------------------------------------------------------------------

    cdef const unsigned char* _read_start(self, const unsigned char* at) except NULL:
        """Read a start tag and, where nothing else can follow, the text behind it."""
        cdef int32_t before = self.current()
        at = self._read_name(at)
        if at != NULL:
            self.first_attribute = <int32_t> self.attribute_count
            at = self.read_attributes(
                at, &self.attribute_number, self.tag_kind & FORMATTING_KIND != 0)
        if at == NULL:
            self.doubtful = True
            return self.end
        self._follow_start()
        if self.nodes[before].flags & (FOREIGN | HTML_INSIDE) == FOREIGN:
            if not self._start_in_svg():
                return at
        while not self._start_in_mode():
            pass
        if self.doubtful:
            return self.end
        before = self.current()
        if self.tag_kind & TEXT_KIND and self.nodes[before].name == self.name:
            if before == self.node_count - 1 and not self.nodes[before].flags & FOREIGN:
                return self._read_raw(at, self.name)
        return at

    cdef const unsigned char* _read_end(self, const unsigned char* at) except NULL:
        """Read an end tag."""
        if at == self.end or not c"a" <= at[0] | 32 <= c"z":
            if at == self.end or at[0] == c">":
                self.doubtful = True
                return self.end
            self._comment()
            return skip_bogus(at, self.end)
        at = self._read_name(at)
        if at != NULL:
            at = self.skip_rest(at)
        if at == NULL:
            self.doubtful = True
            return self.end
        self._follow_end()
        if self.nodes[self.current()].flags & FOREIGN and not self._end_in_svg():
            return at
        while not self._end_in_mode():
            pass
        return at

    cdef int _follow_start(self) except -1:
        """Count what the parser may copy at a start tag."""
        self.copies.unclear = self.copies.unclear or self.raw_in_svg != 0
        if self.nodes[self.current()].flags & FOREIGN and (
                self.tag_kind & TEXT_KIND or self.name == TAG_plaintext):
            self.raw_in_svg = self.name
        return self.copies.start(self.name, self._barrier(), self.attributes_read, self.self_closing)

    cdef int _follow_end(self) except -1:
        """Count what the parser may copy at an end tag."""
        if self.raw_in_svg and self.raw_in_svg != self.name:
            self.copies.unclear = True
        self.raw_in_svg = 0
        return self.copies.end(self.name, self._barrier())

    cdef int32_t _barrier(self) noexcept:
        """The kind of the tag that was read; some names that HTML lacks are barriers too."""
        if self.name >= TAG_COUNT and (
                self.tags.barriers.find(self.written.small, self.written.size) >= 0):
            return BARRIER_KIND
        return self.tag_kind

    # -- modes ----------------------------------------------------------------------------------

    cdef int _advance(self) except -1:
        """Take what opens the next mode for written, up to the body."""
        if self.mode == INITIAL:
            self.quirks, self.mode = QUIRKS, BEFORE_HTML
        elif self.mode == BEFORE_HTML:
            self.open_empty(TAG_html)
            self.mode = BEFORE_HEAD
        elif self.mode == BEFORE_HEAD:
            self.head = self.open_empty(TAG_head)
            self.mode = IN_HEAD
        elif self.mode == IN_HEAD or self.mode == IN_HEAD_NOSCRIPT:
            self.pop()
            self.mode = AFTER_HEAD if self.mode == IN_HEAD else IN_HEAD
        elif self.mode == AFTER_HEAD:
            self.open_empty(TAG_body)
            self.mode = IN_BODY
        return 0

    cdef bint _start_in_mode(self) except -1:
        """Read a start tag by the rules of the mode; false if it is to be read again."""
        self.doubt(
            self.name == TAG_table and self.opened[TAG_select] != 0 and self.mode != IN_BODY)
        if self.mode == IN_BODY:
            return self._start_in_body()
        if self.mode < IN_BODY:
            return self._start_in_head()
        if self.mode == IN_TABLE:
            return self._start_in_table()
        if self.mode == IN_CAPTION or self.mode == IN_CELL:
            return self._start_in_cell()
        if self.mode == IN_COLUMN_GROUP:
            return self._start_in_columns()
        if self.mode == IN_TABLE_BODY or self.mode == IN_ROW:
            return self._start_in_rows()
        if self.mode == IN_TEMPLATE:
            return self._start_in_template()
        self.doubt(self.name == TAG_html)
        self.mode = IN_BODY  # behind it
        return False

    cdef bint _end_in_mode(self) except -1:
        """Read an end tag by the rules of the mode; false if it is to be read again."""
        if self.mode == IN_BODY:
            return self._end_in_body()
        if self.mode < IN_BODY:
            return self._end_in_head()
        if self.mode == IN_TABLE:
            return self._end_in_table()
        if self.mode == IN_CAPTION:
            return self._end_in_caption()
        if self.mode == IN_CELL:
            return self._end_in_cell()
        if self.mode == IN_COLUMN_GROUP:
            return self._end_in_columns()
        if self.mode == IN_TABLE_BODY:
            return self._end_in_row_group()
        if self.mode == IN_ROW:
            return self._end_in_row()
        if self.mode == IN_TEMPLATE:
            return self._end_template() if self.name == TAG_template else True
        if self.name == TAG_html:
            return True
        self.doubt(self.name == TAG_template)
        self.mode = IN_BODY  # behind it
        return False

    cdef bint _finish(self) except -1:
        """Close everything at the end of the source."""
        while self.opened[TAG_template]:
            self._end_template()
        while self.mode < IN_BODY:
            self._advance()
        return True

    # -- before the body ------------------------------------------------------------------------

    cdef bint _start_in_head(self) except -1:
        """Read a start tag before the body."""
        self.doubt(self.mode == AFTER_HEAD and (self.name == TAG_html or self.name == TAG_head))
        if self.name == TAG_html and self.mode > BEFORE_HTML:
            return self._start_in_body()
        if self.mode == BEFORE_HTML and self.name == TAG_html:
            self._open()
            self.mode = BEFORE_HEAD
            return True
        if self.mode == BEFORE_HEAD and self.name == TAG_head:
            self.head = self._open()
            self.mode = IN_HEAD
            return True
        if self.mode == IN_HEAD_NOSCRIPT:
            return self._start_in_head_noscript()
        if self.mode >= IN_HEAD and self.name == TAG_head:
            return True
        if self.mode == IN_HEAD and (self.tag_kind & HEAD_KIND or self.name == TAG_noscript):
            return self._start_head_part()
        if self.mode == AFTER_HEAD:
            return self._start_after_head()
        self._advance()
        return False

    cdef bint _start_in_head_noscript(self) except -1:
        if self.name == TAG_head or self.name == TAG_noscript:
            return True
        if self.name in (TAG_basefont, TAG_bgsound, TAG_link, TAG_meta, TAG_noframes, TAG_style):
            return self._start_head_part()
        self._advance()
        return False

    cdef bint _start_after_head(self) except -1:
        if self.name == TAG_body:
            self._open()
            self.mode = IN_BODY
            return True
        if self.name == TAG_frameset:
            self.doubtful = True
            return True
        if not self.tag_kind & HEAD_KIND:
            self._advance()
            return False
        self.push(self.head)
        self._start_head_part()
        self.remove_open(self.head)
        return True

    cdef bint _end_in_head(self) except -1:
        """Read an end tag before the body."""
        if self.name == TAG_template and self.mode >= IN_HEAD and self.mode != IN_HEAD_NOSCRIPT:
            return self._end_template()
        if self.mode == IN_HEAD and self.name == TAG_head or (
                self.mode == IN_HEAD_NOSCRIPT and self.name == TAG_noscript):
            self._advance()
            return True
        if self.name == TAG_br or self.mode != IN_HEAD_NOSCRIPT and (
                self.name == TAG_body or self.name == TAG_html
                or (self.name == TAG_head and self.mode < IN_HEAD)) or self.mode == INITIAL:
            self._advance()
            return False
        return True


cdef inline Py_ssize_t move_place(Py_ssize_t place, Py_ssize_t by) noexcept nogil:
    """A place so many bytes behind another one."""
    return place + by if place >= 0 else place - by
