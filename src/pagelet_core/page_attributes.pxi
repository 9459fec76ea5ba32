"""All attributes of a page, which stay in its source until somebody asks for them."""


@cython.final
cdef class PageAttributes:
    """The attributes of a page as a sequence: a tuple of pairs for each element, read on demand."""

    cdef bytes source
    cdef const unsigned char* text
    cdef const unsigned char* end
    cdef References references
    cdef TagTable tags  # knows the names of attributes of SVG
    cdef IntBuffer places  # where the attributes of each element begin in its tag, or NOWHERE
    cdef IntBuffer foreign  # elements of SVG
    cdef dict merged  # places of further tags of an element, whose attributes are its own too
    cdef ByteStrings names  # of attributes, in small letters
    cdef list spelled  # the same as str
    cdef Buffer scratch
    cdef list made  # attributes that were read so far, or None; the rest of them is None

    def __cinit__(
        self, bytes source not None, References references not None, TagTable tags not None
    ):
        self.source, self.references, self.tags = source, references, tags
        self.text = <const unsigned char*> PyBytes_AsString(source)
        self.end = self.text + PyBytes_Size(source)
        self.places, self.foreign, self.merged = IntBuffer(), IntBuffer(), {}
        self.names, self.spelled, self.scratch = ByteStrings(), [], Buffer()

    cdef int add(self, int32_t place, bint foreign) except -1:
        """Add an element by the place of its attributes."""
        if foreign:
            self.foreign.push(<int32_t> self.places.used)
        return self.places.push(place)

    cdef int merge(self, int32_t place) except -1:
        """Add the attributes of a further tag to those of the element that was added last."""
        self.merged.setdefault(self.places.used - 1, []).append(place)
        return 0

    def __len__(self):
        return self.places.used

    def __getitem__(self, element):
        cdef Py_ssize_t at
        if isinstance(element, slice):
            return tuple([self.pairs(each) for each in range(*element.indices(self.places.used))])
        at = element
        at += self.places.used if at < 0 else 0
        if not 0 <= at < self.places.used:
            raise IndexError("an element that does not exist")
        return self.pairs(at)

    def __iter__(self):
        return iter(self[:])

    def __eq__(self, other):
        return self[:] == other[:] if isinstance(other, (tuple, PageAttributes)) else NotImplemented

    def __repr__(self):
        return repr(self[:])

    cdef tuple pairs(self, Py_ssize_t element):
        """The attributes of an element that exists, made once."""
        cdef int32_t place = self.places.values[element]
        if place == NOWHERE and not (self.merged and element in self.merged):
            return ()
        if self.made is None:
            self.made = [None] * self.places.used
        if self.made[element] is None:
            self.made[element] = tuple(self.read(element, None).items())
        return self.made[element]

    cdef dict read(self, Py_ssize_t element, str empty):
        """Read the attributes of an element that exists; of those with one name, the first counts.

        One without a value gets what is given.
        """
        cdef dict found = {}
        cdef bint foreign = self.is_foreign(element)
        if self.places.values[element] != NOWHERE:
            self._read_tag(self.places.values[element], foreign, found, empty)
        if self.merged:
            for place in self.merged.get(element, ()):
                self._read_tag(place, foreign, found, empty)
        return found

    cdef int _read_tag(self, int32_t place, bint foreign, dict found, str empty) except -1:
        cdef const unsigned char* at = self.text + place
        cdef WrittenAttribute written
        while True:
            at = self.next(at, &written)
            if at == NULL:
                return 0
            name = self._name(&written, foreign)
            if name not in found:
                found[name] = self.value(&written) if written.size else empty

    cdef const unsigned char* next(
        self, const unsigned char* at, WrittenAttribute* written
    ) noexcept:
        """Read the next attribute of a tag; NULL behind the last one."""
        while at < self.end and (at[0] == c"/" or is_separator(at[0])):
            at += 1
        if at >= self.end or at[0] == c">":
            return NULL
        return read_attribute(at, self.end, written)

    cdef bint is_foreign(self, Py_ssize_t element) noexcept:
        """Whether an element is one of SVG."""
        return find_number(self.foreign.values, self.foreign.used, element) >= 0

    cdef str _name(self, WrittenAttribute* written, bint foreign):
        """The name of an attribute; some of SVG have capitals."""
        cdef const unsigned char* name = written.name
        cdef Py_ssize_t number
        if written.capital:
            self.scratch.used = 0
            add_small(self.scratch, name, written.name_size)
            name = self.scratch.data
        if foreign:
            number = self.tags.svg_attributes.find(name, written.name_size)
            if number >= 0:
                return self.tags.svg_attributes_spelled[number]
        number = self.names.add(name, written.name_size)
        if number == len(self.spelled):
            self.spelled.append(self.names.value(number))
        return self.spelled[number]

    cdef str value(self, WrittenAttribute* written):
        """The value of an attribute."""
        if not is_escaped(written.value, written.size):
            return decode_bytes(written.value, written.size)
        self.scratch.used = 0
        self.references.read(written.value, written.value + written.size, self.scratch, True)
        return decode_bytes(self.scratch.data, self.scratch.used)

    cdef int find(
        self, Py_ssize_t element, Py_ssize_t row, const AttributeName* wanted, Py_ssize_t count,
        list found,
    ) except -1:
        """Add the values of those attributes of an element that are wanted, by row."""
        cdef const unsigned char* at
        cdef WrittenAttribute written
        cdef int32_t place = self.places.values[element]
        cdef Py_ssize_t number
        if (self.merged and element in self.merged) or self.is_foreign(element):
            return find_in_pairs(self.pairs(element), row, wanted, count, found)
        at = self.text + place if place != NOWHERE else self.end
        while True:
            at = self.next(at, &written)
            if at == NULL:
                return 0
            number = find_folded(&written, wanted, count)
            if number >= 0 and row not in <dict> found[number]:
                (<dict> found[number])[row] = self.value(&written)


cdef Py_ssize_t find_folded(
    WrittenAttribute* written, const AttributeName* wanted, Py_ssize_t count
) noexcept:
    """The place of the name of an attribute, its letters made small, among some names, or -1."""
    cdef Py_ssize_t at, letter
    for at in range(count):
        if written.name_size != wanted[at].size:
            continue
        for letter in range(written.name_size):
            if <unsigned char> wanted[at].text[letter] != small_byte(written.name[letter]):
                break
        else:
            return at
    return -1


cdef tuple pairs_at(attrs, Py_ssize_t element):
    """The attributes of an element, as they are kept or as they are read from the source."""
    if isinstance(attrs, PageAttributes):
        return (<PageAttributes> attrs).pairs(element)
    return <tuple?> (<tuple?> attrs)[element]


def map_attributes(attrs not None, const Py_ssize_t[::1] elements):
    """The values of the attributes of some elements by name; one without a value is empty."""
    cdef PageAttributes written = attrs if isinstance(attrs, PageAttributes) else None
    cdef Py_ssize_t at, element, count = len(attrs)
    cdef list maps = []
    for at in range(elements.shape[0]):
        element = elements[at]
        if not 0 <= element < count:
            raise IndexError("an element that does not exist")
        if written is None:
            maps.append({name: value or "" for name, value in pairs_at(attrs, element)})
        else:
            maps.append(written.read(element, ""))
    return maps
