"""Boosted trees by masks of leaves, the twin of `pagelet.models.trees`.

The leaves of a tree are numbered from left to right, one bit each. A node whose feature is above
the threshold takes away the leaves below its left child; the lowest bit that remains when all
nodes were asked is the leaf that a walk would end in (Lucchese et al., QuickScorer, SIGIR 2015).
A node is asked for many rows in one loop without branches. A feature that has one value for all
rows is compared once. Trees with more leaves than a mask has bits are walked step by step, and so
are all trees for a few rows.
"""

from libc.stdint cimport uint32_t, uint64_t

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    static int lowest_bit(unsigned long long mask) {
        unsigned long place;
        if (_BitScanForward(&place, (unsigned long) mask)) return (int) place;
        _BitScanForward(&place, (unsigned long) (mask >> 32));
        return (int) place + 32;
    }
    #else
    #define lowest_bit(mask) __builtin_ctzll(mask)
    #endif
    """
    int lowest_bit(uint64_t mask) noexcept nogil

cdef extern from "trees.h":
    enum: MOST_NODES, NODES_AT_ONCE
    void mask_rows(size_t mask_bytes, size_t bytes, void* mask, uint64_t start, const void* lines,
                   const void* limit, const void* remaining, Py_ssize_t nodes,
                   Py_ssize_t count) noexcept nogil
    bint all_same(size_t bytes, const void* line, Py_ssize_t count) noexcept nogil

ctypedef fused feature_t:
    float
    double

ctypedef fused mask_t:
    uint32_t
    uint64_t

cdef enum:
    FEW_ROWS = 4  # rows for which walks take less time than masks
    CHUNK_ROWS = 512  # rows whose masks are kept at once: 4 kB
    MASK_LEAVES = 64
    NARROW_LEAVES = 32


@cython.final
cdef class TreeScorer:
    """An ensemble, prepared for masks."""

    cdef Memory memory
    cdef readonly Py_ssize_t features
    cdef readonly Py_ssize_t trees
    cdef readonly Py_ssize_t steps
    cdef const Py_ssize_t[::1] roots
    cdef const Py_ssize_t[::1] feature
    cdef const double[::1] threshold
    cdef const float[::1] narrow
    cdef const Py_ssize_t[::1] left
    cdef const double[::1] value
    cdef Py_ssize_t* first_node  # of each tree, in the three arrays below
    cdef Py_ssize_t* node  # inner nodes, tree by tree
    cdef uint64_t* remaining  # leaves that remain when the feature is above the threshold
    cdef Py_ssize_t* needed  # features that each tree needs, counted from the first
    cdef Py_ssize_t* first_leaf  # of each tree, in the array below
    cdef double* leaf  # answers of the leaves from left to right

    def __cinit__(self, roots, feature, threshold, narrow, left, value, features, steps):
        """Prepare the trees whose first nodes are the roots; no walk is longer than so many steps."""
        self.roots, self.feature, self.left = roots, feature, left
        self.threshold, self.narrow, self.value = threshold, narrow, value
        self.features, self.steps, self.trees = features, steps, len(roots)
        self._check_arrays()
        self.memory = Memory(6)
        self.first_node = <Py_ssize_t*> self.memory.take(self.trees + 1, sizeof(Py_ssize_t))
        self.first_leaf = <Py_ssize_t*> self.memory.take(self.trees + 1, sizeof(Py_ssize_t))
        self.needed = <Py_ssize_t*> self.memory.take(self.trees, sizeof(Py_ssize_t))
        cdef Py_ssize_t tree, leaves = 0
        for tree in range(self.trees):
            leaves += self._count_leaves(self.roots[tree], self.steps, MASK_LEAVES)
        self.node = <Py_ssize_t*> self.memory.take(leaves, sizeof(Py_ssize_t))
        self.remaining = <uint64_t*> self.memory.take(leaves, sizeof(uint64_t))
        self.leaf = <double*> self.memory.take(leaves, sizeof(double))
        for tree in range(self.trees):
            self.first_node[tree + 1] = self.first_node[tree]
            self.first_leaf[tree + 1] = self.first_leaf[tree]
            if self._count_leaves(self.roots[tree], self.steps, MASK_LEAVES):
                self._add_leaves(tree, self.roots[tree])
            else:
                self.needed[tree] = self.features

    cdef int _check_arrays(self) except -1:
        """Refuse arrays in which a walk would leave the trees."""
        cdef Py_ssize_t node, nodes = self.left.shape[0]
        if not (self.feature.shape[0] == self.threshold.shape[0] == self.narrow.shape[0]
                == self.value.shape[0] == nodes):
            raise ValueError("the arrays of the trees do not fit together")
        for node in range(nodes):
            if not (node <= self.left[node] < nodes - (self.left[node] != node)
                    and 0 <= self.feature[node] < self.features):
                raise ValueError(f"node {node} leads to a node or feature that does not exist")
        for node in range(self.trees):
            if not 0 <= self.roots[node] < nodes:
                raise ValueError(f"tree {node} has a root that does not exist")
        return 0

    cdef Py_ssize_t _count_leaves(self, Py_ssize_t node, Py_ssize_t steps, Py_ssize_t most):
        """Leaves below a node; 0 if there are more than `most`, or more steps down to one."""
        cdef Py_ssize_t left, right
        if self.left[node] == node:
            return 1 if most > 0 else 0
        if steps == 0:
            return 0
        left = self._count_leaves(self.left[node], steps - 1, most - 1)
        if left == 0:
            return 0
        right = self._count_leaves(self.left[node] + 1, steps - 1, most - left)
        return left + right if right else 0

    cdef void _add_leaves(self, Py_ssize_t tree, Py_ssize_t node):
        """Number the leaves below a node, and note which ones each node takes away."""
        cdef Py_ssize_t at, first, last
        if self.left[node] == node:
            self.leaf[self.first_leaf[tree + 1]] = self.value[node]
            self.first_leaf[tree + 1] += 1
            return
        at = self.first_node[tree + 1]
        self.first_node[tree + 1] += 1
        self.node[at] = node
        self.needed[tree] = max(self.needed[tree], self.feature[node] + 1)
        first = self.first_leaf[tree + 1] - self.first_leaf[tree]
        self._add_leaves(tree, self.left[node])
        last = self.first_leaf[tree + 1] - self.first_leaf[tree]
        self.remaining[at] = ~(((<uint64_t> 1 << (last - first)) - 1) << first)
        self._add_leaves(tree, self.left[node] + 1)

    def predict_narrow(
        self, const float[:, ::1] lines, double[:, ::1] answers, Py_ssize_t first, Py_ssize_t last
    ):
        """Add up the answers of trees from first to last, given one line of singles per feature.

        With several lines of answers, the trees stand in rounds, in each round one per line.
        """
        self._check(lines.shape[0], lines.shape[1], answers, first, last)
        if lines.shape[0] and lines.shape[1]:
            _predict(self, &lines[0, 0], &self.narrow[0], lines.shape[0], answers, first, last)

    def predict_wide(
        self, const double[:, ::1] lines, double[:, ::1] answers, Py_ssize_t first, Py_ssize_t last
    ):
        """The same, given one line of doubles per feature."""
        self._check(lines.shape[0], lines.shape[1], answers, first, last)
        if lines.shape[0] and lines.shape[1]:
            _predict(self, &lines[0, 0], &self.threshold[0], lines.shape[0], answers, first, last)

    cdef int _check(
        self, Py_ssize_t features, Py_ssize_t rows, double[:, ::1] answers,
        Py_ssize_t first, Py_ssize_t last,
    ) except -1:
        cdef Py_ssize_t tree
        if answers.shape[1] != rows or answers.shape[0] < 1:
            raise ValueError(f"answers for {answers.shape[1]} rows; the features have {rows}")
        if not 0 <= first <= last <= self.trees:
            raise ValueError(f"trees {first} to {last} of {self.trees}")
        for tree in range(first, last):
            if features < self.needed[tree]:
                raise ValueError(f"{features} features; a tree needs {self.needed[tree]}")
        return 0


cdef int _predict(
    TreeScorer trees, const feature_t* lines, const feature_t* threshold, Py_ssize_t features,
    double[:, ::1] answers, Py_ssize_t first, Py_ssize_t last,
) except -1:
    """Answer chunk by chunk: the masks of a chunk stay in the fastest memory."""
    cdef Py_ssize_t rows = answers.shape[1], start, count, tree, leaves, round_, classes
    cdef Memory scratch = Memory(2)
    cdef char* same = <char*> scratch.take(features, 1)
    cdef void* masks = scratch.take(CHUNK_ROWS, sizeof(uint64_t))
    classes = answers.shape[0]
    with nogil:
        if rows > FEW_ROWS:
            _find_same(lines, features, rows, same)
        start = 0
        while start < rows:
            count = min(<Py_ssize_t> CHUNK_ROWS, rows - start)
            for tree in range(first, last):
                round_ = tree - first
                leaves = trees.first_leaf[tree + 1] - trees.first_leaf[tree]
                if leaves == 0 or rows <= FEW_ROWS:
                    _add_by_walk(trees, tree, lines + start, rows, threshold,
                                 &answers[round_ % classes, start], count, round_ < classes)
                elif leaves <= NARROW_LEAVES:
                    _add_by_masks(trees, tree, lines + start, rows, threshold, same,
                                  <uint32_t*> masks, &answers[round_ % classes, start], count,
                                  round_ < classes)
                else:
                    _add_by_masks(trees, tree, lines + start, rows, threshold, same,
                                  <uint64_t*> masks, &answers[round_ % classes, start], count,
                                  round_ < classes)
            start += CHUNK_ROWS
    return 0


cdef void _find_same(
    const feature_t* lines, Py_ssize_t features, Py_ssize_t rows, char* same
) noexcept nogil:
    """Mark the features that have one value for all rows."""
    cdef Py_ssize_t feature
    for feature in range(features):
        same[feature] = all_same(sizeof(feature_t), lines + feature * rows, rows)


cdef void _add_by_masks(
    TreeScorer trees, Py_ssize_t tree, const feature_t* lines, Py_ssize_t rows,
    const feature_t* threshold, const char* same, mask_t* mask, double* answer,
    Py_ssize_t count, bint is_first,
) noexcept nogil:
    cdef Py_ssize_t at, row, feature, node, asked = 0
    cdef mask_t start = ~(<mask_t> 0)
    cdef const feature_t* line[MOST_NODES]
    cdef feature_t limit[MOST_NODES]
    cdef mask_t remaining[MOST_NODES]
    cdef const double* leaf = trees.leaf + trees.first_leaf[tree]
    for at in range(trees.first_node[tree], trees.first_node[tree + 1]):
        node = trees.node[at]
        feature = trees.feature[node]
        if not same[feature]:
            line[asked], limit[asked] = lines + feature * rows, threshold[node]
            remaining[asked] = <mask_t> trees.remaining[at]
            asked += 1
        elif lines[feature * rows] > threshold[node]:
            start &= <mask_t> trees.remaining[at]
    while asked % NODES_AT_ONCE:  # asking a node again changes nothing
        line[asked], limit[asked], remaining[asked] = line[0], limit[0], remaining[0]
        asked += 1
    mask_rows(sizeof(mask_t), sizeof(feature_t), mask, start, line, limit, remaining, asked, count)
    if is_first:
        for row in range(count):
            answer[row] = leaf[lowest_bit(mask[row])]
    else:
        for row in range(count):
            answer[row] += leaf[lowest_bit(mask[row])]


cdef void _add_by_walk(
    TreeScorer trees, Py_ssize_t tree, const feature_t* lines, Py_ssize_t rows,
    const feature_t* threshold, double* answer, Py_ssize_t count, bint is_first,
) noexcept nogil:
    cdef Py_ssize_t row, node, step
    for row in range(count):
        node = trees.roots[tree]
        for step in range(trees.steps):
            if trees.left[node] == node:
                break
            node = trees.left[node] + (
                lines[trees.feature[node] * rows + row] > threshold[node]
            )
        answer[row] = trees.value[node] if is_first else answer[row] + trees.value[node]
