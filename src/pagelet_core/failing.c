/* Allocations that fail on demand: part of the build with sanitizers alone.

The linker sends the core's calls of malloc, calloc and realloc here (--wrap).
*/
#include <stddef.h>

void* __real_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* block, size_t size);

static long remaining = -1; /* allocations until one fails; negative: none does */

long fail_allocation_after(long count) {
    long before = remaining;
    remaining = count;
    return before;
}

static int fails(void) { return remaining >= 0 && remaining-- == 0; }

void* __wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }
void* __wrap_calloc(size_t count, size_t size) { return fails() ? NULL : __real_calloc(count, size); }
void* __wrap_realloc(void* block, size_t size) { return fails() ? NULL : __real_realloc(block, size); }
