"""What a page is: columns of numbers and strings, one row per node."""
