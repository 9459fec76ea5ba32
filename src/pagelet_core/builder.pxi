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
    ctypedef PyObject* (*PyCFunction)(PyObject*, PyObject*) noexcept
    ctypedef struct PyMethodDef:
        const char* ml_name
        PyCFunction ml_meth
        int ml_flags
        const char* ml_doc
    int METH_FASTCALL
    int METH_O
    object PyCFunction_NewEx(PyMethodDef* method, object own, PyObject* module)

cdef enum:
    NOTHING = 0
    ELEMENT = 1
    TEXT = 2


@cython.final
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

    def bind(self):
        """The functions that the parser calls most: create_element, create_text and append."""
        return tuple([PyCFunction_NewEx(&PARSER_CALLS[at], self, NULL) for at in range(3)])

    cdef object create_element(self, str name, str namespace, tuple attrs):
        """Add an element and return its handle."""
        if name is None or namespace is None or attrs is None:
            raise TypeError("an element has a name, a namespace and a tuple of attributes")
        self.nodes += 1 + PyTuple_Size(attrs)
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

    cdef object create_text(self, str data):
        """Note a text; a blank one is kept for paths, but becomes no row."""
        if data is None:
            raise TypeError("a text is a str")
        self.text, self.pending = data, TEXT

    cdef object append(self, parent):
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
            found = self._measure(text)
            blank = found.chars == 0
        if blank:
            self.blank_row.push(<int32_t> self.tag.used)
            self.blank_parent.push(above)
            return 0
        self._add_row(0, found.chars, found.words)
        self.parent.values[self.tag.used - 1] = above
        self.texts.append(text)
        return 0

    cdef Measures _measure(self, str text) except *:
        """Characters and words of a text; a lone surrogate, which UTF-8 lacks, costs a copy."""
        cdef Py_ssize_t size
        cdef const char* utf8
        try:
            utf8 = PyUnicode_AsUTF8AndSize(text, &size)
        except UnicodeEncodeError:
            self.reader.read(text)
            return measure_text(self.reader, &self.table[0], <uint32_t> self.table.shape[0] - 1)
        return measure_utf8(
            <const unsigned char*> utf8, size, &self.table[0], <uint32_t> self.table.shape[0] - 1
        )


cdef object _call_create_element(object nodes, PyObject** arguments, Py_ssize_t count):
    if count != 3:
        raise TypeError(f"create_element takes 3 arguments, not {count}")
    return (<NodeCollector> nodes).create_element(
        <str?> <object> arguments[0], <str?> <object> arguments[1], <tuple?> <object> arguments[2]
    )


cdef object _call_create_text(object nodes, object data):
    return (<NodeCollector> nodes).create_text(<str?> data)


cdef object _call_append(object nodes, PyObject** arguments, Py_ssize_t count):
    if count != 2:
        raise TypeError(f"append takes 2 arguments, not {count}")
    return (<NodeCollector> nodes).append(<object> arguments[0])


# The parser calls these for every node: without a tuple of arguments, which Cython would make.
cdef PyMethodDef PARSER_CALLS[3]
PARSER_CALLS[0] = PyMethodDef(
    b"create_element", <PyCFunction> <void*> _call_create_element, METH_FASTCALL, NULL
)
PARSER_CALLS[1] = PyMethodDef(
    b"create_text", <PyCFunction> <void*> _call_create_text, METH_O, NULL
)
PARSER_CALLS[2] = PyMethodDef(
    b"append", <PyCFunction> <void*> _call_append, METH_FASTCALL, NULL
)
