"""The stack of open elements and the list of active formatting elements, after the HTML standard.

Both are walked through from their ends. Where that would take long, as on pages made to be slow,
`steps` tells, and the page is left to the parser.
"""

cdef extern from "tag_names.h":
    enum:
        TAG_a, TAG_address, TAG_basefont, TAG_bgsound, TAG_body, TAG_br, TAG_button
        TAG_caption, TAG_col, TAG_colgroup, TAG_dd, TAG_div, TAG_dt, TAG_font, TAG_form
        TAG_frame, TAG_frameset, TAG_head, TAG_hr, TAG_html, TAG_iframe, TAG_input, TAG_li, TAG_link
        TAG_listing, TAG_math, TAG_meta, TAG_nobr, TAG_noembed, TAG_noframes, TAG_noscript, TAG_ol
        TAG_optgroup, TAG_option, TAG_p, TAG_param, TAG_plaintext, TAG_pre, TAG_rb, TAG_rp, TAG_rt
        TAG_rtc, TAG_ruby, TAG_script, TAG_select, TAG_source, TAG_style, TAG_svg, TAG_table
        TAG_tbody, TAG_td, TAG_template, TAG_textarea, TAG_tfoot, TAG_th, TAG_thead, TAG_title
        TAG_tr, TAG_track, TAG_ul, TAG_xmp
        TAG_COUNT
    const char* const TAG_NAMES[1]

cdef enum:
    MARKER = -1  # ends what formatting elements reach, in the list of active ones
    EQUAL_ELEMENTS = 3  # active formatting elements that may be equal
    OUTER_STEPS = 8  # of the adoption agency
    INNER_STEPS = 3
    # kinds of elements, in the order of ELEMENT_KINDS in `pagelet.page.lean`
    VOID_KIND = 1
    SPECIAL_KIND = 2
    SCOPE_KIND = 4
    FORMATTING_KIND = 8
    IMPLIED_KIND = 16  # whose end tag may be missing
    BLOCK_KIND = 32  # that ends a paragraph
    BLOCK_END_KIND = 64  # whose end tag ends all that is open in it
    HEAD_KIND = 128  # what belongs into the head
    RAW_KIND = 256  # holds text without character references
    HEADING_KIND = 512
    BREAKOUT_KIND = 1024  # that ends SVG
    PART_KIND = 2048  # parts of tables
    FOSTERING_KIND = 4096  # before whose table everything else is put
    ROW_GROUP_KIND = 8192
    CELL_KIND = 16384
    MARKED_KIND = 32768  # that no formatting element reaches into
    BARRIER_KIND = 65536  # beyond which end tags of formatting elements are not believed
    TEXT_KIND = 131072  # holds nothing but text
    # what may be looked through
    IN_SCOPE = 0
    IN_BUTTON_SCOPE = 1
    IN_LIST_SCOPE = 2
    IN_TABLE_SCOPE = 3


@cython.final
cdef class TagTable:
    """Numbers and kinds of tags by name."""

    cdef ByteStrings names
    cdef ByteStrings svg_names  # names of SVG with capitals, in small letters …
    cdef tuple svg_spelled  # … and as they are spelled
    cdef ByteStrings svg_attributes  # the same for attributes
    cdef tuple svg_attributes_spelled
    cdef ByteStrings barriers  # names of barriers that HTML lacks
    cdef const int32_t[::1] kinds

    def __cinit__(
        self, tuple names not None, kinds, tuple svg_names not None, tuple svg_attributes not None,
        barriers,
    ):
        """Names in the order of their numbers, bits of kinds for each; names of SVG; barriers."""
        self.names, self.kinds, self.barriers = ByteStrings(), kinds, ByteStrings()
        self.svg_names, self.svg_attributes = ByteStrings(), ByteStrings()
        self.svg_spelled, self.svg_attributes_spelled = svg_names, svg_attributes
        if names != tuple([TAG_NAMES[at].decode() for at in range(TAG_COUNT)]):
            raise TypeError("the compiled core has other names of tags; build it again")
        if self.kinds.shape[0] != len(names):
            raise ValueError("one kind for each name")
        for name in names:
            self.names.add_str(name)
        for name in svg_names:
            self.svg_names.add_str(name.lower())
        for name in svg_attributes:
            self.svg_attributes.add_str(name.lower())
        for name in barriers:
            self.barriers.add_str(name)


cdef class OpenElements(NodeTree):
    """A tree with the elements of it that are open."""

    cdef Numbers stack
    cdef Numbers active  # formatting elements that are opened again, and markers
    cdef int32_t opened[TAG_COUNT]  # how often each element of HTML is on the stack
    cdef const int32_t* kinds
    cdef bint fostering  # whether what stands in a table is put before it

    def __dealloc__(self):
        free(self.stack.values)
        free(self.active.values)

    cdef inline int32_t kind(self, int32_t node) noexcept:
        """The kinds of an element of HTML; those of SVG that matter are special and end a scope."""
        cdef TreeNode* known = &self.nodes[node]
        if known.flags & FOREIGN:
            return SPECIAL_KIND | SCOPE_KIND if known.flags & HTML_INSIDE else 0
        return self.kinds[known.name] if 0 < known.name < TAG_COUNT else 0

    cdef inline bint is_html(self, int32_t node, int32_t name) noexcept:
        """Whether a node is an element of HTML with this name."""
        return self.nodes[node].name == name and not self.nodes[node].flags & FOREIGN

    cdef inline int32_t current(self) noexcept:
        """The element that was opened last; the document before there is one."""
        return self.stack.values[self.stack.used - 1] if self.stack.used else 0

    cdef int push(self, int32_t node) except -1:
        """Open an element."""
        push_number(&self.stack, node)
        self.nodes[node].flags |= OPEN
        if not self.nodes[node].flags & FOREIGN and self.nodes[node].name < TAG_COUNT:
            self.opened[self.nodes[node].name] += 1
        return 0

    cdef void close(self, int32_t node) noexcept:
        """Note that an element is not open any more."""
        self.nodes[node].flags &= ~OPEN
        if not self.nodes[node].flags & FOREIGN and self.nodes[node].name < TAG_COUNT:
            self.opened[self.nodes[node].name] -= 1

    cdef inline void pop(self) noexcept:
        """Close the element that was opened last."""
        if self.stack.used:
            self.stack.used -= 1
            self.close(self.stack.values[self.stack.used])

    cdef void remove_open(self, int32_t node) noexcept:
        """Take an element out of the stack, wherever it is."""
        cdef Py_ssize_t at = find_last(&self.stack, node)
        self.steps += self.stack.used - at
        if at >= 0:
            remove_number(&self.stack, at)
            self.close(node)

    # -- scopes ---------------------------------------------------------------------------------

    cdef bint has_name(self, int32_t name, int scope=IN_SCOPE) noexcept:
        """Whether an element of a name is open, as far as a scope reaches."""
        cdef Py_ssize_t at = self.stack.used
        cdef int32_t node
        if name < TAG_COUNT and not self.opened[name]:
            return False
        while at > 0:
            at -= 1
            node = self.stack.values[at]
            self.steps += 1
            if self.is_html(node, name):
                return True
            if self.ends_scope(node, scope):
                return False
        return False

    cdef bint has_kind(self, int32_t kinds, int scope=IN_SCOPE) noexcept:
        """The same for an element of a kind."""
        cdef Py_ssize_t at = self.stack.used
        while at > 0:
            at -= 1
            self.steps += 1
            if self.kind(self.stack.values[at]) & kinds:
                return True
            if self.ends_scope(self.stack.values[at], scope):
                return False
        return False

    cdef bint has_node(self, int32_t node) noexcept:
        """The same for one element."""
        cdef Py_ssize_t at = self.stack.used
        while at > 0:
            at -= 1
            self.steps += 1
            if self.stack.values[at] == node:
                return True
            if self.ends_scope(self.stack.values[at], IN_SCOPE):
                return False
        return False

    cdef inline bint ends_scope(self, int32_t node, int scope) noexcept:
        """Whether a scope does not reach beyond an element."""
        cdef int32_t name = self.nodes[node].name
        cdef bint foreign = self.nodes[node].flags & FOREIGN
        if scope == IN_TABLE_SCOPE:
            return not foreign and (name == TAG_html or name == TAG_table or name == TAG_template)
        if self.kind(node) & SCOPE_KIND:
            return True
        if foreign or scope == IN_SCOPE:
            return False
        if scope == IN_BUTTON_SCOPE:
            return name == TAG_button
        return name == TAG_ol or name == TAG_ul

    # -- closing --------------------------------------------------------------------------------

    cdef void close_implied(self, int32_t other_than=NOWHERE) noexcept:
        """Close elements whose end tags may be missing, up to one of another name."""
        while self.kind(self.current()) & IMPLIED_KIND and (
                self.nodes[self.current()].name != other_than):
            self.pop()

    cdef void close_through(self, int32_t name) noexcept:
        """Close elements through the last one of a name."""
        cdef int32_t node = NOWHERE
        while self.stack.used > 1 and (node == NOWHERE or not self.is_html(node, name)):
            node = self.current()
            self.pop()

    cdef void close_through_kind(self, int32_t kinds) noexcept:
        """Close elements through the last one of a kind."""
        cdef int32_t kind = 0
        while self.stack.used > 1 and not kind & kinds:
            kind = self.kind(self.current())
            self.pop()

    cdef void close_to(self, int32_t kinds, int32_t name) noexcept:
        """Close elements up to one of a kind or name, a template or the root."""
        cdef int32_t node = self.current()
        while not (self.kind(node) & kinds or self.is_html(node, name)
                   or self.is_html(node, TAG_template) or self.is_html(node, TAG_html)):
            self.pop()
            node = self.current()

    cdef void close_paragraph(self) noexcept:
        """Close the paragraph that is open, if there is one."""
        if self.opened[TAG_p] and self.has_name(TAG_p, IN_BUTTON_SCOPE):
            self.close_implied(TAG_p)
            self.close_through(TAG_p)

    # -- opening --------------------------------------------------------------------------------

    cdef void find_place(self, int32_t* parent, int32_t* following) noexcept:
        """Where a node belongs, given the element that would hold it: before the table, if any."""
        cdef Py_ssize_t at = self.stack.used
        cdef int32_t node, target = parent[0]
        following[0] = NOWHERE
        if not self.fostering or self.nodes[target].flags & FOREIGN or not (
                self.kind(target) & FOSTERING_KIND):
            return
        while at > 1:
            at -= 1
            self.steps += 1
            node = self.stack.values[at]
            if self.is_html(node, TAG_template):
                parent[0] = node
                return
            if self.is_html(node, TAG_table):
                if self.nodes[node].parent != NOWHERE:
                    parent[0], following[0] = self.nodes[node].parent, node
                else:
                    parent[0] = self.stack.values[at - 1]
                return
        parent[0] = self.stack.values[0]

    cdef int32_t open_node(self, int32_t node) except -1:
        """Insert an element where it belongs, and open it."""
        cdef int32_t parent = self.current(), following
        self.find_place(&parent, &following)
        self.insert(parent, node, following)
        self.made += 1 + self.nodes[node].count
        self.push(node)
        return node

    cdef int32_t open_empty(self, int32_t name) except -1:
        """Open an element that no tag in the source begins."""
        return self.open_node(self.add_node(name))

    cdef int32_t copy(self, int32_t node) except -1:
        """An element like another one, nowhere in the tree."""
        cdef int32_t made = self.add_node(self.nodes[node].tag)
        self.nodes[made].content = self.nodes[node].content
        self.nodes[made].count = self.nodes[node].count
        self.nodes[made].place = self.nodes[node].place
        return made

    cdef int write(self, Py_ssize_t first, Py_ssize_t size) except -1:
        """Insert a text where it belongs."""
        cdef int32_t parent = self.current(), following
        self.find_place(&parent, &following)
        return self.add_text(parent, following, first, size)

    # -- formatting elements --------------------------------------------------------------------

    cdef int activate(self, int32_t node) except -1:
        """Put a formatting element at the end of the list; of equal ones, only three stay."""
        cdef Py_ssize_t at = self.active.used, first = NOWHERE
        cdef int equal = 0
        while at > 0 and self.active.values[at - 1] != MARKER:
            at -= 1
            self.steps += 1
            if self.is_equal(self.active.values[at], node):
                equal += 1
                first = at
        if equal >= EQUAL_ELEMENTS:
            remove_number(&self.active, first)
        return push_number(&self.active, node)

    cdef bint is_equal(self, int32_t one, int32_t other) noexcept:
        """Whether two elements have the same name and attributes."""
        cdef TreeNode* node = &self.nodes[one]
        cdef TreeNode* twin = &self.nodes[other]
        cdef int32_t at, place
        if node.name != twin.name or node.count != twin.count:
            return False
        for at in range(node.count):
            for place in range(twin.count):
                self.steps += 1
                if self.same_attribute(node.content + at, twin.content + place):
                    break
            else:
                return False
        return True

    cdef bint same_attribute(self, int32_t one, int32_t other) noexcept:
        """Whether two attributes have the same name and value."""
        cdef Attribute* first = &self.attributes[one]
        cdef Attribute* second = &self.attributes[other]
        return self.same_name(first, second) and first.size == second.size and memcmp(
            self.place(first.value), self.place(second.value), first.size) == 0

    cdef inline bint same_name(self, Attribute* first, Attribute* second) noexcept:
        return first.name_size == second.name_size and memcmp(
            self.place(first.name), self.place(second.name), first.name_size) == 0

    cdef void clear_active(self) noexcept:
        """Forget the formatting elements since the last marker."""
        while self.active.used:
            self.active.used -= 1
            if self.active.values[self.active.used] == MARKER:
                break

    cdef int32_t find_active(self, int32_t name) noexcept:
        """The last active formatting element of a name since the last marker, or -1."""
        cdef Py_ssize_t at = self.active.used
        while at > 0 and self.active.values[at - 1] != MARKER:
            at -= 1
            self.steps += 1
            if self.nodes[self.active.values[at]].name == name:
                return self.active.values[at]
        return NOWHERE

    cdef int reopen(self) except -1:
        """Open the active formatting elements again that are not open any more."""
        cdef Py_ssize_t at = self.active.used
        while at > 0 and self.active.values[at - 1] != MARKER and not (
                self.nodes[self.active.values[at - 1]].flags & OPEN):
            at -= 1
        while at < self.active.used:
            self.active.values[at] = self.open_node(self.copy(self.active.values[at]))
            self.steps += 1
            at += 1
        return 0

    cdef void deactivate(self, int32_t node) noexcept:
        """Take an element out of the list of active formatting elements."""
        cdef Py_ssize_t at = find_last(&self.active, node)
        if at >= 0:
            self.steps += self.active.used - at
            remove_number(&self.active, at)

    # -- the adoption agency --------------------------------------------------------------------

    cdef bint adopt(self, int32_t name) except -1:
        """Close a formatting element that may hold blocks; false if no such element is active."""
        cdef int step
        cdef int32_t node = self.current()
        if self.is_html(node, name) and find_last(&self.active, node) < 0:
            self.pop()
            return True
        for step in range(OUTER_STEPS):
            node = self.find_active(name)
            if node == NOWHERE:
                return False
            if not self.nodes[node].flags & OPEN:
                self.deactivate(node)
                return True
            if not self.has_node(node):
                return True
            if not self._adopt_once(node):
                return True
        return True

    cdef bint _adopt_once(self, int32_t formatting) except -1:
        """One step of the agency; false if it was the last one."""
        cdef Py_ssize_t place = find_last(&self.stack, formatting), at = place + 1
        cdef int32_t block, inner, copied, parent, following
        while at < self.stack.used and not self.kind(self.stack.values[at]) & SPECIAL_KIND:
            at += 1
        self.steps += self.stack.used - place
        if at == self.stack.used:
            while self.stack.used > place:
                self.pop()
            self.deactivate(formatting)
            return False
        block, parent = self.stack.values[at], self.stack.values[place - 1]
        cdef Py_ssize_t mark = find_last(&self.active, formatting)
        inner = self._copy_between(formatting, at, &mark)
        self.detach(inner)
        self.find_place(&parent, &following)
        self.insert(parent, inner, following)
        copied = self.copy(formatting)
        self.made += 1 + self.nodes[copied].count
        self.move_children(block, copied)
        self.append(block, copied)
        self._replace(formatting, copied, mark, block)
        return True

    cdef int _replace(
        self, int32_t formatting, int32_t copied, Py_ssize_t mark, int32_t block
    ) except -1:
        """Put the copy of a formatting element into the list, and below a block into the stack."""
        cdef Py_ssize_t at = find_last(&self.active, formatting)
        remove_number(&self.active, at)
        insert_number(&self.active, mark - (at < mark), copied)
        self.remove_open(formatting)
        self.push(copied)  # to be counted
        self.stack.used -= 1
        return insert_number(&self.stack, find_last(&self.stack, block) + 1, copied)

    cdef int32_t _copy_between(
        self, int32_t formatting, Py_ssize_t at, Py_ssize_t* mark
    ) except -1:
        """Copy the elements between a formatting element and a block around the block.

        They are taken from the stack, or replaced by their copies; returns the outermost one.
        """
        cdef int32_t last = self.stack.values[at], node, copied
        cdef int step = 0
        cdef Py_ssize_t place
        cdef bint innermost = True
        while True:
            at -= 1
            step += 1
            node = self.stack.values[at]
            if node == formatting:
                return last
            place = find_last(&self.active, node)
            self.steps += self.active.used
            if step > INNER_STEPS and place >= 0:
                remove_number(&self.active, place)
                mark[0] -= place < mark[0]
                place = NOWHERE
            if place < 0:
                self.close(node)
                remove_number(&self.stack, at)
                self.steps += self.stack.used - at
                continue
            copied = self.copy(node)
            self.made += 1 + self.nodes[copied].count
            self.active.values[place] = self.stack.values[at] = copied
            self.close(node)
            self.nodes[copied].flags |= OPEN
            self.opened[self.nodes[copied].name] += 1
            if innermost:
                mark[0] = place + 1
            innermost = False
            self.detach(last)
            self.append(copied, last)
            last = copied


cdef Py_ssize_t find_last(Numbers* numbers, int32_t value) noexcept:
    """The last place of a number, or -1."""
    cdef Py_ssize_t at = numbers.used
    while at > 0:
        at -= 1
        if numbers.values[at] == value:
            return at
    return NOWHERE


cdef void remove_number(Numbers* numbers, Py_ssize_t at) noexcept:
    numbers.used -= 1
    memmove(numbers.values + at, numbers.values + at + 1, (numbers.used - at) * sizeof(int32_t))


cdef int insert_number(Numbers* numbers, Py_ssize_t at, int32_t value) except -1:
    push_number(numbers, value)
    memmove(
        numbers.values + at + 1, numbers.values + at, (numbers.used - 1 - at) * sizeof(int32_t))
    numbers.values[at] = value
    return 0
