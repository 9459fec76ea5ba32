"""Bytes to a Page, and rows of a Page back to HTML, text, Markdown and links."""
