"""Boxes on a plane: which contain, overlap and neighbour each other, and in which order they are read."""
