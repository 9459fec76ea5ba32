"""Groups of links, links in running text, and the answer, the twin of `pagelet.methods.links`."""

cdef enum:
    # lines of what `find_groups` fills: elements with links, and the groups among them
    HOLDER, HOLDER_FIRST, HOLDER_LAST, HEIR, GROUP, GROUP_FIRST, GROUP_LAST, WITHIN, INNER
    GROUP_LINES


def find_groups(
    const int32_t[::1] tag, const int32_t[::1] size, const int32_t[::1] parent,
    const unsigned char[::1] counted, const Py_ssize_t[::1] links, Py_ssize_t least,
    Py_ssize_t[:, ::1] found, Py_ssize_t[::1] smallest,
):
    """Fill the elements with enough links, the groups among them, and the group of each link.

    Returns how many there are of both.
    """
    cdef Py_ssize_t row, at, above, holders = 0, groups = 0, rows = tag.shape[0]
    cdef Memory memory = Memory(3)
    cdef Py_ssize_t* before = <Py_ssize_t*> memory.take(rows + 1, sizeof(Py_ssize_t))
    cdef Py_ssize_t* near = <Py_ssize_t*> memory.take(rows, sizeof(Py_ssize_t))
    cdef Py_ssize_t* holder = <Py_ssize_t*> memory.take(rows, sizeof(Py_ssize_t))
    if not (rows == size.shape[0] == parent.shape[0] == counted.shape[0] == found.shape[1]
            and found.shape[0] == GROUP_LINES and links.shape[0] == smallest.shape[0]):
        raise ValueError("columns of one page, and a group for each link")
    _check_tree(parent, size)
    for at in range(links.shape[0]):
        before[_check_place(links[at], rows) + 1] = 1
    for row in range(rows):
        before[row + 1] += before[row]
    for row in range(rows):
        if (counted[row] and tag[row] != 0
                and before[row + size[row]] - before[row + 1] >= least):
            found[HOLDER, holders] = row
            found[HOLDER_FIRST, holders] = before[row]
            found[HOLDER_LAST, holders] = before[row + size[row]]
            found[HEIR, holders] = -1
            holders += 1
            holder[row] = holders
    _mark_passing(parent, size, before, found, holder, holders)
    for row in range(rows):
        above = near[parent[row]] if parent[row] >= 0 else 0
        near[row] = above
        if holder[row] > 0:
            _add_group(found, groups, holder[row] - 1, above - 1)
            groups += 1
            near[row] = groups
    for at in range(links.shape[0]):
        above = parent[links[at]]
        smallest[at] = near[above] - 1 if above >= 0 else -1
    return holders, groups


cdef int _check_tree(const int32_t[::1] parent, const int32_t[::1] size) except -1:
    """Refuse rows that stand before their parents, and subtrees that leave the page."""
    cdef Py_ssize_t row, rows = parent.shape[0]
    for row in range(rows):
        if not (-1 <= parent[row] < row and 1 <= size[row] <= rows - row):
            raise ValueError("rows that are no tree")
    return 0


cdef void _mark_passing(
    const int32_t[::1] parent, const int32_t[::1] size, const Py_ssize_t* before,
    Py_ssize_t[:, ::1] found, Py_ssize_t* holder, Py_ssize_t holders,
) noexcept:
    """Turn the sign of holders whose links all lie in one child, and find the heir of each."""
    cdef Py_ssize_t at, row, above, place, count, heir
    for at in range(holders):
        row = found[HOLDER, at]
        above = parent[row]
        if above < 0:
            continue
        count = before[row + size[row]] - before[row + 1]
        place = holder[above] if holder[above] > 0 else -holder[above]
        if not place:
            continue
        heir = found[HEIR, place - 1]
        if heir < 0 or found[HOLDER_LAST, at] - found[HOLDER_FIRST, at] > (
                before[heir + size[heir]] - before[heir]):
            found[HEIR, place - 1] = row
        if before[above + size[above]] - before[above + 1] == count:
            holder[above] = -place


cdef void _add_group(
    Py_ssize_t[:, ::1] found, Py_ssize_t group, Py_ssize_t holder, Py_ssize_t within
) noexcept:
    found[GROUP, group] = found[HOLDER, holder]
    found[GROUP_FIRST, group] = found[HOLDER_FIRST, holder]
    found[GROUP_LAST, group] = found[HOLDER_LAST, holder]
    found[WITHIN, group], found[INNER, group] = within, 0
    if within >= 0:
        found[INNER, within] += 1


def mark_inline(
    const int32_t[::1] parent, const unsigned char[::1] block, const int32_t[::1] chars,
    const unsigned char[::1] counted, const unsigned char[::1] link,
    const Py_ssize_t[::1] links, int64_t least, unsigned char[::1] marked,
):
    """Mark the hyperlinks in blocks with enough text outside links, and no more inside them."""
    cdef Py_ssize_t row, at, own, rows = parent.shape[0]
    cdef Memory memory = Memory(4)
    cdef Py_ssize_t* owner = <Py_ssize_t*> memory.take(rows, sizeof(Py_ssize_t))
    cdef int64_t* linked = <int64_t*> memory.take(rows, sizeof(int64_t))
    cdef int64_t* plain = <int64_t*> memory.take(rows, sizeof(int64_t))
    cdef int64_t* count = <int64_t*> memory.take(rows, sizeof(int64_t))
    if not (rows == block.shape[0] == chars.shape[0] == counted.shape[0] == link.shape[0]
            and links.shape[0] == marked.shape[0]):
        raise ValueError("columns of one page, and a mark for each link")
    for row in range(rows):
        if not -1 <= parent[row] < row:
            raise ValueError("rows that are no tree")
        owner[row] = row if block[row] else owner[parent[row]] if parent[row] >= 0 else -1
        if owner[row] >= 0 and counted[row]:
            if link[row]:
                linked[owner[row]] += chars[row]
            else:
                plain[owner[row]] += chars[row]
    for at in range(links.shape[0]):
        count[_check_place(owner[_check_place(links[at], rows)], rows)] += 1
    for at in range(links.shape[0]):
        own = owner[links[at]]
        marked[at] = plain[own] >= least * count[own] and plain[own] >= linked[own]


def decide_roles(
    const double[:, :] probability, const Py_ssize_t[::1] inner, const Py_ssize_t[::1] first,
    const Py_ssize_t[::1] last, const Py_ssize_t[::1] smallest, double sure, double share,
    Py_ssize_t[::1] role,
):
    """Fill the role of each group: the likeliest; that of a wrapper must be sure, or prevail.

    The last role is that of wrappers alone.
    """
    cdef Py_ssize_t at, each, best, groups = role.shape[0], mixed = probability.shape[1] - 1
    cdef Memory memory = Memory(2)
    cdef double* alike = <double*> memory.take(groups, sizeof(double))
    cdef Py_ssize_t* own = <Py_ssize_t*> memory.take(smallest.shape[0], sizeof(Py_ssize_t))
    if mixed < 0 or not (groups == probability.shape[0] == inner.shape[0] == first.shape[0]
                         == last.shape[0]):
        raise ValueError("probabilities and links of each group")
    if not groups:
        return
    for at in range(groups):
        best = 0
        for each in range(1, mixed + (inner[at] > 0)):
            if probability[at, each] > probability[at, best]:
                best = each
        role[at] = best
    for at in range(smallest.shape[0]):
        each = _check_place(smallest[at] + 1, groups + 1)
        own[at] = role[each - 1] if each else mixed
    count_own_role(own, smallest.shape[0], &first[0], &last[0], &role[0], groups, alike)
    for at in range(groups):
        if (inner[at] > 0 and not probability[at, role[at]] >= sure
                and not alike[at] >= share * (last[at] - first[at])):
            role[at] = mixed


def name_groups(
    const double[:, :] probability, const Py_ssize_t[::1] role, const Py_ssize_t[::1] first,
    const Py_ssize_t[::1] last, const Py_ssize_t[::1] within, const Py_ssize_t[::1] smallest,
    const unsigned char[::1] inline, double least, double share, unsigned char[::1] named,
    Py_ssize_t[::1] around, Py_ssize_t[::1] of_links, unsigned char[::1] repeated,
):
    """Mark the groups with a likely role of their own; give the nearest one around each group.

    Links get the role of the smallest around them. What repeats the role of the named group around
    it is marked, where most links there have that role.
    """
    cdef Py_ssize_t at, outer, groups = role.shape[0], links = smallest.shape[0]
    cdef Py_ssize_t mixed = probability.shape[1] - 1
    cdef Memory memory = Memory(2)
    cdef double* alike = <double*> memory.take(groups, sizeof(double))
    cdef Py_ssize_t* before = <Py_ssize_t*> memory.take(links + 1, sizeof(Py_ssize_t))
    if not (groups == probability.shape[0] == first.shape[0] == last.shape[0] == within.shape[0]
            == named.shape[0] == around.shape[0] == repeated.shape[0]
            and links == inline.shape[0] == of_links.shape[0]):
        raise ValueError("columns of the groups and links of one page")
    for at in range(links):
        before[at + 1] = before[at] + (inline[at] != 0)
    for at in range(groups):
        _check_place(role[at], mixed + 1)
        if not (-1 <= within[at] < at and 0 <= first[at] <= last[at] <= links):
            raise ValueError("a group that does not lie among the others")
        outer = within[at]
        around[at] = outer if outer < 0 or named[outer] else around[outer]
        named[at] = (
            before[last[at]] - before[first[at]] < last[at] - first[at] and role[at] != mixed
            and probability[at, role[at]] >= least)
    for at in range(links):
        outer = _check_place(smallest[at] + 1, groups + 1) - 1
        if outer >= 0 and not named[outer]:
            outer = around[outer]
        of_links[at] = -1 if inline[at] or outer < 0 else role[outer]
        before[at + 1] = before[at] + (of_links[at] >= 0)
    if groups:
        count_own_role(&of_links[0], links, &first[0], &last[0], &role[0], groups, alike)
    for at in range(groups):
        outer = around[at]
        repeated[at] = outer >= 0 and role[outer] == role[at] and (
            alike[outer] >= share * (before[last[outer]] - before[first[outer]]))


def find_around(
    const Py_ssize_t[::1] within, const unsigned char[::1] chosen, Py_ssize_t[::1] around
):
    """For each group the nearest chosen one around it; -1 where there is none."""
    cdef Py_ssize_t at, outer
    if not within.shape[0] == chosen.shape[0] == around.shape[0]:
        raise ValueError("one mark for each group")
    for at in range(within.shape[0]):
        outer = within[at]
        if not -1 <= outer < at:
            raise ValueError("a group that does not lie among the others")
        around[at] = outer if outer < 0 or chosen[outer] else around[outer]


def find_leads(
    const int32_t[::1] tag, const int32_t[::1] parent, const int32_t[::1] chars,
    const unsigned char[::1] counted, const unsigned char[::1] heading,
    const Py_ssize_t[::1] groups, const Py_ssize_t[::1] ends, Py_ssize_t most_chars,
    Py_ssize_t most_rows, Py_ssize_t[:, ::1] found,
):
    """Fill the texts in headings just before each group and at its start; -1 for none.

    Such a text is short; its parent or grandparent is a heading. Texts are given by their place
    among the texts.
    """
    cdef Py_ssize_t row, at = 0, above, place = -1, lead = -1, lead_row = 0, rows = tag.shape[0]
    cdef Py_ssize_t waiting = 0, count = groups.shape[0]
    if not (rows == parent.shape[0] == chars.shape[0] == counted.shape[0] == heading.shape[0]
            and count == ends.shape[0] == found.shape[1] and found.shape[0] == 2):
        raise ValueError("columns of one page, and two texts for each group")
    for row in range(rows):
        if at < count and groups[at] <= row:
            if groups[at] < row:
                raise ValueError("groups that are not in order")
            found[0, at] = lead if lead >= 0 and row - lead_row < most_rows else -1
            found[1, at] = -1
            at += 1
        if tag[row] != 0:
            continue
        place += 1
        if chars[row] > most_chars or not counted[row]:
            continue
        above = _check_place(parent[row], rows)
        if heading[above] or heading[parent[above] if parent[above] >= 0 else rows - 1]:
            lead, lead_row = place, row
            while waiting < at:
                if row < ends[waiting] and row - groups[waiting] < most_rows:
                    found[1, waiting] = place
                waiting += 1
    if at < count:
        raise ValueError("groups that do not exist")


def count_paths(
    const int32_t[::1] tag, const int32_t[::1] parent, uint64_t factor,
    const Py_ssize_t[::1] groups, Py_ssize_t[:, ::1] counts,
):
    """Count the elements with the path of each group: on the page, beside it, among the groups.

    Returns false, and has counted nothing, where too many paths fall on one place of a table.
    """
    cdef Py_ssize_t row, at, above, elements = 0, rows = tag.shape[0], count = groups.shape[0]
    cdef Memory memory = Memory(6)
    cdef uint64_t* power = <uint64_t*> memory.take(rows, sizeof(uint64_t))
    cdef uint64_t* sums = <uint64_t*> memory.take(rows, sizeof(uint64_t))
    cdef uint64_t* path = <uint64_t*> memory.take(rows, sizeof(uint64_t))
    cdef uint64_t* beside = <uint64_t*> memory.take(rows, sizeof(uint64_t))
    cdef uint64_t* own = <uint64_t*> memory.take(count, sizeof(uint64_t))
    cdef Py_ssize_t* place = <Py_ssize_t*> memory.take(rows, sizeof(Py_ssize_t))
    if rows != parent.shape[0] or counts.shape[0] != 3 or counts.shape[1] != count:
        raise ValueError("columns of one page, and three counts for each group")
    for row in range(rows):
        above = parent[row]
        if not -1 <= above < row:
            raise ValueError("rows that are no tree")
        power[row] = power[above] * factor if above >= 0 else 1
        sums[row] = spread_bits(<uint64_t> tag[row] + 1) * power[row] + (
            sums[above] if above >= 0 else 0)
        place[row] = elements
        if tag[row] != 0:
            path[elements] = spread_bits(sums[row])
            beside[elements] = spread_bits(path[elements] + <uint64_t> above)
            elements += 1
    for at in range(count):
        if tag[_check_place(groups[at], rows)] == 0:
            raise ValueError("a group that is no element")
        own[at] = path[place[groups[at]]]
    for at in range(count):
        counts[0, at] = counts[1, at] = place[groups[at]]
        counts[2, at] = at
    return not count or (
        _count_equal(path, elements, &counts[0, 0], count)
        and _count_equal(beside, elements, &counts[1, 0], count)
        and _count_equal(own, count, &counts[2, 0], count))


cdef bint _count_equal(
    const uint64_t* values, Py_ssize_t length, Py_ssize_t* places, Py_ssize_t count
) except -1:
    """Replace some places by how often the value there occurs; false where that takes too long."""
    cdef Py_ssize_t at
    cdef Memory memory = Memory(3)
    cdef Py_ssize_t* first = <Py_ssize_t*> memory.take(length, sizeof(Py_ssize_t))
    cdef Py_ssize_t* before = <Py_ssize_t*> memory.take(length, sizeof(Py_ssize_t))
    cdef Py_ssize_t* often = <Py_ssize_t*> memory.take(length, sizeof(Py_ssize_t))
    if not find_places(values, length, first, before):
        return False
    for at in range(length):
        often[first[at]] += 1
    for at in range(count):
        places[at] = often[first[places[at]]]
    return True
