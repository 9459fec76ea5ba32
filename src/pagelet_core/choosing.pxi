"""The choice of blocks by their probabilities, the twin of `choose` in `content.choice`.

With what that takes from `tables`, `gaps` and `repeats`: rows of data tables stay whole, labels are
left out, gaps in running text are filled. Whether copies of a text stand in one flow is decided in
Python, for the few blocks that have copies.
"""

#: The features that the choice reads, in the order in which their lines are passed.
CHOICE_FEATURES = tuple((
    "core70 link_density up1_controls last_kind rights cookies in_noscript in_footer in_nav"
    " in_hidden see_also see_also_before since_first_title cookies_near type_documentation"
).split())

cdef enum:
    # lines of the features above
    CORE, DENSITY, CONTROLS, LAST_KIND, FIRST_NOTICE
    LAST_NOTICE = 9
    SEE_ALSO, SEE_ALSO_BEFORE, SINCE_TITLE, COOKIES_NEAR, DOCUMENTATION
    CHOICE_LINES = 15
    # bits of tags
    TABLE_ROW = 1
    CELL_TAG = 2
    TABLE_TAG = 4
    PARAGRAPH = 8
    LABEL_TAG = 16
    CODE_TAG = 32
    MAX_EXACT_WORDS = 1 << 24  # words that a single can count


cdef struct ChoiceLimits:
    double cell_blocks, row_words, row_cells  # most blocks of a cell, words and cells of a data row
    double labels, label_share  # words in labels, and their share, of a block of labels
    double kept_share, words, density, probability  # of the core, and of what fills gaps in it
    double siblings, siblings_share, sibling_probability  # of paragraphs that follow others
    double stop  # kind of the character that ends a sentence
    double copy_words, cell_copy_words, copy_chars  # of blocks that may be copies


cdef struct Ranked:
    double probability
    Py_ssize_t block


@cython.final
cdef class BlockChooser:
    """The blocks of a page while some of them are chosen."""

    cdef BlockReader reader
    cdef const float[:, ::1] table
    cdef Py_ssize_t line[CHOICE_LINES]
    cdef const unsigned char[::1] bits_of
    cdef double[::1] probability
    cdef ChoiceLimits limits
    cdef Memory memory
    cdef Py_ssize_t blocks
    cdef Py_ssize_t* data_row  # the data row that holds each block, or -1; NULL without any
    cdef double* sums  # of data rows, two for each row of the page

    def __cinit__(
        self, BlockReader reader not None, const float[:, ::1] table, tuple lines not None,
        const unsigned char[::1] bits_of, double[::1] probability, tuple limits not None,
    ):
        """Features with the lines of those that are read, bits of tags, probabilities, limits.

        The probabilities are changed where a row of a data table holds a block: to those of the row.
        """
        cdef Py_ssize_t at
        self.reader, self.table, self.bits_of, self.blocks = reader, table, bits_of, reader.blocks
        self.probability, self.memory = probability, Memory(12)
        if not (table.shape[1] == probability.shape[0] == self.blocks == reader.texts.blocks
                and bits_of.shape[0] and len(lines) == CHOICE_LINES):
            raise ValueError("the features are those of other blocks")
        for at in range(CHOICE_LINES):
            self.line[at] = lines[at]
            if not 0 <= self.line[at] < table.shape[0]:
                raise IndexError("a feature that does not exist")
        self._read_limits(limits)
        for at in range(self.blocks):
            if reader.block_words[at] >= MAX_EXACT_WORDS:
                raise OverflowError("more words than singles can count")
        if self._find_data_rows():
            self._join(&self.probability[0])

    cdef int _read_limits(self, tuple limits) except -1:
        cdef double* limit = <double*> &self.limits
        cdef Py_ssize_t at
        if len(limits) * sizeof(double) != sizeof(ChoiceLimits):
            raise ValueError("other limits than the choice knows")
        for at in range(len(limits)):
            limit[at] = limits[at]
        return 0

    cdef inline float _feature(self, int line, Py_ssize_t block) noexcept:
        return self.table[self.line[line], block]

    cdef inline unsigned char _bits(self, Py_ssize_t row) noexcept:
        return self.bits_of[min(<Py_ssize_t> self.reader.tag[row], self.bits_of.shape[0] - 1)]

    # -- rows of tables -------------------------------------------------------------------------

    cdef bint _find_data_rows(self) except -1:
        """Find the data row that holds each block; false if there is none."""
        cdef Py_ssize_t row, block, rows = self.reader.rows
        cdef bint found = False
        for row in range(rows):
            if self._bits(row) & TABLE_ROW:
                found = True
                break
        if not found:
            return False
        cdef Memory scratch = Memory(7)
        cdef Py_ssize_t* cell = <Py_ssize_t*> scratch.take(rows, sizeof(Py_ssize_t))
        cdef Py_ssize_t* holder = <Py_ssize_t*> scratch.take(rows, sizeof(Py_ssize_t))
        cdef Py_ssize_t* tables = <Py_ssize_t*> scratch.take(rows + 1, sizeof(Py_ssize_t))
        for row in range(rows):
            above = self.reader.parent[row]
            bits = self._bits(row)
            cell[row] = row if bits & CELL_TAG else cell[above] if above >= 0 else -1
            holder[row] = row if bits & TABLE_ROW else holder[above] if above >= 0 else -1
            tables[row + 1] = tables[row] + (bits & TABLE_TAG != 0)
        cdef double* words = <double*> scratch.take(rows, sizeof(double))
        cdef int32_t* filled = <int32_t*> scratch.take(rows, sizeof(int32_t))  # blocks of a cell
        cdef int32_t* cells = <int32_t*> scratch.take(rows, sizeof(int32_t))
        cdef int32_t* fullest = <int32_t*> scratch.take(rows, sizeof(int32_t))
        found = False
        for block in range(self.blocks):
            row = self.reader.holder[block]
            if cell[row] >= 0 and self.reader.parent[cell[row]] == holder[row] and holder[row] >= 0:
                found = True
                words[holder[row]] += self.reader.block_words[block]
                cells[holder[row]] += filled[cell[row]] == 0
                filled[cell[row]] += 1
                fullest[holder[row]] = max(fullest[holder[row]], filled[cell[row]])
        if not found:
            return False
        self.data_row = <Py_ssize_t*> self.memory.take(self.blocks, sizeof(Py_ssize_t))
        self.sums = <double*> self.memory.take(2 * rows, sizeof(double))
        for block in range(self.blocks):
            row = self.reader.holder[block]
            self.data_row[block] = -1
            if cell[row] < 0 or holder[row] < 0 or (
                    self.reader.parent[cell[row]] != holder[row]):
                continue
            row = holder[row]
            if (2 <= cells[row] <= self.limits.row_cells
                    and fullest[row] <= self.limits.cell_blocks
                    and words[row] <= self.limits.row_words
                    and tables[row + self.reader.size[row]] == tables[row]):
                self.data_row[block] = row
        return True

    cdef void _join(self, double* values) noexcept:
        """Give the blocks of a data row the mean of their values, words counted."""
        cdef Py_ssize_t block, row, rows = self.reader.rows
        cdef double weight
        if self.data_row == NULL:
            return
        memset(self.sums, 0, 2 * rows * sizeof(double))
        for block in range(self.blocks):
            row = self.data_row[block]
            if row >= 0:
                weight = max(self.reader.block_words[block], 1.0)
                self.sums[row] += values[block] * weight
                self.sums[rows + row] += weight
        for block in range(self.blocks):
            row = self.data_row[block]
            if row >= 0:
                values[block] = self.sums[row] / max(self.sums[rows + row], 1e-9)

    def mark_rows(self, unsigned char[::1] marked):
        """Mark the blocks of data rows."""
        cdef Py_ssize_t block
        if marked.shape[0] != self.blocks:
            raise ValueError("one mark for each block")
        for block in range(self.blocks):
            marked[block] = self.data_row != NULL and self.data_row[block] >= 0

    def whole_rows(self, unsigned char[::1] marked):
        """Mark the blocks of a data row all or none, as most of its words are."""
        cdef Py_ssize_t block
        if marked.shape[0] != self.blocks:
            raise ValueError("one mark for each block")
        if self.data_row == NULL:
            return
        cdef Memory scratch = Memory(1)
        cdef double* values = <double*> scratch.take(self.blocks, sizeof(double))
        for block in range(self.blocks):
            values[block] = marked[block] != 0
        self._join(values)
        for block in range(self.blocks):
            marked[block] = values[block] >= 0.5

    # -- copies ---------------------------------------------------------------------------------

    def find_copies(self, double least):
        """The blocks of such a probability, at least, that may be copies of each other."""
        cdef Py_ssize_t block, at, count = 0
        cdef Memory scratch = Memory(5)
        cdef unsigned char* compared = <unsigned char*> scratch.take(self.blocks, 1)
        cdef double words
        cdef int64_t most = 0
        cdef size_t slot, slots = 16
        for block in range(self.blocks):
            words = self.limits.copy_words
            if self._bits(self.reader.holder[block]) & (CELL_TAG | CODE_TAG):
                words = self.limits.cell_copy_words
            if self.probability[block] >= least and self.reader.block_words[block] >= words:
                compared[block] = 1
                count += 1
        if count < 2:
            return []
        while slots < 2 * <size_t> count:
            slots *= 2
        self._keep_equal_words(compared, <Py_ssize_t*> scratch.take(slots, sizeof(Py_ssize_t)),
                               slots)
        cdef uint64_t* bits = <uint64_t*> scratch.take(self.blocks, sizeof(uint64_t))
        cdef bint whole = True
        for block in range(self.blocks):
            if compared[block]:
                bits[block] = self.reader.texts.hash_block(
                    block, <Py_ssize_t> self.limits.copy_chars)
                whole = whole and bits[block] != 0
        if whole:  # else of some too little is known
            self._keep_equal_bits(
                compared, bits, <Py_ssize_t*> scratch.take(slots, sizeof(Py_ssize_t)), slots)
        return [block for block in range(self.blocks) if compared[block]]

    cdef void _keep_equal_words(
        self, unsigned char* compared, Py_ssize_t* table, size_t slots
    ) noexcept:
        """Leave out the blocks whose number of words no other one has."""
        cdef Py_ssize_t block, other
        cdef size_t slot
        for block in range(self.blocks):
            if compared[block]:
                slot = <size_t> (
                    <uint64_t> self.reader.block_words[block] * 0x9E3779B97F4A7C15ULL >> 32
                ) & (slots - 1)
                while table[slot] and self.reader.block_words[table[slot] - 1] != (
                        self.reader.block_words[block]):
                    slot = (slot + 1) & (slots - 1)
                if table[slot]:
                    compared[table[slot] - 1] = compared[block] = 2
                else:
                    table[slot] = block + 1
        for block in range(self.blocks):
            compared[block] = compared[block] == 2

    cdef void _keep_equal_bits(
        self, unsigned char* compared, const uint64_t* bits, Py_ssize_t* table, size_t slots
    ) noexcept:
        """Leave out the blocks whose hash no other one has."""
        cdef Py_ssize_t block
        cdef size_t slot
        for block in range(self.blocks):
            if compared[block]:
                slot = <size_t> (bits[block] >> 20) & (slots - 1)
                while table[slot] and bits[table[slot] - 1] != bits[block]:
                    slot = (slot + 1) & (slots - 1)
                if table[slot]:
                    compared[table[slot] - 1] = compared[block] = 2
                else:
                    table[slot] = block + 1
        for block in range(self.blocks):
            compared[block] = compared[block] == 2

    # -- the choice -----------------------------------------------------------------------------

    def choose(self, const unsigned char[:, ::1] marks, tuple bounds, unsigned char[::1] kept):
        """Mark the blocks that are taken, and return the probability from which on they were.

        `marks` are repetitions, blocks that are excluded and blocks that are added; `bounds` the
        square of beta, the least and the highest probability of the last block taken.
        """
        cdef double square, low, high, threshold
        cdef Py_ssize_t block
        square, low, high = bounds
        if marks.shape[0] != 3 or not marks.shape[1] == kept.shape[0] == self.blocks:
            raise ValueError("one mark for each block")
        cdef Memory scratch = Memory(4)
        cdef double* alone = <double*> scratch.take(self.blocks, sizeof(double))
        cdef unsigned char* labels = <unsigned char*> scratch.take(self.blocks, 1)
        self._mark_labels(labels)
        for block in range(self.blocks):
            if not (marks[0, block] or marks[1, block] or labels[block]):
                alone[block] = self.probability[block]
        threshold = min(max(self._best(alone, square), low), high)
        for block in range(self.blocks):
            kept[block] = alone[block] >= threshold
        self._fill_gaps(alone, kept)
        self._fill_paragraphs(alone, kept)
        self._keep_something(alone, kept)
        self.whole_rows(kept)
        for block in range(self.blocks):
            kept[block] = (kept[block] or marks[2, block]) and not marks[1, block]
        return threshold

    cdef double _best(self, const double* alone, double square) except -1:
        """The probability of the last block taken, so that the expected F-beta is highest."""
        cdef Memory scratch = Memory(2)
        cdef Ranked* ranked = <Ranked*> scratch.take(self.blocks, sizeof(Ranked))
        cdef Ranked* other = <Ranked*> scratch.take(self.blocks, sizeof(Ranked))
        cdef Py_ssize_t at, block, best = 0
        cdef double right = 0, taken = 0, total = 0, expected, highest = -1
        for block in range(self.blocks):
            ranked[block] = Ranked(alone[block], block)
        ranked = _sort(ranked, other, self.blocks)
        for at in range(self.blocks):
            total += ranked[at].probability * self.reader.block_words[ranked[at].block]
        for at in range(self.blocks):
            right += ranked[at].probability * self.reader.block_words[ranked[at].block]
            taken += self.reader.block_words[ranked[at].block]
            expected = right / max(taken + square * total, 1e-9)
            if expected > highest:
                best, highest = at, expected
        return ranked[best].probability

    cdef int _mark_labels(self, unsigned char* labels) except -1:
        """Mark the blocks of very many labels of fields and buttons, and hardly any other text."""
        cdef Py_ssize_t row, block, at, end = 0, count = 0
        cdef double words
        for row in range(self.reader.rows):
            count += self._bits(row) & LABEL_TAG != 0
        if count < self.limits.labels:
            return 0
        cdef Memory scratch = Memory(1)
        cdef unsigned char* inside = <unsigned char*> scratch.take(self.reader.rows, 1)
        for row in range(self.reader.rows):
            if self._bits(row) & LABEL_TAG:
                end = max(end, row + self.reader.size[row])
            inside[row] = row < end
        for block in range(self.blocks):
            words = 0
            for at in range(self.reader.first[block], self.reader._last(block)):
                row = self.reader.text_rows[at]
                words += self.reader.words[row] if inside[row] else 0
            labels[block] = (words >= self.limits.labels
                             and words >= self.limits.label_share * self.reader.block_words[block]
                             and self.reader.block_words[block] - words < self.limits.words)
        return 0

    cdef inline bint _is_running(self, Py_ssize_t block) noexcept:
        return (self.reader.block_words[block] >= self.limits.words
                and self._feature(DENSITY, block) < <float> self.limits.density)

    cdef inline bint _is_sentence(self, Py_ssize_t block) noexcept:
        return self._is_running(block) and self._feature(LAST_KIND, block) == self.limits.stop

    cdef void _fill_gaps(self, const double* alone, unsigned char[::1] kept) noexcept:
        """Also keep running text that is not unlikely, where nearly all of the core is kept."""
        cdef Py_ssize_t block
        cdef float held = 0, every = 0
        for block in range(self.blocks):
            if self._feature(CORE, block) > 0:
                every += <float> self.reader.block_words[block]
                held += <float> self.reader.block_words[block] if kept[block] else 0
        if held < <float> self.limits.kept_share * max(every, <float> 1):
            return
        for block in range(self.blocks):
            if (self._feature(CORE, block) > 0 and self._is_running(block)
                    and self._feature(CONTROLS, block) == 0
                    and alone[block] >= self.limits.probability):
                kept[block] = 1

    cdef int _fill_paragraphs(self, const double* alone, unsigned char[::1] kept) except -1:
        """Also keep the paragraphs of an element whose other paragraphs are mostly kept."""
        cdef Memory scratch = Memory(3)
        cdef Py_ssize_t block, above, rows = self.reader.rows
        cdef unsigned char* paragraph = <unsigned char*> scratch.take(self.blocks, 1)
        cdef double* sums = <double*> scratch.take(2 * rows, sizeof(double))
        cdef int32_t* taken = <int32_t*> scratch.take(rows, sizeof(int32_t))
        for block in range(self.blocks):
            if not (self._bits(self.reader.holder[block]) & PARAGRAPH and self._is_sentence(block)):
                continue
            above = self.reader.parent[self.reader.holder[block]]
            if above < 0:
                raise ValueError("a paragraph without a parent")
            paragraph[block] = 1
            sums[above] += self.reader.block_words[block]
            if kept[block]:
                sums[rows + above] += self.reader.block_words[block]
                taken[above] += 1
        for block in range(self.blocks):
            if paragraph[block] and alone[block] >= self.limits.sibling_probability:
                above = self.reader.parent[self.reader.holder[block]]
                if taken[above] >= self.limits.siblings and (
                        sums[rows + above] / max(sums[above], 1.0) >= self.limits.siblings_share):
                    kept[block] = 1
        return 0

    cdef int _keep_something(self, const double* alone, unsigned char[::1] kept) except -1:
        """Keep the likeliest running text where nothing is kept at all."""
        cdef Py_ssize_t block
        cdef int line
        cdef double most = 0
        cdef Memory scratch = Memory(1)
        cdef unsigned char* hope = <unsigned char*> scratch.take(self.blocks, 1)
        for block in range(self.blocks):
            if kept[block]:
                return 0
        for block in range(self.blocks):
            hope[block] = self._is_sentence(block) and alone[block] > 0
            for line in range(FIRST_NOTICE, LAST_NOTICE + 1):
                hope[block] = hope[block] and self._feature(line, block) == 0
            if hope[block]:
                most = max(most, alone[block])
        for block in range(self.blocks):
            kept[block] = hope[block] and alone[block] >= most / 2
        return 0


cdef Ranked* _sort(Ranked* values, Ranked* other, Py_ssize_t count) noexcept:
    """Sort by falling probability; equal ones keep their order. One of the two arrays is sorted."""
    cdef Py_ssize_t width = 1, first, middle, last, one, two, at
    while width < count:
        first = 0
        while first < count:
            middle, last = min(first + width, count), min(first + 2 * width, count)
            one, two = first, middle
            for at in range(first, last):
                if one < middle and (
                        two >= last or values[one].probability >= values[two].probability):
                    other[at] = values[one]
                    one += 1
                else:
                    other[at] = values[two]
                    two += 1
            first = last
        values, other = other, values
        width *= 2
    return values


def add_log_odds(
    const float[:, ::1] table, tuple lines not None, tuple limits not None, double[::1] odds
):
    """Add the log-odds against lines that lead elsewhere, and against banners.

    `lines` are those of CHOICE_FEATURES, then that of words. `limits`: most words of such a line,
    its log-odds, density of links, probability of a type; least cookies near a block of a banner,
    its log-odds.
    """
    cdef Py_ssize_t line[CHOICE_LINES + 1]
    cdef double words, lead_odds, linked, likely, cookies, banner_odds, change
    cdef Py_ssize_t block, at
    cdef bint brief
    words, lead_odds, linked, likely, cookies, banner_odds = limits
    if len(lines) != CHOICE_LINES + 1 or table.shape[1] != odds.shape[0]:
        raise ValueError("the features are those of other blocks")
    for at in range(CHOICE_LINES + 1):
        line[at] = lines[at]
        if not 0 <= line[at] < table.shape[0]:
            raise IndexError("a feature that does not exist")
    for block in range(odds.shape[0]):
        brief = (table[line[CHOICE_LINES], block] <= <float> words
                 and table[line[DOCUMENTATION], block] < <float> likely)
        change = 0
        if brief and table[line[SEE_ALSO], block] > 0:
            change += lead_odds
        if brief and table[line[SEE_ALSO_BEFORE], block] > 0 and (
                table[line[DENSITY], block] >= <float> linked):
            change += lead_odds / 2
        if table[line[SINCE_TITLE], block] < 0 and (
                table[line[COOKIES_NEAR], block] >= <float> cookies):
            change += banner_odds
        odds[block] += change


def expected_f1(
    const double[::1] probability, const float[::1] words, const unsigned char[::1] left_out,
    const unsigned char[::1] taken,
):
    """The F1 to be expected of the blocks taken; those that are left out are surely wrong."""
    cdef Py_ssize_t block, blocks = probability.shape[0]
    cdef double weight, right = 0, read = 0, held = 0
    if not words.shape[0] == left_out.shape[0] == taken.shape[0] == blocks:
        raise ValueError("one mark for each block")
    for block in range(blocks):
        weight = 0 if left_out[block] else probability[block] * words[block]
        held += weight
        if taken[block]:
            right += weight
            read += words[block]
    return 2 * right / max(read + held, 1e-9)


def read_first(const float[:, ::1] table, tuple lines not None):
    """The first value of each of the lines."""
    cdef Py_ssize_t line
    values = []
    for line in lines:
        if not 0 <= line < table.shape[0] or table.shape[1] == 0:
            raise IndexError("a line that does not exist")
        values.append(<double> table[line, 0])
    return values


def fill_lines(float[:, ::1] table, list values not None):
    """Fill the last lines of a table, each with one value."""
    cdef Py_ssize_t line = table.shape[0] - len(values), place
    cdef float number
    if line < 0:
        raise IndexError("more values than there are lines")
    for value in values:
        number = value
        for place in range(table.shape[1]):
            table[line, place] = number
        line += 1


def mark_texts(
    const Py_ssize_t[::1] rows, const Py_ssize_t[::1] first, const unsigned char[::1] kept,
    unsigned char[::1] marked,
):
    """Mark the rows of the texts of kept blocks."""
    cdef Py_ssize_t block, at, last, blocks = first.shape[0]
    if kept.shape[0] != blocks:
        raise ValueError("one mark for each block")
    for block in range(blocks):
        last = first[block + 1] if block + 1 < blocks else rows.shape[0]
        if not 0 <= first[block] <= last <= rows.shape[0]:
            raise IndexError("a block without a text")
        if kept[block]:
            for at in range(first[block], last):
                if not 0 <= rows[at] < marked.shape[0]:
                    raise IndexError("a row that does not exist")
                marked[rows[at]] = 1
