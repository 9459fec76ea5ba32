"""`python -m pagelet` is the command `pagelet`."""

from pagelet.cli import main

main()
