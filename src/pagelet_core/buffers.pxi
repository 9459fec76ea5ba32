"""Arrays that grow, and become arrays of numpy without being copied."""

from libc.stdint cimport int32_t
from libc.stdlib cimport realloc
from cpython.buffer cimport PyBUF_FORMAT, PyBUF_ND, PyBUF_STRIDES, PyBUF_WRITABLE

cdef char* INT_FORMAT = b"i"


@cython.final
cdef class IntBuffer:
    """32-bit whole numbers; read-only for all who look at them through the buffer protocol."""

    cdef int32_t* values
    cdef Py_ssize_t used
    cdef Py_ssize_t room
    cdef Py_ssize_t stride
    cdef Py_ssize_t views  # while there are any, the numbers stay where they are

    def __cinit__(self):
        self.stride = sizeof(int32_t)
        self.grow(8)

    def __dealloc__(self):
        free(self.values)

    def __len__(self):
        return self.used

    cdef int grow(self, Py_ssize_t room) except -1:
        """Make room for so many numbers, or for as many as there are if that is fewer."""
        if self.views:
            raise BufferError("the numbers are in use and cannot be moved")
        if room > 0x7FFFFFFF:
            raise MemoryError("more rows than 32 bits can number")
        values = <int32_t*> realloc(self.values, max(room, 1) * sizeof(int32_t))
        if values == NULL:
            raise MemoryError
        self.values, self.room = values, room
        return 0

    cdef inline int push(self, int32_t value) except -1:
        if self.used == self.room:
            self.grow(2 * self.room)
        self.values[self.used] = value
        self.used += 1
        return 0

    def __getbuffer__(self, Py_buffer* view, int flags):
        if flags & PyBUF_WRITABLE:
            raise BufferError("the numbers are read-only")
        view.buf, view.obj, view.len = self.values, self, self.used * sizeof(int32_t)
        view.itemsize, view.ndim, view.readonly = sizeof(int32_t), 1, 1
        view.format = INT_FORMAT if flags & PyBUF_FORMAT else NULL
        view.shape = &self.used if flags & PyBUF_ND else NULL
        view.strides = &self.stride if flags & PyBUF_STRIDES == PyBUF_STRIDES else NULL
        view.suboffsets, view.internal = NULL, NULL
        self.views += 1

    def __releasebuffer__(self, Py_buffer* view):
        self.views -= 1


cdef void* grow_items(void* items, Py_ssize_t* room, size_t size) except NULL:
    """Items with room for more; their number fits into 32 bits."""
    cdef Py_ssize_t wanted = 2 * room[0] + 16
    cdef void* grown
    if wanted > 0x7FFFFFFF:
        raise MemoryError("more items than 32 bits can number")
    grown = realloc(items, wanted * size)
    if grown == NULL:
        raise MemoryError
    room[0] = wanted
    return grown


cdef struct Numbers:
    int32_t* values
    Py_ssize_t used
    Py_ssize_t room


cdef inline int push_number(Numbers* numbers, int32_t value) except -1:
    if numbers.used == numbers.room:
        numbers.values = <int32_t*> grow_items(numbers.values, &numbers.room, sizeof(int32_t))
    numbers.values[numbers.used] = value
    numbers.used += 1
    return 0


cdef inline Py_ssize_t find_first(
    const int32_t* values, Py_ssize_t count, Py_ssize_t least
) noexcept nogil:
    """The place of the first of some ascending numbers that is not below another."""
    cdef Py_ssize_t low = 0, high = count, middle
    while low < high:
        middle = (low + high) // 2
        if values[middle] < least:
            low = middle + 1
        else:
            high = middle
    return low


cdef inline Py_ssize_t find_number(
    const int32_t* values, Py_ssize_t count, Py_ssize_t wanted
) noexcept nogil:
    """The place of a number among ascending ones; -1 where it is not."""
    cdef Py_ssize_t at = find_first(values, count, wanted)
    return at if at < count and values[at] == wanted else -1
