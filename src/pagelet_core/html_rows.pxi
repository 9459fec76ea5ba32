"""The rows that clean HTML for Markdown is written from: the twin of `plan_html` and `tables`."""

from libc.stdint cimport INT32_MAX, uint16_t

cdef enum:
    # bits of tags
    WRITTEN_BIT = 1
    HEADING_BIT = 2
    STRUCTURE_BIT = 4
    PARAGRAPH_BIT = 8
    BULLETED_BIT = 16
    ITEM_BIT = 32
    CODE_BIT = 64
    RAISED_BIT = 128  # sub- and superscripts
    TABLE_BIT = 256
    TABLE_ROW_BIT = 512
    TABLE_CELL_BIT = 1024
    LINE_BREAK_BIT = 2048
    # the lowest of the bits of weights, which are signs that a cell lays out the page
    WEIGHT_SHIFT = 12
    LAYOUT_WEIGHT = 12
    MAX_CELL_CHARS = 1000  # of the longest cell of a data table
    MAX_PADDING_RATIO = 4  # empty cells per written cell that may be added to a table
    FREE_PADDING = 50


cdef class TableRows


@cython.final
cdef class WrittenRows:
    """Chooses the rows to write; `before` and `after` are the empty cells that tables need."""

    cdef const int32_t[::1] tag
    cdef const int32_t[::1] size
    cdef const int32_t[::1] parent
    cdef const int32_t[::1] chars
    cdef Py_ssize_t length
    cdef Memory memory
    cdef uint16_t* bits
    cdef unsigned char* kept
    cdef unsigned char* holds  # rows that hold kept texts, and these
    cdef unsigned char* shown
    cdef bint tabled  # whether tables hold kept texts
    cdef readonly dict before
    cdef readonly dict after

    def __cinit__(self, tuple columns not None, const unsigned char[::1] kept,
                  const uint16_t[::1] bits_of):
        """Columns: tags, sizes, parents, characters. Bits by tag, the last for all above."""
        cdef Py_ssize_t row
        self.tag, self.size, self.parent, self.chars = columns
        self.length, self.before, self.after = self.tag.shape[0], {}, {}
        if not (self.size.shape[0] == self.parent.shape[0] == self.chars.shape[0]
                == kept.shape[0] == self.length and bits_of.shape[0]):
            raise ValueError("the columns of a page do not fit together")
        self.memory = Memory(4)
        self.bits = <uint16_t*> self.memory.take(self.length, sizeof(uint16_t))
        self.kept = <unsigned char*> self.memory.take(self.length, 1)
        self.holds = <unsigned char*> self.memory.take(self.length, 1)
        self.shown = <unsigned char*> self.memory.take(self.length, 1)
        for row in range(self.length):
            if self.tag[row] < 0 or not -1 <= self.parent[row] < row or not (
                    0 < self.size[row] <= self.length - row):
                raise ValueError("a row that is broken")
            self.bits[row] = bits_of[min(<Py_ssize_t> self.tag[row], bits_of.shape[0] - 1)]
            self.kept[row] = self.holds[row] = self.tag[row] == 0 and kept[row]

    def choose(self, const int32_t[::1] foreign, list forced not None, lays_out, spans):
        """The rows of kept texts and of the elements to write around them, in order.

        `forced` are rules and scripts, which are written. `lays_out` is asked whether a table is
        for layout by its role; `spans` gives the columns and rows of cells that state them.
        """
        cdef Py_ssize_t row
        cdef TableRows tables
        self._choose_elements(foreign)
        if self.tabled:
            tables = TableRows(self)
            tables.plan(lays_out, spans)
        for row in range(self.length):
            if self.bits[row] & RAISED_BIT:
                self.shown[row] = 0
        for row in forced:
            if not 0 <= row < self.length:
                raise IndexError("a row that does not exist")
            self.shown[row] = 1
        return self._without_hollow()

    cdef int _choose_elements(self, const int32_t[::1] foreign) except -1:
        """Show the elements that hold kept texts, and the cells of table rows that do."""
        cdef Py_ssize_t row, at, weight, above
        cdef Memory scratch = Memory(2)
        cdef int32_t* below = <int32_t*> scratch.take(self.length, sizeof(int32_t))
        cdef unsigned char* raw = <unsigned char*> scratch.take(self.length, 1)
        for row in range(self.length - 1, -1, -1):
            above = self.parent[row]
            if self.holds[row] and above >= 0:
                self.holds[above] = 1
                weight = 2 if self.bits[row] & STRUCTURE_BIT else (
                    1 if self.bits[row] & PARAGRAPH_BIT else 0)
                below[above] += below[row] + <int32_t> weight
        for row in range(self.length):
            above = self.parent[row]
            raw[row] = self.bits[row] & CODE_BIT or (above >= 0 and raw[above])
            if self.tag[row] == 0:
                self.shown[row] = self.kept[row]
                continue
            if above >= 0 and raw[above]:
                continue
            self.tabled = self.tabled or (self.holds[row] and self.bits[row] & TABLE_BIT)
            self.shown[row] = self.bits[row] & WRITTEN_BIT and self.holds[row] and not (
                self.bits[row] & HEADING_BIT and below[row] >= 2)
            if self.bits[row] & TABLE_CELL_BIT and above >= 0 and (
                    self.bits[above] & TABLE_ROW_BIT and self.holds[above]):
                self.shown[row] = 1
        for at in range(foreign.shape[0]):
            if not 0 <= foreign[at] < self.length:
                raise IndexError("a row that does not exist")
            self.shown[foreign[at]] = self.shown[foreign[at]] and self.tag[foreign[at]] == 0
        return 0

    cdef IntBuffer _without_hollow(self):
        """The rows that are shown but for items that begin with a list, and that list."""
        cdef IntBuffer rows = IntBuffer()
        cdef Py_ssize_t row, above, before = -1  # the row shown last
        cdef bint hollow = False, was_hollow
        for row in range(self.length):
            if not self.shown[row]:
                continue
            if before >= 0:
                was_hollow, above = hollow, self.parent[before]
                hollow = (self.bits[before] & ITEM_BIT and above >= 0
                          and self.bits[above] & BULLETED_BIT and self.bits[row] & BULLETED_BIT)
                if not hollow and not was_hollow:
                    rows.push(<int32_t> before)
            before = row
        if before >= 0 and not hollow:
            rows.push(<int32_t> before)
        return rows


cdef struct HangingCells:
    int32_t* until  # by column the first row that the cell above it no longer reaches
    int32_t* ending  # by row how many columns have that one
    Py_ssize_t columns
    Py_ssize_t rows


@cython.final
cdef class TableRows:
    """The tables of a page: which only lay it out, and the empty cells that others need."""

    cdef WrittenRows rows
    cdef Py_ssize_t length
    cdef Memory memory
    cdef Py_ssize_t* owner  # the table at or above each row, or -1
    cdef Py_ssize_t* first  # of the rows of each table, less one, so that 0 is none
    cdef Py_ssize_t* following  # the next row of the same table, likewise
    cdef Py_ssize_t* width  # columns of each table row
    cdef Py_ssize_t* owed  # empty cells that spans leave at the end of it

    def __cinit__(self, WrittenRows rows not None):
        cdef Py_ssize_t row
        self.rows, self.length, self.memory = rows, rows.length, Memory(5)
        self.owner = <Py_ssize_t*> self.memory.take(self.length, sizeof(Py_ssize_t))
        self.first = <Py_ssize_t*> self.memory.take(self.length, sizeof(Py_ssize_t))
        self.following = <Py_ssize_t*> self.memory.take(self.length, sizeof(Py_ssize_t))
        self.width = <Py_ssize_t*> self.memory.take(self.length, sizeof(Py_ssize_t))
        self.owed = <Py_ssize_t*> self.memory.take(self.length, sizeof(Py_ssize_t))
        for row in range(self.length):
            if rows.bits[row] & TABLE_BIT:
                self.owner[row] = row
            else:
                self.owner[row] = self.owner[rows.parent[row]] if rows.parent[row] >= 0 else -1

    cdef int plan(self, lays_out, spans) except -1:
        """Show no table that lays out the page, and fill up the others."""
        cdef WrittenRows rows = self.rows
        cdef Py_ssize_t row, table
        cdef dict covered = None
        self._unwrap(lays_out)
        for row in range(self.length - 1, -1, -1):
            table = self.owner[row]
            if rows.bits[row] & TABLE_ROW_BIT and table >= 0 and rows.shown[table]:
                self.following[row], self.first[table] = self.first[table], row + 1
        for row in range(self.length):
            if rows.bits[row] & TABLE_BIT and rows.shown[row]:
                covered = spans() if covered is None else covered
                self._fill(row, covered)
        return 0

    cdef int _unwrap(self, lays_out) except -1:
        """Hide tables of one column, with structure or much text in a cell, or by their role."""
        cdef WrittenRows rows = self.rows
        cdef Py_ssize_t row, above, weight
        cdef Memory scratch = Memory(5)
        cdef int64_t* chars = <int64_t*> scratch.take(self.length, sizeof(int64_t))
        cdef int64_t* below = <int64_t*> scratch.take(self.length, sizeof(int64_t))
        cdef Py_ssize_t* cells = <Py_ssize_t*> scratch.take(self.length, sizeof(Py_ssize_t))
        cdef unsigned char* regular = <unsigned char*> scratch.take(self.length, 1)
        cdef unsigned char* layout = <unsigned char*> scratch.take(self.length, 1)
        for row in range(self.length - 1, -1, -1):
            above = rows.parent[row]
            weight = 0
            if rows.holds[row] or rows.bits[row] & LINE_BREAK_BIT:
                weight = rows.bits[row] >> WEIGHT_SHIFT
            if rows.kept[row]:
                chars[row] += rows.chars[row]
            if above >= 0:
                chars[above] += chars[row]
                below[above] += below[row] + weight
            if cells[row] > 1 and self.owner[row] >= 0:
                regular[self.owner[row]] = 1
            if rows.bits[row] & TABLE_CELL_BIT and rows.holds[row]:
                if above >= 0:
                    cells[above] += 1
                if self.owner[row] >= 0 and (
                        below[row] >= LAYOUT_WEIGHT or chars[row] > MAX_CELL_CHARS):
                    layout[self.owner[row]] = 1
        for row in range(self.length):
            if rows.bits[row] & TABLE_BIT and rows.shown[row] and (
                    layout[row] or not regular[row] or lays_out(row)):
                rows.shown[row] = 0
        return 0

    cdef int _fill(self, Py_ssize_t table, dict spans) except -1:
        """Count the empty cells of one table; a table that would be mostly padding gets none."""
        cdef Py_ssize_t row, width = 0, most, missing, padding = 0
        cdef dict before = {}, after = {}
        most = self._measure(table, spans, before)
        if most < 0:
            return 0
        row = self.first[table]
        while row:
            if self.rows.holds[row - 1]:
                width = max(width, self.width[row - 1])
            row = self.following[row - 1]
        row = self.first[table]
        while row:
            missing = self.owed[row - 1] + max(width - self.width[row - 1], 0)
            if missing:
                after[row - 1] = missing
                padding += missing
            row = self.following[row - 1]
        if padding <= most:
            self.rows.before.update(before)
            self.rows.after.update(after)
        return 0

    cdef Py_ssize_t _measure(self, Py_ssize_t table, dict spans, dict before) except -2:
        """How many empty cells a table may get; -1 where cells reach into more columns of rows.

        `before` gets the empty ones before each cell, rows their widths.
        """
        cdef Py_ssize_t row = self.first[table], cell, cells = 0, number, most
        cdef Py_ssize_t reached = 0, reaching = 0
        cdef HangingCells above = HangingCells(NULL, NULL, 0, 0)
        cdef Memory scratch = Memory(2)
        while row:
            cell = row
            while cell < row - 1 + self.rows.size[row - 1]:
                if self.rows.bits[cell] & TABLE_CELL_BIT:
                    cells += 1
                    above.columns += self._columns_of(cell, spans)
                cell += self.rows.size[cell]
            row = self.following[row - 1]
            above.rows += 1
        most = MAX_PADDING_RATIO * cells + FREE_PADDING
        above.until = <int32_t*> scratch.take(above.columns, sizeof(int32_t))
        above.ending = <int32_t*> scratch.take(above.rows + 1, sizeof(int32_t))
        row = self.first[table]
        for number in range(above.rows):
            reaching -= above.ending[number]
            reached += reaching
            if reached > most:
                return -1
            reaching += self._measure_row(row - 1, number, spans, before, &above)
            row = self.following[row - 1]
        return most

    cdef Py_ssize_t _columns_of(self, Py_ssize_t cell, dict spans) except -1:
        """The columns that a cell covers."""
        cdef Py_ssize_t across = 1, down = 1
        if cell in spans:
            across, down = spans[cell]
        if not (0 < across < INT32_MAX and 0 < down < INT32_MAX):
            raise ValueError("a cell covers a column and a row at least")
        return across

    cdef Py_ssize_t _measure_row(
        self, Py_ssize_t row, Py_ssize_t number, dict spans, dict before, HangingCells* above
    ) except -1:
        """Note the width of a table row, by its number, and the empty cells in it.

        Returns into how many more columns cells reach behind it. No column lies beyond those of
        all cells up to here, one after the other.
        """
        cdef Py_ssize_t cell = row + 1, column = 0, empty = 0, across, down, at, more = 0
        while cell < row + self.rows.size[row]:
            if self.rows.bits[cell] & TABLE_CELL_BIT:
                while column < above.columns and above.until[column] > number:
                    column, empty = column + 1, empty + 1
                across, down = spans[cell] if cell in spans else (1, 1)
                if empty:
                    before[cell] = empty
                empty = across - 1
                for at in range(column, column + across):
                    if above.until[at] > number:
                        above.ending[above.until[at]] -= 1
                    elif down > 1:
                        more += 1
                    else:
                        continue  # it reaches no row below
                    above.until[at] = <int32_t> min(number + down, above.rows)
                    above.ending[above.until[at]] += 1
                column += across
            cell += self.rows.size[cell]
        self.width[row], self.owed[row] = column, empty
        return more
