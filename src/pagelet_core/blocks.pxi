"""Text blocks, the twin of `text_blocks` in `pagelet.page.textblocks`."""


def mark_inside(const Py_ssize_t[::1] rows, const int32_t[::1] size, within):
    """Mark rows, given in order, and all that lies below them."""
    cdef unsigned char[::1] marked = within.view("u1")
    cdef Py_ssize_t at, row, end, done = 0, length = size.shape[0]
    if marked.shape[0] != length:
        raise ValueError("one mark for each row")
    for at in range(rows.shape[0]):
        row = rows[at]
        if not 0 <= row < length or not 0 < size[row] <= length - row or (
                at and rows[at - 1] > row):
            raise IndexError("rows that are no rows, or not in order")
        end = row + size[row]
        if end > done:
            memset(&marked[max(row, done)], 1, end - max(row, done))
            done = end


def mark_counted(
    const int32_t[::1] tag, const int32_t[::1] size, uncounted, list shadow_roots not None,
    Py_ssize_t body, marks,
):
    """Mark the rows of the body outside elements that are not counted, the shadow roots left out.

    Shadow roots are given in order.
    """
    cdef const unsigned char[::1] left_out = uncounted.view("u1")
    cdef unsigned char[::1] counted = marks.view("u1")
    cdef Py_ssize_t row = body, end, root = 0, last = left_out.shape[0] - 1
    if not size.shape[0] == counted.shape[0] == tag.shape[0] or last < 0:
        raise ValueError("one mark for each row")
    if not 0 <= body < tag.shape[0] or not 0 < size[body] <= tag.shape[0] - body:
        raise IndexError("a body that is no row")
    end = body + size[body]
    while row < end:
        if tag[row] < 0:
            raise ValueError("a row that is broken")
        if left_out[min(<Py_ssize_t> tag[row], last)] and not _is_listed(shadow_roots, &root, row):
            if not 0 < size[row] <= tag.shape[0] - row:
                raise ValueError("a row that is broken")
            row += size[row]
        else:
            counted[row] = 1
            row += 1


cdef bint _is_listed(list ascending, Py_ssize_t* at, Py_ssize_t row) except -1:
    """Whether a row is among those listed; rows are asked for in order, `at` keeps the place."""
    while at[0] < len(ascending) and ascending[at[0]] < row:
        at[0] += 1
    return at[0] < len(ascending) and ascending[at[0]] == row


def sum_blocks(
    const int32_t[::1] words, const int32_t[::1] chars, linked, const int32_t[::1] tag,
    const Py_ssize_t[::1] rows, const Py_ssize_t[::1] first, const Py_ssize_t[::1] holder,
    const double[::1] kind_of, double[:, ::1] sums, Py_ssize_t[:, ::1] counts,
):
    """Add up the words, linked words and characters of blocks, a line each.

    Then come the share of words that are linked and the kind of the holder, by its tag; `counts`
    gets the number of texts and the first row of each block.
    """
    cdef const unsigned char[::1] link = linked.view("u1")
    cdef Py_ssize_t block, at, last, row, blocks = first.shape[0], length = tag.shape[0]
    cdef Py_ssize_t last_kind = kind_of.shape[0] - 1
    cdef int64_t word, link_word, char
    if not (words.shape[0] == chars.shape[0] == link.shape[0] == length
            and holder.shape[0] == sums.shape[1] == counts.shape[1] == blocks
            and sums.shape[0] == 5 and counts.shape[0] == 2):
        raise ValueError("the columns of a page do not fit together")
    for block in range(blocks):
        last = first[block + 1] if block + 1 < blocks else rows.shape[0]
        if not 0 <= first[block] < last <= rows.shape[0] or not 0 <= holder[block] < length:
            raise IndexError("a block without a text")
        word, link_word, char = 0, 0, 0
        for at in range(first[block], last):
            row = rows[at]
            if not 0 <= row < length:
                raise IndexError("a row that does not exist")
            word += words[row]
            char += chars[row]
            link_word += words[row] if link[row] else 0
        sums[0, block], sums[1, block], sums[2, block] = word, link_word, char
        sums[3, block] = <double> link_word / <double> (word if word > 1 else 1)
        sums[4, block] = kind_of[min(<Py_ssize_t> tag[holder[block]], last_kind)]
        counts[0, block], counts[1, block] = last - first[block], rows[first[block]]


def find_blocks(
    const int32_t[::1] tag, const int32_t[::1] parent, const int32_t[::1] size,
    const unsigned char[::1] starts, const unsigned char[::1] unread, is_read,
    Py_ssize_t[::1] above, Py_ssize_t[::1] rows, Py_ssize_t[::1] first, Py_ssize_t[::1] holder,
):
    """Find texts and blocks; returns how many of each there are.

    `starts` marks the tags that begin a block and `unread` those whose text is none of the page,
    by number; the last one stands for all above. `is_read` is asked for tags marked with 2.
    `above` gets the nearest block element of each row, the others what their names say.
    """
    cdef Py_ssize_t row, texts = 0, blocks = 0, inert = 0, begun = 0, last_begun = -1
    cdef Py_ssize_t length = tag.shape[0], room = rows.shape[0]
    cdef Py_ssize_t last_start = starts.shape[0] - 1, last_unread = unread.shape[0] - 1
    cdef unsigned char left_out
    if not (parent.shape[0] == size.shape[0] == above.shape[0] == length
            and first.shape[0] == holder.shape[0] == room):
        raise ValueError("the columns of a page do not fit together")
    for row in range(length):
        if not -1 <= parent[row] < row or tag[row] < 0:
            raise ValueError("a row whose parent does not stand before it")
        if row == 0 or starts[min(<Py_ssize_t> tag[row], last_start)]:
            above[row] = row
            begun += 1
        else:
            above[row] = above[parent[row]] if parent[row] >= 0 else -1
        left_out = unread[min(<Py_ssize_t> tag[row], last_unread)]
        if left_out and row + size[row] > inert and (left_out == 1 or not is_read(row)):
            inert = row + size[row]
        if tag[row] != 0 or row < inert:
            continue
        if texts == room:
            raise ValueError("more texts than there is room for")
        if texts == 0 or above[row] != holder[blocks - 1] or begun != last_begun:
            first[blocks], holder[blocks] = texts, above[row]
            blocks += 1
        rows[texts], last_begun = row, begun
        texts += 1
    return texts, blocks
