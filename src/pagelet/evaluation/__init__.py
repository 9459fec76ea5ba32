"""Figures: every profile of a method on the same labelled pages, as one table."""
