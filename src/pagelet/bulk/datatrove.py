"""Steps of a datatrove pipeline: main content of pages, and grouping of pages by host.

Pages of one host lie in many files. `ScatterByHost` writes them into groups, each host into one
group, and `GatherByHost` reads each group host by host, so that `PageletExtractor` can learn
what the pages of a host share before it extracts them.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, groupby, islice
from tempfile import TemporaryDirectory
from typing import Any
from zlib import crc32

from pagelet.bulk.batches import PAGE_OPTIONS, page_row
from pagelet.bulk.options import BulkOptions
from pagelet.bulk.row import host_of
from pagelet.bulk.templates import MIN_HOST_PAGES, learn_host
from pagelet.errors import MissingExtra

try:
    from datatrove.pipeline.base import PipelineStep
    from datatrove.pipeline.extractors.base import BaseExtractor, ExtractorSandbox
    from datatrove.pipeline.readers.jsonl import JsonlReader
    from datatrove.pipeline.writers.jsonl import JsonlWriter
    from datatrove.utils.typeshelper import StatHints
except ImportError as error:
    raise MissingExtra("datatrove", "running steps of datatrove") from error

DEFAULT_GROUPS = 256  #: files that a rank writes; one group is held in memory as a whole
TEXT_COLUMNS = ("markdown", "text")  #: columns that hold the content, the better one first

Documents = Iterable[Any]


class PageletExtractor(BaseExtractor):  # type: ignore[misc] # datatrove has no types
    """The main content of pages as text; other columns are added to the metadata.

    Existing metadata is kept. A page that exceeds its time or ends its process is left out and
    counted. With `sample`, so many consecutive pages of a host are compared first, and what they
    share helps to extract them.
    """

    name = "pagelet"

    def __init__(
        self, options: BulkOptions = PAGE_OPTIONS, *, timeout: float = 20.0, sample: int = 0
    ) -> None:
        super().__init__(timeout)
        self.options, self.sample = options, sample

    def extract(self, text: str) -> str:
        """The main content of one page."""
        return row_text(page_row(text, None, self.options))

    def run(self, data: Documents, rank: int = 0, world_size: int = 1) -> Documents:  # noqa: ARG002
        """Extract every document, host by host as they come."""
        warm = (page_row, "", None, self.options)
        with ExtractorSandbox(self.timeout, warm) as box, TemporaryDirectory() as folder:
            for host, pages in groupby(data or (), key=partial(_host, self.options.url_column)):
                first = list(islice(pages, self.sample))
                options = self._learn(host, first, folder, box)
                for document in chain(first, pages):
                    yield from self._extract(document, box, options)

    def _learn(self, host: str, documents: list[Any], folder: str, box: Any) -> BulkOptions:
        """The options, with the template of a host if there are enough pages to learn it."""
        if len(documents) < MIN_HOST_PAGES or not host:
            return self.options
        pages = [(document.text, self._url(document)) for document in documents]
        try:
            box.process_document((learn_host, host, pages, folder), _call)
        except (TimeoutError, EOFError):
            self.stat_update("hosts_unlearned")
            return self.options
        self.stat_update("hosts_learned")
        return replace(self.options, templates=folder)

    def _extract(self, document: Any, box: Any, options: BulkOptions) -> Iterator[Any]:
        """The document with its content, unless that is empty."""
        self.stat_update(StatHints.total)
        try:
            with self.track_time():
                call = (page_row, document.text, self._url(document), options)
                row = box.process_document(call, _call)
        except (TimeoutError, EOFError) as error:
            self.stat_update("timeout" if isinstance(error, TimeoutError) else "broken_process")
            return
        document.text = row_text(row)
        columns = {name: value for name, value in row.items() if name not in TEXT_COLUMNS}
        document.metadata = columns | document.metadata
        if row.get("error"):
            self.stat_update(f"error_{row['error']}")
        if not document.text:
            self.stat_update(StatHints.dropped)
            return
        self.stat_update(StatHints.forwarded)
        self.update_doc_stats(document)
        yield document

    def _url(self, document: Any) -> str | None:
        return document.metadata.get(self.options.url_column)  # type: ignore[no-any-return]


class ScatterByHost(JsonlWriter):  # type: ignore[misc]
    """Writes documents into groups, all documents of a host into the same."""

    name = "scatter by host"

    def __init__(self, folder: Any, groups: int = DEFAULT_GROUPS, *, url: str = "url") -> None:
        super().__init__(folder, "${group}/${rank}.jsonl.gz")
        self.groups, self.url = groups, url

    def _get_output_filename(self, document: Any, rank: int | str = 0, **tags: Any) -> str:
        host = _host(self.url, document)
        group = group_name(crc32(host.encode()) % self.groups)
        return str(super()._get_output_filename(document, rank, group=group, **tags))


class GatherByHost(PipelineStep):  # type: ignore[misc]
    """Reads groups host by host; every rank reads groups of its own."""

    name, type = "gather by host", "📖 - READER"

    def __init__(self, folder: Any, groups: int = DEFAULT_GROUPS, *, url: str = "url") -> None:
        super().__init__()
        self.folder, self.groups, self.url = folder, groups, url

    def run(self, data: Documents, rank: int = 0, world_size: int = 1) -> Documents:
        """Documents of each group by host, then by name."""
        yield from data or ()
        for group in range(rank, self.groups, world_size):
            reader = JsonlReader(self.folder, glob_pattern=f"{group_name(group)}/*.jsonl.gz")
            for document in sorted(_read_all(reader), key=partial(_sort_key, self.url)):
                self.stat_update(StatHints.total)
                yield document


def row_text(row: dict[str, Any]) -> str:
    """The content of a row: Markdown if that is among the columns, else text."""
    return next((row[name] for name in TEXT_COLUMNS if row.get(name)), "")


def _call(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function in the sandbox process."""
    return function(*arguments)


def group_name(group: int) -> str:
    """The folder of a group."""
    return f"{group:05d}"


def _sort_key(url: str, document: Any) -> tuple[str, str]:
    return _host(url, document), str(document.id)


def _host(url: str, document: Any) -> str:
    return host_of(document.metadata.get(url)) or ""


def _read_all(reader: Any) -> Iterator[Any]:
    """All documents of a reader; a group may be empty."""
    for path in reader.data_folder.list_files(glob_pattern=reader.glob_pattern):
        yield from reader.read_file(path)
