"""The columns of a page from its tree, the twin of what `pagelet.page.builder` makes."""


@cython.final
cdef class TreeColumns:
    """The nodes of a tree in document order."""

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
    cdef readonly PageAttributes attrs
    cdef TreeConstructor tree
    cdef ByteStrings custom_names
    cdef Buffer scratch
    cdef const uint8_t[::1] table

    def __cinit__(self, TreeConstructor tree not None, table):
        """A tree that was built, and the table of characters."""
        self.tag, self.size, self.parent = IntBuffer(), IntBuffer(), IntBuffer()
        self.chars, self.words, self.foreign = IntBuffer(), IntBuffer(), IntBuffer()
        self.blank_row, self.blank_parent = IntBuffer(), IntBuffer()
        self.texts, self.blanks = PageTexts(), PageTexts()
        self.wanted, self.custom_names = WantedAttributes(), ByteStrings()
        self.tree, self.table, self.scratch = tree, table, Buffer()
        self.attrs = PageAttributes(tree.source, tree.references, tree.tags)
        if self.table.shape[0] == 0:
            raise ValueError("the table of characters is empty")
        for texts in (self.texts, self.blanks):
            (<PageTexts> texts).source, (<PageTexts> texts).data = tree.source, tree.text
            (<PageTexts> texts).more = tree.more
        for column in (self.tag, self.size, self.parent, self.chars, self.words):
            (<IntBuffer> column).grow(max(tree.node_count, <Py_ssize_t> 8))
        self._fill()

    @property
    def custom(self):
        """Names that HTML lacks, in the order of their numbers."""
        cdef Py_ssize_t at
        return tuple([self.custom_names.value(at) for at in range(self.custom_names.count)])

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

    cdef int _fill(self) except -1:
        """Walk through the tree, down before onwards."""
        cdef TreeNode* nodes = self.tree.nodes
        cdef int32_t node = nodes[0].first, above = NOWHERE
        while node != NOWHERE:
            if nodes[node].tag == TEXT_NODE:
                self._add_text(&nodes[node], above)
            elif nodes[node].tag > 0:
                self._add_element(&nodes[node], above)
                if nodes[node].first != NOWHERE:
                    above = <int32_t> self.tag.used - 1
                    node = nodes[node].first
                    continue
            while nodes[node].after == NOWHERE:
                node = nodes[node].parent
                if node <= 0:
                    return 0
                self.size.values[above] = <int32_t> self.tag.used - above
                above = self.parent.values[above]
            node = nodes[node].after
        return 0

    cdef int _add_row(self, int32_t tag, int32_t above, int32_t chars, int32_t words) except -1:
        """Add a row, for which there is room."""
        cdef Py_ssize_t row = self.tag.used
        self.tag.values[row], self.size.values[row], self.parent.values[row] = tag, 1, above
        self.chars.values[row], self.words.values[row] = chars, words
        self.tag.used = self.size.used = self.parent.used = row + 1
        self.chars.used = self.words.used = row + 1
        return 0

    # -- elements -------------------------------------------------------------------------------

    cdef int _add_element(self, TreeNode* node, int32_t above) except -1:
        """Add an element with the attributes that are kept."""
        cdef int32_t row = <int32_t> self.tag.used, at, tag = node.tag
        cdef Py_ssize_t size
        cdef const unsigned char* name
        cdef Attribute* found
        if tag >= TAG_COUNT:
            name = self.tree.custom.at(tag - TAG_COUNT, &size)
            tag = <int32_t> (TAG_COUNT + self.custom_names.add(name, size))
        if node.flags & FOREIGN:
            self.foreign.push(row)
        self.attrs.add(node.place, node.flags & FOREIGN != 0)
        if node.flags & MERGED:
            self._add_merged(<int32_t> (node - self.tree.nodes))
        self._add_row(tag, above, 0, 0)
        for at in range(node.count):
            found = &self.tree.attributes[node.content + at]
            if found.wanted == HREF or found.wanted >= FIRST_RARE:
                self.wanted.note(
                    found.wanted, row, self._written(found.wanted).add(found.value, found.size))
            elif found.wanted >= 0:
                self.wanted.note(found.wanted, row, add_value(
                    self.tree.text + found.value, found.size,
                    self.wanted.strings(found.wanted), self.tree.references, self.scratch))
        return 0

    cdef EscapedValues _written(self, int wanted):
        """Where the values of an attribute are written that is rarely asked for."""
        if self.wanted.written[wanted] is None:
            self.wanted.written[wanted] = EscapedValues(self.tree.source, self.tree.references)
        return self.wanted.written[wanted]

    cdef int _add_merged(self, int32_t node) except -1:
        """Add the places of the further tags of the element that was added last."""
        cdef Numbers* merged = &self.tree.merged
        cdef Py_ssize_t at
        for at in range(0, merged.used, 2):
            if merged.values[at] == node:
                self.attrs.merge(merged.values[at + 1])
        return 0

    # -- texts ----------------------------------------------------------------------------------

    cdef int _add_text(self, TreeNode* node, int32_t above) except -1:
        """Add a text as a row, or as a blank."""
        cdef Piece whole = self.tree.pieces[node.content]
        cdef int32_t tag = self.tag.values[above] if above >= 0 else 0
        cdef const unsigned char* text
        cdef Measures found
        cdef bint raw = tag == TAG_script or tag == TAG_style, blank
        if whole.after != NOWHERE:
            whole = self._join(whole)
        text = self.tree.place(whole.first)
        if raw:
            found.chars = found.words = 0
            blank = is_white(text, whole.size)
        else:
            found = measure_utf8(
                text, whole.size, &self.table[0], <uint32_t> self.table.shape[0] - 1)
            blank = found.chars == 0
        if raw and whole.first >= 0:
            whole.size = -whole.size
        if blank:
            self.blank_row.push(<int32_t> self.tag.used)
            self.blank_parent.push(above)
            return self.blanks.add(whole.first, whole.size)
        self._add_row(0, above, found.chars, found.words)
        return self.texts.add(whole.first, whole.size)

    cdef Piece _join(self, Piece piece) except *:
        """One text of several pieces, the first of which is given."""
        cdef Buffer more = self.tree.more
        cdef Piece whole
        whole.first, whole.after = -more.used - 1, NOWHERE
        while True:
            more.reserve(piece.size)
            memcpy(more.data + more.used, self.tree.place(piece.first), piece.size)
            more.used += piece.size
            if piece.after == NOWHERE:
                break
            piece = self.tree.pieces[piece.after]
        whole.size = more.used + whole.first + 1
        return whole


cdef bint is_white(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    """Whether a text has nothing but white space."""
    cdef const unsigned char* at = text
    while at < text + size:
        if not is_space(next_code(&at)):
            return False
    return True
