"""XPaths of many rows, the twin of `PathIndex.path` in `pagelet.page.paths`."""


def write_paths(
    const int32_t[::1] tag, const int32_t[::1] parent, const int64_t[::1] place, alone, odd,
    tuple names not None, list rows not None,
):
    """The path of each of the rows; None where a name on it needs the name() form."""
    cdef const unsigned char[::1] single = alone.view("u1"), special = odd.view("u1")
    cdef Py_ssize_t row, size, length = tag.shape[0]
    cdef Buffer path = Buffer()
    if not length == parent.shape[0] == place.shape[0] == single.shape[0] == special.shape[0]:
        raise ValueError("the columns of a page do not fit together")
    paths = []
    for row in rows:
        if not 0 <= row < length:
            raise IndexError("a row that does not exist")
        size = _path_size(tag, parent, place, single, special, names, row)
        if size < 0:
            paths.append(None)
            continue
        path.used = 0
        path.reserve(size)
        _fill_path(tag, parent, place, single, names, row, path.data + size)
        paths.append(decode_bytes(path.data, size))
    return paths


cdef Py_ssize_t _path_size(
    const int32_t[::1] tag, const int32_t[::1] parent, const int64_t[::1] place,
    const unsigned char[::1] single, const unsigned char[::1] special, tuple names,
    Py_ssize_t row,
) except -2:
    """The bytes of a path; -1 where a name on it needs the name() form."""
    cdef Py_ssize_t size = 0, name
    cdef int64_t number
    while row >= 0:
        if special[row]:
            return -1
        if not 0 <= tag[row] < len(names) or parent[row] >= row:
            raise ValueError("a row that is not behind its parent, or has no name")
        if tag[row] == 0:
            size += 7  # "/text()"
        else:
            PyUnicode_AsUTF8AndSize(<object> PyTuple_GetItem(names, tag[row]), &name)
            size += 1 + name
        if tag[row] == 0 or not single[row]:
            number, size = place[row], size + 2
            while number > 0:
                number, size = number // 10, size + 1
        row = parent[row]
    return size


cdef int _fill_path(
    const int32_t[::1] tag, const int32_t[::1] parent, const int64_t[::1] place,
    const unsigned char[::1] single, tuple names, Py_ssize_t row, unsigned char* end,
) except -1:
    """Write a path, its last step first, up to where it ends."""
    cdef const char* name = NULL
    cdef Py_ssize_t size
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
        if tag[row] == 0:
            name, size = b"text()", 6
        else:
            name = PyUnicode_AsUTF8AndSize(<object> PyTuple_GetItem(names, tag[row]), &size)
        end -= size
        memcpy(end, name, size)
        end -= 1
        end[0], row = c"/", parent[row]
    return 0
