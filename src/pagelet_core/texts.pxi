"""Texts of blocks: kinds of characters, copies, titles, notices.

The twin of `count_blocks` and `read_statements` in `pagelet.methods.content`. Texts are read as
UTF-8. Letters beyond ASCII are made small by Python itself, which knows them all.
"""


cdef inline Py_ssize_t _end_of_word(
    const unsigned char* text, Py_ssize_t size, Py_ssize_t at
) noexcept nogil:
    """Where a word ends that a place is in; spaces part words."""
    while at < size and text[at] != 32:
        at += 1
    return at


cdef bint _equal_spans(
    const unsigned char* data, const Span* spans, Py_ssize_t one, Span other
) noexcept nogil:
    return spans[one].size == other.size and memcmp(
        data + spans[one].first, data + other.first, other.size) == 0


@cython.final
cdef class BlockTexts:
    """The beginnings of the texts of all blocks of a page, as written and in small letters."""

    cdef readonly Py_ssize_t blocks
    cdef Memory memory
    cdef Span* written
    cdef Span* small
    cdef unsigned char* plain  # whether a block is in ASCII
    cdef unsigned char* cut  # whether a block may have more characters than were kept
    cdef Buffer text
    cdef Buffer lower
    cdef double* kinds  # how often each of the counted kinds occurs in each block, a line per kind
    cdef unsigned char* first_kind  # of the first character of each block
    cdef unsigned char* last_kind

    def __init__(
        self, texts not None, const Py_ssize_t[::1] place, const Py_ssize_t[::1] first,
        const unsigned char[::1] kind_of, Py_ssize_t most,
    ):
        # Places of the texts, where each block begins, kinds of characters; so many characters of
        # each block are kept. UnicodeEncodeError for a lone surrogate.
        if kind_of.shape[0] <= 0x10000:
            raise ValueError("the table of characters is too short")
        if first.shape[0]:
            self.read(texts_of(texts), &place[0] if place.shape[0] else NULL, place.shape[0], &first[0],
                      first.shape[0], &kind_of[0], most)

    cdef int read(
        self, PageTexts texts, const Py_ssize_t* place, Py_ssize_t pieces, const Py_ssize_t* first,
        Py_ssize_t blocks, const unsigned char* kind_of, Py_ssize_t most,
    ) except -1:
        cdef Py_ssize_t block, last
        self.blocks, self.memory = 0, Memory(7)
        self.plain = <unsigned char*> self.memory.take(blocks, 1)
        self.cut = <unsigned char*> self.memory.take(blocks, 1)
        self.written = <Span*> self.memory.take(blocks, sizeof(Span))
        self.small = <Span*> self.memory.take(blocks, sizeof(Span))
        self.kinds = <double*> self.memory.take(
            blocks * (KINDS - FIRST_COUNTED), sizeof(double))
        self.first_kind = <unsigned char*> self.memory.take(blocks, 1)
        self.last_kind = <unsigned char*> self.memory.take(blocks, 1)
        self.text, self.lower = Buffer(), Buffer()
        for block in range(blocks):
            last = first[block + 1] if block + 1 < blocks else pieces
            if not 0 <= first[block] < last <= pieces:
                raise IndexError("a block without a text")
            self._read_block(texts, place + first[block], last - first[block], kind_of, most,
                             block, blocks)
            self._make_small(block)
        self.blocks = blocks
        return 0

    cdef int _read_block(
        self, PageTexts texts, const Py_ssize_t* place, Py_ssize_t pieces,
        const unsigned char* kind_of, Py_ssize_t most, Py_ssize_t block, Py_ssize_t blocks,
    ) except -1:
        """Count the characters of a block and keep its beginning, pieces joined by one space."""
        cdef Py_ssize_t piece, size, left = most
        cdef Py_ssize_t tally[KINDS]
        cdef const unsigned char* at
        cdef const unsigned char* end
        cdef const unsigned char* kept
        cdef bint plain
        memset(tally, 0, sizeof(tally))
        self.plain[block] = 1
        self.written[block].first = self.text.used
        for piece in range(pieces):
            at = texts.utf8(place[piece], &size)
            end = at + size
            strip_spaces(&at, &end)
            self.text.reserve(min(4 * left, end - at) + 1)
            if piece and left > 0:
                self.text.data[self.text.used] = 32
                self.text.used += 1
                left -= 1
            if piece == 0 and at < end:
                kept = at
                self.first_kind[block] = find_kind(&kept, kind_of)
            kept = at
            plain = is_plain(at, end - at)
            self.plain[block] &= plain
            if plain:
                kept += min(left, end - at)
                left -= kept - at
            while kept < end and left > 0:
                kept += 1 + (kept[0] >= 0xC0) + (kept[0] >= 0xE0) + (kept[0] >= 0xF0)
                left -= 1
            memcpy(self.text.data + self.text.used, at, kept - at)
            self.text.used += kept - at
            self.last_kind[block] = count_kinds(at, end, kind_of, tally, plain)
        self.written[block].size = self.text.used - self.written[block].first
        self.cut[block] = left == 0
        for piece in range(FIRST_COUNTED, KINDS):
            self.kinds[(piece - FIRST_COUNTED) * blocks + block] = <double> tally[piece]
        return 0

    def fill_characters(
        self, double[:, ::1] counts, unsigned char[::1] first_kind, unsigned char[::1] last_kind
    ):
        """Fill how often the counted kinds occur, and the kinds of first and last characters."""
        cdef Py_ssize_t block, kind
        if counts.shape[0] != KINDS - FIRST_COUNTED or not (
                counts.shape[1] == first_kind.shape[0] == last_kind.shape[0] == self.blocks):
            raise ValueError("the arrays of blocks do not fit together")
        for block in range(self.blocks):
            first_kind[block], last_kind[block] = self.first_kind[block], self.last_kind[block]
            for kind in range(KINDS - FIRST_COUNTED):
                counts[kind, block] = self.kinds[kind * self.blocks + block]

    cdef int _make_small(self, Py_ssize_t block) except -1:
        """Keep the beginning of a block in small letters too."""
        cdef Py_ssize_t size = self.written[block].size
        cdef const unsigned char* text = self.text.data + self.written[block].first
        cdef unsigned char* small
        self.lower.reserve(size + 1)
        self.small[block].first = self.lower.used
        small = self.lower.data + self.lower.used
        copy_small(text, size, small)
        if not self.plain[block] and not lower_common(small, size):
            lowered = PyUnicode_FromStringAndSize(<const char*> text, size).lower()
            text = <const unsigned char*> PyUnicode_AsUTF8AndSize(lowered, &size)
            self.lower.reserve(size + 1)
            memcpy(self.lower.data + self.lower.used, text, size)
        self.small[block].size = size
        self.lower.used += size
        return 0

    def texts_in_small(self):
        """The beginnings of all texts in small letters."""
        cdef Py_ssize_t block
        return [
            PyUnicode_FromStringAndSize(
                <const char*> self.lower.data + self.small[block].first, self.small[block].size)
            for block in range(self.blocks)
        ]

    def count_copies(self, Py_ssize_t most, Py_ssize_t[::1] copies):
        """Count for each block those that begin with the same so many characters."""
        if copies.shape[0] != self.blocks:
            raise ValueError("one count for each block")
        if self.blocks:
            self.add_copies(most, &copies[0])

    cdef int add_copies(self, Py_ssize_t most, Py_ssize_t* copies) except -1:
        cdef Py_ssize_t block
        cdef size_t slot, slots = 16
        cdef Memory memory = Memory(3)
        cdef Py_ssize_t* size = <Py_ssize_t*> memory.take(self.blocks, sizeof(Py_ssize_t))
        cdef Py_ssize_t* same = <Py_ssize_t*> memory.take(self.blocks, sizeof(Py_ssize_t))
        while slots < 2 * <size_t> self.blocks:
            slots *= 2
        cdef Py_ssize_t* table = <Py_ssize_t*> memory.take(slots, sizeof(Py_ssize_t))
        for block in range(self.blocks):
            copies[block] = 0
            size[block] = self._cut(block, most)
            slot = hash_quickly(
                self.text.data + self.written[block].first, size[block]) & (slots - 1)
            while table[slot] and not self._equal(block, table[slot] - 1, size):
                slot = (slot + 1) & (slots - 1)
            if not table[slot]:
                table[slot] = block + 1
            same[block] = table[slot] - 1
            copies[same[block]] += 1
        for block in range(self.blocks):
            copies[block] = copies[same[block]]
        return 0

    cdef Py_ssize_t _cut(self, Py_ssize_t block, Py_ssize_t most) noexcept:
        """The bytes of the first so many characters of a block."""
        cdef const unsigned char* first = self.text.data + self.written[block].first
        cdef const unsigned char* at = first
        cdef const unsigned char* end = first + self.written[block].size
        if self.plain[block]:
            return min(most, end - first)
        while at < end and most > 0:
            next_code(&at)
            most -= 1
        return at - first

    cdef bint _equal(self, Py_ssize_t one, Py_ssize_t other, const Py_ssize_t* size) noexcept:
        return size[one] == size[other] and memcmp(
            self.text.data + self.written[one].first,
            self.text.data + self.written[other].first, size[one]) == 0

    def hash_folded(self, Py_ssize_t most, uint64_t[::1] hashes):
        """A hash of the first so many characters of each block, small, white space folded.

        It is 0 where fewer of them were kept than the block may have.
        """
        cdef Py_ssize_t block
        if hashes.shape[0] != self.blocks:
            raise ValueError("one hash for each block")
        for block in range(self.blocks):
            hashes[block] = self.hash_block(block, most)

    cdef uint64_t hash_block(self, Py_ssize_t block, Py_ssize_t most) noexcept:
        cdef Py_ssize_t chars = 0
        cdef uint64_t bits = 0xCBF29CE484222325ULL
        cdef const unsigned char* at = self.lower.data + self.small[block].first
        cdef const unsigned char* end = at + self.small[block].size
        cdef const unsigned char* before
        cdef bint apart = False
        while at < end and chars < most:
            before = at
            if is_space(next_code(&at)):
                apart = True
                continue
            if apart and chars:
                bits = (bits ^ 32) * 0x100000001B3ULL
            apart = False
            while before < at:
                bits = (bits ^ before[0]) * 0x100000001B3ULL
                before += 1
            chars += 1
        return 0 if self.cut[block] and chars < most else bits | 1

    cdef bint has_key(self, Py_ssize_t block, const unsigned char* key, Py_ssize_t size) noexcept:
        """Whether the letters and digits of a block in ASCII are these."""
        cdef const unsigned char* text = self.lower.data + self.small[block].first
        cdef Py_ssize_t at, same = 0
        for at in range(self.small[block].size):
            if c"a" <= text[at] <= c"z" or c"0" <= text[at] <= c"9":
                if same == size or text[at] != key[same]:
                    return False
                same += 1
        return same == size

    def find_stated(self, bytes structured, Py_ssize_t words, double[::1] stated):
        """Mark the blocks whose first so many words stand together in a text.

        The text is in small letters, its words apart by single spaces.
        """
        if stated.shape[0] != self.blocks:
            raise ValueError("one mark for each block")
        if self.blocks:
            self.mark_stated(
                <const unsigned char*> PyBytes_AsString(structured), len(structured), words,
                &stated[0])

    cdef int mark_stated(
        self, const unsigned char* text, Py_ssize_t size, Py_ssize_t words, double* stated
    ) except -1:
        cdef Py_ssize_t block, at, first, last
        cdef Memory memory = Memory(3)
        cdef Span* key = <Span*> memory.take(self.blocks, sizeof(Span))
        cdef size_t slot, slots = 16
        cdef Buffer keys = Buffer()
        while slots < 2 * <size_t> self.blocks:
            slots *= 2
        cdef Py_ssize_t* table = <Py_ssize_t*> memory.take(slots, sizeof(Py_ssize_t))
        cdef Py_ssize_t* same = <Py_ssize_t*> memory.take(self.blocks, sizeof(Py_ssize_t))
        for block in range(self.blocks):
            stated[block] = 0
            key[block].first = keys.used
            key[block].size = self._add_key(block, words, keys)
            if key[block].size == 0:
                same[block] = -1
                continue
            slot = hash_quickly(keys.data + key[block].first, key[block].size) & (slots - 1)
            while table[slot] and not _equal_spans(keys.data, key, table[slot] - 1, key[block]):
                slot = (slot + 1) & (slots - 1)
            if not table[slot]:
                table[slot] = block + 1
            same[block] = table[slot] - 1
        first, last = 0, -1
        for at in range(words):
            if last >= size:
                return 0
            last = _end_of_word(text, size, last + 1)
        while True:
            slot = hash_quickly(text + first, last - first) & (slots - 1)
            while table[slot]:
                block = table[slot] - 1
                if key[block].size == last - first and memcmp(
                        keys.data + key[block].first, text + first, last - first) == 0:
                    stated[block] = 1
                    break
                slot = (slot + 1) & (slots - 1)
            if last >= size:
                break
            first = _end_of_word(text, size, first) + 1
            last = _end_of_word(text, size, last + 1)
        for block in range(self.blocks):
            if same[block] >= 0:
                stated[block] = stated[same[block]]
        return 0

    cdef Py_ssize_t _add_key(self, Py_ssize_t block, Py_ssize_t words, Buffer keys) except -1:
        """Add the first so many words of a block, apart by single spaces; 0 if it has fewer."""
        cdef const unsigned char* at = self.lower.data + self.small[block].first
        cdef const unsigned char* end = at + self.small[block].size
        cdef const unsigned char* before
        cdef Py_ssize_t first = keys.used
        cdef bint apart = True
        keys.reserve(end - at + words)
        while at < end:
            before = at
            if is_space(next_code(&at)):
                if not apart:
                    words -= 1
                apart = True
                if words == 0:
                    break
                continue
            if apart and keys.used > first:
                keys.data[keys.used] = 32
                keys.used += 1
            apart = False
            memcpy(keys.data + keys.used, before, at - before)
            keys.used += at - before
        if not apart:
            words -= 1
        if words > 0:
            keys.used = first
        return keys.used - first

    def find_words(self, Phrases words, const uint64_t[::1] groups, double[:, ::1] counts):
        """Count for each group of words, given as bits, how many of them each block holds."""
        if counts.shape[0] != groups.shape[0] or counts.shape[1] != self.blocks:
            raise ValueError("words, groups and counts do not fit together")
        if self.blocks and groups.shape[0]:
            self.count_words(words, groups, &counts[0, 0])

    cdef int count_words(self, Phrases words, const uint64_t[::1] groups, double* counts) except -1:
        cdef Py_ssize_t block, group
        cdef uint64_t found
        if words.count > MOST_WORDS:
            raise ValueError("more words than there are bits")
        for block in range(self.blocks):
            found = words.find(self.lower.data + self.small[block].first, self.small[block].size)
            for group in range(groups.shape[0]):
                counts[group * self.blocks + block] = (
                    count_bits(found & groups[group]) if found else 0)
        return 0

    def find_begun(self, Phrases phrases, unsigned char[::1] marked):
        """Mark the blocks that begin with one of the phrases."""
        if marked.shape[0] != self.blocks:
            raise ValueError("one mark for each block")
        if self.blocks:
            self.mark_begun(phrases, &marked[0])

    cdef void mark_begun(self, Phrases phrases, unsigned char* marked) noexcept:
        cdef Py_ssize_t block
        for block in range(self.blocks):
            marked[block] = phrases.begin(
                self.lower.data + self.small[block].first, self.small[block].size)

    def find_titles(self, bytes titles, Py_ssize_t least, Py_ssize_t most, unsigned char[::1] marked):
        """Mark the blocks of so many characters whose text, white space folded, titles hold."""
        if marked.shape[0] != self.blocks:
            raise ValueError("one mark for each block")
        if self.blocks:
            self.mark_titles(titles, least, most, &marked[0])

    cdef int mark_titles(
        self, bytes titles, Py_ssize_t least, Py_ssize_t most, unsigned char* marked
    ) except -1:
        cdef Py_ssize_t block, at, size = len(titles)
        cdef const unsigned char* title = <const unsigned char*> PyBytes_AsString(titles)
        cdef Memory memory = Memory(1)
        cdef unsigned char* pairs = <unsigned char*> memory.take(8192, 1)
        cdef Buffer folded = Buffer()
        for at in range(size - 1):
            pairs[(title[at] << 8 | title[at + 1]) >> 3] |= 1 << (title[at + 1] & 7)
        for block in range(self.blocks):
            marked[block] = self._is_title(block, title, size, pairs, least, most, folded)
        return 0

    cdef bint _is_title(
        self, Py_ssize_t block, const unsigned char* title, Py_ssize_t size,
        const unsigned char* pairs, Py_ssize_t least, Py_ssize_t most, Buffer folded,
    ) except -1:
        cdef const unsigned char* at = self.lower.data + self.small[block].first
        cdef const unsigned char* end = at + self.small[block].size
        cdef const unsigned char* before
        cdef Py_ssize_t chars = 0
        cdef bint apart = False
        if end - at < least or size < least or not (
                pairs[(at[0] << 8 | at[1]) >> 3] >> (at[1] & 7) & 1):
            return False
        before = at
        while before < end and before[0] > 32 and before[0] < 128:
            before += 1
        if before > at and find_bytes(title, size, at, before - at) == NULL:  # its first word
            return False
        folded.used = 0
        folded.reserve(end - at + 1)
        while at < end:
            before = at
            if is_space(next_code(&at)):
                apart = folded.used > 0
                continue
            if apart:
                folded.data[folded.used] = 32
                folded.used += 1
                chars += 1
                apart = False
            memcpy(folded.data + folded.used, before, at - before)
            folded.used += at - before
            chars += 1
        return least <= chars <= most and find_bytes(
            title, size, folded.data, folded.used) != NULL


cdef inline int count_bits(uint64_t bits) noexcept nogil:
    cdef int count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count
