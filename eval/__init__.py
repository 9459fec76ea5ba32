"""Accuracy floors on the labelled data: `make evaluate` fails when a figure falls below one."""
