"""Labelled pages and how answers are scored against them."""
