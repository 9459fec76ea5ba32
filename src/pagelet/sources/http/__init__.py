"""Pages over HTTP: checked addresses, politeness, limits and a cache."""
