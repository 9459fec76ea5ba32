"""Boxes on a plane: containment, overlap, neighbours and reading order."""
