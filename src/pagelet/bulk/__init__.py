"""Runs over many pages: archives and folders in, tables out, one machine or a cluster."""
