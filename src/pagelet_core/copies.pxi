"""The most nodes that the parser may copy on a page, the twin of `OpenTags` in `page/expansion.py`.

It is fed with tags while a tree is built. Equal formatting elements are all counted, so the number
is never below that of the twin; where it is too high, or tags may be hidden in texts, the twin is
asked.
"""

cdef enum:
    MAX_SKIPPED_TAGS = 16  # that are looked through for the one that ends


cdef struct Barrier:
    int32_t number
    int32_t name


cdef struct OpenTag:
    int32_t name
    int32_t barrier
    Py_ssize_t nodes


@cython.final
cdef class CopyCounter:
    """Follows the formatting elements that the parser may open again."""

    cdef Barrier* barriers
    cdef Py_ssize_t barrier_count
    cdef Py_ssize_t barrier_room
    cdef OpenTag* tags  # formatting elements that are open
    cdef Py_ssize_t tag_count
    cdef Py_ssize_t tag_room
    cdef Py_ssize_t copies  # so far
    cdef Py_ssize_t nodes  # that are copied when all is opened again
    cdef Py_ssize_t link_nodes
    cdef Py_ssize_t root_attributes
    cdef int32_t numbered
    cdef int32_t strange  # barriers in which tags and texts may be mistaken for each other
    cdef bint unclear  # whether that may have happened
    # What was open where a `noscript` began: to the parser's tokenizer, there are no tags in it.
    cdef bint in_noscript
    cdef Py_ssize_t open_barriers
    cdef Py_ssize_t open_tags
    cdef Py_ssize_t open_nodes
    cdef Py_ssize_t open_link_nodes
    cdef int32_t open_strange
    cdef Py_ssize_t adopted_nodes  # that one misnested end tag can copy
    cdef Py_ssize_t max_cells  # without end tags, that are looked through for their table

    def __cinit__(self, Py_ssize_t adopted_nodes, Py_ssize_t max_cells):
        self.adopted_nodes, self.max_cells = adopted_nodes, max_cells
        self._raise(0)

    def __dealloc__(self):
        free(self.barriers)
        free(self.tags)

    cdef int start(self, int32_t name, int32_t kind, Py_ssize_t attributes, bint closed) except -1:
        """Follow a start tag."""
        cdef Py_ssize_t larger
        self.unclear = self.unclear or (self.in_noscript and self.open_strange)
        if name == TAG_noscript and not self.in_noscript:
            self._enter_noscript()
        if kind & FORMATTING_KIND and name != TAG_a:
            self._open(name, 1 + attributes)
            self.copies += self.nodes if name == TAG_nobr else 0
            return 0
        if name == TAG_html or name == TAG_body:
            self.root_attributes += attributes
            self.copies += self.root_attributes
            return 0
        if name == TAG_a:
            larger = max(1 + attributes - self.link_nodes, <Py_ssize_t> 0)
            self.nodes += larger
            self.link_nodes += larger
        elif kind & BARRIER_KIND and not (closed and name == TAG_svg):
            self.numbered += 1
            self.strange += is_strange(name)
            self._raise(name)
        self.copies += self.nodes
        return 0

    cdef int end(self, int32_t name, int32_t kind) except -1:
        """Follow an end tag."""
        if name == TAG_noscript and self.in_noscript:
            self._leave_noscript()
        self.unclear = self.unclear or (self.in_noscript and self.open_strange)
        self.copies += self.nodes
        if kind & FORMATTING_KIND and name != TAG_a:
            self.copies += self.adopted_nodes
            self._close(name)
        elif kind & BARRIER_KIND:
            self._lower(name)
        return 0

    cdef void text(self, const unsigned char* text, Py_ssize_t size) noexcept:
        """Follow a text or comment."""
        if (self.strange or self.in_noscript) and (
                memchr(text, c"<", size) != NULL or (size > 0 and text[0] == c"[")):
            self.unclear = True

    cdef void _enter_noscript(self) noexcept:
        self.in_noscript = True
        self.open_barriers, self.open_tags = self.barrier_count, self.tag_count
        self.open_nodes, self.open_link_nodes = self.nodes, self.link_nodes
        self.open_strange = self.strange

    cdef void _leave_noscript(self) noexcept:
        self.in_noscript = False
        self.barrier_count, self.tag_count = self.open_barriers, self.open_tags
        self.nodes, self.link_nodes = self.open_nodes, self.open_link_nodes
        self.strange = self.open_strange
        self.open_barriers = self.open_tags = 0

    cdef int _raise(self, int32_t name) except -1:
        if self.barrier_count == self.barrier_room:
            self.barriers = <Barrier*> grow_items(
                self.barriers, &self.barrier_room, sizeof(Barrier))
        self.barriers[self.barrier_count].number = self.numbered
        self.barriers[self.barrier_count].name = name
        self.barrier_count += 1
        return 0

    cdef void _lower(self, int32_t name) noexcept:
        """Close a barrier if it is the last one; a table may have cells that are still open."""
        cdef Py_ssize_t last = self.barrier_count - 1, lowest = last
        if name == TAG_table:
            lowest = max(last - self.max_cells, <Py_ssize_t> 0)
            while last > lowest and self.barriers[last].name in (TAG_td, TAG_th, TAG_caption):
                last -= 1
        if last >= max(self.open_barriers, <Py_ssize_t> 1) and self.barriers[last].name == name:
            self.barrier_count = last
            self.strange -= is_strange(name)

    cdef int _open(self, int32_t name, Py_ssize_t nodes) except -1:
        cdef OpenTag* tag
        if self.tag_count == self.tag_room:
            self.tags = <OpenTag*> grow_items(self.tags, &self.tag_room, sizeof(OpenTag))
        tag = &self.tags[self.tag_count]
        tag.name, tag.nodes = name, nodes
        tag.barrier = self.barriers[self.barrier_count - 1].number
        self.nodes += nodes
        self.tag_count += 1
        return 0

    cdef void _close(self, int32_t name) noexcept:
        """Close the last element of a name, if it was opened since the last open barrier."""
        cdef int32_t behind = self.barriers[self.barrier_count - 1].number
        cdef Py_ssize_t at = self.tag_count
        while at > self.open_tags and self.tag_count - at < MAX_SKIPPED_TAGS:
            at -= 1
            if self.tags[at].name == name and self.tags[at].barrier <= behind:
                if self.tags[at].barrier == behind:
                    self.nodes -= self.tags[at].nodes
                    self._forget(at)
                return

    cdef void _forget(self, Py_ssize_t at) noexcept:
        self.tag_count -= 1
        memmove(&self.tags[at], &self.tags[at + 1], (self.tag_count - at) * sizeof(OpenTag))


cdef inline bint is_strange(int32_t name) noexcept nogil:
    """Whether tags and texts may be mistaken for each other in an element."""
    return name == TAG_svg or name == TAG_math or name == TAG_select or name == TAG_frameset
