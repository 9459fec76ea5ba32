"""How tags in tables are read, after the HTML standard."""


cdef class TableRules(BodyRules):
    """Reads tags in tables."""

    cdef bint wide  # whether there is a character beyond Latin-1

    cdef bint _start_in_table(self) except -1:
        """Read a start tag in a table, outside of its rows."""
        cdef int32_t name = self.name
        if self.tag_kind & PART_KIND:
            self.close_to(0, TAG_table)
            if name == TAG_col:
                self.open_empty(TAG_colgroup)
                self.mode = IN_COLUMN_GROUP
                return False
            if self.tag_kind & CELL_KIND or name == TAG_tr:
                self.open_empty(TAG_tbody)
                self.mode = IN_TABLE_BODY
                return False
            if name == TAG_caption:
                push_number(&self.active, MARKER)
            self._open()
            self.mode = self._mode_in(name)
            return True
        if name == TAG_table:
            if not self.has_name(TAG_table, IN_TABLE_SCOPE):
                return True
            self.close_through(TAG_table)
            self._reset_mode()
            return False
        if name == TAG_style or name == TAG_script or name == TAG_template:
            return self._start_head_part()
        if name == TAG_input and self._is_hidden():
            return self._open_closed()
        if name == TAG_form:
            if not self.opened[TAG_template] and self.form == NOWHERE:
                self.form = self._open()
                self.pop()
            return True
        return self._start_before_table()

    cdef bint _start_before_table(self) except -1:
        """Put an element that does not belong into a table before it."""
        self.fostering = True
        self._start_in_body()
        self.fostering = False
        return True

    cdef bint _is_hidden(self) noexcept:
        """Whether an input is hidden, as the parser sees it: in wide pages, not in quotes."""
        cdef const Attribute* found = self._attribute("type")
        cdef const unsigned char* value
        if found == NULL:
            return False
        value = self.place(found.value)
        self.doubt(memchr(value, c"&", found.size) != NULL)
        return found.size == 6 and not (self.wide and found.quoted) and is_folded(
            value, "hidden", 6)

    cdef bint _start_in_cell(self) except -1:
        """Read a start tag in a cell or caption."""
        if not self.tag_kind & PART_KIND:
            return self._start_in_body()
        if self.mode == IN_CELL:
            if not self.has_kind(CELL_KIND, IN_TABLE_SCOPE):
                return True
            self._close_cell()
            return False
        return not self._close_caption()

    cdef int _close_cell(self) except -1:
        """Close the cell that is open."""
        self.close_implied()
        self.close_through_kind(CELL_KIND)
        self.clear_active()
        self.mode = IN_ROW
        return 0

    cdef bint _close_caption(self) except -1:
        """Close the caption that is open; false if there is none."""
        if not self.has_name(TAG_caption, IN_TABLE_SCOPE):
            return False
        self.close_implied()
        self.close_through(TAG_caption)
        self.clear_active()
        self.mode = IN_TABLE
        return True

    cdef bint _start_in_columns(self) except -1:
        """Read a start tag in a group of columns."""
        if self.name == TAG_html:
            return self._start_in_body()
        if self.name == TAG_col:
            return self._open_closed()
        if self.name == TAG_template:
            return self._start_head_part()
        return not self._close_columns()

    cdef bint _close_columns(self) except -1:
        """Close the group of columns that is open; false if there is none."""
        if not self.is_html(self.current(), TAG_colgroup):
            return False
        self.pop()
        self.mode = IN_TABLE
        return True

    cdef bint _start_in_rows(self) except -1:
        """Read a start tag in a row or a group of rows."""
        if self.mode == IN_ROW:
            if self.tag_kind & CELL_KIND:
                self.close_to(0, TAG_tr)
                self._open()
                self.mode = IN_CELL
                push_number(&self.active, MARKER)
                return True
            return not self._close_row() if self.tag_kind & PART_KIND else self._start_in_table()
        if self.name == TAG_tr:
            self.close_to(ROW_GROUP_KIND, NOWHERE)
            self._open()
            self.mode = IN_ROW
            return True
        if self.tag_kind & CELL_KIND:
            self.close_to(ROW_GROUP_KIND, NOWHERE)
            self.open_empty(TAG_tr)
            self.mode = IN_ROW
            return False
        return not self._close_row_group() if self.tag_kind & PART_KIND else self._start_in_table()

    cdef bint _close_row(self) except -1:
        """Close the row that is open; false if there is none."""
        if not self.has_name(TAG_tr, IN_TABLE_SCOPE):
            return False
        self.close_to(0, TAG_tr)
        self.pop()
        self.mode = IN_TABLE_BODY
        return True

    cdef bint _close_row_group(self) except -1:
        """Close the group of rows that is open; false if there is none."""
        if not self.has_kind(ROW_GROUP_KIND, IN_TABLE_SCOPE):
            return False
        self.close_to(ROW_GROUP_KIND, NOWHERE)
        self.pop()
        self.mode = IN_TABLE
        return True

    cdef bint _start_in_template(self) except -1:
        """Read the first start tag in a template; parts of tables are left to the parser."""
        if self.tag_kind & HEAD_KIND:
            return self._start_head_part()
        self.doubt(self.tag_kind & PART_KIND != 0)
        self.mode = IN_BODY
        self.template_modes.values[self.template_modes.used - 1] = self.mode
        return False

    cdef bint _end_in_table(self) except -1:
        """Read an end tag in a table, outside of its rows."""
        if self.name == TAG_table:
            if self.has_name(TAG_table, IN_TABLE_SCOPE):
                self.close_through(TAG_table)
                self._reset_mode()
            return True
        if self.tag_kind & PART_KIND or self.name == TAG_body or self.name == TAG_html:
            return True
        if self.name == TAG_template:
            return self._end_template()
        self.fostering = True
        self._end_in_body()
        self.fostering = False
        return True

    cdef bint _end_in_caption(self) except -1:
        if self.name == TAG_caption or self.name == TAG_table:
            return not self._close_caption() or self.name == TAG_caption
        if self.tag_kind & PART_KIND or self.name == TAG_body or self.name == TAG_html:
            return True
        return self._end_in_body()

    cdef bint _end_in_cell(self) except -1:
        cdef int32_t name = self.name
        if self.tag_kind & CELL_KIND:
            if self.has_name(name, IN_TABLE_SCOPE):
                self.close_implied()
                self.close_through(name)
                self.clear_active()
                self.mode = IN_ROW
            return True
        if name == TAG_table or name == TAG_tr or self.tag_kind & ROW_GROUP_KIND:
            if not self.has_name(name, IN_TABLE_SCOPE):
                return True
            self._close_cell()
            return False
        if self.tag_kind & PART_KIND or name == TAG_body or name == TAG_html:
            return True
        return self._end_in_body()

    cdef bint _end_in_columns(self) except -1:
        if self.name == TAG_template:
            return self._end_template()
        return not self._close_columns() or self.name == TAG_colgroup

    cdef bint _end_in_row_group(self) except -1:
        if self.tag_kind & ROW_GROUP_KIND:
            if self.has_name(self.name, IN_TABLE_SCOPE):
                self._close_row_group()
            return True
        if self.name == TAG_table:
            return not self._close_row_group()
        if self.tag_kind & PART_KIND or self.name == TAG_body or self.name == TAG_html:
            return True
        return self._end_in_table()

    cdef bint _end_in_row(self) except -1:
        if self.name == TAG_tr or self.name == TAG_table:
            return not self._close_row() or self.name == TAG_tr
        if self.tag_kind & ROW_GROUP_KIND:
            return not (self.has_name(self.name, IN_TABLE_SCOPE) and self._close_row())
        if self.tag_kind & PART_KIND or self.name == TAG_body or self.name == TAG_html:
            return True
        return self._end_in_table()
