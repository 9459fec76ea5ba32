/* The inner loops of trees: masks of leaves, and features that have one value for all rows. */

#include <stddef.h>

#include "clones.h"

/* Take leaves away from the masks of the rows whose feature is above a limit. */
#define AND_MASKS(name, M, T) \
    CLONED static void name(M *mask, const T *line, T limit, M remaining, ptrdiff_t count) { \
        for (ptrdiff_t row = 0; row < count; row++) \
            mask[row] &= remaining | ((M) (line[row] > limit) - 1); \
    }
AND_MASKS(and_narrow_singles, uint32_t, float)
AND_MASKS(and_narrow_reals, uint32_t, double)
AND_MASKS(and_wide_singles, uint64_t, float)
AND_MASKS(and_wide_reals, uint64_t, double)

/* The same for any of the types. */
#define and_masks(mask, line, limit, remaining, count) \
    (sizeof *(mask) == 4 \
         ? sizeof *(line) == 4 \
               ? and_narrow_singles((void *) (mask), (const void *) (line), (float) (limit), \
                                    (uint32_t) (remaining), count) \
               : and_narrow_reals((void *) (mask), (const void *) (line), limit, \
                                  (uint32_t) (remaining), count) \
     : sizeof *(line) == 4 ? and_wide_singles((void *) (mask), (const void *) (line), \
                                              (float) (limit), remaining, count) \
                           : and_wide_reals((void *) (mask), (const void *) (line), limit, \
                                            remaining, count))
