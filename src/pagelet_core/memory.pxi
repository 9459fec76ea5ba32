"""Memory that belongs to one object or one call, and is freed with it."""

from libc.stdlib cimport calloc, free


@cython.final
cdef class Memory:
    """Blocks of memory that are freed with this object; kernels keep no other."""

    cdef void** blocks
    cdef int used
    cdef int room

    def __cinit__(self, int room):
        self.blocks = <void**> calloc(room, sizeof(void*))
        if self.blocks == NULL:
            raise MemoryError
        self.room = room

    def __dealloc__(self):
        cdef int at
        for at in range(self.used):
            free(self.blocks[at])
        free(self.blocks)

    cdef void* take(self, size_t count, size_t size) except NULL:
        """A block of zeros, at least one item long."""
        if self.used == self.room:
            raise AssertionError("more blocks than there is room for")
        cdef void* block = calloc(count if count else 1, size)
        if block == NULL:
            raise MemoryError
        self.blocks[self.used] = block
        self.used += 1
        return block


cdef extern from *:
    """
    /* Hashes of bytes (FNV-1a), mixed at the end: */
    #define HASH_START 0xCBF29CE484222325ULL
    #define HASH_FACTOR 0x100000001B3ULL
    #define finish_hash(bits) ((bits) ^ ((bits) >> 32))
    """
    unsigned long long HASH_START
    unsigned long long HASH_FACTOR
    unsigned long long finish_hash(unsigned long long bits) noexcept nogil
