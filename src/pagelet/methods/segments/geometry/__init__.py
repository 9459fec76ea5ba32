"""Geometry of rendered pages: rectangles, visual boxes, their neighbours, and partitions."""
