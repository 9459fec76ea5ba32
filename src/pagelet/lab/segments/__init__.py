"""Training and evaluation of visual segments."""
