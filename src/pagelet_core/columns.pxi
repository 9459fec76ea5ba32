"""Column programs: the operations are C (columns.h), here they meet Python's arrays."""

from cpython.buffer cimport (
    PyBUF_C_CONTIGUOUS, PyBUF_FORMAT, PyBUF_ND, PyBuffer_Release, PyObject_GetBuffer,
)
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free

cdef extern from "columns.h":
    enum: MASK, INT, REAL
    enum: COLUMNS_MEMORY, COLUMNS_PLACE
    enum: OPERATION_COUNT, INSTRUCTION_NUMBERS, MOST_OPERANDS
    const char* OPERATION_NAMES[1]
    ctypedef struct Column:
        void* data
        size_t room
        void* owned
        int64_t lines
        int64_t length
        int kind
    int make_room(Column* column, int kind, int64_t lines, int64_t length) nogil
    int run_program(
        const int32_t* code, int64_t instructions, Column* registers, const Column* inputs,
        const Column* constants, float* table, int64_t width,
    ) nogil

cdef enum:
    MAX_KEPT_BYTES = 16_000_000  # of registers that are kept from page to page

#: The operations by number.
COLUMN_OPERATIONS = tuple([OPERATION_NAMES[at].decode() for at in range(OPERATION_COUNT)])


@cython.final
cdef class Columns:
    """Columns over the memory of arrays; values of another type are copied."""

    cdef Column* columns
    cdef Py_buffer* buffers
    cdef Py_ssize_t held
    cdef Py_ssize_t count

    def __cinit__(self, arrays, bytes kinds):
        self.count = len(arrays)
        if len(kinds) != self.count:
            raise ValueError(f"{self.count} arrays for {len(kinds)} columns")
        self.columns = <Column*> calloc(self.count + 1, sizeof(Column))
        self.buffers = <Py_buffer*> calloc(self.count + 1, sizeof(Py_buffer))
        if self.columns == NULL or self.buffers == NULL:
            raise MemoryError
        cdef const unsigned char* kind = kinds
        for array in arrays:
            self._add(array, kind[self.held])

    def __dealloc__(self):
        cdef Py_ssize_t at
        for at in range(self.held):
            PyBuffer_Release(&self.buffers[at])
        if self.columns != NULL:
            for at in range(self.count):
                free(self.columns[at].owned)
        free(self.columns)
        free(self.buffers)

    cdef int _add(self, array, int kind) except -1:
        cdef Py_buffer* held = &self.buffers[self.held]
        cdef Column* column = &self.columns[self.held]
        PyObject_GetBuffer(array, held, PyBUF_ND | PyBUF_FORMAT | PyBUF_C_CONTIGUOUS)
        self.held += 1
        cdef char form = held.format[0] if held.format != NULL else <char> b"B"
        cdef int64_t lines = held.shape[0] if held.ndim == 2 else 1
        if not 1 <= held.ndim <= 2 or (held.format != NULL and held.format[1] != 0):
            raise ValueError("a column has one or two dimensions of plain numbers")
        cdef int64_t length = held.shape[held.ndim - 1]
        cdef bint whole = form in (c"l", c"q", c"n") and held.itemsize == 8
        if (kind == REAL and form == c"d") or (kind == INT and whole) or (
                kind == MASK and form == c"?"):
            column.data, column.kind = held.buf, kind
            column.lines, column.length = lines, length
            return 0
        if make_room(column, kind, lines, length):
            raise MemoryError
        if kind == INT and form == c"i" and held.itemsize == 4:
            _copy(<int64_t*> column.data, <const int32_t*> held.buf, lines * length)
        elif kind == INT and form == c"B":
            _copy(<int64_t*> column.data, <const uint8_t*> held.buf, lines * length)
        elif kind == REAL and whole:
            _copy(<double*> column.data, <const int64_t*> held.buf, lines * length)
        else:
            raise TypeError(f"a column of kind {kind} cannot have values of type {chr(form)!r}")
        return 0


ctypedef fused wide_t:
    int64_t
    double

ctypedef fused given_t:
    int32_t
    uint8_t
    int64_t


cdef void _copy(wide_t* to, const given_t* values, int64_t count) noexcept:
    cdef int64_t at
    for at in range(count):
        to[at] = <wide_t> values[at]


@cython.final
cdef class ColumnProgram:
    """A program, ready to be run over the columns of one page after the other."""

    cdef const int32_t[:, ::1] code
    cdef Columns constants
    cdef bytes kinds
    cdef Py_ssize_t registers
    cdef Py_ssize_t lines
    cdef Column* kept  # registers of the last run, for the next one; NULL while one is under way

    def __cinit__(
        self, const int32_t[:, ::1] code, constants, bytes constant_kinds, bytes kinds,
        Py_ssize_t registers, Py_ssize_t lines,
    ):
        """Instructions as numbers, constants, kinds of the inputs; registers, lines of a table."""
        self.code, self.kinds = code, kinds
        self.constants = Columns(constants, constant_kinds)
        self.registers, self.lines = registers, lines
        self._check()

    cdef int _check(self) except -1:
        """Refuse instructions that name registers, inputs or lines that do not exist."""
        if self.code.shape[1] != INSTRUCTION_NUMBERS:
            raise ValueError("the instructions are of another form")
        names = COLUMN_OPERATIONS
        for at in range(self.code.shape[0]):
            line = [self.code[at, place] for place in range(INSTRUCTION_NUMBERS)]
            operation, result, kind, lines, number, count = line[:6]
            if not (0 <= operation < OPERATION_COUNT and 0 <= kind <= REAL
                    and 0 <= count <= MOST_OPERANDS and lines >= 0 and result >= 0
                    and all([0 <= each < self.registers for each in line[6:6 + count]])):
                raise ValueError(f"instruction {at} is broken")
            most = {"input": len(self.kinds), "constant": self.constants.count}
            if names[operation] in most and not 0 <= number < most[names[operation]]:
                raise ValueError(f"instruction {at} takes an array that does not exist")
            room = self.lines - lines if names[operation] == "store" else self.registers - 1
            if result > room:
                raise ValueError(f"instruction {at} has no room for its result")
        return 0

    def __dealloc__(self):
        if self.kept != NULL:
            self._free(self.kept)

    cdef Column* _take_registers(self) except NULL:
        cdef Column* registers = self.kept
        self.kept = NULL
        if registers == NULL:
            registers = <Column*> calloc(self.registers + 1, sizeof(Column))
        if registers == NULL:
            raise MemoryError
        return registers

    cdef void _give_back(self, Column* registers) noexcept:
        """Keep the registers for the next page, unless they are large or others are kept."""
        cdef Py_ssize_t at
        cdef size_t room = 0
        for at in range(self.registers):
            room += registers[at].room
        if self.kept == NULL and room <= MAX_KEPT_BYTES:
            self.kept = registers
        else:
            self._free(registers)

    cdef void _free(self, Column* registers) noexcept:
        cdef Py_ssize_t at
        for at in range(self.registers):
            free(registers[at].owned)
        free(registers)

    def run(self, arrays, float[:, ::1] table):
        """Fill a table, one line per feature, from the inputs of one page."""
        cdef Columns inputs = Columns(arrays, self.kinds)
        if table.shape[0] != self.lines:
            raise ValueError(f"a table of {table.shape[0]} lines for {self.lines} features")
        if table.shape[1]:
            self.run_columns(inputs.columns, &table[0, 0], table.shape[1])

    cdef int run_columns(self, const Column* inputs, float* table, Py_ssize_t width) except -1:
        """Fill a table of so many places a line; the inputs are of the kinds they should be."""
        cdef Column* registers = self._take_registers()
        cdef int failed = run_program(
            &self.code[0, 0], self.code.shape[0], registers, inputs,
            self.constants.columns, table, width,
        )
        self._give_back(registers)
        if failed == COLUMNS_MEMORY:
            raise MemoryError
        if failed == COLUMNS_PLACE:
            raise IndexError("a place that does not exist")
        if failed:
            raise ValueError("columns that do not fit together")
        return 0
