"""Pages as Chromium renders them, in rows of the same page."""
