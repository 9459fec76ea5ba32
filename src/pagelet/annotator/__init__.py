"""The annotator: pages, marks, suggestions and exports, mounted on the service."""
