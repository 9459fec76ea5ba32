"""Training and evaluation of content extraction."""
