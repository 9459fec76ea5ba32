"""Single fields of the metadata: each as it is found with all others."""

import dataclasses

import pytest

from pagelet import parse
from pagelet.metadata import fields
from pagelet.metadata.facts import Metadata, metadata
from pagelet.metadata.fields import FIELDS
from pagelet.metadata.single import some_metadata
from tests.fuzzed import GOLDEN, SAMPLES

PAGES = [*SAMPLES, *GOLDEN]


@pytest.fixture(scope="module")
def pages():
    return [parse(path.read_bytes(), f"https://www.example.org/{path.name}") for path in PAGES]


def test_every_field_is_there():
    names = {each.name for each in dataclasses.fields(Metadata)}
    assert set(FIELDS) == names - {"page_type", "sources"}  # which are joined later


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_by_itself(pages, name):
    for page in pages:
        whole, alone = metadata(page), some_metadata(page, [name])
        assert getattr(alone, name) == getattr(whole, name)
        assert alone.sources == {key: whole.sources[key] for key in (name,) if key in whole.sources}


def test_several_fields_are_as_all_of_them(pages):
    for page in pages:
        assert some_metadata(page, FIELDS) == metadata(page)


def test_what_is_not_wanted_is_not_read(pages, monkeypatch):
    whole = metadata(pages[0])
    monkeypatch.setattr(fields, "find_authors", None)
    monkeypatch.setattr(fields, "read_opening", None)
    assert some_metadata(pages[0], ["title", "language"]).title == whole.title
