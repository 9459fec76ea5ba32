"""Text blocks, the twin of `text_blocks` in `pagelet.page.textblocks`."""


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
