"""Types of numpy arrays, declared once: the element type, never the shape."""

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]  #: one truth value per row, box or block
Floats = NDArray[np.float64]
Singles = NDArray[np.float32]  #: features, on which trees are faster than on doubles
Ints = NDArray[np.intp]  #: places in other arrays, or counts
Rows = NDArray[np.intp]  #: rows of a page
Int64s = NDArray[np.int64]
Int32s = NDArray[np.int32]
Bytes = NDArray[np.uint8]  #: small codes, or channels of colours
Hashes = NDArray[np.uint64]
