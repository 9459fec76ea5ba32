"""How tags in the body of a page are read, after the HTML standard: "in body" and SVG.

What an unusual page may hold but no rule here treats makes it doubtful.
"""

cdef enum:
    # insertion modes
    INITIAL = 0
    BEFORE_HTML = 1
    BEFORE_HEAD = 2
    IN_HEAD = 3
    IN_HEAD_NOSCRIPT = 4
    AFTER_HEAD = 5
    IN_BODY = 6
    IN_TABLE = 7
    IN_CAPTION = 8
    IN_COLUMN_GROUP = 9
    IN_TABLE_BODY = 10
    IN_ROW = 11
    IN_CELL = 12
    IN_TEMPLATE = 13
    AFTER_BODY = 14
    # whether the doctype asks for quirks
    STANDARD = 0
    QUIRKS = 1
    UNCLEAR = 2


cdef class BodyRules(TagReader):
    """Reads tags in the body."""

    cdef Numbers template_modes
    cdef int mode
    cdef int quirks
    cdef int32_t head
    cdef int32_t form
    cdef bint doubtful  # whether the page is left to the parser
    cdef bint skips_newline  # that may come next

    def __dealloc__(self):
        free(self.template_modes.values)

    cdef inline void doubt(self, bint reason) noexcept:
        """Leave the page to the parser if there is a reason."""
        self.doubtful = self.doubtful or reason

    cdef int _reset_mode(self) except -1:
        """Find the mode by the elements that are open."""
        cdef Py_ssize_t at = self.stack.used
        cdef int32_t name
        self.mode = IN_BODY
        while at > 1:
            at -= 1
            self.steps += 1
            if self.nodes[self.stack.values[at]].flags & FOREIGN:
                continue
            name = self.nodes[self.stack.values[at]].name
            self.mode = self._mode_in(name)
            if self.mode != INITIAL:
                return 0
        self.mode = BEFORE_HEAD if self.head == NOWHERE else AFTER_HEAD
        return 0

    cdef int _mode_in(self, int32_t name) noexcept:
        """The mode in an element, or none."""
        if name == TAG_td or name == TAG_th:
            return IN_CELL
        if name == TAG_tr:
            return IN_ROW
        if name == TAG_tbody or name == TAG_thead or name == TAG_tfoot:
            return IN_TABLE_BODY
        if name == TAG_caption:
            return IN_CAPTION
        if name == TAG_colgroup:
            return IN_COLUMN_GROUP
        if name == TAG_table:
            return IN_TABLE
        if name == TAG_template:
            return self.template_modes.values[self.template_modes.used - 1]
        if name == TAG_head:
            return IN_HEAD
        return IN_BODY if name == TAG_body else INITIAL

    cdef bint _start_head_part(self) except -1:
        """Insert an element that belongs into the head."""
        self._open()
        if self.name == TAG_template:
            self.doubt(self._attribute("shadowrootmode") != NULL)
            push_number(&self.active, MARKER)
            push_number(&self.template_modes, IN_TEMPLATE)
            self.mode = IN_TEMPLATE
        elif self.name == TAG_noscript:
            self.mode = IN_HEAD_NOSCRIPT
        elif self.tag_kind & VOID_KIND:
            self.pop()
        return True

    cdef bint _end_template(self) except -1:
        """Close a template."""
        if self.opened[TAG_template]:
            self.close_through(TAG_template)
            self.clear_active()
            self.template_modes.used -= 1
            self._reset_mode()
        return True

    # -- the body -------------------------------------------------------------------------------

    cdef bint _start_in_body(self) except -1:
        """Read a start tag in the body; always true."""
        cdef int32_t name = self.name, kind = self.tag_kind
        if name >= TAG_COUNT:
            self.doubt(self._is_rare())
            self.reopen()
            self._open()
        elif kind & BLOCK_KIND:
            self.close_paragraph()
            if kind & HEADING_KIND and self.kind(self.current()) & HEADING_KIND:
                self.pop()
            self._open()
            self.skips_newline = name == TAG_pre or name == TAG_listing
        elif kind & FORMATTING_KIND:
            self._start_formatting()
        elif kind & HEAD_KIND:
            self._start_head_part()
        elif kind & PART_KIND or name == TAG_head or name == TAG_frame:
            pass
        elif name == TAG_html or name == TAG_body:
            self._merge_root()
        elif not self._start_special():
            if name != TAG_param and name != TAG_source and name != TAG_track:
                self.reopen()
            self._open()
            if kind & VOID_KIND:
                self.pop()
        return True

    cdef bint _is_rare(self) noexcept:
        """Whether a tag that is not in the table has rules of its own."""
        cdef const unsigned char* name = self.written.small
        cdef Py_ssize_t size = self.written.size
        return is_name(name, size, "image") or is_name(name, size, "keygen") or (
            is_name(name, size, "selectedcontent"))

    cdef int _merge_root(self) except -1:
        """Add the attributes of another `html` or `body` tag to those of the first."""
        if self.opened[TAG_template]:
            return 0
        if self.name == TAG_html:
            return self._merge(self.stack.values[0])
        if self.stack.used > 1 and self.is_html(self.stack.values[1], TAG_body):
            return self._merge(self.stack.values[1])
        return 0

    cdef int _start_formatting(self) except -1:
        """Open a formatting element."""
        cdef int32_t node
        if self.name == TAG_a:
            node = self.find_active(TAG_a)
            if node != NOWHERE:
                self.adopt(TAG_a)
                self.deactivate(node)
                self.remove_open(node)
        self.reopen()
        if self.name == TAG_nobr and self.has_name(TAG_nobr):
            self._end_formatting()
            self.reopen()
        return self.activate(self._open())

    cdef bint _start_special(self) except -1:
        """Read a start tag with rules of its own; false if it has none."""
        cdef int32_t name = self.name
        if name == TAG_li or name == TAG_dd or name == TAG_dt:
            self._start_item()
        elif name == TAG_form:
            if self.form == NOWHERE or self.opened[TAG_template]:
                self.close_paragraph()
                self._open()
                if not self.opened[TAG_template]:
                    self.form = self.current()
        elif name == TAG_table:
            self._start_table()
        elif name == TAG_button:
            if self.has_name(TAG_button):
                self.close_implied()
                self.close_through(TAG_button)
            return False
        elif self.tag_kind & MARKED_KIND:
            self.reopen()
            self._open()
            push_number(&self.active, MARKER)
        elif name == TAG_svg:
            self.reopen()
            self._open_svg()
        elif name == TAG_math or name == TAG_plaintext or name == TAG_frameset:
            self.doubtful = True
        else:
            return self._start_field() or self._start_raw()
        return True

    cdef int _start_table(self) except -1:
        if self.opened[TAG_p] and self.quirks != QUIRKS and self.has_name(TAG_p, IN_BUTTON_SCOPE):
            self.doubt(self.quirks == UNCLEAR)
            self.close_paragraph()
        self._open()
        self.mode = IN_TABLE
        return 0

    cdef bint _start_field(self) except -1:
        """Read the start tag of a field of a form, a rule or an annotation; false for others."""
        cdef int32_t name = self.name
        cdef bint selecting = self.opened[TAG_select] and self.has_name(TAG_select)
        if name == TAG_select or name == TAG_input:
            if selecting:
                self.close_through(TAG_select)
                return name == TAG_select
            return False
        if name == TAG_option or name == TAG_optgroup:
            if selecting:
                self.close_implied(TAG_optgroup if name == TAG_option else NOWHERE)
            elif self.is_html(self.current(), TAG_option):
                self.pop()
            return False
        if name == TAG_hr:
            self.close_paragraph()
            if selecting:
                self.close_implied()
            return self._open_closed()
        if name == TAG_rb or name == TAG_rtc or name == TAG_rp or name == TAG_rt:
            if self.has_name(TAG_ruby):
                self.close_implied(TAG_rtc if name == TAG_rp or name == TAG_rt else NOWHERE)
            self._open()
            return True
        return False

    cdef bint _start_raw(self) except -1:
        """Open an element that holds nothing but text; false for others."""
        if self.name == TAG_xmp:
            self.close_paragraph()
            self.reopen()
        elif self.name == TAG_textarea:
            self.skips_newline = True
        elif self.name != TAG_iframe and self.name != TAG_noembed:
            return False
        self._open()
        return True

    cdef int _start_item(self) except -1:
        """Open an item of a list, and close the one before it."""
        cdef Py_ssize_t at = self.stack.used
        cdef int32_t node, name
        while at > 0:
            at -= 1
            self.steps += 1
            node = self.stack.values[at]
            name = self.nodes[node].name
            if not self.nodes[node].flags & FOREIGN and (name == self.name or (
                    self.name != TAG_li and (name == TAG_dd or name == TAG_dt))):
                self.close_implied(name)
                self.close_through(name)
                break
            if self.kind(node) & SPECIAL_KIND and (
                    self.nodes[node].flags & FOREIGN
                    or name != TAG_address and name != TAG_div and name != TAG_p):
                break
        self.close_paragraph()
        self._open()
        return 0

    cdef bint _end_in_body(self) except -1:
        """Read an end tag in the body; false if it is to be read again."""
        cdef int32_t name = self.name, kind = self.tag_kind
        if name == TAG_p:
            if not self.has_name(TAG_p, IN_BUTTON_SCOPE):
                self.open_empty(TAG_p)
            self.close_paragraph()
        elif kind & FORMATTING_KIND:
            self._end_formatting()
        elif kind & (BLOCK_END_KIND | MARKED_KIND) or name == TAG_dd or name == TAG_dt:
            if self.has_name(name):
                self.close_implied(name if name == TAG_dd or name == TAG_dt else NOWHERE)
                self.close_through(name)
                if kind & MARKED_KIND:
                    self.clear_active()
        elif name == TAG_li:
            if self.has_name(TAG_li, IN_LIST_SCOPE):
                self.close_implied(TAG_li)
                self.close_through(TAG_li)
        elif kind & HEADING_KIND:
            if self.has_kind(HEADING_KIND):
                self.close_implied()
                self.close_through_kind(HEADING_KIND)
        elif name == TAG_body or name == TAG_html:
            if self.has_name(TAG_body):
                self.mode = AFTER_BODY
        elif name == TAG_form:
            self._end_form()
        elif name == TAG_template:
            self._end_template()
        elif name == TAG_br:
            self.attribute_number = self.attributes_read = 0
            self.reopen()
            self._open_closed()
        else:
            self._end_other()
        return True

    cdef int _end_formatting(self) except -1:
        if not self.adopt(self.name):
            self._end_other()
        return 0

    cdef int _end_form(self) except -1:
        """Close a form; what is open in it stays open."""
        cdef int32_t node = self.form
        if self.opened[TAG_template]:
            if self.has_name(TAG_form):
                self.close_implied()
                self.close_through(TAG_form)
            return 0
        self.form = NOWHERE
        if node != NOWHERE and self.nodes[node].flags & OPEN and self.has_node(node):
            self.close_implied()
            self.remove_open(node)
        return 0

    cdef int _end_other(self) except -1:
        """Close the last element of a name, unless a special one is open in it."""
        cdef Py_ssize_t at = self.stack.used
        cdef int32_t node
        while at > 0:
            at -= 1
            self.steps += 1
            node = self.stack.values[at]
            if self.is_html(node, self.name):
                self.close_implied(self.name)
                while self.stack.used > at:
                    self.pop()
                return 0
            if self.kind(node) & SPECIAL_KIND:
                return 0
        return 0

    # -- SVG ------------------------------------------------------------------------------------

    cdef int32_t _open_svg(self) except -1:
        """Open an element of SVG."""
        cdef int32_t node = self._open(FOREIGN)
        cdef Py_ssize_t number
        self.doubt(self.name == TAG_template or self.tag_kind & IMPLIED_KIND != 0)
        if self.name >= TAG_COUNT:
            number = self.tags.svg_names.find(self.written.small, self.written.size)
            if number >= 0:
                self.nodes[node].tag = <int32_t> (
                    TAG_COUNT + self.custom.add_str(self.tags.svg_spelled[number]))
        if self.name == TAG_title or is_name(self.written.small, self.written.size, "desc") or (
                is_name(self.written.small, self.written.size, "foreignobject")):
            self.nodes[node].flags |= HTML_INSIDE
        if self.self_closing:
            self.pop()
        return 0

    cdef bint _start_in_svg(self) except -1:
        """Read a start tag in SVG; true if it ends SVG, and is one of HTML."""
        if not self.tag_kind & BREAKOUT_KIND and not (
                self.name == TAG_font and (self._attribute("color") != NULL
                or self._attribute("face") != NULL or self._attribute("size") != NULL)):
            self._open_svg()
            return False
        self._leave_svg()
        return True

    cdef void _leave_svg(self) noexcept:
        """Close the elements of SVG that hold no HTML."""
        while self.nodes[self.current()].flags & (FOREIGN | HTML_INSIDE) == FOREIGN:
            self.pop()

    cdef bint _end_in_svg(self) except -1:
        """Read an end tag in SVG; true if it is one of HTML."""
        cdef Py_ssize_t at = self.stack.used
        if self.name == TAG_br or self.name == TAG_p:
            self._leave_svg()
            return True
        while at > 1:
            at -= 1
            self.steps += 1
            if not self.nodes[self.stack.values[at]].flags & FOREIGN:
                return True
            if self.nodes[self.stack.values[at]].name == self.name:
                while self.stack.used > at:
                    self.pop()
                return False
        return False
