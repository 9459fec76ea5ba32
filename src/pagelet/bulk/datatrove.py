"""Steps of a datatrove pipeline: the main content of pages, and pages brought together by host.

Pages of one host lie in many files. `ScatterByHost` writes them into groups, a host in one group
only, and `GatherByHost` gives each group back host by host, so that `PageletExtractor` can learn
what the pages of a host share before it extracts them.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, groupby, islice
from tempfile import TemporaryDirectory
from typing import Any
from zlib import crc32

from pagelet.bulk.options import BulkOptions
from pagelet.bulk.row import PAGES, host_of, learn_host, page_row
from pagelet.errors import MissingExtra

try:
    from datatrove.pipeline.base import PipelineStep
    from datatrove.pipeline.extractors.base import BaseExtractor, ExtractorSandbox
    from datatrove.pipeline.readers.jsonl import JsonlReader
    from datatrove.pipeline.writers.jsonl import JsonlWriter
    from datatrove.utils.typeshelper import StatHints
except ImportError as error:
    raise MissingExtra("datatrove", "the steps for datatrove") from error

GROUPS = 256  #: files that a rank writes, and a group is held in memory as a whole
TEXTS = ("markdown", "text")  #: columns that hold the content, the better one first
LEAST = 3  #: pages of a host that are worth comparing

Documents = Iterable[Any]


class PageletExtractor(BaseExtractor):  # type: ignore[misc] # datatrove has no types
    """The main content of pages as text; what else is known of a page joins its metadata.

    What the metadata says already is kept. A page that runs over its time or ends its process is
    left out and counted. With `sample`, so many pages of a host that come one after another are
    compared first, and what they share helps.
    """

    name = "pagelet"

    def __init__(
        self, options: BulkOptions = PAGES, *, timeout: float = 20.0, sample: int = 0
    ) -> None:
        super().__init__(timeout)
        self.options, self.sample = options, sample

    def extract(self, text: str) -> str:
        """The main content of one page, as the base class has it."""
        return text_of(page_row(text, None, self.options))

    def run(self, data: Documents, rank: int = 0, world_size: int = 1) -> Documents:  # noqa: ARG002
        """Extract every document, host by host as they come."""
        warm = (page_row, "", None, self.options)
        with ExtractorSandbox(self.timeout, warm) as box, TemporaryDirectory() as folder:
            for host, pages in groupby(data or (), key=partial(_host, self.options.url_column)):
                first = list(islice(pages, self.sample))
                options = self._learned(host, first, folder, box)
                for document in chain(first, pages):
                    yield from self._extracted(document, box, options)

    def _learned(self, host: str, documents: list[Any], folder: str, box: Any) -> BulkOptions:
        """The options, with the template of a host where enough pages tell it."""
        if len(documents) < LEAST or not host:
            return self.options
        pages = [(document.text, self._url(document)) for document in documents]
        try:
            box.process_document((learn_host, host, pages, folder), _work)
        except (TimeoutError, EOFError):
            self.stat_update("hosts_unlearned")
            return self.options
        self.stat_update("hosts_learned")
        return replace(self.options, templates=folder)

    def _extracted(self, document: Any, box: Any, options: BulkOptions) -> Iterator[Any]:
        """The document with its content; nothing when there is none."""
        self.stat_update(StatHints.total)
        try:
            with self.track_time():
                asked = (page_row, document.text, self._url(document), options)
                row = box.process_document(asked, _work)
        except (TimeoutError, EOFError) as error:
            self.stat_update("timeout" if isinstance(error, TimeoutError) else "broken_process")
            return
        document.text = text_of(row)
        told = {name: value for name, value in row.items() if name not in TEXTS}
        document.metadata = told | document.metadata
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
    """Writes documents into groups, all documents of a host into one."""

    name = "scatter by host"

    def __init__(self, folder: Any, groups: int = GROUPS, *, url: str = "url") -> None:
        super().__init__(folder, "${group}/${rank}.jsonl.gz")
        self.groups, self.url = groups, url

    def _get_output_filename(self, document: Any, rank: int | str = 0, **tags: Any) -> str:
        host = _host(self.url, document)
        named = group_name(crc32(host.encode()) % self.groups)
        return str(super()._get_output_filename(document, rank, group=named, **tags))


class GatherByHost(PipelineStep):  # type: ignore[misc]
    """Reads groups back, host by host; every rank reads groups of its own."""

    name, type = "gather by host", "📖 - READER"

    def __init__(self, folder: Any, groups: int = GROUPS, *, url: str = "url") -> None:
        super().__init__()
        self.folder, self.groups, self.url = folder, groups, url

    def run(self, data: Documents, rank: int = 0, world_size: int = 1) -> Documents:
        """Documents of each group by host, then by name."""
        yield from data or ()
        for group in range(rank, self.groups, world_size):
            reader = JsonlReader(self.folder, glob_pattern=f"{group_name(group)}/*.jsonl.gz")
            for document in sorted(_read(reader), key=partial(_place, self.url)):
                self.stat_update(StatHints.total)
                yield document


def text_of(row: dict[str, Any]) -> str:
    """The content of a row: as Markdown where that is wanted."""
    return next((row[name] for name in TEXTS if row.get(name)), "")


def _work(task: Callable[..., Any], *rest: Any) -> Any:
    """What the guarded process does: whatever it is sent."""
    return task(*rest)


def group_name(group: int) -> str:
    """The folder of a group."""
    return f"{group:05d}"


def _place(url: str, document: Any) -> tuple[str, str]:
    return _host(url, document), str(document.id)


def _host(url: str, document: Any) -> str:
    return host_of(document.metadata.get(url)) or ""


def _read(reader: Any) -> Iterator[Any]:
    """All documents of a reader; a group may be empty."""
    for path in reader.data_folder.list_files(glob_pattern=reader.glob_pattern):
        yield from reader.read_file(path)
