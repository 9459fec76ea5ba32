"""Trained weights with their cards, and the numpy that runs them."""
