"""The attributes that are read while content and metadata of a page are looked for, by name.

Values are numbered as they arrive, equal ones alike, so that each is kept and read once. The twin
is `Page.distinct`. Lean pages keep these attributes alone.
"""

cdef extern from *:
    """
    #include <string.h>
    /* The attributes that are kept; the places are their numbers. */
    static const char *WANTED_NAMES[] = {
        "class", "id", "role", "itemprop", "aria-label", "itemtype", "data-testid", "href",
        "style", "hidden", "aria-hidden", "type", "name", "property", "content", "http-equiv",
        "shadowrootmode", "rel", "lang", "xml:lang", "datetime", "colspan", "rowspan", "data-lang",
        "data-language", "title", "alt", "target", "aria-current", "aria-expanded", "value", "src",
        "for", "form", "disabled",
    };
    enum { WANTED_COUNT = 35, FIRST_RARE = 25, CLASS = 0, HREF = 7, STYLE = 8, HIDDEN = 9, ARIA_HIDDEN = 10,
           TYPE = 11 };
    #define IS(at) (memcmp(name, WANTED_NAMES[at], (size_t) size) == 0 ? (at) : -1)
    /* The number of an attribute, or -1 if it is not kept. */
    static int number_wanted(const char *name, Py_ssize_t size) {
        switch (size) {
            case 2: return IS(1);
            case 3: switch (name[0]) {
                case 'r': return IS(17);
                case 'a': return IS(26);
                case 's': return IS(31);
                default: return IS(32);
            }
            case 4: switch (name[0]) {
                case 'h': return IS(7);
                case 'f': return IS(33);
                case 'r': return IS(2);
                case 't': return IS(11);
                case 'n': return IS(12);
                case 'l': return IS(18);
                default: return -1;
            }
            case 5: switch (name[0]) {
                case 'c': return IS(0);
                case 's': return IS(8);
                case 't': return IS(25);
                default: return IS(30);
            }
            case 6: return name[0] == 'h' ? IS(9) : IS(27);
            case 7: return name[0] == 'r' ? IS(22) : name[2] == 'n' ? IS(14) : IS(21);
            case 8: switch (name[0]) {
                case 'p': return IS(13);
                case 'i': return name[4] == 'p' ? IS(3) : IS(5);
                case 'd': return name[1] == 'a' ? IS(20) : IS(34);
                default: return IS(19);
            }
            case 9: return IS(23);
            case 10: return name[0] == 'a' ? IS(4) : IS(15);
            case 11: return name[0] == 'd' ? IS(6) : IS(10);
            case 12: return IS(28);
            case 13: return name[0] == 'd' ? IS(24) : IS(29);
            case 14: return IS(16);
            default: return -1;
        }
    }
    """
    enum: WANTED_COUNT
    enum: FIRST_RARE  # from which on attributes are rarely asked for
    enum: CLASS, HREF, STYLE, HIDDEN, ARIA_HIDDEN, TYPE
    const char* WANTED_NAMES[1]
    int number_wanted(const char* name, Py_ssize_t size) noexcept

#: The attributes that are kept, by number.
WANTED_ATTRIBUTES = tuple([WANTED_NAMES[at].decode() for at in range(WANTED_COUNT)])


@cython.final
cdef class WantedAttributes:
    """The rows and values of the attributes that are kept."""

    cdef Numbers rows[WANTED_COUNT]  # rows that have the attribute, in document order
    cdef Numbers number[WANTED_COUNT]  # the number of the value that each of them has
    cdef list values  # for each attribute its different values, or None where it has none
    cdef list listed  # the same as tuples, as far as they were asked for
    cdef list written  # for some attributes where their values are written, until they are read

    def __cinit__(self):
        self.values, self.listed = [None] * WANTED_COUNT, [None] * WANTED_COUNT
        self.written = [None] * WANTED_COUNT

    def __dealloc__(self):
        cdef int at
        for at in range(WANTED_COUNT):
            free(self.rows[at].values)
            free(self.number[at].values)

    def read(self, const int32_t[::1] tag, attrs not None):
        """Add the attributes of all elements of a page, whose texts have tag 0."""
        cdef Py_ssize_t row, element = 0, elements = len(attrs)
        for row in range(tag.shape[0]):
            if tag[row] != 0:
                if element == elements:
                    raise ValueError("more elements than there are attributes of elements")
                self.add(row, pairs_at(attrs, element))
                element += 1
        if element != elements:
            raise ValueError("fewer elements than there are attributes of elements")

    cdef int add(self, Py_ssize_t row, tuple attrs) except -1:
        """Keep the wanted ones of the attributes of a row."""
        cdef Py_ssize_t at, size
        cdef int wanted
        cdef const char* name
        cdef PyObject* pair
        for at in range(PyTuple_Size(attrs)):
            pair = PyTuple_GetItem(attrs, at)
            name = PyUnicode_AsUTF8AndSize(<object> PyTuple_GetItem(<object> pair, 0), &size)
            wanted = number_wanted(name, size)
            if wanted >= 0:
                value = <object> PyTuple_GetItem(<object> pair, 1)
                self.note(wanted, row, self.strings(wanted).add_str(value or ""))
        return 0

    cdef ByteStrings strings(self, int wanted):
        """The different values of an attribute, to which others can be added."""
        if self.values[wanted] is None:
            self.values[wanted] = ByteStrings()
        return self.values[wanted]

    cdef int note(self, int wanted, Py_ssize_t row, Py_ssize_t number) except -1:
        """Keep the number of the value of a row."""
        push_number(&self.rows[wanted], <int32_t> row)
        push_number(&self.number[wanted], <int32_t> number)
        return 0

    cdef ByteStrings settled(self, Py_ssize_t wanted):
        """The different values of an attribute, or None, all of them read."""
        cdef EscapedValues written
        if not 0 <= wanted < WANTED_COUNT:
            raise IndexError("an attribute that does not exist")
        written = self.written[wanted]
        if written is not None:
            self.written[wanted] = None
            written.read(&self.number[wanted], self.strings(<int> wanted))
        return self.values[wanted]

    cdef int check_rows(self, Py_ssize_t length) except -1:
        """Refuse a page that has fewer rows than there are here."""
        cdef int at
        for at in range(WANTED_COUNT):
            if self.rows[at].used and self.rows[at].values[self.rows[at].used - 1] >= length:
                raise ValueError("attributes of rows that do not exist")
        return 0

    def values_of(self, Py_ssize_t wanted):
        """The values of an attribute, each once, in the order of their numbers."""
        return self._all_values(wanted)

    def fill_numbers(self, Py_ssize_t wanted, Py_ssize_t[::1] rows, Py_ssize_t[::1] number):
        """Fill the rows that have an attribute, and the numbers of their values."""
        cdef Py_ssize_t at
        self.settled(wanted)
        if not rows.shape[0] == number.shape[0] == self.rows[wanted].used:
            raise ValueError("one place for each row")
        for at in range(self.rows[wanted].used):
            rows[at], number[at] = self.rows[wanted].values[at], self.number[wanted].values[at]

    def tagged_rows(self, Py_ssize_t wanted, const int32_t[::1] tag, int32_t one):
        """The rows with one tag that have an attribute, in document order."""
        cdef Py_ssize_t at
        cdef IntBuffer found = IntBuffer()
        cdef int32_t row
        if not 0 <= wanted < WANTED_COUNT:
            raise IndexError("an attribute that does not exist")
        self.check_rows(tag.shape[0])
        for at in range(self.rows[wanted].used):
            row = self.rows[wanted].values[at]
            if tag[row] == one:
                found.push(row)
        return found

    def value_at(self, Py_ssize_t wanted, Py_ssize_t row, missing=""):
        """The value of an attribute of a row, or what stands for a missing one."""
        cdef ByteStrings values = self.settled(wanted)
        cdef Py_ssize_t number = self.number_at(wanted, row)
        if number < 0:
            return missing
        return values.value(number) if self.listed[wanted] is None else self.listed[wanted][number]

    cdef Py_ssize_t number_at(self, Py_ssize_t wanted, Py_ssize_t row) noexcept:
        """The number of the value of an attribute of a row; -1 where it has none."""
        cdef Py_ssize_t at = find_number(self.rows[wanted].values, self.rows[wanted].used, row)
        return self.number[wanted].values[at] if at >= 0 else -1

    cdef tuple _all_values(self, Py_ssize_t wanted):
        """The values of an attribute, kept once they were asked for."""
        cdef ByteStrings values = self.settled(wanted)
        cdef Py_ssize_t at
        if self.listed[wanted] is None:
            self.listed[wanted] = () if values is None else tuple(
                [values.value(at) for at in range(values.count)])
        return self.listed[wanted]

    def rows_having(self, Py_ssize_t wanted, numbers not None):
        """The rows that have one of the values of an attribute, given by number, in order."""
        cdef Py_ssize_t at, number
        cdef ByteStrings values = self.settled(wanted)
        cdef Memory memory = Memory(1)
        cdef unsigned char* fits
        if not numbers or values is None:
            return []
        fits = <unsigned char*> memory.take(values.count, 1)
        for number in numbers:
            if not 0 <= number < values.count:
                raise IndexError("a value that does not exist")
            fits[number] = 1
        return [
            self.rows[wanted].values[at]
            for at in range(self.rows[wanted].used)
            if fits[self.number[wanted].values[at]]
        ]

    def rows_holding(self, Py_ssize_t wanted, bytes stem not None, is_wanted):
        """The rows whose value holds a stem, in any letters, and is wanted; it is asked for each.

        The stem is in small letters of ASCII.
        """
        cdef ByteStrings values = self.settled(wanted)
        cdef Py_ssize_t at
        cdef list numbers = []
        if values is None or not holds_stem(values.data.data, values.data.used, stem):
            return numbers
        for at in range(values.count):
            if holds_stem(values.data.data + values.spans[at].first, values.spans[at].size, stem):
                if is_wanted(values.value(at)):
                    numbers.append(at)
        return self.rows_having(wanted, numbers)

    def rows_named(self, tuple attributes not None, tuple names not None, read):
        """The rows that have one of the names in a value of the attributes, in document order.

        Names are in small letters of ASCII; `read` gives those of a value, which holds them in any
        letters.
        """
        cdef Py_ssize_t wanted, at
        cdef ByteStrings values
        cdef list numbers
        cdef set rows = set()
        # The sign of kelvin has a small k too, and is the only one beyond ASCII with such a letter.
        cdef list stems = [(<str?> name).partition("k")[0].encode() for name in names]
        for wanted in attributes:
            values, numbers = self.settled(wanted), []
            if values is None or not _holds_any(values.data.data, values.data.used, stems):
                continue
            for at in range(values.count):
                if _holds_any(values.data.data + values.spans[at].first, values.spans[at].size, stems):
                    if not set(names).isdisjoint(read(values.value(at))):
                        numbers.append(at)
            rows.update(self.rows_having(wanted, numbers))
        return sorted(rows)

    def may_hold(self, Py_ssize_t wanted, bytes word not None):
        """Whether a value of an attribute may hold a word; false is certain."""
        cdef ByteStrings values = self.settled(wanted)
        cdef const unsigned char* letters = <const unsigned char*> PyBytes_AsString(word)
        if values is None or (len(word) >= STEM_START and not _may_hold_start(
                values.data.data, values.data.used, letters)):
            return False
        return find_bytes(values.data.data, values.data.used, letters, len(word)) != NULL

    def count_rows(self, Py_ssize_t wanted):
        """How many rows have an attribute."""
        if not 0 <= wanted < WANTED_COUNT:
            raise IndexError("an attribute that does not exist")
        return self.rows[wanted].used


cdef enum:
    STEM_START = 4  # bytes of a stem that are looked for in all places at once


cdef bint _may_hold_start(
    const unsigned char* text, Py_ssize_t size, const unsigned char* stem
) noexcept nogil:
    """Whether the first bytes of a stem may be somewhere in a text; false is certain.

    Without a way out, so that compilers look at many places at a time.
    """
    cdef unsigned char one = stem[0] | 0x20, two = stem[1] | 0x20
    cdef unsigned char three = stem[2] | 0x20, four = stem[3] | 0x20, found = 0
    cdef Py_ssize_t at
    for at in range(size - STEM_START + 1):
        found |= (
            (text[at] | 0x20 == one) & (text[at + 1] | 0x20 == two)
            & (text[at + 2] | 0x20 == three) & (text[at + 3] | 0x20 == four))
    return found


cdef bint _holds_any(const unsigned char* text, Py_ssize_t size, list stems) except -1:
    """Whether a text holds one of some stems, in any letters."""
    for stem in stems:
        if holds_stem(text, size, stem):
            return True
    return False


cdef bint holds_stem(const unsigned char* text, Py_ssize_t size, bytes stem) except -1:
    """Whether a text holds a stem, in any letters."""
    cdef Py_ssize_t at, place, length = len(stem)
    cdef const unsigned char* word = <const unsigned char*> PyBytes_AsString(stem)
    if length >= STEM_START and not _may_hold_start(text, size, word):
        return False
    for at in range(size - length + 1):
        place = 0
        while place < length and (
                text[at + place] == word[place] or (
                    c"a" <= word[place] <= c"z" and text[at + place] | 0x20 == word[place])):
            place += 1
        if place == length:
            return True
    return False
