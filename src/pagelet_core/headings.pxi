"""The blocks that may hold the title of a page, and other single facts about blocks.

The twins are in `pagelet.methods.content.heading` and `structure`.
"""

cdef enum:
    MOST_ROWS_ABOVE = 8_000  # sums of so many hashes of 40 bits are exact

cdef uint64_t LOOK_START = 0x9E3779B97F4A7C15ULL  # added to a number before it is hashed


def read_held_by(BlockReader reader not None, int32_t tag, Py_ssize_t most):
    """The texts of the first blocks, so many at most, that an element with this tag holds.

    Their white space is folded.
    """
    cdef Py_ssize_t block
    cdef list found = []
    for block in range(reader.blocks):
        if reader.tag[reader.holder[block]] == tag:
            if len(found) == most:
                break
            found.append(" ".join(" ".join(read_block(reader, block)).split()))
    return found


def find_text_of(const int32_t[::1] tag, const int32_t[::1] size, int32_t wanted):
    """The number of the text that the first element with a tag begins with, or -1."""
    cdef Py_ssize_t row, texts = 0
    if tag.shape[0] != size.shape[0]:
        raise ValueError("the columns of a page do not fit together")
    for row in range(tag.shape[0]):
        if tag[row] == wanted:
            return texts if size[row] > 1 and row + 1 < tag.shape[0] and tag[row + 1] == 0 else -1
        texts += tag[row] == 0
    return -1


def find_texts_below(const int32_t[::1] tag, const int32_t[::1] size, Py_ssize_t row):
    """The numbers of the first text below a row, and of the first one behind it."""
    cdef Py_ssize_t at, first = 0, last
    if tag.shape[0] != size.shape[0] or not (
            0 <= row < tag.shape[0] and 0 < size[row] <= tag.shape[0] - row):
        raise IndexError("a row that does not exist")
    for at in range(row):
        first += tag[at] == 0
    last = first
    for at in range(row, row + size[row]):
        last += tag[at] == 0
    return first, last


def read_contents(WantedAttributes wanted not None, tuple attributes not None, tuple values not None):
    """The contents of elements of which an attribute has one of the values, which are in UTF-8.

    They stand attribute by attribute, in document order.
    """
    cdef Py_ssize_t attribute, at, number
    cdef ByteStrings known
    cdef list contents = []
    for attribute in attributes:
        known = wanted.settled(attribute)
        numbers = set()
        for value in values if known is not None else ():
            number = known.find(<const unsigned char*> PyBytes_AsString(value), len(value))
            if number >= 0:
                numbers.add(number)
        for at in range(wanted.rows[attribute].used if numbers else 0):
            if wanted.number[attribute].values[at] in numbers:
                contents.append(
                    wanted.value_at(CONTENT_ATTRIBUTE, wanted.rows[attribute].values[at]))
    return contents


def count_marked(const int32_t[::1] values, const unsigned char[::1] marked):
    """The sum of the values that are marked."""
    cdef Py_ssize_t at
    cdef int64_t total = 0
    if values.shape[0] != marked.shape[0]:
        raise ValueError("one mark for each value")
    for at in range(values.shape[0]):
        total += values[at] if marked[at] else 0
    return total


def read_block(BlockReader reader not None, Py_ssize_t block):
    """The texts of a block as written."""
    cdef Py_ssize_t row, at = 0, piece
    if not 0 <= block < reader.blocks or reader.places == NULL:
        raise IndexError("a block that does not exist, or was not read")
    return [
        reader.page_texts.text(reader.places[piece])
        for piece in range(reader.first[block], reader._last(block))
    ]


def find_like_title(
    BlockReader reader not None, Py_ssize_t chars, Py_ssize_t words, tuple most, bytes key not None
):
    """The blocks of about so many characters and words that have the key of a title, or may.

    A number of words below 0 is any number. `most` are the characters and the words by which a
    block may differ. The key is in UTF-8. Blocks that may have it are those that are not in ASCII,
    or of which not all is known.
    """
    cdef Py_ssize_t block, most_chars, most_words, size = len(key)
    cdef const unsigned char* wanted = <const unsigned char*> PyBytes_AsString(key)
    cdef list found = [], unsure = []
    most_chars, most_words = most
    if reader.texts is None or reader.texts.blocks != reader.blocks:
        raise ValueError("the blocks were not read")
    for block in range(reader.blocks):
        if abs(reader.block_chars[block] - chars) > most_chars or (
                words >= 0 and abs(reader.block_words[block] - words) > most_words):
            continue
        if reader.texts.cut[block] or not reader.texts.plain[block]:
            unsure.append(block)
        elif reader.texts.has_key(block, wanted, size):
            found.append(block)
    return found, unsure


def find_first_running(
    BlockReader reader not None, const unsigned char[::1] kept, double words, int stop
):
    """The first kept block of so many words that ends as sentences do; their number if none."""
    cdef Py_ssize_t block
    if kept.shape[0] != reader.blocks or reader.texts is None or (
            reader.texts.blocks != reader.blocks):
        raise ValueError("one mark for each block")
    for block in range(reader.blocks):
        if kept[block] and reader.block_words[block] >= words and (
                reader.texts.last_kind[block] == stop):
            return block
    return reader.blocks


def is_row_hidden(BlockReader reader not None, Py_ssize_t row):
    """Whether a row is hidden."""
    if not 0 <= row < reader.rows or reader.hidden == NULL:
        raise IndexError("a row that does not exist, or was not read")
    return reader.hidden[row] != 0


def is_row_linked(BlockReader reader not None, Py_ssize_t row):
    """Whether a row is in a link."""
    if not 0 <= row < reader.rows or reader.link == NULL:
        raise IndexError("a row that does not exist, or was not read")
    return reader.link[row] != 0


def find_looks(BlockReader reader not None, list rows not None, Py_ssize_t names):
    """For each of some rows its look, and the sum of hashed looks at and above it.

    The twin is `looks_of` of `pagelet.methods.content.structure`, which takes a page as a whole.
    None for rows with so many others above them that it takes less time, or that sums are inexact.
    """
    cdef Py_ssize_t row, above = 0
    cdef int64_t look
    cdef double total
    if reader.class_number == NULL:
        raise ValueError("the rows were not read")
    for row in rows:
        if not 0 <= row < reader.rows:
            raise IndexError("a row that does not exist")
        above += reader.depth[row]
    if above > reader.rows or above > MOST_ROWS_ABOVE:
        return None
    looks = []
    for row in rows:
        look = reader.class_number[row] * names + reader.tag[row]
        total = 0
        while row >= 0:
            total += <double> (spread_bits(<uint64_t> (
                reader.class_number[row] * names + reader.tag[row]) + LOOK_START) >> 24)
            row = reader.parent[row]
        looks.append((look, total))
    return looks
