"""A crawl becomes a table in Parquet; DuckDB answers questions about it.

python examples/crawl_to_parquet.py
"""

import json
import tempfile
from pathlib import Path

import duckdb

from pagelet.bulk.options import BulkOptions
from pagelet.bulk.run import bulk

SITE = Path(__file__).parent / "site"
HOST = "https://seeds.example"
COLUMNS = ("url", "date", "title", "language", "text", "menu", "links_content", "error")

NEWEST = "SELECT date, title FROM pages WHERE date IS NOT NULL ORDER BY date DESC"
LANGUAGES = """
    SELECT coalesce(language, '?') AS language, count(*) AS pages
    FROM pages GROUP BY ALL ORDER BY pages DESC, language
"""
MOST_LISTED = """
    SELECT listed.title, count(*) AS lists
    FROM (SELECT url, unnest(links_content) AS item FROM pages) AS listing
    JOIN pages AS listed ON listed.url = item
    GROUP BY ALL ORDER BY lists DESC, title LIMIT 3
"""


def write_crawl(file: Path) -> None:
    """What a crawler leaves behind: a JSON object per line, with the address and the HTML."""
    with file.open("w", encoding="utf-8") as lines:
        for page in sorted(SITE.rglob("*.html")):
            url = f"{HOST}/{page.relative_to(SITE).as_posix()}"
            html = page.read_text(encoding="utf-8")
            lines.write(json.dumps({"url": url, "html": html}) + "\n")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        crawl, out = Path(folder, "crawl.jsonl"), Path(folder, "out")
        write_crawl(crawl)
        done = bulk([str(crawl)], str(out), BulkOptions(columns=COLUMNS))
        print(f"{done.rows} pages, {sum(done.errors.values())} errors")
        duckdb.sql(f"CREATE TABLE pages AS FROM '{out}/pages/*.parquet'")
    for question in (NEWEST, LANGUAGES, MOST_LISTED):
        print(duckdb.sql(question))


if __name__ == "__main__":
    main()
