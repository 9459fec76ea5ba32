"""Evaluation of template extraction."""
