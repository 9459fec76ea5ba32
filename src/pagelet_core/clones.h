/* Loops that gain by wider registers are compiled twice; the loader takes what the processor has.
 * No operation of theirs joins a multiplication and an addition, so both give the same bits. */

#include <stdint.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__GLIBC__) && \
    !defined(__SANITIZE_ADDRESS__)
#define CLONED __attribute__((target_clones("avx2", "default")))
#else
#define CLONED
#endif
