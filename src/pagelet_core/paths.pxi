"""XPaths of many rows, the twin of `PathIndex.path` in `pagelet.page.paths`."""


@cython.final
cdef class StepNames:
    """The names of steps in paths, by tag, as bytes."""

    cdef tuple names  # keeps them alive
    cdef Py_ssize_t count
    cdef Memory memory
    cdef const char** text
    cdef Py_ssize_t* size

    def __cinit__(self, tuple names not None):
        cdef Py_ssize_t tag
        self.names, self.count, self.memory = names, len(names), Memory(2)
        self.text = <const char**> self.memory.take(self.count, sizeof(char*))
        self.size = <Py_ssize_t*> self.memory.take(self.count, sizeof(Py_ssize_t))
        for tag in range(1, self.count):
            self.text[tag] = PyUnicode_AsUTF8AndSize(names[tag], &self.size[tag])
        if self.count:  # tag 0 is that of texts
            self.text[0], self.size[0] = b"text()", 6


def write_paths(
    const int32_t[::1] tag, const int32_t[::1] parent, const int64_t[::1] place, alone, odd,
    tuple names not None, list rows not None,
):
    """The path of each of the rows; None where a name on it needs the name() form."""
    cdef const unsigned char[::1] single = alone.view("u1"), special = odd.view("u1")
    cdef Py_ssize_t row, size, length = tag.shape[0]
    cdef Buffer path = Buffer()
    cdef StepNames steps = StepNames(names)
    if not length == parent.shape[0] == place.shape[0] == single.shape[0] == special.shape[0]:
        raise ValueError("the columns of a page do not fit together")
    paths = []
    for row in rows:
        if not 0 <= row < length:
            raise IndexError("a row that does not exist")
        size = _path_size(tag, parent, place, single, special, steps, row)
        if size < 0:
            paths.append(None)
            continue
        path.used = 0
        path.reserve(size)
        _fill_path(tag, parent, place, single, steps, row, path.data + size)
        paths.append(decode_bytes(path.data, size))
    return paths


cdef Py_ssize_t _path_size(
    const int32_t[::1] tag, const int32_t[::1] parent, const int64_t[::1] place,
    const unsigned char[::1] single, const unsigned char[::1] special, StepNames steps,
    Py_ssize_t row,
) except -2:
    """The bytes of a path; -1 where a name on it needs the name() form."""
    cdef Py_ssize_t size = 0
    cdef int64_t number
    while row >= 0:
        if special[row]:
            return -1
        if not 0 <= tag[row] < steps.count or parent[row] >= row:
            raise ValueError("a row that is not behind its parent, or has no name")
        size += 1 + steps.size[tag[row]]
        if tag[row] == 0 or not single[row]:
            number, size = place[row], size + 2
            while number > 0:
                number, size = number // 10, size + 1
        row = parent[row]
    return size


cdef void _fill_path(
    const int32_t[::1] tag, const int32_t[::1] parent, const int64_t[::1] place,
    const unsigned char[::1] single, StepNames steps, Py_ssize_t row, unsigned char* end,
) noexcept:
    """Write a path, its last step first, up to where it ends."""
    cdef int64_t number
    while row >= 0:
        if tag[row] == 0 or not single[row]:
            end -= 1
            end[0], number = c"]", place[row]
            while number > 0:
                end -= 1
                end[0], number = c"0" + number % 10, number // 10
            end -= 1
            end[0] = c"["
        end -= steps.size[tag[row]]
        memcpy(end, steps.text[tag[row]], steps.size[tag[row]])
        end -= 1
        end[0], row = c"/", parent[row]
