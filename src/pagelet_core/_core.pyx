# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, binding=False
"""The compiled core: kernels over the arrays of pages and models.

One extension module; each idea is a file that is included here. A kernel has a twin in Python
with the same answers bit for bit, and a test that compares the two.
"""

include "memory.pxi"
include "buffers.pxi"
include "words.pxi"
include "tags.pxi"
include "builder.pxi"
include "attributes.pxi"
include "strings.pxi"
include "references.pxi"
include "wanted.pxi"
include "scanning.pxi"
include "masking.pxi"
include "rows.pxi"
include "trees.pxi"
include "columns.pxi"
include "lexicon.pxi"
include "texts.pxi"
include "query.pxi"
include "blocks.pxi"
include "reading.pxi"
include "choosing.pxi"
include "headings.pxi"
include "writing.pxi"
include "plain.pxi"
include "hashes.pxi"
include "checksums.pxi"
include "names.pxi"
include "siblings.pxi"
include "digests.pxi"
include "addresses.pxi"
include "folding.pxi"
include "named.pxi"
