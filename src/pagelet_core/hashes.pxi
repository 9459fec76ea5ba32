"""Hashes of 64 bits: spread, summed along the paths of a tree, and equal ones found.

The twin of `pagelet.page.signatures` and `pagelet.page.equal`.
"""

cdef enum:
    MOST_TRIES = 16  # places of a table that are tried for a value, on average


cdef inline uint64_t spread_bits(uint64_t bits) noexcept nogil:
    """The finalizer of splitmix64."""
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ULL
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBULL
    return bits ^ (bits >> 31)


def mix(uint64_t[::1] numbers):
    """Spread each number over all bits, in place."""
    cdef Py_ssize_t at
    for at in range(numbers.shape[0]):
        numbers[at] = spread_bits(numbers[at])


def sum_paths(
    const int32_t[::1] parent, const uint64_t[::1] own, uint64_t factor, uint64_t[::1] sums
):
    """Sums over the path down to each row, each row weighed by a power of the factor, its depth.

    Returns false, and has summed nothing, if a row does not stand behind its parent.
    """
    cdef Py_ssize_t row, above, rows = parent.shape[0]
    cdef Memory memory = Memory(1)
    cdef uint64_t* power = <uint64_t*> memory.take(rows, sizeof(uint64_t))
    if not rows == own.shape[0] == sums.shape[0]:
        raise ValueError("one hash for each row")
    for row in range(rows):
        above = parent[row]
        if not -1 <= above < row:
            return False
        power[row] = power[above] * factor if above >= 0 else 1
        sums[row] = own[row] * power[row] + (sums[above] if above >= 0 else 0)
    return True


def find_equal(const uint64_t[::1] values, Py_ssize_t[::1] first, Py_ssize_t[::1] before):
    """For each value the first place that has it, and how many places before it have it.

    Returns false, and has found nothing, where too many values fall on one place of the table.
    """
    if not values.shape[0] == first.shape[0] == before.shape[0]:
        raise ValueError("two places for each value")
    if not values.shape[0]:
        return True
    return find_places(&values[0], values.shape[0], &first[0], &before[0])


cdef bint find_places(
    const uint64_t* values, Py_ssize_t count, Py_ssize_t* first, Py_ssize_t* before
) except -1:
    cdef Py_ssize_t at, held, tries = 0
    cdef size_t size = 16, place
    while size < 2 * <size_t> count:
        size *= 2
    cdef Memory memory = Memory(2)
    cdef Py_ssize_t* table = <Py_ssize_t*> memory.take(size, sizeof(Py_ssize_t))
    cdef Py_ssize_t* seen = <Py_ssize_t*> memory.take(count, sizeof(Py_ssize_t))
    for at in range(count):
        place = <size_t> spread_bits(values[at]) & (size - 1)
        while table[place] and values[table[place] - 1] != values[at]:
            place = (place + 1) & (size - 1)
            tries += 1
        if tries > MOST_TRIES * (count + 1):
            return False
        if not table[place]:
            table[place] = at + 1
        held = table[place] - 1
        first[at], before[at] = held, seen[held]
        seen[held] += 1
    return True
