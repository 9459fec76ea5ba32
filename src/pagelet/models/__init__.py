"""Models in numpy: boosted trees, lexicons and tables of features."""
