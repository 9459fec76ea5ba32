"""The service: the same methods over HTTP, and the pages to look, tune and annotate."""
