"""Fitting: weights and models from labelled pages, and the folds that keep figures honest."""
