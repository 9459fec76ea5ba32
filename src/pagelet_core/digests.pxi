"""Sums over the rows of digests, the twin of `pagelet.methods.template.table`."""


def digest_rows(
    const int32_t[::1] parent, const int32_t[::1] tag, counted, const uint64_t[::1] tags,
    const uint64_t[::1] names, uint64_t factor, uint64_t[::1] place, Py_ssize_t[::1] size,
    Py_ssize_t[::1] leaves, uint64_t[::1] paths,
):
    """The hash of the path of tags and names down to each counted row, and the rows below it.

    For those without any, the leaves, also their rows and the hash of the path of tags alone.
    `tags` are hashes by tag, `names` by row. Returns how many there are of both; None, and nothing
    is of use, if a row does not stand behind its parent.
    """
    cdef const unsigned char[::1] marked = counted.view("u1")
    cdef Py_ssize_t row, above, rows = parent.shape[0], at = 0, leaf = 0
    cdef Memory memory = Memory(4)
    cdef uint64_t* power = <uint64_t*> memory.take(rows, sizeof(uint64_t))
    cdef uint64_t* path = <uint64_t*> memory.take(rows, sizeof(uint64_t))
    cdef uint64_t* named = <uint64_t*> memory.take(rows, sizeof(uint64_t))
    cdef Py_ssize_t* below = <Py_ssize_t*> memory.take(rows, sizeof(Py_ssize_t))
    if not (rows == tag.shape[0] == marked.shape[0] == names.shape[0] == place.shape[0]
            == size.shape[0] == leaves.shape[0] == paths.shape[0]):
        raise ValueError("a line for each row")
    for row in range(rows):
        above = parent[row]
        if not -1 <= above < row:
            return None
        if not 0 <= tag[row] < tags.shape[0]:
            raise IndexError("a tag that does not exist")
        power[row] = power[above] * factor if above >= 0 else 1
        path[row] = tags[tag[row]] * power[row] + (path[above] if above >= 0 else 0)
        named[row] = spread_bits(tags[tag[row]] + names[row]) * power[row] + (
            named[above] if above >= 0 else 0)
    for row in range(rows - 1, -1, -1):
        below[row] += marked[row]
        if parent[row] >= 0:
            below[parent[row]] += below[row]
    for row in range(rows):
        if not marked[row]:
            continue
        place[at], size[at] = spread_bits(named[row]), below[row]
        at += 1
        if below[row] == 1:
            leaves[leaf], paths[leaf] = row, spread_bits(path[row])
            leaf += 1
    return at, leaf


def sum_leaves(const Py_ssize_t[::1] size, const double[::1] values, double[:, ::1] sums):
    """The number of leaves below each row, itself included, and the sum of their values."""
    cdef Py_ssize_t row, rows = size.shape[0], leaf = 0, end
    cdef Memory memory = Memory(2)
    cdef Py_ssize_t* leaves = <Py_ssize_t*> memory.take(rows + 1, sizeof(Py_ssize_t))
    cdef double* prefix = <double*> memory.take(rows + 1, sizeof(double))
    if sums.shape[0] != 2 or sums.shape[1] != rows:
        raise ValueError("two sums for each row")
    for row in range(rows):
        leaves[row + 1], prefix[row + 1] = leaves[row], prefix[row]
        if size[row] == 1:
            if leaf == values.shape[0]:
                raise ValueError("more leaves than values")
            leaves[row + 1] += 1
            prefix[row + 1] += values[leaf]
            leaf += 1
    for row in range(rows):
        end = row + size[row]
        if not row < end <= rows:
            raise ValueError("a row that is broken")
        sums[0, row] = leaves[end] - leaves[row]
        sums[1, row] = prefix[end] - prefix[row]


def find_parents(const Py_ssize_t[::1] size, Py_ssize_t[::1] parent):
    """The parent of each row, from the sizes of subtrees; -1 for a row that lies in none."""
    if parent.shape[0] != size.shape[0]:
        raise ValueError("one parent for each row")
    if size.shape[0]:
        fill_parents(&size[0], size.shape[0], &parent[0])


cdef void fill_parents(const Py_ssize_t* size, Py_ssize_t rows, Py_ssize_t* parent) noexcept nogil:
    cdef Py_ssize_t row, above
    for row in range(rows):
        above = row - 1
        while above >= 0 and above + size[above] <= row:
            above = parent[above]
        parent[row] = above


def max_subtree(const int32_t[::1] parent, Py_ssize_t[::1] values):
    """Put the largest value of each subtree in the place of its root's.

    Returns false, and has changed nothing, if a row does not stand behind its parent.
    """
    cdef Py_ssize_t row, above
    if parent.shape[0] != values.shape[0]:
        raise ValueError("one value for each row")
    for row in range(parent.shape[0]):
        if not -1 <= parent[row] < row:
            return False
    for row in range(parent.shape[0] - 1, -1, -1):
        above = parent[row]
        if above >= 0 and values[above] < values[row]:
            values[above] = values[row]
    return True


def pair_leaves(
    const uint64_t[::1] own, tuple factors not None, uint64_t[::1] before, uint64_t[::1] after
):
    """The hash of each leaf with the one before and with the one after, and of how often it occurs.

    `factors` are those of the leaf before, of the leaf after, and of the number of such pairs.
    Returns false if that is left to Python.
    """
    cdef Py_ssize_t at, count = own.shape[0]
    cdef uint64_t first = factors[0], second = factors[1], times = factors[2]
    if not count == before.shape[0] == after.shape[0]:
        raise ValueError("two hashes for each leaf")
    if not count:
        return True
    for at in range(count):
        before[at] = spread_bits((own[at - 1] if at else 0) * first + own[at])
        after[at] = spread_bits(own[at] * second + (own[at + 1] if at + 1 < count else 0))
    return _hash_counts(&before[0], count, times) and _hash_counts(&after[0], count, times)


cdef bint _hash_counts(uint64_t* hashes, Py_ssize_t count, uint64_t times) except -1:
    """Make hashes depend on how often each occurs."""
    cdef Py_ssize_t at
    cdef Memory memory = Memory(3)
    cdef Py_ssize_t* first = <Py_ssize_t*> memory.take(count, sizeof(Py_ssize_t))
    cdef Py_ssize_t* before = <Py_ssize_t*> memory.take(count, sizeof(Py_ssize_t))
    cdef uint64_t* number = <uint64_t*> memory.take(count, sizeof(uint64_t))
    if not find_places(hashes, count, first, before):
        return False
    for at in range(count):
        number[first[at]] += 1
    for at in range(count):
        hashes[at] = spread_bits(hashes[at] + number[first[at]] * times)
    return True


def mark_records(
    const Py_ssize_t[::1] size, const uint64_t[::1] place, alone, tuple factors not None,
    tuple least not None, marked,
):
    """Mark the leaves inside records: alike siblings most of which have a leaf of the page alone.

    `alone` marks such leaves. `factors` are those of the places of children and of the parent in
    the hash of what is alike; `least` is the number of siblings, and the share of them. Returns
    false if that is left to Python.
    """
    cdef const unsigned char[::1] single = alone.view("u1")
    cdef unsigned char[::1] mark = marked.view("u1")
    cdef Py_ssize_t rows = size.shape[0], row, leaf = 0, end = 0
    cdef Memory memory = Memory(3)
    cdef Py_ssize_t* above = <Py_ssize_t*> memory.take(rows, sizeof(Py_ssize_t))
    cdef Py_ssize_t* kind = <Py_ssize_t*> memory.take(rows, sizeof(Py_ssize_t))
    cdef unsigned char* record = <unsigned char*> memory.take(rows, 1)
    if place.shape[0] != rows or single.shape[0] != mark.shape[0]:
        raise ValueError("a place for each row, a mark for each leaf")
    if not rows:
        return True
    fill_parents(&size[0], rows, above)
    if not _find_kinds(&place[0], above, rows, kind, factors[0], factors[1]):
        return False
    _find_records(size, single, above, kind, record, least[0], least[1])
    for row in range(rows):
        if record[row]:
            end = max(end, row + size[row])
        if size[row] == 1:
            mark[leaf] = row < end
            leaf += 1
    return True


cdef bint _find_kinds(
    const uint64_t* place, const Py_ssize_t* above, Py_ssize_t rows, Py_ssize_t* kind,
    uint64_t children, uint64_t parent,
) except -1:
    """Number the rows by their place, their parent and the places of their children."""
    cdef Py_ssize_t row
    cdef Memory memory = Memory(3)
    cdef uint64_t* hashes = <uint64_t*> memory.take(rows, sizeof(uint64_t))
    cdef uint64_t* sums = <uint64_t*> memory.take(rows, sizeof(uint64_t))
    cdef Py_ssize_t* before = <Py_ssize_t*> memory.take(rows, sizeof(Py_ssize_t))
    for row in range(rows):
        hashes[row] = spread_bits(<uint64_t> above[row] * parent + place[row])
    if not find_places(hashes, rows, kind, before):
        return False
    for row in range(rows):
        if above[row] >= 0 and before[row] == 0:  # each place among the children once
            sums[above[row]] += spread_bits(place[row])
    for row in range(rows):
        hashes[row] = spread_bits(
            place[row] + sums[row] * children + <uint64_t> above[row] * parent)
    return find_places(hashes, rows, kind, before)


cdef int _find_records(
    const Py_ssize_t[::1] size, const unsigned char[::1] single, const Py_ssize_t* above,
    const Py_ssize_t* kind, unsigned char* record, double siblings, double share,
) except -1:
    """Mark the rows of which there are enough alike, and most of them differ from other pages."""
    cdef Py_ssize_t row, leaf = 0, rows = size.shape[0]
    cdef Memory memory = Memory(3)
    cdef Py_ssize_t* differing = <Py_ssize_t*> memory.take(rows + 1, sizeof(Py_ssize_t))
    cdef Py_ssize_t* count = <Py_ssize_t*> memory.take(rows, sizeof(Py_ssize_t))
    cdef Py_ssize_t* differ = <Py_ssize_t*> memory.take(rows, sizeof(Py_ssize_t))
    for row in range(rows):
        if not 0 < size[row] <= rows - row:
            raise ValueError("a row that is broken")
        differing[row + 1] = differing[row]
        if size[row] == 1:
            if leaf == single.shape[0]:
                raise ValueError("more leaves than marks")
            differing[row + 1] += single[leaf]
            leaf += 1
    if leaf != single.shape[0]:
        raise ValueError("fewer leaves than marks")
    for row in range(rows):
        if size[row] > 1:
            count[kind[row]] += 1
            differ[kind[row]] += differing[row + size[row]] > differing[row]
    for row in range(rows):
        record[row] = (
            size[row] > 1 and above[row] >= 0 and count[kind[row]] >= siblings
            and differ[kind[row]] >= share * count[kind[row]]
        )
    return 0


def weigh_leaves(
    const Py_ssize_t[::1] shared, Py_ssize_t others, const unsigned char[::1] records,
    tuple weights not None, Py_ssize_t neighbours, double[::1] probability,
):
    """The probability of each leaf to be template, by how many others have it and its neighbours.

    `records` marks leaves that count as if none had them. `weights` are the probability of a leaf
    that no other has, and what one that all have adds to it.
    """
    cdef Py_ssize_t at, first, last, count = shared.shape[0]
    cdef double least = weights[0], span = weights[1]
    cdef Memory memory = Memory(2)
    cdef double* share = <double*> memory.take(count, sizeof(double))
    cdef double* sums = <double*> memory.take(count + 1, sizeof(double))
    if not count == records.shape[0] == probability.shape[0] or others < 1 or neighbours < 0:
        raise ValueError("a mark and a probability for each leaf, and others to compare with")
    for at in range(count):
        share[at] = 0 if records[at] else <double> shared[at] / <double> others
        sums[at + 1] = sums[at] + share[at]
    for at in range(count):
        first, last = max(at - neighbours, 0), min(at + neighbours + 1, count)
        probability[at] = least + span * share[at] * (
            (sums[last] - sums[first]) / <double> (last - first))


def add_places(
    const Py_ssize_t[::1] size, const uint64_t[::1] place, const uint64_t[::1] others,
    const double[:, ::1] sums, double weight, double[:, ::1] below, double[:, ::1] added,
):
    """Add to each row the sums of other pages at its place, divided among the rows that are there.

    `others` are the places of the other pages, sorted, with two sums each. Returns false, and has
    added nothing, if that is left to Python.
    """
    cdef Py_ssize_t row, at, line, rows = size.shape[0]
    cdef Memory memory = Memory(3)
    cdef Py_ssize_t* first = <Py_ssize_t*> memory.take(rows, sizeof(Py_ssize_t))
    cdef Py_ssize_t* before = <Py_ssize_t*> memory.take(rows, sizeof(Py_ssize_t))
    cdef Py_ssize_t* inner = <Py_ssize_t*> memory.take(rows, sizeof(Py_ssize_t))
    if not (rows == place.shape[0] == below.shape[1] == added.shape[1]
            and sums.shape[1] == others.shape[0]
            and sums.shape[0] == below.shape[0] == added.shape[0] == 2):
        raise ValueError("two sums for each row, and for each place")
    if rows and not find_places(&place[0], rows, first, before):
        return False
    for row in range(rows):
        inner[first[row]] += size[row] > 1
    for row in range(rows):
        at = _find_place(others, place[row]) if size[row] > 1 else -1
        for line in range(2):
            added[line, row] = (
                sums[line, at] / <double> inner[first[row]] if at >= 0 else 0)
            below[line, row] += weight * added[line, row]
    return True


cdef Py_ssize_t _find_place(const uint64_t[::1] places, uint64_t wanted) noexcept nogil:
    """Where a place stands among sorted ones; -1 where it does not."""
    cdef Py_ssize_t first = 0, last = places.shape[0], middle
    while first < last:
        middle = first + (last - first) // 2
        if places[middle] < wanted:
            first = middle + 1
        else:
            last = middle
    return first if first < places.shape[0] and places[first] == wanted else -1


@cython.final
cdef class PairMasks:
    """The pairs of leaves of some pages, each with a mask of the pages that have it."""

    cdef Memory memory
    cdef uint64_t* pairs  # sorted
    cdef uint64_t* masks
    cdef Py_ssize_t* first  # place of the first pair for each value of its upper bits
    cdef int shift  # bits below those

    def __cinit__(self, const uint64_t[::1] pairs, const uint64_t[::1] masks):
        cdef Py_ssize_t count = pairs.shape[0], at, top
        cdef uint64_t last = 0
        if count != masks.shape[0]:
            raise ValueError("a mask for each pair")
        self.memory, self.shift = Memory(3), 60
        while self.shift > 32 and 1LL << (64 - self.shift) < count:
            self.shift -= 1
        top = 1LL << (64 - self.shift)
        self.pairs = <uint64_t*> self.memory.take(count, sizeof(uint64_t))
        self.masks = <uint64_t*> self.memory.take(count, sizeof(uint64_t))
        self.first = <Py_ssize_t*> self.memory.take(top + 1, sizeof(Py_ssize_t))
        for at in range(count):
            if at and pairs[at] <= last:
                raise ValueError("pairs that are not sorted")
            self.pairs[at], self.masks[at], last = pairs[at], masks[at], pairs[at]
            self.first[(last >> self.shift) + 1] += 1
        for at in range(top):
            self.first[at + 1] += self.first[at]

    def add_masks(self, const uint64_t[::1] wanted, uint64_t[::1] found):
        """Add the mask of each wanted pair to what was found for it."""
        cdef Py_ssize_t leaf, at, last, middle
        if wanted.shape[0] != found.shape[0]:
            raise ValueError("a mask for each pair")
        for leaf in range(wanted.shape[0]):
            at = self.first[wanted[leaf] >> self.shift]
            last = self.first[(wanted[leaf] >> self.shift) + 1]
            while at < last:
                middle = at + (last - at) // 2
                if self.pairs[middle] < wanted[leaf]:
                    at = middle + 1
                elif self.pairs[middle] > wanted[leaf]:
                    last = middle
                else:
                    found[leaf] |= self.masks[middle]
                    break


def count_pages(const uint64_t[::1] masks, Py_ssize_t[::1] leaves):
    """For each bit, how many masks have it."""
    cdef Py_ssize_t leaf, page, pages = min(leaves.shape[0], 64)
    for page in range(leaves.shape[0]):
        leaves[page] = 0
    for leaf in range(masks.shape[0]):
        if masks[leaf]:
            for page in range(pages):
                leaves[page] += masks[leaf] >> page & 1


def count_masks(const uint64_t[::1] masks, uint64_t wanted, Py_ssize_t[::1] pages):
    """For each mask, how many of the wanted bits it has."""
    cdef Py_ssize_t leaf
    if masks.shape[0] != pages.shape[0]:
        raise ValueError("a count for each mask")
    for leaf in range(masks.shape[0]):
        pages[leaf] = count_bits(masks[leaf] & wanted)


def find_named(
    WantedAttributes wanted not None, tuple names not None, const Py_ssize_t[::1] rows,
    const int32_t[::1] tag, const double[::1] score,
):
    """Of the rows with one tag and equal values of some attributes, the first with the best score.

    The attributes are given by number. Returns the places of those rows among all, in order, each
    with its values; None if that is left to Python.
    """
    cdef Py_ssize_t at, count = rows.shape[0], name, held
    cdef Memory memory = Memory(4)
    cdef uint64_t* keys = <uint64_t*> memory.take(count, sizeof(uint64_t))
    cdef Py_ssize_t* first = <Py_ssize_t*> memory.take(count, sizeof(Py_ssize_t))
    cdef Py_ssize_t* before = <Py_ssize_t*> memory.take(count, sizeof(Py_ssize_t))
    cdef Py_ssize_t* best = <Py_ssize_t*> memory.take(count, sizeof(Py_ssize_t))
    if count != score.shape[0] or not names:
        raise ValueError("one score for each row, and some attributes")
    for at in range(count):
        if not 0 <= rows[at] < tag.shape[0]:
            raise IndexError("a row that does not exist")
        first[at] = tag[rows[at]]
    for name in names:
        wanted.settled(name)
        for at in range(count):
            keys[at] = <uint64_t> first[at] << 32 | <uint32_t> wanted.number_at(name, rows[at])
        if not find_places(keys, count, first, before):
            return None
    for at in range(count):
        held = first[at]
        if held == at or score[at] > score[best[held]]:
            best[held] = at
    return [
        (best[at], *[wanted.value_at(name, rows[best[at]]) for name in names])
        for at in range(count) if first[at] == at
    ]
