"""Labelled data, scores, training and evaluation; imported by the command line alone."""
