"""The types of JSON-LD by a full reading: every object, every @type."""

import json
from typing import Any


def types(script: str) -> set[str]:
    return named(json.loads(script))


def named(value: Any) -> set[str]:
    if isinstance(value, list):
        return set().union(*map(named, value))
    if not isinstance(value, dict):
        return set()
    names = set().union(*map(named, value.values()))
    types = value.get("@type", [])
    several = types if isinstance(types, list) else [types]
    return names | {name.split("/")[-1].lower() for name in several if isinstance(name, str)}
