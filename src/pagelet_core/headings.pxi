"""The blocks that may hold the title of a page, and other single facts about blocks.

The twins are in `pagelet.methods.content.heading`, `threads` and `model`.
"""

cdef enum:
    MOST_ROWS_ABOVE = 8_000  # sums of so many hashes of 40 bits are exact

cdef uint64_t LOOK_START = 0x9E3779B97F4A7C15ULL  # added to a number before it is hashed


def find_held_by(BlockReader reader not None, int32_t tag, Py_ssize_t most):
    """The first blocks, so many at most, that an element with this tag holds."""
    cdef Py_ssize_t block
    found = []
    for block in range(reader.blocks):
        if reader.tag[reader.holder[block]] == tag:
            if len(found) == most:
                break
            found.append(block)
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


def count_tags(const int32_t[::1] tag, const int32_t[::1] wanted):
    """How many rows have each of the tags, which are numbered below 1,000."""
    cdef Py_ssize_t counts[1000]
    cdef Py_ssize_t row, at
    memset(counts, 0, sizeof(counts))
    for row in range(tag.shape[0]):
        if 0 <= tag[row] < 1000:
            counts[tag[row]] += 1
    for at in range(wanted.shape[0]):
        if not 0 <= wanted[at] < 1000:
            raise IndexError("a tag that does not exist")
    return [counts[wanted[at]] for at in range(wanted.shape[0])]


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
    BlockReader reader not None, Py_ssize_t chars, Py_ssize_t words, tuple most, uint64_t key
):
    """The blocks of about so many characters and words that may have the key of a title.

    A number of words below 0 is any number, and a key of 0 any key. `most` are the characters and
    the words by which a block may differ.
    """
    cdef Py_ssize_t block, most_chars, most_words
    cdef uint64_t bits
    most_chars, most_words = most
    if reader.texts is None or reader.texts.blocks != reader.blocks:
        raise ValueError("the blocks were not read")
    found = []
    for block in range(reader.blocks):
        if abs(reader.block_chars[block] - chars) > most_chars or (
                words >= 0 and abs(reader.block_words[block] - words) > most_words):
            continue
        bits = reader.texts.hash_key_of(block) if key else 0
        if bits == 0 or bits == key:
            found.append(block)
    return found


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


def sum_weights(const double[:, ::1] weights, list rows not None, double[::1] total):
    """Add the weights of rows, one after the other, to a total."""
    cdef Py_ssize_t kind, row
    cdef Memory scratch = Memory(1)
    cdef double* sums = <double*> scratch.take(weights.shape[1], sizeof(double))
    if weights.shape[1] != total.shape[0]:
        raise ValueError("one weight for each kind")
    for row in rows:
        if not 0 <= row < weights.shape[0]:
            raise IndexError("a row that does not exist")
        for kind in range(weights.shape[1]):
            sums[kind] += weights[row, kind]
    for kind in range(weights.shape[1]):
        total[kind] += sums[kind]
