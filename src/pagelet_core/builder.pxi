"""The columns of a page from the calls of the parser, the twin of `pagelet.page.builder`.

Rows are numbered as they arrive. A text becomes a row when it is linked to its parent and turns
out not to be blank, so that every row has its final number at once. A handle is a row plus one;
0 is the document.
"""

cdef extern from "Python.h":
    Py_ssize_t PyLong_AsSsize_t(object number) except? -1
    object PyLong_FromSsize_t(Py_ssize_t number)
    ctypedef struct PyObject
    PyObject* PyDict_GetItemWithError(object mapping, object key) except? NULL

cdef enum:
    NOTHING = 0
    ELEMENT = 1
    TEXT = 2


cdef class NodeCollector:
    """Receives the nodes of a document in order, each linked before the next is created."""

    cdef readonly IntBuffer tag
    cdef readonly IntBuffer size
    cdef readonly IntBuffer parent
    cdef readonly IntBuffer chars
    cdef readonly IntBuffer words
    cdef readonly IntBuffer foreign
    cdef readonly IntBuffer blank_row
    cdef readonly IntBuffer blank_parent
    cdef readonly list texts
    cdef readonly list attrs
    cdef readonly dict custom  # numbers of names that HTML lacks
    cdef readonly Py_ssize_t nodes  # elements and attributes
    cdef dict numbers
    cdef object html
    cdef object refuse
    cdef Py_ssize_t max_nodes
    cdef TextReader reader
    cdef const uint8_t[::1] table
    cdef int32_t script
    cdef int32_t style
    cdef int pending  # what was created last and is not linked yet
    cdef str text

    def __cinit__(self, dict numbers, raw, str html, table, Py_ssize_t max_nodes, refuse):
        """Number names by the dictionary; call `refuse` beyond so many elements and attributes."""
        self.tag, self.size, self.parent = IntBuffer(), IntBuffer(), IntBuffer()
        self.chars, self.words, self.foreign = IntBuffer(), IntBuffer(), IntBuffer()
        self.blank_row, self.blank_parent = IntBuffer(), IntBuffer()
        self.texts, self.attrs, self.custom, self.reader = [], [], {}, TextReader()
        self.script, self.style = raw
        self.numbers, self.html, self.table = numbers, html, table
        self.max_nodes, self.refuse = max_nodes, refuse
        if self.table.shape[0] == 0:
            raise ValueError("the table of characters is empty")

    def create_element(self, str name not None, str namespace not None, tuple attrs not None, /):
        """Add an element and return its handle."""
        self.nodes += 1 + len(attrs)
        if self.nodes > self.max_nodes:
            self.refuse()
        self._add_row(self._number(name), 0, 0)
        self.attrs.append(attrs)
        if namespace is not self.html:
            if namespace == <str> self.html:
                self.html = namespace  # the parser passes one object again and again
            else:
                self.foreign.push(<int32_t> (self.tag.used - 1))
        self.pending = ELEMENT
        return PyLong_FromSsize_t(self.tag.used)

    def create_text(self, str data not None, /):
        """Note a text; a blank one is kept for paths, but becomes no row."""
        self.text, self.pending = data, TEXT

    def append(self, parent, child, /):
        """Link the node created last under its parent."""
        cdef Py_ssize_t above = PyLong_AsSsize_t(parent) - 1
        cdef int pending = self.pending
        if not -1 <= above < self.tag.used - (pending == ELEMENT):
            raise ValueError(f"{parent} is the handle of no node")
        self.pending = NOTHING
        if pending == ELEMENT:
            self.parent.values[self.tag.used - 1] = <int32_t> above
        elif pending == TEXT:
            self._add_text(<int32_t> above)

    def create_document(self):
        """Return the handle of the document, which is no row."""
        return 0

    def create_comment(self, data, /):
        """Skip a comment."""
        self.pending = NOTHING

    def create_doctype(self, name, public_id, system_id, /):
        """Skip the doctype."""
        self.pending = NOTHING

    def create_pi(self, target, data, /):
        """Skip a processing instruction."""
        self.pending = NOTHING

    def finish(self, int32_t body, int32_t frameset):
        """Fill in the sizes of the subtrees; the row of the body or frameset, or -1."""
        cdef Py_ssize_t rows = self.tag.used, row, found = -1
        cdef int32_t above, tag
        self.size.grow(rows)
        self.size.used = rows
        for row in range(rows):
            self.size.values[row] = 1
        for row in range(rows - 1, -1, -1):
            above = self.parent.values[row]
            if above >= 0:
                self.size.values[above] += self.size.values[row]
            tag = self.tag.values[row]
            if above <= 0 and (tag == body or tag == frameset):
                found = row
        for column in (self.tag, self.parent, self.chars, self.words):
            (<IntBuffer> column).grow(rows)
        return found

    cdef int32_t _number(self, str name) except -1:
        """The number of a tag name: a new one gets the next number."""
        cdef PyObject* number = PyDict_GetItemWithError(self.numbers, name)
        if number == NULL:
            number = PyDict_GetItemWithError(self.custom, name)
        if number != NULL:
            return <int32_t> PyLong_AsSsize_t(<object> number)
        self.custom[name] = len(self.numbers) + len(self.custom)
        return self.custom[name]

    cdef int _add_row(self, int32_t tag, int32_t chars, int32_t words) except -1:
        self.tag.push(tag)
        self.parent.push(-1)
        self.chars.push(chars)
        self.words.push(words)
        return 0

    cdef int _add_text(self, int32_t above) except -1:
        """Add the text as a row, or as a blank."""
        cdef Measures found
        cdef bint blank
        cdef int32_t tag = self.tag.values[above] if above >= 0 else -1
        text, self.text = self.text, None
        if tag == self.script or tag == self.style:
            found.chars = found.words = 0
            blank = not text or text.isspace()
        else:
            self.reader.read(text)
            found = measure_text(self.reader, &self.table[0], <uint32_t> self.table.shape[0] - 1)
            blank = found.chars == 0
        if blank:
            self.blank_row.push(<int32_t> self.tag.used)
            self.blank_parent.push(above)
            return 0
        self._add_row(0, found.chars, found.words)
        self.parent.values[self.tag.used - 1] = above
        self.texts.append(text)
        return 0
