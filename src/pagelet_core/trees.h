/* The inner loops of trees: masks of leaves, and features that have one value for all rows. */

#include <stddef.h>
#include <string.h>

#include "clones.h"

/* Nodes of a tree that rows are asked for: a line of features each, a limit, and the leaves that
 * remain where a feature is above it. Several are asked at once, so that masks are seldom stored. */
enum { MOST_NODES = 64, NODES_AT_ONCE = 4 };

#define LEFT_BY(at, M) (remaining[at] | ((M) (lines[at][row] > limit[at]) - 1))

/* The masks of all rows when so many nodes were asked, a multiple of those asked at once. */
#define MASK_ROWS(name, M, T) \
    CLONED static void name##_by(M *mask, const T *const *given, const T *most, const M *left, \
                                 ptrdiff_t count) { \
        const T *lines[NODES_AT_ONCE] = {given[0], given[1], given[2], given[3]}; \
        const T limit[NODES_AT_ONCE] = {most[0], most[1], most[2], most[3]}; \
        const M remaining[NODES_AT_ONCE] = {left[0], left[1], left[2], left[3]}; \
        for (ptrdiff_t row = 0; row < count; row++) \
            mask[row] &= LEFT_BY(0, M) & LEFT_BY(1, M) & LEFT_BY(2, M) & LEFT_BY(3, M); \
    } \
    static void name(M *mask, M start, const T *const *lines, const T *limit, const M *remaining, \
                     ptrdiff_t nodes, ptrdiff_t count) { \
        for (ptrdiff_t row = 0; row < count; row++) mask[row] = start; \
        for (ptrdiff_t node = 0; node < nodes; node += NODES_AT_ONCE) \
            name##_by(mask, lines + node, limit + node, remaining + node, count); \
    }
MASK_ROWS(mask_narrow_singles, uint32_t, float)
MASK_ROWS(mask_narrow_reals, uint32_t, double)
MASK_ROWS(mask_wide_singles, uint64_t, float)
MASK_ROWS(mask_wide_reals, uint64_t, double)

/* The same for any of the types, given the bytes of a mask and of a feature. */
static void mask_rows(size_t mask_bytes, size_t bytes, void *mask, uint64_t start,
                      const void *lines, const void *limit, const void *remaining, ptrdiff_t nodes,
                      ptrdiff_t count) {
    if (mask_bytes == 4 && bytes == 4)
        mask_narrow_singles(mask, (uint32_t) start, lines, limit, remaining, nodes, count);
    else if (mask_bytes == 4)
        mask_narrow_reals(mask, (uint32_t) start, lines, limit, remaining, nodes, count);
    else if (bytes == 4)
        mask_wide_singles(mask, start, lines, limit, remaining, nodes, count);
    else
        mask_wide_reals(mask, start, lines, limit, remaining, nodes, count);
}

/* Whether all values of a line are the first one; the loops without branches are fast ones. */
#define ALL_SAME(name, T) \
    CLONED static int name(const T *line, ptrdiff_t count) { \
        for (ptrdiff_t row = 0; row < count; row += 64) { \
            ptrdiff_t last = count - row < 64 ? count : row + 64; \
            int other = 0; \
            for (ptrdiff_t at = row; at < last; at++) other |= !(line[at] == line[0]); \
            if (other) return 0; \
        } \
        return 1; \
    }
ALL_SAME(same_singles, float)
ALL_SAME(same_reals, double)

static int all_same(size_t bytes, const void *line, ptrdiff_t count) {
    return bytes == 4 ? same_singles(line, count) : same_reals(line, count);
}
