"""Metadata of a page: titles, authors, dates, structured data."""
