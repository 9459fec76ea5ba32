"""The tree of a page while it is built: nodes that know their neighbours, and can be moved.

Nodes are numbered as they are made; 0 is the document. Names, values and texts are places in the
source; those below 0 are in a buffer beside it, counted down from -1.
"""

cdef enum:
    NOWHERE = -1
    TEXT_NODE = 0
    COMMENT_NODE = -1
    DOCUMENT_NODE = -2
    # what nodes are
    FOREIGN = 1  # an element of SVG
    HTML_INSIDE = 2  # an element of SVG that holds HTML
    OPEN = 4  # on the stack of open elements
    MERGED = 8  # has attributes of several tags


cdef struct TreeNode:
    int32_t tag  # number of the name, or what it is instead of an element
    int32_t name  # number of the name in small letters, which is another one in SVG
    int32_t parent
    int32_t first
    int32_t last
    int32_t before
    int32_t after
    int32_t content  # first attribute of an element, first piece of a text
    int32_t count  # attributes of an element; last piece of a text
    int32_t place  # where the attributes begin in the tag of an element, or NOWHERE
    int32_t flags


cdef struct Attribute:
    Py_ssize_t name
    Py_ssize_t value
    Py_ssize_t size  # of the value
    int32_t name_size
    int32_t wanted  # its number among the attributes that are kept, or -1
    int32_t quoted


cdef struct Piece:
    Py_ssize_t first
    Py_ssize_t size
    int32_t after


cdef class NodeTree:
    """Nodes, their attributes and their texts."""

    cdef TreeNode* nodes
    cdef Attribute* attributes
    cdef Piece* pieces
    cdef Py_ssize_t node_count
    cdef Py_ssize_t node_room
    cdef Py_ssize_t attribute_count
    cdef Py_ssize_t attribute_room
    cdef Py_ssize_t piece_count
    cdef Py_ssize_t piece_room
    cdef Py_ssize_t made  # elements and their attributes, copies too
    cdef Py_ssize_t steps  # that were taken through the tree or its stacks
    cdef bytes source
    cdef const unsigned char* text
    cdef const unsigned char* end
    cdef Buffer more  # names and texts that are not in the source as they are
    cdef Numbers merged  # nodes with attributes of a further tag, and where those begin, by turns

    def __cinit__(self, bytes source not None, *others):
        self.source, self.more = source, Buffer()
        self.text = <const unsigned char*> PyBytes_AsString(source)
        self.end = self.text + PyBytes_Size(source)
        self.add_node(DOCUMENT_NODE)

    def __dealloc__(self):
        free(self.nodes)
        free(self.attributes)
        free(self.pieces)
        free(self.merged.values)

    cdef inline const unsigned char* place(self, Py_ssize_t first) noexcept:
        """Where a name, value or text lies; valid until another one is added."""
        return self.text + first if first >= 0 else self.more.data - first - 1

    cdef int32_t add_node(self, int32_t tag) except -1:
        """A new node without neighbours."""
        cdef TreeNode* node
        if self.node_count == self.node_room:
            self.nodes = <TreeNode*> grow_items(self.nodes, &self.node_room, sizeof(TreeNode))
        node = &self.nodes[self.node_count]
        node.tag = node.name = tag
        node.parent = node.first = node.last = node.before = node.after = node.place = NOWHERE
        node.content = node.count = node.flags = 0
        self.node_count += 1
        return <int32_t> self.node_count - 1

    cdef Attribute* add_attribute(self) except NULL:
        """Room for one more attribute."""
        if self.attribute_count == self.attribute_room:
            self.attributes = <Attribute*> grow_items(
                self.attributes, &self.attribute_room, sizeof(Attribute))
        self.attribute_count += 1
        return &self.attributes[self.attribute_count - 1]

    # -- links ----------------------------------------------------------------------------------

    cdef void append(self, int32_t parent, int32_t child) noexcept:
        """Put a node behind the last child of another one."""
        self.insert(parent, child, NOWHERE)

    cdef void insert(self, int32_t parent, int32_t child, int32_t following) noexcept:
        """Put a node before one of the children of a parent, or behind all of them."""
        cdef TreeNode* node = &self.nodes[child]
        cdef TreeNode* above = &self.nodes[parent]
        node.parent, node.after = parent, following
        node.before = above.last if following == NOWHERE else self.nodes[following].before
        if node.before == NOWHERE:
            above.first = child
        else:
            self.nodes[node.before].after = child
        if following == NOWHERE:
            above.last = child
        else:
            self.nodes[following].before = child

    cdef void detach(self, int32_t child) noexcept:
        """Take a node with all that is in it out of its parent, if it has one."""
        cdef TreeNode* node = &self.nodes[child]
        if node.parent == NOWHERE:
            return
        if node.before == NOWHERE:
            self.nodes[node.parent].first = node.after
        else:
            self.nodes[node.before].after = node.after
        if node.after == NOWHERE:
            self.nodes[node.parent].last = node.before
        else:
            self.nodes[node.after].before = node.before
        node.parent = node.before = node.after = NOWHERE

    cdef void move_children(self, int32_t source, int32_t target) noexcept:
        """Make the children of one node those of another one, which has none."""
        cdef int32_t child = self.nodes[source].first
        self.nodes[target].first, self.nodes[target].last = child, self.nodes[source].last
        self.nodes[source].first = self.nodes[source].last = NOWHERE
        while child != NOWHERE:
            self.nodes[child].parent = target
            child = self.nodes[child].after
            self.steps += 1

    # -- texts ----------------------------------------------------------------------------------

    cdef int add_text(
        self, int32_t parent, int32_t following, Py_ssize_t first, Py_ssize_t size
    ) except -1:
        """Put a text before one of the children of a parent, or behind all of them.

        It is joined with a text before it.
        """
        cdef int32_t node, piece = self._add_piece(first, size)
        node = self.nodes[parent].last if following == NOWHERE else self.nodes[following].before
        if node != NOWHERE and self.nodes[node].tag == TEXT_NODE:
            self.pieces[self.nodes[node].count].after = piece
        else:
            node = self.add_node(TEXT_NODE)
            self.nodes[node].content = piece
            self.insert(parent, node, following)
        self.nodes[node].count = piece
        return 0

    cdef int32_t _add_piece(self, Py_ssize_t first, Py_ssize_t size) except -1:
        cdef Piece* piece
        if self.piece_count == self.piece_room:
            self.pieces = <Piece*> grow_items(self.pieces, &self.piece_room, sizeof(Piece))
        piece = &self.pieces[self.piece_count]
        piece.first, piece.size, piece.after = first, size, NOWHERE
        self.piece_count += 1
        return <int32_t> self.piece_count - 1
