"""Labelled metadata: readers of labelled folders, and scores of what systems read."""
