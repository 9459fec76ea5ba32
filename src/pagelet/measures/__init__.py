"""Numbers a row: every measure is a function from a page to an array, without thresholds."""
