"""The JSON forms of kept parts of blocks, written at once; the twin of `Listing.forms`."""


@cython.final
cdef class PartWriter:
    """The columns of a page while the forms of parts of it are written."""

    cdef const int32_t[::1] tag
    cdef const int32_t[::1] parent
    cdef const int32_t[::1] size
    cdef const unsigned char[::1] counted
    cdef const Py_ssize_t[::1] ordinal
    cdef const int32_t[::1] blank_row
    cdef const int32_t[::1] blank_parent
    cdef const int32_t[::1] foreign
    cdef const unsigned char[::1] odd_tag
    cdef StepNames names
    cdef int64_t[::1] place  # among siblings of the same name, of rows on paths
    cdef unsigned char[::1] single
    cdef unsigned char[::1] special
    cdef PageTexts texts
    cdef Py_ssize_t length
    cdef const int32_t[::1] anchors
    cdef object path_of
    cdef object label_of
    cdef object address_of
    cdef HrefWriter hrefs
    cdef Buffer out
    cdef Buffer piece  # a path, or a folded text

    def __cinit__(self, tuple columns not None, tuple siblings not None, texts not None,
                  tuple links not None, path_of):
        """Columns: tags, parents, sizes, counted rows, ordinals.

        Siblings: for each blank text the row behind it and its parent, foreign rows, whether a
        name is odd and the names, by tag, and room for places and two marks of rows. Links: their
        rows in order, what labels one whose text is empty, what gives its address, and what
        writes those that are plain, or None. `path_of` gives the path of a row with an odd name
        on it.
        """
        cdef Py_ssize_t row
        self.tag, self.parent, self.size, counted, self.ordinal = columns
        (self.blank_row, self.blank_parent, self.foreign, odd, names, self.place, self.single,
         self.special) = siblings
        self.names = StepNames(names)
        self.counted, self.odd_tag = counted.view("u1"), odd.view("u1")
        self.anchors, self.label_of, self.address_of, self.hrefs = links
        self.texts, self.path_of = texts_of(texts), path_of
        self.length, self.out, self.piece = self.tag.shape[0], Buffer(), Buffer()
        if not (self.parent.shape[0] == self.size.shape[0] == self.counted.shape[0]
                == self.ordinal.shape[0] == self.place.shape[0] == self.single.shape[0]
                == self.special.shape[0] == self.length) or (
                self.blank_row.shape[0] != self.blank_parent.shape[0]):
            raise ValueError("the columns of a page do not fit together")
        for row in range(self.length):
            if not -1 <= self.parent[row] < row or not (
                    0 < self.size[row] <= self.length - row and
                    0 <= self.tag[row] < min(self.names.count, self.odd_tag.shape[0])):
                raise ValueError("a row that is broken")

    def write(self, list rows not None, tuple facts not None, list written,
              const Py_ssize_t[::1] places, const unsigned char[::1] gaps,
              const Py_ssize_t[::1] bounds):
        """The forms of parts as a list in JSON; None where one holds what is not known.

        `rows` are the top rows of each part. Facts are its role and its score, and the reasons of
        those that have some. The text of each is `written`, or folded from the texts at `places`,
        as `fold_parts` does it.
        UnicodeEncodeError for a lone surrogate.
        """
        cdef Py_ssize_t part, count = len(rows)
        cdef list roles = facts[0]
        cdef const double[::1] scores = facts[1]
        cdef dict reasons = facts[2]
        cdef JsonText made = JsonText()
        cdef Py_ssize_t texts = bounds.shape[0] if written is None else len(written)
        if not len(roles) == scores.shape[0] == texts == count:
            raise ValueError("as many of each as there are parts")
        if not self._number(rows):
            return None
        self.out.used = 0
        put_bytes(self.out, b"[", 1)
        for part in range(count):
            put_separator(self.out, part)
            self._put_paths(rows[part])
            put_bytes(self.out, b', "role": ', 10)
            put_json_text(self.out, roles[part])
            put_bytes(self.out, b', "within": null, "score": ', 27)
            if not put_json_rounded(self.out, scores[part]):
                return None
            put_bytes(self.out, b', "text": ', 10)
            if written is None:
                fold_part(self.piece, self.texts, places, gaps, bounds, part)
                put_json_bytes(self.out, self.piece.data, self.piece.used)
            else:
                put_json_text(self.out, written[part])
            put_bytes(self.out, b', "links": [', 12)
            self._put_links(rows[part])
            put_bytes(self.out, b'], "reason": ', 13)
            if not reasons or part not in reasons:
                put_bytes(self.out, b"{}", 2)
            elif not put_json(self.out, reasons[part], 0):
                return None
            put_bytes(self.out, b', "why": []}', 12)
        put_bytes(self.out, b"]", 1)
        made.out, self.out = self.out, Buffer()
        return made

    cdef bint _number(self, list rows) except -1:
        """Number the rows on the paths of some rows; false where blank texts are not in order."""
        cdef Memory scratch = Memory(3)
        cdef unsigned char* wanted = <unsigned char*> scratch.take(self.length, 1)
        # whether children of a row are wanted; the last place stands for the top
        cdef unsigned char* holds = <unsigned char*> scratch.take(self.length + 1, 1)
        cdef int32_t* counts = <int32_t*> scratch.take(self.names.count, sizeof(int32_t))
        cdef Py_ssize_t row, at
        for part in rows:
            for row in part:
                self._check(row)
                while row >= 0 and not wanted[row]:
                    wanted[row] = 1
                    self.special[row] = self.tag[row] != 0 and self.odd_tag[self.tag[row]]
                    row = self.parent[row]
                    holds[row if row >= 0 else self.length] = 1
        for at in range(self.foreign.shape[0]):
            self._check(self.foreign[at])
            self.special[self.foreign[at]] = 1
        if holds[self.length]:
            self._number_children(-1, wanted, counts)
        for row in range(self.length):
            if holds[row]:
                self._number_children(row, wanted, counts)
        return self._count_blanks(wanted)

    cdef int _number_children(
        self, Py_ssize_t parent, const unsigned char* wanted, int32_t* counts
    ) except -1:
        """Number the children of a row that are wanted; `counts` are zeros before and after."""
        cdef Py_ssize_t child = parent + 1
        cdef Py_ssize_t end = parent + self.size[parent] if parent >= 0 else self.length
        while child < end:
            counts[self.tag[child]] += 1
            if wanted[child]:
                self.place[child] = counts[self.tag[child]]
            child += self.size[child]
        child = parent + 1
        while child < end:
            if wanted[child]:
                self.single[child] = counts[self.tag[child]] == 1
            child += self.size[child]
        child = parent + 1
        while child < end:
            counts[self.tag[child]] = 0
            child += self.size[child]
        return 0

    cdef bint _count_blanks(self, const unsigned char* wanted) except -1:
        """Count the blank texts before texts that are wanted; false if they are not in order."""
        cdef Memory scratch = Memory(1)
        cdef int32_t* before = <int32_t*> scratch.take(self.length + 1, sizeof(int32_t))
        cdef Py_ssize_t row, blank = 0, above
        for blank in range(1, self.blank_row.shape[0]):
            if self.blank_row[blank - 1] > self.blank_row[blank]:
                return False
        blank = 0
        for row in range(self.length):
            if not wanted[row] or self.tag[row] != 0:
                continue
            while blank < self.blank_row.shape[0] and self.blank_row[blank] <= row:
                above = self.blank_parent[blank]
                if not -1 <= above < self.length:
                    raise IndexError("a row that does not exist")
                before[above if above >= 0 else self.length] += 1
                blank += 1
            above = self.parent[row]
            self.place[row] += before[above if above >= 0 else self.length]
        return True

    cdef int _put_paths(self, tuple rows) except -1:
        """Add the beginning of a form: its kind, and its path or paths."""
        cdef Py_ssize_t at, count = len(rows)
        put_bytes(self.out, b'{"kind": "content", "path": ', 28)
        if count == 1:
            return self._put_path(rows[0])
        put_bytes(self.out, b'null, "paths": [', 16)
        for at in range(count):
            put_separator(self.out, at)
            self._put_path(rows[at])
        return put_bytes(self.out, b"]", 1)

    cdef int _put_path(self, Py_ssize_t row) except -1:
        cdef Py_ssize_t size
        self._check(row)
        size = _path_size(
            self.tag, self.parent, self.place, self.single, self.special, self.names, row)
        if size < 0:
            return put_json_text(self.out, self.path_of(row))
        put_bytes(self.out, b'"', 1)  # no plain name needs an escape
        self.out.reserve(size + 1)
        self.out.used += size
        _fill_path(self.tag, self.parent, self.place, self.single, self.names, row,
                   self.out.data + self.out.used)
        return put_bytes(self.out, b'"', 1)

    cdef int _check(self, Py_ssize_t row) except -1:
        if not 0 <= row < self.length or not 0 < self.size[row] <= self.length - row:
            raise IndexError("a row that does not exist")
        return 0

    cdef int _put_links(self, tuple rows) except -1:
        """Add the links at or below some rows."""
        cdef Py_ssize_t row, at, end, shown = 0
        for row in rows:
            self._check(row)
            at, end = self._anchors_before(row), self._anchors_before(row + self.size[row])
            while at < end:
                put_separator(self.out, shown)
                self._put_link(self.anchors[at])
                shown, at = shown + 1, at + 1
        return 0

    cdef Py_ssize_t _anchors_before(self, Py_ssize_t row) noexcept:
        """How many links stand before a row."""
        cdef Py_ssize_t count = self.anchors.shape[0]
        return find_first(&self.anchors[0], count, row) if count else 0

    cdef int _put_link(self, Py_ssize_t row) except -1:
        self._check(row)
        put_bytes(self.out, b'{"text": ', 9)
        fold_below(self.piece, self.texts, self.tag, self.size, self.counted, self.ordinal, row)
        if self.piece.used:
            put_json_bytes(self.out, self.piece.data, self.piece.used)
        else:
            put_json_text(self.out, self.label_of(row))
        put_bytes(self.out, b', "href": ', 10)
        if self.hrefs is None or not self.hrefs.put_json(self.out, row):
            put_json_text(self.out, self.address_of(row))
        return put_bytes(self.out, b"}", 1)


cdef inline int put_separator(Buffer out, Py_ssize_t before) except -1:
    """Add a comma where there are items before."""
    return put_bytes(out, b", ", 2) if before else 0
