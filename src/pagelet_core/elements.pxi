"""Elements that may be clutter, and which of them are, the twin of `pagelet.methods.clutter`."""

cdef enum:
    # lines of what `join_elements` fills
    ELEMENT_ROW, OF_BLOCK, OF_GROUP, IS_AD, FIRST_LINK, LAST_LINK, LINKS_BELOW, PLAIN_CHARS
    ELEMENT_LINES


def own_blocks(
    const int32_t[::1] parent, const unsigned char[::1] counted,
    const unsigned char[::1] structural, Py_ssize_t[::1] owner, Py_ssize_t[:, ::1] blocks,
):
    """Fill the block that holds each row, the rows of blocks and their parents; returns how many.

    -1 stands for no block.
    """
    cdef Py_ssize_t row, above, count = 0, rows = parent.shape[0]
    cdef Memory memory = Memory(1)
    cdef Py_ssize_t* near = <Py_ssize_t*> memory.take(rows, sizeof(Py_ssize_t))
    if not (rows == counted.shape[0] == structural.shape[0] == owner.shape[0] == blocks.shape[1]
            and blocks.shape[0] == 2):
        raise ValueError("columns of one page")
    for row in range(rows):
        above = parent[row]
        if not -1 <= above < row:
            raise ValueError("rows that are no tree")
        if structural[row]:
            blocks[0, count], blocks[1, count] = row, owner[above] if above >= 0 else -1
            near[row] = count
            count += 1
        else:
            near[row] = near[above] if above >= 0 else -1
        owner[row] = near[row] if counted[row] else -1
    return count


def join_elements(
    const int32_t[::1] size, const int32_t[::1] chars, const unsigned char[::1] counted,
    const unsigned char[::1] link, const Py_ssize_t[::1] links, const Py_ssize_t[::1] blocks,
    const Py_ssize_t[::1] groups, const Py_ssize_t[::1] ads, Py_ssize_t[:, ::1] found,
):
    """Fill the rows that are blocks, groups of links or ads, each once; returns how many.

    Beside each: its places among the blocks and groups, whether it is an ad, its first link, one
    past the last, the links below it, and its characters outside links.
    """
    cdef Py_ssize_t row, at, end, count = 0, rows = size.shape[0]
    cdef Py_ssize_t block = 0, group = 0, ad = 0
    cdef Memory memory = Memory(2)
    cdef Py_ssize_t* before = <Py_ssize_t*> memory.take(rows + 1, sizeof(Py_ssize_t))
    cdef Py_ssize_t* plain = <Py_ssize_t*> memory.take(rows + 1, sizeof(Py_ssize_t))
    if not (rows == chars.shape[0] == counted.shape[0] == link.shape[0]
            and found.shape[0] == ELEMENT_LINES
            and found.shape[1] == blocks.shape[0] + groups.shape[0] + ads.shape[0]):
        raise ValueError("columns of one page, and room for all elements")
    for at in range(links.shape[0]):
        before[_check_place(links[at], rows) + 1] = 1
    for row in range(rows):
        before[row + 1] += before[row]
        plain[row + 1] = plain[row] + (chars[row] if counted[row] and not link[row] else 0)
    while block < blocks.shape[0] or group < groups.shape[0] or ad < ads.shape[0]:
        row = rows
        if block < blocks.shape[0]:
            row = min(row, blocks[block])
        if group < groups.shape[0]:
            row = min(row, groups[group])
        if ad < ads.shape[0]:
            row = min(row, ads[ad])
        end = _check_place(_check_place(row, rows) + size[row], rows + 1)
        if count and found[ELEMENT_ROW, count - 1] >= row:
            raise ValueError("elements that are not in order")
        found[ELEMENT_ROW, count] = row
        found[OF_BLOCK, count] = found[OF_GROUP, count] = -1
        found[IS_AD, count] = 0
        if block < blocks.shape[0] and blocks[block] == row:
            found[OF_BLOCK, count] = block
            block += 1
        if group < groups.shape[0] and groups[group] == row:
            found[OF_GROUP, count] = group
            group += 1
        if ad < ads.shape[0] and ads[ad] == row:
            found[IS_AD, count] = 1
            ad += 1
        found[FIRST_LINK, count], found[LAST_LINK, count] = before[row], before[end]
        found[LINKS_BELOW, count] = before[end] - before[row + 1]
        found[PLAIN_CHARS, count] = plain[end] - plain[row]
        count += 1
    return count


def join_roles(
    const double[:, :] probability, const Py_ssize_t[::1] smallest,
    const Py_ssize_t[::1] first, const Py_ssize_t[::1] last, const Py_ssize_t[::1] own_group,
    const unsigned char[::1] pure, const unsigned char[::1] selectors, Py_ssize_t content,
    double least, double[:, ::1] vectors,
):
    """Fill the mean probability of each role over the links of each element and its own group.

    The last role, of groups with several, counts for none. Groups that choose sizes are content.
    """
    cdef Py_ssize_t at, each, group, elements = first.shape[0], links = smallest.shape[0]
    cdef Py_ssize_t groups = probability.shape[0], roles = probability.shape[1] - 1
    cdef double whole
    cdef Memory memory = Memory(2)
    cdef double* own = <double*> memory.take(groups * max(roles, 1), sizeof(double))
    cdef double* sums = <double*> memory.take((links + 1) * max(roles, 1), sizeof(double))
    if not (elements == last.shape[0] == own_group.shape[0] == pure.shape[0] == vectors.shape[0]
            and vectors.shape[1] == roles > content >= 0 and selectors.shape[0] == groups):
        raise ValueError("columns of the groups and elements of one page")
    for group in range(groups):
        whole = max(1 - probability[group, roles], least)
        for each in range(roles):
            own[group * roles + each] = probability[group, each] / whole
            if selectors[group]:
                own[group * roles + each] = each == content
    for at in range(links):
        group = _check_place(smallest[at] + 1, groups + 1) - 1
        for each in range(roles):
            sums[(at + 1) * roles + each] = sums[at * roles + each] + (
                own[group * roles + each] if group >= 0 else 0)
    for at in range(elements):
        if not 0 <= first[at] <= last[at] <= links:
            raise ValueError("links that do not exist")
        if pure[at]:
            _check_place(own_group[at], groups)
        for each in range(roles):
            vectors[at, each] = (
                sums[last[at] * roles + each] - sums[first[at] * roles + each]
            ) / max(last[at] - first[at], 1)
            if pure[at]:
                vectors[at, each] = (vectors[at, each] + own[own_group[at] * roles + each]) / 2


def choose_elements(
    const int32_t[::1] size, const int32_t[::1] chars, const unsigned char[::1] counted,
    const unsigned char[::1] link, const unsigned char[::1] barred, Py_ssize_t body,
    const Py_ssize_t[::1] rows, const unsigned char[::1] chosen, double most_chars,
    double most_share, Py_ssize_t[::1] owner, unsigned char[::1] around, unsigned char[::1] top,
):
    """Mark the top-most chosen elements and what is hardly more around some of them.

    `owner` gets the place of the chosen element that holds each row, -1 for none; `around` marks
    elements that hold chosen ones and little else, `top` what lies in nothing else of both.
    """
    cdef Py_ssize_t at, row, end, count = rows.shape[0], whole = size.shape[0]
    cdef Memory memory = Memory(1)
    cdef double* sums = <double*> memory.take(4 * count, sizeof(double))
    if not (count == chosen.shape[0] == around.shape[0] == top.shape[0]):
        raise ValueError("marks for each element")
    if whole != owner.shape[0]:
        raise ValueError("an owner for each row")
    owner[:] = -1
    _check_elements(size, rows)
    _mark_topmost(size, rows, &chosen[0] if count else NULL, &top[0] if count else NULL)
    for at in range(count):
        if top[at]:
            owner[rows[at]:rows[at] + size[rows[at]]] = at
    add_up_light(size, chars, counted, link, barred, owner, rows, sums)
    for at in range(count):
        around[at] = (
            sums[count + at] < sums[at]
            and sums[count + at] <= min(most_chars, most_share * sums[at])
            and sums[2 * count + at] == 0 and sums[3 * count + at] == 0
            and rows[at] > body and owner[rows[at]] < 0)
    if count:
        _mark_topmost(size, rows, &around[0], &around[0])
    for at in range(count):
        top[at] = top[at] or around[at]
    if count:
        _mark_topmost(size, rows, &top[0], &top[0])


cdef int _check_elements(const int32_t[::1] size, const Py_ssize_t[::1] rows) except -1:
    """Refuse elements that are not in order, or not in the page."""
    cdef Py_ssize_t at, before = -1
    for at in range(rows.shape[0]):
        _check_place(rows[at], size.shape[0])
        _check_place(rows[at] + size[rows[at]], size.shape[0] + 1)
        if rows[at] <= before:
            raise ValueError("elements that are not in order")
        before = rows[at]
    return 0


cdef void _mark_topmost(
    const int32_t[::1] size, const Py_ssize_t[::1] rows, const unsigned char* marked,
    unsigned char* top,
) noexcept:
    """Mark the marked elements that lie in no other marked one; both may be the same marks."""
    cdef Py_ssize_t at, end = 0
    for at in range(rows.shape[0]):
        top[at] = marked[at] and rows[at] >= end
        if top[at]:
            end = rows[at] + size[rows[at]]


def find_pairs(
    texts, const int32_t[::1] tag, const int32_t[::1] chars, const unsigned char[::1] counted,
    const unsigned char[::1] link, Py_ssize_t most_chars, bytes pairs not None,
):
    """The short texts outside links whose first two letters are one of some pairs.

    Each is given by its row and by its place among the texts.
    `pairs` has a byte for each two letters of ASCII. Texts that do not begin with a letter of ASCII
    are found as well.
    """
    cdef PageTexts page = texts_of(texts)
    cdef Py_ssize_t row, size, place = -1, rows = tag.shape[0]
    cdef const unsigned char* text
    cdef const char* wanted = PyBytes_AsString(pairs)
    cdef list found = []
    if not rows == chars.shape[0] == counted.shape[0] == link.shape[0] or len(pairs) != 26 * 26:
        raise ValueError("columns of one page, and a byte for each pair of letters")
    for row in range(rows):
        if tag[row] != 0:
            continue
        place += 1
        if not counted[row] or link[row] or chars[row] > most_chars:
            continue
        try:
            text = page.utf8(place, &size)
        except UnicodeEncodeError:  # a lone surrogate
            found.append((row, place))
            continue
        if _may_begin(text, size, wanted):
            found.append((row, place))
    return found


cdef bint _may_begin(const unsigned char* text, Py_ssize_t size, const char* pairs) noexcept nogil:
    """Whether a text may begin with one of some pairs, behind what is no letter."""
    cdef Py_ssize_t at = 0
    while at < size and text[at] < 128 and not _is_ascii_letter(text[at]):
        at += 1
    if at + 1 >= size:
        return at < size
    if text[at] > 127 or not _is_ascii_letter(text[at + 1]):
        return True
    return pairs[26 * ((text[at] | 0x20) - c"a") + ((text[at + 1] | 0x20) - c"a")]


cdef inline bint _is_ascii_letter(unsigned char code) noexcept nogil:
    return c"a" <= (code | 0x20) <= c"z"
