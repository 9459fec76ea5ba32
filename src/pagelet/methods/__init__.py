"""Decisions, one file a paper, and the registry that everything else is generated from."""

from pagelet.methods.clutter import CLUTTER
from pagelet.methods.content import CONTENT
from pagelet.methods.menu import MENU
from pagelet.methods.noise import NOISE
from pagelet.methods.registry import Method, Profile
from pagelet.methods.segments import SEGMENTS
from pagelet.methods.template import TEMPLATE

METHODS: dict[str, Method] = {
    method.name: method for method in (CONTENT, MENU, CLUTTER, NOISE, TEMPLATE, SEGMENTS)
}

__all__ = ["METHODS", "Method", "Profile"]
