"""Training and evaluation of record extraction."""
