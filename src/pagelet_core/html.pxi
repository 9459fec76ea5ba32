"""Clean HTML of kept texts for Markdown, the twin of `pagelet.write.html` and `.markup`."""

cdef enum:
    # what blocks hold: lines in `p`; a bare line, then lines in `p`; one line; certain children;
    # a text as it is
    FLOW_BLOCK = 0
    ITEM_BLOCK = 1
    PHRASE_BLOCK = 2
    LIST_BLOCK = 3
    CODE_BLOCK = 4
    MAX_KINDS = 64
    MAX_OPEN_BLOCKS = 40
    NO_KIND = 255


cdef inline bint is_bare(unsigned char code) noexcept nogil:
    """Whether a byte is written as it is, wherever it stands in a word."""
    return is_word_byte(code) and code != c"&" and code != c"<" and code != c">"


cdef struct Markup:
    const char* data
    Py_ssize_t size


cdef struct BlockKind:
    Markup name
    int holds
    uint64_t parents  # kinds of blocks that it is allowed in; none for all of them
    bint in_table
    bint nested  # allowed in a list
    int wrapper  # kind of the element around other blocks in it, or NO_KIND
    Markup opening  # of a line in it
    Markup closing


cdef struct InlineKind:
    Markup name
    int likeness  # number of the elements that look the same
    bint bold
    int asks  # 1 if it has attributes, 2 for those of a link
    Markup opening
    Markup closing


@cython.final
cdef class HtmlNames:
    """The elements of clean HTML, by the numbers of tags."""

    cdef list alive  # the bytes of all markup
    cdef Markup nothing
    cdef BlockKind blocks[MAX_KINDS]
    cdef InlineKind inlines[MAX_KINDS]
    cdef int block_count
    cdef int inline_count
    cdef const unsigned char[::1] block_of  # by tag; NO_KIND for none
    cdef const unsigned char[::1] inline_of
    cdef int rule  # tag of a horizontal rule
    cdef int line_break

    def __cinit__(self, tuple blocks not None, tuple inlines not None, tuple by_tag not None,
                  tuple breaks not None):
        """Kinds with their fields in order; the kinds of tags; the tags of `hr` and `br`."""
        cdef BlockKind* block
        cdef InlineKind* inline
        self.alive, (self.block_of, self.inline_of) = [], by_tag
        self.nothing = self.markup(b"")
        self.rule, self.line_break = breaks
        if len(blocks) > MAX_KINDS or len(inlines) > MAX_KINDS or (
                self.block_of.shape[0] != self.inline_of.shape[0]):
            raise ValueError("more kinds of elements than there is room for")
        for name, holds, parents, in_table, nested, wrapper, opening, closing in blocks:
            block = &self.blocks[self.block_count]
            block.name, block.holds, block.parents = self.markup(name), holds, parents
            block.in_table, block.nested, block.wrapper = in_table, nested, wrapper
            block.opening, block.closing = self.markup(opening), self.markup(closing)
            self.block_count += 1
        for name, likeness, bold, asks, opening, closing in inlines:
            inline = &self.inlines[self.inline_count]
            inline.name, inline.likeness, inline.bold = self.markup(name), likeness, bold
            inline.asks = asks
            inline.opening, inline.closing = self.markup(opening), self.markup(closing)
            self.inline_count += 1
        self._check()

    cdef Markup markup(self, bytes text):
        cdef Markup markup
        self.alive.append(text)
        markup.data, markup.size = PyBytes_AsString(text), len(text)
        return markup

    cdef int _check(self) except -1:
        """Refuse kinds that do not exist."""
        cdef Py_ssize_t at
        for at in range(self.block_of.shape[0]):
            if (self.block_of[at] != NO_KIND and self.block_of[at] >= self.block_count) or (
                    self.inline_of[at] != NO_KIND and self.inline_of[at] >= self.inline_count):
                raise ValueError("a kind that does not exist")
        for at in range(self.inline_count):
            if not 0 <= self.inlines[at].asks <= 2:
                raise ValueError("a kind that does not exist")
        for at in range(self.block_count):
            if self.blocks[at].wrapper != NO_KIND and not (
                    0 <= self.blocks[at].wrapper < self.block_count):
                raise ValueError("a kind that does not exist")
        return 0


cdef struct OpenBlock:
    Py_ssize_t end  # first row after it
    int kind
    Py_ssize_t empty  # empty cells to append at the end
    bint used


cdef struct OpenInline:
    Py_ssize_t end
    int kind
    Py_ssize_t first  # place of its attributes
    Py_ssize_t size


@cython.final
cdef class FlatWriter:
    """Collects HTML in document order; the names are those of `HtmlWriter`."""

    cdef HtmlNames names
    cdef int max_depth  # blocks that may be open
    cdef Buffer out
    cdef Buffer attributes
    cdef Buffer code  # the preformatted text that is open
    cdef bint coded  # whether it has begun
    cdef OpenBlock blocks[MAX_OPEN_BLOCKS]
    cdef int depth
    cdef OpenInline chain[MAX_KINDS]
    cdef int chained
    cdef int written  # elements of the chain that are open in the current line
    cdef bint in_line
    cdef Markup* closing  # of the current line
    cdef bint spaced  # the current line ends with white space
    cdef bint broken  # the last piece is a line break
    cdef Py_ssize_t nearest_end
    cdef Numbers tops  # where the outermost blocks begin

    def __cinit__(self, HtmlNames names not None, int max_depth):
        if max_depth + 2 > MAX_OPEN_BLOCKS:
            raise ValueError("more blocks than there is room for")
        self.names, self.max_depth = names, max_depth
        self.out, self.attributes, self.code = Buffer(), Buffer(), Buffer()
        self.blocks[0] = OpenBlock(0x7FFFFFFFFFFFFFFF, 0, 0, False)
        self.depth, self.nearest_end = 1, 0x7FFFFFFFFFFFFFFF

    def __dealloc__(self):
        free(self.tops.values)

    def write(
        self, tuple columns not None, const int32_t[::1] visited, texts not None,
        const Py_ssize_t[::1] ordinal, const unsigned char[::1] gaps, dict blanks not None,
        tuple given not None,
    ):
        """Write the visited rows. Columns: tags and sizes.

        `blanks` are the texts between preformatted ones, by the place of the gap; a new line
        where there is none. Given are the empty cells before and after rows, and what gives the
        attributes of a row whose element has some, and those of links; None for an element that
        is not written. Last comes what writes the addresses of plain links, or None.
        UnicodeEncodeError for a lone surrogate.
        """
        cdef const int32_t[::1] tag
        cdef const int32_t[::1] size
        tag, size = columns
        cdef PageTexts read = texts_of(texts)
        cdef Py_ssize_t at, row, item = 0, last = 0, chars
        cdef const unsigned char* text
        if not size.shape[0] == ordinal.shape[0] == tag.shape[0] or len(given) != 5:
            raise ValueError("the columns of a page do not fit together")
        for at in range(visited.shape[0]):
            row = visited[at]
            if not (visited[at - 1] if at else -1) < row < tag.shape[0]:
                raise IndexError("rows that are no rows, or not in order")
            if row >= self.nearest_end:
                self.leave(row)
            if tag[row] != 0:
                self.element(row, tag[row], row + size[row], given)
                continue
            if item > gaps.shape[0]:
                raise IndexError("fewer gaps than there are texts")
            text = read.utf8(ordinal[row], &chars)
            if self.names.blocks[self.blocks[self.depth - 1].kind].holds == CODE_BLOCK:
                self.preformatted(text, chars, blanks.get(item - 1, "\n") if item else "")
            else:
                if item:
                    self.gap(gaps[item - 1], tag, last, row)
                self.text(text, chars)
            item, last = item + 1, row
        while self.depth > 1:
            self.close_block()
        self.end_line()

    def html(self):
        """What was written, as HTML."""
        return decode_bytes(self.out.data, self.out.used) if self.out.used else ""

    def markdown(self, render not None):
        """What was written, as Markdown; `render` writes HTML that is not plain."""
        return join_blocks(
            self.out.data, self.tops.values, self.tops.used, self.out.used, render)

    # -- elements --------------------------------------------------------------------------

    cdef int element(self, Py_ssize_t row, Py_ssize_t tag, Py_ssize_t end, tuple given) except -1:
        """Write the start of an element."""
        cdef int kind
        if tag == self.names.rule:
            if self.names.blocks[self.blocks[self.depth - 1].kind].holds == FLOW_BLOCK:
                self.end_line()
                self.mark_top()
                self.put(b"<hr>", 4)
            return 0
        if tag >= self.names.block_of.shape[0]:
            return 0
        if self.names.inline_of[tag] != NO_KIND:
            return self.inline(row, self.names.inline_of[tag], end, given)
        if self.names.block_of[tag] == NO_KIND:
            return 0
        before, after = given[0], given[1]
        kind = self.names.block_of[tag]
        self.empty_cells(before.get(row, 0) if before else 0)
        if not self.block(end, kind, after.get(row, 0) if after else 0):
            return 0
        if self.names.blocks[kind].holds == CODE_BLOCK:
            self.put(b"<code", 5)
            self.put_str(given[2](row) or "")
            self.put(b">", 1)
        return 0

    cdef int inline(self, Py_ssize_t row, int kind, Py_ssize_t end, tuple given) except -1:
        """Open an inline element, unless one that looks the same is open."""
        cdef InlineKind* inline = &self.names.inlines[kind]
        cdef OpenInline* opened = &self.chain[self.chained]
        cdef int at
        if inline.bold and (
                self.names.blocks[self.blocks[self.depth - 1].kind].holds == PHRASE_BLOCK):
            return 0  # a heading is bold by itself
        for at in range(self.chained):
            if self.names.inlines[self.chain[at].kind].likeness == inline.likeness:
                return 0
        opened.end, opened.kind, opened.first = end, kind, self.attributes.used
        if inline.asks and not (inline.asks == 2 and self.keep_href(row, given[4])):
            attributes = given[1 + inline.asks](row)
            if attributes is None:
                return 0
            put_text(self.attributes, attributes)
        opened.size = self.attributes.used - opened.first
        self.chained += 1
        self.nearest_end = min(self.nearest_end, end)
        return 0

    cdef bint keep_href(self, Py_ssize_t row, HrefWriter hrefs) except -1:
        """Keep the address of a link that is plain; whether it is."""
        return hrefs is not None and hrefs.put_attribute(self.attributes, row)

    cdef bint is_allowed(self, int kind, int around) noexcept:
        cdef BlockKind* block = &self.names.blocks[kind]
        cdef BlockKind* holder = &self.names.blocks[around]
        if block.parents and not block.parents >> around & 1:
            return False
        if holder.holds in (PHRASE_BLOCK, CODE_BLOCK) or self.depth > self.max_depth:
            return False
        return not holder.in_table or block.parents != 0

    cdef bint block(self, Py_ssize_t end, int kind, Py_ssize_t empty) except -1:
        """Open a block if it is allowed here; whether it is."""
        cdef int around = self.blocks[self.depth - 1].kind
        cdef BlockKind* block = &self.names.blocks[kind]
        cdef int wrapper = self.names.blocks[around].wrapper
        if not self.is_allowed(kind, around):
            return False
        self.end_line()
        self.blocks[self.depth - 1].used = True
        if wrapper != NO_KIND and not block.nested and not block.parents >> around & 1:
            self.open_block(OpenBlock(end, wrapper, 0, True))
        self.open_block(OpenBlock(end, kind, empty, False))
        self.nearest_end = min(self.nearest_end, end)
        return True

    cdef int open_block(self, OpenBlock block) except -1:
        self.mark_top()
        self.blocks[self.depth] = block
        self.depth += 1
        self.put(b"<", 1)
        self.put_markup(&self.names.blocks[block.kind].name)
        return self.put(b">", 1)

    cdef inline int mark_top(self) except -1:
        """Remember where an outermost block begins."""
        if self.depth == 1:
            if self.out.used > 0x7FFFFFFF:
                raise MemoryError("more HTML than 32 bits can number")
            push_number(&self.tops, self.out.used)
        return 0

    cdef int close_block(self) except -1:
        cdef OpenBlock block = self.blocks[self.depth - 1]
        self.depth -= 1
        # the line that ends was in the block, which is open for it no longer
        if self.names.blocks[block.kind].holds == CODE_BLOCK:
            self.put_code()
        else:
            self.end_line()
        self.put_cells(block.empty)
        self.put(b"</", 2)
        self.put_markup(&self.names.blocks[block.kind].name)
        return self.put(b">", 1)

    cdef int empty_cells(self, Py_ssize_t count) except -1:
        """Fill up a table row, the only block whose lines are bare cells."""
        cdef BlockKind* block = &self.names.blocks[self.blocks[self.depth - 1].kind]
        if block.name.size == 2 and block.name.data[0] == c"t" and block.name.data[1] == c"r":
            self.end_line()
            self.put_cells(count)
        return 0

    cdef int put_cells(self, Py_ssize_t count) except -1:
        for _ in range(count):
            self.put(b"<td></td>", 9)
        return 0

    cdef int preformatted(
        self, const unsigned char* text, Py_ssize_t size, str blank
    ) except -1:
        """Keep a preformatted text, and the white space before it unless it is the first."""
        cdef Py_ssize_t length
        cdef const char* between = PyUnicode_AsUTF8AndSize(blank, &length)
        if self.coded:
            put_bytes(self.code, between, length)
        self.coded = True
        return put_bytes(self.code, <const char*> text, size)

    cdef int put_code(self) except -1:
        """Write the preformatted text that is kept, without blank lines at its start and end."""
        cdef const unsigned char* at = self.code.data
        cdef const unsigned char* end = at + self.code.used
        cdef const unsigned char* before = at
        cdef const unsigned char* first = NULL  # the first line that is not blank
        cdef const unsigned char* last = at  # what follows the last character that is not blank
        cdef const unsigned char* line = at
        while at < end:
            before = at
            if is_space(next_code(&at)):
                if before[0] == 10:
                    line = at
                continue
            first, last = line if first == NULL else first, at
        if first != NULL:
            self.out.reserve(5 * (last - first))
            while first < last:
                before = first
                next_code(&first)
                self.character(before, first - before)
        self.code.used, self.coded = 0, False
        return self.put(b"</code>", 7)

    cdef int leave(self, Py_ssize_t row) except -1:
        """Close what ends at or before a row."""
        while self.chained and self.chain[self.chained - 1].end <= row:
            self.chained -= 1
            if self.written > self.chained:
                self.written -= 1
                self.put_markup(&self.names.inlines[self.chain[self.chained].kind].closing)
        while self.depth > 1 and self.blocks[self.depth - 1].end <= row:
            self.close_block()
        self.nearest_end = self.blocks[self.depth - 1].end
        if self.chained:
            self.nearest_end = min(self.nearest_end, self.chain[self.chained - 1].end)
        return 0

    # -- lines -----------------------------------------------------------------------------

    cdef int gap(
        self, unsigned char code, const int32_t[::1] tag, Py_ssize_t last, Py_ssize_t row
    ) except -1:
        """Write the gap between the text at one row and that at another."""
        if self.names.blocks[self.blocks[self.depth - 1].kind].holds == PHRASE_BLOCK:
            self.spaced = self.spaced or code >= SPACE_GAP
        elif code >= LINE_GAP or (code == BREAK_GAP and self.has_breaks(tag, last, row)):
            self.end_line()
        elif code == BREAK_GAP and self.in_line:
            self.put(b"<br>", 4)
            self.spaced, self.broken = False, True
        else:
            self.spaced = self.spaced or code == SPACE_GAP
        return 0

    cdef bint has_breaks(
        self, const int32_t[::1] tag, Py_ssize_t last, Py_ssize_t row
    ) noexcept:
        """Whether there are several line breaks between two rows."""
        cdef Py_ssize_t at
        cdef int breaks = 0
        for at in range(last, row):
            breaks += tag[at] == self.names.line_break
        return breaks > 1

    cdef int text(self, const unsigned char* text, Py_ssize_t size) except -1:
        """Write a text, white space folded."""
        cdef const unsigned char* end = text + size
        cdef const unsigned char* at = text
        cdef bint space = size > 0 and is_space(next_code(&at))
        cdef bint begun = False  # whether the text has begun, its first white space left out
        self.begin(space)
        self.broken = False
        self.out.reserve(5 * size + 1)
        space = False
        while text < end:
            at = text
            if is_space(next_code(&text)):
                space = True
                continue
            if space and begun:
                self.out.data[self.out.used] = 32
                self.out.used += 1
            space, begun = False, True
            self.character(at, text - at)
            at = text
            while text < end and is_bare(text[0]):
                text += 1
            memcpy(self.out.data + self.out.used, at, text - at)
            self.out.used += text - at
        self.spaced = space
        return 0

    cdef inline void character(self, const unsigned char* at, Py_ssize_t size) noexcept:
        """Write a character, for which there is room: escaped, and none that is a placeholder."""
        cdef unsigned char* out = self.out.data + self.out.used
        if size == 1 and (at[0] == c"&" or at[0] == c"<" or at[0] == c">"):
            if at[0] == c"&":
                memcpy(out, b"&amp;", 5)
            else:
                memcpy(out, b"&lt;" if at[0] == c"<" else b"&gt;", 4)
            self.out.used += 5 if at[0] == c"&" else 4
        elif size == 3 and at[0] == 0xEF and at[1] == 0xB7 and 0x90 <= at[2] <= 0x99:
            memcpy(out, b"\xef\xbf\xbd", 3)
            self.out.used += 3
        else:
            memcpy(out, at, size)
            self.out.used += size

    cdef int begin(self, bint spaced) except -1:
        """Make sure that there is a line and that the current inline elements are open in it."""
        if not self.in_line:
            self.begin_line()
        elif (spaced or self.spaced) and not self.broken:
            self.put(b" ", 1)
        self.spaced = False
        while self.written < self.chained:
            self.put_opening(&self.chain[self.written])
            self.written += 1
        return 0

    cdef int put_opening(self, OpenInline* opened) except -1:
        cdef InlineKind* inline = &self.names.inlines[opened.kind]
        self.put_markup(&inline.opening)
        if inline.asks:
            put_bytes(
                self.out, <const char*> self.attributes.data + opened.first, opened.size)
            self.put(b">", 1)
        return 0

    cdef int begin_line(self) except -1:
        cdef OpenBlock* block = &self.blocks[self.depth - 1]
        cdef BlockKind* kind = &self.names.blocks[block.kind]
        cdef bint bare = kind.holds == PHRASE_BLOCK or (
            kind.holds == ITEM_BLOCK and not block.used)
        self.mark_top()
        self.in_line, block.used = True, True
        self.closing = &self.names.nothing if bare else &kind.closing
        return self.put_markup(&self.names.nothing if bare else &kind.opening)

    cdef int end_line(self) except -1:
        if not self.in_line:
            return 0
        while self.written:
            self.written -= 1
            self.put_markup(&self.names.inlines[self.chain[self.written].kind].closing)
        self.put_markup(self.closing)
        self.in_line, self.spaced = False, False
        return 0

    cdef int put_str(self, str text) except -1:
        self.broken = False
        return put_text(self.out, text)

    cdef inline int put_markup(self, const Markup* markup) except -1:
        return self.put(markup.data, markup.size)

    cdef inline int put(self, const char* text, Py_ssize_t size) except -1:
        self.broken = False
        return put_bytes(self.out, text, size)
