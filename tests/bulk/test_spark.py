"""Batches of pages in Spark."""

import os
import shutil
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from pyarrow import parquet

from pagelet.bulk.batches import map_batches, map_in_arrow, schema_after
from pagelet.bulk.options import BulkOptions
from tests.bulk.test_batches import TABLE

pytestmark = [
    pytest.mark.soak,
    pytest.mark.filterwarnings("ignore"),  # of its own parts
]

OPTIONS = BulkOptions(columns=("title", "text", "confidence", "menu"))


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    assert shutil.which("java"), "Spark needs Java: install the package default-jre-headless"
    from pyspark import sql  # noqa: PLC0415 - only make soak installs it

    os.environ["PYSPARK_PYTHON"] = sys.executable  # else the python that the path names
    made = sql.SparkSession.builder.master("local[2]").appName("pagelet")
    made = made.config("spark.ui.enabled", "false").config("spark.driver.memory", "1g")
    session = made.config("spark.sql.session.timeZone", "UTC").getOrCreate()
    yield session
    session.stop()


def mapped(spark: Any) -> Any:
    """The pages as Spark has them, mapped."""
    from pyspark.sql.pandas.types import from_arrow_schema  # noqa: PLC0415 - there or not

    pages = spark.createDataFrame(TABLE.to_pylist(), from_arrow_schema(TABLE.schema))
    told = from_arrow_schema(schema_after(TABLE.schema, OPTIONS))
    return pages.repartition(3).mapInArrow(partial(map_in_arrow, options=OPTIONS), told)


def test_map_in_arrow(spark):
    found = [row.asDict(recursive=True) for row in mapped(spark).collect()]
    assert sorted(found, key=lambda row: row["n"]) == map_batches(TABLE, OPTIONS).to_pylist()
    assert mapped(spark).filter("size(menu) = 7").count() == TABLE.num_rows


def test_written_by_spark_and_read_back(spark, tmp_path):
    mapped(spark).write.parquet(str(tmp_path / "out"))
    found = parquet.read_table(str(tmp_path / "out")).sort_by("n")
    assert found["text"].to_pylist() == map_batches(TABLE, OPTIONS)["text"].to_pylist()
