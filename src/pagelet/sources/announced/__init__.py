"""The pages a site announces by itself: in robots.txt, sitemaps and feeds."""

from pagelet.sources.announced.entries import Announced, UrlFilter
from pagelet.sources.announced.walk import UrlOptions, list_urls

__all__ = ["Announced", "UrlFilter", "UrlOptions", "list_urls"]
