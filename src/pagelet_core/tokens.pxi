"""Tags, comments and texts of a page, found as the tokenizer of the HTML standard finds them."""

from libc.string cimport memmove, strlen

cdef enum:
    MAX_TAG_BYTES = 64  # of a name; longer ones are left to the parser
    MAX_TAG_ATTRIBUTES = 64


cdef inline bint is_markup(unsigned char byte) noexcept nogil:
    """Whether a tag or comment begins with this byte behind `<`."""
    return c"a" <= byte | 32 <= c"z" or byte == c"/" or byte == c"!" or byte == c"?"


cdef inline bint is_separator(unsigned char byte) noexcept nogil:
    """Whether HTML takes a byte for white space."""
    return byte == 32 or byte == 9 or byte == 10 or byte == 12 or byte == 13


cdef inline bint is_name(const unsigned char* text, Py_ssize_t size, const char* name) noexcept:
    return <size_t> size == strlen(name) and memcmp(text, name, size) == 0


cdef bint is_folded(const unsigned char* text, const char* small, int size) noexcept nogil:
    """Whether a text, its letters made small, is a word."""
    cdef int at
    for at in range(size):
        if text[at] | 32 != <unsigned char> small[at]:
            return False
    return True


cdef const unsigned char* find_markup(
    const unsigned char* at, const unsigned char* end
) noexcept nogil:
    """The next `<` that begins markup, or the end."""
    while at < end:
        at = <const unsigned char*> memchr(at, c"<", end - at)
        if at == NULL:
            break
        if at + 1 < end and is_markup(at[1]):
            return at
        at += 1
    return end


cdef const unsigned char* skip_comment(
    const unsigned char* first, const unsigned char* end
) noexcept nogil:
    """The place behind a comment, given the one behind `<!--`."""
    cdef const unsigned char* at = first
    if at < end and at[0] == c">":
        return at + 1
    if end - at > 1 and at[0] == c"-" and at[1] == c">":
        return at + 2
    while at < end:
        at = <const unsigned char*> memchr(at, c">", end - at)
        if at == NULL:
            break
        if at - first >= 2 and (at - 1)[0] == c"-" and (at - 2)[0] == c"-":
            return at + 1
        if at - first >= 3 and (at - 1)[0] == c"!" and (at - 2)[0] == c"-" and (
                (at - 3)[0] == c"-"):
            return at + 1
        at += 1
    return end


cdef const unsigned char* skip_bogus(
    const unsigned char* at, const unsigned char* end
) noexcept nogil:
    """The place behind what is taken for a comment up to the next `>`."""
    at = <const unsigned char*> memchr(at, c">", end - at) if at < end else NULL
    return at + 1 if at != NULL else end


cdef const unsigned char* find_raw_end(
    const unsigned char* at, const unsigned char* end, const char* name, bint* doubtful
) noexcept nogil:
    """Where the end tag of an element begins that holds nothing but text, or the end.

    It is doubtful where a script begins in a comment in it, which must end before.
    """
    cdef Py_ssize_t size = strlen(name), letter
    cdef bint script = size == 6 and name[0] == c"s" and name[1] == c"c", commented = False
    while at < end:
        at = <const unsigned char*> memchr(at, c"<", end - at)
        if at == NULL or end - at < size + 3:
            break
        if at[1] == c"/" and (ends_name(at[size + 2]) or at[size + 2] == c">"):
            letter = 0
            while letter < size and at[letter + 2] | 32 == <unsigned char> name[letter]:
                letter += 1
            if letter == size:
                return at
        if script and at[1] == c"!" and at[2] == c"-" and at[3] == c"-":
            commented = True
        elif commented and at[1] | 32 == c"s" and at[2] | 32 == c"c":
            doubtful[0] = True
            return end
        at += 1
    doubtful[0] = doubtful[0] or commented  # `<!--` without an end
    return end


cdef struct TagName:
    unsigned char small[MAX_TAG_BYTES]  # its letters, small ones for capitals
    Py_ssize_t size


cdef const unsigned char* read_tag_name(
    const unsigned char* at, const unsigned char* end, TagName* name
) noexcept nogil:
    """Read the name of a tag; gives the place behind it, or NULL if it is too long."""
    name.size = 0
    while at < end and not ends_name(at[0]) and at[0] != c">":
        if name.size == MAX_TAG_BYTES:
            return NULL
        name.small[name.size] = small_byte(at[0])
        name.size += 1
        at += 1
    return at


cdef struct WrittenAttribute:
    const unsigned char* name
    const unsigned char* value
    Py_ssize_t name_size
    Py_ssize_t size  # of the value
    bint capital  # whether its name has a capital letter
    bint quoted


cdef inline const unsigned char* read_attribute(
    const unsigned char* at, const unsigned char* end, WrittenAttribute* found
) noexcept nogil:
    """Read the attribute that begins here; gives the place behind it, NULL if it does not end."""
    found.name, found.capital = at, c"A" <= at[0] <= c"Z"
    at += 1  # a name may begin with `=`
    while at < end and not is_separator(at[0]) and (
            at[0] != c"/" and at[0] != c">" and at[0] != c"="):
        found.capital |= c"A" <= at[0] <= c"Z"
        at += 1
    found.name_size = at - found.name
    found.value, found.size, found.quoted = at, 0, False
    while at < end and is_separator(at[0]):
        at += 1
    if at == end or at[0] != c"=":
        return at
    at += 1
    while at < end and is_separator(at[0]):
        at += 1
    if at == end:
        return NULL
    found.quoted = at[0] == c'"' or at[0] == c"'"
    found.value = at + found.quoted
    if found.quoted:
        at = <const unsigned char*> memchr(found.value, at[0], end - found.value)
        if at == NULL:
            return NULL
    else:
        while at < end and not is_separator(at[0]) and at[0] != c">":
            at += 1
    found.size = at - found.value
    return at + found.quoted


cdef int add_small(Buffer into, const unsigned char* name, Py_ssize_t size) except -1:
    """Add a name in small letters."""
    cdef Py_ssize_t at
    into.reserve(size)
    for at in range(size):
        into.data[into.used + at] = small_byte(name[at])
    into.used += size
    return 0


cdef class TagReader(OpenElements):
    """Reads tags, and opens their elements in a tree."""

    cdef TagTable tags
    cdef ByteStrings custom  # names that HTML lacks
    # the tag that was read last
    cdef TagName written
    cdef int32_t name
    cdef int32_t tag_kind
    cdef int32_t first_attribute
    cdef int32_t attribute_number
    cdef int32_t attributes_read  # repeated ones too
    cdef int32_t attribute_place  # where they begin
    cdef bint self_closing  # whether it ended in `/>`

    cdef const unsigned char* read_attributes(
        self, const unsigned char* at, int32_t* count, bint kept
    ) except? NULL:
        """Read attributes up to the `>` behind them; gives the place behind it.

        Those that nobody asks for are left out, unless all are `kept` since they are compared.
        NULL if the tag does not end, or has very many.
        """
        cdef WrittenAttribute written
        self.attribute_place = <int32_t> (at - self.text)
        count[0], self.self_closing, self.attributes_read = 0, False, 0
        while at < self.end:
            if at[0] == c">":
                return at + 1
            if at[0] == c"/" or is_separator(at[0]):
                self.self_closing = at[0] == c"/"
                at += 1
                continue
            self.self_closing = False
            at = read_attribute(at, self.end, &written)
            if at == NULL or self.attributes_read == MAX_TAG_ATTRIBUTES:
                return NULL
            self.attributes_read += 1
            count[0] += self._keep(&written, count[0], kept)
        return NULL

    cdef const unsigned char* skip_rest(self, const unsigned char* at) except? NULL:
        """The place behind an end tag, given where its name ends; NULL if it does not end."""
        cdef int32_t ignored
        while at < self.end and (at[0] == c"/" or is_separator(at[0])):
            at += 1
        if at < self.end and at[0] == c">":
            return at + 1
        return self.read_attributes(at, &ignored, False)

    cdef int _keep(self, WrittenAttribute* written, int32_t count, bint any) except -1:
        """Keep an attribute unless there is one of its name; returns how many were added."""
        cdef Attribute found
        cdef int32_t at
        found.name, found.name_size = written.name - self.text, <int32_t> written.name_size
        if written.capital:
            found.name = -self.more.used - 1
            add_small(self.more, written.name, written.name_size)
        found.wanted = number_wanted(<const char*> self.place(found.name), found.name_size)
        if found.wanted < 0 and not any:
            return 0
        for at in range(count):
            if self.same_name(&self.attributes[self.attribute_count - 1 - at], &found):
                return 0
        found.value, found.size = written.value - self.text, written.size
        found.quoted = written.quoted
        self.add_attribute()[0] = found
        return 1

    # -- elements -------------------------------------------------------------------------------

    cdef const unsigned char* _read_name(self, const unsigned char* at) except? NULL:
        """Read the name of a tag; NULL if it is left to the parser."""
        cdef Py_ssize_t number
        at = read_tag_name(at, self.end, &self.written)
        if at == NULL:
            return NULL
        number = self.tags.names.find(self.written.small, self.written.size)
        if number < 0:
            number = TAG_COUNT + self.custom.add(self.written.small, self.written.size)
        self.name = <int32_t> number
        self.tag_kind = self.kinds[number] if number < TAG_COUNT else 0
        return at

    cdef int32_t _open(self, int32_t flags=0) except -1:
        """Open the element whose start tag was read."""
        cdef int32_t node = self.add_node(self.name)
        self.nodes[node].flags = flags
        self.made += self.attributes_read - self.attribute_number  # those that are not kept
        self.nodes[node].content = self.first_attribute
        self.nodes[node].count = self.attribute_number
        if self.attributes_read:
            self.nodes[node].place = self.attribute_place
        return self.open_node(node)

    cdef bint _open_closed(self) except -1:
        """Insert the element whose start tag was read, which holds nothing."""
        self._open()
        self.pop()
        return True

    cdef const Attribute* _attribute(self, const char* name) noexcept:
        """An attribute of the tag that was read last, or NULL."""
        cdef int32_t at
        cdef Attribute* found
        for at in range(self.attribute_number):
            found = &self.attributes[self.first_attribute + at]
            if is_name(self.place(found.name), found.name_size, name):
                return found
        return NULL

    cdef int _merge(self, int32_t node) except -1:
        """Add the attributes of a tag to those of an element that has others."""
        cdef int32_t at, place, first = <int32_t> self.attribute_count
        cdef TreeNode* known = &self.nodes[node]
        cdef Attribute* added
        if self.attributes_read == 0:
            return 0
        push_number(&self.merged, node)
        push_number(&self.merged, self.attribute_place)
        known.flags |= MERGED
        self.made += self.attributes_read - self.attribute_number  # those that are not kept
        if self.attribute_number == 0:
            return 0
        for at in range(known.count):
            added = self.add_attribute()
            added[0] = self.attributes[known.content + at]
        for at in range(self.attribute_number):
            for place in range(known.count):
                if self.same_name(&self.attributes[known.content + place],
                                  &self.attributes[self.first_attribute + at]):
                    break
            else:
                added = self.add_attribute()
                added[0] = self.attributes[self.first_attribute + at]
                self.made += 1
        self.steps += known.count * (1 + self.attribute_number)
        known.content, known.count = first, <int32_t> self.attribute_count - first
        return 0
