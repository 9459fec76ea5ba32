"""WARC files: records, the HTTP messages in them, and the site they hold."""
