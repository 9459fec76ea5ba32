"""Training and evaluation of noise removal."""
