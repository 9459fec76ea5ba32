"""What a listing of blocks shows: folded texts of parts, labels of links, names around blocks."""

cdef int fold_into(
    Buffer out, const unsigned char* text, Py_ssize_t size, bint* spaced
) except -1:
    """Add a text with white space folded; none stands at the start of all that is written."""
    cdef const unsigned char* end = text + size
    cdef const unsigned char* before
    out.reserve(size + 1)
    while text < end:
        before = text
        if is_space(next_code(&text)):
            spaced[0] = True
            continue
        if spaced[0] and out.used:
            out.data[out.used] = 32
            out.used += 1
        spaced[0] = False
        text = after_words(text, end)
        memcpy(out.data + out.used, before, text - before)
        out.used += text - before
    return 0


def fold_parts(
    texts not None, const Py_ssize_t[::1] places, const unsigned char[::1] gaps,
    const Py_ssize_t[::1] bounds,
):
    """The folded text of each part; a part ends where the next one begins, the last at the end.

    `gaps` stand between neighbouring texts; 0 leaves them joined. UnicodeEncodeError for a lone
    surrogate.
    """
    cdef PageTexts read = texts_of(texts)
    cdef Buffer out = Buffer()
    cdef Py_ssize_t part
    cdef list folded = []
    for part in range(bounds.shape[0]):
        fold_part(out, read, places, gaps, bounds, part)
        folded.append(decode_bytes(out.data, out.used) if out.used else "")
    return folded


cdef int fold_part(
    Buffer out, PageTexts texts, const Py_ssize_t[::1] places, const unsigned char[::1] gaps,
    const Py_ssize_t[::1] bounds, Py_ssize_t part,
) except -1:
    """Write the folded text of one part, and nothing else, into a buffer."""
    cdef Py_ssize_t at, size, end = places.shape[0]
    cdef const unsigned char* text
    cdef bint spaced = False
    if part + 1 < bounds.shape[0]:
        end = bounds[part + 1]
    if not 0 <= bounds[part] <= end <= places.shape[0]:
        raise IndexError("parts that are not in order")
    if places.shape[0] and gaps.shape[0] + 1 != places.shape[0]:
        raise ValueError("one gap between two texts")
    out.used = 0
    for at in range(bounds[part], end):
        spaced = spaced or (at > bounds[part] and gaps[at - 1] != JOINED_GAP)
        text = texts.utf8(places[at], &size)
        fold_into(out, text, size, &spaced)
    return 0


def inner_texts(
    texts not None, const int32_t[::1] tag, const int32_t[::1] size, counted,
    const Py_ssize_t[::1] ordinal, list rows not None,
):
    """The counted text below each of some rows, folded, pieces joined by one space.

    Empty for a row that is not counted itself. UnicodeEncodeError for a lone surrogate.
    """
    cdef const unsigned char[::1] is_counted = counted.view("u1")
    cdef PageTexts read = texts_of(texts)
    cdef Buffer out = Buffer()
    cdef Py_ssize_t row, length = tag.shape[0]
    cdef list found = []
    if not size.shape[0] == is_counted.shape[0] == ordinal.shape[0] == length:
        raise ValueError("the columns of a page do not fit together")
    for row in rows:
        if not 0 <= row < length or not 0 < size[row] <= length - row:
            raise IndexError("a row that does not exist")
        fold_below(out, read, tag, size, is_counted, ordinal, row)
        found.append(decode_bytes(out.data, out.used) if out.used else "")
    return found


cdef int fold_below(
    Buffer out, PageTexts texts, const int32_t[::1] tag, const int32_t[::1] size,
    const unsigned char[::1] counted, const Py_ssize_t[::1] ordinal, Py_ssize_t row,
) except -1:
    """Write the counted text below a row, and nothing else, into a buffer."""
    cdef Py_ssize_t at, chars
    cdef const unsigned char* text
    cdef bint spaced
    out.used = 0
    for at in range(row, row + size[row] if counted[row] else row):
        if tag[at] == 0 and counted[at]:
            spaced = True
            text = texts.utf8(ordinal[at], &chars)
            fold_into(out, text, chars, &spaced)
    return 0


def mark_above(const int32_t[::1] parent, const Py_ssize_t[::1] rows, unsigned char[::1] marked):
    """Mark some rows and all above them; each is a row behind its parent."""
    cdef Py_ssize_t at, row, length = parent.shape[0]
    if marked.shape[0] != length:
        raise ValueError("one mark for each row")
    for at in range(rows.shape[0]):
        row = rows[at]
        if not -1 <= row < length:
            raise IndexError("a row that does not exist")
        while row >= 0 and not marked[row]:
            marked[row] = 1
            if parent[row] >= row:
                raise ValueError("a row before its parent")
            row = parent[row]


def names_above(
    const int32_t[::1] parent, const int32_t[::1] own, const int64_t[::1] names, double most,
    const Py_ssize_t[::1] rows, int64_t[::1] found,
):
    """Fill in the names at and above each of some rows, without elements of more words.

    `own` are the words of each row; those below it are added.
    """
    cdef Py_ssize_t at, row, length = parent.shape[0]
    cdef Memory memory = Memory(2)
    cdef int64_t* inner = <int64_t*> memory.take(length, sizeof(int64_t))
    cdef int64_t* joined = <int64_t*> memory.take(length, sizeof(int64_t))
    if not own.shape[0] == names.shape[0] == length or found.shape[0] != rows.shape[0]:
        raise ValueError("the columns of a page do not fit together")
    for row in range(length - 1, -1, -1):
        if not -1 <= parent[row] < row:
            raise ValueError("a row before its parent")
        inner[row] += own[row]
        if parent[row] >= 0:
            inner[parent[row]] += inner[row]
    for row in range(length):
        joined[row] = names[row] if inner[row] + own[row] <= most else 0
        if parent[row] >= 0:
            joined[row] |= joined[parent[row]]
    for at in range(rows.shape[0]):
        if not 0 <= rows[at] < length:
            raise IndexError("a row that does not exist")
        found[at] = joined[rows[at]]


def kinds_above(
    const int32_t[::1] parent, const int32_t[::1] tag, const Py_ssize_t[::1] kinds,
    const Py_ssize_t[::1] rows, Py_ssize_t[::1] found,
):
    """Fill in the kind of the nearest tag that has one, at or above each of some rows.

    The last kind is that of all tags beyond.
    """
    cdef Py_ssize_t at, row, length = parent.shape[0], last = kinds.shape[0] - 1
    cdef Memory memory = Memory(1)
    cdef Py_ssize_t* nearest = <Py_ssize_t*> memory.take(length, sizeof(Py_ssize_t))
    if tag.shape[0] != length or found.shape[0] != rows.shape[0] or last < 0:
        raise ValueError("the columns of a page do not fit together")
    for row in range(length):
        if not -1 <= parent[row] < row or tag[row] < 0:
            raise ValueError("a row that is broken")
        nearest[row] = kinds[min(tag[row], last)]
        if nearest[row] == 0 and parent[row] >= 0:
            nearest[row] = nearest[parent[row]]
    for at in range(rows.shape[0]):
        if not 0 <= rows[at] < length:
            raise IndexError("a row that does not exist")
        found[at] = nearest[rows[at]]


cdef struct RoleLimits:
    Py_ssize_t table  # numbers of roles
    Py_ssize_t list
    Py_ssize_t heading
    int64_t byline  # bits of names
    int64_t around
    double byline_words
    double plain_words
    double running_words
    Py_ssize_t near  # blocks around the title


def settle_roles(
    tuple blocks not None, Py_ssize_t[::1] own, const int64_t[::1] names, tuple marks not None,
    tuple given not None, Py_ssize_t title, list notices not None, in_table,
    unsigned char[::1] special,
):
    """Settle the roles that markup gives blocks, and mark blocks whose text may tell another.

    Blocks: words, whether kept, whether in a thread, whether a heading. `own` is the role inside
    tags; `names` are the bits of those around each; `marks` pairs of bits and roles, the first one
    counts. `in_table` marks the blocks of data tables, where a block has the role of those.
    """
    cdef const double[::1] words = blocks[0]
    cdef const unsigned char[::1] kept = blocks[1], thread = blocks[2], heading = blocks[3], inside
    cdef Py_ssize_t at, role, count = own.shape[0]
    cdef bint plain, near
    cdef int64_t bits
    cdef RoleLimits limits
    (limits.table, limits.list, limits.heading, limits.byline, limits.around, limits.byline_words,
     limits.plain_words, limits.running_words, limits.near) = given
    if not (words.shape[0] == kept.shape[0] == thread.shape[0] == heading.shape[0]
            == names.shape[0] == special.shape[0] == count):
        raise ValueError("one of each for each block")
    for at in range(count):
        if own[at] == limits.table:
            inside = in_table()
            if inside.shape[0] != count:
                raise ValueError("one of each for each block")
            for at in range(count):
                if own[at] == limits.table and not inside[at]:
                    own[at] = 0
            break
    for at in range(count):
        plain = own[at] == 0 or own[at] == limits.list
        if plain:
            for bits, role in marks:
                if names[at] & bits:
                    own[at] = role
                    break
        if heading[at]:
            own[at] = limits.heading
        near = title >= 0 and title - limits.near <= at <= title + limits.near
        special[at] = not kept[at] or thread[at] or at == title or (
            not heading[at] and words[at] <= limits.byline_words
            and (names[at] & limits.byline or (near and words[at] <= limits.plain_words))
        ) or (own[at] == 0 and (words[at] <= limits.running_words or names[at] & limits.around))
    for at in notices:
        if not 0 <= at < count:
            raise IndexError("a block that does not exist")
        special[at] = special[at] or own[at] == 0


def blocks_holding(
    texts not None, const Py_ssize_t[::1] places, const Py_ssize_t[::1] first,
    list blocks not None, Phrases phrases not None,
):
    """Those of some blocks that may hold one of the phrases, which have no white space.

    A block begins at its `first` place and ends at that of the next one. Texts with capitals
    beyond ASCII may hold any phrase. UnicodeEncodeError for a lone surrogate.
    """
    cdef PageTexts read = texts_of(texts)
    cdef Py_ssize_t block, at, end
    cdef list found = []
    for block in blocks:
        if not 0 <= block < first.shape[0]:
            raise IndexError("a block that does not exist")
        end = first[block + 1] if block + 1 < first.shape[0] else places.shape[0]
        if not 0 <= first[block] <= end <= places.shape[0]:
            raise IndexError("blocks that are not in order")
        for at in range(first[block], end):
            if may_hold(read, places[at], phrases):
                found.append(block)
                break
    return found


cdef bint may_hold(PageTexts texts, Py_ssize_t place, Phrases phrases) except -1:
    """Whether a text in any letters may hold one of the phrases."""
    cdef Py_ssize_t at, size
    cdef const unsigned char* text = texts.utf8(place, &size)
    for at in range(size):
        if text[at] >= 0xC0 and not is_small(text[at], text[at + 1]):
            return True
    return phrases.is_in(text, size)


cdef inline bint is_small(unsigned char lead, unsigned char following) noexcept nogil:
    """Whether a character beyond ASCII, by its first two bytes, surely has no small letter.

    So it is for signs, small letters of Western Europe, of Cyrillic, and ideographs.
    """
    if lead == 0xC3:
        return following >= 0xA0
    if lead == 0xD0:
        return following >= 0xB0
    return (lead == 0xC2 or (lead == 0xD1 and following <= 0x9F)
            or (lead == 0xE2 and following == 0x80) or 0xE3 <= lead <= 0xE9)


def kept_parts(
    const Py_ssize_t[::1] rows, const Py_ssize_t[::1] first, const unsigned char[::1] kept,
    decider,
):
    """The first and the last place of each part of blocks that is kept, its block, what is before.

    The last is the number of texts that are kept before it.
    `rows` are those of the texts of blocks, which begin at `first`; a part ends where the block
    does, where texts are no longer kept, or where another selector decides.
    """
    cdef const int32_t[::1] deciders
    cdef Py_ssize_t block, at, end, begin, row
    cdef bint selected = decider is not None
    cdef Py_ssize_t texts = 0
    cdef IntBuffer of_part = IntBuffer(), before = IntBuffer()
    cdef list bounds = []
    if selected:
        deciders = decider
        if deciders.shape[0] != kept.shape[0]:
            raise ValueError("one of each for each row")
    for block in range(first.shape[0]):
        end = first[block + 1] if block + 1 < first.shape[0] else rows.shape[0]
        if not 0 <= first[block] <= end <= rows.shape[0]:
            raise IndexError("blocks that are not in order")
        begin = first[block]
        for at in range(first[block], end):
            row = rows[at]
            if not 0 <= row < kept.shape[0]:
                raise IndexError("a row that does not exist")
            if at > begin and (not kept[row] or (
                    selected and deciders[row] != deciders[rows[at - 1]])):
                bounds.append((begin, at))
                of_part.push(<int32_t> block)
                before.push(<int32_t> texts)
                texts += at - begin
                begin = at
            if not kept[row]:
                begin = at + 1
        if begin < end:
            bounds.append((begin, end))
            of_part.push(<int32_t> block)
            before.push(<int32_t> texts)
            texts += end - begin
    return bounds, of_part, before


def top_rows(
    const Py_ssize_t[::1] rows, const int32_t[::1] parent, const int32_t[::1] size,
    const Py_ssize_t[::1] above, list parts not None,
):
    """The rows that represent each part: elements that hold nothing else, or its texts.

    `rows` are those of the texts of blocks, `above` the block element of each row; a part is a
    pair of places in `rows`.
    """
    cdef Py_ssize_t length = parent.shape[0], at, row, first, last, top, higher, after
    cdef Memory memory = Memory(1)
    cdef int32_t* before = <int32_t*> memory.take(length + 1, sizeof(int32_t))
    cdef list found = [], tops
    if not size.shape[0] == above.shape[0] == length:
        raise ValueError("the columns of a page do not fit together")
    for at in range(rows.shape[0]):
        if not 0 <= rows[at] < length:
            raise IndexError("a row that does not exist")
        before[rows[at] + 1] = 1
    for row in range(length):
        if not -1 <= parent[row] < row or not 0 < size[row] <= length - row:
            raise ValueError("a row that is broken")
        before[row + 1] += before[row]  # the texts of blocks before each row
    for first, last in parts:
        if not 0 <= first <= last <= rows.shape[0]:
            raise IndexError("a part that does not exist")
        tops = []
        while first < last:
            top, after = rows[first], first + 1
            while above[top] != top:
                higher = parent[top]
                if higher < 0 or before[higher] != first or before[higher + size[higher]] > last:
                    break
                top, after = higher, max(after, before[higher + size[higher]])
            tops.append(top)
            first = after
        found.append(tuple(tops))
    return found
