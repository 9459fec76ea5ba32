"""Pages: columns of numbers and strings, one row per node, and measures over them."""
