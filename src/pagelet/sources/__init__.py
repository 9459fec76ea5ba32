"""Where pages come from: files, standard input, the web, folders and archives of a site."""

from pagelet.sources.loading import load, load_by, load_folder

__all__ = ["load", "load_by", "load_folder"]
