"""All columns that the features of text blocks are made of, read in one go.

The twin is `read_inputs` in `pagelet.methods.content.inputs`, with what it takes from a page, from
`count_blocks`, `read_statements` and the lexicon. What needs regular expressions, or letters beyond
ASCII, is left to functions in Python that are passed in.
"""

#: The inputs of the features, in the order in which they are passed to their program.
READER_INPUTS = tuple((
    "tag parent size depth class_number hidden aria_hidden text_rows first holder above row words"
    " linked chars density holder_kind kinds pieces first_kind last_kind copies heading_kinds"
    " stated cookies notices rights named titled leads thread names classes structured_words total"
    " scores"
).split())

cdef enum:
    INPUT_COUNT = 36
    FIRST_HEADING = 5  # number of an element that holds a heading, and the last such number
    LAST_HEADING = 8


cdef bint may_hide(const char* style, Py_ssize_t size) noexcept nogil:
    """Whether a style holds `none` or `hidden`, in any letters."""
    cdef Py_ssize_t at
    for at in range(size - 3):
        if style[at] | 32 == c"n" and style[at + 1] | 32 == c"o" and (
                style[at + 2] | 32 == c"n" and style[at + 3] | 32 == c"e"):
            return True
        if style[at] | 32 == c"h" and style[at + 1] | 32 == c"i" and style[at + 2] | 32 == c"d":
            return True
    return False


@cython.final
cdef class BlockReader:
    """The text blocks of a page, with everything that is read in and around them."""

    cdef WantedAttributes wanted
    cdef PageTexts page_texts
    cdef const int32_t[::1] tag
    cdef const int32_t[::1] parent
    cdef const int32_t[::1] size
    cdef const int32_t[::1] chars
    cdef const int32_t[::1] words
    cdef const Py_ssize_t[::1] text_rows
    cdef const Py_ssize_t[::1] first
    cdef const Py_ssize_t[::1] holder
    cdef const Py_ssize_t[::1] above
    cdef readonly BlockTexts texts
    cdef readonly Py_ssize_t rows
    cdef readonly Py_ssize_t blocks
    cdef readonly bint threads  # whether any block is in a thread
    cdef readonly bint whole_thread  # whether all running text would be, so that none is
    cdef Memory memory
    cdef Column inputs[INPUT_COUNT]
    cdef int filled  # inputs so far
    cdef int64_t single[2]  # the inputs names and classes
    cdef double amount[2]  # the inputs structured_words and total
    cdef int64_t* depth
    cdef int64_t* class_number  # of each row, from 1 on; 0 without a class
    cdef unsigned char* hidden
    cdef unsigned char* link
    cdef double* block_words
    cdef double* block_chars
    cdef Py_ssize_t* places  # of the texts of all blocks among those of the page
    cdef double* density
    cdef double* holder_kind
    cdef double* scores
    cdef Py_ssize_t kinds  # of pages that the lexicon has weights for

    def __cinit__(
        self, WantedAttributes wanted not None, tuple columns, texts not None, tuple blocks
    ):
        """Columns: tags, parents, sizes, characters, words. Blocks: rows, first, holder, above."""
        self.wanted, self.page_texts, self.memory = wanted, texts_of(texts), Memory(40)
        self.tag, self.parent, self.size, self.chars, self.words = columns
        self.text_rows, self.first, self.holder, self.above = blocks
        self.rows, self.blocks = self.tag.shape[0], self.first.shape[0]
        if not (self.parent.shape[0] == self.size.shape[0] == self.chars.shape[0]
                == self.words.shape[0] == self.above.shape[0] == self.rows
                and self.holder.shape[0] == self.blocks and self.blocks > 0):
            raise ValueError("the columns of a page do not fit together")
        wanted.check_rows(self.rows)

    cdef void* _take(self, int kind, Py_ssize_t lines, Py_ssize_t length) except NULL:
        """The next input, of zeros."""
        cdef Column* column = &self.inputs[self.filled]
        column.data = self.memory.take(lines * length, 1 if kind == MASK else 8)
        column.kind, column.lines, column.length = kind, lines, length
        self.filled += 1
        return column.data

    # -- rows -----------------------------------------------------------------------------------

    def read_rows(self, int32_t link_tag, hides):
        """Read what rows are: depths, classes, hidden rows, links; `hides` is asked about styles."""
        cdef int64_t* tag
        cdef int64_t* parent
        cdef int64_t* size
        cdef int64_t* number
        cdef unsigned char* aria
        cdef Py_ssize_t row, end
        cdef Py_ssize_t hidden_end = 0, aria_end = 0, link_end = 0
        if self.filled:
            raise ValueError("the rows were read before")
        tag = <int64_t*> self._take(INT, 1, self.rows)
        parent = <int64_t*> self._take(INT, 1, self.rows)
        size = <int64_t*> self._take(INT, 1, self.rows)
        self.depth = <int64_t*> self._take(INT, 1, self.rows)
        self.class_number = number = <int64_t*> self._take(INT, 1, self.rows)
        self.hidden = <unsigned char*> self._take(MASK, 1, self.rows)
        aria = <unsigned char*> self._take(MASK, 1, self.rows)
        self.link = <unsigned char*> self.memory.take(self.rows, 1)
        self._mark_links(link_tag)
        self._mark_hidden(hides, aria)
        for row in range(self.wanted.rows[CLASS].used):
            number[self.wanted.rows[CLASS].values[row]] = (
                self.wanted.number[CLASS].values[row] + 1)
        for row in range(self.rows):
            if not -1 <= self.parent[row] < row or not 0 < self.size[row] <= self.rows - row:
                raise ValueError("a row whose parent does not stand before it")
            tag[row], parent[row], size[row] = self.tag[row], self.parent[row], self.size[row]
            self.depth[row] = self.depth[parent[row]] + 1 if parent[row] >= 0 else 0
            end = row + size[row]
            if self.hidden[row] and end > hidden_end:
                hidden_end = end
            if aria[row] and end > aria_end:
                aria_end = end
            if self.link[row] and end > link_end:
                link_end = end
            self.hidden[row], aria[row] = row < hidden_end, row < aria_end
            self.link[row] = row < link_end

    cdef void _mark_links(self, int32_t link_tag) noexcept:
        cdef Py_ssize_t at
        cdef int32_t row
        for at in range(self.wanted.rows[HREF].used):
            row = self.wanted.rows[HREF].values[at]
            self.link[row] = self.tag[row] == link_tag

    cdef int _mark_hidden(self, hides, unsigned char* aria) except -1:
        cdef Py_ssize_t at
        cdef Numbers* rows = &self.wanted.rows[HIDDEN]
        cdef Memory scratch = Memory(2)
        cdef unsigned char* fits
        cdef Py_ssize_t true
        for at in range(rows.used):
            self.hidden[rows.values[at]] = 1
        fits = self._styles_that_hide(hides, scratch)
        rows = &self.wanted.rows[STYLE]
        for at in range(rows.used):
            self.hidden[rows.values[at]] |= fits[self.wanted.number[STYLE].values[at]]
        rows = &self.wanted.rows[ARIA_HIDDEN]
        if rows.used:
            true = self.wanted.strings(ARIA_HIDDEN).find(<const unsigned char*> b"true", 4)
            for at in range(rows.used):
                aria[rows.values[at]] = self.wanted.number[ARIA_HIDDEN].values[at] == true
        return 0

    cdef unsigned char* _styles_that_hide(self, hides, Memory scratch) except NULL:
        cdef Py_ssize_t size, at
        cdef const unsigned char* text
        cdef ByteStrings styles = self.wanted.strings(STYLE)
        cdef unsigned char* fits = <unsigned char*> scratch.take(styles.count, 1)
        for at in range(styles.count):
            text = styles.at(at, &size)
            fits[at] = may_hide(<const char*> text, size) and bool(hides(styles.value(at)))
        return fits

    # -- blocks ---------------------------------------------------------------------------------

    def read_blocks(
        self, const double[::1] holders, const unsigned char[::1] kind_of, Py_ssize_t most
    ):
        """Count words, links and characters of the blocks.

        `holders` are kinds of elements by tag. So many characters of each block are kept.
        UnicodeEncodeError for a lone surrogate.
        """
        if self.filled != 7 or kind_of.shape[0] <= 0x10000 or holders.shape[0] == 0:
            raise ValueError("the rows are read first, and with a table of characters")
        self._copy(self.text_rows)
        self._copy(self.first)
        self._copy(self.holder)
        self._copy(self.above)
        cdef int64_t* row = <int64_t*> self._take(INT, 1, self.blocks)
        self._count_words(row, holders)
        self._read_texts(kind_of, most)
        cdef double* kinds = <double*> self._take(REAL, KINDS - FIRST_COUNTED, self.blocks)
        memcpy(kinds, self.texts.kinds,
               self.blocks * (KINDS - FIRST_COUNTED) * sizeof(double))
        cdef int64_t* pieces = <int64_t*> self._take(INT, 1, self.blocks)
        cdef int64_t* first_kind = <int64_t*> self._take(INT, 1, self.blocks)
        cdef int64_t* last_kind = <int64_t*> self._take(INT, 1, self.blocks)
        cdef Py_ssize_t block
        for block in range(self.blocks):
            pieces[block] = self._last(block) - self.first[block]
            first_kind[block] = self.texts.first_kind[block]
            last_kind[block] = self.texts.last_kind[block]
        return self.texts

    cdef int _copy(self, const Py_ssize_t[::1] values) except -1:
        cdef int64_t* to = <int64_t*> self._take(INT, 1, values.shape[0])
        cdef Py_ssize_t at
        for at in range(values.shape[0]):
            to[at] = values[at]
        return 0

    cdef inline Py_ssize_t _last(self, Py_ssize_t block) noexcept:
        """Where the texts of a block end."""
        return self.first[block + 1] if block + 1 < self.blocks else self.text_rows.shape[0]

    cdef int _count_words(self, int64_t* row, const double[::1] holders) except -1:
        cdef double* words = <double*> self._take(REAL, 1, self.blocks)
        cdef double* linked = <double*> self._take(REAL, 1, self.blocks)
        cdef double* chars = <double*> self._take(REAL, 1, self.blocks)
        cdef double* density = <double*> self._take(REAL, 1, self.blocks)
        cdef double* kind = <double*> self._take(REAL, 1, self.blocks)
        cdef Py_ssize_t block, at, text, last_kind = holders.shape[0] - 1
        cdef int64_t word, link_word, char
        self.block_words, self.block_chars = words, chars
        self.density, self.holder_kind = density, kind
        for at in range(self.text_rows.shape[0]):
            if not 0 <= self.text_rows[at] < self.rows:
                raise IndexError("a row that does not exist")
        for block in range(self.blocks):
            if not (0 <= self.first[block] < self._last(block) <= self.text_rows.shape[0]
                    and 0 <= self.holder[block] < self.rows):
                raise IndexError("a block without a text")
            word, link_word, char = 0, 0, 0
            for at in range(self.first[block], self._last(block)):
                text = self.text_rows[at]
                word += self.words[text]
                char += self.chars[text]
                link_word += self.words[text] if self.link[text] else 0
            words[block], linked[block], chars[block] = word, link_word, char
            density[block] = <double> link_word / <double> (word if word > 1 else 1)
            kind[block] = holders[min(<Py_ssize_t> self.tag[self.holder[block]], last_kind)]
            row[block] = self.text_rows[self.first[block]]
            self.amount[1] += word
        self.amount[1] = max(self.amount[1], 1.0)
        return 0

    cdef int _read_texts(self, const unsigned char[::1] kind_of, Py_ssize_t most) except -1:
        cdef Py_ssize_t row, at = 0, texts = 0, count = self.text_rows.shape[0]
        cdef Py_ssize_t* place = <Py_ssize_t*> self.memory.take(count, sizeof(Py_ssize_t))
        for row in range(self.rows):
            while at < count and self.text_rows[at] == row:
                place[at] = texts
                at += 1
            texts += self.tag[row] == 0
        if at < count or texts != len(self.page_texts):
            raise ValueError("texts that are not in order, or not all of them")
        self.places = place
        self.texts = BlockTexts.__new__(BlockTexts)
        return self.texts.read(
            self.page_texts, place, count, &self.first[0], self.blocks, &kind_of[0], most)

    # -- what texts state -----------------------------------------------------------------------

    def read_statements(
        self, Phrases words not None, const uint64_t[::1] groups, Phrases leads not None,
        bytes titles not None, str structured not None, names, limits, headings,
    ):
        """Read what the texts of blocks state.

        Words to count, in three groups; beginnings of lines that lead elsewhere; titles of the
        page, in small letters; its structured data, and names of things in those. `limits` are the
        characters of copies, the least and the most of titles, and the words of structured data
        that are compared. `headings` are a PhraseTable, what looks up other texts, and stems of
        headings of threads. Returns the headings that hold such a stem.
        """
        cdef Py_ssize_t of_copies, least, most, of_stated
        if self.filled != 21 or groups.shape[0] != 3:
            raise ValueError("the blocks are read first, and words have three groups")
        of_copies, least, most, of_stated = limits
        self.texts.add_copies(of_copies, <Py_ssize_t*> self._take_sizes())
        phrases, look_up, stems = headings
        headed = self._read_headings(phrases, look_up, stems)
        cdef double* stated = <double*> self._take(REAL, 1, self.blocks)
        cdef Buffer folded = Buffer()
        cdef Py_ssize_t stating = fold_small(structured, folded) if structured else 0
        if stating:
            self.texts.mark_stated(folded.data, folded.used, of_stated, stated)
            self.amount[0] = stating
        cdef double* counts = <double*> self.memory.take(3 * self.blocks, sizeof(double))
        self.texts.count_words(words, groups, counts)
        for group in range(3):
            memcpy(self._take(REAL, 1, self.blocks), counts + <Py_ssize_t> group * self.blocks,
                   self.blocks * sizeof(double))
        self._mark_named(<unsigned char*> self._take(MASK, 1, self.blocks), names)
        self.texts.mark_titles(
            titles, least, most, <unsigned char*> self._take(MASK, 1, self.blocks))
        self.texts.mark_begun(leads, <unsigned char*> self._take(MASK, 1, self.blocks))
        return headed

    cdef int64_t* _take_sizes(self) except NULL:
        """The next input; whole numbers of memory have the size of those of columns."""
        if sizeof(Py_ssize_t) != sizeof(int64_t):
            raise NotImplementedError("the compiled core needs 64 bits")
        return <int64_t*> self._take(INT, 1, self.blocks)

    cdef int _mark_named(self, unsigned char* named, names) except -1:
        cdef Py_ssize_t block, at, longest = 0
        cdef ByteStrings known
        cdef Span* small
        if not names:
            return 0
        known = ByteStrings()
        for name in names:
            at = known.add_str(name)
            longest = max(longest, known.spans[at].size)
        for block in range(self.blocks):
            small = &self.texts.small[block]
            named[block] = small.size <= longest and (
                known.find(self.texts.lower.data + small.first, small.size) >= 0)
        return 0

    cdef list _read_headings(self, PhraseTable phrases, look_up, Phrases stems):
        cdef int64_t* kinds = <int64_t*> self._take(INT, 1, self.blocks)
        cdef int64_t kind = 0
        cdef Py_ssize_t block
        cdef list headed = []
        cdef Span* small
        for block in range(self.blocks):
            if FIRST_HEADING <= self.holder_kind[block] <= LAST_HEADING:
                kind = self._heading_kind(block, phrases, look_up)
                small = &self.texts.small[block]
                if stems.find(self.texts.lower.data + small.first, small.size):
                    headed.append(block)
            kinds[block] = kind
        return headed

    cdef int64_t _heading_kind(self, Py_ssize_t block, PhraseTable phrases, look_up) except -1:
        """What a heading says about what follows it, as bits."""
        cdef const unsigned char* text = self.texts.lower.data + self.texts.small[block].first
        cdef Py_ssize_t at, size = self.texts.small[block].size
        if self.texts.cut[block]:
            return 0
        for at in range(size):
            if text[at] >= 128:
                return look_up(PyUnicode_FromStringAndSize(
                    <const char*> self.texts.text.data + self.texts.written[block].first,
                    self.texts.written[block].size))
        return find_spaced_phrase(phrases, text, size)

    # -- the lexicon ----------------------------------------------------------------------------

    def weigh(self, tuple tables not None, weigh_others):
        """Add up the weights of the words of attributes.

        `tables` are pairs of the number of an attribute and its words; `weigh_others` weighs
        values that are not in ASCII, given the number of an attribute and a list of them.
        """
        cdef LexiconWords words
        cdef Py_ssize_t wanted
        for wanted, words in tables:
            if not 0 <= wanted < WANTED_COUNT or (self.kinds and self.kinds != words.weights.shape[1]):
                raise ValueError("an attribute or weights that do not exist")
            self.kinds = words.weights.shape[1]
            if self.scores == NULL:
                self.scores = <double*> self.memory.take(self.kinds * self.rows, sizeof(double))
            self._weigh(wanted, words, weigh_others)

    cdef int _weigh(self, Py_ssize_t wanted, LexiconWords words, weigh_others) except -1:
        cdef Py_ssize_t at, kind, row, number, kinds = self.kinds
        cdef Memory scratch = Memory(1)
        cdef Numbers* rows = &self.wanted.rows[wanted]
        cdef ByteStrings values = self.wanted.settled(wanted)
        cdef double* sums
        cdef double value
        if values is None:
            return 0
        sums = <double*> scratch.take(values.count * kinds, sizeof(double))
        others = words.weigh_strings(values, sums)
        if others:
            weights = weigh_others(wanted, [values.value(number) for number in others])
            for number, line in zip(others, weights.tolist()):
                for kind in range(kinds):
                    value = line[kind]
                    sums[number * kinds + kind] = value
        for at in range(rows.used):
            row, number = rows.values[at], self.wanted.number[wanted].values[at]
            for kind in range(kinds):
                self.scores[kind * self.rows + row] += sums[number * kinds + kind]
        return 0

    def find_names(self, tuple numbers not None, Phrases stems not None):
        """The words of these attributes that may hold one of the stems.

        With the number of the attribute and that of the value. A value beyond ASCII is one word.
        """
        cdef Py_ssize_t number, place, size, first, last
        cdef ByteStrings values
        cdef const unsigned char* text
        names = []
        for number in numbers:
            values = self.wanted.settled(number)
            for place in range(values.count if values is not None else 0):
                text = values.at(place, &size)
                if not stems.look_into(text, size):
                    continue
                if not is_plain(text, size):
                    names.append((number, place, values.value(place)))
                    continue
                first = 0
                while first < size:
                    last = first
                    while last < size and not is_space(text[last]):
                        last += 1
                    if stems.look_into(text + first, last - first):
                        names.append((number, place, decode_bytes(text + first, last - first)))
                    first = last + 1
        return names

    # -- features -------------------------------------------------------------------------------

    def mark_threads(
        self, list rows not None, const unsigned char[::1] others, int32_t heading,
        double least_words, double most_density, unsigned char[::1] marked,
    ):
        """Mark the blocks in elements that are named threads, beside those that are marked.

        `others` marks the tags, by number, whose names mean something else; the last one stands for
        all above. Nor is an element with a `heading` a thread. Where no running text, of so many
        words and such a density of links, is left, none is marked. Returns whether any is.
        """
        cdef Py_ssize_t row, block, last = others.shape[0] - 1
        cdef Memory scratch = Memory(2)
        cdef int32_t* headings = <int32_t*> scratch.take(self.rows + 1, sizeof(int32_t))
        cdef int32_t* begun = <int32_t*> scratch.take(self.rows + 1, sizeof(int32_t))
        cdef bint some = False, left = False
        if marked.shape[0] != self.blocks or self.block_words == NULL or last < 0:
            raise ValueError("one mark for each block, once they are read")
        for row in range(self.rows):
            headings[row + 1] = headings[row] + (self.tag[row] == heading)
        for row in rows:
            if not 0 <= row < self.rows:
                raise IndexError("a row that does not exist")
            if not others[min(<Py_ssize_t> self.tag[row], last)] and (
                    headings[row] == headings[row + self.size[row]]):
                begun[row] += 1
                begun[row + self.size[row]] -= 1
        for row in range(1, self.rows):
            begun[row] += begun[row - 1]
        for block in range(self.blocks):
            if begun[self.text_rows[self.first[block]]] > 0:
                marked[block] = 1
            some = some or marked[block]
            left = left or (not marked[block] and self.block_words[block] >= least_words
                            and self.density[block] < most_density)
        self.whole_thread = some and not left
        if self.whole_thread:
            memset(&marked[0], 0, self.blocks)
        return some and left

    def run(self, ColumnProgram program not None, threads, Py_ssize_t names, float[:, ::1] table):
        """Fill a table of features; `threads` marks the blocks in threads, or is None."""
        cdef const unsigned char[::1] thread
        cdef unsigned char* marked
        if self.filled != 30 or self.scores == NULL:
            raise ValueError("blocks, statements and weights are read first, once")
        if len(program.kinds) != INPUT_COUNT or table.shape[0] < program.lines or (
                table.shape[1] != self.blocks):
            raise ValueError("a program or a table of other columns")
        marked = <unsigned char*> self._take(MASK, 1, self.blocks)
        if threads is not None:
            thread = threads.view("u1")
            if thread.shape[0] != self.blocks:
                raise ValueError("one mark for each block")
            memcpy(marked, &thread[0], self.blocks)
            self.threads = True
        self.single[0] = names
        self.single[1] = self.wanted.strings(CLASS).count
        self._point(INT, &self.single[0])
        self._point(INT, &self.single[1])
        self._point(REAL, &self.amount[0])
        self._point(REAL, &self.amount[1])
        self._point(REAL, self.scores)
        self.inputs[INPUT_COUNT - 1].lines = self.kinds
        self.inputs[INPUT_COUNT - 1].length = self.rows
        for at in range(INPUT_COUNT):
            if program.kinds[at] != self.inputs[<Py_ssize_t> at].kind:
                raise ValueError(f"input {READER_INPUTS[at]} is of another kind")
        program.run_columns(self.inputs, &table[0, 0], self.blocks)

    cdef void _point(self, int kind, void* data) noexcept:
        """Make memory of this object the next input."""
        cdef Column* column = &self.inputs[self.filled]
        column.data, column.kind, column.lines, column.length = data, kind, 1, 1
        self.filled += 1
