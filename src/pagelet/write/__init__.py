"""Kept rows of a page as text, Markdown, clean HTML, tables and media."""
